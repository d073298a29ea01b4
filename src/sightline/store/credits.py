"""The credit ledger: append-only lines are the source of truth; balances follow in the same transaction.

Reserve → settle or release. Each of the three happens at most once an operation and credit, however
often it is asked for. All functions run inside the caller's tenant transaction.
"""

from collections.abc import Sequence
from uuid import UUID

from sightline.domain.callers import KeyId
from sightline.domain.credits import MOST_CREDITS, Credit, EntryKind
from sightline.domain.errors import CreditsAreExhausted
from sightline.kit.ids import new_id
from sightline.store.database import Tenant
from sightline.store.pages import Rows, Slice, Where, read_rows

# What operations are named by whose credits a request holds while it waits for a model, before an id.
FOR_ANSWER, FOR_CONTENT = "assistant:", "content:"

_LOCKED = """
  SELECT balance FROM credit_balances WHERE organization_id = $1 AND credit = $2 FOR UPDATE
"""


class BalanceIsTooLarge(ValueError):
    """A grant would lift the balance above what the ledger holds."""


async def grant(
    tenant: Tenant, *, credit: Credit, amount: int, reason: str, operation: str | None = None
) -> int:
    """Add credits; returns the new balance. The same `operation` grants once."""
    balance = await _lock_balance(tenant, credit)
    reference = operation or f"grant:{new_id()}"
    if await _is_granted(tenant, reference, credit=credit):
        return balance
    if amount <= 0 or balance + amount > MOST_CREDITS:
        raise BalanceIsTooLarge(
            f"A grant must be 1 to {MOST_CREDITS - balance} credits; "
            f"a balance is {MOST_CREDITS} at most."
        )
    return await _write_grant(
        tenant, credit=credit, amount=amount, reason=reason, operation=reference
    )


async def reserve(
    tenant: Tenant,
    *,
    credit: Credit,
    amount: int,
    operation: str,
    reason: str,
    key_id: KeyId | None = None,
    request_id: str | None = None,
) -> int:
    """Hold credits for an operation; returns the balance left. Again for the same operation: no change.

    Raises CreditsAreExhausted.
    """
    balance = await _lock_balance(tenant, credit)
    if balance < amount:
        held = await tenant.value(
            """
            SELECT amount FROM credit_reservations
            WHERE organization_id = $1 AND operation = $2 AND credit = $3
            """,
            operation,
            credit,
        )
        if held is not None:
            return balance
        raise CreditsAreExhausted(
            f"The operation needs {amount} {credit} credit(s); {balance} are left.",
            credit=credit,
            needed=amount,
            remaining=balance,
        )
    left: int | None = await tenant.value(
        """
        WITH held AS (
          INSERT INTO credit_reservations (organization_id, operation, credit, amount, state)
          VALUES ($1, $2, $3, $4, 'reserved') ON CONFLICT DO NOTHING RETURNING amount),
        moved AS (
          UPDATE credit_balances b SET balance = b.balance - held.amount FROM held
          WHERE organization_id = $1 AND credit = $3 RETURNING b.balance)
        INSERT INTO credit_ledger (organization_id, entry_id, credit, kind, amount, balance_after,
          reason, operation, key_id, request_id)
        SELECT $1, $5, $3, 'reserve', -$4::bigint, balance, $6, $2, $7, $8 FROM moved
        RETURNING balance_after
        """,
        operation,
        credit,
        amount,
        new_id(),
        reason,
        key_id,
        request_id,
    )
    return balance if left is None else left


async def reserve_each(
    tenant: Tenant,
    operations: Sequence[str],
    *,
    credit: Credit,
    amount: int,
    reason: str,
    key_id: KeyId | None = None,
    request_id: str | None = None,
) -> int:
    """Hold `amount` credits for each of many new operations; returns the balance left.

    All or none. Raises CreditsAreExhausted.
    """
    balance = await _lock_balance(tenant, credit)
    needed = amount * len(operations)
    if balance < needed:
        raise CreditsAreExhausted(
            f"The operations need {needed} {credit} credits; {balance} are left.",
            credit=credit,
            needed=needed,
            remaining=balance,
        )
    await tenant.run(
        """
        WITH held AS (
          INSERT INTO credit_reservations (organization_id, operation, credit, amount, state)
          SELECT $1, unnest($2::text[]), $3, $9, 'reserved'),
        moved AS (
          UPDATE credit_balances SET balance = balance - $9 * cardinality($2::text[])
          WHERE organization_id = $1 AND credit = $3)
        INSERT INTO credit_ledger (organization_id, entry_id, credit, kind, amount, balance_after,
          reason, operation, key_id, request_id)
        SELECT $1, entry_id, $3, 'reserve', -$9, $5 - $9 * n, $6, operation, $7, $8
        FROM unnest($4::uuid[], $2::text[]) WITH ORDINALITY AS o (entry_id, operation, n)
        """,
        list(operations),
        credit,
        [new_id() for _ in operations],
        balance,
        reason,
        key_id,
        request_id,
        amount,
    )
    return balance - needed


async def settle(tenant: Tenant, *, credit: Credit, operation: str) -> int:
    """Make a reservation final. A settled or released one stays as it is; returns the balance."""
    return await _close(tenant, credit, operation=operation, kind="settle")


