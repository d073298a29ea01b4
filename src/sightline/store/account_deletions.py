"""Deletes accounts, one or many, with their dependent rows.

The catalogue keeps its companies and their evidence, the ledger and the audit log keep their lines,
and a company that was paid for stays free for its 30 days. All functions run inside a transaction bound
to the organization.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sightline.kit.ids import new_id
from sightline.store import work
from sightline.store.account_writes import hold_account_writes
from sightline.store.accounts import AccountFilter, conditions_of
from sightline.store.database import Tenant
from sightline.store.operations import WORK_KIND as ENRICHMENT
from sightline.store.operations import Asker, request_cancel

WORK_KIND = "delete_accounts"


async def delete_accounts(tenant: Tenant, account_ids: Sequence[UUID]) -> int:
    """Delete accounts; returns how many there were. Ids that are not accounts are ignored.

    They leave their lists, territories and watches. Enrichments of them that have not ended are
    cancelled, or they would make the accounts again. Of a company that the catalogue does not know,
    events and alerts go as well, and contacts stay without a company.
    """
    await hold_account_writes(tenant)
    rows = await tenant.rows(
        """
        SELECT a.account_id, a.company_id, c.company_id IS NULL AS is_private
        FROM accounts a LEFT JOIN companies c USING (company_id)
        WHERE a.organization_id = $1 AND a.account_id = ANY($2::uuid[])
        """,
        list(account_ids),
    )
    if not rows:
        return 0
    found = [row["account_id"] for row in rows]
    companies = [row["company_id"] for row in rows]
    await _cancel_enrichments(tenant, found, companies)
    await tenant.run(
        """
        UPDATE territories t SET account_count = account_count - gone.members
        FROM (SELECT territory_id, count(*)::int AS members FROM territory_members
              WHERE organization_id = $1 AND account_id = ANY($2::uuid[]) GROUP BY 1) AS gone
        WHERE t.organization_id = $1 AND t.territory_id = gone.territory_id
        """,
        found,
    )
    await tenant.run(
        "DELETE FROM accounts WHERE organization_id = $1 AND account_id = ANY($2::uuid[])", found
    )
    # An organization that adds the company again begins with a new baseline, not with alerts of all since.
    await tenant.run(
        "DELETE FROM monitored_companies WHERE organization_id = $1"
        " AND company_id = ANY($2::uuid[])",
        companies,
    )
    await _forget_private(tenant, [row["company_id"] for row in rows if row["is_private"]])
    return len(found)


async def matching_accounts(tenant: Tenant, where: AccountFilter) -> list[UUID]:
    """The ids of all accounts that match, in order."""
    tables, conditions, values = conditions_of(tenant.organization_id, where)
    rows = await tenant.fetch(
        f"SELECT a.account_id FROM {tables} WHERE {' AND '.join(conditions)} ORDER BY 1", *values
    )
    return [row["account_id"] for row in rows]


async def existing_accounts(tenant: Tenant, account_ids: Sequence[UUID]) -> list[UUID]:
    """Those of the ids that are accounts, in order."""
    rows = await tenant.rows(
        "SELECT account_id FROM accounts WHERE organization_id = $1"
        " AND account_id = ANY($2::uuid[]) ORDER BY 1",
        list(account_ids),
    )
    return [row["account_id"] for row in rows]


async def queue_deletion(
    tenant: Tenant, account_ids: Sequence[UUID], *, asked: Mapping[str, Any], asker: Asker
) -> UUID:
    """Have these accounts, and no others, deleted by a worker; returns the operation."""
    operation_id = new_id()
    await tenant.run(
        """
        INSERT INTO operations (organization_id, operation_id, kind, status, input, total,
          key_id, user_id, request_id)
        VALUES ($1, $2, 'account_deletion', 'queued', $3, $4, $5, $6, $7)
        """,
        operation_id,
        dict(asked),
        len(account_ids),
        asker.key_id,
        asker.user_id,
        asker.request_id,
    )
    await tenant.run(
        """
        INSERT INTO operation_accounts (organization_id, operation_id, account_id)
        SELECT $1, $2, unnest($3::uuid[])
        """,
        operation_id,
        list(account_ids),
    )
    await work.put(tenant, WORK_KIND, str(operation_id), organization_id=tenant.organization_id)
    return operation_id


async def delete_next(tenant: Tenant, operation_id: UUID, *, limit: int) -> bool:
    """Delete the next accounts of an operation and note its progress; False when it is at its end:
    all are gone, or someone cancelled it."""
    status = await tenant.row(
        """
        UPDATE operations SET status = 'running', started_at = coalesce(started_at, now())
        WHERE organization_id = $1 AND operation_id = $2 AND finished_at IS NULL
        RETURNING cancel_requested
        """,
        operation_id,
    )
    if status is None:
        return False
    rows = await tenant.rows(
        """
        SELECT account_id FROM operation_accounts
        WHERE organization_id = $1 AND operation_id = $2 ORDER BY account_id LIMIT $3
        """,
        operation_id,
        limit,
    )
    if status["cancel_requested"] or not rows:
        await tenant.run(
            """
            UPDATE operations SET finished_at = now(), status = CASE WHEN $3 THEN 'cancelled'
                ELSE 'succeeded' END, done = CASE WHEN $3 THEN done ELSE total END
            WHERE organization_id = $1 AND operation_id = $2
            """,
            operation_id,
            bool(rows),
        )
        return False
    # Counted by what was asked for: an account that someone else deleted meanwhile is gone too.
    await delete_accounts(tenant, [row["account_id"] for row in rows])
    await tenant.run(
        "UPDATE operations SET done = done + $3 WHERE organization_id = $1 AND operation_id = $2",
        operation_id,
        len(rows),
    )
    return True


async def _cancel_enrichments(
    tenant: Tenant, account_ids: Sequence[UUID], company_ids: Sequence[UUID]
) -> None:
    rows = await tenant.rows(
        """
        SELECT operation_id FROM operations o
        WHERE organization_id = $1 AND status IN ('queued', 'running') AND kind = $2
          AND (company_id = ANY($3::uuid[]) OR input ->> 'id' = ANY($4::text[])
            OR EXISTS (SELECT FROM account_domains d WHERE d.organization_id = $1
              AND d.domain = o.input ->> 'domain' AND d.account_id = ANY($5::uuid[])))
        ORDER BY operation_id
        """,
        ENRICHMENT,
        list(company_ids),
        [str(each) for each in (*account_ids, *company_ids)],
        list(account_ids),
    )
    for row in rows:
        await request_cancel(tenant, row["operation_id"])


async def _forget_private(tenant: Tenant, company_ids: Sequence[UUID]) -> None:
    """Companies that no one knows any more: their events would have no name, and contacts that named
    one would not find it again under the id of a later account."""
    if not company_ids:
        return
    await tenant.run(
        "DELETE FROM events WHERE organization_id = $1 AND company_id = ANY($2::uuid[])",
        list(company_ids),
    )
    await tenant.run(
        """
        UPDATE contacts SET updated_at = now(), document = replace(document,
            '"company_id": "' || company_id || '"', '"company_id": null'), company_id = NULL
        WHERE organization_id = $1 AND company_id = ANY($2::uuid[])
        """,
        list(company_ids),
    )
