"""The current pages of a company's own site, as far as something reads them again."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sightline.store.database import Connection


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page's text and what it is for: its `role` is that of `sightline.domain.evidence.Link`."""

    document_id: UUID
    source: str
    role: str
    text: str


async def site_pages(
    connection: Connection, company_id: UUID, *, roles: Sequence[str], limit: int
) -> list[SitePage]:
    """Pages with a text, by the order of `roles`, the shortest addresses of a role first."""
    rows = await connection.fetch(
        """
        SELECT d.document_id, d.source, p.section AS role, d.body_text AS text
        FROM company_documents c JOIN documents d USING (document_id)
        JOIN LATERAL (SELECT section FROM passages p WHERE p.company_id = c.company_id
          AND p.document_id = c.document_id ORDER BY start_at LIMIT 1) p ON true
        WHERE c.company_id = $1 AND c.superseded_at IS NULL AND c.kind = 'page'
          AND p.section = ANY($2::text[]) AND d.body_text <> ''
        ORDER BY array_position($2::text[], p.section), length(d.final_url), d.document_id LIMIT $3
        """,
        company_id,
        list(roles),
        limit,
    )
    return [SitePage(**dict(row)) for row in rows]
