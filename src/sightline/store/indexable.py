"""What relevance can find for a company: passages, open postings, signals, profile statements and
technologies.

A text is read here once, when it is indexed; what is shown of it is read for the hits alone.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from sightline.domain.countries import country_from_text
from sightline.store.database import Connection
from sightline.store.indexable_statements import read_starts, read_statements
from sightline.store.pages import utc
from sightline.store.signals import AT, BACKGROUND

Origin = Literal["passage", "job", "signal", "statement", "technology"]

_READING = 7  # raised when the index reads more or something else of the same text
_DOCUMENTS_AT_ONCE = 20  # a filing's text may have a megabyte
_BEFORE = 6_000  # characters read before a passage: a table's header stands above its rows


@dataclass(frozen=True, slots=True)
class Key:
    """One thing to index. `origin_id` is a document, posting, signal, statement or fact; `origin_at` is
    where a passage starts in its document, 0 for all else."""

    origin: Origin
    origin_id: UUID
    origin_at: int = 0


@dataclass(frozen=True, slots=True)
class Mention:
    """Characters of a document that report a signal."""

    signal_id: UUID
    family: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Content:
    """One thing to index, whole. `start_at` is where `text` begins in the document's text, None when it
    does not stand there verbatim; `before` is what stands there before it. `kind` is that of the
    document, or the origin; `place` is where the work of a posting is done; `summary` is of a signal."""

    key: Key
    title: str
    text: str
    kind: str
    section: str | None
    url: str | None
    published_at: datetime | None
    document_id: UUID | None
    start_at: int | None
    family: str | None = None
    confidence: float = 0.0
    publishers: int = 1
    place: str | None = None
    heading: str | None = None
    before: str = ""
    summary: str | None = None


_VERSIONS = """
  SELECT 'passage' AS origin, p.document_id AS origin_id, p.start_at AS origin_at,
    concat_ws(' ', d.parser, p.end_at, md5(concat(d.title, p.heading)), d.published_at) AS version
  FROM passages p JOIN documents d USING (document_id)
  WHERE p.company_id = $1 AND d.kind <> 'posting'
    AND (d.kind <> 'data' OR NOT EXISTS (
      SELECT FROM jobs j WHERE j.company_id = $1 AND j.document_id = d.document_id))
  UNION ALL
  SELECT 'job', job_id, 0, encode(fingerprint, 'hex') || document_id FROM jobs
  WHERE company_id = $1 AND closed_at IS NULL
  UNION ALL
  SELECT 'signal', signal_id, 0, md5(concat(s.*, (SELECT count(*) FROM signal_mentions t
    WHERE t.company_id = $1 AND t.signal_id = s.signal_id)))
  FROM signals s WHERE company_id = $1
  UNION ALL
  SELECT 'technology', fact_id, 0, md5(concat(value, quote, document_id)) FROM (
    SELECT DISTINCT ON (member) fact_id, value, quote, document_id FROM facts
    WHERE company_id = $1 AND field = 'technology' AND withdrawn_at IS NULL
    ORDER BY member, wins DESC, confidence DESC, fact_id) AS technology
