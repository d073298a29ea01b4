"""Signals of a company and their mentions in documents.

Everything runs inside the caller's transaction on a worker's connection.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sightline.domain.mentions import Mention, SignalAmount, SourceKind
from sightline.domain.signals import SignalType, family_of
from sightline.store.database import Connection

AT: Final = "coalesce(occurred_at, reported_at, detected_at)"
"""SQL of the time that a signal is sorted by: when it happened, else was reported, else was detected."""
DATED: Final = f"""
  {AT} AS at,
  CASE WHEN occurred_at IS NULL THEN 'reported' ELSE coalesce(details ->> 'precision', 'day') END AS precision
"""
"""SQL of that time, and what it is (`sightline.domain.signals.Precision`)."""
BACKGROUND: Final = "coalesce(expires_at <= coalesce(reported_at, detected_at), false)"
"""SQL of whether an event had stopped being news when it was reported, and is shown as background."""


@dataclass(frozen=True, slots=True)
class StoredSignal:
    """What of a stored signal tells whether a new mention is of the same event."""

    signal_id: UUID
    document_id: UUID | None
    type: SignalType
    title: str
    at: datetime | None  # when it happened, else when it was reported
    counterparty: str
    amount: SignalAmount | None
    source_kind: SourceKind
    confidence: float
    quotes: tuple[str, ...]
    documents: frozenset[UUID]


async def read_known(connection: Connection, company_id: UUID) -> list[StoredSignal]:
    """The signals of a company with the quotes of all their mentions."""
    rows = await connection.fetch(
        """
        SELECT s.signal_id, s.document_id, s.type, s.title, coalesce(s.occurred_at, s.reported_at) AS at,
          s.about, s.amount, s.source_kind,
          s.confidence,
          array_cat(ARRAY[s.quote], ARRAY(SELECT m.quote FROM signal_mentions m
            WHERE m.company_id = s.company_id AND m.signal_id = s.signal_id)) AS quotes,
          ARRAY(SELECT DISTINCT m.document_id FROM signal_mentions m
            WHERE m.company_id = s.company_id AND m.signal_id = s.signal_id) AS documents
        FROM signals s WHERE s.company_id = $1 ORDER BY s.signal_id
        """,
        company_id,
    )
    return [
        StoredSignal(
            signal_id=row["signal_id"],
            document_id=row["document_id"],
            type=SignalType(row["type"]),
            title=row["title"],
            at=row["at"],
            counterparty=row["about"],
            amount=SignalAmount(**row["amount"]) if row["amount"] else None,
            source_kind=row["source_kind"],
            confidence=row["confidence"],
            quotes=tuple(row["quotes"]),
            documents=frozenset(row["documents"]),
        )
        for row in rows
    ]


_SAID = """
  family = excluded.family, type = excluded.type, title = excluded.title, summary = excluded.summary,
  quote = excluded.quote, document_id = excluded.document_id, start_at = excluded.start_at,
  end_at = excluded.end_at, source_kind = excluded.source_kind, source = excluded.source,
  occurred_at = excluded.occurred_at, reported_at = excluded.reported_at,
  expires_at = excluded.expires_at, planned = excluded.planned, confidence = excluded.confidence,
  parties = excluded.parties, amount = excluded.amount, location = excluded.location, about = excluded.about,
  realis = excluded.realis, details = excluded.details
"""


async def put_signal(
    connection: Connection,
    company_id: UUID,
    mention: Mention,
    *,
    signal_id: UUID,
    key: str,
    detected_at: datetime,
    expires_at: datetime,
) -> UUID:
    """Write a signal in a mention's words; returns its id, an older one where the key is known.

    One with that id or key gets the new words and keeps the time it was detected.
    """
    values = (
        company_id, signal_id, family_of(mention.type), mention.type, mention.title, mention.summary,
        mention.quote, mention.document_id, mention.start, mention.end, mention.source_kind,
        dict(mention.source), mention.occurred_at, mention.published_at, detected_at, expires_at,
        mention.planned, mention.confidence, [_party(party) for party in mention.parties],
        asdict(mention.amount) if mention.amount else None, mention.location, key, mention.counterparty,
        mention.realis, dict(mention.details),
    )  # fmt: skip
    known = await connection.fetchval(
        "SELECT story_key FROM signals WHERE company_id = $1 AND signal_id = $2",
        company_id,
        signal_id,
    )
    conflict = "(company_id, signal_id)" if known is not None else "(company_id, story_key)"
    if known is not None:
        values = (*values[:21], known, *values[22:])
    written: UUID = await connection.fetchval(
        f"""
        INSERT INTO signals (company_id, signal_id, family, type, title, summary, quote, document_id,
          start_at, end_at, source_kind, source, occurred_at, reported_at, detected_at, expires_at, planned,
          confidence, parties, amount, location, story_key, about,
          realis, details)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
          $20, $21, $22, $23, $24, $25)
        ON CONFLICT {conflict} DO UPDATE SET {_SAID} RETURNING signal_id
        """,
        *values,
    )
    return written


def _party(party: Any) -> dict[str, Any]:
    return {key: value for key, value in asdict(party).items() if value is not None}


async def put_mention(
    connection: Connection, company_id: UUID, signal_id: UUID, mention: Mention
) -> None:
    """Keep a mention. One without a document is the signal's own words alone."""
    if mention.document_id is None:
        return
    await connection.execute(
        """
        INSERT INTO signal_mentions (company_id, signal_id, document_id, start_at, end_at, source,
          quote, published_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (company_id, signal_id, document_id, start_at) DO UPDATE SET
          end_at = excluded.end_at, source = excluded.source, quote = excluded.quote,
          published_at = excluded.published_at
        """,
        company_id, signal_id, mention.document_id, mention.start or 0, mention.end or 0,
        dict(mention.source), mention.quote, mention.published_at,
    )  # fmt: skip


async def forget_mentions(
    connection: Connection, company_id: UUID, documents: Sequence[UUID]
) -> None:
    """Drop the mentions in some documents, before they are read again."""
    await connection.execute(
        "DELETE FROM signal_mentions WHERE company_id = $1 AND document_id = ANY($2::uuid[])",
        company_id,
        list(documents),
    )


async def drop_unmentioned(
    connection: Connection,
    company_id: UUID,
    *,
    documents: Sequence[UUID],
    source_kinds: Sequence[str],
) -> int:
    """Delete signals in the words of some documents that no document mentions any more."""
    status = await connection.execute(
        """
        DELETE FROM signals s WHERE company_id = $1 AND document_id = ANY($2::uuid[])
          AND source_kind = ANY($3::text[])
          AND NOT EXISTS (SELECT FROM signal_mentions m
            WHERE m.company_id = s.company_id AND m.signal_id = s.signal_id)
        """,
        company_id,
        list(documents),
        list(source_kinds),
    )
    return int(status.split()[-1])


async def expired_signals(
    connection: Connection, company_id: UUID, *, at: datetime
) -> frozenset[UUID]:
    """The signals of a company that are no news any more at a time."""
    rows = await connection.fetch(
        "SELECT signal_id FROM signals WHERE company_id = $1 AND expires_at <= $2", company_id, at
    )
    return frozenset(row["signal_id"] for row in rows)
