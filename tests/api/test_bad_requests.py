"""Addresses, queries, methods and headers that are not right get a documented 4xx; never 500."""

import re
from typing import Any
from uuid import uuid4

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.api.endpoints import ALIAS_PATH, BASE_PATH, ENDPOINTS
from tests.api.answers import field_codes, refused

ACCOUNTS = f"{BASE_PATH}/accounts"
LEDGER = f"{BASE_PATH}/organization/credits/ledger"
COMPANY = f"{BASE_PATH}/companies"
JSON = {"content-type": "application/json"}
by_name = pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: e.name)

fuzzed = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@by_name
async def test_an_unknown_query_parameter_is_refused_everywhere(
    client: httpx.AsyncClient, endpoint: Any
) -> None:
    path = BASE_PATH + re.sub(r"{\w+}", lambda _: str(uuid4()), endpoint.path)
    details = refused(
        await client.request(endpoint.method, path, params={"per_pag": "1"}),
        400,
        "unknown_parameter",
    )
    assert field_codes(details) == {"per_pag": "unknown_parameter"}


async def test_a_path_value_is_not_overruled_by_a_query(client: httpx.AsyncClient) -> None:
    response = await client.get(f"{COMPANY}/{uuid4()}", params={"company_id": str(uuid4())})
    assert field_codes(refused(response, 400, "unknown_parameter")) == {
        "company_id": "unknown_parameter"
    }


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "not-a-uuid",
        "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a1",
        "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a111",
        "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a1g",
        "%00",
        "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11%00",
        "%ff%fe",
        "%20",
        "null",
        "'; DROP TABLE accounts; --",
        "٠١٩٨c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11",
        "x" * 5000,
    ],
)
async def test_a_malformed_uuid_is_named(client: httpx.AsyncClient, text: str) -> None:
    response = await client.get(f"{COMPANY}/{text}")
    code = "invalid_request" if "%00" in text else "invalid_uuid"
    assert list(field_codes(refused(response, 400, code))) == ["company_id"]


@pytest.mark.parametrize(
    "query",
    [
        "page=1&page=2",
        "page=1&page=1",
        "page=",
        "page=%00",
        "page=1%00",
        "%00=1",
        "page=%ff",
        "page=1e3",
        "page=1.0",
        "page=0x1",
        "page=%D9%A1%D9%A2",
        "page=-1",
        "page=0",
        "page=99999999999999999999999999",
        "page=true",
        "per_page=51",
        "per_page=0",
        "per_page=+",
        "credit=",
        "credit=gold",
        "credit=company&credit=contact",
        "cursor=",
        "cursor=a",
        "cursor=" + "a" * 2000,
        "cursor=%F0%9F%98%80",
        "page[]=1",
        "a" * 10_000 + "=1",
        "&".join(f"p{n}=1" for n in range(2000)),
    ],
    ids=lambda q: q[:30],
)
async def test_a_bad_query_is_refused(client: httpx.AsyncClient, query: str) -> None:
    response = await client.get(f"{LEDGER}?{query}")
    assert response.status_code == 400, response.text
    refused(response, 400, response.json()["error"]["code"])
    assert len(response.content) < 20_000


async def test_a_repeated_parameter_is_named(client: httpx.AsyncClient) -> None:
    details = refused(await client.get(f"{LEDGER}?page=1&page=2"), 400, "invalid_request")
    assert field_codes(details) == {"page": "repeated"}


@pytest.mark.parametrize(
    ("sent", "echoed"),
    [
        (b"abc-123", "abc-123"),
        (b"a\r\nSet-Cookie: x=1", "aSet-Cookie:x=1"),
        (b"a\x00b", "ab"),
        (b"\xff\xfe", None),
        (b"", None),
        (b"x" * 5000, "x" * 128),
    ],
)
async def test_a_callers_request_id_is_echoed_as_text(
    client: httpx.AsyncClient, sent: bytes, echoed: str | None
) -> None:
    response = await client.get("/health", headers=[(b"x-request-id", sent)])
    assert response.headers.get("x-client-request-id") == echoed
    assert response.headers["x-request-id"] != sent.decode("latin-1")
    assert "set-cookie" not in response.headers


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
async def test_a_wrong_method_is_405(client: httpx.AsyncClient, method: str) -> None:
    response = await client.request(method, ACCOUNTS)
    refused(response, 405, "method_not_allowed")
    assert response.headers["allow"] == "POST"


