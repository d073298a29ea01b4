"""What organizations keep of two companies that become one: moved, followed, and put back by the undo."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.domain.callers import OrganizationId
from sightline.domain.names import name_key
from sightline.enrich import merge as merging
from sightline.enrich.merge import merge, undo
from sightline.imports.run import import_accounts
from sightline.kit.ids import new_id
from sightline.monitor.publish import publish_to
from sightline.store import catalogue
from sightline.store.account_writes import (
    AccountState,
    Wanted,
    find_accounts_by,
    set_user_values,
    write_accounts,
)
from sightline.store.database import Database, DatabaseIsBusy
from sightline.store.events import NewEvent, begin_monitoring, publish_events
from tests.conftest import MakeTenant, Tenant

V1 = "/public-api/v1"
# What hangs on a company or an account of an organization -> columns that only say when.
TENANT_TABLES = {
    "accounts": ("updated_at",),
    "account_records": (),
    "account_domains": (),
    "account_references": (),
    "account_list_members": (),
    "watch_accounts": (),
    "territory_members": (),
    "contacts": (),
    "events": (),
    "alerts": (),
    "content": (),
    "agent_sessions": (),
    "company_charges": (),
    "merged_accounts": (),
}
CATALOGUE_TABLES = {
    "companies": ("updated_at", "record_version", "decided_at", "decided_by", "enriched_at"),
    "company_domains": (),
    "company_identifiers": (),
    "signals": (),
}

Make = Callable[..., Awaitable[UUID]]


@pytest.fixture
def make_company(worker_database: Database) -> Make:
    """Adds a company of the catalogue: make_company("Harbor", domain, lei=..., **record)."""

    async def make(name: str, domain: str | None = None, lei: str = "", **record: Any) -> UUID:
        async with worker_database.connection() as connection, connection.transaction():
            made = await catalogue.make_company(connection, name=name, domain=domain)
            site = {"website_domain": domain} if domain else {}
            await catalogue.write_record(connection, made, {"company_name": name} | site | record)
            if lei:
                await catalogue.add_identifiers(connection, made, {"lei": lei})
        return made

    return make


async def add_account(
    database: Database, organization: OrganizationId, company_id: UUID, **own: Any
) -> UUID:
    async with database.tenant(organization) as connection:
        found = await catalogue.find_company(connection, company_id)
        assert found is not None
        state = AccountState(
            account_id=new_id(),
            company_id=company_id,
            name_key=name_key(found.name),
            own=own,
            own_sources={name: {"source": "user"} for name in own},
            catalogue=found.record,
            domains=set(found.domains),
            references=set(),
            is_new=True,
            added_domains=set(found.domains),
            added_references={("crm", f"C-{company_id}")},
        )
        await write_accounts(connection, [state])
    return state.account_id


async def add_things(database: Database, tenant: Tenant, account_id: UUID) -> UUID:
    """The account in a list, a territory and a watch; answers the watch."""
    organization = tenant.organization_id
    list_id, watch_id = uuid4(), uuid4()
    async with database.tenant(organization) as connection:
        for statement, *values in (
            ("account_lists (organization_id, list_id, name, kind) VALUES ($1, $2, 'L', 'accounts')",
             list_id),
            ("account_list_members (organization_id, list_id, account_id) VALUES ($1, $2, $3)",
             list_id, account_id),
            ("territories (organization_id, territory_id, name, rules) VALUES ($1, 'west', 'W', '{}')",),
            ("territory_members (organization_id, territory_id, account_id, company_id, by_hand, score)"
             " SELECT $1, 'west', account_id, company_id, true, 50 FROM accounts"
             " WHERE organization_id = $1 AND account_id = $2", account_id),
            ("watches (organization_id, watch_id, name, kind, types)"
             " VALUES ($1, $2, 'W', 'accounts', '{expansion}')", watch_id),
            ("watch_accounts (organization_id, watch_id, account_id) VALUES ($1, $2, $3)",
             watch_id, account_id),
        ):  # fmt: skip
            await connection.execute(f"INSERT INTO {statement}", organization, *values)
    return watch_id


async def add_signal(database: Database, company_id: UUID, story: str) -> UUID:
    signal_id = uuid4()
    async with database.connection() as connection:
        await connection.execute(
            "INSERT INTO signals (company_id, signal_id, family, type, title, summary, quote,"
            " source_kind, source, detected_at, confidence, story_key)"
            " VALUES ($1, $2, 'growth', 'expansion', $3, '', '', 'web', '{}', now(), 0.9, $3)",
            company_id,
            signal_id,
            story,
        )
    return signal_id


async def rows_of(database: Database, *organizations: OrganizationId) -> dict[str, list[Any]]:
    """Every row that a merge may touch, without the columns that only say when."""
    found: dict[str, list[Any]] = {}
    async with database.connection() as connection:
        for table, but in CATALOGUE_TABLES.items():
            found[table] = await _rows(connection, table, but)
    for organization in organizations:
        async with database.tenant(organization) as connection:
            for table, but in TENANT_TABLES.items():
                found[f"{organization} {table}"] = await _rows(connection, table, but)
    return found


async def _rows(connection: Any, table: str, but: tuple[str, ...]) -> list[Any]:
    rows = await connection.fetch(
        f"SELECT (to_jsonb(t) - $1::text[])::text AS row FROM {table} t ORDER BY 1", list(but)
    )
    return [row["row"] for row in rows]


async def companies_of(database: Database, tenant: Tenant) -> dict[UUID, UUID]:
    async with database.tenant(tenant.organization_id) as connection:
        rows = await connection.fetch("SELECT account_id, company_id FROM accounts")
    return {row["account_id"]: row["company_id"] for row in rows}


async def alerts_after(database: Database, tenant: Tenant, company_id: UUID) -> list[str]:
    """The titles of the events that raised an alert, once the organization's timeline was published."""
    async with database.tenant(tenant.organization_id) as connection:
        await publish_to(connection, company_id)
        rows = await connection.fetch(
            "SELECT e.title FROM alerts JOIN events e USING (organization_id, event_id) ORDER BY 1"
        )
    return [row["title"] for row in rows]


