"""From signals and changes to the timeline, alerts and webhooks: once each, to the right organizations."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.monitor.publish import look_at_searches
from sightline.store import membership_refreshes
from sightline.store.catalogue import make_company, note_enriched, write_record
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.conftest import MakeTenant, Tenant
from tests.monitor.conftest import add_signal, publish_now

V1 = "/public-api/v1"


@pytest.fixture
async def company(worker: Database, database: Database, tenant: Tenant) -> UUID:
    """Harbor, an account of the tenant, with its first baseline taken."""
    async with worker.connection() as connection:
        company_id = await make_company(connection, name="Harbor", domain="harbor.example")
        await note_enriched(connection, company_id)
    await add_accounts(
        database,
        tenant.organization_id,
        [{"company_name": "Harbor", "industry": "Software"}],
        company_id=company_id,
    )
    await publish_now(worker, company_id)
    return company_id


async def watch(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    values = {"name": "W", "filter": {}, "families": ["leadership_moves"]} | body
    answer = await client.post(f"{V1}/watches", json=values)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def items(client: httpx.AsyncClient, path: str) -> list[dict[str, Any]]:
    answer = await client.get(f"{V1}/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


async def test_a_signal_is_told_once_and_alerts_once(
    client: httpx.AsyncClient, worker: Database, company: UUID
) -> None:
    first, second = await watch(client, name="One"), await watch(client, name="Two")
    signal_id = await add_signal(worker, company)
    await publish_now(worker, company)
    await publish_now(worker, company)
    reported = await items(client, "events")
    assert [(e["signal_id"], e["type"], e["family"]) for e in reported] == [
        (str(signal_id), "hires", "leadership_moves")
    ]
    assert reported[0]["company"] == {
        "id": str(company),
        "name": "Harbor",
        "domain": "harbor.example",
    }
    assert set(reported[0]["watch_ids"]) == {first["id"], second["id"]}
    alerts = await items(client, "alerts")
    assert [(a["status"], a["event"]["id"]) for a in alerts] == [("new", reported[0]["id"])]


async def test_what_was_known_before_is_on_the_timeline_and_alerts_nobody(
    client: httpx.AsyncClient, worker: Database, database: Database, tenant: Tenant
) -> None:
    async with worker.connection() as connection:
        company_id = await make_company(connection, name="Old", domain=None)
    await add_signal(worker, company_id)
    await watch(client)
    await add_accounts(
        database, tenant.organization_id, [{"company_name": "Old"}], company_id=company_id
    )
    await publish_now(worker, company_id)
    assert len(await items(client, "events")) == 1
    assert await items(client, "alerts") == []
    await add_signal(worker, company_id)
    await publish_now(worker, company_id)
    assert len(await items(client, "alerts")) == 1


async def test_what_is_over_is_on_the_timeline_and_alerts_nobody(
    client: httpx.AsyncClient, worker: Database, company: UUID
) -> None:
    await watch(client)
    past = datetime.now(UTC) - timedelta(days=1)
    over = await add_signal(worker, company, expires_at=past)
    current = await add_signal(worker, company, expires_at=past + timedelta(days=2))
    await publish_now(worker, company)
    told = {event["signal_id"]: event["id"] for event in await items(client, "events")}
    assert set(told) == {str(over), str(current)}
    # Both were detected just now, when one of them had been over for a day.
    (background,) = await items(client, "events?background=true")
    assert (background["id"], background["background"]) == (told[str(over)], True)
    (news,) = await items(client, "events?background=false")
    assert (news["id"], news["background"]) == (told[str(current)], False)
    assert [a["event"]["id"] for a in await items(client, "alerts")] == [told[str(current)]]


async def test_a_changed_field_is_an_event_and_fires_the_watches_of_the_field(
    client: httpx.AsyncClient, worker: Database, company: UUID
) -> None:
    await watch(client, name="Ceo", families=[], fields=["ceo"])
    await watch(client, name="City", families=[], fields=["hq_city"])
    async with worker.connection() as connection, connection.transaction():
        record = {"company_name": "Harbor", "website_domain": "harbor.example", "ceo": "Ada Okafor"}
        assert await write_record(connection, company, record)
        assert not await write_record(connection, company, record)
    await publish_now(worker, company)
    [event] = await items(client, "events")
    assert event["type"] == "field_changed"
    assert event["changes"] == [{"field": "ceo", "before": None, "after": "Ada Okafor"}]
    [alert] = await items(client, "alerts")
    assert len(alert["event"]["watch_ids"]) == 1


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        ({}, True),
        ({"families": ["funding"]}, False),
        ({"families": [], "types": ["hires"]}, True),
        ({"least_confidence": 0.95}, False),
        ({"paused": True}, False),
        ({"filter": {"field": "industry", "op": "eq", "value": "Software"}}, True),
        ({"filter": {"field": "country", "op": "eq", "value": "DE"}}, False),
        ({"filter": None, "account_ids": []}, False),
    ],
    ids=repr,
)
async def test_which_watches_fire(
    client: httpx.AsyncClient, worker: Database, company: UUID, body: dict[str, Any], fires: bool
) -> None:
    await watch(client, **body)
    await add_signal(worker, company)
    await publish_now(worker, company)
    assert bool(await items(client, "alerts")) is fires


@pytest.mark.parametrize(
    ("title", "type", "fires"),
    [
        ("Chief Financial Officer", "hires", True),
        ("Vice President, Sales", "hires", True),
        ("Sales Manager", "hires", False),
        (None, "hires", False),  # whose position nobody knows
        (None, "acquires", True),  # about no position
    ],
)
async def test_a_watch_keeps_to_the_seniority_of_positions(
    client: httpx.AsyncClient,
    worker: Database,
    company: UUID,
    title: str | None,
    type: str,
    fires: bool,
) -> None:
    types = {"families": [], "types": ["hires", "acquires"], "seniorities": ["c_suite", "vp"]}
    made = await watch(client, **types)
    assert made["seniorities"] == ["c_suite", "vp"]
    await add_signal(worker, company, type=type, family="leadership_moves", title=title)
    await publish_now(worker, company)
    assert bool(await items(client, "alerts")) is fires
    body = {"name": "W", "filter": {}, **types}
    tried = (await client.post(f"{V1}/watches/dry-run", json=body)).json()
    assert (tried["event_count"] == 1) is fires
    changed = await client.patch(f"{V1}/watches/{made['id']}", json={"seniorities": []})
    assert changed.json()["seniorities"] == []


async def test_an_expired_watch_is_silent(
    client: httpx.AsyncClient, worker: Database, company: UUID
) -> None:
    soon = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    made = await watch(client, expires_at=soon)
    assert made["status"] == "expired"
    await add_signal(worker, company)
    await publish_now(worker, company)
    assert await items(client, "alerts") == []


async def test_a_dry_run_shows_what_would_have_fired(
    client: httpx.AsyncClient, worker: Database, company: UUID
) -> None:
    await add_signal(worker, company)
    await publish_now(worker, company)
    body = {"name": "W", "filter": {}, "families": ["leadership_moves"]}
    shown = (await client.post(f"{V1}/watches/dry-run", json=body)).json()
    assert (shown["account_count"], shown["event_count"], len(shown["items"])) == (1, 1, 1)
    assert await items(client, "watches") == []


async def test_entering_and_leaving_a_search(
    client: httpx.AsyncClient, worker: Database, database: Database, tenant: Tenant, company: UUID
) -> None:
    software = {"field": "industry", "op": "eq", "value": "Software"}
    await watch(client, filter=software, families=[], types=["entered_list", "left_list"])
    await look_at_searches(worker)
    assert await items(client, "events") == [], "the first look is the baseline"
    await add_accounts(
        database, tenant.organization_id, [{"company_name": "New", "industry": "Software"}]
    )
    await look_at_searches(worker)
    await look_at_searches(worker)
    [event] = await items(client, "events")
    assert (event["type"], event["company"]["name"]) == ("entered_list", "New")
    async with database.tenant(tenant.organization_id) as connection:
        await connection.execute("UPDATE accounts SET industry = NULL WHERE company_name = 'New'")
    await look_at_searches(worker)
    assert [e["type"] for e in await items(client, "events")] == ["left_list", "entered_list"]
    assert len(await items(client, "alerts")) == 2


async def test_a_watched_search_looks_at_what_changed_alone(
    client: httpx.AsyncClient, worker: Database, database: Database, tenant: Tenant, company: UUID
) -> None:
    """What is put into a list changes what a search that names it may hold, of all accounts."""
    organization_id = tenant.organization_id
    software = {"field": "industry", "op": "eq", "value": "Software"}
    await watch(client, filter=software, families=[], types=["entered_list", "left_list"])

    async def outdated() -> list[list[UUID] | None]:
        async with worker.tenant(organization_id) as connection:
            found = await membership_refreshes.outdated(connection, membership_refreshes.SEARCHES)
        return [each.accounts for each in found]

    assert await outdated() == [None]
    await look_at_searches(worker)
    assert await outdated() == []
    records = [{"company_name": name, "industry": "Software"} for name in ("New", "Newer")]
    added = await add_accounts(database, organization_id, records)
    ids = {each.account_id for each in added}
    assert [set(each or ()) for each in await outdated()] == [ids]
    await look_at_searches(worker)
    assert await outdated() == []
    assert len(await items(client, "events")) == 2
    saved = await client.post(f"{V1}/lists", json={"name": "S", "filter": software})
    picked = await client.post(f"{V1}/lists", json={"name": "P"})
    search, plain = f"{V1}/lists/{saved.json()['id']}", f"{V1}/lists/{picked.json()['id']}"
    change = {"add": [str(added[0].account_id)]}
    assert (await client.post(f"{plain}/accounts", json=change)).is_success
    assert await outdated() == [], "it names no list"
    named = {"field": "list", "op": "eq", "value": saved.json()["id"]}
    await watch(client, name="named", filter=named, families=[], types=["left_list"])
    await look_at_searches(worker)
    assert await outdated() == []
    restaurants = {"field": "industry", "op": "eq", "value": "Restaurants"}
    assert (await client.patch(search, json={"filter": restaurants})).is_success
    assert await outdated() == [None]
    await look_at_searches(worker)
    events = await items(client, "events")
    assert [each["type"] for each in events].count("left_list") == 3, (
        "the company of the fixture too"
    )


async def test_alert_moves_notes_and_snoozes(
    client: httpx.AsyncClient, worker: Database, company: UUID, tenant: Tenant
) -> None:
    await watch(client)
    await add_signal(worker, company)
    await publish_now(worker, company)
    [alert] = await items(client, "alerts")
    url = f"{V1}/alerts/{alert['id']}"
    for status in ("acknowledged", "acknowledged", "resolved", "viewed", "dismissed"):
        answer = await client.patch(url, json={"status": status})
        assert answer.status_code == 200, answer.text
    moved = answer.json()
    assert [(m["from"], m["to"]) for m in moved["history"]] == [
        ("new", "acknowledged"),
        ("acknowledged", "resolved"),
        ("resolved", "viewed"),
        ("viewed", "dismissed"),
    ]
    assert moved["history"][0]["by"] == f"key:{tenant.key_id}"
    later = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    body = {"note": "call them", "assignee": str(tenant.user_id), "snoozed_until": later}
    assert (await client.patch(url, json=body)).json()["note"] == "call them"
    assert await items(client, "alerts") == []
    assert len(await items(client, "alerts?include_snoozed=true&status=dismissed")) == 1
    for bad in ({}, {"status": "new"}, {"status": None}, {"assignee": str(company)}):
        assert (await client.patch(url, json=bad)).status_code == 400
    missing = f"{V1}/alerts/{company}"
    assert (await client.patch(missing, json={"status": "viewed"})).status_code == 404


async def test_two_organizations_are_told_each_for_itself(
    client: httpx.AsyncClient,
    worker: Database,
    database: Database,
    company: UUID,
    make_tenant: MakeTenant,
) -> None:
    other = await make_tenant("second")
    await watch(client)
    await add_signal(worker, company)
    await publish_now(worker, company)
    theirs = {"x-api-key": other.key}
    assert len(await items(client, "alerts")) == 1
    assert (await client.get(f"{V1}/events", headers=theirs)).json()["items"] == []
    assert (await client.get(f"{V1}/alerts", headers=theirs)).json()["items"] == []
    await add_accounts(
        database, other.organization_id, [{"company_name": "Harbor"}], company_id=company
    )
    await publish_now(worker, company)
    assert len((await client.get(f"{V1}/events", headers=theirs)).json()["items"]) == 1
    assert len(await items(client, "alerts")) == 1


async def test_event_filters(client: httpx.AsyncClient, worker: Database, company: UUID) -> None:
    await add_signal(worker, company)
    await add_signal(worker, company, type="acquires", family="material_changes")
    await publish_now(worker, company)

    async def types(query: str) -> list[str]:
        return sorted(e["type"] for e in await items(client, f"events?{query}"))

    assert await types("") == ["acquires", "hires"]
    assert await types("type=hires") == ["hires"]
    assert await types("type=material_changes") == ["acquires"]
    assert await types("source=news") == ["acquires", "hires"]
    assert await types("source=filing") == []
    for event in await items(client, "events"):
        assert set(event["source"]) == {
            "kind", "name", "url", "title", "publisher", "published_at",
        }  # fmt: skip
    assert await types("since=2100-01-01") == []
    assert await types("until=2100-01-01T00:00:00Z") == ["acquires", "hires"]
    answer = await client.get(f"{V1}/events?since=yesterday")
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        {"name": "W", "filter": {}},
        {"name": "W", "families": ["leadership_moves"]},
        {"name": "W", "filter": {}, "account_ids": [], "types": ["hires"]},
        {"name": "W", "filter": {}, "families": ["gossip"]},
        {"name": "W", "filter": {}, "fields": ["shoe_size"]},
        {"name": "W", "filter": {}, "types": ["hires"], "seniorities": ["emperor"]},
        {"name": "W", "filter": {"field": "x"}, "types": ["hires"]},
    ],
    ids=repr,
)
async def test_bad_watches_are_refused(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    assert (await client.post(f"{V1}/watches", json=body)).status_code == 400
    assert await items(client, "watches") == []
