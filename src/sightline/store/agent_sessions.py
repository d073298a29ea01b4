"""Agent sessions and their messages. Every function sees the sessions of one user only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from sightline.domain.callers import Caller
from sightline.kit.ids import new_id
from sightline.store.companies import ids_of
from sightline.store.database import Connection
from sightline.store.pages import Pages, Rows, Slice, Where, read_rows, utc

SessionType = Literal[
    "document", "chat", "plan", "canvas_settings", "email", "workspace", "project"
]
SessionStatus = Literal["active", "archived"]
SessionSort = Literal["updated_at", "created_at", "title"]

_SORTS: dict[SessionSort, tuple[str, str]] = {
    "updated_at": ("s.updated_at", "timestamptz"),
    "created_at": ("s.created_at", "timestamptz"),
    "title": ("lower(s.title)", "text"),
}
_OBJECT = f"""
  json_build_object('id', s.session_id, 'title', s.title, 'type', s.type, 'status', s.status,
    'company_id', s.company_id, 'user_id', s.user_id,
    'capabilities', CASE WHEN s.type IN ('chat', 'workspace') THEN '["answer"]'
      WHEN s.type IN ('plan', 'project') THEN '["plan"]'
      WHEN s.type = 'canvas_settings' THEN '["setting"]' ELSE format('["%s"]', s.type) END::json,
    'message_count', (SELECT count(*) FROM agent_messages m
       WHERE m.organization_id = $1 AND m.session_id = s.session_id),
    'created_at', {utc("s.created_at")},
    'updated_at', {utc("s.updated_at")})
"""


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """What is listed; None means all."""

    status: SessionStatus | None = None
    type: str | None = None
    company_id: UUID | None = None
    search: str | None = None
    sort: SessionSort = "updated_at"
    descending: bool = True


async def create_session(
    connection: Connection,
    caller: Caller,
    *,
    title: str,
    type: SessionType,
    company_id: UUID | None,
) -> UUID:
    """Create a session of the caller's user."""
    session_id = new_id()
    await connection.execute(
        """
        INSERT INTO agent_sessions (organization_id, session_id, user_id, title, type, company_id)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        caller.organization_id,
        session_id,
        caller.user_id,
        title,
        type,
        company_id,
    )
    return session_id


async def read_session(connection: Connection, caller: Caller, session_id: UUID) -> str | None:
    """A session as JSON text; None if there is none."""
    body: str | None = await connection.fetchval(
        f"""
        SELECT {_OBJECT}::text FROM agent_sessions s
        WHERE s.organization_id = $1 AND s.user_id = $2 AND s.session_id = $3
        """,
        caller.organization_id,
        caller.user_id,
        session_id,
    )
    return body


async def update_session(
    connection: Connection,
    caller: Caller,
    session_id: UUID,
    *,
    title: str | None,
    status: SessionStatus | None,
) -> bool:
    """Rename, archive or bring back. False when the user has no such session."""
    done = await connection.execute(
        """
        UPDATE agent_sessions SET title = coalesce($4, title), status = coalesce($5, status),
          updated_at = CASE WHEN $4 IS DISTINCT FROM title OR $5 IS DISTINCT FROM status
            THEN clock_timestamp() ELSE updated_at END
        WHERE organization_id = $1 AND user_id = $2 AND session_id = $3
        """,
        caller.organization_id,
        caller.user_id,
        session_id,
        title,
        status,
    )
    return done == "UPDATE 1"


async def sessions_page(
    connection: Connection, caller: Caller, wanted: SessionFilter, *, part: Slice
) -> Pages:
    """Sessions of the user as the text of a JSON array, the total, and where the page ends."""
    expression, kind = _SORTS[wanted.sort]
    where = Where(
        "s.organization_id = $1 AND s.user_id = $2", [caller.organization_id, caller.user_id]
    )
    where.add("s.status = {}", wanted.status)
    where.add("s.type = {}", wanted.type)
    where.add(f"s.company_id = ANY({ids_of('ARRAY[{}::uuid]')})", wanted.company_id)
    where.add("strpos(lower(s.title), lower({})) > 0", wanted.search)
    return await read_rows(
        connection,
        Rows(
            "agent_sessions s",
            _OBJECT,
            "session_id",
            expression,
            kind,
            descending=wanted.descending,
        ),
        where,
        part=part,
    )


async def add_message(
    connection: Connection,
    caller: Caller,
    session_id: UUID,
    *,
    role: Literal["user", "assistant"],
    content: str,
    details: Mapping[str, Any] | None = None,
) -> UUID | None:
    """Append a message; returns its id. None when the user has no such session."""
    message_id = new_id()
    touched = await connection.execute(
        """
        UPDATE agent_sessions SET updated_at = clock_timestamp()
        WHERE organization_id = $1 AND user_id = $2 AND session_id = $3
        """,
        caller.organization_id,
        caller.user_id,
        session_id,
    )
    if touched != "UPDATE 1":
        return None
    await connection.execute(
        """
        INSERT INTO agent_messages (organization_id, session_id, message_id, role, content, details)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        caller.organization_id,
        session_id,
        message_id,
        role,
        content,
        dict(details or {}),
    )
    return message_id


async def messages_page(
    connection: Connection, caller: Caller, session_id: UUID, *, part: Slice
) -> Pages:
    """Messages of a session, oldest first."""
    item = f"""
      json_build_object('id', message_id, 'role', role, 'content', content, 'details', details - 'sources',
        'created_at', {utc("created_at")})
    """
    where = Where(
        """
          m.organization_id = $1 AND m.session_id = $3 AND EXISTS (SELECT FROM agent_sessions s
            WHERE s.organization_id = $1 AND s.user_id = $2 AND s.session_id = $3)
        """,
        [caller.organization_id, caller.user_id, session_id],
    )
    return await read_rows(
        connection,
        Rows("agent_messages m", item, "message_id", "created_at", "timestamptz"),
        where,
        part=part,
    )