async def test_accounts_of_two_organizations_move_and_come_back(
    client: httpx.AsyncClient,
    database: Database,
    worker_database: Database,
    tenant: Tenant,
    make_tenant: MakeTenant,
    make_company: Make,
) -> None:
    kept = await make_company("Harbor", "harbor.example", lei="LEI1", hq_city="Portland")
    gone = await make_company("Harbor Data", "data.example", hq_city="Bremen")
    second, third = await make_tenant("second"), await make_tenant("third")
    mine = await add_account(database, tenant.organization_id, gone, full_time_employees=77)
    theirs = await add_account(database, second.organization_id, gone, full_time_employees=5)
    of_kept = await add_account(database, third.organization_id, kept)
    await add_things(database, tenant, mine)
    everyone = [each.organization_id for each in (tenant, second, third)]
    before = await rows_of(worker_database, *everyone)

    made = await merge(worker_database, kept=kept, merged=gone)
    assert await companies_of(database, tenant) == {mine: kept}
    assert await companies_of(database, second) == {theirs: kept}
    assert await companies_of(database, third) == {of_kept: kept}
    [item] = (await client.post(f"{V1}/accounts", json={})).json()["items"]
    assert (item["company_id"], item["full_time_employees"]) == (str(kept), 77)
    assert item["hq_city"] == "Portland"
    for company_id in (kept, gone):
        company = (await client.get(f"{V1}/companies/{company_id}")).json()
        assert (company["company_id"], company["full_time_employees"]) == (str(kept), 77)
        assert company.get("merged_into") == (str(kept) if company_id == gone else None)
    async with database.tenant(tenant.organization_id) as connection:
        member = await connection.fetchval("SELECT company_id FROM territory_members")
    assert member == kept

    await undo(worker_database, made.merge_id)
    assert await rows_of(worker_database, *everyone) == before


