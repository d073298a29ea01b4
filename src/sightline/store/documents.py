"""The evidence store: bodies by content, documents by URL and version, passages, and changes.

Bodies are compressed and kept once. Everything runs inside the caller's transaction on a worker's
connection; catalogue tables have no tenant.
"""

import asyncio
import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import zstandard

from sightline.domain.evidence import Link, Parsed, Passage
from sightline.kit.ids import new_id
from sightline.store.database import Connection

_LEVEL = 6  # of zstd: on filings 12 saves 4 % more and takes five times as long


@dataclass(frozen=True, slots=True)
class Address:
    """What is known of an address. `document_id` and what follows describe its newest version."""

    url: str
    checked_at: datetime
    outcome: str
    etag: str | None
    last_modified: str | None
    document_id: UUID | None
    sha256: bytes | None
    parser: int | None
    final_url: str | None
    links: tuple[Link, ...]
    notes: tuple[str, ...]
    title: str | None
    tied: bool  # whether that version is known to speak about the company that was asked with


@dataclass(frozen=True, slots=True)
class Bodiless:
    """An answer that brought no body: unchanged, missing or failed."""

    url: str
    outcome: str
    status: int | None
    checked_at: datetime


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer with a body, as the evidence store keeps it."""

    url: str
    final_url: str
    status: int
    headers: Mapping[str, str]
    media_type: str
    content: bytes
    fetched_at: datetime

    @property
    def sha256(self) -> bytes:
        return hashlib.sha256(self.content).digest()


async def find_addresses(
    connection: Connection, urls: Collection[str], *, company_id: UUID | None = None
) -> dict[str, Address]:
    """What is known of addresses; those that were never asked for are left out."""
    rows = await connection.fetch(
        """
        SELECT a.url, checked_at, outcome, etag, last_modified, a.document_id, d.sha256, d.parser,
          d.final_url, d.links, d.notes, d.title, EXISTS (
            SELECT FROM company_documents c WHERE c.company_id = $2
              AND c.document_id = a.document_id AND superseded_at IS NULL) AS tied
        FROM addresses a LEFT JOIN documents d USING (document_id) WHERE a.url = ANY($1::text[])
        """,
        list(urls),
        company_id,
    )
    found = {}
    for row in rows:
        values = dict(row)
        values["links"] = tuple(Link(**link) for link in values["links"] or ())
        values["notes"] = tuple(values["notes"] or ())
        found[row["url"]] = Address(**values)
    return found


async def known_missing(
    connection: Connection, urls: Collection[str], *, since: datetime
) -> set[str]:
    """The addresses that had nothing when they were last asked for, at `since` or later."""
    rows = await connection.fetch(
        "SELECT url FROM addresses WHERE url = ANY($1::text[])"
        " AND outcome IN ('missing', 'not_recorded')"
        " AND checked_at >= $2",
        list(urls),
        since,
    )
    return {row["url"] for row in rows}


async def note_answers(connection: Connection, answers: Sequence[Bodiless], *, source: str) -> None:
    """Record answers that brought no body, of one address each."""
    # In one order, so that two workers who write the same addresses do not wait for each other.
    ordered = sorted(answers, key=lambda each: each.url)
    await connection.execute(
        """
        INSERT INTO addresses AS a (url, source, status, outcome, checked_at)
        SELECT url, $1, status, outcome, checked_at
        FROM unnest($2::text[], $3::smallint[], $4::text[], $5::timestamptz[])
          AS answers (url, status, outcome, checked_at)
        ON CONFLICT (url) DO UPDATE SET outcome = excluded.outcome,
          status = coalesce(excluded.status, a.status), checked_at = excluded.checked_at
        """,
        source,
        [each.url for each in ordered],
        [each.status for each in ordered],
        [each.outcome for each in ordered],
        [each.checked_at for each in ordered],
    )


async def body_of(connection: Connection, sha256: bytes) -> bytes | None:
    """A stored body; None when retention let it go."""
    row = await connection.fetchrow("SELECT body, bytes FROM blobs WHERE sha256 = $1", sha256)
    if row is None or row["body"] is None:
        return None
    return zstandard.ZstdDecompressor().decompress(row["body"], max_output_size=row["bytes"] or 1)


async def stored_answer(connection: Connection, document_id: UUID | None) -> Fetched | None:
    """A document as it was fetched; None when its body was purged."""
    row = await connection.fetchrow(
        "SELECT url, final_url, sha256, headers, media_type, fetched_at FROM documents"
        " WHERE document_id = $1",
        document_id,
    )
    content = await body_of(connection, row["sha256"]) if row else None
    if row is None or content is None:
        return None
    return Fetched(
        url=row["url"],
        final_url=row["final_url"],
        status=200,
        headers=row["headers"],
        media_type=row["media_type"],
        content=content,
        fetched_at=row["fetched_at"],
    )


async def store_document(
    connection: Connection, fetched: Fetched, parsed: Parsed, *, source: str, parser: int
) -> UUID:
    """Keep an answer and what was read of it; returns the id of this version of the address.

    The same version read again by a newer parser keeps its id and gets the new reading.
    """
    digest = fetched.sha256
    await _keep_body(connection, digest, fetched.content)
    links = [
        {"url": link.url, "role": link.role, "text": link.text[:500]}
        for link in parsed.links
        if link.role != "other"
    ]
    document_id: UUID = await connection.fetchval(
        """
        INSERT INTO documents AS d (document_id, url, final_url, sha256, source, kind, parser,
          media_type, headers, title, language, published_at, body_text, links, notes, fetched_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        ON CONFLICT (url, sha256) DO UPDATE SET parser = excluded.parser, kind = excluded.kind,
          title = excluded.title, language = excluded.language,
          published_at = excluded.published_at, body_text = excluded.body_text,
          links = excluded.links, notes = excluded.notes
        RETURNING document_id
        """,
        new_id(),
        fetched.url,
        fetched.final_url,
        digest,
        source,
        parsed.kind,
        parser,
        fetched.media_type,
        dict(fetched.headers),
        storable(parsed.title)[:1000] if parsed.title else None,
        parsed.language,
        parsed.published_at,
        storable(parsed.text),
        links,
        list(parsed.notes),
        fetched.fetched_at,
    )
    await connection.execute(
        """
        INSERT INTO addresses AS a (url, source, status, outcome, etag, last_modified, document_id,
          fetched_at, checked_at, bytes_received)
        VALUES ($1, $2, $3, 'ok', $4, $5, $6, $7, now(), $8)
        ON CONFLICT (url) DO UPDATE SET status = excluded.status, outcome = 'ok',
          etag = excluded.etag, last_modified = excluded.last_modified,
          document_id = excluded.document_id, fetched_at = excluded.fetched_at,
          checked_at = excluded.checked_at,
          bytes_received = a.bytes_received + excluded.bytes_received
        """,
        fetched.url,
        source,
        fetched.status,
        fetched.headers.get("etag"),
        fetched.headers.get("last-modified"),
        document_id,
        fetched.fetched_at,
        len(fetched.content),
    )
    return document_id


async def tie_to_company(
    connection: Connection, company_id: UUID, document_id: UUID, *, passages: Sequence[Passage]
) -> list[UUID]:
    """Record that a document is about a company; returns the older versions that it supersedes."""
    older = await connection.fetch(
        """
        UPDATE company_documents SET superseded_at = now()
        WHERE company_id = $1 AND superseded_at IS NULL AND document_id IN (
          SELECT o.document_id FROM documents d JOIN documents o ON o.url = d.url
          WHERE d.document_id = $2 AND o.document_id <> d.document_id)
        RETURNING document_id
        """,
        company_id,
        document_id,
    )
    await connection.execute(
        """
        INSERT INTO company_documents (company_id, document_id, source, kind)
        SELECT $1, document_id, source, kind FROM documents WHERE document_id = $2
        ON CONFLICT (company_id, document_id) DO UPDATE SET superseded_at = NULL
        """,
        company_id,
        document_id,
    )
    superseded = [row["document_id"] for row in older]
    await connection.execute(
        "DELETE FROM passages WHERE company_id = $1 AND document_id = ANY($2::uuid[])",
        company_id,
        [document_id, *superseded],
    )
    await connection.execute(
        """
        INSERT INTO passages (company_id, document_id, start_at, end_at, section, heading)
        SELECT $1, $2, * FROM unnest($3::int[], $4::int[], $5::text[], $6::text[])
        ON CONFLICT DO NOTHING
        """,
        company_id,
        document_id,
        [p.start for p in passages],
        [p.end for p in passages],
        [p.section for p in passages],
        [storable(p.heading)[:500] if p.heading else None for p in passages],
    )
    return superseded


async def count_day(connection: Connection, source: str, counts: Mapping[str, int]) -> None:
    """Add to a source's counts of the day: fetched, unchanged, missing, failed, facts, bytes,
    unreachable, not_recorded."""
    await connection.execute(
        """
        INSERT INTO source_days AS s (source, day, fetched, unchanged, missing, failed, facts, bytes,
          unreachable, not_recorded)
        VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (source, day) DO UPDATE SET fetched = s.fetched + excluded.fetched,
          unchanged = s.unchanged + excluded.unchanged, missing = s.missing + excluded.missing,
          failed = s.failed + excluded.failed, facts = s.facts + excluded.facts,
          bytes = s.bytes + excluded.bytes, unreachable = s.unreachable + excluded.unreachable,
          not_recorded = s.not_recorded + excluded.not_recorded
        """,
        source,
        *(
            counts.get(k, 0)
            for k in (
                "fetched",
                "unchanged",
                "missing",
                "failed",
                "facts",
                "bytes",
                "unreachable",
                "not_recorded",
            )
        ),
    )


async def purge_bodies(connection: Connection, *, days: int) -> int:
    """Drop the bodies of superseded versions older than `days`; text, facts and hashes stay."""
    status = await connection.execute(
        """
        UPDATE blobs SET body = NULL WHERE body IS NOT NULL
          AND created_at < now() - make_interval(days => $1)
          AND NOT EXISTS (SELECT FROM addresses a JOIN documents d USING (document_id)
                          WHERE d.sha256 = blobs.sha256)
        """,
        days,
    )
    return int(status.split()[-1])


def storable(text: str) -> str:
    """Text without what PostgreSQL cannot hold: NUL and lone surrogates."""
    if "\x00" in text:
        text = text.replace("\x00", " ")
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


async def _keep_body(connection: Connection, digest: bytes, content: bytes) -> None:
    held = await connection.fetchval("SELECT body IS NOT NULL FROM blobs WHERE sha256 = $1", digest)
    if held:
        return
    packed = await asyncio.to_thread(zstandard.ZstdCompressor(level=_LEVEL).compress, content)
    await connection.execute(
        """
        INSERT INTO blobs (sha256, bytes, body) VALUES ($1, $2, $3)
        ON CONFLICT (sha256) DO UPDATE SET body = excluded.body WHERE blobs.body IS NULL
        """,
        digest,
        len(content),
        packed,
    )
