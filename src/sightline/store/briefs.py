"""The signals shown in a brief: those that are current."""

from typing import Any
from uuid import UUID

from sightline.store.database import Connection
from sightline.store.signals import DATED

# A posting or a product seen in use is a detail of the company page, not a change to open a call with.
_DETAILS = ("hiring_trends", "technology_mentions")


async def current_changes(connection: Connection, company_id: UUID) -> list[dict[str, Any]]:
    """Signals that have not expired, newest first, each with the address of its document; at most 40."""
    rows = await connection.fetch(
        f"""
        SELECT s.signal_id, s.family, s.type, s.title, s.quote, s.planned,
          s.document_id, d.final_url AS url, d.title AS document_title, d.published_at, {DATED}
        FROM signals s LEFT JOIN documents d USING (document_id)
        WHERE s.company_id = $1 AND (s.expires_at IS NULL OR s.expires_at > now())
        ORDER BY s.family = ANY($2::text[]), at DESC, s.signal_id LIMIT 40
        """,
        company_id,
        list(_DETAILS),
    )
    return [dict(row) for row in rows]