async def test_what_was_changed_added_or_deleted_meanwhile_stays_so(
    database: Database,
    worker_database: Database,
    tenant: Tenant,
    make_tenant: MakeTenant,
    make_company: Make,
) -> None:
    kept = await make_company("Harbor", "harbor.example")
    gone = await make_company("Harbor Data", "data.example")
    second, third = await make_tenant("second"), await make_tenant("third")
    changed = await add_account(database, tenant.organization_id, gone, full_time_employees=77)
    deleted = await add_account(database, second.organization_id, gone)
    made = await merge(worker_database, kept=kept, merged=gone)
    async with database.tenant(tenant.organization_id) as connection:
        await set_user_values(
            connection,
            changed,
            values={"full_time_employees": 78},
            observed_at="2026-01-01T00:00:00Z",
        )
        # As an enrichment of the surviving company does, whose web site then leads to the account.
        await connection.execute(
            "INSERT INTO account_domains (organization_id, account_id, domain) VALUES ($1, $2, $3)",
            tenant.organization_id,
            changed,
            "harbor.example",
        )
    async with database.tenant(second.organization_id) as connection:
        await connection.execute("DELETE FROM accounts WHERE account_id = $1", deleted)
    added = await add_account(database, third.organization_id, kept)

    await undo(worker_database, made.merge_id)
    assert await companies_of(database, tenant) == {changed: gone}
    assert await companies_of(database, second) == {}
    assert await companies_of(database, third) == {added: kept}
    async with database.tenant(tenant.organization_id) as connection:
        [state] = await find_accounts_by(connection, Wanted(company_ids=[gone]))
    assert state.own["full_time_employees"] == 78
    assert state.domains == {"data.example"}


async def test_watches_follow_what_an_account_became(
    database: Database, worker_database: Database, tenant: Tenant, make_company: Make
) -> None:
    kept, gone = await make_company("Harbor"), await make_company("Harbor Data")
    account = await add_account(database, tenant.organization_id, gone)
    await add_things(database, tenant, account)
    assert await alerts_after(database, tenant, gone) == []
    old = await add_signal(worker_database, kept, "before the merge")
    made = await merge(worker_database, kept=kept, merged=gone)
    assert await alerts_after(database, tenant, kept) == [], "what was known is no news"
    await add_signal(worker_database, kept, "after the merge")
    assert await alerts_after(database, tenant, kept) == ["after the merge"]
    await undo(worker_database, made.merge_id)
    async with database.tenant(tenant.organization_id) as connection:
        followed = await connection.fetch("SELECT company_id FROM monitored_companies")
        events = await connection.fetch("SELECT signal_id FROM events")
    assert [row["company_id"] for row in followed] == [gone]
    assert old in {row["signal_id"] for row in events}


async def test_what_comes_with_a_company_that_nobody_followed_raises_no_alert(
    database: Database, worker_database: Database, tenant: Tenant, make_company: Make
) -> None:
    kept, gone = await make_company("Harbor"), await make_company("Harbor Data")
    account = await add_account(database, tenant.organization_id, kept)
    await add_things(database, tenant, account)
    assert await alerts_after(database, tenant, kept) == []
    await add_signal(worker_database, gone, "long ago, of the other")
    await merge(worker_database, kept=kept, merged=gone)
    assert await alerts_after(database, tenant, kept) == []
    await add_signal(worker_database, kept, "new")
    assert await alerts_after(database, tenant, kept) == ["new"]


