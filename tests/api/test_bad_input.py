"""Whatever body is sent, the answer is a documented 4xx that names every fault; never 500, never a hang."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.api.endpoints import BASE_PATH, ENDPOINTS
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


async def post(client: httpx.AsyncClient, content: bytes, **headers: str) -> httpx.Response:
    return await client.post(ACCOUNTS, content=content, headers=JSON | headers)


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b'{"page": }',
        b"{'page': 1}",
        b'{"page": 1,}',
        b'{"page": 01}',
        b'{"page": 1} {"page": 2}',
        b"nul",
        b"\x00",
        b'{"company_name": "\xff\xfe"}',
        b'{"company_name": "\xed\xa0\x80"}',
        b'{"company_name": "\\ud800"}',
        b'{"company_name": "\\udc00\\ud800"}',
        b'{"company_name": "a\nb"}',
        b'{"\xc3": 1}',
        b'{"company_name": "\x00"}',
        "{}".encode("utf-16"),
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"facets":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
    ids=lambda c: repr(c[:24]),
)
async def test_a_body_that_is_no_json_is_refused(client: httpx.AsyncClient, content: bytes) -> None:
    answer = await post(client, content)
    refused(answer, 400, "invalid_json")
    assert re.fullmatch(
        r"The body is not valid JSON( at line \d+, column \d+)?\.",
        answer.json()["error"]["message"],
    ), "the words are ours"


@pytest.mark.parametrize("content", [b"null", b"[]", b'"text"', b"1", b"true", b"[{}]"])
async def test_a_body_that_is_no_object_is_refused(
    client: httpx.AsyncClient, content: bytes
) -> None:
    refused(await post(client, content), 400, "invalid_request")


@pytest.mark.parametrize("content", [b"", b" ", b"\r\n\t ", b"{}", b"\xef\xbb\xbf{}"])
async def test_an_empty_body_answers_all_accounts(
    client: httpx.AsyncClient, content: bytes
) -> None:
    assert (await post(client, content)).status_code == 200


@pytest.mark.parametrize(
    ("body", "path", "code"),
    [
        ({"page": -1}, "page", "out_of_range"),
        ({"page": 10**9}, "page", "out_of_range"),
        ({"page": 2**63}, "page", "out_of_range"),
        ({"page": 10**4000}, "page", "out_of_range"),
        ({"page": 1.5}, "page", "not_an_integer"),
        ({"page": 1.0}, "page", "not_an_integer"),
        ({"page": True}, "page", "not_an_integer"),
        ({"page": "1"}, "page", "not_an_integer"),
        ({"page": None}, "page", "not_an_integer"),
        ({"page": float("nan")}, "page", "not_an_integer"),
        ({"page": []}, "page", "not_an_integer"),
        ({"page": {}}, "page", "not_an_integer"),
        ({"per_page": 0}, "per_page", "out_of_range"),
        ({"per_page": -1}, "per_page", "out_of_range"),
        ({"per_page": 51}, "per_page", "out_of_range"),
        ({"per_page": False}, "per_page", "not_an_integer"),
        ({"offset": -1}, "offset", "out_of_range"),
        ({"offset": 10**12}, "offset", "out_of_range"),
        ({"industry": 1}, "industry", "not_a_string"),
        ({"industry": ["Software"]}, "industry", "not_a_string"),
        ({"industry": "x" * 201}, "industry", "too_long"),
        ({"company_name": {"like": "a"}}, "company_name", "not_a_string"),
        ({"public_company": "true"}, "public_company", "not_a_boolean"),
        ({"public_company": 1}, "public_company", "not_a_boolean"),
        ({"sort": "name"}, "sort", "not_allowed"),
        ({"sort": "company_name; drop table accounts"}, "sort", "not_allowed"),
        ({"sort": ""}, "sort", "not_allowed"),
        ({"facets": "industry"}, "facets", "not_a_list"),
        ({"facets": ["organization_id"]}, "facets.0", "not_allowed"),
        ({"facets": ["industry"] * 7}, "facets", "too_long"),
        ({"cursor": 1}, "cursor", "not_a_string"),
        ({"cursor": "a" * 1025}, "cursor", "too_long"),
        ({"country": "\x00"}, "country", "invalid_characters"),
        ({"company_name": "a\x00b"}, "company_name", "invalid_characters"),
    ],
    ids=lambda value: repr(value)[:40] if isinstance(value, dict) else None,
)
async def test_a_wrong_value_is_named(
    client: httpx.AsyncClient, body: dict[str, Any], path: str, code: str
) -> None:
    response = await post(client, dumps(body))
    assert field_codes(refused(response, 400, "invalid_request")) == {path: code}


def dumps(body: Any) -> bytes:
    """JSON of anything, numbers of thousands of digits included."""
    digits = body.get("page") if isinstance(body, dict) else None
    if isinstance(digits, int) and not isinstance(digits, bool) and digits > 2**64:
        return b'{"page": 1' + b"0" * 4000 + b"}"
    return json.dumps(body).encode()


async def test_the_largest_page_is_named(client: httpx.AsyncClient) -> None:
    for response in (
        await client.post(ACCOUNTS, json={"per_page": 51}),
        await client.get(LEDGER, params={"per_page": 51}),
    ):
        refused(response, 400, "invalid_request")
        assert "50" in response.json()["error"]["message"]
    assert (await client.post(ACCOUNTS, json={"per_page": 50})).status_code == 200


async def test_all_faults_are_told_at_once(client: httpx.AsyncClient) -> None:
    response = await client.post(
        ACCOUNTS, json={"page": -1, "per_page": 51, "industri": "x", "sort": 5, "country": []}
    )
    assert field_codes(refused(response, 400, "invalid_request")) == {
        "page": "out_of_range",
        "per_page": "out_of_range",
        "industri": "unknown_parameter",
        "sort": "not_allowed",
        "country": "not_a_string",
    }
    response = await client.get(LEDGER, params={"page": "0", "per_page": "x", "credit": "gold"})
    assert set(field_codes(refused(response, 400, "invalid_request"))) == {
        "page",
        "per_page",
        "credit",
    }


async def test_many_faults_stay_a_short_answer(client: httpx.AsyncClient) -> None:
    response = await client.post(ACCOUNTS, json={f"field{n}": n for n in range(20_000)})
    assert len(refused(response, 400, "unknown_parameter")["fields"]) == 50
    response = await client.post(ACCOUNTS, json={"x" * 500_000: 1})
    refused(response, 400, "unknown_parameter")
    assert len(response.content) < 5_000


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("industri", "industry"), ("perPage", "per_page"), ("companyName", "company_name")],
)
async def test_an_unknown_field_gets_the_nearest_name(
    client: httpx.AsyncClient, name: str, nearest: str
) -> None:
    details = refused(await client.post(ACCOUNTS, json={name: "a"}), 400, "unknown_parameter")
    assert field_codes(details) == {name: "unknown_parameter"}
    assert nearest in details["fields"][0]["message"]


@pytest.mark.parametrize("endpoint", [e for e in ENDPOINTS if e.body is None], ids=lambda e: e.name)
async def test_a_body_where_none_belongs_is_refused(
    client: httpx.AsyncClient, endpoint: Any
) -> None:
    path = BASE_PATH + re.sub(r"{\w+}", lambda _: str(uuid4()), endpoint.path)
    response = await client.request(endpoint.method, path, content=b"{}", headers=JSON)
    refused(response, 400, "invalid_request")


@pytest.mark.parametrize(
    "body",
    [{"page": 1, "offset": 1}, {"page": 1, "cursor": "a"}, {"offset": 1, "cursor": "a"}],
)
async def test_two_ways_of_paging_conflict(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    refused(await client.post(ACCOUNTS, json=body), 400, "conflicting_pagination")
    response = await client.get(LEDGER, params={"page": 2, "cursor": "a"})
    refused(response, 400, "conflicting_pagination")


@pytest.mark.parametrize(
    "media_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "application/xml",
        "",
        "\xff",
    ],
)
async def test_another_content_type_is_refused(client: httpx.AsyncClient, media_type: str) -> None:
    response = await client.post(
        ACCOUNTS, content=b"{}", headers=[(b"content-type", media_type.encode("latin-1"))]
    )
    refused(response, 400, "unsupported_content_type")


@pytest.mark.parametrize(
    "media_type", ["application/json", "Application/JSON; charset=utf-8", " application/json "]
)
async def test_json_may_be_written_in_any_case(client: httpx.AsyncClient, media_type: str) -> None:
    response = await client.post(ACCOUNTS, content=b"{}", headers={"content-type": media_type})
    assert response.status_code == 200


async def _parts(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 10_000):
        yield b" " * 10_000


async def test_a_body_over_the_limit_is_413(client: httpx.AsyncClient) -> None:
    details = refused(await post(client, b" " * 2_000_000), 413, "body_too_large")
    assert details["limit"] == 1_000_000
    streamed = await client.post(ACCOUNTS, content=_parts(2_000_000), headers=JSON)
    refused(streamed, 413, "body_too_large")
    # A false length does not help.
    lying = await post(client, b" " * 2_000_000, **{"content-length": "2"})
    refused(lying, 413, "body_too_large")
    huge = await post(client, b"{}", **{"content-length": "9" * 40})
    refused(huge, 413, "body_too_large")
    for nonsense in (b"-1", b"abc", b"\xb2", b"9" * 5000):
        headers = [(b"content-type", b"application/json"), (b"content-length", nonsense)]
        answer = await client.post(ACCOUNTS, content=b"{}", headers=headers)
        assert answer.status_code == (413 if nonsense[:1] == b"9" else 200)


async def test_the_largest_body_is_read_to_its_last_byte(client: httpx.AsyncClient) -> None:
    assert (await post(client, b"{}" + b" " * 999_998)).status_code == 200
    refused(await post(client, b"{}" + b" " * 999_999), 413, "body_too_large")


async def test_the_last_of_two_equal_keys_counts(client: httpx.AsyncClient) -> None:
    response = await post(client, b'{"per_page": 1, "per_page": 7}')
    assert response.json()["request"]["per_page"] == 7
    refused(await post(client, b'{"per_page": 1, "per_page": 70}'), 400, "invalid_request")


async def test_empty_strings_are_no_filter_or_no_rows(client: httpx.AsyncClient) -> None:
    assert "x-warning" not in (await client.post(ACCOUNTS, json={"company_name": ""})).headers
    for field in ("industry", "employee_size_category", "revenue_category", "country"):
        response = await client.post(ACCOUNTS, json={field: ""})
        assert (response.status_code, response.json()["items"]) == (200, [])
        assert field in response.headers["x-warning"]


@pytest.mark.parametrize(
    "text", ["x\r\nSet-Cookie: a=b", "é中\x85", "\x7f\x1b[31m", "nicht<bekannt>\"'", "😀" * 50]
)
async def test_a_filter_value_shapes_no_header(client: httpx.AsyncClient, text: str) -> None:
    fields = ("industry", "employee_size_category", "revenue_category", "country")
    response = await client.post(ACCOUNTS, json=dict.fromkeys(fields, text))
    assert response.status_code == 200
    assert response.headers["x-warning"].isprintable()
    assert response.headers["x-warning"].isascii()
    assert "set-cookie" not in response.headers


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
search_bodies = st.dictionaries(
    st.sampled_from(
        [
            "industry", "employee_size_category", "revenue_category", "country", "company_name",
            "public_company", "page", "per_page", "offset", "cursor", "sort", "facets", "other",
        ]
    ),
    json_values | st.integers(0, 60) | st.sampled_from(["US", "Software", "-revenue", ["sector"]]),
    max_size=5,
)  # fmt: skip


@fuzzed
@given(body=search_bodies)
async def test_no_search_body_breaks_the_api(client: httpx.AsyncClient, body: Any) -> None:
    response = await client.post(ACCOUNTS, json=body)
    assert response.status_code in (200, 400), response.text
    if response.status_code == 400:
        refused(response, 400, response.json()["error"]["code"])


@fuzzed
@given(body=st.binary(max_size=200))
async def test_no_bytes_break_the_api(client: httpx.AsyncClient, body: bytes) -> None:
    response = await post(client, body)
    assert response.status_code == 400 or not body.strip() or response.status_code == 200


@fuzzed
@given(text=st.text(max_size=60))
async def test_no_name_breaks_the_search(client: httpx.AsyncClient, text: str) -> None:
    body = {"company_name": text, "country": text, "industry": text}
    response = await client.post(ACCOUNTS, content=dumps(body), headers=JSON)
    assert response.status_code == (400 if "\x00" in text else 200), response.text
