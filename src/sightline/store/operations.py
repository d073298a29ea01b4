"""Operations: an organization's request, its progress and its cost.

The row is the truth. A worker changes it only under the fence of its claim on the work.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from sightline.domain.callers import KeyId, UserId
from sightline.kit.ids import new_id
from sightline.store import work
from sightline.store.companies import ids_of
from sightline.store.database import Tenant

KEPT_DAYS = 30
CHARGED_DAYS = 30  # the same company again within this time costs nothing
CREDIT: Literal["company"] = "company"
WORK_KIND = "company_enrichment"

OperationStatus = Literal["queued", "running", "succeeded", "partial", "failed", "cancelled"]
FINISHED: tuple[OperationStatus, ...] = ("succeeded", "partial", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Operation:
    """An enrichment operation as its worker needs it."""

    operation_id: UUID
    status: OperationStatus
    input: Mapping[str, Any]
    parent_id: UUID | None
    company_id: UUID | None
    amount: int
    charge: str
    cancel_requested: bool
    steps: Sequence[Mapping[str, Any]]
    request_id: str | None  # of the request that asked for it


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asked, for the ledger and the audit."""

    key_id: KeyId | None
    user_id: UserId | None
    request_id: str | None


def charge_reference(operation_id: UUID) -> str:
    """What the ledger calls an operation."""
    return f"operation:{operation_id}"


async def companies_in_refresh(tenant: Tenant) -> set[UUID]:
    """The companies whose free enrichment is queued or running. Until the transaction ends, no other
    one of the organization is answered."""
    await tenant.run("SELECT FROM organizations WHERE organization_id = $1 FOR UPDATE")
    rows = await tenant.rows(
        """
        SELECT (input ->> 'id')::uuid AS id FROM operations
        WHERE organization_id = $1 AND finished_at IS NULL
          AND status IN ('queued', 'running') AND input ->> 'refresh' = 'true'
        """
    )
    return {row["id"] for row in rows}


async def add_operations(
    tenant: Tenant,
    inputs: Sequence[Mapping[str, Any]],
    *,
    amounts: Sequence[int],
    asker: Asker,
    parent_id: UUID | None = None,
    priority: int = 0,
) -> list[UUID]:
    """Queue one enrichment per input, with its work; credits are the caller's to reserve.

    `amounts` are the credits held for each.
    """
    ids = [new_id() for _ in inputs]
    await tenant.run(
        """
        INSERT INTO operations (organization_id, operation_id, kind, status, input, parent_id, item,
          external_id, amount, charge, key_id, user_id, request_id)
        SELECT $1, w.operation_id, 'company_enrichment', 'queued', w.input, $2,
          CASE WHEN $2::uuid IS NULL THEN NULL ELSE w.n - 1 END, w.input ->> 'external_id', w.amount,
          CASE WHEN w.amount > 0 THEN 'reserved' ELSE 'none' END, $6, $7, $8
        FROM unnest($3::uuid[], $4::jsonb[], $5::int[]) WITH ORDINALITY
          AS w (operation_id, input, amount, n)
        """,
        parent_id,
        ids,
        [dict(each) for each in inputs],
        list(amounts),
        asker.key_id,
        asker.user_id,
        asker.request_id,
    )
    await work.put_many(
        tenant,
        WORK_KIND,
        [(str(each), {}) for each in ids],
        organization_id=tenant.organization_id,
        priority=priority,
    )
    return ids


async def add_bulk(tenant: Tenant, *, total: int, asker: Asker) -> UUID:
    """Make the operation that many others are items of."""
    operation_id = new_id()
    await tenant.run(
        """
        INSERT INTO operations (organization_id, operation_id, kind, status, input, total,
          key_id, user_id, request_id)
        VALUES ($1, $2, 'bulk_enrichment', 'queued', $3, $4, $5, $6, $7)
        """,
        operation_id,
        {"items": total},
        total,
        asker.key_id,
        asker.user_id,
        asker.request_id,
    )
    return operation_id


async def load(tenant: Tenant, operation_id: UUID) -> Operation | None:
    """An enrichment operation, locked until the transaction ends."""
    row = await tenant.row(
        """
        SELECT operation_id, status, input, parent_id, company_id, amount, charge, cancel_requested,
          steps, request_id
        FROM operations WHERE organization_id = $1 AND operation_id = $2 FOR UPDATE
        """,
        operation_id,
    )
    return Operation(**dict(row)) if row else None


async def start(tenant: Tenant, operation_id: UUID, *, fence: int, total: int) -> None:
    """Record that a worker has it now. A second start begins the steps again."""
    await tenant.run(
        """
        UPDATE operations SET status = 'running', started_at = coalesce(started_at, now()),
          fence = $3, total = $4, done = 0, steps = '[]'
        WHERE organization_id = $1 AND operation_id = $2
        """,
        operation_id,
        fence,
        total,
    )


async def note_progress(
    tenant: Tenant,
    operation_id: UUID,
    *,
    steps: Sequence[Mapping[str, Any]],
    done: int,
    company_id: UUID | None,
    match: Mapping[str, Any] | None,
) -> bool:
    """Record how far it is; returns whether someone asked for it to be cancelled."""
    cancelled: bool | None = await tenant.value(
        """
        UPDATE operations SET steps = $3, done = $4, company_id = coalesce($5, company_id),
          match = coalesce($6, match)
        WHERE organization_id = $1 AND operation_id = $2 RETURNING cancel_requested
        """,
        operation_id,
        list(steps),
        done,
        company_id,
        dict(match) if match is not None else None,
    )
    return bool(cancelled)


