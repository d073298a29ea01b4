"""Signals of a company, their tellings, and which documents were read for them.

Everything runs inside the caller's transaction on a worker's connection.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.domain.happenings import (
    EvidenceDocument,
    FactSeen,
    PostingSeen,
    Pull,
    SignalAmount,
    SourceKind,
    Span,
    Telling,
    Version,
)
from sightline.domain.signals import SignalType, family_of
from sightline.store.database import Connection


@dataclass(frozen=True, slots=True)
class StoredSignal:
    """What of a stored signal tells whether a new telling is of the same happening."""

    signal_id: UUID
    type: SignalType
    occurred_at: datetime | None
    about: str
    amount: SignalAmount | None
    source_kind: SourceKind
    confidence: float
    quotes: tuple[str, ...]


async def unread_documents(
    connection: Connection, company_id: UUID, *, version: str, kinds: Collection[str]
) -> list[UUID]:
    """Present documents about a company that were not read under a version, oldest first.

    A document that its parser has read anew counts as unread.
    """
    rows = await connection.fetch(
        """
        SELECT d.document_id FROM company_documents c JOIN documents d USING (document_id)
        LEFT JOIN signal_readings r
          ON r.company_id = c.company_id AND r.document_id = c.document_id
        WHERE c.company_id = $1 AND c.superseded_at IS NULL AND c.kind = ANY($3::text[])
          AND (r.version IS DISTINCT FROM $2 OR r.parser IS DISTINCT FROM d.parser)
        ORDER BY coalesce(d.published_at, d.fetched_at), d.document_id
        """,
        company_id,
        version,
        list(kinds),
    )
    return [row["document_id"] for row in rows]


async def read_document(
    connection: Connection, company_id: UUID, document_id: UUID
) -> EvidenceDocument | None:
    """A document with the passages that a company has of it."""
    row = await connection.fetchrow(
        """
        SELECT document_id, final_url AS url, source, kind, title, published_at, fetched_at, parser,
          body_text AS text FROM documents WHERE document_id = $1
        """,
        document_id,
    )
    if row is None:
        return None
    spans = await connection.fetch(
        """
        SELECT start_at, end_at, section, heading FROM passages
        WHERE company_id = $1 AND document_id = $2 ORDER BY start_at
        """,
        company_id,
        document_id,
    )
    return EvidenceDocument(**dict(row), spans=tuple(Span(*span) for span in spans))


async def read_text(connection: Connection, document_id: UUID) -> str:
    """A document's text; "" when there is none."""
    text: str | None = await connection.fetchval(
        "SELECT body_text FROM documents WHERE document_id = $1", document_id
    )
    return text or ""


async def annual_reports(connection: Connection, company_id: UUID) -> list[tuple[UUID, int]]:
    """Annual reports of a company with the parser that read them, newest first."""
    rows = await connection.fetch(
        """
        SELECT d.document_id, d.parser FROM company_documents c JOIN documents d USING (document_id)
        WHERE c.company_id = $1 AND c.superseded_at IS NULL AND c.kind = 'filing'
          AND d.title ~* '^10-K(405|SB|T)?( |$)'
        ORDER BY coalesce(d.published_at, d.fetched_at) DESC, d.document_id
        """,
        company_id,
    )
    return [(row["document_id"], row["parser"]) for row in rows]


async def insider_forms(connection: Connection, company_id: UUID) -> list[UUID]:
    """Reports of insiders' trades about a company, the oldest first, amendments after what they amend."""
    rows = await connection.fetch(
        """
        SELECT d.document_id FROM company_documents c JOIN documents d USING (document_id)
        WHERE c.company_id = $1 AND c.superseded_at IS NULL AND c.kind = 'filing'
          AND d.title ~ '^4(/A)?( |$)'
        ORDER BY coalesce(d.published_at, d.fetched_at), d.document_id
        """,
        company_id,
    )
    return [row["document_id"] for row in rows]


async def note_reading(
    connection: Connection, company_id: UUID, document_id: UUID, *, version: str, parser: int
) -> None:
    """Remember that a document was read, so that it is not read again."""
    await connection.execute(
        """
        INSERT INTO signal_readings (company_id, document_id, version, parser)
        VALUES ($1, $2, $3, $4)
        ON CONFLICT (company_id, document_id)
          DO UPDATE SET version = excluded.version, parser = excluded.parser
        """,
        company_id,
        document_id,
        version,
        parser,
    )


