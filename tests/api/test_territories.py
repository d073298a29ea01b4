"""Saved lists, the filter language, and territories with members, scores, overlaps and gaps."""

from typing import Any

import httpx
import pytest

from sightline.monitor.territories import refresh_territories
from sightline.store.database import Database, open_database
from tests.api.accounts_data import add_accounts
from tests.conftest import Tenant

V1 = "/public-api/v1"
SOFTWARE = {"field": "industry", "op": "eq", "value": "Software"}


@pytest.fixture
async def accounts(client: httpx.AsyncClient, database: Database, tenant: Tenant) -> dict[str, str]:
    """Five accounts; answers name -> account id."""
    rows = [
        (
            "Alpine Software",
            {"industry": "Software", "country_code": "CH", "full_time_employees": 900},
        ),
        (
            "Baltic Software",
            {"industry": "Software", "country_code": "DE", "full_time_employees": 90},
        ),
        (
            "Cedar Bank",
            {"industry": "Commercial Banking", "country_code": "DE", "full_time_employees": 4_000},
        ),
        (
            "Delta Bank",
            {"industry": "Commercial Banking", "country_code": "US", "tags": ["Key", "EMEA"]},
        ),
        ("Echo Unknown", {}),
    ]
    records = [{"company_name": name, **values} for name, values in rows]
    await add_accounts(database, tenant.organization_id, records)
    found = (await client.post(f"{V1}/accounts", json={})).json()["items"]
    return {item["company_name"]: item["id"] for item in found}


async def names(client: httpx.AsyncClient, filter: dict[str, Any]) -> list[str]:
    answer = await client.post(f"{V1}/accounts", json={"filter": filter})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["pagination"]["total"] == len(body["items"])
    return [item["company_name"].split()[0] for item in body["items"]]


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({}, ["Alpine", "Baltic", "Cedar", "Delta", "Echo"]),
        (SOFTWARE, ["Alpine", "Baltic"]),
        ({"not": SOFTWARE}, ["Cedar", "Delta", "Echo"]),
        ({"field": "industry", "op": "ne", "value": "Software"}, ["Cedar", "Delta", "Echo"]),
        ({"and": [SOFTWARE, {"field": "country", "op": "eq", "value": "Germany"}]}, ["Baltic"]),
        (
            {"or": [SOFTWARE, {"field": "employees", "op": "gte", "value": 1000}]},
            ["Alpine", "Baltic", "Cedar"],
        ),
        ({"field": "employees", "op": "between", "value": [90, 900]}, ["Alpine", "Baltic"]),
        ({"field": "employees", "op": "blank"}, ["Delta", "Echo"]),
        ({"not": {"field": "employees", "op": "lt", "value": 1000}}, ["Cedar", "Delta", "Echo"]),
        ({"field": "country", "op": "in", "value": ["DE", "Switzerland"]}, ["Alpine", "Baltic", "Cedar"]),
        ({"field": "country", "op": "not_in", "value": ["DE"]}, ["Alpine", "Delta", "Echo"]),
        ({"field": "company_name", "op": "contains", "value": "BÀNK"}, ["Cedar", "Delta"]),
        ({"field": "company_name", "op": "starts_with", "value": "echo"}, ["Echo"]),
        ({"field": "tags", "op": "contains", "value": "key"}, ["Delta"]),
        ({"field": "tags", "op": "not_contains", "value": "key"}, ["Alpine", "Baltic", "Cedar", "Echo"]),
        ({"field": "tags", "op": "blank"}, ["Alpine", "Baltic", "Cedar", "Echo"]),
        ({"field": "updated_at", "op": "lt", "value": "2020-01-01"}, []),
        ({"field": "created_at", "op": "lt", "value": "2020-01-01T00:00:00Z"}, []),
        ({"or": []}, []),
    ],
    ids=repr,
)  # fmt: skip
async def test_filters(
    client: httpx.AsyncClient, accounts: dict[str, str], filter: dict[str, Any], expected: list[str]
) -> None:
    assert await names(client, filter) == expected


@pytest.mark.parametrize(
    ("filter", "path"),
    [
        ({"field": "colour", "value": "x"}, "filter.field"),
        ({"field": "industry", "op": "gt", "value": "x"}, "filter.op"),
        (
            {"and": [SOFTWARE, {"field": "employees", "op": "gt", "value": "ten"}]},
            "filter.and.1.value",
        ),
        ({"and": SOFTWARE}, "filter.and"),
        ({"and": [], "or": []}, "filter"),
        ({"field": "employees", "op": "between", "value": [1]}, "filter.value"),
        ({"field": "updated_at", "op": "gt", "value": "yesterday"}, "filter.value"),
        ({"field": "industry", "op": "eq", "value": "Software", "extra": 1}, "filter.extra"),
        ({"field": "list", "op": "eq", "value": "nothing"}, "filter"),
    ],
    ids=repr,
)
async def test_a_wrong_filter_names_its_place(
    client: httpx.AsyncClient, filter: dict[str, Any], path: str
) -> None:
    answer = await client.post(f"{V1}/accounts", json={"filter": filter})
    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    assert error["code"] == "invalid_filter"
    assert error["details"]["fields"][0]["path"] == path


