"""Account search by the index in memory equals account search by SQL."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from sightline.domain.callers import OrganizationId
from sightline.domain.filters import read_filter
from sightline.store import account_search
from sightline.store.account_index import columns, index
from sightline.store.account_index.indexes import AccountIndexes
from sightline.store.account_index.loading import delete_old_changes
from sightline.store.account_search import AccountQuery, AccountSearcher
from sightline.store.account_writes import set_user_values
from sightline.store.accounts import AccountFilter, AccountOrder
from sightline.store.database import Database, open_database
from tests.api.accounts_data import add_accounts
from tests.conftest import MakeTenant
from tests.store.account_index_world import IndexMachine, make_world


def test_two_nodes_answer_as_sql_while_others_write(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "LEAST_CHANGED", 20)
    monkeypatch.setattr(columns, "FEW_VALUES", 4)
    monkeypatch.setattr(columns, "MANY", 8)
    with asyncio.Runner() as runner:

        class Machine(IndexMachine):
            pass

        Machine.owner = runner.run(open_database(database_url, role="owner", size=1))
        Machine.database = runner.run(
            open_database(database_url, size=10, statement_timeout_seconds=20)
        )
        Machine.runner = runner
        try:
            run_state_machine_as_test(
                Machine,
                settings=settings(
                    max_examples=15,
                    stateful_step_count=20,
                    deadline=None,
                    derandomize=True,
                    suppress_health_check=list(HealthCheck),
                ),
                _min_steps=20,
            )
        finally:
            runner.run(Machine.database.close())
            runner.run(Machine.owner.close())
    assert Machine.checks > 1_000  # 15 runs, 21 rounds of questions each, two questions, two nodes
    assert Machine.by_sql < Machine.checks / 50


async def test_memory_is_bounded_and_the_least_used_goes_first(
    make_tenant: MakeTenant, database: Database
) -> None:
    tenants = [(await make_tenant(name)).organization_id for name in ("first", "second")]
    for each in tenants:
        await add_accounts(database, each, [{"company_name": "Harbor"}] * 5)
    indexes = AccountIndexes(database, 1 << 30, least_accounts=1)
    for each in tenants:
        indexes.ready(each)
        built = await indexes.built(each)
        assert built is not None
        indexes.most_bytes = built.nbytes + 100
    assert indexes.ready(tenants[1]) is not None
    assert indexes.ready(tenants[0]) is None
    await indexes.close()
    small = AccountIndexes(database, 1 << 30, least_accounts=6)
    small.ready(tenants[0])
    assert await small.built(tenants[0]) is None


async def test_an_index_of_another_server_is_let_go(
    organization: OrganizationId, database: Database
) -> None:
    await add_accounts(database, organization, [{"company_name": "Harbor"}])
    indexes = AccountIndexes(database, 1 << 30, least_accounts=1)
    indexes.ready(organization)
    built = await indexes.built(organization)
    assert built is not None
    built.stamp = replace(built.stamp, server="2020-01-01 00:00:00+00")
    query = AccountQuery(where=AccountFilter(), order=AccountOrder(), limit=5)
    async with database.reads(organization) as reads:
        found = await AccountSearcher(indexes).find(reads, query)
    assert found.total == 1
    assert indexes._ready == {}
    await indexes.close()


async def test_changes_are_forgotten_after_a_day(
    organization: OrganizationId, database: Database
) -> None:
    await add_accounts(database, organization, [{"company_name": "Harbor"}])
    async with database.tenant(organization) as connection:
        await connection.execute("UPDATE account_changes SET at = at - interval '25 hours'")
    await add_accounts(database, organization, [{"company_name": "Quay"}])
    async with database.tenant(organization) as connection:
        await delete_old_changes(connection)
        assert await connection.fetchval("SELECT count(*) FROM account_changes") == 1


async def test_a_value_below_all_others_comes_before_none_when_sorted_downwards(
    organization: OrganizationId, database: Database
) -> None:
    few = {"company_name": "Few", "full_time_employees": 500}
    many = {"company_name": "Many", "full_time_employees": 340}
    (first,) = await add_accounts(database, organization, [few])
    await add_accounts(database, organization, [many, *[{"company_name": "None"}] * 3])
    indexes = AccountIndexes(database, 1 << 30, least_accounts=1)
    indexes.ready(organization)
    assert await indexes.built(organization) is not None
    async with database.tenant(organization) as connection:
        await set_user_values(
            connection,
            first.account_id,
            values={"full_time_employees": 1},
            observed_at="2026-01-01T00:00:00Z",
        )
    order = AccountOrder("employees", descending=True)
    query = AccountQuery(where=AccountFilter(), order=order, limit=25)
    async with database.reads(organization) as reads:
        found = await AccountSearcher(indexes).find(reads, query)
        wanted = await AccountSearcher().find(reads, query)
    assert found == wanted
    assert found.length == found.total == 5
    await indexes.close()


@pytest.mark.parametrize("changed", [0, 1], ids=["first read", "last read"])
async def test_members_that_change_while_they_are_read_are_read_again(
    owner: Database, database: Database, monkeypatch: pytest.MonkeyPatch, changed: int
) -> None:
    world = await make_world(
        owner, database, [{"company_name": "Harbor"}, {"company_name": "Quay"}]
    )
    node = world.nodes[0]
    in_read_order = sorted(map(str, world.lists))
    wanted = read_filter({"field": "list", "op": "in", "value": in_read_order}).filter
    query = AccountQuery(where=AccountFilter(wanted=wanted), order=AccountOrder(), limit=5)
    real, reads = account_search.read_group, 0

    async def slow(*asked: Any) -> Any:
        nonlocal reads
        group = await real(*asked)
        reads += 1
        if reads == 2:
            n = list(map(str, world.lists)).index(in_read_order[changed])
            await world.change_list(n, world.accounts[1:], [])
            await world.ask(node, replace(query, where=AccountFilter()))  # takes the change
        return group

    monkeypatch.setattr(account_search, "read_group", slow)
    assert (await world.ask(node, query)).total == 1
    assert reads > 2
    await world.check(query)
    await world.close()


async def test_few_accounts_are_selected_by_their_ids(
    owner: Database, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await make_world(
        owner, database, [{"company_name": "Harbor"}, {"company_name": "Quay"}]
    )
    monkeypatch.setattr(account_search, "MOST_IDS", 1)
    by_name = read_filter({"field": "company_name", "op": "contains", "value": "quay"}).filter
    for where, ids in (
        (AccountFilter(wanted=by_name), (world.accounts[1],)),
        (AccountFilter(), None),
    ):
        async with (
            database.reads(world.organization_id) as reads,
            world.nodes[0].selecting(reads, where) as (_, chosen),
        ):
            assert chosen.account_ids == ids
            assert (chosen == where) == (ids is None)
    await world.close()
