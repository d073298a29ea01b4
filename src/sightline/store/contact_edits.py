"""Changes and deletions of one contact by a person."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sightline.domain.contact_input import ReadContact
from sightline.domain.contact_merging import Source, overwrite_contact
from sightline.domain.contact_records import all_keys, identifying_keys
from sightline.store.contact_book import open_book, suppressed_keys
from sightline.store.contact_companies import link_companies
from sightline.store.contact_writes import (
    ContactState,
    delete_contacts,
    find_by_keys,
    load_contacts,
    write_contacts,
)
from sightline.store.database import Tenant

Edited = Literal["changed", "unchanged", "missing", "suppressed", "ambiguous", "nameless"]

# Fields that are read together: who sets one of them means all.
_TOGETHER: Mapping[str, tuple[str, ...]] = {"full_name": ("first_name", "last_name")}


async def edit_contact(
    tenant: Tenant,
    contact_id: UUID,
    *,
    said: ReadContact,
    cleared: Sequence[str],
    source: Source,
    now: datetime,
) -> Edited:
    """Set the values that a person gives, and take away those that are `cleared`.

    Nothing is written unless it answers "changed".
    """
    book = await open_book(tenant)
    state = await _shown(tenant, contact_id)
    if state is None:
        return "missing"
    before = set(identifying_keys(state.values))
    given = _meant(said, cleared)
    if "company" in given and "company_id" not in given:
        moved = ReadContact(values={"company": given["company"] or {}}, domains=said.domains)
        await link_companies(tenant, [moved])
        given["company_id"] = moved.values.get("company_id")
    if not overwrite_contact(state.values, state.sources, given, source):
        return "unchanged"
    after = set(identifying_keys(state.values))
    if not after and not state.values.get("full_name"):
        return "nameless"
    if await suppressed_keys(tenant, all_keys(state.values), book=book):
        return "suppressed"
    fresh = {key for key in after - before if not key.startswith("n:")}
    others = await find_by_keys(tenant, fresh)
    if {other.contact_id for other in others} - {contact_id}:
        return "ambiguous"
    state.is_changed = True
    await write_contacts(tenant, [state], now=now, book=book)
    return "changed"


def _meant(said: ReadContact, cleared: Sequence[str]) -> dict[str, Any]:
    """All fields that an edit sets; None takes a value away."""
    given: dict[str, Any] = dict(said.values)
    for whole, parts in _TOGETHER.items():
        if whole in given:
            given = dict.fromkeys(parts) | given
    return given | dict.fromkeys(cleared)


async def delete_contact(tenant: Tenant, contact_id: UUID) -> bool:
    """Delete a contact; whether there was one. Unlike an erasure it may come back with an import."""
    await open_book(tenant)
    found = await _shown(tenant, contact_id)
    if found is not None:
        await delete_contacts(tenant, [found])
    return found is not None


async def _shown(tenant: Tenant, contact_id: UUID) -> ContactState | None:
    """The contact; None for one that does not exist or is hidden."""
    found = await load_contacts(tenant, [contact_id])
    return next((each for each in found if not each.hidden), None)
