"""What a company's own web site says, as far as its industry is read from it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sightline.store.database import Connection

SECTIONS = ("home", "about", "products")
"""Roles of the pages that say what a company does, the plainest first."""


@dataclass(frozen=True, slots=True)
class SiteText:
    """A current page: its role, language (ISO 639-1) and text, and the description in its head."""

    document_id: UUID
    section: str
    title: str | None
    language: str | None
    text: str
    description: str | None
    fetched_at: datetime


async def site_texts(connection: Connection, company_id: UUID) -> list[SiteText]:
    """The pages by role, then as they were read; the first 6,000 characters of each."""
    rows = await connection.fetch(
        """
        SELECT document_id, coalesce(p.section, 'home') AS section, d.title, d.language,
          left(d.body_text, 6000) AS text, d.fetched_at,
          (SELECT f.value #>> '{}' FROM facts f WHERE f.company_id = $1
             AND f.document_id = d.document_id AND f.field = 'description' AND f.withdrawn_at IS NULL
           ORDER BY f.confidence DESC LIMIT 1) AS description
        FROM company_documents c JOIN documents d USING (document_id)
        LEFT JOIN LATERAL (SELECT section FROM passages p WHERE p.company_id = $1
          AND p.document_id = d.document_id ORDER BY start_at LIMIT 1) p ON true
        WHERE c.company_id = $1 AND c.superseded_at IS NULL AND c.source = 'website'
          AND c.kind = 'page' AND coalesce(p.section, 'home') = ANY($2::text[])
        ORDER BY array_position($2::text[], coalesce(p.section, 'home')), length(d.url), d.url
        LIMIT 12
        """,
        company_id,
        list(SECTIONS),
    )
    return [SiteText(**dict(row)) for row in rows]
