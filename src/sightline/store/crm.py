"""Links between the records of an organization's CRM and accounts or contacts, and its notes.

All functions run inside a tenant transaction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sightline.store.database import Tenant


@dataclass(frozen=True, slots=True)
class Link:
    """Which account or contact a record is."""

    record_id: str
    local_id: UUID
    agreed: Mapping[str, Sequence[str]]
    removed: bool = False


async def find_links(
    tenant: Tenant, provider: str, kind: str, record_ids: Sequence[str]
) -> dict[str, Link]:
    """The links of records, by record."""
    rows = await tenant.rows(
        """
        SELECT record_id, coalesce(account_id, contact_id) AS local_id, agreed, removed FROM crm_links
        WHERE organization_id = $1 AND provider = $2 AND kind = $3 AND record_id = ANY($4)
        """,
        provider,
        kind,
        list(record_ids),
    )
    return {row["record_id"]: Link(**dict(row)) for row in rows}


async def next_links(
    tenant: Tenant, provider: str, kind: str, *, after: str | None, limit: int
) -> list[Link]:
    """The links behind one, in the order of their records, without those that were removed."""
    rows = await tenant.rows(
        """
        SELECT record_id, coalesce(account_id, contact_id) AS local_id, agreed FROM crm_links
        WHERE organization_id = $1 AND provider = $2 AND kind = $3 AND record_id > $4 AND NOT removed
        ORDER BY record_id LIMIT $5
        """,
        provider,
        kind,
        after or "",
        limit,
    )
    return [Link(**dict(row)) for row in rows]


async def save_links(tenant: Tenant, provider: str, kind: str, links: Sequence[Link]) -> None:
    """Write links; a record that was removed and is here again is linked again."""
    await tenant.run(
        """
        INSERT INTO crm_links AS l
          (organization_id, provider, kind, record_id, account_id, contact_id, agreed)
        SELECT $1, $2, $3, w.record_id, CASE WHEN $3 = 'accounts' THEN w.local_id END,
          CASE WHEN $3 = 'contacts' THEN w.local_id END, w.agreed
        FROM unnest($4::text[], $5::uuid[], $6::jsonb[]) AS w (record_id, local_id, agreed)
        ON CONFLICT (organization_id, provider, kind, record_id) DO UPDATE SET
          account_id = excluded.account_id, contact_id = excluded.contact_id,
          agreed = excluded.agreed, removed = false
        """,
        provider,
        kind,
        [each.record_id for each in links],
        [each.local_id for each in links],
        [{name: list(pair) for name, pair in each.agreed.items()} for each in links],
    )


async def mark_removed(
    tenant: Tenant, provider: str, kind: str, record_ids: Sequence[str]
) -> dict[str, UUID]:
    """Record that the CRM has records no longer; what they were, of those newly noted."""
    rows = await tenant.rows(
        """
        UPDATE crm_links SET removed = true
        WHERE organization_id = $1 AND provider = $2 AND kind = $3 AND record_id = ANY($4)
          AND NOT removed
        RETURNING record_id, coalesce(account_id, contact_id) AS local_id
        """,
        provider,
        kind,
        list(record_ids),
    )
    return {row["record_id"]: row["local_id"] for row in rows}


async def unlinked(
    tenant: Tenant, provider: str, kind: str, *, after: str | None, limit: int
) -> list[UUID]:
    """Accounts or contacts that no record is linked to, in the order of their ids."""
    table, name = ("accounts", "account_id") if kind == "accounts" else ("contacts", "contact_id")
    hidden = "" if kind == "accounts" else "AND NOT x.hidden"
    rows = await tenant.rows(
        f"""
        SELECT x.{name} AS id FROM {table} x
        WHERE x.organization_id = $1 AND x.{name} > $3 {hidden} AND NOT EXISTS (
          SELECT FROM crm_links l WHERE l.organization_id = $1 AND l.{name} = x.{name}
            AND l.provider = $2)
        ORDER BY 1 LIMIT $4
        """,
        provider,
        UUID(after) if after else UUID(int=0),
        limit,
    )
    return [row["id"] for row in rows]


async def companies_of(tenant: Tenant, account_ids: Sequence[UUID]) -> dict[UUID, tuple[UUID, str]]:
    """Company and name of each account."""
    rows = await tenant.rows(
        """
        SELECT account_id, company_id, company_name FROM accounts
        WHERE organization_id = $1 AND account_id = ANY($2)
        """,
        list(account_ids),
    )
    return {row["account_id"]: (row["company_id"], row["company_name"]) for row in rows}


async def last_written(
    tenant: Tenant, kind: str, local_ids: Sequence[UUID]
) -> dict[UUID, datetime]:
    """When each account or contact was last written."""
    table, name = ("accounts", "account_id") if kind == "accounts" else ("contacts", "contact_id")
    rows = await tenant.rows(
        f"""
        SELECT {name} AS id, updated_at FROM {table}
        WHERE organization_id = $1 AND {name} = ANY($2)
        """,
        list(local_ids),
    )
    return {row["id"]: row["updated_at"] for row in rows}


@dataclass(frozen=True, slots=True)
class KeptNote:
    """A note on a record, by what it is about; `note_id` is None until the CRM's answer is known."""

    subject: str
    account_id: UUID
    record_id: str
    note_id: str | None
    digest: str


async def notes_of(tenant: Tenant, provider: str, subjects: Sequence[str]) -> dict[str, KeptNote]:
    """The notes that are kept, by subject."""
    rows = await tenant.rows(
        """
        SELECT subject, account_id, record_id, note_id, digest FROM crm_notes
        WHERE organization_id = $1 AND provider = $2 AND subject = ANY($3)
        """,
        provider,
        list(subjects),
    )
    return {row["subject"]: KeptNote(**dict(row)) for row in rows}


async def save_notes(tenant: Tenant, provider: str, notes: Sequence[KeptNote]) -> None:
    """Record notes that are about to be made, or were."""
    await tenant.run(
        """
        INSERT INTO crm_notes AS n
          (organization_id, provider, subject, account_id, record_id, note_id, digest)
        SELECT $1, $2, * FROM unnest($3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[])
        ON CONFLICT (organization_id, provider, subject) DO UPDATE SET
          note_id = coalesce(excluded.note_id, n.note_id), digest = excluded.digest
        """,
        provider,
        [each.subject for each in notes],
        [each.account_id for each in notes],
        [each.record_id for each in notes],
        [each.note_id for each in notes],
        [each.digest for each in notes],
    )
