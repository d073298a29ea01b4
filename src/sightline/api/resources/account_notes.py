"""Notes, next step and owner of an account: append-only entries, the latest of each kind is current."""

from datetime import date
from functools import partial
from uuid import UUID

from pydantic import Field

from sightline.api.administering import audit
from sightline.api.endpoint import Call, Endpoint, Reply, Schema, deleted, of_resource
from sightline.api.paging import PageParameters, list_reply, page_of
from sightline.api.schemas import Deleted
from sightline.domain.errors import AccountDoesNotExist, NoteDoesNotExist, RequestIsInvalid
from sightline.store import account_notes as store
from sightline.store.account_notes import NewNote, NoteKind
from sightline.store.accounts import read_account
from sightline.store.organizations import UserDoesNotExist, find_user


class NoteList(PageParameters):
    kind: NoteKind | None = Field(default=None, description="Only entries of this kind.")


class NoteEntry(Schema):
    kind: NoteKind = Field(default="note", description="Text of the note.")
    text: str = Field(
        default="",
        max_length=10_000,
        description="For a next step, no text marks it done; for an owner, a comment.",
        examples=["Met the head of logistics; wants a trial in March."],
    )
    due_on: date | None = Field(default=None, description="For a next step: its due date.")
    owner: str | None = Field(
        default=None, max_length=320,
        description="For an owner: a user's email; null removes the owner.",
    )  # fmt: skip


class NoteUser(Schema):
    id: UUID
    email: str = Field(examples=["ada@harbor.example"])


class Note(Schema):
    id: UUID
    account_id: UUID
    kind: NoteKind
    text: str
    due_on: str | None = Field(examples=["2026-12-01"])
    owner: NoteUser | None
    author: NoteUser
    created_at: str


async def list_notes(call: Call) -> Reply:
    account_id, kind = call.params.account_id, call.params.kind
    await _check_account(call, account_id)
    page = partial(store.notes_page, call.tenant, account_id, kind=kind)
    return await list_reply(call, page, "notes", account_id, kind)


async def add(call: Call) -> Reply:
    account_id, asked = call.params.account_id, call.body
    await _check_account(call, account_id)
    made = await store.add_note(call.tenant, call.caller, account_id, await _note(call, asked))
    await audit(call, f"add_{asked.kind}", f"account:{account_id}")
    return Reply(made.encode(), status=201)


async def delete(call: Call) -> Reply:
    account_id, note_id = call.params.account_id, call.params.note_id
    await _check_account(call, account_id)
    found = await store.delete_note(call.tenant, account_id, note_id)
    reply = deleted(found, NoteDoesNotExist, note_id)
    await audit(call, "delete_note", f"account:{account_id}")
    return reply


async def _note(call: Call, asked: NoteEntry) -> NewNote:
    """What is to be kept. Raises RequestIsInvalid."""
    if asked.kind == "note" and not asked.text.strip():
        raise RequestIsInvalid("A note needs text.", path="text")
    if asked.due_on is not None and asked.kind != "next_step":
        raise RequestIsInvalid("Only a next step has a due date.", path="due_on")
    if asked.owner is not None and asked.kind != "owner":
        raise RequestIsInvalid("Only an entry of kind owner has an owner.", path="owner")
    owner_id = None
    if asked.owner is not None:
        try:
            owner_id = await find_user(call.tenant, email=asked.owner)
        except UserDoesNotExist as error:
            raise RequestIsInvalid("No user has this email.", path="owner") from error
    return NewNote(asked.kind, asked.text.strip(), asked.due_on, owner_id)


async def _check_account(call: Call, account_id: UUID) -> None:
    """Raises AccountDoesNotExist."""
    if await read_account(call.tenant, account_id) is None:
        raise AccountDoesNotExist()


ENDPOINTS = of_resource(
    "Accounts",
    ("accounts:read", "accounts:write"),
    Endpoint(
        method="GET",
        path="/accounts/{account_id}/notes",
        name="list_account_notes",
        summary="Notes, next steps and owners of an account, newest first",
        description=(
            "Entries are never changed. The newest `next_step` and `owner` are the current "
            "ones; get one with `kind` and `per_page=1`."
        ),
        params=NoteList,
        answer=page_of(Note),
        handler=list_notes,
    ),
    Endpoint(
        method="POST",
        path="/accounts/{account_id}/notes",
        name="add_account_note",
        summary="Add a note to an account, set its next step or its owner",
        body=NoteEntry,
        answer=Note,
        status=201,
        handler=add,
    ),
    Endpoint(
        method="DELETE",
        path="/accounts/{account_id}/notes/{note_id}",
        name="delete_account_note",
        summary="Delete an entry of an account",
        answer=Deleted,
        handler=delete,
    ),
)
