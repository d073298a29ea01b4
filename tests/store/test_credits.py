"""The credit ledger: never negative, never charged twice, never changed afterwards."""

import asyncio
import json
import random
from collections import Counter
from typing import Any

import asyncpg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from sightline.domain.callers import OrganizationId
from sightline.domain.credits import CREDITS, MOST_CREDITS, Credit
from sightline.domain.errors import CreditsAreExhausted
from sightline.kit.ids import new_id
from sightline.store.credits import (
    BalanceIsTooLarge,
    balances,
    grant,
    ledger_page,
    release,
    reserve,
    settle,
)
from sightline.store.database import Connection, Database, open_database
from sightline.store.database import Tenant as TenantConnection
from sightline.store.pages import Slice
from tests.conftest import Tenant

OPERATIONS = st.sampled_from(["a", "b", "c"])
KINDS: st.SearchStrategy[Credit] = st.sampled_from(CREDITS[:2])


class LedgerMachine(RuleBasedStateMachine):
    """Every order of calls, repeats and unknown operations included, against a model in memory.

    Each run is one transaction that is rolled back, in an organization of the test's own.
    """

    connection: Connection
    runner: asyncio.Runner
    organization_id: OrganizationId

    @initialize()
    def begin(self) -> None:
        self.balance: Counter[str] = Counter()
        self.granted: set[tuple[str, str]] = set()
        self.state: dict[tuple[str, str], tuple[str, int]] = {}
        self.run(self.connection.execute("BEGIN"))
        self.run(
            self.connection.execute(
                "SELECT set_config('app.organization', $1, true)", str(self.organization_id)
            )
        )

    def run(self, action: Any) -> Any:
        return self.runner.run(_wait(action))

    @rule(
        credit=KINDS,
        amount=st.integers(-1, 5) | st.just(MOST_CREDITS),
        operation=OPERATIONS | st.none(),
    )
    def grant(self, credit: Credit, amount: int, operation: str | None) -> None:
        action = grant(
            TenantConnection(self.connection, self.organization_id),
            credit=credit,
            amount=amount,
            reason="test",
            operation=operation,
        )
        if (credit, str(operation)) in self.granted:
            assert self.run(action) == self.balance[credit]
        elif amount <= 0 or self.balance[credit] + amount > MOST_CREDITS:
            with pytest.raises(BalanceIsTooLarge):
                self.run(action)
        else:
            self.balance[credit] += amount
            assert self.run(action) == self.balance[credit]
            if operation:
                self.granted.add((credit, operation))

    @rule(credit=KINDS, amount=st.integers(1, 4), operation=OPERATIONS)
    def reserve(self, credit: Credit, amount: int, operation: str) -> None:
        action = reserve(
            TenantConnection(self.connection, self.organization_id),
            credit=credit,
            amount=amount,
            operation=operation,
            reason="test",
        )
        if (credit, operation) in self.state:
            assert self.run(action) == self.balance[credit]
        elif amount > self.balance[credit]:
            with pytest.raises(CreditsAreExhausted) as refusal:
                self.run(action)
            assert refusal.value.details == {
                "credit": credit,
                "needed": amount,
                "remaining": self.balance[credit],
            }
        else:
            self.balance[credit] -= amount
            self.state[credit, operation] = ("reserved", amount)
            assert self.run(action) == self.balance[credit]

    @rule(credit=KINDS, operation=OPERATIONS)
    def settle(self, credit: Credit, operation: str) -> None:
        state, amount = self.state.get((credit, operation), ("none", 0))
        if state == "reserved":
            self.state[credit, operation] = ("settled", amount)
        action = settle(
            TenantConnection(self.connection, self.organization_id),
            credit=credit,
            operation=operation,
        )
        assert self.run(action) == self.balance[credit]

    @rule(credit=KINDS, operation=OPERATIONS)
    def release(self, credit: Credit, operation: str) -> None:
        state, amount = self.state.get((credit, operation), ("none", 0))
        if state == "reserved":
            self.state[credit, operation] = ("released", amount)
            self.balance[credit] += amount
        action = release(
            TenantConnection(self.connection, self.organization_id),
            credit=credit,
            operation=operation,
        )
        assert self.run(action) == self.balance[credit]

    @invariant()
    def the_ledger_tells_the_balance(self) -> None:
        if not hasattr(self, "balance"):
            return
        stored = self.run(balances(TenantConnection(self.connection, self.organization_id)))
        assert Counter(stored) == self.balance
        rows = self.run(
            self.connection.fetch(
                "SELECT credit, kind, operation, amount, balance_after FROM credit_ledger ORDER BY created_at"
            )
        )
        running: Counter[str] = Counter()
        for row in rows:
            running[row["credit"]] += row["amount"]
            assert row["balance_after"] == running[row["credit"]] >= 0
        assert running == self.balance
        lines = Counter((row["credit"], row["kind"], row["operation"]) for row in rows)
        assert not [line for line, times in lines.items() if times > 1]
        # What an operation was charged in the end is its reservation, or nothing.
        for (credit, operation), (state, amount) in self.state.items():
            charged = sum(
                -row["amount"]
                for row in rows
                if (row["credit"], row["operation"]) == (credit, operation)
                and row["kind"] != "grant"
            )
            assert charged == (0 if state == "released" else amount)

    def teardown(self) -> None:
        self.run(self.connection.execute("ROLLBACK"))


