"""Notes on CRM records: one per signal, and one brief per account that is kept up to date.

The CRM cannot be asked to make a note only once. So what is about to be made is written down first, and
after a break the notes of the record are searched for its mark before it is made again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from html import escape
from typing import Any, Final
from uuid import UUID

from sightline.crm.conflicts import digest
from sightline.crm.provider import Note, Written
from sightline.crm.session import PageDone, Session, nothing
from sightline.kit.clock import now
from sightline.profile.brief import read_brief
from sightline.profile.brief_markdown import change_text, markdown
from sightline.store import crm as store
from sightline.store.briefs import current_changes
from sightline.store.crm import KeptNote
from sightline.store.crm_runs import Entry
from sightline.store.database import Tenant

_PAGE: Final = 20
_LONGEST: Final = 30_000  # characters; HubSpot takes 65,536, Salesforce 32,000


@dataclass(frozen=True)
class _Wanted:
    """A note that should stand on a record."""

    account_id: UUID
    note: Note
    digest: str

    def kept(self, note_id: str | None) -> KeptNote:
        return KeptNote(self.note.mark, self.account_id, self.note.record_id, note_id, self.digest)


async def write_notes(session: Session) -> PageDone:
    """The notes of one page of linked accounts."""
    async with session.database.tenant(session.organization_id) as connection:
        links = await store.next_links(
            connection, session.provider, "accounts",
            after=session.run.after, limit=_PAGE
        )  # fmt: skip
        if not links:
            return PageDone(nothing, None)
        wanted = await _wanted(
            session, connection, {each.local_id: each.record_id for each in links}
        )
        kept = await store.notes_of(connection, session.provider, list(wanted))
        fresh = {mark: each for mark, each in wanted.items() if mark not in kept}
        if not session.run.dry_run:
            await session.before(connection)
            intents = [each.kept(None) for each in fresh.values()]
            await store.save_notes(connection, session.provider, intents)
    made, changed = await _send(session, wanted, kept, fresh)
    by_note = {note.note_id: wanted[mark] for mark, note in kept.items() if note.note_id}

    async def apply(connection: Tenant) -> Sequence[Entry]:
        # A note that cannot be changed, for a person deleted it, is left alone until its text changes.
        done = [wanted[mark].kept(note_id) for mark, note_id in made.done.items()]
        done += [by_note[each].kept(each) for each in (*changed.done, *changed.failed)]
        await store.save_notes(connection, session.provider, done)
        return [*_entries("created", made, wanted), *_entries("updated", changed, by_note)]

    return PageDone(apply, links[-1].record_id if len(links) == _PAGE else None)


async def _send(
    session: Session,
    wanted: Mapping[str, _Wanted],
    kept: Mapping[str, KeptNote],
    fresh: Mapping[str, _Wanted],
) -> tuple[Written, Written]:
    """What became of notes to make, and of notes to change."""
    lost = {mark: wanted[mark] for mark, note in kept.items() if note.note_id is None}
    texts = {
        note.note_id: wanted[mark].note
        for mark, note in kept.items()
        if note.note_id is not None and note.digest != wanted[mark].digest
    }
    if session.run.dry_run:
        return Written(dict.fromkeys([*fresh, *lost], ""), {}), Written(
            dict.fromkeys(texts, ""), {}
        )
    found: dict[str, str] = {}
    if lost:
        records = sorted({each.note.record_id for each in lost.values()})
        marks = await session.crm.find_notes(records)
        found = {mark: marks[mark] for mark in lost if mark in marks}
    to_make = [each.note for mark, each in {**fresh, **lost}.items() if mark not in found]
    made = await session.crm.write_notes(to_make)
    changed = await session.crm.update_notes(texts)
    return replace(made, done={**found, **made.done}), changed


def _entries(action: str, written: Written, notes: Mapping[Any, _Wanted]) -> list[Entry]:
    found = [Entry(notes[key].note.mark, action, notes[key].account_id) for key in written.done]
    for key, why in written.failed.items():
        each = notes[key]
        found.append(Entry(each.note.mark, "failed", each.account_id, {"reason": why}))
    return found


async def _wanted(
    session: Session, connection: Tenant, records: Mapping[UUID, str]
) -> dict[str, _Wanted]:
    companies = await store.companies_of(connection, list(records))
    found = []
    for account_id, (company_id, _) in companies.items():
        record_id = records[account_id]
        if "signals" in session.settings.notes:
            for row in await current_changes(connection, company_id):
                found.append(_signal(account_id, record_id, row))
        if "brief" in session.settings.notes:
            brief = await read_brief(connection, company_id, now=now())
            if brief is not None and brief["sources"]:
                found.append(_brief(account_id, record_id, brief))
    return {each.note.mark: each for each in found}


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a note; one with a `url` is a link."""

    text: str
    bold: bool = False
    url: str | None = None

    def html(self) -> str:
        if self.url:
            return f'<a href="{escape(self.url)}">{escape(self.text)}</a>'
        return f"<strong>{escape(self.text)}</strong>" if self.bold else escape(self.text)

    def plain(self) -> str:
        return f"{self.text}: {self.url}" if self.url and self.url != self.text else self.text


def _signal(account_id: UUID, record_id: str, row: Mapping[str, Any]) -> _Wanted:
    at: datetime = row["at"]
    title = change_text({**row, "text": row["title"], "date": at.date().isoformat()})
    lines = [_Line(title, bold=True)]
    if row["quote"]:
        lines.append(_Line(f"“{row['quote']}”"))
    if row["url"]:
        lines.append(_Line(row["document_title"] or row["url"], url=row["url"]))
    mark = f"signal:{account_id}:{row['signal_id']}"
    known = digest([line.html() for line in lines])
    return _Wanted(account_id, _note(mark, record_id, title, lines, at), known)


def _brief(account_id: UUID, record_id: str, brief: Mapping[str, Any]) -> _Wanted:
    lines = [_line(text) for text in markdown(brief).splitlines()]
    unchanged = digest({name: part for name, part in brief.items() if name != "as_of"})
    at = datetime.combine(datetime.fromisoformat(str(brief["as_of"])), time(), UTC)
    note = _note(f"brief:{account_id}", record_id, "Account brief", lines, at)
    return _Wanted(account_id, note, unchanged)


def _line(text: str) -> _Line:
    """A line of the brief's Markdown."""
    heading = text.lstrip("#")
    if heading != text:
        return _Line(heading.strip(), bold=True)
    item = text.removeprefix("- ")
    return _Line(("" if item == text else "• ") + item.replace("**", ""))


def _note(mark: str, record_id: str, title: str, lines: Sequence[_Line], at: datetime) -> Note:
    longest = len("<br>".join(line.html() for line in lines))
    if longest > _LONGEST:
        lines = lines[: len(lines) * _LONGEST // longest]
    html, text = (
        end.join([*parts, "", f"[sightline {mark}]"])
        for end, parts in (
            ("<br>", [line.html() for line in lines]),
            ("\n", [line.plain() for line in lines]),
        )
    )
    return Note(mark, record_id, title, html, text, at)
