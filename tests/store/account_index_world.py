"""Two indexes over the accounts of one organization, beside the SQL that they must equal, and writers."""

import asyncio
import random
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from sightline.domain.callers import OrganizationId
from sightline.domain.filters import read_filter
from sightline.domain.names import search_terms
from sightline.kit.ids import new_id
from sightline.store.account_deletions import delete_accounts, matching_accounts
from sightline.store.account_index.index import Window
from sightline.store.account_index.indexes import AccountIndexes
from sightline.store.account_search import AccountQuery, AccountSearcher, AccountsFound
from sightline.store.account_writes import set_user_values
from sightline.store.accounts import AccountFilter, AccountOrder, SortKey
from sightline.store.database import Connection, Database, Tenant, TenantReads
from sightline.store.lists import change_members, create_list
from sightline.store.organizations import create_organization
from tests.api.accounts_data import add_accounts
from tests.store.account_index_data import any_filter, records
from tests.store.account_oracle import answers_by_sql

T = TypeVar("T")

SORTS: tuple[SortKey, ...] = ("company_name", "updated_at", "employees", "revenue")
FACETS = ("industry", "sector", "country", "public_company")


@dataclass(frozen=True)
class Node(AccountSearcher):
    """Counts what its index could not answer."""

    sql: list[AccountQuery] = field(default_factory=list)

    async def _by_sql(self, tenant: Tenant, query: AccountQuery) -> AccountsFound:
        self.sql.append(query)
        return await super()._by_sql(tenant, query)


@dataclass
class World:
    """An organization with accounts, two lists and a territory."""

    database: Database
    organization_id: OrganizationId
    lists: tuple[UUID, ...]
    territory: str
    sql: AccountSearcher
    nodes: list[Node]
    accounts: list[UUID] = field(default_factory=list)
    open: AsyncExitStack | None = None
    checks: int = 0

    async def add(self, made: list[dict[str, Any]]) -> None:
        added = await add_accounts(self.database, self.organization_id, made)
        self.accounts += [each.account_id for each in added]

    async def edit(self, account_id: UUID, values: dict[str, Any]) -> None:
        async with self.database.tenant(self.organization_id) as connection:
            await set_user_values(
                connection, account_id, values=values, observed_at="2026-01-01T00:00:00Z"
            )

    async def delete(self, account_id: UUID) -> None:
        self.accounts.remove(account_id)
        async with self.database.tenant(self.organization_id) as connection:
            await delete_accounts(connection, [account_id])

    async def swap(self, account_id: UUID, record: dict[str, Any]) -> None:
        """One account goes as another comes: there are as many at any moment."""
        async with self.database.tenant(self.organization_id) as connection:
            await delete_accounts(connection, [account_id])
            made = _Same(connection)
            (added,) = await add_accounts(made, self.organization_id, [record])  # type: ignore[arg-type]
        self.accounts.remove(account_id)
        self.accounts.append(added.account_id)

    async def change_list(
        self, n: int, add: list[UUID], remove: list[UUID], connection: Tenant | None = None
    ) -> None:
        async def change(through: Tenant) -> None:
            await change_members(through, self.lists[n], add=add, remove=remove)

        if connection is not None:
            await change(connection)
            return
        async with self.database.tenant(self.organization_id) as own:
            await change(own)

    async def change_territory(self, members: list[UUID]) -> None:
        async with self.database.tenant(self.organization_id) as connection:
            await connection.execute(
                "DELETE FROM territory_members WHERE organization_id = $1", self.organization_id
            )
            await connection.execute(
                """
                INSERT INTO territory_members
                  (organization_id, territory_id, account_id, company_id, by_hand, score)
                SELECT $1, $2, account_id, company_id, false, 50 FROM accounts
                WHERE organization_id = $1 AND account_id = ANY($3::uuid[])
                """,
                self.organization_id,
                self.territory,
                members,
            )

    async def ask(self, searcher: AccountSearcher, query: AccountQuery) -> AccountsFound:
        async with self.database.reads(self.organization_id) as reads:
            return await searcher.find(reads, query)

    async def check(self, query: AccountQuery) -> None:
        """Each node answers what SQL answers."""
        async with self.database.reads(self.organization_id) as reads:
            wanted = await self.sql.find(reads, query)
            ids = await self.sql.ids(reads, query.where, limit=query.limit)
            for node in self.nodes:
                await self._compare(node, reads, query, (wanted, ids))
                await self.check_selecting(node, reads, query.where)

    async def check_selecting(
        self, node: AccountSearcher, reads: TenantReads, where: AccountFilter
    ) -> list[UUID]:
        """What a node selects in a transaction is what the filter selects in it."""
        async with node.selecting(reads, where) as (connection, chosen):
            wanted, found = [await matching_accounts(connection, each) for each in (where, chosen)]
        assert found == wanted, (where, chosen)
        return found

    async def check_all(self, queries: Sequence[AccountQuery]) -> None:
        """Each node answers each query, which begins at the first row, as SQL answers them at once."""
        answers = await answers_by_sql(self.database, self.organization_id, queries)
        async with self.database.reads(self.organization_id) as reads:
            for query, wanted in zip(queries, answers, strict=True):
                for node in self.nodes:
                    await self._compare(node, reads, query, wanted)

    async def _compare(
        self,
        node: AccountSearcher,
        reads: TenantReads,
        query: AccountQuery,
        wanted: tuple[AccountsFound, Window],
    ) -> None:
        found = await node.find(reads, query)
        ids = await node.ids(reads, query.where, limit=query.limit)
        assert (found, ids) == wanted, (query, found, ids, wanted)
        assert ids.total == found.total
        self.checks += 1

    async def close(self) -> None:
        if self.open is not None:
            await self.open.aclose()
        for node in self.nodes:
            assert node.indexes is not None
            await node.indexes.close()