async def release(tenant: Tenant, *, credit: Credit, operation: str) -> int:
    """Give a reservation back. A settled or released one stays as it is; returns the balance."""
    return await _close(tenant, credit, operation=operation, kind="release")


async def settle_held(tenant: Tenant, *, credit: Credit, operation: str) -> bool:
    """Make a reservation final; False, and no change, when it was released before."""
    await settle(tenant, credit=credit, operation=operation)
    state: str | None = await tenant.value(
        """
        SELECT state FROM credit_reservations
        WHERE organization_id = $1 AND operation = $2 AND credit = $3
        """,
        operation,
        credit,
    )
    return state == "settled"


async def release_abandoned(tenant: Tenant, *, prefix: str, seconds: float) -> None:
    """Release what operations named `prefix` and an id reserved so long ago that the one who would settle
    it must be dead."""
    # Hexadecimal digits follow, so that these bounds hold in every collation, and an index finds them.
    rows = await tenant.rows(
        """
        SELECT operation, credit FROM credit_reservations
        WHERE organization_id = $1 AND operation >= $2 AND operation < $3 AND state = 'reserved'
          AND created_at <= now() - make_interval(secs => $4)
        ORDER BY operation
        """,
        f"{prefix}0",
        f"{prefix}g",
        seconds,
    )
    for row in rows:
        await release(tenant, credit=row["credit"], operation=row["operation"])


async def balances(tenant: Tenant) -> dict[str, int]:
    """What is left of each credit; one that was never granted is missing."""
    rows = await tenant.rows(
        "SELECT credit, balance FROM credit_balances WHERE organization_id = $1"
    )
    return {row["credit"]: row["balance"] for row in rows}


async def _close(tenant: Tenant, credit: Credit, *, operation: str, kind: EntryKind) -> int:
    balance = await _lock_balance(tenant, credit)
    left: int | None = await tenant.value(
        """
        WITH closed AS (
          UPDATE credit_reservations SET state = $4
          WHERE organization_id = $1 AND operation = $2 AND credit = $3 AND state = 'reserved'
          RETURNING CASE $5 WHEN 'release' THEN amount ELSE 0 END AS back),
        moved AS (
          UPDATE credit_balances b SET balance = b.balance + closed.back FROM closed
          WHERE organization_id = $1 AND credit = $3 RETURNING b.balance, closed.back)
        INSERT INTO credit_ledger (organization_id, entry_id, credit, kind, amount, balance_after,
          reason, operation)
        SELECT $1, $6, $3, $5, back, balance, $7, $2 FROM moved RETURNING balance_after
        """,
        operation,
        credit,
        "settled" if kind == "settle" else "released",
        kind,
        new_id(),
        f"{kind} of the reservation",
    )
    return balance if left is None else left


async def _lock_balance(tenant: Tenant, credit: Credit) -> int:
    """Every change of one balance waits here for its turn, so none is computed from an old one."""
    balance: int | None = await tenant.value(_LOCKED, credit)
    if balance is None:
        await tenant.run(
            """
            INSERT INTO credit_balances (organization_id, credit, balance) VALUES ($1, $2, 0)
            ON CONFLICT DO NOTHING
            """,
            credit,
        )
        balance = await tenant.value(_LOCKED, credit)
        assert balance is not None
    return balance


async def _is_granted(tenant: Tenant, operation: str, *, credit: Credit) -> bool:
    found: UUID | None = await tenant.value(
        """
        SELECT entry_id FROM credit_ledger
        WHERE organization_id = $1 AND operation = $2 AND credit = $3 AND kind = 'grant'
        """,
        operation,
        credit,
    )
    return found is not None


async def _write_grant(
    tenant: Tenant, *, credit: Credit, amount: int, reason: str, operation: str
) -> int:
    balance: int = await tenant.value(
        """
        WITH moved AS (
          UPDATE credit_balances SET balance = balance + $4
          WHERE organization_id = $1 AND credit = $3 RETURNING balance)
        INSERT INTO credit_ledger (organization_id, entry_id, credit, kind, amount, balance_after,
          reason, operation)
        SELECT $1, $2, $3, 'grant', $4, balance, $5, $6 FROM moved
        RETURNING balance_after
        """,
        new_id(),
        credit,
        amount,
        reason,
        operation,
    )
    return balance


async def ledger_page(
    tenant: Tenant, *, credit: Credit | None, part: Slice
) -> tuple[str, int, tuple[str, str] | None]:
    """Ledger lines, newest first, as the text of a JSON array; the exact total; where the page ends.

    `part.before` is such an end: (RFC 3339 time, entry id).
    """
    item = """
      json_build_object('id', entry_id,
        'created_at', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'credit', credit, 'kind', kind, 'amount', amount, 'balance_after', balance_after,
        'reason', reason, 'operation', operation, 'key_id', key_id, 'request_id', request_id)
    """
    where = Where("organization_id = $1", [tenant.organization_id])
    where.add("credit = {}", credit)
    return await read_rows(
        tenant,
        Rows("credit_ledger", item, "entry_id", "created_at", "timestamptz", descending=True),
        where,
        part=part,
    )