@pytest.mark.parametrize("followed", ["kept", "merged"])
async def test_news_of_the_company_that_was_followed_raise_their_alerts_across_a_merge(
    client: httpx.AsyncClient,
    database: Database,
    worker_database: Database,
    tenant: Tenant,
    make_company: Make,
    followed: str,
) -> None:
    """Of a company that no one followed, much is known that was never published: none of it is news. What
    was about to be published for the followed one is."""
    kept, gone = await make_company("Harbor"), await make_company("Harbor Data")
    mine, other = (kept, gone) if followed == "kept" else (gone, kept)
    account = await add_account(database, tenant.organization_id, mine)
    await add_things(database, tenant, account)
    assert await alerts_after(database, tenant, mine) == []
    for story in ("old one", "old two"):
        await add_signal(worker_database, other, story)
    await add_signal(worker_database, mine, "untold")
    async with worker_database.connection() as connection:
        for company_id in (kept, gone):
            await connection.execute(
                "INSERT INTO company_changes (company_id, record_version, changes)"
                " VALUES ($1, $2, $3)",
                company_id,
                8 if company_id == mine else 9,
                [{"field": "hq_city", "before": "Ulm", "after": "Bonn"}],
            )
    made = await merge(worker_database, kept=kept, merged=gone)
    await add_signal(worker_database, kept, "after")
    assert await alerts_after(database, tenant, kept) == ["after", "untold"]
    await add_signal(worker_database, kept, "later")
    assert await alerts_after(database, tenant, kept) == ["after", "later", "untold"]
    events = (await client.get(f"{V1}/events")).json()["items"]
    reported = [each["title"].removeprefix("Harbor Data: ") for each in events]
    reported = [each.removeprefix("Harbor: ") for each in reported]
    assert sorted(reported) == [
        "after", "hq_city changed", "hq_city changed", "later", "old one", "old two", "untold",
    ]  # fmt: skip
    alerts = (await client.get(f"{V1}/alerts")).json()["items"]
    assert len(alerts) == 3
    await undo(worker_database, made.merge_id)
    await add_signal(worker_database, mine, "after parting")
    assert "after parting" in await alerts_after(database, tenant, mine)


