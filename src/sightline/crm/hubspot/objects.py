"""Companies, contacts and notes of HubSpot, in batches."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from typing import Any, Final
from urllib.parse import quote, urlencode

from sightline.crm.client import CrmClient
from sightline.crm.provider import (
    ConnectionIsOver,
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
from sightline.kit.clock import now, rfc3339

OUR_ID: Final = (
    "sightline_id"  # a property that we make, with unique values: makes creating repeatable
)
_OBJECTS: Final[Mapping[Kind, str]] = {"accounts": "companies", "contacts": "contacts"}
_GROUPS: Final[Mapping[Kind, str]] = {
    "accounts": "companyinformation",
    "contacts": "contactinformation",
}
_CHANGED: Final[Mapping[Kind, str]] = {
    "accounts": "hs_lastmodifieddate",
    "contacts": "lastmodifieddate",
}
_COMPANY: Final = "associatedcompanyid"
_SEARCH_PAGE: Final = 200
_LIST_PAGE: Final = 100
_NOTE_TO_COMPANY: Final = 190
_OPERATORS: Final = ("EQ", "NEQ", "LT", "LTE", "GT", "GTE", "HAS_PROPERTY", "NOT_HAS_PROPERTY",
                     "CONTAINS_TOKEN", "IN", "NOT_IN")  # fmt: skip


@dataclass(frozen=True)
class Hubspot:
    """See `crm.provider.Crm`."""

    client: CrmClient
    batch: int = 100

    async def now(self) -> datetime:
        await self.client.ask("GET", "/crm/v3/objects/companies?limit=1")
        return self.client.last_date or now()

    async def properties(self, kind: Kind) -> Mapping[str, Property]:
        answer = await self.client.ask("GET", f"/crm/v3/properties/{_OBJECTS[kind]}")
        return {
            row["name"]: Property(
                row["name"],
                row.get("label") or row["name"],
                bool((row.get("modificationMetadata") or {}).get("readOnlyValue")),
                {each["value"]: each["label"] for each in row.get("options") or ()},
            )
            for row in answer["results"]
        }

    async def changed(
        self,
        kind: Kind,
        names: Sequence[str],
        *,
        filters: Sequence[Filter],
        since: datetime | None,
        after: str | None,
    ) -> Page:
        # By id and not by HubSpot's cursor, which ends at 10,000 records and shifts while records change.
        conditions = [_condition(each) for each in filters]
        if since is not None:
            milliseconds = str(int(since.timestamp() * 1000))
            conditions.append(_filter(_CHANGED[kind], "GTE", milliseconds))
        if after is not None:
            conditions.append(_filter("hs_object_id", "GT", after))
        answer = await self.client.ask(
            "POST",
            f"/crm/v3/objects/{_OBJECTS[kind]}/search",
            {
                "filterGroups": [{"filters": conditions}] if conditions else [],
                "sorts": [{"propertyName": "hs_object_id", "direction": "ASCENDING"}],
                "properties": _asked(kind, names),
                "limit": _SEARCH_PAGE,
            },
        )
        records = [_record(kind, row) for row in answer["results"]]
        has_more = answer["total"] > len(records)
        return Page(
            records, records[-1].record_id if has_more and records else None, answer["total"]
        )

    async def removed(self, kind: Kind, after: str | None) -> Page:
        query = {"archived": "true", "limit": str(_LIST_PAGE)} | ({"after": after} if after else {})
        path = f"/crm/v3/objects/{_OBJECTS[kind]}?{urlencode(query)}"
        answer = await self.client.ask("GET", path)
        following = ((answer.get("paging") or {}).get("next") or {}).get("after")
        return Page([_record(kind, row) for row in answer["results"]], following)

    async def read(self, kind: Kind, names: Sequence[str], ids: Sequence[str]) -> Sequence[Record]:
        if not ids:
            return []
        answer = await self.client.ask(
            "POST",
            f"/crm/v3/objects/{_OBJECTS[kind]}/batch/read",
            {"properties": _asked(kind, names), "inputs": [{"id": each} for each in ids]},
        )
        return [_record(kind, row) for row in answer["results"]]

    async def with_site(
        self, names: Sequence[str], property: str, domains: Sequence[str]
    ) -> Sequence[Record]:
        wanted = Filter(property, "IN", ",".join(domains))
        page = await self.changed("accounts", names, filters=[wanted], since=None, after=None)
        return page.records

    async def update(self, kind: Kind, values: Mapping[str, Mapping[str, str]]) -> Written:
        async def send(keys: Sequence[str]) -> Any:
            inputs = [{"id": key, "properties": values[key]} for key in keys]
            path = f"/crm/v3/objects/{_OBJECTS[kind]}/batch/update"
            return await self.client.ask("POST", path, {"inputs": inputs})

        return await _in_halves(list(values), send, _by_id)

    async def create(self, kind: Kind, values: Mapping[str, Mapping[str, str]]) -> Written:
        await self._have_our_id(kind)

        async def send(keys: Sequence[str]) -> Any:
            inputs = [
                {"idProperty": OUR_ID, "id": key, "properties": {**values[key], OUR_ID: key}}
                for key in keys
            ]
            path = f"/crm/v3/objects/{_OBJECTS[kind]}/batch/upsert"
            return await self.client.ask("POST", path, {"inputs": inputs})

        return await _in_halves(list(values), send, _by_our_id)

    async def write_notes(self, notes: Sequence[Note]) -> Written:
        by_mark = {note.mark: note for note in notes}

        async def send(keys: Sequence[str]) -> Any:
            inputs = [_note(by_mark[key]) for key in keys]
            return await self.client.ask(
                "POST", "/crm/v3/objects/notes/batch/create", {"inputs": inputs}
            )

        return await _in_halves(list(by_mark), send, _by_trace)

    async def find_notes(self, record_ids: Sequence[str]) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for record_id in record_ids:
            notes = await self._notes_of(record_id)
            for start in range(0, len(notes), _LIST_PAGE):
                answer = await self.client.ask(
                    "POST",
                    "/crm/v3/objects/notes/batch/read",
                    {
                        "properties": ["hs_note_body"],
                        "inputs": [{"id": each} for each in notes[start : start + _LIST_PAGE]],
                    },
                )
                for row in answer["results"]:
                    text = unescape(row["properties"].get("hs_note_body") or "")
                    if mark := mark_of(text):
                        found.setdefault(mark, str(row["id"]))
        return found

    async def update_notes(self, notes: Mapping[str, Note]) -> Written:
        async def send(keys: Sequence[str]) -> Any:
            inputs = [{"id": key, "properties": {"hs_note_body": notes[key].html}} for key in keys]
            return await self.client.ask(
                "POST", "/crm/v3/objects/notes/batch/update", {"inputs": inputs}
            )

        return await _in_halves(list(notes), send, _by_id)

    async def _notes_of(self, record_id: str) -> list[str]:
        found: list[str] = []
        after: str | None = None
        while True:
            query = {"limit": "500"} | ({"after": after} if after else {})
            path = f"/crm/v4/objects/companies/{quote(record_id, safe='')}/associations/notes"
            answer = await self.client.ask("GET", f"{path}?{urlencode(query)}")
            found += [str(row["toObjectId"]) for row in answer["results"]]
            after = ((answer.get("paging") or {}).get("next") or {}).get("after")
            if after is None:
                return found

    async def _have_our_id(self, kind: Kind) -> None:
        if OUR_ID in await self.properties(kind):
            return
        await self.client.ask(
            "POST",
            f"/crm/v3/properties/{_OBJECTS[kind]}",
            {
                "name": OUR_ID,
                "label": "Sightline id",
                "type": "string",
                "fieldType": "text",
                "groupName": _GROUPS[kind],
                "hasUniqueValue": True,
            },
        )


Send = Callable[[Sequence[str]], Awaitable[Any]]
KeyOf = Callable[[Mapping[str, Any]], str | None]


async def _in_halves(keys: Sequence[str], send: Send, key_of: KeyOf) -> Written:
    """Send a batch. HubSpot refuses some batches as a whole for one bad record: halves find it."""
    if not keys:
        return Written({}, {})
    try:
        answer = await send(keys)
    except ConnectionIsOver:
        raise
    except CrmRefuses as refusal:
        if len(keys) == 1:
            return Written({}, {keys[0]: str(refusal)})
        middle = len(keys) // 2
        first = await _in_halves(keys[:middle], send, key_of)
        second = await _in_halves(keys[middle:], send, key_of)
        return Written({**first.done, **second.done}, {**first.failed, **second.failed})
    return _written(keys, answer, key_of)


def _written(keys: Sequence[str], answer: Mapping[str, Any], key_of: KeyOf) -> Written:
    """What became of each of a batch, some of which may have failed."""
    done = {key: str(row["id"]) for row in answer["results"] if (key := key_of(row)) is not None}
    failed = dict.fromkeys(set(keys) - set(done), "HubSpot did not report a result for it.")
    for error in answer.get("errors") or ():
        context = error.get("context") or {}
        for key in (*context.get("ids", ()), *context.get("objectWriteTraceId", ())):
            if key in failed:
                failed[key] = str(error.get("message") or "HubSpot rejected it.")
    return Written(done, failed)


def _by_id(row: Mapping[str, Any]) -> str | None:
    return str(row["id"])


def _by_our_id(row: Mapping[str, Any]) -> str | None:
    found: str | None = row["properties"].get(OUR_ID)
    return found


def _by_trace(row: Mapping[str, Any]) -> str | None:
    found: str | None = row.get("objectWriteTraceId")
    return found


def _record(kind: Kind, row: Mapping[str, Any]) -> Record:
    values = {name: text for name, text in row["properties"].items() if text}
    said = values.get(_CHANGED[kind]) or row.get("updatedAt")
    changed_at = datetime.fromisoformat(said).astimezone(UTC) if said else None
    return Record(str(row["id"]), values, changed_at, values.get(_COMPANY))


def _asked(kind: Kind, names: Sequence[str]) -> list[str]:
    ours = [_CHANGED[kind], *([_COMPANY] if kind == "contacts" else [])]
    return list(dict.fromkeys([*names, *ours]))


def _condition(given: Filter) -> dict[str, Any]:
    if given.operator not in _OPERATORS:
        raise CrmRefuses(f"{given.operator} is not a HubSpot filter.")
    return _filter(given.property, given.operator, given.value)


def _filter(name: str, operator: str, value: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {"propertyName": name, "operator": operator}
    if operator in ("IN", "NOT_IN"):
        found["values"] = [part.strip() for part in (value or "").split(",")]
    elif value is not None:
        found["value"] = value
    return found


def _note(note: Note) -> dict[str, Any]:
    types = [{"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": _NOTE_TO_COMPANY}]
    return {
        "objectWriteTraceId": note.mark,
        "properties": {
            "hs_note_body": note.html,
            "hs_timestamp": rfc3339(note.at.astimezone(UTC)),
        },
        "associations": [{"to": {"id": note.record_id}, "types": types}],
    }