class _Same:
    """A database whose transactions are the one that is open."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def tenant(self, _: OrganizationId) -> "_Same":
        return self

    async def __aenter__(self) -> Connection:
        return self._connection

    async def __aexit__(self, *_: object) -> None:
        return None


async def make_world(owner: Database, database: Database, made: list[dict[str, Any]]) -> World:
    organization_id = await create_organization(
        owner, f"o{new_id().hex}", name="O", plan="enterprise"
    )
    async with database.tenant(organization_id) as connection:
        lists = [
            await create_list(connection, name=name, description="", filter=None, created_by=None)
            for name in ("one", "two")
        ]
        await connection.execute(
            "INSERT INTO territories (organization_id, territory_id, name, rules)"
            " VALUES ($1, 'west', 'West', '{}')",
            organization_id,
        )
    nodes = [Node(AccountIndexes(database, 1 << 30, least_accounts=1)) for _ in range(2)]
    world = World(database, organization_id, tuple(lists), "west", AccountSearcher(), nodes)
    await world.add(made)
    for node in nodes:
        assert node.indexes is not None
        node.indexes.ready(organization_id)
        assert await node.indexes.built(organization_id) is not None
    return world


class IndexMachine(RuleBasedStateMachine):
    """Writers in any order, side by side and with transactions left open; questions after each step."""

    owner: Database
    database: Database
    runner: asyncio.Runner
    questions = 2  # after each step, to each node
    checks = 0  # of all runs
    by_sql = 0  # of those, answered by SQL after all
    world: World | None = None
    chosen: random.Random

    def run(self, action: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(action)

    @property
    def at(self) -> World:
        assert self.world is not None
        return self.world

    @initialize(made=st.lists(records, min_size=1, max_size=25), seed=st.integers())
    def begin(self, made: list[dict[str, Any]], seed: int) -> None:
        self.chosen = random.Random(seed)
        self.world = self.run(make_world(self.owner, self.database, made))

    @rule(made=st.lists(records, min_size=1, max_size=5))
    def add(self, made: list[dict[str, Any]]) -> None:
        self.run(self.at.add(made))

    @rule(data=st.data(), values=records)
    def edit(self, data: st.DataObject, values: dict[str, Any]) -> None:
        if self.at.accounts:
            self.run(self.at.edit(data.draw(st.sampled_from(self.at.accounts)), values))

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        if self.at.accounts and self.at.open is None:  # it would wait for what is open
            self.run(self.at.delete(data.draw(st.sampled_from(self.at.accounts))))

    @rule(n=st.integers(0, 1), seed=st.integers())
    def change_list(self, n: int, seed: int) -> None:
        if self.at.open is None:
            self.run(self.at.change_list(n, self._some(seed), self._some(seed + 1)))

    @rule(seed=st.integers())
    def change_territory(self, seed: int) -> None:
        self.run(self.at.change_territory(self._some(seed)))

    @rule(seed=st.integers())
    def leave_open(self, seed: int) -> None:
        """A transaction that began before others and ends after them."""
        if self.at.open is not None:
            self.run(self.at.open.aclose())
            self.at.open = None
            return

        async def begin() -> AsyncExitStack:
            stack = AsyncExitStack()
            connection = await stack.enter_async_context(
                self.at.database.tenant(self.at.organization_id)
            )
            # It stays open while questions are asked, however slow the machine is.
            await connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            await self.at.change_list(0, self._some(seed), [], connection)
            return stack

        # Deleting one of its accounts would wait for it.
        self.at.open = self.run(begin())
        for made in ({"company_name": "Zebra"}, {"company_name": "Late"}):
            self.run(self.at.add([made]))

    @rule(seed=st.integers())
    def side_by_side(self, seed: int) -> None:
        """Accounts are swapped while both nodes count them: always as many."""
        if self.at.open is not None:
            return
        chosen = self._some(seed)[:3]
        total = len(self.at.accounts)

        async def count(node: AccountSearcher) -> None:
            for _ in range(3):
                found = await self.at.ask(
                    node, AccountQuery(where=AccountFilter(), order=AccountOrder(), limit=5)
                )
                assert found.total == total
                assert found.length == min(5, total)
                async with self.at.database.reads(self.at.organization_id) as reads:
                    one = AccountFilter(wanted=self._query(random.Random(seed)).where.wanted)
                    for where in (AccountFilter(), one):
                        chosen = await self.at.check_selecting(node, reads, where)
                        assert where is one or len(chosen) == total

        async def together() -> None:
            await asyncio.gather(
                *(self.at.swap(each, {"company_name": "Swapped"}) for each in chosen),
                *map(count, self.at.nodes),
            )

        self.run(together())

    @invariant()
    def answers_as_sql(self) -> None:
        self.run(self.at.check(self._query(self.chosen)))
        self.run(self.at.check_all([self._query(self.chosen) for _ in range(self.questions - 1)]))

    @rule(seed=st.integers())
    def read_on(self, seed: int) -> None:
        """From the end of a page, on whichever node."""
        query = self._query(random.Random(seed))
        found = self.run(self.at.ask(self.at.nodes[0], query))
        if found.last is not None:
            self.run(self.at.check(replace(query, after=found.last, offset=0)))

    def _query(self, chosen: random.Random) -> AccountQuery:
        members = {
            "list": (*map(str, self.at.lists), "none"),
            "territory": (self.at.territory, "none"),
        }
        name = (
            search_terms(chosen.choice(("har", "zebra fr", "t"))) if chosen.random() < 0.2 else None
        )
        return AccountQuery(
            where=AccountFilter(
                wanted=read_filter(any_filter(chosen, members)).filter,
                name_spaced=name and name.spaced,
                name_squeezed=name and name.squeezed,
            ),
            order=AccountOrder(chosen.choice(SORTS), chosen.random() < 0.5),
            offset=chosen.choice((0, 0, 1, 3, 10)),
            limit=chosen.choice((1, 2, 5, 25)),
            facets=chosen.choice(((), FACETS)),
        )

    def _some(self, seed: int) -> list[UUID]:
        chosen = random.Random(seed)
        return chosen.sample(self.at.accounts, chosen.randint(0, len(self.at.accounts)))

    def teardown(self) -> None:
        if self.world is not None:
            self.run(self.world.close())
            type(self).checks += self.world.checks
            type(self).by_sql += sum(len(node.sql) for node in self.world.nodes)
