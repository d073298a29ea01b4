"""Creates, changes and deletes contacts: one path for the API, imports and discovery.

All functions run inside a tenant transaction.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal
from uuid import UUID

from sightline.domain.contact_input import ReadContact
from sightline.domain.contact_merging import Contradiction, Source, merge_contact
from sightline.domain.contact_records import (
    Values,
    all_keys,
    company_key_of,
    contact_document,
    identifying_keys,
    tokens_of,
    values_of,
)
from sightline.kit.clock import rfc3339
from sightline.kit.ids import new_id
from sightline.store.contact_bits import change_bits
from sightline.store.contact_book import Book, open_book, suppressed_keys, take_slots
from sightline.store.contact_companies import link_companies
from sightline.store.contact_import_changes import ContactChange, keep_contact_changes
from sightline.store.database import Tenant

Status = Literal["created", "updated", "unchanged", "suppressed"]


@dataclass
class ContactState:
    """A contact as stored or about to be. `tokens` are those that its bits stand under now."""

    contact_id: UUID
    slot: int
    hidden: bool
    values: Values
    sources: dict[str, Source]
    tokens: frozenset[str]
    created_at: datetime
    keys: frozenset[str] = frozenset()
    is_new: bool = False
    is_changed: bool = False


@dataclass
class Outcome:
    """What became of one contact put in. `contradictions` were not taken."""

    status: Status
    state: ContactState | None = None
    contradictions: Sequence[Contradiction] = ()
    clash: str | None = None  # why a value was left to another contact


@dataclass
class _Known:
    """The contacts that a batch may be about, by key; some are known by their place in the batch."""

    suppressed: frozenset[str]  # keys of people who are suppressed
    by_key: dict[str, ContactState] = field(default_factory=dict)
    links: dict[int, ContactState] = field(default_factory=dict)  # by position

    def learn(self, state: ContactState) -> None:
        for key in identifying_keys(state.values):
            self.by_key.setdefault(key, state)

    def find(self, position: int, values: Values) -> tuple[ContactState | None, str | None]:
        """The contact that the values are about, and why not another that they also name.

        What belongs to other contacts is then taken out of the values.
        """
        found = self.links.get(position)
        for key in identifying_keys(values):
            state = self.by_key.get(key)
            if state is None or state is found:
                continue
            if key.startswith("n:") and _differ(state.values, values):
                continue  # namesakes
            if found is None:
                found = state
            elif not key.startswith("n:"):
                kind = "profile page" if key.startswith("p:") else "email address"
                _leave_to_others(values, found, self)
                return found, f"The {kind} is another contact's."
        return found, None


def _differ(held: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    """Whether two people of one name at one company are two: each has a profile page of their own."""
    pages = held.get("profile_network_url"), said.get("profile_network_url")
    return None not in pages and pages[0] != pages[1]


async def put_contacts(
    tenant: Tenant,
    given: Sequence[ReadContact],
    *,
    source: Source,
    now: datetime,
    many: bool = False,
    import_id: UUID | None = None,
    linked: Mapping[int, UUID] = MappingProxyType({}),
    choose: Callable[[int, ContactState], None] | None = None,
) -> list[Outcome]:
    """Create contacts, or merge them into those that they are about; suppressed people are left out.

    What an import says is kept, so that it can be undone. `linked` says which of `given`, by position, are
    contacts that are known already; `choose` may change what one says before it is merged.
    """
    book = await open_book(tenant, many=many)
    await link_companies(tenant, given)
    known = await _known(tenant, given, linked, book)
    outcomes: list[Outcome] = []
    changes: dict[UUID, ContactChange] = {}
    touched: dict[UUID, ContactState] = {}
    slot = book.next_slot
    for position, each in enumerate(given):
        if known.suppressed.intersection(all_keys(each.values)):
            outcomes.append(Outcome("suppressed"))
            continue
        state, clash = known.find(position, each.values)
        if state is not None and state.hidden:
            outcomes.append(Outcome("suppressed"))
            continue
        if state is None:
            state = ContactState(new_id(), slot, False, {}, {}, frozenset(), now, is_new=True)
            slot += 1
        is_first = state.is_new and not state.values
        if choose is not None and not is_first:
            choose(position, state)
        if import_id is not None:
            change = changes.setdefault(
                state.contact_id,
                ContactChange(
                    import_id, state.contact_id, is_first, deepcopy(state.values),
                    dict(state.sources), [],
                ),
            )  # fmt: skip
            change.said.append({"values": deepcopy(each.values), "source": dict(source)})
        outcomes.append(_merged(state, each, source, is_first, clash))
        known.learn(state)
        touched[state.contact_id] = state
    await write_contacts(tenant, list(touched.values()), now=now, book=book)
    if changes:
        await keep_contact_changes(tenant, list(changes.values()))
    return outcomes


def _merged(
    state: ContactState, given: ReadContact, source: Source, is_first: bool, clash: str | None
) -> Outcome:
    changed, contradictions = merge_contact(state.values, state.sources, given.values, source)
    state.is_changed |= changed
    status: Status = "created" if is_first else "updated" if changed else "unchanged"
    return Outcome(status, state, contradictions, clash)


async def _known(
    tenant: Tenant, given: Sequence[ReadContact], linked: Mapping[int, UUID], book: Book
) -> _Known:
    keys = {key for each in given for key in all_keys(each.values)}
    known = _Known(await suppressed_keys(tenant, keys, book=book))
    named_by = {key for each in given for key in identifying_keys(each.values)}
    for stored in await find_by_keys(tenant, named_by):
        known.learn(stored)
    by_id = {each.contact_id: each for each in known.by_key.values()}
    missing = set(linked.values()) - set(by_id)
    by_id |= {e.contact_id: e for e in await load_contacts(tenant, [*missing])}
    known.links = {place: by_id[each] for place, each in linked.items() if each in by_id}
    return known


def _leave_to_others(values: Values, state: ContactState | None, known: _Known) -> None:
    """Take out of the values what belongs to other contacts than `state`."""
    page = values.get("profile_network_url")
    if page and known.by_key.get("p:" + page) not in (None, state):
        del values["profile_network_url"]
    if "emails" in values:
        values["emails"] = [
            each for each in values["emails"] if known.by_key.get("e:" + each) in (None, state)
        ]


async def find_by_keys(tenant: Tenant, keys: Iterable[str]) -> list[ContactState]:
    """The contacts known by any of the keys, hidden ones too, oldest first."""
    rows = await tenant.rows(
        "SELECT DISTINCT contact_id FROM contact_keys WHERE organization_id = $1 AND key = ANY($2)",
        list(keys),
    )
    return await load_contacts(tenant, [row["contact_id"] for row in rows])


async def load_contacts(tenant: Tenant, contact_ids: Sequence[UUID]) -> list[ContactState]:
    """Contacts by id, oldest first, hidden ones too; those that do not exist are left out."""
    if not contact_ids:
        return []
    rows = await tenant.rows(
        """
        SELECT c.contact_id, c.slot, c.hidden, c.document, c.sources, c.tokens, c.created_at,
          ARRAY(SELECT k.key FROM contact_keys k
                WHERE k.organization_id = $1 AND k.contact_id = c.contact_id) AS keys
        FROM contacts c WHERE c.organization_id = $1 AND c.contact_id = ANY($2::uuid[])
        ORDER BY c.slot
        """,
        list(contact_ids),
    )
    return [
        ContactState(
            contact_id=row["contact_id"],
            slot=row["slot"],
            hidden=row["hidden"],
            values=values_of(row["document"]),
            sources=unpacked(row["sources"]),
            tokens=frozenset(row["tokens"]),
            created_at=row["created_at"],
            keys=frozenset(row["keys"]),
        )
        for row in rows
    ]


async def write_contacts(
    tenant: Tenant, states: Sequence[ContactState], *, now: datetime, book: Book
) -> None:
    """Store new and changed contacts, with everything that they are found by."""
    created = [state for state in states if state.is_new]
    changed = [state for state in states if state.is_changed and not state.is_new]
    if not created and not changed:
        return
    if created:
        await take_slots(tenant, max(s.slot for s in created) + 1 - book.next_slot)
        await tenant.run(_INSERT, now, *_columns(created, now))
    if changed:
        await tenant.run(_UPDATE, now, *_columns(changed, now))
    await _write_keys(tenant, [*created, *changed])
    changes = [_retokened(state) for state in (*created, *changed)]
    await change_bits(tenant, changes)


def _retokened(state: ContactState) -> tuple[int, Set[str], Set[str]]:
    """Give a contact the tokens of its values: its slot, the tokens that it gains, those that it loses."""
    before = state.tokens
    state.tokens = frozenset() if state.hidden else frozenset(tokens_of(state.values))
    return state.slot, state.tokens - before, before - state.tokens


async def delete_contacts(tenant: Tenant, states: Sequence[ContactState]) -> None:
    """Take contacts out, with all that they were found by. The caller holds the lock."""
    await change_bits(tenant, [(state.slot, (), state.tokens) for state in states])
    await tenant.run(
        "DELETE FROM contacts WHERE organization_id = $1 AND contact_id = ANY($2::uuid[])",
        [state.contact_id for state in states],
    )


async def hide_contacts(tenant: Tenant, states: Sequence[ContactState], *, hidden: bool) -> None:
    """Keep contacts from being found, or let them be found again. The caller holds the lock."""
    for state in states:
        state.hidden = hidden
    await change_bits(tenant, [_retokened(state) for state in states])
    await tenant.run(
        """
        UPDATE contacts c SET hidden = $3, tokens = CASE WHEN $3 THEN '{}' ELSE
          string_to_array(w.tokens, E'\\x1f') END
        FROM unnest($2::uuid[], $4::text[]) AS w (contact_id, tokens)
        WHERE c.organization_id = $1 AND c.contact_id = w.contact_id
        """,
        [state.contact_id for state in states],
        hidden,
        ["\x1f".join(sorted(state.tokens)) for state in states],
    )


_NAMES = "contact_id, slot, company_id, company_key, hidden, document, sources, tokens, created_at"
_GIVEN = f"""
  SELECT contact_id, slot, company_id, company_key, hidden, document, sources::jsonb,
    string_to_array(tokens, E'\\x1f') AS tokens, created_at
  FROM unnest($3::uuid[], $4::int[], $5::uuid[], $6::text[], $7::boolean[], $8::text[], $9::text[],
    $10::text[], $11::timestamptz[]) AS w ({_NAMES})
