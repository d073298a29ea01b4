"""What is known of a company before enrichment: the organization's account and the catalogue's row."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline.domain.names import name_key
from sightline.store.database import Tenant

# Source systems whose external ids are numbers of a register: they tell namesakes apart.
REGISTERS = {"sec_cik": "cik", "cik": "cik", "lei": "lei", "wikidata": "wikidata_id"}


_OWN = """SELECT '{part}' AS part, a.account_id, coalesce(c.merged_into, a.company_id) AS company_id
  FROM {table} JOIN accounts a USING (organization_id, account_id)
  LEFT JOIN companies c ON c.company_id = a.company_id
  WHERE a.organization_id = $1 AND {condition}"""
_PUBLIC = """SELECT '{part}', NULL, coalesce(c.merged_into, c.company_id)
  FROM {table} JOIN companies c USING (company_id) WHERE {condition}"""
_NAMED = f"""
WITH named AS (
  {_OWN.format(part="id", table="accounts i", condition="i.account_id = $2")}
  UNION ALL {_OWN.format(part="id", table="accounts i", condition="i.company_id = $2")}
  UNION ALL {_PUBLIC.format(part="id", table="companies i", condition="i.company_id = $2")}
  UNION ALL {
    _OWN.format(
        part="external_id",
        table="account_references r",
        condition="r.organization_id = $1 AND r.source_system = $4 AND r.external_id = $3",
    )
}
  UNION ALL {
    _PUBLIC.format(
        part="external_id",
        table="company_identifiers i",
        condition="i.scheme = $6 AND i.identifier = $3",
    )
}
  UNION ALL {
    _OWN.format(
        part="domain",
        table="account_domains d",
        condition="d.organization_id = $1 AND d.domain = $5",
    )
}
  UNION ALL {_PUBLIC.format(part="domain", table="company_domains d", condition="d.domain = $5")}
)
SELECT DISTINCT ON (n.part, n.company_id) n.part, n.company_id,
  coalesce(a.company_name, c.company_name) AS name
FROM named n
LEFT JOIN companies c ON c.company_id = n.company_id
LEFT JOIN accounts a ON a.organization_id = $1 AND a.account_id = n.account_id
WHERE c.company_id IS NOT NULL OR EXISTS (
  SELECT FROM account_domains d WHERE d.organization_id = $1 AND d.account_id = n.account_id)
ORDER BY n.part, n.company_id, n.account_id
"""


@dataclass(frozen=True, slots=True)
class Hint:
    """What the organization's own account says of the company that is to be enriched."""

    company_id: UUID
    values: Mapping[str, Any]
    references: Mapping[str, str]  # source system -> external id


async def known_company(tenant: Tenant, asked: Mapping[str, Any]) -> UUID | None:
    """The company that an input names by id, external id or domain, or as the organization's only account
    of a name; None while no one knows."""
    found = await referred_company(tenant, asked)
    return found or await only_account_of_name(tenant, asked)


async def referred_company(tenant: Tenant, asked: Mapping[str, Any]) -> UUID | None:
    """The company that an input names by id, external id or domain. An `id` is that of an account or of
    a company."""
    found: UUID | None = await tenant.value(
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
        UUID(asked["id"]) if asked.get("id") else None,
        asked.get("external_id"),
        asked.get("source_system") or "external",
        asked.get("domain"),
    )
    return found


@dataclass(frozen=True, slots=True)
class Named:
    """A company that one part of an input names: `id`, `external_id` or `domain`."""

    part: str
    company_id: UUID
    name: str


async def named_companies(tenant: Tenant, asked: Mapping[str, Any]) -> list[Named]:
    """The known companies that each part of an input names. An account of a company that neither the
    catalogue nor a domain knows names none: it may be any company."""
    system = asked.get("source_system") or "external"
    rows = await tenant.rows(
        _NAMED,
        UUID(asked["id"]) if asked.get("id") else None,
        asked.get("external_id"),
        system,
        asked.get("domain"),
        REGISTERS.get(system),
    )
    return [Named(row["part"], row["company_id"], row["name"]) for row in rows]


async def only_account_of_name(tenant: Tenant, asked: Mapping[str, Any]) -> UUID | None:
    """The company of the organization's accounts that has the very name asked for, unless several have
    it, or a domain, a register's number or another reference of the same system says that it is not
    that one."""
    key = name_key(asked.get("company_name") or "")
    system = (asked.get("source_system") or "external") if asked.get("external_id") else None
    if not key or asked.get("id") or asked.get("domain") or system in REGISTERS:
        return None
    rows = await tenant.rows(
        """
        SELECT coalesce(c.merged_into, a.company_id) AS company_id,
          EXISTS (SELECT FROM account_references r WHERE r.organization_id = $1
            AND r.account_id = a.account_id AND r.source_system = $3) AS is_referred_to
        FROM accounts a LEFT JOIN companies c ON c.company_id = a.company_id
        WHERE a.organization_id = $1 AND a.name_key = $2
        """,
        key,
        system,
    )
    if any(row["is_referred_to"] for row in rows):
        return None
    companies: set[UUID] = {row["company_id"] for row in rows}
    return companies.pop() if len(companies) == 1 else None


async def hint_of(tenant: Tenant, company_id: UUID) -> Hint | None:
    """What the organization's account of a company says; None when it has none."""
    row = await tenant.row(
        """
        SELECT a.company_id, r.own, (
            SELECT coalesce(jsonb_object_agg(f.source_system, f.external_id), '{}')
            FROM account_references f
            WHERE f.organization_id = $1 AND f.account_id = a.account_id) AS refs
        FROM accounts a JOIN account_records r USING (organization_id, account_id)
        WHERE a.organization_id = $1 AND a.company_id = $2
        """,
        company_id,
    )
    return Hint(row["company_id"], row["own"], row["refs"]) if row else None
