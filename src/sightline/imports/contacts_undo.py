"""Undoes a chunk of a contacts import: removes people that only it brought, restores values."""

from dataclasses import replace
from datetime import UTC, datetime

from sightline.imports.contacts_replay import without_import
from sightline.store.contact_book import open_book
from sightline.store.contact_import_changes import (
    ContactChange,
    changes_of_contacts,
    forget_contact_changes,
    hand_on_beginnings,
    next_contacts,
)
from sightline.store.contact_writes import (
    ContactState,
    delete_contacts,
    load_contacts,
    write_contacts,
)
from sightline.store.database import Tenant
from sightline.store.imports import UndoneImport


async def undo_contacts(tenant: Tenant, outcome: UndoneImport, *, limit: int) -> UndoneImport:
    """Undo the next contacts. One that a person changed, though the import made it, stays as it is."""
    book = await open_book(tenant, many=True)
    ids = await next_contacts(tenant, outcome.import_id, limit=limit)
    if not ids:
        return replace(outcome, finished=True)
    kept = await changes_of_contacts(tenant, ids)
    gone: list[ContactState] = []
    changed: list[ContactState] = []
    heirs: list[ContactChange] = []
    edited = imported = stayed = 0
    for state in await load_contacts(tenant, ids):
        changes = kept[state.contact_id]
        own, others = _parted(changes, outcome)
        kinds = {source.get("source") for source in state.sources.values()}
        if own.is_created and "user" in kinds:
            edited += 1
            continue
        if own.is_created and not others and kinds <= {"import"}:
            gone.append(state)
            continue
        imported += own.is_created
        left = without_import(state.values, state.sources, changes, import_id=outcome.import_id)
        stayed += left.values_stayed
        if (left.values, left.sources) != (state.values, state.sources):
            state.values, state.sources = left.values, left.sources
            state.is_changed = True
            changed.append(state)
        if others and changes[0] is own:
            heirs.append(_heir(others[0], own))
    now = datetime.now(UTC)
    await write_contacts(tenant, changed, now=now, book=book)
    await hand_on_beginnings(tenant, heirs)
    await forget_contact_changes(tenant, outcome.import_id, ids)
    await delete_contacts(tenant, gone)
    return replace(
        outcome,
        deleted=outcome.deleted + len(gone),
        reverted=outcome.reverted + len(changed),
        stayed_edited=outcome.stayed_edited + edited,
        stayed_imported=outcome.stayed_imported + imported,
        values_stayed=outcome.values_stayed + stayed,
    )


def _parted(
    changes: list[ContactChange], outcome: UndoneImport
) -> tuple[ContactChange, list[ContactChange]]:
    """What the import did with a contact, and what the others did."""
    (own,) = (each for each in changes if each.import_id == outcome.import_id)
    return own, [each for each in changes if each is not own]


def _heir(other: ContactChange, own: ContactChange) -> ContactChange:
    """Another import that takes over how the undone one found the contact."""
    return replace(
        other,
        is_created=other.is_created or own.is_created,
        before=own.before,
        before_sources=own.before_sources,
    )
