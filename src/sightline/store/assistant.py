"""Queries that only the assistant needs: open postings, whether words appear in a document, and earlier
questions.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.domain.callers import Caller
from sightline.store.agent_sessions import SessionType
from sightline.store.database import Connection
from sightline.store.signals import AT, DATED

_POSTINGS_AT_MOST = 5_000
_SIGNALS_AT_MOST = 200


async def open_postings(connection: Connection, company_id: UUID) -> list[dict[str, Any]]:
    """The open postings, newest first, without their descriptions."""
    rows = await connection.fetch(
        """
        SELECT title, department, seniority, locations, url, document_id, remote,
          coalesce(posted_at, first_seen_at) AS opened_at, last_seen_at
        FROM jobs WHERE company_id = $1 AND closed_at IS NULL
        ORDER BY coalesce(posted_at, first_seen_at) DESC, job_id LIMIT $2
        """,
        company_id,
        _POSTINGS_AT_MOST,
    )
    return [dict(row) for row in rows]


@dataclass(frozen=True, slots=True)
class PostingFilter:
    """`words` must all stand in title or description, those of `place` in one place of work."""

    words: tuple[str, ...] = ()
    department: str | None = None
    place: tuple[str, ...] = ()
    since: datetime | None = None

    @property
    def narrows(self) -> bool:
        return bool(self.words or self.department or self.place or self.since)


_POSTING = """
  title, department, seniority, locations, url, document_id, remote,
  coalesce(posted_at, first_seen_at) AS opened_at
"""


async def find_postings(
    connection: Connection, company_id: UUID, wanted: PostingFilter, *, offset: int, limit: int
) -> tuple[int, list[tuple[str, int]], list[dict[str, Any]]]:
    """How many open postings match, all open ones by department, and a page of the matches: those with
    the words in the title first, then the newest."""
    condition = """
      company_id = $1 AND closed_at IS NULL AND document_id IS NOT NULL
        AND lower(title || ' ' || description) LIKE ALL ($2)
        AND ($3::text IS NULL OR department = $3)
        AND lower(concat_ws(' ', locations::text, remote)) LIKE ALL ($4)
        AND ($5::timestamptz IS NULL OR coalesce(posted_at, first_seen_at) >= $5)
    """
    values = (
        company_id,
        [_containing(word) for word in wanted.words],
        wanted.department,
        [_containing(word) for word in wanted.place],
        wanted.since,
    )
    total: int = await connection.fetchval(f"SELECT count(*) FROM jobs WHERE {condition}", *values)
    rows = await connection.fetch(
        f"""
        SELECT {_POSTING} FROM jobs WHERE {condition}
        ORDER BY NOT lower(title) LIKE ALL ($2), opened_at DESC, job_id OFFSET $6 LIMIT $7
        """,
        *values,
        offset,
        limit,
    )
    departments = await connection.fetch(
        """
        SELECT coalesce(department, 'unknown') AS name, count(*) AS n FROM jobs
        WHERE company_id = $1 AND closed_at IS NULL GROUP BY 1 ORDER BY 2 DESC
        """,
        company_id,
    )
    return total, [(row["name"], row["n"]) for row in departments], [dict(row) for row in rows]


async def boards_read(connection: Connection, company_id: UUID) -> tuple[int, datetime | None]:
    """How many job boards of a company are known, and when one of them was last read."""
    row = await connection.fetchrow(
        "SELECT count(*) AS known, max(last_pull_at) AS read FROM job_boards WHERE company_id = $1",
        company_id,
    )
    return (row["known"], row["read"]) if row else (0, None)


def _containing(word: str) -> str:
    escaped = word.lower().replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"


async def read_posting(
    connection: Connection, company_id: UUID, url: str
) -> Mapping[str, Any] | None:
    """An open posting with its description."""
    row = await connection.fetchrow(
        f"""
        SELECT {_POSTING}, description FROM jobs
        WHERE company_id = $1 AND url = $2 AND closed_at IS NULL ORDER BY job_id LIMIT 1
        """,
        company_id,
        url,
    )
    return dict(row) if row else None


async def plain_texts(connection: Connection, document_ids: Collection[UUID]) -> dict[UUID, str]:
    """The whole texts of documents."""
    rows = await connection.fetch(
        "SELECT document_id, body_text FROM documents WHERE document_id = ANY($1::uuid[])",
        list(document_ids),
    )
    return {row["document_id"]: row["body_text"] for row in rows}


async def following_texts(
    connection: Connection, places: Sequence[tuple[UUID | None, int | None]], *, longest: int
) -> list[str]:
    """What of a document follows a character, at most so many characters; "" of an unknown place."""
    rows = await connection.fetch(
        """
        SELECT coalesce(substr(d.body_text, w.end_at + 1, $3), '') AS following
        FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS w (document_id, end_at, n)
        LEFT JOIN documents d USING (document_id) ORDER BY n
        """,
        [document_id for document_id, _ in places],
        [end for _, end in places],
        longest,
    )
    return [row["following"] for row in rows]


async def last_messages(
    connection: Connection, caller: Caller, session_id: UUID, *, limit: int
) -> list[tuple[str, str, dict[str, Any]]]:
    """(role, content, sources kept with it) of the newest messages of a session of the user, oldest
    first."""
    rows = await connection.fetch(
        """
        SELECT m.role, m.content, coalesce(m.details -> 'sources', '{}') AS sources FROM agent_messages m
        JOIN agent_sessions s USING (organization_id, session_id)
        WHERE m.organization_id = $1 AND s.user_id = $2 AND m.session_id = $3
        ORDER BY m.created_at DESC, m.message_id DESC LIMIT $4
        """,
        caller.organization_id,
        caller.user_id,
        session_id,
        limit,
    )
    return [(row["role"], row["content"], row["sources"]) for row in reversed(rows)]


@dataclass(frozen=True, slots=True)
class SessionScope:
    """What kind of session it is, its company as it is now, and the content setting that it made."""

    type: SessionType
    company_id: UUID | None
    setting_id: UUID | None


async def session_scope(
    connection: Connection, caller: Caller, session_id: UUID
) -> SessionScope | None:
    """None when the user has no such session."""
    row = await connection.fetchrow(
        """
        SELECT s.type, coalesce(c.merged_into, s.company_id) AS company_id,
          (SELECT max(m.details ->> 'setting_id')::uuid FROM agent_messages m
           WHERE m.organization_id = $1 AND m.session_id = $3) AS setting_id
        FROM agent_sessions s LEFT JOIN companies c USING (company_id)
        WHERE organization_id = $1 AND user_id = $2 AND session_id = $3
        """,
        caller.organization_id,
        caller.user_id,
        session_id,
    )
    return SessionScope(**row) if row else None


async def all_signals(connection: Connection, company_id: UUID) -> list[dict[str, Any]]:
    """What happened, newest first, long ago included: each with its day."""
    rows = await connection.fetch(
        f"""
        SELECT signal_id, family, type, title, quote, document_id, source->>'url' AS url,
          {DATED}
        FROM signals WHERE company_id = $1
        ORDER BY {AT} DESC, signal_id LIMIT $2
        """,
        company_id,
        _SIGNALS_AT_MOST,
    )
    return [dict(row) for row in rows]