"""


async def list_indexable(
    connection: Connection, company_id: UUID, mentions: Mapping[UUID, Sequence[Mention]]
) -> dict[Key, str]:
    """Everything there is to index, with a word that changes when it has to be indexed again."""
    versions: dict[Key, str] = {}
    for row in await connection.fetch(_VERSIONS, company_id):
        key = Key(row["origin"], row["origin_id"], row["origin_at"])
        mentioned = ""
        if key.origin == "passage" and key.origin_id in mentions:
            mentioned = " ".join(f"{m.signal_id} {m.start}" for m in mentions[key.origin_id])
        versions[key] = hashlib.blake2b(
            f"{_READING} {row['version']} {mentioned}".encode(), digest_size=8
        ).hexdigest()
    for statement_id, statement in (await read_statements(connection, company_id)).items():
        said = f"{_READING} {statement.name} {statement.published_at} {statement.url}"
        versions[Key("statement", statement_id)] = hashlib.blake2b(
            said.encode(), digest_size=8
        ).hexdigest()
    return versions


async def read_mentions(connection: Connection, company_id: UUID) -> dict[UUID, list[Mention]]:
    """Where documents report signals, by document, in the order of their text."""
    rows = await connection.fetch(
        """
        SELECT document_id, signal_id, family, start_at, end_at FROM signals
        WHERE company_id = $1 AND start_at IS NOT NULL AND end_at IS NOT NULL
        UNION
        SELECT t.document_id, t.signal_id, s.family, t.start_at, t.end_at
        FROM signal_mentions t JOIN signals s USING (company_id, signal_id) WHERE t.company_id = $1
        ORDER BY document_id, start_at, signal_id
        """,
        company_id,
    )
    mentions: dict[UUID, list[Mention]] = {}
    for row in rows:
        mention = Mention(row["signal_id"], row["family"], row["start_at"], row["end_at"])
        mentions.setdefault(row["document_id"], []).append(mention)
    return mentions


async def read_contents(
    connection: Connection, company_id: UUID, keys: Collection[Key]
) -> list[Content]:
    """The things that still exist, passages first, document by document."""
    ids: dict[Origin, list[UUID]] = {}
    for key in keys:
        ids.setdefault(key.origin, []).append(key.origin_id)
    wanted = {key for key in keys if key.origin == "passage"}
    documents = sorted(set(ids.get("passage", ())))
    found: list[Content] = []
    for first in range(0, len(documents), _DOCUMENTS_AT_ONCE):
        some = documents[first : first + _DOCUMENTS_AT_ONCE]
        found += await _passages(connection, company_id, some, wanted)
    found += await _others(connection, _JOBS, "job", company_id, ids.get("job", []))
    found += await _others(connection, _SIGNALS, "signal", company_id, ids.get("signal", []))
    found += await _others(
        connection, _TECHNOLOGIES, "technology", company_id, ids.get("technology", [])
    )
    if "statement" in ids:
        found += await _statements(connection, company_id, set(ids["statement"]))
    return found


async def _statements(
    connection: Connection, company_id: UUID, wanted: Collection[UUID]
) -> list[Content]:
    every = await read_statements(connection, company_id)
    statements = {one: statement for one, statement in every.items() if one in wanted}
    starts = await read_starts(connection, statements.values())
    return [
        Content(
            key=Key("statement", statement_id),
            title=statement.name,
            text=statement.quote,
            kind="statement",
            section=statement.section,
            url=statement.url,
            published_at=statement.published_at,
            document_id=statement.document_id,
            start_at=starts.get(statement_id),
        )
        for statement_id, statement in statements.items()
    ]


async def _passages(
    connection: Connection, company_id: UUID, documents: Sequence[UUID], wanted: Collection[Key]
) -> list[Content]:
    texts = {
        row["document_id"]: row
        for row in await connection.fetch(
            "SELECT document_id, kind, title, final_url, published_at, body_text FROM documents"
            " WHERE document_id = ANY($1::uuid[])",
            documents,
        )
    }
    rows = await connection.fetch(
        """
        SELECT document_id, start_at, end_at, section, heading FROM passages
        WHERE company_id = $1 AND document_id = ANY($2::uuid[]) ORDER BY document_id, start_at
        """,
        company_id,
        documents,
    )
    found = []
    for row in rows:
        key = Key("passage", row["document_id"], row["start_at"])
        if key not in wanted:
            continue
        document = texts[row["document_id"]]
        found.append(
            Content(
                key=key,
                title=document["title"] or "",
                heading=row["heading"],
                text=document["body_text"][row["start_at"] : row["end_at"]],
                before=document["body_text"][max(0, row["start_at"] - _BEFORE) : row["start_at"]],
                kind=document["kind"],
                section=row["section"],
                url=document["final_url"],
                published_at=document["published_at"],
                document_id=row["document_id"],
                start_at=row["start_at"],
            )
        )
    return found


_JOBS = """
  SELECT j.job_id AS origin_id, j.title, j.description AS text, j.department AS section, j.url,
    coalesce(j.posted_at, j.first_seen_at) AS published_at, j.document_id,
    j.locations, j.remote,
    CASE WHEN d.kind = 'posting' AND j.description <> ''
      THEN nullif(strpos(d.body_text, j.description), 0) - 1 END AS start_at
  FROM jobs j LEFT JOIN documents d USING (document_id)
  WHERE j.company_id = $1 AND j.job_id = ANY($2::uuid[]) AND j.closed_at IS NULL ORDER BY j.job_id
"""
_SIGNALS = f"""
  SELECT s.signal_id AS origin_id, s.title, s.quote AS text, nullif(s.summary, s.quote) AS summary,
    s.type AS section, s.source->>'url' AS url, {AT} AS published_at,
    s.document_id, s.start_at, s.family, s.confidence,
    (SELECT count(DISTINCT coalesce(t.source->>'publisher', t.source->>'url'))::int
     FROM signal_mentions t WHERE t.company_id = $1 AND t.signal_id = s.signal_id) AS publishers
  FROM signals s WHERE s.company_id = $1 AND s.signal_id = ANY($2::uuid[]) ORDER BY s.signal_id
"""
_TECHNOLOGIES = """
  SELECT f.fact_id AS origin_id, f.value->>'name' AS title, coalesce(f.quote, '') AS text,
    concat_ws(' ', f.value->>'vendor', f.value->>'category') AS summary,
    f.value->>'category' AS section, d.final_url AS url, d.published_at, f.document_id,
    NULL::int AS start_at
  FROM facts f JOIN documents d USING (document_id)
  WHERE f.company_id = $1 AND f.fact_id = ANY($2::uuid[]) ORDER BY f.fact_id
