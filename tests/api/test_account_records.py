"""One account read, changed and deleted; many deleted by ids or a filter."""

from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.api.resources import account_records
from sightline.imports.undo import run_deletion
from sightline.store.account_deletions import WORK_KIND
from sightline.store.credits import grant
from sightline.store.database import Database
from sightline.store.events import NewEvent, begin_monitoring, is_monitored, publish_events
from sightline.store.work import Work
from tests.api.accounts_data import (
    ACCOUNTS,
    RECORDS,
    Added,
    add_accounts,
    add_catalogue_company,
    search,
)
from tests.conftest import MakeTenant, Tenant

DELETE = f"{ACCOUNTS}/delete"
OF_FRANCE = {"field": "country", "op": "eq", "value": "FR"}


async def _ids(client: httpx.AsyncClient) -> dict[str, str]:
    return {item["company_name"]: item["id"] for item in (await search(client))["items"]}


async def test_an_account_is_what_the_search_shows(filled: httpx.AsyncClient) -> None:
    for item in (await search(filled))["items"]:
        assert (await filled.get(f"{ACCOUNTS}/{item['id']}")).json() == item
    missing = await filled.get(f"{ACCOUNTS}/{uuid4()}")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "account_not_found")


async def test_values_are_set_and_taken_away(filled: httpx.AsyncClient) -> None:
    path = f"{ACCOUNTS}/{(await _ids(filled))['Zebra Freight']}"
    sent = {
        "company_name": "Zebra Freight SE",
        "website": "https://www.zebra-freight.example/fr",
        "country": "Germany",
        "hq_city": "Kiel",
        "industry": "software",
        "full_time_employees": 12,
        "revenue_range": "10M-50M",
        "tags": ["harbour"],
        "public_company": True,
    }
    changed = (await filled.patch(path, json=sent)).json()
    assert (changed["company_name"], changed["hq_city"]) == ("Zebra Freight SE", "Kiel")
    assert changed["website_domain"] == "zebra-freight.example"
    assert (changed["country_code"], changed["country"]) == ("DE", "Germany")
    assert changed["employee_count_range"] == changed["employee_size_category"] == "11-50"
    assert (changed["industry"], changed["sector"]) == ("Software", "Technology")
    cleared = (await filled.patch(path, json={"country": None, "tags": None, "ceo": None})).json()
    assert (cleared["country_code"], cleared["country"], cleared["tags"]) == (None, None, None)
    band = (await filled.patch(path, json={"employee_count_range": "51-200"})).json()
    assert (band["employee_count_range"], band["full_time_employees"]) == ("51-200", None)
    assert (await filled.get(path)).json() == band
    assert (await filled.patch(f"{ACCOUNTS}/{uuid4()}", json={"ceo": "Ida"})).status_code == 404


async def test_every_wrong_value_is_named(filled: httpx.AsyncClient) -> None:
    path = f"{ACCOUNTS}/{(await _ids(filled))['Zebra Freight']}"
    before = (await filled.get(path)).json()
    refused = await filled.patch(
        path, json={"country": "Frence", "industry": "Softwar", "website": "no site", "ceo": "Ida"}
    )
    assert refused.status_code == 400
    fields = {
        each["path"]: each["message"] for each in refused.json()["error"]["details"]["fields"]
    }
    assert set(fields) == {"country", "industry", "website"}
    assert '"France"' in fields["country"]
    assert '"Software"' in fields["industry"]
    nameless = await filled.patch(path, json={"company_name": None})
    assert nameless.json()["error"]["details"]["fields"][0]["path"] == "company_name"
    assert (await filled.get(path)).json() == before


@pytest.fixture
async def two(
    filled: httpx.AsyncClient, tenant: Tenant, database: Database, owner: Database
) -> tuple[Added, Added]:
    """An account of a public company and one of a company that only the organization knows."""
    name = {"company_name": "Northquay Robotics"}
    public = await add_catalogue_company(owner, name)
    organization = tenant.organization_id
    (known,) = await add_accounts(database, organization, [name], company_id=public, catalogue=name)
    (private,) = await add_accounts(database, organization, [{"company_name": "Only Ours"}])
    async with database.tenant(organization) as connection:
        await begin_monitoring(connection, public)
        for company in (public, private.company_id):
            event = NewEvent(f"test:{company}", "hires", "leadership_moves", "Hired", company)
            await publish_events(connection, [event])
    return known, private


