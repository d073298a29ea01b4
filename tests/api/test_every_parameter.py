"""Every parameter of every operation does what it says: a filter narrows, a value is kept."""

import json
from typing import Any

import httpx
import pytest

from sightline.api.endpoint import Endpoint
from sightline.api.endpoints import ENDPOINTS
from sightline.domain.credits import DEFAULT_PRICES
from sightline.store.database import Database
from sightline.store.integrations import find_integration
from tests.api.foreign_data import Asker, Side, body_of, fill, filled_path
from tests.api.parameter_cases import CASES, Narrows, Shown
from tests.conftest import MakeTenant

BY_NAME = {endpoint.name: endpoint for endpoint in ENDPOINTS}
_filled: dict[str, Side] = {}


@pytest.fixture
async def side(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant, database: Database, database_url: str
) -> Side:
    """An organization with something of every kind; tests share it."""
    if database_url not in _filled:
        tenant = await make_tenant("amber")
        made = await fill(anonymous, tenant, "amber", database=database, database_url=database_url)
        made.ids.update(own_user_id=str(tenant.user_id), own_key_id=str(tenant.key_id))
        _filled[database_url] = made
    return _filled[database_url]


def _filled_in(value: Any, side: Side, operation: str) -> Any:
    text = json.dumps(value)
    for name, text_of in {**side.ids, "word": side.word, "operation": operation}.items():
        text = text.replace(f"{{{name}}}", text_of)
    return json.loads(text)


def _items(answer: dict[str, Any]) -> list[Any]:
    (listed,) = [answer[name] for name in ("items", "data", "contacts") if name in answer]
    assert isinstance(listed, list)
    return listed


@pytest.mark.parametrize(
    ("operation", "parameter"),
    [key for key, case in CASES.items() if isinstance(case, Narrows)],
    ids=lambda part: part,
)
async def test_it_narrows(
    operation: str, parameter: str, side: Side, anonymous: httpx.AsyncClient
) -> None:
    case, endpoint, ask = CASES[operation, parameter], BY_NAME[operation], Asker(anonymous).ask
    assert isinstance(case, Narrows)
    kept = {} if case.kept is None else {parameter: _filled_in(case.kept, side, operation)}
    found = await ask(endpoint, side, given=kept)
    assert found.status_code == 200, found.text
    assert _items(found.json())
    lost = await ask(endpoint, side, given={parameter: _filled_in(case.lost, side, operation)})
    assert lost.status_code == 200, lost.text
    assert _items(lost.json()) == []


@pytest.mark.parametrize(
    ("operation", "parameter"),
    [key for key, case in CASES.items() if isinstance(case, Shown)],
    ids=lambda part: part,
)
async def test_it_is_kept(
    operation: str, parameter: str, side: Side, anonymous: httpx.AsyncClient
) -> None:
    case, endpoint = CASES[operation, parameter], BY_NAME[operation]
    assert isinstance(case, Shown)
    given = _filled_in({**dict(case.beside), parameter: case.sent}, side, operation)
    response = await Asker(anonymous).ask(endpoint, side, given=given)
    assert response.is_success, response.text
    answered = case.sent if case.answered is None else case.answered
    assert response.json()[parameter] == _filled_in(answered, side, operation)


@pytest.mark.parametrize(
    "endpoint", [e for e in ENDPOINTS if "per_page" in e.params.model_fields], ids=lambda e: e.name
)
async def test_lists_are_pages(
    endpoint: Endpoint, side: Side, anonymous: httpx.AsyncClient
) -> None:
    ask = Asker(anonymous).ask
    first = (await ask(endpoint, side, given={"per_page": 1})).json()
    second = (await ask(endpoint, side, given={"per_page": 1, "page": 2})).json()
    for answer, number in ((first, 1), (second, 2)):
        listed = answer.get("companies", answer)
        page = listed["pagination"]
        assert page["page"] == number
        assert page.get("per_page", page.get("limit")) == 1
        assert len(_items(listed)) <= 1
    refused = await ask(endpoint, side, given={"per_page": 51})
    assert refused.status_code == 400
    assert "50" in refused.json()["error"]["message"]


async def test_a_ledger_of_one_credit(side: Side, anonymous: httpx.AsyncClient) -> None:
    ask, ledger = Asker(anonymous).ask, BY_NAME["list_ledger"]
    everything = (await ask(ledger, side)).json()["pagination"]["total"]
    of_one = (await ask(ledger, side, given={"credit": "territory"})).json()
    assert {line["credit"] for line in of_one["items"]} == {"territory"}
    assert 0 < of_one["pagination"]["total"] < everything


async def test_provenance_says_where_values_come_from(
    side: Side, anonymous: httpx.AsyncClient
) -> None:
    ask = Asker(anonymous).ask
    for name, field in (("read_company", "company_name"), ("read_contact", "full_name")):
        assert "provenance" not in (await ask(BY_NAME[name], side)).json()
        reported = (await ask(BY_NAME[name], side, given={"provenance": "true"})).json()[
            "provenance"
        ]
        assert reported[field]["source"]