"""


async def _others(
    connection: Connection, query: str, origin: Origin, company_id: UUID, ids: Sequence[UUID]
) -> list[Content]:
    if not ids:
        return []
    found = []
    for row in await connection.fetch(query, company_id, ids):
        values = dict(row)
        key = Key(origin, values.pop("origin_id"))
        values["title"] = values["title"] or ""
        if origin == "job":
            values["place"] = _places(values.pop("locations"), values.pop("remote"))
        values["publishers"] = max(1, values.get("publishers") or 1)
        found.append(Content(key=key, kind=origin, **values))
    return found


def _places(locations: Sequence[Mapping[str, Any]], remote: str | None) -> str | None:
    """'Lisbon; Portugal; remote': every word that a place of work is known by, each part once."""
    parts: dict[str, str] = {}
    for place in locations:
        country = country_from_text(place.get("country_code"))
        named = [place.get(name) for name in ("raw", "city", "region")]
        for part in (*named, country.name if country else None):
            if part and not any(str(part).casefold() in known for known in parts):
                parts[str(part).casefold()] = str(part)
    return "; ".join(filter(None, (*parts.values(), remote))) or None


@dataclass(frozen=True, slots=True)
class Shown:
    """Of a hit, besides its words: its `item` as the API has it, and who reports it, itself first."""

    item: dict[str, Any]
    tellers: list[dict[str, Any]]


_OCCURRED: Final = "CASE p.origin WHEN 'signal' THEN s.occurred_at WHEN 'job' THEN j.posted_at\
 ELSE d.published_at END"
_DETECTED: Final = "coalesce(s.detected_at, j.first_seen_at, f.first_seen_at, d.fetched_at)"


async def read_shown(
    connection: Connection, places: Sequence[tuple[UUID, int]]
) -> dict[tuple[UUID, int], Shown]:
    """By (company, number of the passage); those whose origin is gone since it was indexed are left out."""
    rows = await connection.fetch(
        f"""
        SELECT p.company_id, p.number, jsonb_build_object(
            'id', coalesce(s.signal_id, j.job_id, f.fact_id, p.passage_id), 'type', s.type,
            'family', coalesce(s.family, p.family), 'document_id', d.document_id,
            'title', coalesce(s.title, j.title, nullif(p.heading, ''), nullif(p.title, ''), d.title),
            'summary', s.summary, 'quote', coalesce(s.quote, f.quote), 'planned', s.planned,
            'occurred_at', {utc(_OCCURRED)}, 'detected_at', {utc(_DETECTED)},
            'expires_at', {utc("s.expires_at")}, 'parties', coalesce(s.parties, '[]'),
            'confidence', round(coalesce(s.confidence, f.confidence)::numeric, 3), 'amount', s.amount,
            'background', CASE WHEN s.type IS NOT NULL THEN {BACKGROUND} END,
            'location', coalesce(s.location, (SELECT string_agg(DISTINCT coalesce(nullif(concat_ws(', ',
              l ->> 'city', l ->> 'region', l ->> 'country_code'), ''), l ->> 'raw'), '; ')
              FROM jsonb_path_query(j.locations, '$[0 to 2]') l))) AS item,
          jsonb_build_array(jsonb_build_object('name', coalesce(d.source, j.source), 'title', d.title,
              'url', coalesce(j.url, d.final_url), 'published_at', {utc("d.published_at")})
            || jsonb_strip_nulls(coalesce(s.source, '{{}}')))
            || coalesce((SELECT jsonb_agg(t.source ORDER BY t.published_at, t.document_id, t.start_at)
              FROM signal_mentions t WHERE p.origin = 'signal' AND t.company_id = p.company_id
              AND t.signal_id = p.origin_id), '[]') AS tellers
        FROM unnest($1::uuid[], $2::int[]) AS w (company_id, number)
        JOIN indexed_passages p USING (company_id, number)
        LEFT JOIN signals s ON p.origin = 'signal' AND s.company_id = p.company_id
          AND s.signal_id = p.origin_id
        LEFT JOIN jobs j ON p.origin = 'job' AND j.company_id = p.company_id
          AND j.job_id = p.origin_id AND j.closed_at IS NULL
        LEFT JOIN facts f ON p.origin = 'technology' AND f.company_id = p.company_id
          AND f.fact_id = p.origin_id
        LEFT JOIN documents d ON d.document_id = coalesce(p.document_id, f.document_id, j.document_id)
        WHERE num_nonnulls(s.signal_id, j.job_id, f.fact_id) =
          (p.origin IN ('signal', 'job', 'technology'))::int
        """,
        [company_id for company_id, _ in places],
        [number for _, number in places],
    )
    return {(row["company_id"], row["number"]): Shown(row["item"], row["tellers"]) for row in rows}
