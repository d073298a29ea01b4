"""The evidence for signals: documents, facts, postings and pulls of a company, and what has been read.

Everything runs inside the caller's transaction on a worker's connection.
"""

from collections.abc import Collection
from uuid import UUID

from sightline.domain.mentions import (
    EvidenceDocument,
    FactSeen,
    PostingSeen,
    Pull,
    Span,
    Version,
)
from sightline.store.database import Connection


async def unread_documents(
    connection: Connection, company_id: UUID, *, version: str, kinds: Collection[str]
) -> list[UUID]:
    """Present documents about a company that were not read under a version, oldest first.

    A document that its parser has read again counts as unread; one that was read under the version and
    then by a model ("version+model") as read.
    """
    rows = await connection.fetch(
        """
        SELECT d.document_id FROM company_documents c JOIN documents d USING (document_id)
        LEFT JOIN signal_readings r
          ON r.company_id = c.company_id AND r.document_id = c.document_id
        WHERE c.company_id = $1 AND c.superseded_at IS NULL AND c.kind = ANY($3::text[])
          AND ((r.version = $2 OR starts_with(r.version, $2 || '+')) IS NOT TRUE
            OR r.parser IS DISTINCT FROM d.parser)
        ORDER BY coalesce(d.published_at, d.fetched_at), d.document_id
        """,
        company_id,
        version,
        list(kinds),
    )
    return [row["document_id"] for row in rows]


async def documents_read_as(
    connection: Connection, company_id: UUID, *, version: str, kinds: Collection[str], limit: int
) -> list[UUID]:
    """Present documents about a company that were last read under a version, newest first."""
    rows = await connection.fetch(
        """
        SELECT d.document_id FROM company_documents c JOIN documents d USING (document_id)
        JOIN signal_readings r
          ON r.company_id = c.company_id AND r.document_id = c.document_id AND r.version = $2
        WHERE c.company_id = $1 AND c.superseded_at IS NULL AND c.kind = ANY($3::text[])
        ORDER BY coalesce(d.published_at, d.fetched_at) DESC, d.document_id LIMIT $4
        """,
        company_id,
        version,
        list(kinds),
        limit,
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
    """Reports of insiders' trades about a company, oldest first, amendments after what they amend."""
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
    """Record that a document was read, so that it is not read again."""
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
