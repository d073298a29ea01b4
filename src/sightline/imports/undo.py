"""Undoes a whole import.

Accounts that it made go, and values that it replaced come back. What was changed since stays: a value
that a person or another import set, and an account that a person set values of or put into a list, a
territory or a watch. An account that another import wrote to as well passes to that import with what it
brought, so that undoing both, in whichever order, leaves nothing of either.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.names import name_key
from sightline.imports.contacts_undo import undo_contacts
from sightline.store import account_deletions, work
from sightline.store.account_writes import (
    AccountState,
    Reference,
    Wanted,
    begin_bulk_write,
    find_accounts_by,
    write_accounts,
)
from sightline.store.accounts import companies_of
from sightline.store.database import Database, Tenant
from sightline.store.import_changes import (
    ImportChange,
    forget_changes,
    next_changes,
    other_changes,
    placed_by_hand,
    replace_changes,
    take_names_away,
)
from sightline.store.imports import UndoneImport, begin_undo, note_undone
from sightline.store.organizations import record_audit

CHUNK_ACCOUNTS = 500


@dataclass(frozen=True)
class Held:
    """What an account held before an import came to it."""

    own: Mapping[str, Any]
    own_sources: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, state: AccountState) -> "Held":
        return cls(dict(state.own), dict(state.own_sources))


def changes_of(
    states: Iterable[AccountState], held: Mapping[UUID, Held], *, import_id: UUID
) -> list[ImportChange]:
    """What an import did to accounts that are as they will be written."""
    changes = []
    for state in states:
        if not (state.is_new or state.is_changed or state.is_confirmed):
            continue
        before = held.get(state.account_id, Held({}, {}))
        changes.append(
            ImportChange(
                import_id,
                state.account_id,
                state.is_new,
                {
                    name: [before.own.get(name), dict(source)]
                    for name, source in before.own_sources.items()
                    if source != state.own_sources.get(name)
                    and source.get("import_id") != str(import_id)
                },
                set(state.added_domains),
                set(state.added_references),
            )
        )
    return changes


async def undo_import(
    database: Database, organization_id: OrganizationId, import_id: UUID, *, actor: str
) -> UndoneImport:
    """Undo an import, chunk by chunk; one that was broken off resumes where it stopped.

    Raises ImportIsMissing, ImportIsNotUndoable.
    """
    async with database.tenant(organization_id) as connection:
        outcome = await begin_undo(connection, import_id)
    while not outcome.finished:
        async with database.tenant(organization_id) as connection:
            if outcome.kind == "accounts":
                await begin_bulk_write(connection)
            # Another run that undoes it at this moment has moved on since.
            outcome = await begin_undo(connection, import_id)
            if outcome.finished:
                break
            if outcome.kind == "accounts":
                outcome = await _undo_chunk(connection, outcome)
            else:
                outcome = await undo_contacts(connection, outcome, limit=CHUNK_ACCOUNTS)
            await note_undone(connection, outcome)
            if outcome.finished:
                await record_audit(
                    connection,
                    action="undo",
                    subject=f"import:{import_id}",
                    actor=actor,
                    details={"deleted": outcome.deleted, "reverted": outcome.reverted},
                )
    return outcome


async def run_undo(database: Database, item: work.Work) -> None:
    """Work: undo an import that the API was asked to."""
    organization_id = OrganizationId(item.organization_id)
    await undo_import(
        database, organization_id, UUID(item.subject), actor=str(item.payload["actor"])
    )
    async with database.connection() as shared, shared.transaction():
        await work.finish(shared, item)


async def run_deletion(database: Database, item: work.Work) -> None:
    """Work: delete the accounts of an operation."""
    organization_id = OrganizationId(item.organization_id)
    goes_on = True
    while goes_on:
        async with database.tenant(organization_id) as connection:
            goes_on = await account_deletions.delete_next(
                connection, UUID(item.subject), limit=CHUNK_ACCOUNTS
            )
    async with database.connection() as shared, shared.transaction():
        await work.finish(shared, item)


async def _undo_chunk(tenant: Tenant, outcome: UndoneImport) -> UndoneImport:
    import_id = outcome.import_id
    changes = await next_changes(tenant, import_id, limit=CHUNK_ACCOUNTS)
    if not changes:
        return replace(outcome, finished=True)
    ids = [change.account_id for change in changes]
    companies = await companies_of(tenant, ids)
    found = await find_accounts_by(tenant, Wanted(company_ids=companies))
    states = {state.account_id: state for state in found}
    others = await other_changes(tenant, import_id, ids)
    placed = await placed_by_hand(tenant, ids)
    undo = _Undo(str(import_id))
    for change in changes:
        undo.account(
            states[change.account_id],
            change,
            others.get(change.account_id, []),
            is_placed=change.account_id in placed,
        )
    await write_accounts(tenant, undo.reverted)
    await take_names_away(tenant, undo.names)
    await replace_changes(tenant, [each for these in others.values() for each in these])
    await forget_changes(tenant, import_id, ids)
    await account_deletions.delete_accounts(tenant, undo.deleted)
    return replace(
        outcome,
        deleted=outcome.deleted + len(undo.deleted),
        reverted=outcome.reverted + len(undo.reverted),
        stayed_edited=outcome.stayed_edited + undo.edited,
        stayed_placed=outcome.stayed_placed + undo.placed,
        stayed_imported=outcome.stayed_imported + undo.imported,
        values_stayed=outcome.values_stayed + undo.values_stayed,
    )


class _Undo:
    """What is to be done with the accounts of a chunk."""

    def __init__(self, import_id: str) -> None:
        self.import_id = import_id
        self.deleted: list[UUID] = []
        self.reverted: list[AccountState] = []
        self.names: dict[UUID, tuple[set[str], set[Reference]]] = {}
        self.edited = self.placed = self.imported = self.values_stayed = 0

    def account(
        self,
        state: AccountState,
        change: ImportChange,
        others: list[ImportChange],
        *,
        is_placed: bool,
    ) -> None:
        is_edited = any(each.get("source") == "user" for each in state.own_sources.values())
        if change.is_created and (is_edited or is_placed):
            self.edited += is_edited
            self.placed += not is_edited
        elif change.is_created and not others:
            self.deleted.append(state.account_id)
        else:
            self.imported += change.is_created
            self._revert(state, change, others)

    def _revert(
        self, state: AccountState, change: ImportChange, others: list[ImportChange]
    ) -> None:
        own, sources = state.own, state.own_sources
        for name, source in list(sources.items()):
            if source.get("import_id") != self.import_id:
                self.values_stayed += name in change.before
            elif name in change.before:
                _put(state, name, change.before[name])
            elif name != "company_name" or state.catalogue.get("company_name"):
                own.pop(name, None)
                del sources[name]
        for name in change.before.keys() - sources.keys():  # taken away by the import
            _put(state, name, change.before[name])
        state.name_key = name_key(state.values["company_name"])
        state.is_changed = True
        self.reverted.append(state)
        for other in others:
            self._forget_in(other, change)
        if others:
            heir = others[0]
            heir.is_created |= change.is_created
            heir.domains |= change.domains
            heir.references |= change.references
        else:
            self.names[state.account_id] = change.domains - _said_of(state), change.references

    def _forget_in(self, other: ImportChange, change: ImportChange) -> None:
        """Have another import remember what there was before this one, in place of this one's values."""
        for name, (_, source) in list(other.before.items()):
            if source.get("import_id") != self.import_id:
                continue
            if name in change.before:
                other.before[name] = change.before[name]
            elif name != "company_name":
                del other.before[name]


def _put(state: AccountState, name: str, value_and_source: list[Any]) -> None:
    value, source = value_and_source
    state.own_sources[name] = source
    if value is None:
        state.own.pop(name, None)
    else:
        state.own[name] = value


def _said_of(state: AccountState) -> set[Any]:
    """The domains that the values of an account still name."""
    values = state.values
    return {values.get("website_domain"), *(values.get("alternative_domains") or ())} - {None}
