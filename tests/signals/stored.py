"""The stored signals of a company, as tests look at them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.store.database import Connection
from sightline.store.signals import AT

_TIME = """'YYYY-MM-DD"T"HH24:MI:SS"Z"'"""


async def signals_of(
    connection: Connection, company_id: UUID, *, limit: int, current_at: datetime | None = None
) -> list[Mapping[str, Any]]:
    """The newest signals of a company as the reference shows them, with their corroboration.

    `current_at` leaves out what has expired by then.
    """
    rows = await connection.fetch(
        f"""
        SELECT jsonb_build_object('id', s.signal_id, 'family', s.family, 'type', s.type,
          'title', s.title, 'summary', s.summary, 'quote', s.quote,
          'source', s.source || jsonb_build_object('kind', s.source_kind),
          'document_id', s.document_id,
          'occurred_at', to_char(s.occurred_at AT TIME ZONE 'UTC', {_TIME}),
          'detected_at', to_char(s.detected_at AT TIME ZONE 'UTC', {_TIME}),
          'expires_at', to_char(s.expires_at AT TIME ZONE 'UTC', {_TIME}),
          'planned', s.planned, 'realis', s.realis, 'details', s.details,
          'confidence', round(s.confidence::numeric, 3), 'parties', s.parties,
          'amount', s.amount, 'location', s.location,
          'corroboration', jsonb_build_object('count', greatest(1, cardinality(mentioned.sources)),
            'sources', to_jsonb(mentioned.sources))) AS item
        FROM signals s CROSS JOIN LATERAL (
          SELECT ARRAY(SELECT DISTINCT m.source ->> 'name' FROM signal_mentions m
            WHERE m.company_id = s.company_id AND m.signal_id = s.signal_id) AS sources) AS mentioned
        WHERE s.company_id = $1 AND ($3::timestamptz IS NULL OR s.expires_at > $3)
        ORDER BY {AT} DESC, s.signal_id LIMIT $2
        """,
        company_id,
        limit,
        current_at,
    )
    return [row["item"] for row in rows]