async def _wait(action: Any) -> Any:
    return await action


def test_every_order_of_calls_keeps_the_books(database_url: str, tenant: Tenant) -> None:
    with asyncio.Runner() as runner:
        opened = runner.run(open_database(database_url, size=1))
        connection = runner.run(_wait(opened.pool.acquire()))

        class Machine(LedgerMachine):
            pass

        Machine.connection, Machine.runner = connection, runner
        Machine.organization_id = tenant.organization_id
        try:
            run_state_machine_as_test(
                Machine,
                settings=settings(
                    max_examples=30,
                    stateful_step_count=20,
                    deadline=None,
                    derandomize=True,
                    suppress_health_check=list(HealthCheck),
                ),
            )
        finally:
            runner.run(_wait(opened.pool.release(connection)))
            runner.run(opened.close())


async def test_eight_connections_agree_on_two_balances(
    database_url: str, tenant: Tenant, database: Database
) -> None:
    """Each of 240 operations is tried by two connections, in any order, on too few credits."""
    organization_id = tenant.organization_id
    granted: dict[Credit, int] = {"company": 60, "contact": 55}
    async with database.tenant(organization_id) as connection:
        for credit, amount in granted.items():
            await grant(connection, credit=credit, amount=amount, reason="test")
    refused: Counter[str] = Counter()
    random_order = random.Random(7)
    work = [(f"operation {n}", ("company", "contact")[n % 2], 1 + n % 3) for n in range(240)] * 2
    random_order.shuffle(work)

    async def one(operation: str, credit: Credit, amount: int) -> None:
        try:
            async with database.tenant(organization_id) as connection:
                await reserve(
                    connection, credit=credit, amount=amount, operation=operation, reason="test"
                )
        except CreditsAreExhausted:
            refused[operation] += 1
            return
        close = release if operation.endswith(("3", "8")) else settle
        async with database.tenant(organization_id) as connection:
            await close(connection, credit=credit, operation=operation)

    async def work_off() -> None:
        while work:
            operation, credit, amount = work.pop()
            await one(operation, credit, amount)  # type: ignore[arg-type]

    await asyncio.gather(*(work_off() for _ in range(8)))
    async with database.tenant(organization_id) as connection:
        rows = await connection.fetch("SELECT * FROM credit_ledger ORDER BY created_at, entry_id")
        left = await balances(connection)
        states = await connection.fetch(
            "SELECT state, count(*) FROM credit_reservations GROUP BY 1"
        )
    running: Counter[str] = Counter()
    for row in rows:
        running[row["credit"]] += row["amount"]
        assert row["balance_after"] == running[row["credit"]] >= 0
    assert dict(running) == left
    assert refused, "the balances never ran out: the test proves nothing"
    assert "reserved" not in {row["state"] for row in states}
    spent = {
        credit: sum(-r["amount"] for r in rows if r["credit"] == credit and r["kind"] != "grant")
        for credit in granted
    }
    assert left == {credit: granted[credit] - spent[credit] for credit in granted}
    once = Counter((r["operation"], r["kind"]) for r in rows)
    assert set(once.values()) == {1}