async def read_facts_seen(
    connection: Connection, company_id: UUID, *, fields: Collection[str]
) -> list[FactSeen]:
    """Facts of some fields, the withdrawn ones too, oldest first."""
    rows = await connection.fetch(
        """
        SELECT f.field, f.member, f.value, f.source, f.document_id, d.url, f.quote, f.pointer,
          f.confidence, f.as_of, f.first_seen_at, f.withdrawn_at, d.parser, d.fetched_at
        FROM facts f JOIN documents d USING (document_id)
        WHERE f.company_id = $1 AND f.field = ANY($2::text[])
        ORDER BY f.first_seen_at, f.fact_id
        """,
        company_id,
        list(fields),
    )
    return [FactSeen(**dict(row)) for row in rows]


async def read_versions(connection: Connection, company_id: UUID, *, source: str) -> list[Version]:
    """Every version of every address that one source read about a company, oldest first."""
    rows = await connection.fetch(
        """
        SELECT d.document_id, d.url, d.final_url, d.source, d.parser, d.fetched_at, a.checked_at
        FROM company_documents c JOIN documents d USING (document_id)
        LEFT JOIN addresses a ON a.url = d.url AND a.document_id = d.document_id
        WHERE c.company_id = $1 AND c.source = $2 ORDER BY d.fetched_at, d.document_id
        """,
        company_id,
        source,
    )
    return [Version(**dict(row)) for row in rows]


async def read_postings_seen(connection: Connection, company_id: UUID) -> list[PostingSeen]:
    """Postings of a company, open and closed, by the time they were first seen."""
    rows = await connection.fetch(
        """
        SELECT board, title, seniority, department, remote, locations, technologies, description, url,
          document_id, posted_at, first_seen_at, closed_at
        FROM jobs WHERE company_id = $1 ORDER BY first_seen_at, job_id
        """,
        company_id,
    )
    found = []
    for row in rows:
        values = dict(row)
        locations = values.pop("locations")
        places = tuple(
            (place["country_code"], place.get("city"))
            for place in locations
            if place.get("country_code")
        )
        values["technologies"] = tuple(values["technologies"])
        found.append(PostingSeen(**values, places=places))
    return found


async def read_pulls(connection: Connection, company_id: UUID) -> list[Pull]:
    """Pulls of a company's boards, oldest first."""
    rows = await connection.fetch(
        """
        SELECT board, pulled_at, complete, active, opened, closed FROM board_pulls
        WHERE company_id = $1 ORDER BY pulled_at, board
        """,
        company_id,
    )
    return [Pull(**dict(row)) for row in rows]


async def read_stories(connection: Connection, company_id: UUID) -> list[StoredSignal]:
    """The signals of a company with the quotes of all their tellings."""
    rows = await connection.fetch(
        """
        SELECT s.signal_id, s.type, s.occurred_at, s.about, s.amount, s.source_kind, s.confidence,
          array_cat(ARRAY[s.quote], ARRAY(SELECT t.quote FROM signal_tellings t
            WHERE t.company_id = s.company_id AND t.signal_id = s.signal_id)) AS quotes
        FROM signals s WHERE s.company_id = $1 ORDER BY s.signal_id
        """,
        company_id,
    )
    return [
        StoredSignal(
            signal_id=row["signal_id"],
            type=SignalType(row["type"]),
            occurred_at=row["occurred_at"],
            about=row["about"],
            amount=SignalAmount(**row["amount"]) if row["amount"] else None,
            source_kind=row["source_kind"],
            confidence=row["confidence"],
            quotes=tuple(row["quotes"]),
        )
        for row in rows
    ]


_TOLD = """
  family = excluded.family, type = excluded.type, title = excluded.title, summary = excluded.summary,
  quote = excluded.quote, document_id = excluded.document_id, start_at = excluded.start_at,
  end_at = excluded.end_at, source_kind = excluded.source_kind, source = excluded.source,
  occurred_at = excluded.occurred_at, expires_at = excluded.expires_at, planned = excluded.planned,
  confidence = excluded.confidence, parties = excluded.parties, amount = excluded.amount,
  location = excluded.location, about = excluded.about
"""