async def test_a_deleted_account_is_gone(
    filled: httpx.AsyncClient, two: tuple[Added, Added], tenant: Tenant, database: Database
) -> None:
    known = two[0]
    path = f"{ACCOUNTS}/{known.account_id}"
    listed = (await filled.post(f"{BASE_PATH}/lists", json={"name": "Robots"})).json()
    members = f"{BASE_PATH}/lists/{listed['id']}"
    await filled.post(f"{members}/accounts", json={"add": [str(known.account_id)]})
    rules = {"name": "Robots", "include": [str(known.account_id)], "rules": OF_FRANCE}
    territory = (await filled.post(f"{BASE_PATH}/territories", json=rules)).json()
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="company", amount=1, reason="test")
    submitted = await filled.post(f"{BASE_PATH}/companies", json={"id": str(known.account_id)})
    assert submitted.status_code == 202, submitted.text
    deleted = await filled.delete(path)
    assert deleted.json() == {"deleted": True, "id": str(known.account_id)}
    assert (await filled.get(path)).status_code == (await filled.delete(path)).status_code == 404
    assert (await filled.get(members)).json()["account_count"] == 0
    left = (await filled.get(f"{BASE_PATH}/territories/{territory['id']}")).json()
    assert left["account_count"] == territory["account_count"] - 1
    async with database.tenant(tenant.organization_id) as connection:
        assert not await is_monitored(connection, known.company_id)
        cancelled = await connection.fetchval(
            "SELECT cancel_requested FROM operations WHERE organization_id = $1"
            " AND operation_id = $2",
            tenant.organization_id,
            UUID(submitted.json()["public_operation_id"]),
        )
    assert cancelled, "the enrichment would make the account again"


async def test_what_is_public_or_on_record_stays(
    filled: httpx.AsyncClient, two: tuple[Added, Added]
) -> None:
    public, private = (each.company_id for each in two)
    person = {"full_name": "Ida Quay", "company_id": str(private)}
    contact = (await filled.post(f"{BASE_PATH}/contacts", json=person)).json()
    ledger = (await filled.get(f"{BASE_PATH}/organization/credits/ledger")).json()
    for each in two:
        assert (await filled.delete(f"{ACCOUNTS}/{each.account_id}")).status_code == 200
    assert (await filled.get(f"{BASE_PATH}/organization/credits/ledger")).json() == ledger
    assert (await filled.get(f"{BASE_PATH}/companies/{public}")).status_code == 200
    assert (await filled.get(f"{BASE_PATH}/companies/{private}")).status_code == 404
    events = (await filled.get(f"{BASE_PATH}/events")).json()["items"]
    assert [event["company"]["name"] for event in events] == ["Northquay Robotics"]
    kept = (await filled.get(f"{BASE_PATH}/contacts/{contact['id']}")).json()
    assert (kept["full_name"], kept["company_id"]) == ("Ida Quay", None)
    acts = (await filled.get(f"{BASE_PATH}/audit-log", params={"action": "delete"})).json()["items"]
    names = {act["details"]["company_name"] for act in acts}
    assert names == {"Northquay Robotics", "Only Ours"}


async def test_a_filter_needs_the_count_that_was_shown(filled: httpx.AsyncClient) -> None:
    shown = (
        await filled.post(DELETE, params={"dry_run": "true"}, json={"filter": OF_FRANCE})
    ).json()
    assert (shown["count"], shown["deleted"]) == (1, 0)
    assert [each["company_name"] for each in shown["sample"]] == ["Zebra Freight"]
    unconfirmed = await filled.post(DELETE, json={"filter": OF_FRANCE})
    assert unconfirmed.status_code == 400
    assert "confirm: 1" in unconfirmed.json()["error"]["message"]
    more = await filled.post(DELETE, json={"filter": OF_FRANCE, "confirm": 0})
    assert (more.status_code, more.json()["error"]["code"]) == (400, "more_than_confirmed")
    assert len(await _ids(filled)) == len(RECORDS)
    done = (await filled.post(DELETE, json={"filter": OF_FRANCE, "confirm": 1})).json()
    assert (done["count"], done["deleted"], done["public_operation_id"]) == (1, 1, None)
    assert len(await _ids(filled)) == len(RECORDS) - 1
    again = (await filled.post(DELETE, json={"filter": OF_FRANCE, "confirm": 1})).json()
    assert (again["count"], again["deleted"]) == (0, 0)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"filter": OF_FRANCE, "account_ids": []},
        # Below a "not", an unknown value would match everything.
        {"filter": {"not": OF_FRANCE | {"value": "Frence"}}, "confirm": 99},
    ],
)
async def test_what_is_not_clear_deletes_nothing(
    filled: httpx.AsyncClient, body: dict[str, object]
) -> None:
    assert (await filled.post(DELETE, json=body)).status_code == 400
    assert len(await _ids(filled)) == len(RECORDS)


