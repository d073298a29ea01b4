"""What is known of a company before it is enriched: the organization's account, the catalogue's row."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.names import name_key
from sightline.store.database import Connection

# Source systems whose external ids are numbers of a register: they tell namesakes apart.
REGISTERS = {"sec_cik": "cik", "cik": "cik", "lei": "lei", "wikidata": "wikidata_id"}


@dataclass(frozen=True, slots=True)
class Hint:
    """What the organization's own account says of the company that is to be enriched."""

    company_id: UUID
    values: Mapping[str, Any]
    references: Mapping[str, str]  # source system -> external id


async def known_company(
    connection: Connection, organization_id: OrganizationId, asked: Mapping[str, Any]
) -> UUID | None:
    """The company that an input names by id, external id or domain, or as the organization's only account
    of a name; None while nobody knows."""
    found = await referred_company(connection, organization_id, asked)
    return found or await only_account_of_name(connection, organization_id, asked)


async def referred_company(
    connection: Connection, organization_id: OrganizationId, asked: Mapping[str, Any]
) -> UUID | None:
    """The company that an input names by id, external id or domain. An `id` is that of an account or of
    a company."""
    found: UUID | None = await connection.fetchval(
        """
        SELECT coalesce(
          (SELECT coalesce(c.merged_into, a.company_id) FROM accounts a
             LEFT JOIN companies c ON c.company_id = a.company_id
             WHERE a.organization_id = $1 AND (a.account_id = $2 OR a.company_id = $2) LIMIT 1),
          (SELECT coalesce(merged_into, company_id) FROM companies WHERE company_id = $2),
          CASE WHEN $2::uuid IS NULL THEN coalesce(
            (SELECT a.company_id FROM account_references r
               JOIN accounts a USING (organization_id, account_id)
               WHERE r.organization_id = $1 AND r.source_system = $4 AND r.external_id = $3),
            (SELECT a.company_id FROM account_domains d
               JOIN accounts a USING (organization_id, account_id)
               WHERE d.organization_id = $1 AND d.domain = $5),
            (SELECT company_id FROM company_domains WHERE domain = $5)) END)
        """,
        organization_id,
        UUID(asked["id"]) if asked.get("id") else None,
        asked.get("external_id"),
        asked.get("source_system") or "external",
        asked.get("domain"),
    )
    return found


async def only_account_of_name(
    connection: Connection, organization_id: OrganizationId, asked: Mapping[str, Any]
) -> UUID | None:
    """The company of the organization's accounts that has the very name asked for, unless several have
    it, or a domain, a register's number or another reference of the same system says that it is not
    that one."""
    key = name_key(asked.get("company_name") or "")
    system = (asked.get("source_system") or "external") if asked.get("external_id") else None
    if not key or asked.get("id") or asked.get("domain") or system in REGISTERS:
        return None
    rows = await connection.fetch(
        """
        SELECT coalesce(c.merged_into, a.company_id) AS company_id,
          EXISTS (SELECT FROM account_references r WHERE r.organization_id = $1
            AND r.account_id = a.account_id AND r.source_system = $3) AS is_referred_to
        FROM accounts a LEFT JOIN companies c ON c.company_id = a.company_id
        WHERE a.organization_id = $1 AND a.name_key = $2
        """,
        organization_id,
        key,
        system,
    )
    if any(row["is_referred_to"] for row in rows):
        return None
    companies: set[UUID] = {row["company_id"] for row in rows}
    return companies.pop() if len(companies) == 1 else None


async def hint_of(
    connection: Connection, organization_id: OrganizationId, company_id: UUID
) -> Hint | None:
    """What the organization's account of a company says; None when it has none."""
    row = await connection.fetchrow(
        """
        SELECT a.company_id, r.own, (
            SELECT coalesce(jsonb_object_agg(f.source_system, f.external_id), '{}')
            FROM account_references f
            WHERE f.organization_id = $1 AND f.account_id = a.account_id) AS refs
        FROM accounts a JOIN account_records r USING (organization_id, account_id)
        WHERE a.organization_id = $1 AND a.company_id = $2
        """,
        organization_id,
        company_id,
    )
    return Hint(row["company_id"], row["own"], row["refs"]) if row else None
