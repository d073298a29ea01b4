"""Salesforce accounts, contacts and notes: read by SOQL, written by collections, 200 at once.

A note is a completed task on its account, where sellers look for what happened.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote, urlencode

from sightline.crm.client import CrmClient
from sightline.crm.provider import (
    CrmRefuses,
    Filter,
    Kind,
    Note,
    Page,
    Property,
    Record,
    Written,
    mark_of,
)
from sightline.crm.salesforce.soql import among, condition, quoted, select, timestamp
from sightline.kit.clock import now

OUR_ID: Final = "Sightline_Id__c"  # an external id with unique values: makes creating repeatable
_API: Final = "/services/data/v62.0"
_OBJECTS: Final[Mapping[Kind, str]] = {"accounts": "Account", "contacts": "Contact"}
_CHANGED: Final = "SystemModstamp"
_COMPANY: Final = "AccountId"
_COMPANY_NAME: Final = "Account.Name"
_PICKLISTS: Final = ("picklist", "combobox")
_LONGEST_SUBJECT: Final = 255
_LONGEST_QUERY: Final = 7_000  # characters as part of an address
_NUMBERS: Final[Mapping[str, type]] = {
    "int": int,
    "long": int,
    "double": float,
    "currency": float,
    "percent": float,
}


@dataclass(frozen=True)
class Salesforce:
    """See `crm.provider.Crm`."""

    client: CrmClient
    batch: int = 200
    _described: dict[Kind, Mapping[str, dict[str, Any]]] = field(default_factory=dict)

    async def now(self) -> datetime:
        await self.client.ask("GET", f"{_API}/limits")
        return self.client.last_date or now()

    async def properties(self, kind: Kind) -> Mapping[str, Property]:
        found = {
            name: Property(
                name,
                row.get("label") or name,
                not row["updateable"],
                {each["value"]: each["label"] for each in row.get("picklistValues") or ()}
                if row["type"] in _PICKLISTS
                else {},
            )
            for name, row in (await self._fields(kind)).items()
        }
        if kind == "contacts":
            found[_COMPANY_NAME] = Property(_COMPANY_NAME, "Account name", read_only=True)
        return found

    async def changed(
        self,
        kind: Kind,
        names: Sequence[str],
        *,
        filters: Sequence[Filter],
        since: datetime | None,
        after: str | None,
    ) -> Page:
        # By id: Salesforce's own cursors are gone after some days, and a user has but a few.
        types = {name: row["type"] for name, row in (await self._fields(kind)).items()}
        wanted = [condition(each, types) for each in filters]
        if since is not None:
            wanted.append(f"{_CHANGED} >= {timestamp(since)}")
        total = None
        if after is None:
            count = select("COUNT()", _OBJECTS[kind], wanted, by_id=False)
            total = (await self._query(count))["totalSize"]
        else:
            wanted.append(f"Id > {quoted(after)}")
        records = await self._records(kind, names, wanted, limit=self.batch)
        is_last = len(records) < self.batch
        return Page(records, None if is_last else records[-1].record_id, total)

    async def removed(self, kind: Kind, after: str | None) -> Page:
        wanted = ["IsDeleted = true", *([f"Id > {quoted(after)}"] if after else [])]
        records = await self._records(kind, [], wanted, limit=self.batch, deleted=True)
        return Page(records, records[-1].record_id if len(records) == self.batch else None)

    async def read(self, kind: Kind, names: Sequence[str], ids: Sequence[str]) -> Sequence[Record]:
        return await self._listed(kind, names, ids, lambda some: among("Id", some))

    async def with_site(
        self, names: Sequence[str], property: str, domains: Sequence[str]
    ) -> Sequence[Record]:
        def likely(some: Sequence[str]) -> str:
            return " OR ".join(f"{property} LIKE {quoted(f'%{each}%')}" for each in some)

        return await self._listed("accounts", names, domains, likely)

    async def update(self, kind: Kind, values: Mapping[str, Mapping[str, str]]) -> Written:
        rows = {key: {"id": key, **await self._typed(kind, texts)} for key, texts in values.items()}
        return await self._write("PATCH", "", _OBJECTS[kind], rows)

    async def create(self, kind: Kind, values: Mapping[str, Mapping[str, str]]) -> Written:
        if not (await self._fields(kind)).get(OUR_ID, {}).get("externalId"):
            raise CrmRefuses(
                f"To make {kind}, Salesforce needs the field {OUR_ID} of {_OBJECTS[kind]}: text of 36"
                " characters, unique, an external id, editable by the app's user."
            )
        rows = {
            key: {OUR_ID: key, **await self._typed(kind, texts)} for key, texts in values.items()
        }
        return await self._write("PATCH", f"/{_OBJECTS[kind]}/{OUR_ID}", _OBJECTS[kind], rows)

    async def write_notes(self, notes: Sequence[Note]) -> Written:
        rows = {note.mark: {"WhatId": note.record_id, **_task(note)} for note in notes}
        return await self._write("POST", "", "Task", rows)

    async def find_notes(self, record_ids: Sequence[str]) -> Mapping[str, str]:
        # Tasks of more than a year ago are archived: only `queryAll` finds them.
        wanted = [among("WhatId", record_ids), "IsDeleted = false"]
        query = select("Id, Description", "Task", wanted)
        found: dict[str, str] = {}
        for row in await self._rows(query, deleted=True):
            if mark := mark_of(row["Description"] or ""):
                found.setdefault(mark, row["Id"])
        return found

    async def update_notes(self, notes: Mapping[str, Note]) -> Written:
        return await self._write(
            "PATCH", "", "Task", {key: {"id": key, **_task(note)} for key, note in notes.items()}
        )

    async def _fields(self, kind: Kind) -> Mapping[str, dict[str, Any]]:
        """Salesforce's description of each field, asked for once."""
        if kind not in self._described:
            answer = await self.client.ask("GET", f"{_API}/sobjects/{_OBJECTS[kind]}/describe")
            self._described[kind] = {row["name"]: row for row in answer["fields"]}
        return self._described[kind]

    async def _typed(self, kind: Kind, texts: Mapping[str, str]) -> dict[str, Any]:
        """Values as Salesforce's types; what is not a number is sent as it is, for it to refuse."""
        described = await self._fields(kind)
        return {name: _typed(text, described[name]["type"]) for name, text in texts.items()}

    async def _query(self, soql: str, *, deleted: bool = False) -> dict[str, Any]:
        path = f"{_API}/{'queryAll' if deleted else 'query'}?{urlencode({'q': soql})}"
        found: dict[str, Any] = await self.client.ask("GET", path)
        return found

    async def _rows(self, soql: str, *, deleted: bool = False) -> list[dict[str, Any]]:
        """All rows of a query, which Salesforce may answer in parts of its own choosing."""
        answer = await self._query(soql, deleted=deleted)
        rows: list[dict[str, Any]] = answer["records"]
        while not answer["done"]:
            answer = await self.client.ask("GET", answer["nextRecordsUrl"])
            rows += answer["records"]
        return rows

    async def _listed(
        self,
        kind: Kind,
        names: Sequence[str],
        values: Sequence[str],
        wanted: Callable[[Sequence[str]], str],
    ) -> list[Record]:
        """The records that a condition over a list means, in as many queries as their length needs."""
        if not values:
            return []
        is_long = len(quote(wanted(values))) + len(quote(", ".join(names))) > _LONGEST_QUERY
        if not is_long or len(values) == 1:
            return await self._records(kind, names, [wanted(values)])
        middle = len(values) // 2
        return [
            *await self._listed(kind, names, values[:middle], wanted),
            *await self._listed(kind, names, values[middle:], wanted),
        ]

    async def _records(
        self,
        kind: Kind,
        names: Sequence[str],
        wanted: Sequence[str],
        *,
        limit: int | None = None,
        deleted: bool = False,
    ) -> list[Record]:
        asked = ["Id", _CHANGED, *([_COMPANY] if kind == "contacts" else []), *names]
        what = ", ".join(dict.fromkeys(asked))
        soql = select(what, _OBJECTS[kind], wanted, limit=limit)
        rows = await self._rows(soql, deleted=deleted)
        return [_record(row, asked) for row in rows]

    async def _write(
        self, method: str, path: str, name: str, rows: Mapping[str, Mapping[str, Any]]
    ) -> Written:
        """Send a collection; what became of each, which Salesforce answers in the same order."""
        done: dict[str, str] = {}
        failed: dict[str, str] = {}
        keys = list(rows)
        for start in range(0, len(keys), self.batch):
            some = keys[start : start + self.batch]
            records = [{"attributes": {"type": name}, **rows[key]} for key in some]
            body = {"allOrNone": False, "records": records}
            answer = await self.client.ask(method, f"{_API}/composite/sobjects{path}", body)
            for key, row in zip(some, answer, strict=True):
                if row["success"]:
                    done[key] = row["id"]
                else:
                    failed[key] = "; ".join(each["message"] for each in row["errors"])
        return Written(done, failed)


def _task(note: Note) -> dict[str, Any]:
    return {
        "Subject": note.title[:_LONGEST_SUBJECT],
        "Description": note.text,
        "ActivityDate": note.at.date().isoformat(),
        "Status": "Completed",
    }


def _typed(text: str, kind: str) -> Any:
    if kind == "boolean":
        return text == "true"
    try:
        return _NUMBERS[kind](text) if kind in _NUMBERS else text
    except ValueError:
        return text


def _record(row: Mapping[str, Any], names: Sequence[str]) -> Record:
    values = {name: _text(_value(row, name)) for name in names}
    changed_at = datetime.fromisoformat(row[_CHANGED]).astimezone(UTC)
    given = {name: text for name, text in values.items() if text}
    return Record(row["Id"], given, changed_at, given.get(_COMPANY))


def _value(row: Mapping[str, Any], name: str) -> Any:
    """A field of a row, or with a dot one of the row that it refers to."""
    relation, dot, rest = name.partition(".")
    found = row.get(relation)
    return (found or {}).get(rest) if dot else found


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
