"""What is not weighed again when nothing has changed, and everything that makes a decision due."""

import asyncio
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.domain.callers import OrganizationId
from sightline.domain.postings import ParsedPosting
from sightline.enrich import finish, rules
from sightline.enrich.finish import FOLLOW_UPS
from sightline.enrich.merge import merge, undo
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.sources.context import EvidenceContext
from sightline.store import catalogue
from sightline.store.account_writes import set_user_values
from sightline.store.credits import grant
from sightline.store.database import Database
from sightline.store.events import begin_monitoring
from sightline.store.operations import WORK_KIND
from sightline.store.source_states import switch
from sightline.store.work import FenceIsLost
from tests.conftest import MakeTenant
from tests.enrich.conftest import SOURCES, Drain, RecordedWeb
from tests.enrich.test_doubles import enrich
from tests.waiting import until_blocked

V1 = "/public-api/v1"
STANDS = ["Nothing has changed since the last enrichment."]
OLDER = 'company_name: "Harbor Analytics"\nwebsite_domain: "harbor.example"\nemployees: 500'


@pytest.fixture(autouse=True)
async def credits(database: Database, organization: OrganizationId) -> None:
    async with database.tenant(organization) as connection:
        await grant(connection, credit="company", amount=20, reason="test")


@pytest.fixture
async def harbor(
    client: httpx.AsyncClient,
    drain: Drain,
    worker_database: Database,
    organization: OrganizationId,
) -> UUID:
    """A company that was enriched and whose follow-ups are done."""
    done = await enrich(client, drain, domain="harbor.example")
    assert decision(done) == []
    company_id = UUID(done["company_id"])
    await forget_work(worker_database)
    async with worker_database.tenant(organization) as connection:
        await begin_monitoring(connection, company_id)
    return company_id


def decision(done: dict[str, Any]) -> list[str]:
    """What the last step of an operation says."""
    step = done["steps"][-1]
    assert (step["name"], step["status"]) == ("decide", "succeeded")
    notes: list[str] = step["notes"]
    return notes


async def forget_work(database: Database) -> None:
    async with database.connection() as connection:
        await connection.execute("DELETE FROM work")


async def waiting(database: Database) -> set[str]:
    async with database.connection() as connection:
        return {row["kind"] for row in await connection.fetch("SELECT kind FROM work")}


async def company(client: httpx.AsyncClient, company_id: UUID) -> dict[str, Any]:
    found: dict[str, Any] = (await client.get(f"{V1}/companies/{company_id}")).json()
    return found


async def test_an_unchanged_company_is_not_decided_again(
    client: httpx.AsyncClient, drain: Drain, worker_database: Database, harbor: UUID
) -> None:
    before = await company(client, harbor)
    done = await enrich(client, drain, domain="harbor.example")
    assert done["status"] == "succeeded"
    assert decision(done) == STANDS
    assert await waiting(worker_database) == set()
    assert await company(client, harbor) == before
    async with worker_database.connection() as connection:
        wins = await connection.fetchval("SELECT count(*) FROM facts WHERE wins")
    assert wins == 8


async def test_a_changed_page_is_decided_and_followed_up(
    client: httpx.AsyncClient,
    drain: Drain,
    web: RecordedWeb,
    worker_database: Database,
    harbor: UUID,
) -> None:
    web.answer("https://harbor.example/", OLDER, media_type="text/plain")
    done = await enrich(client, drain, domain="harbor.example")
    assert decision(done) == []
    assert await waiting(worker_database) >= set(FOLLOW_UPS)
    assert (await company(client, harbor))["full_time_employees"] == 500


async def test_follow_ups_that_did_not_run_are_not_forgotten(
    client: httpx.AsyncClient, drain: Drain, worker_database: Database
) -> None:
    """No one here runs them: they wait as those of a killed worker do."""
    await enrich(client, drain, domain="harbor.example")
    assert await waiting(worker_database) >= set(FOLLOW_UPS)
    assert decision(await enrich(client, drain, domain="harbor.example")) == STANDS
    assert await waiting(worker_database) >= set(FOLLOW_UPS)