async def test_ids_are_deleted_once(filled: httpx.AsyncClient) -> None:
    ids = list((await _ids(filled)).values())[:2]
    body = {"account_ids": [*ids, str(uuid4())]}
    assert (await filled.post(DELETE, json=body)).json()["deleted"] == 2
    assert (await filled.post(DELETE, json=body)).json()["deleted"] == 0
    assert (await search(filled))["pagination"]["total"] == len(RECORDS) - 2


async def test_many_are_deleted_by_a_worker(
    filled: httpx.AsyncClient,
    tenant: Tenant,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(account_records, "MOST_AT_ONCE", 2)
    monkeypatch.setattr("sightline.imports.undo.CHUNK_ACCOUNTS", 2)
    asked = await filled.post(DELETE, json={"filter": {}, "confirm": len(RECORDS)})
    assert asked.status_code == 202
    assert (asked.json()["count"], asked.json()["deleted"]) == (len(RECORDS), 0)
    await add_accounts(database, tenant.organization_id, [{"company_name": "Came Later"}])
    operation_id = asked.json()["public_operation_id"]
    status = asked.headers["location"]
    assert (await filled.get(status)).json()["status"] == "queued"
    async with database.connection() as connection, connection.transaction():
        row = await connection.fetchrow(
            "UPDATE work SET fence = fence + 1 WHERE kind = $1 AND subject = $2 RETURNING work_id,"
            " kind, subject, share AS organization_id, payload, fence, requested, attempts",
            WORK_KIND,
            operation_id,
        )
    assert row is not None
    await run_deletion(database, Work(**dict(row)))
    operation = (await filled.get(status)).json()
    assert (operation["kind"], operation["status"]) == ("account_deletion", "succeeded")
    assert operation["progress"] == {"done": len(RECORDS), "total": len(RECORDS)}
    assert list(await _ids(filled)) == ["Came Later"], "only what was confirmed"


async def test_ids_that_are_taken_for_each_other_are_said_to_be(
    filled: httpx.AsyncClient, two: tuple[Added, Added], owner: Database
) -> None:
    known = two[0]
    company = await filled.get(f"{BASE_PATH}/companies/{known.account_id}/jobs")
    assert company.status_code == 404
    error = company.json()["error"]
    assert error["code"] == "company_not_found"
    assert error["details"]["company_id"] == str(known.company_id)
    assert "id of an account" in error["message"]
    account = (await filled.delete(f"{ACCOUNTS}/{known.company_id}")).json()["error"]
    assert account["code"] == "account_not_found"
    assert account["details"]["account_id"] == str(known.account_id)
    public = await add_catalogue_company(owner, {"company_name": "Tarn Instruments"})
    nobodys = (await filled.get(f"{ACCOUNTS}/{public}")).json()["error"]
    assert "none of your accounts" in nobodys["message"]
    assert "account_id" not in nobodys["details"]


async def test_nothing_is_said_of_another_organizations_ids(
    filled: httpx.AsyncClient, make_tenant: MakeTenant, database: Database
) -> None:
    other = await make_tenant("other")
    (theirs,) = await add_accounts(database, other.organization_id, [{"company_name": "Theirs"}])
    for path in (f"companies/{theirs.account_id}", f"accounts/{theirs.company_id}"):
        error = (await filled.get(f"{BASE_PATH}/{path}")).json()["error"]
        assert error["message"] in ("There is no such company.", "There is no such account.")