@pytest.mark.parametrize("method", ["BREW", "M-SEARCH", "X" * 300])
async def test_a_made_up_method_is_405(client: httpx.AsyncClient, method: str) -> None:
    refused(await client.request(method, LEDGER), 405, "method_not_allowed")


@by_name
async def test_head_and_options_never_fail(client: httpx.AsyncClient, endpoint: Any) -> None:
    path = BASE_PATH + re.sub(r"{\w+}", lambda _: str(uuid4()), endpoint.path)
    for method in ("HEAD", "OPTIONS", "CONNECT", "PUT"):
        response = await client.request(method, path)
        assert response.status_code < 500
        assert "x-request-id" in response.headers


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "//",
        "/v1",
        "/v1/",
        "/v1//accounts",
        "/v1/organization/",
        "/v1/Accounts",
        "/v2/accounts",
        "/public-api/v1",
        "/public-api/v1/v1/accounts",
        "/v1/v1/accounts",
        "/v1/companies/a%2Fb",
        "/v1/companies/..%2f..%2fetc%2fpasswd",
        "/v1/%2e%2e/accounts",
        "/v1/accounts%00",
        "/v1/accounts;a=b",
        "/%c0%ae%c0%ae/",
        "/" + "a/" * 5000,
        "/v1/accounts" + "x" * 60_000,
    ],
    ids=lambda p: p[:30],
)
async def test_an_unknown_path_is_404(client: httpx.AsyncClient, path: str) -> None:
    refused(await client.post(path), 404, "path_not_found")


@pytest.mark.parametrize("value", [b"", b" ", b"\xff\xfe", b"slk_live_", b"x" * 60_000, b"a\x00b"])
async def test_a_bad_key_is_401(anonymous: httpx.AsyncClient, value: bytes) -> None:
    response = await anonymous.post(ACCOUNTS, headers=[(b"x-api-key", value)])
    refused(response, 401, "missing_api_key" if value == b"" else "invalid_api_key")


async def test_two_keys_are_none(client: httpx.AsyncClient) -> None:
    key = client.headers.pop("x-api-key")
    twice = [("x-api-key", key), ("x-api-key", key)]
    refused(await client.post(ACCOUNTS, headers=twice), 401, "invalid_api_key")
    refused(
        await client.post(ACCOUNTS, headers=[("x-api-key", ""), ("x-api-key", "")]),
        401,
        "invalid_api_key",
    )
    assert (await client.post(ACCOUNTS, headers={"X-Api-Key": key})).status_code == 200


@pytest.mark.parametrize("key", [b"", b"x" * 256, b"\xff", b"a\x00", b"a\tb", "é".encode()])
async def test_a_bad_idempotency_key_is_refused(client: httpx.AsyncClient, key: bytes) -> None:
    response = await client.post(ACCOUNTS, headers=[(b"idempotency-key", key)])
    refused(response, 400, "invalid_idempotency_key")


async def test_headers_may_be_long_and_many(client: httpx.AsyncClient) -> None:
    headers = {f"x-{n}": "y" * 500 for n in range(200)} | {"accept": "text/html", "cookie": "a=b"}
    assert (await client.get(LEDGER, headers=headers)).status_code == 200


@fuzzed
@given(
    path=st.text(max_size=40),
    query=st.dictionaries(st.text(max_size=10), st.text(max_size=10), max_size=3),
)
async def test_no_address_breaks_the_api(
    client: httpx.AsyncClient, path: str, query: dict[str, str]
) -> None:
    for prefix in (f"{ALIAS_PATH}/", f"{COMPANY}/"):
        encoded = "".join(f"%{byte:02x}" for byte in path.encode())
        response = await client.get(prefix + encoded, params=query)
        assert response.status_code in (400, 404, 405), response.text
        refused(response, response.status_code, response.json()["error"]["code"])


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/companies/", "company_id"),
        ("/companies//profile", "company_id"),
        ("/lists//accounts", "list_id"),
    ],
)
async def test_a_path_without_its_id_says_which(
    client: httpx.AsyncClient, path: str, name: str
) -> None:
    response = await client.get(BASE_PATH + path)
    details = refused(response, 400, "id_missing")
    assert [field["path"] for field in details["fields"]] == [name]


@pytest.mark.parametrize(("path", "is_hinted"), [("/organization/", True), ("/nope/", False)])
async def test_a_slash_too_many_is_pointed_out(
    client: httpx.AsyncClient, path: str, is_hinted: bool
) -> None:
    response = await client.get(BASE_PATH + path)
    refused(response, 404, "path_not_found")
    assert ("slash" in response.json()["error"]["message"]) is is_hinted
