"""To the CRM: updates its records where our value wins, and creates accounts that it does not have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline.crm.conflicts import Agreed, agrees, decide, digest, is_empty
from sightline.crm.connection import names_of
from sightline.crm.fields import Mapped, outward_text
from sightline.crm.provider import Kind, Property, Written
from sightline.crm.reading import Ours, RecordReader, Said, decide_all
from sightline.crm.session import PageDone, Session, nothing
from sightline.store import crm as store
from sightline.store.account_writes import Wanted, find_accounts_by
from sightline.store.contact_writes import load_contacts
from sightline.store.crm import Link
from sightline.store.crm_runs import Entry
from sightline.store.database import Tenant


async def write_accounts(session: Session) -> PageDone:
    """One page of linked accounts."""
    return await _write(session, "accounts")


async def write_contacts(session: Session) -> PageDone:
    """One page of linked contacts."""
    return await _write(session, "contacts")


@dataclass(frozen=True)
class _Change:
    """What is to be written to a record: texts by property, and what is agreed once they are."""

    texts: Mapping[str, str]
    agreed: Mapping[str, Agreed]
    details: Mapping[str, Any]


async def _write(session: Session, kind: Kind) -> PageDone:
    mapping = await _outward(session, kind)
    async with session.database.tenant(session.organization_id) as connection:
        links = await store.next_links(
            connection, session.provider, kind,
            after=session.run.after, limit=session.crm.batch
        )  # fmt: skip
        ours = await _ours(connection, kind, [link.local_id for link in links])
    if not links or not mapping:
        return PageDone(nothing, None)
    properties = await session.properties(kind)
    reader = RecordReader(kind, mapping, properties, session.provider)
    ids = [link.record_id for link in links]
    records = await session.crm.read(kind, names_of(mapping, kind), ids)
    said = {record.record_id: reader(line, record) for line, record in enumerate(records)}
    changes = {
        link.record_id: _change(
            mapping, properties, said[link.record_id], ours[link.local_id], link
        )
        for link in links
        if link.record_id in said and link.local_id in ours
    }
    written = await _sent(session, kind, changes)

    async def apply(connection: Tenant) -> Sequence[Entry]:
        settled = [
            Link(link.record_id, link.local_id, changes[link.record_id].agreed)
            for link in links
            if link.record_id in written.done
        ]
        await store.save_links(connection, session.provider, kind, settled)
        return [_entry(link, changes.get(link.record_id), written) for link in links]

    return PageDone(apply, links[-1].record_id if len(links) == session.crm.batch else None)


async def _outward(session: Session, kind: Kind) -> list[Mapped]:
    properties = await session.properties(kind)
    return [
        each
        for each in await session.mapping(kind)
        if each.direction != "in" and not properties[each.property].read_only
    ]


async def _sent(session: Session, kind: Kind, changes: Mapping[str, _Change]) -> Written:
    texts = {record_id: change.texts for record_id, change in changes.items() if change.texts}
    if session.run.dry_run:
        return Written({record_id: record_id for record_id in texts}, {})
    return await session.crm.update(kind, texts)


def _entry(link: Link, change: _Change | None, written: Written) -> Entry:
    if change is None:
        reason = {"reason": "The CRM no longer has it."}
        return Entry(link.record_id, "missing", link.local_id, reason)
    action = "updated" if change.texts else "unchanged"
    details = {**change.details, "fields": sorted(change.texts)} if change.texts else change.details
    if reason_text := written.failed.get(link.record_id):
        action, details = "failed", {**details, "reason": reason_text}
    return Entry(link.record_id, action, link.local_id, details)


def _change(
    mapping: Sequence[Mapped],
    properties: Mapping[str, Property],
    said: Said,
    ours: Ours,
    link: Link,
) -> _Change:
    decisions = decide_all(mapping, said, ours, link.agreed)
    texts: dict[str, str] = {}
    agreed = dict(link.agreed)
    unfit = []
    for each in mapping:
        value = each.stored.outward(ours.values)
        held = said.record.values.get(each.property)
        if is_empty(value):
            continue
        text = outward_text(value, properties.get(each.property))
        winner = decisions.winners.get(each.field)
        if not each.stored.read:
            winner = decide(
                held,
                text,
                agreed=link.agreed.get(each.field),
                rule=each.rule,
                direction=each.direction,
                changed=(said.record.changed_at, ours.changed_at(each.stored.lead)),
            )
        if winner != "ours":
            continue
        if text is None:
            unfit.append(each.field)
            continue
        if text != held:
            texts[each.property] = text
        mine = digest(ours.values.get(each.stored.lead) if each.stored.read else text)
        agreed[each.field] = (mine if each.stored.read else digest(text), mine)
    return _Change(texts, agreed, decisions.details(not_among_options=unfit))


async def create_accounts(session: Session) -> PageDone:
    """One page of accounts that the CRM does not have; those whose website it has are linked instead."""
    mapping = await _outward(session, "accounts")
    properties = await session.properties("accounts")
    async with session.database.tenant(session.organization_id) as connection:
        ids = await store.unlinked(
            connection, session.provider, "accounts",
            after=session.run.after, limit=session.crm.batch
        )  # fmt: skip
        ours = await _ours(connection, "accounts", ids)
    if not ids:
        return PageDone(nothing, None)
    found = await _known_by_site(session, mapping, ours)
    texts = {
        str(local_id): _texts(mapping, properties, each)
        for local_id, each in ours.items()
        if local_id not in found
    }
    if session.run.dry_run:
        written = Written({key: key for key in texts}, {})
    else:
        written = await session.crm.create("accounts", texts)

    async def apply(connection: Tenant) -> Sequence[Entry]:
        links = [Link(record_id, local_id, {}) for local_id, record_id in found.items()]
        links += [
            Link(record_id, UUID(key), _all_agreed(mapping, ours[UUID(key)]))
            for key, record_id in written.done.items()
        ]
        await store.save_links(connection, session.provider, "accounts", links)
        return [
            *(Entry(record_id, "linked", local_id) for local_id, record_id in found.items()),
            *(Entry(record_id, "created", UUID(key)) for key, record_id in written.done.items()),
            *(
                Entry(key, "failed", UUID(key), {"reason": reason})
                for key, reason in written.failed.items()
            ),
        ]

    return PageDone(apply, str(ids[-1]) if len(ids) == session.crm.batch else None)


async def _known_by_site(
    session: Session, mapping: Sequence[Mapped], ours: Mapping[UUID, Ours]
) -> dict[UUID, str]:
    """Records that the filters keep out of the import, but whose website is that of an account."""
    site = next((each.property for each in mapping if each.field == "website"), None)
    domains = {
        str(domain): local_id
        for local_id, each in ours.items()
        if (domain := each.values.get("website_domain"))
    }
    if site is None or not domains:
        return {}
    records = await session.crm.with_site(names_of(mapping, "accounts"), site, sorted(domains))
    properties = await session.properties("accounts")
    reader = RecordReader("accounts", mapping, properties, session.provider)
    found: dict[UUID, str] = {}
    for line, record in enumerate(records):
        local_id = domains.get(reader(line, record).values.get("website_domain", ""))
        if local_id is not None:
            found.setdefault(local_id, record.record_id)
    return found


def _texts(
    mapping: Sequence[Mapped], properties: Mapping[str, Property], ours: Ours
) -> dict[str, str]:
    found = {}
    for each in mapping:
        value = each.stored.outward(ours.values)
        text = None if is_empty(value) else outward_text(value, properties.get(each.property))
        if text is not None:
            found[each.property] = text
    return found


def _all_agreed(mapping: Sequence[Mapped], ours: Ours) -> dict[str, Agreed]:
    values = {each.field: ours.values.get(each.stored.lead) for each in mapping if each.stored.read}
    return {
        name: (digest(value), digest(value))
        for name, value in values.items()
        if not agrees(value, None)
    }


async def _ours(connection: Tenant, kind: Kind, local_ids: Sequence[UUID]) -> dict[UUID, Ours]:
    written = await store.last_written(connection, kind, local_ids)
    if kind == "contacts":
        contacts = await load_contacts(connection, local_ids)
        return {
            each.contact_id: Ours.of_contact(each, written.get(each.contact_id))
            for each in contacts
            if not each.hidden
        }
    companies = await store.companies_of(connection, local_ids)
    wanted = Wanted(company_ids=[company_id for company_id, _ in companies.values()])
    states = await find_accounts_by(connection, wanted)
    return {
        each.account_id: Ours.of_account(each, written.get(each.account_id))
        for each in states
        if each.account_id in companies
    }