async def put_signal(
    connection: Connection,
    company_id: UUID,
    telling: Telling,
    *,
    signal_id: UUID,
    story_key: str,
    detected_at: datetime,
    expires_at: datetime,
) -> UUID:
    """Write a signal in a telling's words; answers its id, an older one where the key is known.

    One with that id or key gets the new words and keeps the time it was detected.
    """
    values = (
        company_id,
        signal_id,
        family_of(telling.type),
        telling.type,
        telling.title,
        telling.summary,
        telling.quote,
        telling.document_id,
        telling.start,
        telling.end,
        telling.source_kind,
        dict(telling.source),
        telling.occurred_at,
        detected_at,
        expires_at,
        telling.planned,
        telling.confidence,
        [_party(party) for party in telling.parties],
        asdict(telling.amount) if telling.amount else None,
        telling.location,
        story_key,
        telling.about,
    )
    known = await connection.fetchval(
        "SELECT story_key FROM signals WHERE company_id = $1 AND signal_id = $2",
        company_id,
        signal_id,
    )
    conflict = "(company_id, signal_id)" if known is not None else "(company_id, story_key)"
    if known is not None:
        values = (*values[:20], known, values[21])
    written: UUID = await connection.fetchval(
        f"""
        INSERT INTO signals (company_id, signal_id, family, type, title, summary, quote, document_id,
          start_at, end_at, source_kind, source, occurred_at, detected_at, expires_at, planned,
          confidence, parties, amount, location, story_key, about)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
          $20, $21, $22)
        ON CONFLICT {conflict} DO UPDATE SET {_TOLD} RETURNING signal_id
        """,
        *values,
    )
    return written


def _party(party: Any) -> dict[str, Any]:
    return {key: value for key, value in asdict(party).items() if value is not None}


async def put_telling(
    connection: Connection, company_id: UUID, signal_id: UUID, telling: Telling
) -> None:
    """Keep who told it. A telling without a document is the signal's own words alone."""
    if telling.document_id is None:
        return
    await connection.execute(
        """
        INSERT INTO signal_tellings (company_id, signal_id, document_id, start_at, end_at, source,
          quote, published_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (company_id, signal_id, document_id, start_at) DO UPDATE SET
          end_at = excluded.end_at, source = excluded.source, quote = excluded.quote,
          published_at = excluded.published_at
        """,
        company_id,
        signal_id,
        telling.document_id,
        telling.start or 0,
        telling.end or 0,
        dict(telling.source),
        telling.quote,
        telling.published_at,
    )


async def forget_tellings(
    connection: Connection, company_id: UUID, documents: Sequence[UUID]
) -> None:
    """Drop what some documents told, before they are read anew."""
    await connection.execute(
        "DELETE FROM signal_tellings WHERE company_id = $1 AND document_id = ANY($2::uuid[])",
        company_id,
        list(documents),
    )


async def drop_untold(
    connection: Connection,
    company_id: UUID,
    *,
    documents: Sequence[UUID],
    source_kinds: Sequence[str],
) -> int:
    """Delete signals in the words of some documents that no document tells any more."""
    status = await connection.execute(
        """
        DELETE FROM signals s WHERE company_id = $1 AND document_id = ANY($2::uuid[])
          AND source_kind = ANY($3::text[])
          AND NOT EXISTS (SELECT FROM signal_tellings t
            WHERE t.company_id = s.company_id AND t.signal_id = s.signal_id)
        """,
        company_id,
        list(documents),
        list(source_kinds),
    )
    return int(status.split()[-1])


_TIME = """'YYYY-MM-DD"T"HH24:MI:SS"Z"'"""


async def signals_of(
    connection: Connection, company_id: UUID, *, limit: int
) -> list[Mapping[str, Any]]:
    """The newest signals of a company as the reference shows them, with their corroboration."""
    rows = await connection.fetch(
        f"""
        SELECT jsonb_build_object('id', s.signal_id, 'family', s.family, 'type', s.type,
          'title', s.title, 'summary', s.summary, 'quote', s.quote,
          'source', s.source || jsonb_build_object('kind', s.source_kind),
          'document_id', s.document_id,
          'occurred_at', to_char(s.occurred_at AT TIME ZONE 'UTC', {_TIME}),
          'detected_at', to_char(s.detected_at AT TIME ZONE 'UTC', {_TIME}),
          'expires_at', to_char(s.expires_at AT TIME ZONE 'UTC', {_TIME}),
          'planned', s.planned, 'confidence', round(s.confidence::numeric, 3), 'parties', s.parties,
          'amount', s.amount, 'location', s.location,
          'corroboration', jsonb_build_object('count', greatest(1, cardinality(told.sources)),
            'sources', to_jsonb(told.sources))) AS item
        FROM signals s CROSS JOIN LATERAL (
          SELECT ARRAY(SELECT DISTINCT t.source ->> 'name' FROM signal_tellings t
            WHERE t.company_id = s.company_id AND t.signal_id = s.signal_id) AS sources) AS told
        WHERE s.company_id = $1
        ORDER BY coalesce(s.occurred_at, s.detected_at) DESC, s.signal_id LIMIT $2
        """,
        company_id,
        limit,
    )
    return [row["item"] for row in rows]
