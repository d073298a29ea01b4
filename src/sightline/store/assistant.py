"""What the assistant reads that no other aggregate does: open postings, whether words are held, and what
was asked before."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sightline.domain.callers import Caller
from sightline.store.database import Connection

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


async def words_held(connection: Connection, wanted: Sequence[tuple[UUID, str]]) -> list[bool]:
    """Whether each text stands in its document exactly as it is."""
    if not wanted:
        return []
    rows = await connection.fetch(
        """
        SELECT strpos(d.body_text, w.words) > 0 AS held
        FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS w (document_id, words, n)
        LEFT JOIN documents d USING (document_id) ORDER BY n
        """,
        [document_id for document_id, _ in wanted],
        [words for _, words in wanted],
    )
    return [bool(row["held"]) for row in rows]


async def last_questions(
    connection: Connection, caller: Caller, session_id: UUID, *, limit: int
) -> list[tuple[str, str]]:
    """(role, content) of the newest messages of a session of the user, oldest first."""
    rows = await connection.fetch(
        """
        SELECT m.role, m.content FROM agent_messages m
        JOIN agent_sessions s USING (organization_id, session_id)
        WHERE m.organization_id = $1 AND s.user_id = $2 AND m.session_id = $3
        ORDER BY m.created_at DESC, m.message_id DESC LIMIT $4
        """,
        caller.organization_id,
        caller.user_id,
        session_id,
        limit,
    )
    return [(row["role"], row["content"]) for row in reversed(rows)]


async def session_company(
    connection: Connection, caller: Caller, session_id: UUID
) -> tuple[UUID | None] | None:
    """The company of a chat of the user as it is now, in a tuple; None when the user has no such chat."""
    row = await connection.fetchrow(
        """
        SELECT coalesce(c.merged_into, s.company_id) AS company_id
        FROM agent_sessions s LEFT JOIN companies c USING (company_id)
        WHERE organization_id = $1 AND user_id = $2 AND session_id = $3 AND type = 'chat'
        """,
        caller.organization_id,
        caller.user_id,
        session_id,
    )
    return (row["company_id"],) if row else None


async def all_signals(connection: Connection, company_id: UUID) -> list[dict[str, Any]]:
    """What happened, newest first, long ago included: each is told with its day."""
    rows = await connection.fetch(
        """
        SELECT signal_id, family, type, title, quote, document_id, occurred_at, detected_at
        FROM signals WHERE company_id = $1
        ORDER BY coalesce(occurred_at, detected_at) DESC, signal_id LIMIT $2
        """,
        company_id,
        _SIGNALS_AT_MOST,
    )
    return [dict(row) for row in rows]
