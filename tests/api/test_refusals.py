"""Every refusal says what is wrong, where, and what to do about it."""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.domain.errors import REFUSALS, RequestIsInvalid
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.conftest import MakeTenant, Tenant

WATCH: dict[str, Any] = {"name": "W", "filter": {}, "types": ["hires"]}
# Request, and the path of the field that is at fault.
WRONG: tuple[tuple[str, str, dict[str, Any], str], ...] = (
    ("POST", "/accounts", {"json": {"page": 1, "offset": 1}}, "page"),
    ("POST", "/accounts", {"json": {"cursor": "x"}}, "cursor"),
    ("POST", "/accounts", {"json": {"changed_since": "soon"}}, "changed_since"),
    (
        "POST",
        "/accounts",
        {"content": b"{", "headers": {"content-type": "application/json"}},
        "body",
    ),
    ("POST", "/accounts", {"content": b"{}", "headers": {"content-type": "x/y"}}, "Content-Type"),
    ("POST", "/accounts", {"headers": {"idempotency-key": "k" * 256}}, "Idempotency-Key"),
    ("GET", "/organization/credits", {"content": b"{}"}, "body"),
    ("GET", "/health", {"params": {"x": "1"}}, "query"),
    ("GET", "/events", {"params": {"page": 2, "cursor": "x"}}, "page"),
    ("GET", "/usage", {"params": {"since": "2020-01-01"}}, "until"),
    ("POST", "/contacts", {"json": {"headline": "x"}}, "body"),
    ("POST", "/contacts/search", {"json": {"per_page": 2, "limit": 3}}, "limit"),
    ("POST", "/contacts/erasures", {"json": {}}, "body"),
    ("POST", "/integrations/smtp/sync", {}, "integration_id"),
    ("POST", "/users", {"json": {"email": "{owner}"}}, "email"),
    ("POST", "/watches", {"json": WATCH}, "name"),
)


@pytest.mark.parametrize(("method", "path", "sent", "at"), WRONG, ids=lambda part: str(part)[:40])
async def test_what_is_wrong_is_named(
    client: httpx.AsyncClient, method: str, path: str, sent: dict[str, Any], at: str
) -> None:
    if path == "/watches":
        assert (await client.post(BASE_PATH + path, json=WATCH)).status_code == 201
    if path == "/users":
        users = (await client.get(f"{BASE_PATH}/users")).json()["items"]
        sent = {"json": {"email": users[0]["email"]}}
    refused = await client.request(method, BASE_PATH + path, **sent)
    assert refused.status_code == 400, refused.text
    fields = refused.json()["error"]["details"]["fields"]
    assert [field["path"] for field in fields] == [at]
    for field in fields:
        assert field["code"]
        assert field["message"].endswith((".", "…"))
        assert not field["message"].startswith("Value error")


def test_no_refusal_of_input_is_without_a_place() -> None:
    for kind in REFUSALS:
        if issubclass(kind, RequestIsInvalid):
            (field,) = kind().details["fields"]
            assert (field["code"], bool(field["path"])) == (kind.code, True)
    assert RequestIsInvalid("x", path="here").details["fields"][0]["path"] == "here"
    given = [{"path": "there", "message": "No.", "code": "not_allowed"}]
    assert RequestIsInvalid("x", fields=given).details["fields"] == given


@pytest.mark.parametrize("value", ["1", "yes", "on", "TRUE", "t"])
async def test_a_flag_is_true_or_false(client: httpx.AsyncClient, value: str) -> None:
    refused = await client.get(f"{BASE_PATH}/alerts", params={"include_snoozed": value})
    assert refused.status_code == 400
    (field,) = refused.json()["error"]["details"]["fields"]
    assert field["message"] == "Must be true or false."
    for good in ("true", "false"):
        answer = await client.get(f"{BASE_PATH}/alerts", params={"include_snoozed": good})
        assert answer.status_code == 200