async def finish(
    tenant: Tenant,
    operation: Operation,
    *,
    status: OperationStatus,
    charge: str,
    error: Mapping[str, Any] | None,
) -> None:
    """End an operation, and with its last item the bulk operation that it belongs to."""
    await tenant.run(
        """
        UPDATE operations SET status = $3, charge = $4, error = $5, finished_at = now()
        WHERE organization_id = $1 AND operation_id = $2
        """,
        operation.operation_id,
        status,
        charge,
        dict(error) if error is not None else None,
    )
    if operation.parent_id is not None:
        await _count_item(
            tenant,
            operation.parent_id,
            status=status,
            spent=operation.amount if charge == "settled" else 0,
        )


async def request_cancel(tenant: Tenant, operation_id: UUID) -> bool:
    """Ask for an operation, and all its items, to be cancelled. False when there is none.

    What is finished stays as it is.
    """
    # Locked in the order in which a worker that ends an item locks them: items, then the whole.
    rows = await tenant.rows(
        """
        WITH open AS MATERIALIZED (
          SELECT operation_id FROM operations
          WHERE organization_id = $1 AND (operation_id = $2 OR parent_id = $2)
            AND status IN ('queued', 'running')
          ORDER BY parent_id IS NULL, operation_id FOR NO KEY UPDATE)
        UPDATE operations o SET cancel_requested = true FROM open
        WHERE o.organization_id = $1 AND o.operation_id = open.operation_id
        RETURNING o.operation_id, o.kind
        """,
        operation_id,
    )
    # Whatever waits is taken up at once, so that it ends and gives back its credits. What a worker
    # holds at this moment it ends by itself; waiting for it here would be a deadlock.
    await tenant.execute(
        """
        UPDATE work SET ready_at = least(ready_at, now()), priority = -1
        WHERE work_id IN (SELECT work_id FROM work WHERE kind = $1 AND subject = ANY($2::text[])
          ORDER BY work_id FOR UPDATE SKIP LOCKED)
        """,
        WORK_KIND,
        [str(row["operation_id"]) for row in rows if row["kind"] == WORK_KIND],
    )
    return bool(rows) or await tenant.value(
        "SELECT EXISTS (SELECT FROM operations WHERE organization_id = $1 AND operation_id = $2)",
        operation_id,
    )


async def was_charged(tenant: Tenant, company_id: UUID) -> bool:
    """Whether the organization paid for the company within the last 30 days."""
    found: bool = await tenant.value(
        f"""
        SELECT EXISTS (SELECT FROM company_charges WHERE organization_id = $1
          AND company_id = ANY({ids_of("ARRAY[$2::uuid]")})
          AND charged_at > now() - interval '{CHARGED_DAYS} days')
        """,
        company_id,
    )
    return found


async def note_charge(tenant: Tenant, *, company_id: UUID, operation_id: UUID) -> bool:
    """Claim the charge of a company; False when it was charged within 30 days already."""
    charged: bool | None = await tenant.value(
        f"""
        INSERT INTO company_charges AS c (organization_id, company_id, charged_at, operation_id)
        SELECT $1, $2, now(), $3 WHERE NOT EXISTS (
          SELECT FROM company_charges o WHERE o.organization_id = $1 AND o.company_id <> $2
            AND o.company_id = ANY({ids_of("ARRAY[$2::uuid]")})
            AND o.charged_at > now() - interval '{CHARGED_DAYS} days' AND o.operation_id <> $3)
        ON CONFLICT (organization_id, company_id) DO UPDATE
          SET charged_at = now(), operation_id = $3
          WHERE c.charged_at <= now() - interval '{CHARGED_DAYS} days' OR c.operation_id = $3
        RETURNING true
        """,
        company_id,
        operation_id,
    )
    return bool(charged)


async def failed_inputs(tenant: Tenant, parent_id: UUID) -> list[dict[str, Any]]:
    """The inputs of a bulk operation's failed items, in order."""
    rows = await tenant.rows(
        """
        SELECT input FROM operations WHERE organization_id = $1 AND parent_id = $2
          AND status = 'failed' ORDER BY item
        """,
        parent_id,
    )
    return [row["input"] for row in rows]


async def delete_expired(tenant: Tenant) -> int:
    """Forget operations twice as old as they are kept; until then they answer that they are gone."""
    status = await tenant.run(
        f"""
        DELETE FROM operations WHERE organization_id = $1
          AND finished_at < now() - interval '{2 * KEPT_DAYS} days'
        """
    )
    return int(status.split()[-1])


async def _count_item(
    tenant: Tenant, parent_id: UUID, *, status: OperationStatus, spent: int
) -> None:
    """Count an item that ended; the last one ends the whole."""
    await tenant.run(
        """
        UPDATE operations SET done = done + 1, amount = amount + $4,
          succeeded = succeeded + ($3 = 'succeeded')::int, failed = failed + ($3 = 'failed')::int,
          cancelled = cancelled + ($3 = 'cancelled')::int, status = 'running',
          started_at = coalesce(started_at, now())
        WHERE organization_id = $1 AND operation_id = $2
        """,
        parent_id,
        status,
        spent,
    )
    await tenant.run(
        """
        UPDATE operations SET finished_at = now(),
          charge = CASE WHEN amount > 0 THEN 'settled' ELSE 'none' END,
          status = CASE WHEN succeeded = total THEN 'succeeded'
            WHEN cancelled = total THEN 'cancelled'
            WHEN failed + cancelled = total THEN 'failed' ELSE 'partial' END
        WHERE organization_id = $1 AND operation_id = $2 AND done >= total
        """,
        parent_id,
    )