"""
_INSERT = f"""
  INSERT INTO contacts (organization_id, updated_at, {_NAMES})
  SELECT $1, $2::timestamptz, w.* FROM ({_GIVEN}) w
"""
_UPDATE = f"""
  UPDATE contacts c SET updated_at = $2, company_id = w.company_id, company_key = w.company_key,
    hidden = w.hidden, document = w.document, sources = w.sources, tokens = w.tokens
  FROM ({_GIVEN}) w WHERE c.organization_id = $1 AND c.contact_id = w.contact_id
"""


def _columns(states: Sequence[ContactState], now: datetime) -> list[list[Any]]:
    rows = [_row(state, now) for state in states]
    return [list(column) for column in zip(*rows, strict=True)]


def _row(state: ContactState, now: datetime) -> tuple[Any, ...]:
    values = state.values
    document = contact_document(
        state.contact_id,
        values,
        created_at=rfc3339(state.created_at, exact=True),
        updated_at=None if state.is_new else rfc3339(now, exact=True),
    )
    company_id = values.get("company_id")
    tokens = [] if state.hidden else tokens_of(values)
    return (
        state.contact_id,
        state.slot,
        UUID(company_id) if company_id else None,
        company_key_of(values),
        state.hidden,
        document,
        json.dumps(packed(state.sources), ensure_ascii=False),
        "\x1f".join(tokens),
        state.created_at,
    )


async def _write_keys(tenant: Tenant, states: Sequence[ContactState]) -> None:
    added = [(key, s.contact_id) for s in states for key in set(all_keys(s.values)) - s.keys]
    gone = [(key, s.contact_id) for s in states for key in s.keys - set(all_keys(s.values))]
    if added:
        await tenant.run(
            """
            INSERT INTO contact_keys (organization_id, key, contact_id)
            SELECT $1::uuid, * FROM unnest($2::text[], $3::uuid[]) ON CONFLICT DO NOTHING
            """,
            *map(list, zip(*sorted(added), strict=True)),
        )
    if gone:
        await tenant.run(
            """
            DELETE FROM contact_keys k USING unnest($2::text[], $3::uuid[]) AS w (key, contact_id)
            WHERE k.organization_id = $1 AND k.key = w.key AND k.contact_id = w.contact_id
            """,
            *map(list, zip(*sorted(gone), strict=True)),
        )


def packed(sources: Mapping[str, Source]) -> list[dict[str, Any]]:
    """Sources as stored: each once, with the fields that come from it."""
    groups: dict[str, dict[str, Any]] = {}
    for name, source in sources.items():
        entry = groups.setdefault(json.dumps(source, sort_keys=True), {**source, "fields": []})
        entry["fields"].append(name)
    return list(groups.values())


def unpacked(stored: Iterable[Mapping[str, Any]]) -> dict[str, Source]:
    """field -> source."""
    found: dict[str, Source] = {}
    for entry in stored:
        source = {name: value for name, value in entry.items() if name != "fields"}
        found |= dict.fromkeys(entry["fields"], source)
    return found