async def test_a_key_has_what_it_was_made_with(side: Side, anonymous: httpx.AsyncClient) -> None:
    ask = Asker(anonymous).ask
    made_with = {
        "name": "With every option",
        "scopes": ["jobs:read"],
        "user_id": side.ids["own_user_id"],
        "expires_at": "2999-01-01T00:00:00Z",
        "allowed_networks": ["10.0.0.0/8"],
        "rate_limit": 7,
        "flat_errors": True,
    }
    made = await ask(BY_NAME["create_key"], side, given=made_with)
    assert made.status_code == 201, made.text
    listed = (await ask(BY_NAME["list_keys"], side)).json()["items"]
    (shown,) = [key for key in listed if key["id"] == made.json()["id"]]
    made_with["expires_at"] = "2999-01-01T00:00:00.000000Z"
    assert {name: shown[name] for name in made_with} == made_with
    refused = await anonymous.get(
        "/v1/alerts", headers={"x-api-key": made.json()["key"], "x-forwarded-for": "10.0.0.1"}
    )
    assert refused.status_code == 401, "it is bound to other networks"


async def test_a_territory_has_an_owner(side: Side, anonymous: httpx.AsyncClient) -> None:
    ask, owner = Asker(anonymous).ask, {"owner_id": side.ids["own_user_id"]}
    made = await ask(BY_NAME["create_territory"], side, given=owner | {"name": "Owned"})
    assert made.json()["owner"]["id"] == owner["owner_id"]
    changed = await ask(BY_NAME["update_territory"], side, given=owner)
    assert changed.json()["owner"]["id"] == owner["owner_id"]
    freed = await ask(BY_NAME["update_territory"], side, given={"owner_id": None})
    assert freed.json()["owner"] is None


@pytest.mark.parametrize(
    "endpoint",
    [e for e in ENDPOINTS if e.price is not None],
    ids=lambda e: e.name,
)
async def test_a_dry_run_tells_the_price_and_does_nothing(
    endpoint: Endpoint, side: Side, anonymous: httpx.AsyncClient
) -> None:
    ledger = BY_NAME["list_ledger"]
    before = (await Asker(anonymous).ask(ledger, side)).json()["pagination"]["total"]
    body = None
    if endpoint.body is not None:
        body = body_of(endpoint.name, side)
    answer = await anonymous.request(
        endpoint.method,
        filled_path(endpoint.path, side.ids),
        params={"dry_run": "true"},
        json=body,
        headers={"x-api-key": side.tenant.key},
    )
    assert answer.status_code == 200, answer.text
    reported = answer.json()
    assert set(reported) == {"dry_run", "credit", "amount", "remaining"}
    assert reported["dry_run"] is True
    assert endpoint.price is not None
    assert reported["credit"] == DEFAULT_PRICES[endpoint.price].credit
    assert answer.headers["x-credits-charged"] == "0"
    assert int(answer.headers["x-credits-remaining"]) == reported["remaining"]
    after = (await Asker(anonymous).ask(ledger, side)).json()["pagination"]["total"]
    assert after == before


async def test_a_company_is_submitted_with_all_that_is_said(
    side: Side, anonymous: httpx.AsyncClient
) -> None:
    said = {
        "company_name": "Breakwater",
        "domain": "breakwater.example",
        "external_id": "17",
        "source_system": "crm",
    }
    ask = Asker(anonymous).ask
    made = (await ask(BY_NAME["submit_company"], side, given=said)).json()
    ids = side.ids | {"public_operation_id": made["public_operation_id"]}
    operation = (await ask(BY_NAME["read_operation"], side, ids=ids)).json()
    assert operation["input"].items() >= said.items()
    known = {"id": side.ids["account_id"], "company_name": None, "domain": None}
    again = (await ask(BY_NAME["submit_company"], side, given=known)).json()
    assert again["company_id"] == side.ids["company_id"]
    many = (await ask(BY_NAME["submit_companies"], side, given={"items": [said, said]})).json()
    ids = side.ids | {"public_operation_id": many["public_operation_id"]}
    items = (await ask(BY_NAME["list_operation_items"], side, ids=ids)).json()["items"]
    assert [item["external_id"] for item in items] == ["17", "17"]


async def test_a_suppression_has_its_reason(side: Side, anonymous: httpx.AsyncClient) -> None:
    given = {"items": [{"email": "away@quay.example"}], "reason": "asked by letter"}
    made = await Asker(anonymous).ask(BY_NAME["add_suppressions"], side, given=given)
    assert made.status_code == 201, made.text
    (entry,) = made.json()["items"]
    assert (entry["kind"], entry["reason"]) == ("email", "asked by letter")


async def test_a_mail_server_is_kept_as_it_was_set_up(
    side: Side, anonymous: httpx.AsyncClient, database: Database
) -> None:
    given = {
        "host": "smtp.quay.example",
        "port": 465,
        "security": "tls",
        "username": "ada",
        "password": "not to be shown",
        "sender": "alerts@quay.example",
        "recipients": ["ida@quay.example"],
    }
    saved = await Asker(anonymous).ask(BY_NAME["set_mail_server"], side, given=given)
    assert saved.status_code == 200, saved.text
    assert given["password"] not in saved.text
    async with database.tenant(side.tenant.organization_id) as connection:
        kept = await find_integration(connection, "smtp")
    assert kept is not None
    assert kept.settings == {name: value for name, value in given.items() if name != "password"}
