"""From the CRM: changed records become accounts and contacts, and removed ones are noted."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sightline.crm.connection import names_of
from sightline.crm.fields import Mapped
from sightline.crm.provider import Kind, Page, Record
from sightline.crm.reading import Decisions, Ours, RecordReader, Said, decide_all, settled
from sightline.crm.session import PageDone, Session
from sightline.imports.account_row import AccountRow
from sightline.imports.contacts_row import ContactRow
from sightline.imports.merging import ImportStamp
from sightline.imports.writing import AccountWriter, problems_of
from sightline.kit.clock import rfc3339
from sightline.store import crm as store
from sightline.store.account_writes import AccountState
from sightline.store.contact_writes import ContactState, put_contacts
from sightline.store.crm import Link
from sightline.store.crm_runs import Entry
from sightline.store.database import Tenant
from sightline.store.imports import ImportProgress, begin_import, record_progress

_TITLES: Mapping[Kind, str] = {"accounts": "companies", "contacts": "contacts"}


async def read_accounts(session: Session) -> PageDone:
    """One page of companies."""
    return await _read(session, "accounts")


async def read_contacts(session: Session) -> PageDone:
    """One page of people."""
    return await _read(session, "contacts")


async def removed_accounts(session: Session) -> PageDone:
    return await _removed(session, "accounts")


async def removed_contacts(session: Session) -> PageDone:
    return await _removed(session, "contacts")


async def _read(session: Session, kind: Kind) -> PageDone:
    mapping = await session.mapping(kind)
    page = await session.crm.changed(
        kind,
        names_of(mapping, kind),
        filters=session.settings.filters.get(kind, ()),
        since=session.run.since,
        after=session.run.after,
    )
    reader = RecordReader(kind, mapping, await session.properties(kind), session.provider)
    said = [reader(line, record) for line, record in enumerate(page.records)]
    read = [each for each in mapping if each.stored.read]

    async def apply(connection: Tenant) -> Sequence[Entry]:
        return await _Incoming(session, kind, read, connection).put(page, said)

    return PageDone(apply, page.after)


async def _removed(session: Session, kind: Kind) -> PageDone:
    page = await session.crm.removed(kind, session.run.after)

    async def apply(connection: Tenant) -> Sequence[Entry]:
        gone = await store.mark_removed(
            connection, session.provider, kind, [record.record_id for record in page.records]
        )
        return [Entry(record_id, "removed", local_id) for record_id, local_id in gone.items()]

    return PageDone(apply, page.after)


class _Incoming:
    """Puts one page in, inside its transaction."""

    def __init__(
        self, session: Session, kind: Kind, mapping: Sequence[Mapped], tenant: Tenant
    ) -> None:
        self.session, self.kind, self.mapping = session, kind, mapping
        self.tenant = tenant
        self.links: dict[str, Link] = {}
        self.said: dict[int, Said] = {}
        self.decisions: dict[int, Decisions] = {}
        self.written: Mapping[UUID, datetime] = {}

    async def put(self, page: Page, said: Sequence[Said]) -> list[Entry]:
        entries = [
            Entry(each.record.record_id, "skipped", None, {"reason": each.reason})
            for each in said
            if each.row is None
        ]
        usable = [each for each in said if each.row is not None]
        if not usable:
            return entries
        self.said = {each.row.line: each for each in usable if each.row is not None}
        self.links = await store.find_links(
            self.tenant,
            self.session.provider,
            self.kind,
            [each.record.record_id for each in usable],
        )
        local = [link.local_id for link in self.links.values()]
        self.written = await store.last_written(self.tenant, self.kind, local)
        begun = await self._begin(page)
        written_at = rfc3339(datetime.now(UTC))
        stamp = ImportStamp(str(begun.import_id), written_at)
        put = self._accounts if self.kind == "accounts" else self._contacts
        made = await put([each.row for each in usable], stamp)
        await self._note_progress(begun, made, len(said))
        return entries + made

    async def _begin(self, page: Page) -> ImportProgress:
        session = self.session
        begun = await begin_import(
            self.tenant,
            kind=self.kind,
            file_name=f"{session.provider}: {_TITLES[self.kind]}",
            file_sha256=hashlib.sha256(session.run.run_id.bytes).digest(),
            options={"crm": session.provider},
            rows=page.total or len(page.records),
        )
        if session.run.imports.get(self.kind) != str(begun.import_id):
            imports = {**session.run.imports, self.kind: str(begun.import_id)}
            session.run = replace(session.run, imports=imports)
        return begun

    async def _note_progress(self, begun: ImportProgress, made: Sequence[Entry], rows: int) -> None:
        by_action = dict.fromkeys(("created", "updated", "unchanged"), 0)
        for entry in made:
            if entry.action in by_action:
                by_action[entry.action] += 1
        counted = {name: getattr(begun, name) + n for name, n in by_action.items()}
        bad = begun.bad + rows - sum(by_action.values())
        after = replace(begun, rows_done=begun.rows_done + rows, bad=bad, **counted)
        await record_progress(self.tenant, before=begun, after=after)

    async def _accounts(self, rows: Sequence[Any], stamp: ImportStamp) -> list[Entry]:
        writer = AccountWriter(dry_run=False, choose=self._choose_account)
        await writer.begin(self.tenant)
        await writer.put(self.tenant, rows, stamp)
        entries, links = [], []
        for row, (status, state) in zip(rows, writer.outcomes, strict=True):
            links.append(self._link(row.line, state.account_id, state.values))
            entries.append(self._entry(row.line, status, state.account_id))
        await self._save(links)
        return entries

    def _choose_account(self, row: AccountRow, state: AccountState) -> AccountRow:
        """The row without what must not come in."""
        decisions = self._decide(
            row.line, Ours.of_account(state, self.written.get(state.account_id))
        )
        if state.is_new and not state.own:
            return row
        values, named = dict(row.values), row.named
        for each in self.mapping:
            taken = decisions.winners.get(each.field) == "theirs"
            _choose(each.stored.stored, values, state.own, state.own_sources, taken=taken)
            if each.field == "company_name" and not taken:
                named = False
        name = row.name if named else str(state.values.get("company_name") or row.name)
        return row._replace(values=values, named=named, name=name)

    async def _contacts(self, rows: Sequence[Any], stamp: ImportStamp) -> list[Entry]:
        await self._place(rows)
        linked = {
            position: link.local_id
            for position, row in enumerate(rows)
            if (link := self.links.get(self.said[row.line].record.record_id))
        }

        def choose(position: int, state: ContactState) -> None:
            self._choose_contact(rows[position], state)

        outcomes = await put_contacts(
            self.tenant,
            [row.said for row in rows],
            source=stamp.source,
            now=datetime.now(UTC),
            many=True,
            import_id=UUID(stamp.import_id),
            linked=linked,
            choose=choose,
        )
        entries, links = [], []
        for row, outcome in zip(rows, outcomes, strict=True):
            state = outcome.state
            reasons = [each.reason for each in problems_of(row.line, outcome)]
            if state is None:
                entries.append(Entry(self._record(row.line).record_id, "suppressed"))
                continue
            links.append(self._link(row.line, state.contact_id, state.values))
            entries.append(self._entry(row.line, outcome.status, state.contact_id, reasons))
        await self._save(links)
        return entries

    async def _place(self, rows: Sequence[ContactRow]) -> None:
        """Say where people work, by the CRM's own link to a company that is an account."""
        records = {row.line: self._record(row.line).company for row in rows}
        wanted = sorted({company for company in records.values() if company})
        links = await store.find_links(self.tenant, self.session.provider, "accounts", wanted)
        local = {link.local_id for link in links.values()}
        companies = await store.companies_of(self.tenant, list(local))
        for row in rows:
            link = links.get(records[row.line] or "")
            if link is not None and link.local_id in companies:
                company_id, name = companies[link.local_id]
                row.said.values["company_id"] = str(company_id)
                row.said.values.setdefault("company", {"name": name})

    def _choose_contact(self, row: ContactRow, state: ContactState) -> None:
        """Take out of what a person's record says what must not come in."""
        decisions = self._decide(
            row.line, Ours.of_contact(state, self.written.get(state.contact_id))
        )
        said = row.said.values
        for each in self.mapping:
            taken = decisions.winners.get(each.field) == "theirs"
            _choose(each.stored.stored, said, state.values, state.sources, taken=taken)
        names = [said.get("first_name"), said.get("last_name")]
        if all(names):
            said["full_name"] = " ".join(map(str, names))

    def _decide(self, line: int, ours: Ours) -> Decisions:
        link = self.links.get(self._record(line).record_id)
        agreed = link.agreed if link else {}
        found = decide_all(self.mapping, self.said[line], ours, agreed)
        return self.decisions.setdefault(line, found)

    def _record(self, line: int) -> Record:
        return self.said[line].record

    def _link(self, line: int, local_id: UUID, values: Mapping[str, Any]) -> Link:
        said = self.said[line]
        held = self.links.get(said.record.record_id)
        decisions = self.decisions.get(line) or decide_all(
            self.mapping, said, Ours(values, {}, None), {}
        )
        agreed = held.agreed if held and held.local_id == local_id else {}
        return Link(
            said.record.record_id,
            local_id,
            settled(self.mapping, decisions, said, values, agreed),
        )

    def _entry(self, line: int, status: str, local_id: UUID, reasons: Sequence[str] = ()) -> Entry:
        decisions = self.decisions.get(line, Decisions())
        details = decisions.details(reasons=list(reasons))
        return Entry(self._record(line).record_id, status, local_id, details)

    async def _save(self, links: Sequence[Link]) -> None:
        await store.save_links(self.tenant, self.session.provider, self.kind, links)


def _choose(
    names: Iterable[str],
    said: dict[str, Any],
    ours: Mapping[str, Any],
    sources: dict[str, Any],
    *,
    taken: bool,
) -> None:
    """Have what a record says come in where it is taken, even over a user's value; else keep ours."""
    for name in names:
        if not taken:
            said.pop(name, None)
            said |= {name: ours[name]} if name in ours else {}
        elif sources.get(name, {}).get("source") == "user":
            del sources[name]
