"""The evidence for a profile: documents, postings, signals and the names of other companies."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.store.database import Connection
from sightline.store.signals import AT, DATED

_JOBS_AT_MOST = 20_000
_TEXTS_AT_MOST = 8  # some 50 kB
_SIGNALS_AT_MOST = 200
_ALIKE_AT_MOST = 40  # companies whose names begin alike
_AFTER_ALL = "\uffff"


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """A document about a company, without its text. `sections` are those of its passages."""

    document_id: UUID
    kind: str
    source: str
    parser: int
    url: str
    title: str | None
    language: str | None
    published_at: datetime | None
    fetched_at: datetime
    sections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A document's text and its passages (start, end, section, heading) in their order."""

    text: str
    passages: tuple[tuple[int, int, str | None, str | None], ...]


async def document_heads(connection: Connection, company_id: UUID) -> list[DocumentHead]:
    """The present versions of the documents about a company, newest first."""
    rows = await connection.fetch(
        """
        SELECT d.document_id, d.kind, d.source, d.parser, d.final_url AS url, d.title,
          d.language, d.published_at, d.fetched_at,
          ARRAY(SELECT DISTINCT p.section FROM passages p WHERE p.company_id = $1
            AND p.document_id = d.document_id AND p.section IS NOT NULL ORDER BY 1) AS sections
        FROM company_documents c JOIN documents d USING (document_id)
        WHERE c.company_id = $1 AND c.superseded_at IS NULL AND c.kind <> 'logo'
        ORDER BY coalesce(d.published_at, d.fetched_at) DESC, d.document_id
        """,
        company_id,
    )
    return [DocumentHead(**{**dict(row), "sections": tuple(row["sections"])}) for row in rows]


async def document_texts(
    connection: Connection, company_id: UUID, document_ids: Collection[UUID]
) -> dict[UUID, DocumentText]:
    """The texts of documents with the company's passages of them."""
    wanted = list(document_ids)
    texts = await connection.fetch(
        "SELECT document_id, body_text FROM documents WHERE document_id = ANY($1::uuid[])", wanted
    )
    rows = await connection.fetch(
        """
        SELECT document_id, start_at, end_at, section, heading FROM passages
        WHERE company_id = $1 AND document_id = ANY($2::uuid[]) ORDER BY document_id, start_at
        """,
        company_id,
        wanted,
    )
    passages: dict[UUID, list[tuple[int, int, str | None, str | None]]] = {}
    for row in rows:
        passages.setdefault(row["document_id"], []).append(tuple(row)[1:])
    return {
        row["document_id"]: DocumentText(
            row["body_text"], tuple(passages.get(row["document_id"], ()))
        )
        for row in texts
    }


async def document_addresses(
    connection: Connection, document_ids: Collection[UUID]
) -> dict[UUID, dict[str, Any]]:
    """url, title and published_at of documents, for citing them."""
    rows = await connection.fetch(
        """
        SELECT document_id, final_url AS url, title, published_at, fetched_at FROM documents
        WHERE document_id = ANY($1::uuid[])
        """,
        list(document_ids),
    )
    return {row["document_id"]: dict(row) for row in rows}


async def company_jobs(connection: Connection, company_id: UUID) -> list[dict[str, Any]]:
    """Postings, newest first; of the newest open ones with their texts."""
    rows = await connection.fetch(
        """
        SELECT title, department, seniority, technologies, skills, locations, url, document_id,
          coalesce(posted_at, first_seen_at) AS opened_at, last_seen_at, closed_at,
          CASE WHEN closed_at IS NULL AND $3 >= row_number() OVER (PARTITION BY closed_at IS NULL
            ORDER BY coalesce(posted_at, first_seen_at) DESC, job_id) THEN description ELSE '' END AS text
        FROM jobs WHERE company_id = $1
        ORDER BY coalesce(posted_at, first_seen_at) DESC, job_id LIMIT $2
        """,
        company_id,
        _JOBS_AT_MOST,
        _TEXTS_AT_MOST,
    )
    return [dict(row) for row in rows]


async def company_signals(
    connection: Connection, company_id: UUID, *, now: datetime
) -> list[dict[str, Any]]:
    """Signals as of a moment: what had happened or was planned, and had not expired; newest first."""
    rows = await connection.fetch(
        f"""
        SELECT signal_id, family, type, title, quote, document_id, parties, planned, {DATED}
        FROM signals WHERE company_id = $1 AND (expires_at IS NULL OR expires_at > $3)
          AND (planned OR {AT} <= $3)
        ORDER BY {AT} DESC, signal_id LIMIT $2
        """,
        company_id,
        _SIGNALS_AT_MOST,
        now,
    )
    return [dict(row) for row in rows]


async def companies_like(
    connection: Connection, keys: Sequence[str]
) -> list[tuple[UUID, str, str | None]]:
    """(company, name, domain) of the catalogue whose name key begins as one of these does."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT c.company_id, c.company_name, c.website_domain
        FROM unnest($1::text[]) AS asked(start)
        CROSS JOIN LATERAL (
          SELECT company_id, company_name, website_domain FROM companies
          WHERE name_key >= asked.start AND name_key < asked.start || $2 AND merged_into IS NULL
          ORDER BY name_key LIMIT $3) AS c
        """,
        [key for key in keys if key],
        _AFTER_ALL,
        _ALIKE_AT_MOST,
    )
    return [(row["company_id"], row["company_name"], row["website_domain"]) for row in rows]
