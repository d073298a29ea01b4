"""Team notes on an account: notes, next step, owner."""

import json
from typing import Any, Final
from uuid import UUID

from sightline.console.page import FormIsInvalid, Moved, NothingHere, Visit
from sightline.store.account_notes import notes_page, present_notes
from sightline.store.administration import users_page
from sightline.store.company_pages import account_of
from sightline.store.database import Tenant
from sightline.store.pages import Slice

_MOST_NOTES: Final = 3
_MOST_USERS: Final = 100
DONE: Final = {
    "note": "note_added",
    "next_step": "next_step_set",
    "owner": "owner_set",
    "delete": "note_deleted",
}


async def notes_of(connection: Tenant, company_id: UUID) -> dict[str, Any] | None:
    """The latest notes, the next step, the owner, and who could be; None where there is no account."""
    account_id = await account_of(connection, company_id)
    if account_id is None:
        return None
    notes, total, _ = await notes_page(
        connection, account_id,
        kind="note", part=Slice(_MOST_NOTES)
    )  # fmt: skip
    users, _, _ = await users_page(connection, part=Slice(_MOST_USERS))
    present = await present_notes(connection, account_id)
    step = present.get("next_step")
    return {
        "notes": json.loads(notes),
        "total": total,
        "next_step": step if step and step["text"] else None,
        "owner": present.get("owner", {}).get("owner"),
        "users": [each["email"] for each in json.loads(users) if not each["disabled"]],
    }


async def change(visit: Visit) -> Moved:
    """Add an entry, or delete one. Raises NothingHere, FormIsInvalid, Refusal."""
    company_id = visit.path_id("company_id")
    async with visit.reading() as connection:
        account_id = await account_of(connection, company_id)
    if account_id is None:
        raise NothingHere
    action, text = visit.form.get("action", ""), visit.form.get("text", "").strip()
    if action not in DONE:
        raise FormIsInvalid
    here = f"/console/companies/{company_id}"
    path = {"account_id": account_id}
    if action == "delete":
        path["note_id"] = visit.form_id("note")
        await visit.run("delete_account_note", path=path)
        return Moved(here, notice=DONE[action])
    body: dict[str, Any] = {"kind": action, "text": text}
    if action == "next_step":
        body["due_on"] = visit.form.get("due_on") or None
    if action == "owner":
        body["owner"] = visit.form.get("owner") or None
    await visit.run("add_account_note", path=path, body=body)
    return Moved(here, notice=DONE[action])
