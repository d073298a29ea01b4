"""A CRM record as a row of a list, with its values next to ours. No I/O."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sightline.crm.conflicts import (
    Agreed,
    Winner,
    agrees,
    changed_on_both,
    decide,
    digest,
    is_empty,
)
from sightline.crm.fields import ID_COLUMN, Mapped, columns_of
from sightline.crm.provider import Kind, Property, Record
from sightline.domain.contact_records import Values
from sightline.domain.countries import country_name
from sightline.domain.titles import read_title
from sightline.imports.account_row import AccountRow
from sightline.imports.contacts_row import ContactReader, ContactRow
from sightline.imports.normalise import Normaliser
from sightline.imports.rows import Row
from sightline.store.account_writes import AccountState
from sightline.store.contact_writes import ContactState


@dataclass(frozen=True)
class Said:
    """What a record says: the row that it makes, None with the `reason` where it makes none; its values
    by the names of ours."""

    record: Record
    row: AccountRow | ContactRow | None
    values: Mapping[str, Any]
    reason: str = ""


class RecordReader:
    """Reads records of one kind under one mapping, as a list with these columns would be read."""

    def __init__(
        self,
        kind: Kind,
        mapping: Sequence[Mapped],
        properties: Mapping[str, Property],
        provider: str,
    ) -> None:
        columns = columns_of(mapping, provider)
        self._read: Callable[[Row], tuple[Any, Sequence[Any]]] = (
            Normaliser(columns, []) if kind == "accounts" else ContactReader(columns)
        )
        self._properties = properties

    def __call__(self, line: int, record: Record) -> Said:
        cells: dict[str, Any] = {
            name: self._label(name, text) for name, text in record.values.items()
        }
        row, problems = self._read(Row(line, {**cells, ID_COLUMN: record.record_id}))
        if row is None:
            return Said(record, None, {}, problems[0].reason if problems else "It is empty.")
        if isinstance(row, ContactRow):
            return Said(record, row, row.said.values)
        values = dict(row.values)
        if not row.named:
            del values["company_name"]  # its domain stands for it
        return Said(record, row, values)

    def _label(self, name: str, text: str) -> str:
        """The words for a value of a property with options, which are known by codes."""
        described = self._properties.get(name)
        return described.options.get(text, text) if described else text


@dataclass(frozen=True)
class Ours:
    """An account or contact: its values, where each came from, and when it was last written."""

    values: Mapping[str, Any]
    sources: Mapping[str, Mapping[str, Any]]
    written_at: datetime | None

    @classmethod
    def of_account(cls, state: AccountState, written_at: datetime | None = None) -> "Ours":
        return cls(state.values, state.own_sources, written_at)

    @classmethod
    def of_contact(cls, state: ContactState, written_at: datetime | None = None) -> "Ours":
        return cls(with_derived(state.values), state.sources, written_at)

    def changed_at(self, name: str) -> datetime | None:
        """When a value was last said here."""
        said = self.sources.get(name, {}).get("observed_at")
        return datetime.fromisoformat(said) if said else self.written_at


def with_derived(values: Values) -> Values:
    """A contact's values with those that follow from them."""
    found = dict(values)
    title = read_title(values.get("current_job_title") or "")
    found["seniority"], found["department"] = title.seniority, title.department
    found["country"] = country_name(values.get("country_code"))
    return found


@dataclass
class Decisions:
    """Who wins each field of one record, and what is settled by that."""

    winners: dict[str, Winner] = field(default_factory=dict)
    conflicts: dict[str, str] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)

    def details(self, **more: Any) -> dict[str, Any]:
        """For the log."""
        found = {"conflicts": self.conflicts, "unreadable": self.unreadable, **more}
        return {name: value for name, value in found.items() if value}


def decide_all(
    mapping: Sequence[Mapped], said: Said, ours: Ours, agreed: Mapping[str, Agreed]
) -> Decisions:
    """Decide the fields that are read. One that the CRM has in words we cannot read is left alone."""
    found = Decisions()
    for each in mapping:
        if not each.stored.read:
            continue
        lead = each.stored.lead
        theirs, held = said.values.get(lead), ours.values.get(lead)
        if is_empty(theirs) and said.record.values.get(each.property):
            found.unreadable.append(each.field)
            continue
        found.winners[each.field] = winner = decide(
            theirs,
            held,
            agreed=agreed.get(each.field),
            rule=each.rule,
            direction=each.direction,
            changed=(said.record.changed_at, ours.changed_at(lead)),
        )
        if changed_on_both(theirs, held, agreed.get(each.field)):
            found.conflicts[each.field] = winner
    return found


def settled(
    mapping: Sequence[Mapped],
    decisions: Decisions,
    said: Said,
    values: Mapping[str, Any],
    agreed: Mapping[str, Agreed],
) -> dict[str, Agreed]:
    """What is agreed after their values came in; what we have yet to write stays open."""
    found = dict(agreed)
    for each in mapping:
        winner = decisions.winners.get(each.field)
        theirs, ours = said.values.get(each.stored.lead), values.get(each.stored.lead)
        if winner in (None, "ours") and not agrees(theirs, ours):
            continue
        if winner is not None:
            found[each.field] = (digest(theirs), digest(ours))
    return found
