"""Operations as the API returns them: one, several, or a page."""

from collections.abc import Collection, Sequence
from uuid import UUID

from sightline.store.database import Tenant
from sightline.store.operations import KEPT_DAYS
from sightline.store.pages import Rows, Slice, Where, read_rows, utc

_OBJECT = f"""
  json_build_object(
    'public_operation_id', operation_id, 'kind', kind, 'status', status,
    'progress', json_build_object('done', done, 'total', total),
    'steps', steps, 'input', input, 'company_id', company_id, 'match', match,
    'cost', json_build_object('credit', credit, 'amount', amount, 'state', charge),
    'created_at', {utc("created_at")},
    'started_at', {utc("started_at")},
    'finished_at', {utc("finished_at")},
    'error', error,
    'next_poll_after', CASE WHEN finished_at IS NULL
      THEN {utc("(now() + interval '1 second')")} END)
"""


async def read_operation(tenant: Tenant, operation_id: UUID) -> tuple[str, bool] | None:
    """An operation as JSON text, and whether it is past the time that it is kept. None: no such one."""
    row = await tenant.row(
        f"""
        SELECT {_OBJECT}::text AS body,
          coalesce(finished_at < now() - interval '{KEPT_DAYS} days', false) AS expired
        FROM operations WHERE organization_id = $1 AND operation_id = $2
        """,
        operation_id,
    )
    return (row["body"], row["expired"]) if row else None


async def read_operations(tenant: Tenant, operation_ids: Sequence[UUID]) -> list[str]:
    """Operations as JSON texts, in the order of the ids."""
    rows = await tenant.rows(
        f"""
        SELECT {_OBJECT}::text AS body FROM operations
        JOIN unnest($2::uuid[]) WITH ORDINALITY AS w (operation_id, n) USING (operation_id)
        WHERE organization_id = $1 ORDER BY n
        """,
        list(operation_ids),
    )
    return [row["body"] for row in rows]


async def operations_page(
    tenant: Tenant, *, parent_id: UUID | None, statuses: Sequence[str] | None, part: Slice
) -> tuple[str, int, tuple[str, str] | None]:
    """Operations, newest first; with `parent_id` the items of a bulk operation, in their order."""
    where = Where(
        f"""
          organization_id = $1 AND parent_id IS {"" if parent_id is None else "NOT"} NULL
            AND (finished_at IS NULL OR finished_at >= now() - interval '{KEPT_DAYS} days')
        """,
        [tenant.organization_id],
    )
    where.add("parent_id = {}", parent_id)
    where.add("status = ANY({}::text[])", list(statuses) if statuses is not None else None)
    rows = Rows("operations", _OBJECT, "operation_id", "created_at", "timestamptz", descending=True)
    if parent_id is not None:
        item = f"({_OBJECT}::jsonb || jsonb_build_object('item', item, 'external_id', external_id))::json"
        rows = Rows("operations", item, "operation_id", "item", "int")
    return await read_rows(tenant, rows, where, part=part)


async def names_of(tenant: Tenant, ids: Collection[str]) -> dict[str, str]:
    """The names of the organization's companies, by the ids that operations were given for them: of
    accounts or of companies. Those it does not have are left out."""
    rows = await tenant.rows(
        """
        SELECT account_id::text, company_id::text, company_name FROM accounts
        WHERE organization_id = $1 AND account_id = ANY($2::uuid[])
        UNION
        SELECT account_id::text, company_id::text, company_name FROM accounts
        WHERE organization_id = $1 AND company_id = ANY($2::uuid[])
        """,
        list(ids),
    )
    return {row[key]: row["company_name"] for row in rows for key in ("account_id", "company_id")}
