"""Company records as an organization sees them."""

from typing import Any
from uuid import UUID

from sightline.store.database import Connection, Tenant

# The company that an id stands for: itself, or the one it was merged into.
_PRESENT = "(SELECT coalesce(merged_into, company_id) FROM companies WHERE company_id = $2)"
# The same for ids that the organization alone knows; NULL when neither knows it.
PRESENT_COMPANY = f"""
  coalesce({_PRESENT}, (SELECT company_id FROM accounts WHERE organization_id = $1 AND company_id = $2))
"""
# A common table expression that finds it once for all that a query asks of it.
ASKED_COMPANY = f"asked AS MATERIALIZED (SELECT {PRESENT_COMPANY} AS id)"
_DOCUMENT = f"""
  SELECT coalesce(
    (SELECT r.document FROM accounts a JOIN account_records r USING (organization_id, account_id)
     WHERE a.organization_id = $1 AND a.company_id = ANY(ARRAY(
       SELECT present.id UNION ALL SELECT company_id FROM companies WHERE merged_into = present.id))
     ORDER BY a.company_id IS DISTINCT FROM present.id, a.account_id LIMIT 1),
    (SELECT document FROM companies WHERE company_id = present.id)) AS document,
    nullif(present.id, $2) AS merged_into
  FROM (SELECT coalesce({_PRESENT}, $2) AS id OFFSET 0) AS present
"""


def ids_of(companies: str) -> str:
    """SQL of all ids that stand for the same companies as those of an array, itself in SQL: the ids
    themselves, what they were merged into, and whatever else was. What an organization keeps under the id
    of a company stays under it when that is merged, so every filter by company asks for all of them."""
    # A look-up for each way to an id: an OR of them would read the whole catalogue.
    return f"""ARRAY(
      WITH present AS MATERIALIZED (
        SELECT coalesce((SELECT merged_into FROM companies WHERE company_id = one.id), one.id) AS id
        FROM unnest({companies}) AS one (id))
      SELECT unnest({companies}) UNION SELECT id FROM present UNION
      SELECT company_id FROM companies WHERE merged_into = ANY(ARRAY(SELECT id FROM present)))"""


async def all_ids(connection: Connection, company_id: UUID) -> list[UUID]:
    """Every id that stands for the same company, its own included."""
    ids: list[UUID] = await connection.fetchval(f"SELECT {ids_of('ARRAY[$1::uuid]')}", company_id)
    return ids


async def company_document(tenant: Tenant, company_id: UUID) -> tuple[str, UUID | None] | None:
    """The Company object as JSON text: the catalogue's values under the organization's own; and the
    company that it was merged into, if it was.

    None when neither the catalogue nor the organization knows the company.
    """
    row = await tenant.row(_DOCUMENT, company_id)
    if row is None or row["document"] is None:
        return None
    return row["document"], row["merged_into"]


async def account_name(tenant: Tenant, company_id: UUID) -> str | None:
    """What an organization's account of a company is called; None when it has none."""
    name: str | None = await tenant.value(
        f"""
        SELECT company_name FROM accounts WHERE organization_id = $1
          AND company_id = ANY({ids_of("ARRAY[$2::uuid]")})
        ORDER BY company_id <> $2, account_id LIMIT 1
        """,
        company_id,
    )
    return name


async def present_company(tenant: Tenant, company_id: UUID) -> UUID | None:
    """The company that an id stands for now; None when neither catalogue nor organization knows it."""
    found: UUID | None = await tenant.value(f"SELECT {PRESENT_COMPANY}", company_id)
    return found


async def own_values(tenant: Tenant, company_id: UUID) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values that the organization itself set for a company, and where each came from."""
    row = await tenant.row(
        f"""
        SELECT r.own, r.own_sources FROM accounts a
        JOIN account_records r USING (organization_id, account_id)
        WHERE a.organization_id = $1 AND a.company_id = ANY({ids_of("ARRAY[$2::uuid]")})
        ORDER BY a.company_id <> $2, a.account_id LIMIT 1
        """,
        company_id,
    )
    return (row["own"], row["own_sources"]) if row else ({}, {})
