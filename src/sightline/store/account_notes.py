"""Team notes on an account: notes, the next step, the owner. The latest of each kind is current."""

import json
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal
from uuid import UUID

from sightline.domain.callers import Caller
from sightline.kit.ids import new_id
from sightline.store.database import Connection, Tenant
from sightline.store.pages import Pages, Rows, Slice, Where, read_rows, utc

NoteKind = Literal["note", "next_step", "owner"]


def _user(column: str) -> str:
    return (
        "(SELECT json_build_object('id', u.user_id, 'email', u.email) FROM users u"
        f" WHERE u.organization_id = $1 AND u.user_id = note.{column})"
    )


_OBJECT: Final = f"""
  json_build_object('id', note.note_id, 'account_id', note.account_id, 'kind', note.kind, 'text', note.text,
    'due_on', note.due_on, 'owner', {_user("owner_id")}, 'author', {_user("author_id")},
    'created_at', {utc("note.created_at")})
"""


@dataclass(frozen=True, slots=True)
class NewNote:
    """An entry. Of a next step, no text means that it is done; of an owner, none removes the owner."""

    kind: NoteKind
    text: str = ""
    due_on: date | None = None
    owner_id: UUID | None = None


async def add_note(connection: Connection, caller: Caller, account_id: UUID, note: NewNote) -> str:
    """The entry as JSON text. The account must exist."""
    note_id = new_id()
    await connection.execute(
        """
        INSERT INTO account_notes (organization_id, note_id, account_id, kind, text, due_on, owner_id,
          author_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """,
        caller.organization_id,
        note_id,
        account_id,
        note.kind,
        note.text,
        note.due_on,
        note.owner_id,
        caller.user_id,
    )
    made: str = await connection.fetchval(
        f"SELECT {_OBJECT}::text FROM account_notes note"
        " WHERE note.organization_id = $1 AND note.note_id = $2",
        caller.organization_id,
        note_id,
    )
    return made


async def notes_page(
    tenant: Tenant, account_id: UUID, *, kind: NoteKind | None, part: Slice
) -> Pages:
    """The entries of an account as the text of a JSON array, newest first."""
    where = Where("organization_id = $1 AND account_id = $2", [tenant.organization_id, account_id])
    where.add("kind = {}", kind)
    return await read_rows(
        tenant,
        Rows(
            "account_notes note", _OBJECT, "note_id", "created_at", "timestamptz", descending=True
        ),
        where,
        part=part,
    )


async def present_notes(tenant: Tenant, account_id: UUID) -> dict[str, Any]:
    """The latest entry of each kind, as the API shows it."""
    rows = await tenant.rows(
        f"""
        SELECT DISTINCT ON (note.kind) note.kind, {_OBJECT}::text AS entry FROM account_notes note
        WHERE note.organization_id = $1 AND note.account_id = $2
        ORDER BY note.kind, note.created_at DESC, note.note_id DESC
        """,
        account_id,
    )
    return {row["kind"]: json.loads(row["entry"]) for row in rows}


async def delete_note(tenant: Tenant, account_id: UUID, note_id: UUID) -> bool:
    """False when the account has no such entry."""
    status = await tenant.run(
        "DELETE FROM account_notes WHERE organization_id = $1 AND account_id = $2 AND note_id = $3",
        account_id,
        note_id,
    )
    return status == "DELETE 1"