async def test_what_a_killed_worker_stored_is_decided_by_the_next(
    client: httpx.AsyncClient,
    drain: Drain,
    web: RecordedWeb,
    worker_database: Database,
    harbor: UUID,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It finds every document unchanged, and the record all the same not made of them."""
    web.answer("https://harbor.example/", OLDER, media_type="text/plain")

    async def die(*args: object) -> None:
        raise FenceIsLost("killed")

    with monkeypatch.context() as patch:
        patch.setattr("sightline.enrich.pipeline.settle_company", die)
        answer = await client.post(f"{V1}/companies", json={"domain": "harbor.example"})
        await drain()
    assert (await company(client, harbor))["full_time_employees"] == 420
    async with worker_database.connection() as connection:
        await connection.execute(
            "UPDATE work SET lease_until = now() - interval '1 second' WHERE kind = $1", WORK_KIND
        )
    await drain()
    done = (await client.get(answer.json()["status_url"])).json()
    assert [s["found"] for s in done["steps"] if s["name"] == "collect"] == [{"unchanged": 1}] * 2
    assert decision(done) == []
    assert (await company(client, harbor))["full_time_employees"] == 500


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE companies SET decided_at = decided_at - interval '8 days'",
        "UPDATE companies SET decided_by = '0.0.1 of long ago'",
        "UPDATE companies SET decided_by = NULL",
    ],
    ids=["old", "other-rules", "before-this-was-kept"],
)
async def test_an_old_decision_or_one_by_other_rules_is_made_anew(
    client: httpx.AsyncClient, drain: Drain, worker_database: Database, harbor: UUID, change: str
) -> None:
    async with worker_database.connection() as connection:
        await connection.execute(change)
    assert decision(await enrich(client, drain, domain="harbor.example")) == []
    assert await waiting(worker_database) >= set(FOLLOW_UPS)
    assert decision(await enrich(client, drain, id=str(harbor))) == STANDS


def test_every_number_of_the_rules_changes_their_version(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {rules.rules_version()}
    for name, value in (
        ("SOURCE_WEIGHTS", {"*": {"website": 0.1}}),
        ("METHOD_WEIGHTS", {"text": 0.1}),
        ("HALF_LIFE_DAYS", {"ceo": 1.0}),
        ("OVER_AFTER_DAYS", {"person": 1}),
        ("DEFAULT_WEIGHT", 0.1),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(rules, name, value)
            rules.rules_version.cache_clear()
            seen.add(rules.rules_version())
    rules.rules_version.cache_clear()
    assert len(seen) == 6


async def test_own_values_stay_when_nothing_is_decided(
    client: httpx.AsyncClient,
    drain: Drain,
    database: Database,
    organization: OrganizationId,
    harbor: UUID,
) -> None:
    async with database.tenant(organization) as connection:
        account = await connection.fetchval("SELECT account_id FROM accounts")
        await set_user_values(
            connection,
            account,
            values={"full_time_employees": 7},
            observed_at="2026-01-01T00:00:00Z",
        )
    assert decision(await enrich(client, drain, domain="harbor.example")) == STANDS
    assert (await company(client, harbor))["full_time_employees"] == 7


async def test_another_organization_gets_its_account_of_an_undecided_company(
    client: httpx.AsyncClient,
    drain: Drain,
    database: Database,
    make_tenant: MakeTenant,
    worker_database: Database,
    harbor: UUID,
) -> None:
    """Follow-up work is queued too: its own sections, and its events from now on."""
    other = await make_tenant("second")
    async with database.tenant(other.organization_id) as connection:
        await grant(connection, credit="company", amount=20, reason="test")
    client.headers["x-api-key"] = other.key
    done = await enrich(
        client, drain, domain="harbor.example", external_id="H1", source_system="crm"
    )
    assert (done["status"], done["cost"]["state"]) == ("succeeded", "settled")
    assert decision(done) == STANDS
    assert await waiting(worker_database) == set(FOLLOW_UPS)
    accounts = (await client.post(f"{V1}/accounts", json={})).json()["items"]
    assert [(a["company_name"], a["full_time_employees"]) for a in accounts] == [
        ("Harbor Analytics", 420)
    ]
    again = await enrich(client, drain, company_name="-x-", external_id="H1", source_system="crm")
    assert again["company_id"] == str(harbor)


async def test_an_imported_account_is_followed_from_its_first_enrichment_on(
    client: httpx.AsyncClient,
    drain: Drain,
    database: Database,
    make_tenant: MakeTenant,
    worker_database: Database,
    harbor: UUID,
) -> None:
    """Else the first change after it would be taken for what was known before."""
    other = await make_tenant("second")
    async with database.tenant(other.organization_id) as connection:
        await grant(connection, credit="company", amount=20, reason="test")
    client.headers["x-api-key"] = other.key
    await enrich(client, drain, domain="harbor.example")  # the account is made
    await forget_work(worker_database)
    assert decision(await enrich(client, drain, domain="harbor.example")) == STANDS
    assert await waiting(worker_database) == set(FOLLOW_UPS)
    async with worker_database.tenant(other.organization_id) as connection:
        await begin_monitoring(connection, harbor)
    await forget_work(worker_database)
    assert decision(await enrich(client, drain, domain="harbor.example")) == STANDS
    assert await waiting(worker_database) == set()


async def test_a_new_reference_of_an_unchanged_company_is_kept(
    client: httpx.AsyncClient, drain: Drain, harbor: UUID
) -> None:
    done = await enrich(
        client, drain, domain="harbor.example", external_id="H1", source_system="crm"
    )
    assert decision(done) == STANDS
    again = await enrich(client, drain, company_name="-x-", external_id="H1", source_system="crm")
    assert again["company_id"] == str(harbor)


async def test_a_source_is_switched_on_and_off(
    client: httpx.AsyncClient, drain: Drain, worker_database: Database
) -> None:
    async def turn(enabled: bool) -> None:
        async with worker_database.connection() as connection:
            await switch(connection, "site", enabled=enabled)

    await turn(False)
    first = await enrich(client, drain, company_name="Harbor Analytics Inc")
    company_id = UUID(first["company_id"])
    assert (await company(client, company_id))["full_time_employees"] is None
    assert decision(await enrich(client, drain, id=str(company_id))) == STANDS
    await turn(True)
    assert decision(await enrich(client, drain, id=str(company_id))) == []
    assert (await company(client, company_id))["full_time_employees"] == 420
    await turn(False)
    assert decision(await enrich(client, drain, id=str(company_id))) == STANDS
    assert (await company(client, company_id))["full_time_employees"] == 420


async def test_merged_and_parted_companies_are_decided_at_once(
    client: httpx.AsyncClient, drain: Drain, worker_database: Database, harbor: UUID
) -> None:
    shipping = UUID((await enrich(client, drain, company_name="Northwind Shipping"))["company_id"])
    made = await merge(worker_database, kept=harbor, merged=shipping)
    await drain()
    whole = await company(client, harbor)
    assert decision(await enrich(client, drain, id=str(shipping))) == STANDS
    assert await company(client, harbor) == whole
    await undo(worker_database, made.merge_id)
    await drain()
    assert (await company(client, shipping))["hq_city"] == "Bremen"
    for company_id in (harbor, shipping):
        assert decision(await enrich(client, drain, id=str(company_id))) == STANDS


async def test_an_account_under_a_merged_id_shows_what_changes_later(
    client: httpx.AsyncClient,
    drain: Drain,
    web: RecordedWeb,
    database: Database,
    make_tenant: MakeTenant,
    worker_database: Database,
    harbor: UUID,
) -> None:
    shipping = UUID((await enrich(client, drain, company_name="Northwind Shipping"))["company_id"])
    other = await make_tenant("second")
    async with database.tenant(other.organization_id) as connection:
        await grant(connection, credit="company", amount=20, reason="test")
    client.headers["x-api-key"], own = other.key, client.headers["x-api-key"]
    await enrich(client, drain, id=str(shipping))
    await merge(worker_database, kept=harbor, merged=shipping)
    await drain()
    await forget_work(worker_database)
    client.headers["x-api-key"] = own
    web.answer("https://harbor.example/", OLDER, media_type="text/plain")
    assert decision(await enrich(client, drain, id=str(harbor))) == []
    await drain()
    client.headers["x-api-key"] = other.key
    accounts = (await client.post(f"{V1}/accounts", json={})).json()["items"]
    assert [each["full_time_employees"] for each in accounts] == [500]


async def test_postings_that_open_or_close_make_a_decision_due(
    worker_database: Database, web: RecordedWeb, harbor: UUID
) -> None:
    from sightline.enrich.target import target_of

    async with worker_database.connection() as connection:
        target = await target_of(connection, harbor)
    fetcher = Fetcher(FetcherConfig(web=f"replay:{web.folder}", sample_dir=web.folder))
    context = EvidenceContext(SOURCES[1].manifest, fetcher, worker_database, None, target)
    posting = ParsedPosting("1", "Pilot", "https://harbor.example/jobs/1")

    async def due_after(listed: list[ParsedPosting]) -> bool:
        async with worker_database.connection() as connection, connection.transaction():
            await finish.write_company(connection, harbor)
        await context.pulled("own", "harbor", listed, complete=True, document_id=None)
        async with worker_database.connection() as connection:
            at = await connection.fetchval("SELECT decided_at FROM companies")
        return at is None

    assert [await due_after(listed) for listed in ([posting], [posting], [], [])] == [
        True,
        False,
        True,
        False,
    ]
    await fetcher.close()


async def test_a_decision_waits_for_evidence_that_is_being_stored(
    worker_database: Database, harbor: UUID
) -> None:
    """Else it would be called decided, and what is committed a moment later be overlooked."""

    async def ask() -> bool:
        async with worker_database.connection() as connection, connection.transaction():
            return await catalogue.decision_is_due(
                connection, harbor, rules=rules.rules_version(), within=rules.DECIDE_AGAIN
            )

    assert await ask() is False
    async with worker_database.connection() as connection, connection.transaction():
        await catalogue.note_evidence(connection, harbor)
        asking = asyncio.create_task(ask())
        await until_blocked(worker_database)
        assert not asking.done()
    assert await asking is True


async def test_evidence_stored_while_a_decision_is_made_makes_the_next_one_due(
    worker_database: Database, harbor: UUID
) -> None:
    """Two organizations have it enriched at once: the decision of one has read its facts already when
    the other stores more, and both found it undecided when they began."""

    async def store() -> None:
        async with worker_database.connection() as connection, connection.transaction():
            await catalogue.note_evidence(connection, harbor)

    await store()
    async with worker_database.connection() as connection, connection.transaction():
        await finish.write_company(connection, harbor)
        storing = asyncio.create_task(store())
        await until_blocked(worker_database)
        assert not storing.done()
    await storing
    async with worker_database.connection() as connection, connection.transaction():
        assert await finish.settle_company(connection, harbor) is not None


async def test_asking_about_an_unchanged_company_is_noted(
    client: httpx.AsyncClient, drain: Drain, worker_database: Database, harbor: UUID
) -> None:
    async with worker_database.connection() as connection:
        await connection.execute("UPDATE companies SET enriched_at = '2020-01-01Z'")
    await enrich(client, drain, domain="harbor.example")
    async with worker_database.connection() as connection:
        asked_at = await connection.fetchval("SELECT enriched_at FROM companies")
    assert asked_at > datetime(2026, 1, 1, tzinfo=UTC)
