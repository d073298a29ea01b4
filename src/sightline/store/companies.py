"""Company records as an organization sees them."""

from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.store.database import Connection


async def company_document(
    connection: Connection, organization_id: OrganizationId, company_id: UUID
) -> str | None:
    """The Company object as JSON text: the catalogue's values under the organization's own.

    None when neither the catalogue nor the organization knows the company.
    """
    document: str | None = await connection.fetchval(
        """
        SELECT coalesce(
          (SELECT r.document FROM accounts a JOIN account_records r USING (organization_id, account_id)
           WHERE a.organization_id = $1 AND a.company_id = $2),
          (SELECT document FROM companies WHERE company_id = $2))
        """,
        organization_id,
        company_id,
    )
    return document