async def test_a_value_outside_its_vocabulary_is_not_silent(
    client: httpx.AsyncClient, accounts: dict[str, str]
) -> None:
    wanted = {"field": "industry", "op": "eq", "value": "Softwares"}
    answer = await client.post(f"{V1}/accounts", json={"filter": wanted})
    assert answer.json()["items"] == []
    assert "Software" in answer.headers["x-warning"]


async def test_deep_and_large_filters_are_refused(client: httpx.AsyncClient) -> None:
    deep: dict[str, Any] = SOFTWARE
    for _ in range(9):
        deep = {"not": deep}
    wide = {"or": [SOFTWARE] * 201}
    for filter in (deep, wide):
        answer = await client.post(f"{V1}/accounts", json={"filter": filter})
        assert answer.status_code == 400


async def test_lists_by_hand_and_by_search(
    client: httpx.AsyncClient, accounts: dict[str, str]
) -> None:
    by_hand = (await client.post(f"{V1}/lists", json={"name": "Hand"})).json()
    ids = [accounts["Cedar Bank"], accounts["Echo Unknown"]]
    url = f"{V1}/lists/{by_hand['id']}/accounts"
    assert (await client.post(url, json={"add": ids})).json() == {"added": 2, "removed": 0}
    assert (await client.post(url, json={"add": ids[:1]})).json() == {"added": 0, "removed": 0}
    search = (await client.post(f"{V1}/lists", json={"name": "Soft", "filter": SOFTWARE})).json()
    assert search["kind"] == "search"
    in_either = {"field": "list", "op": "in", "value": [by_hand["id"], search["id"]]}
    assert await names(client, in_either) == ["Alpine", "Baltic", "Cedar", "Echo"]
    assert await names(client, {"not": in_either}) == ["Delta"]
    neither = {"field": "list", "op": "not_in", "value": [by_hand["id"], search["id"]]}
    assert await names(client, neither) == ["Delta"]
    listed = (await client.get(f"{V1}/lists")).json()
    assert [(x["name"], x["account_count"]) for x in listed["items"]] == [
        ("Hand", 2),
        ("Soft", None),
    ]
    taken = await client.post(f"{V1}/lists", json={"name": "HAND"})
    assert (taken.status_code, taken.json()["error"]["code"]) == (400, "name_taken")
    assert (await client.post(url, json={"remove": ids})).json() == {"added": 0, "removed": 2}
    assert (await client.delete(f"{V1}/lists/{by_hand['id']}")).json()["deleted"] is True
    assert (await client.get(f"{V1}/lists/{by_hand['id']}")).status_code == 404


async def test_a_search_that_leads_back_to_itself_is_refused(client: httpx.AsyncClient) -> None:
    first = (await client.post(f"{V1}/lists", json={"name": "First", "filter": SOFTWARE})).json()
    through = {"and": [SOFTWARE, {"field": "list", "op": "eq", "value": first["id"]}]}
    second = (await client.post(f"{V1}/lists", json={"name": "Second", "filter": through})).json()
    back = {"field": "list", "op": "eq", "value": second["id"]}
    answer = await client.patch(f"{V1}/lists/{first['id']}", json={"filter": back})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "circular_rule")


async def test_a_territory_holds_what_rules_and_hands_say(
    client: httpx.AsyncClient, accounts: dict[str, str], tenant: Tenant
) -> None:
    made = await client.post(
        f"{V1}/territories",
        json={
            "name": "DACH Software",
            "owner_id": str(tenant.user_id),
            "rules": SOFTWARE,
            "include": [accounts["Echo Unknown"]],
            "exclude": [accounts["Baltic Software"]],
            "score_rules": [
                {
                    "filter": {"field": "employees", "op": "gte", "value": 500},
                    "points": 60,
                    "why": "large",
                },
                {
                    "filter": {"field": "country", "op": "eq", "value": "CH"},
                    "points": 30,
                    "why": "Swiss",
                },
            ],
        },
    )
    assert made.status_code == 201, made.text
    territory = made.json()
    assert territory["id"] == "dach-software"
    assert territory["owner"]["email"].startswith("owner@")
    assert territory["account_count"] == 2
    held = [item["company_name"] for item in territory["companies"]["items"]]
    assert held == ["Alpine Software", "Echo Unknown"]
    assert [s["score"] for s in territory["scores"]] == [90, 0]
    assert [w["why"] for w in territory["scores"][0]["why"]] == ["large", "Swiss"]
    assert territory["scores"][1]["why"] == [{"why": "included by hand", "points": 0}]
    assert await names(client, {"field": "territory", "op": "eq", "value": "dach-software"}) == [
        "Alpine",
        "Echo",
    ]
    page = (await client.get(f"{V1}/territories/dach-software?per_page=1&page=2")).json()
    assert [i["company_name"] for i in page["companies"]["items"]] == ["Echo Unknown"]
    assert page["companies"]["pagination"]["total"] == 2


