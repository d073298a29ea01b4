"""The sample companies of an organization: whether they were loaded, which they are, their removal.

An account is of the sample when the import of the sample created it; a person may have others under
`.example`.
"""

from typing import Final
from uuid import UUID

from sightline.store.companies import ids_of
from sightline.store.database import Tenant
from sightline.store.operations import WORK_KIND, request_cancel
from sightline.store.organizations import record_audit

SOURCE_SYSTEM: Final = "sightline_sample"
"""What the import of the sample says its ids are of; no file name leads to it."""
_LOADED = f"""
  SELECT c.account_id FROM imports i JOIN import_changes c USING (organization_id, import_id)
  WHERE i.organization_id = $1 AND i.kind = 'accounts' AND c.is_created
    AND i.options ->> 'source_system' = '{SOURCE_SYSTEM}'
"""
_OF_SAMPLE = f"a.account_id = ANY(ARRAY({_LOADED}))"
WATCH: Final = "Sample: leadership, deals and growth"
"""The watch that shows what alerts are; it goes with the sample."""
# What organizations keep under the id of a company; alerts and messages go with what they belong to.
_KEPT: Final = (
    "events", "agent_sessions", "content", "monitored_companies", "organization_sections",
)  # fmt: skip


async def is_wanted(tenant: Tenant) -> bool:
    """Whether the sample should be loaded: not when it was before or was removed, which the audit log
    says (of the first versions: a ledger line), nor beside companies of the organization's own."""
    wanted: bool = await tenant.value(
        f"""
        SELECT NOT EXISTS (SELECT FROM credit_ledger WHERE organization_id = $1 AND operation = 'sample')
          AND NOT EXISTS (SELECT FROM audit_log WHERE organization_id = $1
            AND subject = 'sample' AND action IN ('load', 'remove'))
          AND NOT EXISTS (SELECT FROM accounts a
            WHERE a.organization_id = $1 AND NOT {_OF_SAMPLE})
        """
    )
    return wanted


async def note_loading(tenant: Tenant) -> None:
    """Record that the sample was loaded: it is never loaded again."""
    await record_audit(tenant, action="load", subject="sample", actor="up")


async def sample_accounts(tenant: Tenant) -> list[UUID]:
    """The accounts of the sample's companies, by name."""
    rows = await tenant.rows(
        f"""
        SELECT a.account_id FROM accounts a
        WHERE a.organization_id = $1 AND {_OF_SAMPLE} ORDER BY a.sort_key
        """
    )
    return [row["account_id"] for row in rows]


async def count_companies(tenant: Tenant) -> tuple[bool, int]:
    """Whether the organization has accounts of its own, and how many it has of the sample. Accounts are
    counted only while the sample is there, for there may be a million of them."""
    row = await tenant.row(
        f"""
        SELECT EXISTS (SELECT FROM accounts a
            WHERE a.organization_id = $1 AND NOT {_OF_SAMPLE}) AS own,
          CASE (SELECT action FROM audit_log WHERE organization_id = $1 AND subject = 'sample'
              AND action IN ('load', 'remove') ORDER BY at DESC LIMIT 1)
            WHEN 'load' THEN (SELECT count(*) FROM accounts a
              WHERE a.organization_id = $1 AND {_OF_SAMPLE}) ELSE 0 END AS sample
        """
    )
    return (row["own"], row["sample"]) if row else (False, 0)


async def is_of_sample(tenant: Tenant, company_id: UUID) -> bool:
    """Whether an organization's account of a company is one of the sample."""
    found: bool = await tenant.value(
        f"""
        SELECT EXISTS (SELECT FROM accounts a
          WHERE a.organization_id = $1 AND a.company_id = $2 AND {_OF_SAMPLE})
        """,
        company_id,
    )
    return found


async def remove_sample(tenant: Tenant) -> int:
    """Remove the accounts of the sample's companies with their events, alerts, conversations, content and
    sections; returns how many. Enrichments of them that have not ended are cancelled.

    It is written to the audit log, and they are not loaded again. Operations that ended, contacts and
    ledger lines stay. The catalogue keeps its public facts.
    """
    ids = ids_of(
        f"ARRAY(SELECT company_id FROM accounts a WHERE a.organization_id = $1 AND {_OF_SAMPLE})"
    )
    # What is kept under ids of a company that it had before stays there when it gets another.
    companies: list[UUID] = await tenant.value(f"SELECT {ids}")
    accounts = await sample_accounts(tenant)
    unfinished = await tenant.rows(
        """
        SELECT operation_id FROM operations
        WHERE organization_id = $1 AND status IN ('queued', 'running') AND kind = $2
          AND (input ->> 'id' = ANY($3::text[]) OR input ->> 'domain' IN (
            SELECT domain FROM account_domains WHERE organization_id = $1 AND account_id = ANY($4::uuid[])))
        ORDER BY operation_id
        """,
        WORK_KIND,
        [str(each) for each in (*accounts, *companies)],
        accounts,
    )
    for row in unfinished:
        await request_cancel(tenant, row["operation_id"])
    removed = await tenant.rows(
        f"DELETE FROM accounts a WHERE a.organization_id = $1 AND {_OF_SAMPLE} RETURNING company_id"
    )
    for table in _KEPT:
        await tenant.run(
            f"DELETE FROM {table} WHERE organization_id = $1 AND company_id = ANY($2::uuid[])",
            [*companies, *(row["company_id"] for row in removed)],
        )
    await tenant.run("DELETE FROM watches WHERE organization_id = $1 AND name = $2", WATCH)
    await record_audit(
        tenant, action="remove", subject="sample", details={"accounts": len(removed)}
    )
    return len(removed)