@pytest.mark.parametrize(
    "given", ["2026-01-31", "2026-01-31T10:00:00Z", "2026-01-31T10:00:00+02:00", "2026-01-31T10:00"]
)
async def test_a_moment_is_a_date_or_a_time(client: httpx.AsyncClient, given: str) -> None:
    for method, path, name in (
        ("POST", "/accounts", "changed_since"),
        ("POST", "/contacts/search", "updated_since"),
        ("GET", "/contacts", "updated_since"),
        ("GET", "/events", "since"),
        ("GET", "/accounts/export", "changed_since"),
    ):
        sent: dict[str, Any] = {"json" if method == "POST" else "params": {name: given}}
        answer = await client.request(method, BASE_PATH + path, **sent)
        assert answer.status_code == 200, f"{path}: {answer.text}"
        sent = {"json" if method == "POST" else "params": {name: "2026-13-01"}}
        assert (await client.request(method, BASE_PATH + path, **sent)).status_code == 400
    assert (await client.get(f"{BASE_PATH}/accounts/export?changed_since=5")).status_code == 400


async def test_a_value_outside_its_vocabulary_is_never_silent(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    [account] = await add_accounts(
        database, tenant.organization_id, [{"company_name": "Quay", "website_domain": "q.example"}]
    )
    company = f"/companies/{account.company_id}"
    for path, params, near in (
        ("/events", {"type": "hiress"}, "hires"),
        ("/events", {"source": "filings"}, "filing"),
        (f"{company}/technologies", {"category": "containerss"}, "containers"),
        (f"{company}/facts", {"field": "ceos"}, "ceo"),
        (f"{company}/facts", {"source": "web_site"}, "website"),
        (f"{company}/jobs", {"department": "enginering"}, "engineering"),
    ):
        answer = await client.get(BASE_PATH + path, params=params)
        assert (answer.status_code, answer.json()["items"]) == (200, []), path
        assert f'"{near}"' in answer.headers["x-warning"], path
        known = await client.get(BASE_PATH + path, params={next(iter(params)): near})
        assert "x-warning" not in known.headers, path


async def test_without_credits_the_headers_say_so(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant, database: Database
) -> None:
    poor = await make_tenant("poor")
    [account] = await add_accounts(database, poor.organization_id, [{"company_name": "Poor"}])
    refused = await anonymous.get(
        f"{BASE_PATH}/companies/{account.company_id}/jobs",
        params={"live": "true"},
        headers={"x-api-key": poor.key},
    )
    assert refused.status_code == 402
    headers = [refused.headers[f"x-credits-{name}"] for name in ("charged", "type", "remaining")]
    assert headers == ["0", "company", "0"]
    details = refused.json()["error"]["details"]
    assert (details["credit"], details["needed"], details["remaining"]) == ("company", 1, 0)


async def test_a_role_that_is_missing_is_named(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant
) -> None:
    tenant = await make_tenant("roles")
    own = {"x-api-key": tenant.key}
    member = await anonymous.post(
        f"{BASE_PATH}/users", json={"email": f"m-{uuid4().hex}@x.example"}, headers=own
    )
    key = await anonymous.post(
        f"{BASE_PATH}/keys",
        json={"name": "m", "scopes": ["org_settings:*"], "user_id": member.json()["id"]},
        headers=own,
    )
    refused = await anonymous.patch(
        f"{BASE_PATH}/organization", json={"name": "x"}, headers={"x-api-key": key.json()["key"]}
    )
    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (403, "missing_role")
    assert error["details"]["required_role"] == "admin"


async def test_a_contact_that_was_known_is_200(client: httpx.AsyncClient) -> None:
    body = {"full_name": "Ada Reed", "emails": ["ada@reed.example"]}
    made = await client.post(f"{BASE_PATH}/contacts", json=body)
    again = await client.post(f"{BASE_PATH}/contacts", json=body | {"headline": "Engineer"})
    assert (made.status_code, again.status_code) == (201, 200)
    assert again.json()["id"] == made.json()["id"]
    described = (await client.get("/openapi.json")).json()["paths"]["/contacts"]["post"]
    assert {"200", "201"} <= set(described["responses"])


async def test_a_territory_that_does_not_exist_is_not_silent(client: httpx.AsyncClient) -> None:
    made = await client.post(f"{BASE_PATH}/territories", json={"name": "Nordics", "rules": {}})
    assert made.status_code == 201
    for value, warned in (("nordic", True), ("nordics", False)):
        search = {"filter": {"field": "territory", "op": "eq", "value": value}}
        answer = await client.post(f"{BASE_PATH}/accounts", json=search)
        assert answer.status_code == 200
        assert (
            'unknown territory; closest: "nordics"' in answer.headers.get("x-warning", "")
        ) is warned