async def test_simulate_shows_and_saves_nothing(
    client: httpx.AsyncClient, accounts: dict[str, str]
) -> None:
    await client.post(f"{V1}/territories", json={"name": "Soft", "rules": SOFTWARE})
    german = {"field": "country", "op": "eq", "value": "DE"}
    shown = await client.post(
        f"{V1}/territories/simulate", json={"rules": german, "compared_with": "soft"}
    )
    body = shown.json()
    assert (body["account_count"], body["entering"], body["leaving"]) == (2, 1, 1)
    assert [s["company_name"] for s in body["sample"]] == ["Baltic Software", "Cedar Bank"]
    assert (await client.get(f"{V1}/territories/soft")).json()["account_count"] == 2


async def test_overlaps_and_gaps(client: httpx.AsyncClient, accounts: dict[str, str]) -> None:
    german = {"field": "country", "op": "eq", "value": "DE"}
    await client.post(f"{V1}/territories", json={"name": "Soft", "rules": SOFTWARE})
    await client.post(f"{V1}/territories", json={"name": "Germany", "rules": german})
    overlaps = (await client.get(f"{V1}/territories/overlaps")).json()["items"]
    assert [(o["first"], o["second"], o["account_count"]) for o in overlaps] == [
        ("germany", "soft", 1)
    ]
    gaps = (await client.get(f"{V1}/territories/gaps")).json()
    assert [g["company_name"] for g in gaps["items"]] == ["Delta Bank", "Echo Unknown"]


async def test_change_recompute_and_delete(
    client: httpx.AsyncClient, accounts: dict[str, str], database: Database, tenant: Tenant
) -> None:
    from sightline.store.credits import grant

    await client.post(f"{V1}/territories", json={"name": "Soft", "rules": SOFTWARE})
    banks = {"rules": {"field": "industry", "op": "eq", "value": "Commercial Banking"}}
    changed = (await client.patch(f"{V1}/territories/soft", json=banks)).json()
    assert (changed["name"], changed["account_count"]) == ("Soft", 2)
    url = f"{V1}/territories/soft/recompute"
    assert (await client.post(url)).status_code == 402
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="territory", amount=5, reason="test")
    assert (await client.post(f"{url}?dry_run=true")).json()["amount"] == 1
    done = await client.post(url, headers={"idempotency-key": "once"})
    again = await client.post(url, headers={"idempotency-key": "once"})
    assert done.json() == again.json() == {"id": "soft", "account_count": 2}
    assert done.headers["x-credits-remaining"] == "4"
    left = (await client.get(f"{V1}/organization/credits")).json()["credit_remaining"]
    assert left["territory_credits"] == 4
    assert (await client.delete(f"{V1}/territories/soft")).status_code == 200
    assert (await client.get(f"{V1}/territories/soft")).status_code == 404


async def test_members_follow_the_accounts(
    client: httpx.AsyncClient,
    accounts: dict[str, str],
    database: Database,
    database_url: str,
    tenant: Tenant,
) -> None:
    await client.post(f"{V1}/territories", json={"name": "Soft", "rules": SOFTWARE})
    await add_accounts(
        database,
        tenant.organization_id,
        [{"company_name": "Foxtrot Software", "industry": "Software"}],
    )
    worker = await open_database(database_url, role="sightline_worker", size=2)
    await refresh_territories(worker)
    await worker.close()
    assert (await client.get(f"{V1}/territories/soft")).json()["account_count"] == 3


@pytest.mark.parametrize(
    "body",
    [
        {"name": "X"},
        {"name": "X", "rules": {"field": "nope", "value": 1}},
        {"name": "漢字", "rules": {}},
        {"name": "X", "id": "No Good", "rules": {}},
        {"name": "X", "rules": {}, "owner_id": "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11"},
        {"name": "X", "rules": {}, "score_rules": [{"filter": {}, "points": 101, "why": "x"}]},
    ],
    ids=repr,
)
async def test_bad_territories_are_refused(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    assert (await client.post(f"{V1}/territories", json=body)).status_code == 400
    assert (await client.get(f"{V1}/territories")).json()["items"] == []
