"""The sample companies of an organization: whether they were loaded, which they are, their removal.

A company is of the sample when its web site is under `.example`, where no real one can be (RFC 2606).
"""

from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.store.database import Connection
from sightline.store.operations import WORK_KIND, request_cancel

_OF_SAMPLE = "(a.website_domain = 'example' OR a.website_domain LIKE '%.example')"


async def is_wanted(connection: Connection, organization_id: OrganizationId, mark: str) -> bool:
    """Whether the sample should be loaded: not when it was before, which a ledger line of the
    operation `mark` says, nor beside companies of the organization's own."""
    wanted: bool = await connection.fetchval(
        f"""
        SELECT NOT EXISTS (SELECT FROM credit_ledger WHERE organization_id = $1 AND operation = $2)
          AND NOT EXISTS (SELECT FROM accounts a
            WHERE a.organization_id = $1 AND {_OF_SAMPLE} IS NOT TRUE)
        """,
        organization_id,
        mark,
    )
    return wanted


async def sample_accounts(connection: Connection, organization_id: OrganizationId) -> list[UUID]:
    """The accounts of the sample's companies, by name."""
    rows = await connection.fetch(
        f"""
        SELECT a.account_id FROM accounts a
        WHERE a.organization_id = $1 AND {_OF_SAMPLE} ORDER BY a.sort_key
        """,
        organization_id,
    )
    return [row["account_id"] for row in rows]


async def remove_sample(connection: Connection, organization_id: OrganizationId) -> int:
    """Remove the accounts of the sample's companies with their events, alerts, conversations and
    content; answers how many. Enrichments of them that have not ended are cancelled.

    Operations that ended, contacts and ledger lines stay. The catalogue keeps its public facts.
    """
    unfinished = await connection.fetch(
        f"""
        SELECT operation_id FROM operations o
        WHERE organization_id = $1 AND status IN ('queued', 'running') AND kind = $2
          AND (input->>'domain' LIKE '%.example' OR EXISTS (SELECT FROM accounts a
            WHERE a.organization_id = $1 AND {_OF_SAMPLE}
              AND o.input->>'id' IN (a.account_id::text, a.company_id::text)))
        ORDER BY operation_id
        """,
        organization_id,
        WORK_KIND,
    )
    for row in unfinished:
        await request_cancel(connection, organization_id, row["operation_id"])
    companies = await connection.fetch(
        f"DELETE FROM accounts a WHERE a.organization_id = $1 AND {_OF_SAMPLE} RETURNING company_id",
        organization_id,
    )
    for table in ("events", "agent_sessions", "content", "monitored_companies"):
        await connection.execute(
            f"DELETE FROM {table} WHERE organization_id = $1 AND company_id = ANY($2::uuid[])",
            organization_id,
            [row["company_id"] for row in companies],
        )
    return len(companies)