async def test_one_operation_asked_for_at_once_is_charged_once(
    tenant: Tenant, database: Database
) -> None:
    organization_id = tenant.organization_id

    async def ask(action: str) -> None:
        async with database.tenant(organization_id) as connection:
            if action == "grant":
                await grant(connection, credit="company", amount=10, reason="test", operation="g")
            elif action == "reserve":
                await reserve(connection, credit="company", amount=3, operation="o", reason="test")
            else:
                close = settle if action == "settle" else release
                await close(connection, credit="company", operation="o")

    for action, expected in (("grant", 10), ("reserve", 7)):
        await asyncio.gather(*(ask(action) for _ in range(8)))
        async with database.tenant(organization_id) as connection:
            assert await balances(connection) == {"company": expected}
    await asyncio.gather(*(ask(action) for action in ("settle", "release") * 4))
    async with database.tenant(organization_id) as connection:
        kinds = [r[0] for r in await connection.fetch("SELECT kind FROM credit_ledger ORDER BY 1")]
        left = await balances(connection)
    assert kinds in (["grant", "release", "reserve"], ["grant", "reserve", "settle"])
    assert left == {"company": 10 if "release" in kinds else 7}


async def test_a_failed_effect_gives_its_reservation_back(
    tenant: Tenant, database: Database
) -> None:
    organization_id = tenant.organization_id
    async with database.tenant(organization_id) as connection:
        await grant(connection, credit="company", amount=1, reason="test")
    with pytest.raises(ZeroDivisionError):
        async with database.tenant(organization_id) as connection:
            await reserve(connection, credit="company", amount=1, operation="o", reason="test")
            raise ZeroDivisionError
    async with database.tenant(organization_id) as connection:
        assert await balances(connection) == {"company": 1}
        assert await connection.fetchval("SELECT count(*) FROM credit_ledger") == 1


@pytest.mark.parametrize("role", ["sightline_app", "sightline_worker"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE credit_ledger SET amount = 0",
        "DELETE FROM credit_ledger",
        "TRUNCATE credit_ledger",
        "DELETE FROM credit_balances",
        "DELETE FROM credit_reservations",
        "UPDATE audit_log SET actor = 'other'",
        "DELETE FROM audit_log",
        "DROP TABLE credit_ledger",
        "ALTER TABLE credit_ledger DISABLE ROW LEVEL SECURITY",
        "SET ROLE postgres",
    ],
)
async def test_the_ledger_is_append_only(
    database_url: str, tenant: Tenant, role: Any, statement: str
) -> None:
    database = await open_database(database_url, role=role, size=1)
    try:
        async with database.tenant(tenant.organization_id) as connection:
            await grant(connection, credit="company", amount=1, reason="test")
        errors = (asyncpg.InsufficientPrivilegeError, asyncpg.InvalidParameterValueError)
        with pytest.raises(errors):
            async with database.tenant(tenant.organization_id) as connection:
                await connection.execute(statement)
    finally:
        await database.close()


async def test_the_database_itself_refuses_a_negative_balance(
    tenant: Tenant, database: Database
) -> None:
    with pytest.raises(asyncpg.CheckViolationError):
        async with database.tenant(tenant.organization_id) as connection:
            await connection.execute(
                "INSERT INTO credit_balances VALUES ($1, 'company', -1)", tenant.organization_id
            )


async def test_pages_of_the_ledger(tenant: Tenant, database: Database) -> None:
    organization_id = tenant.organization_id
    async with database.tenant(organization_id) as connection:
        for n in range(5):
            for credit in CREDITS[:2]:
                await grant(connection, credit=credit, amount=n + 1, reason=f"{new_id()}")
        whole, total, _ = await ledger_page(connection, credit=None, part=Slice(50))
        assert total == 10
        pages: list[dict[str, Any]] = []
        before = None
        for _ in range(4):
            items, total, before = await ledger_page(
                connection, credit=None, part=Slice(3, before=before)
            )
            assert total == 10
            pages += json.loads(items)
        assert pages == json.loads(whole)
        _, company, _ = await ledger_page(connection, credit="company", part=Slice(1))
        nothing, none, end = await ledger_page(connection, credit="contact", part=Slice(1))
    assert company == 5
    assert (nothing, none, end) == ("[]", 0, None)