async def test_only_organizations_that_have_to_do_with_a_company_are_visited(
    database: Database,
    worker_database: Database,
    make_tenant: MakeTenant,
    make_company: Make,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept, gone = await make_company("Harbor"), await make_company("Harbor Data")
    other = await make_company("Pier")
    tenants = {
        name: await make_tenant(name) for name in ("kept", "gone", "follows", "pier", "none")
    }
    for name, company_id in (("kept", kept), ("gone", gone), ("pier", other)):
        await add_account(database, tenants[name].organization_id, company_id)
    follower = tenants["follows"].organization_id
    async with database.tenant(follower) as connection:
        await begin_monitoring(connection, gone)
    names = {each.organization_id: name for name, each in tenants.items()}
    visited: list[str] = []
    act_for = merging.act_for

    async def note(connection: Any, organization: OrganizationId | None) -> None:
        visited.extend([names[organization]] if organization else [])
        await act_for(connection, organization)

    monkeypatch.setattr(merging, "act_for", note)
    made = await merge(worker_database, kept=kept, merged=gone)
    assert sorted(visited) == ["follows", "gone", "kept"]
    visited.clear()
    await undo(worker_database, made.merge_id)
    assert sorted(visited) == ["follows", "gone", "kept"]


async def test_changes_that_were_told_are_not_told_again_under_the_other_id(
    database: Database, worker_database: Database, tenant: Tenant, make_company: Make
) -> None:
    kept, gone = await make_company("Harbor"), await make_company("Harbor Data")
    await add_account(database, tenant.organization_id, gone)
    async with worker_database.connection() as connection:
        await connection.execute(
            "INSERT INTO company_changes (company_id, record_version, changes)"
            ' VALUES ($1, 9, \'[{"field": "hq_city"}]\')',
            gone,
        )
    async with database.tenant(tenant.organization_id) as connection:
        assert await publish_to(connection, gone) == 1
    await merge(worker_database, kept=kept, merged=gone)
    async with database.tenant(tenant.organization_id) as connection:
        assert await publish_to(connection, kept) == 0


async def test_two_accounts_of_one_company_are_both_kept_and_both_followed(
    client: httpx.AsyncClient,
    database: Database,
    worker_database: Database,
    tenant: Tenant,
    make_company: Make,
) -> None:
    kept = await make_company("Harbor", hq_city="Portland")
    gone = await make_company("Harbor Data", hq_city="Bremen")
    one = await add_account(database, tenant.organization_id, kept, full_time_employees=1)
    two = await add_account(database, tenant.organization_id, gone, full_time_employees=2)
    await add_things(database, tenant, two)
    await alerts_after(database, tenant, kept)
    await alerts_after(database, tenant, gone)
    before = await rows_of(worker_database, tenant.organization_id)
    made = await merge(worker_database, kept=kept, merged=gone)
    assert await companies_of(database, tenant) == {one: kept, two: gone}
    items = (await client.post(f"{V1}/accounts", json={})).json()["items"]
    assert {(i["id"], i["full_time_employees"], i["hq_city"]) for i in items} == {
        (str(one), 1, "Portland"),
        (str(two), 2, "Portland"),
    }
    signal = await add_signal(worker_database, kept, "after the merge")
    assert await alerts_after(database, tenant, kept) == ["after the merge"]
    async with worker_database.connection() as connection:
        await connection.execute("DELETE FROM signals WHERE signal_id = $1", signal)
    async with database.tenant(tenant.organization_id) as connection:
        await connection.execute("DELETE FROM events")
    await undo(worker_database, made.merge_id)
    assert await rows_of(worker_database, tenant.organization_id) == before


async def test_an_account_left_under_the_old_id_is_the_companys_once_the_other_is_gone(
    client: httpx.AsyncClient,
    database: Database,
    worker_database: Database,
    tenant: Tenant,
    make_company: Make,
) -> None:
    kept, gone = await make_company("Harbor"), await make_company("Harbor Data")
    one = await add_account(database, tenant.organization_id, kept)
    await add_account(database, tenant.organization_id, gone, full_time_employees=2)
    await merge(worker_database, kept=kept, merged=gone)
    async with database.tenant(tenant.organization_id) as connection:
        await connection.execute("DELETE FROM accounts WHERE account_id = $1", one)
    for company_id in (kept, gone):
        answer = await client.get(f"{V1}/companies/{company_id}")
        assert answer.json()["full_time_employees"] == 2


@pytest.mark.parametrize("order", ["last-first", "first-first"])
async def test_chains_are_undone_in_either_order(
    database: Database,
    worker_database: Database,
    tenant: Tenant,
    make_tenant: MakeTenant,
    make_company: Make,
    order: str,
) -> None:
    one = await make_company("Harbor A", "a.example", lei="LEI-A")
    two = await make_company("Harbor B", "b.example", lei="LEI-B")
    three = await make_company("Harbor C", "c.example")
    second = await make_tenant("second")
    for tenant_, company_id in ((tenant, one), (second, two)):
        account = await add_account(database, tenant_.organization_id, company_id)
        await add_things(database, tenant_, account)
    for company_id, story in ((one, "a"), (two, "b"), (three, "c"), (one, "same"), (three, "same")):
        await add_signal(worker_database, company_id, story)
    everyone = [tenant.organization_id, second.organization_id]
    before = await rows_of(worker_database, *everyone)

    first = await merge(worker_database, kept=two, merged=one)
    last = await merge(worker_database, kept=three, merged=two)
    for each in (tenant, second):
        assert set((await companies_of(database, each)).values()) == {three}
    for merged in (last, first) if order == "last-first" else (first, last):
        await undo(worker_database, merged.merge_id)
        if merged is first and order == "first-first":
            assert set((await companies_of(database, tenant)).values()) == {one}
            assert set((await companies_of(database, second)).values()) == {three}
        if merged is last and order == "last-first":
            assert set((await companies_of(database, tenant)).values()) == {two}
    assert await rows_of(worker_database, *everyone) == before


async def test_a_merge_that_is_cut_off_has_not_happened(
    database: Database,
    owner: Database,
    worker_database: Database,
    tenant: Tenant,
    make_tenant: MakeTenant,
    make_company: Make,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept, gone = await make_company("Harbor"), await make_company("Harbor Data")
    second = await make_tenant("second")
    everyone = [tenant.organization_id, second.organization_id]
    for organization in everyone:
        await add_account(database, organization, gone)
    before = await rows_of(worker_database, *everyone)
    done: list[OrganizationId] = []
    move = merging.move_accounts

    async def die_at_the_second(own: Any, made: Any) -> Any:
        if done:
            pid = await own.fetchval("SELECT pg_backend_pid()")
            async with owner.connection() as other:
                assert await other.fetchval("SELECT pg_terminate_backend($1, 5000)", pid)
        moved = await move(own, made)
        done.append(own.organization_id)
        return moved

    with monkeypatch.context() as patched:
        patched.setattr(merging, "move_accounts", die_at_the_second)
        with pytest.raises(DatabaseIsBusy):
            await merge(worker_database, kept=kept, merged=gone)
    assert len(done) == 1
    assert await rows_of(worker_database, *everyone) == before
    made = await merge(worker_database, kept=kept, merged=gone)
    await undo(worker_database, made.merge_id)
    assert await rows_of(worker_database, *everyone) == before


async def test_contacts_kept_under_the_old_id_are_found_by_their_account(
    client: httpx.AsyncClient,
    database: Database,
    worker_database: Database,
    tenant: Tenant,
    make_company: Make,
) -> None:
    kept = await make_company("Harbor", country_code="US")
    gone = await make_company("Harbor Data", country_code="US")
    await add_account(database, tenant.organization_id, gone)
    person = {"full_name": "Ida Berg", "company_id": str(gone)}
    assert (await client.post(f"{V1}/contacts", json=person)).status_code == 201
    asked = {"account_filter": {"field": "country", "op": "eq", "value": "US"}}
    for is_merged in (False, True):
        if is_merged:
            await merge(worker_database, kept=kept, merged=gone)
        answer = await client.post(f"{V1}/contacts/search", json=asked)
        assert answer.status_code == 200, answer.text
        assert [each["full_name"] for each in answer.json()["data"]] == ["Ida Berg"]


async def test_a_list_is_matched_to_the_surviving_company(
    database: Database,
    worker_database: Database,
    tenant: Tenant,
    make_company: Make,
    tmp_path: Any,
) -> None:
    kept = await make_company("Harbor", "harbor.example", stock_ticker="HRB", country_code="US")
    gone = await make_company("Harbor", "data.example", stock_ticker="HRB", country_code="US")
    await merge(worker_database, kept=kept, merged=gone)
    path = tmp_path / "list.csv"
    path.write_text("Company,Website\nHarbor Data,data.example\n")
    await import_accounts(database, tenant.organization_id, path)
    assert set((await companies_of(database, tenant)).values()) == {kept}


async def test_an_event_told_before_keeps_its_place(
    database: Database, worker_database: Database, tenant: Tenant, make_company: Make
) -> None:
    kept, gone = await make_company("Harbor"), await make_company("Harbor Data")
    await add_account(database, tenant.organization_id, gone)
    async with database.tenant(tenant.organization_id) as connection:
        event = NewEvent("s:1", "hires", "leadership_moves", "A hire", gone)
        await publish_events(connection, [event])
    before = await rows_of(worker_database, tenant.organization_id)
    made = await merge(worker_database, kept=kept, merged=gone)
    merged = await rows_of(worker_database, tenant.organization_id)
    key = f"{tenant.organization_id} events"
    assert merged[key] == before[key]
    await undo(worker_database, made.merge_id)
    assert await rows_of(worker_database, tenant.organization_id) == before
