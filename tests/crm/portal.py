"""A double of the part of HubSpot that is used, after its public documentation.

It keeps to HubSpot's limits (batches of 100, pages of 200, no search beyond 10,000 results) and answers as
HubSpot does: 207 for batches that fail in part, 400 for batches with a bad value, 401, 429.
"""

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from sightline.kit.fetch.addresses import Url
from sightline.kit.fetch.answer import Reply, Request
from sightline.kit.fetch.bounds import Limits

STANDARD = {
    "companies": (
        "name domain country state city address zip industry numberofemployees description"
        " linkedin_company_page annualrevenue hs_lastmodifieddate lifecyclestage hs_object_id"
    ).split(),
    "contacts": (
        "firstname lastname email phone jobtitle country company hs_linkedin_url lastmodifieddate"
        " associatedcompanyid hs_object_id"
    ).split(),
    "notes": ["hs_note_body", "hs_timestamp"],
}
CHANGED = {"companies": "hs_lastmodifieddate", "contacts": "lastmodifieddate"}
INDUSTRIES = {
    "COMPUTER_SOFTWARE": "Computer Software",
    "MACHINERY": "Machinery",
    "BANKING": "Banking",
}
MOST_FOUND = 10_000


class Refused(Exception):
    def __init__(self, status: int, message: str, category: str = "VALIDATION_ERROR") -> None:
        super().__init__(message)
        self.status, self.body = (
            status,
            {"status": "error", "message": message, "category": category},
        )


@dataclass
class Object:
    """One record."""

    id: str
    properties: dict[str, str]
    changed_at: datetime
    archived: bool = False


@dataclass
class Portal:
    """HubSpot for one customer. `clock` is its own. `fault` may raise before, or after, a request is done."""

    token: str = "pat-good"
    refresh: str = "refresh-good"
    app: tuple[str, str] = ("app-id", "app-secret")
    code: str = "code-good"
    objects: dict[str, dict[str, Object]] = field(
        default_factory=lambda: {"companies": {}, "contacts": {}, "notes": {}}
    )
    notes_of: dict[str, list[str]] = field(default_factory=dict)
    custom: dict[str, dict[str, dict[str, Any]]] = field(
        default_factory=lambda: {"companies": {}, "contacts": {}}
    )
    dropped: set[tuple[str, str]] = field(default_factory=set)  # properties that are gone
    clock: datetime = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
    busy: int = 0  # so many requests are answered 429
    retry_after: str | None = None
    broken: int = 0  # so many requests are answered 502
    refuse_values: dict[str, str] = field(default_factory=dict)  # record id -> message
    vanish: set[str] = field(default_factory=set)  # ids that a batch update does not find
    before: Callable[[str], None] = lambda path: None
    after: Callable[[str], None] = lambda path: None
    asked: list[str] = field(default_factory=list)
    _ids: Any = field(default_factory=lambda: itertools.count(1001))

    # What a test does to it.

    def put(self, kind: str, record_id: str | None = None, **properties: str) -> str:
        """Make or change a record as a person in HubSpot would."""
        self.clock += timedelta(seconds=1)
        record_id = record_id or str(next(self._ids))
        held = self.objects[kind].setdefault(record_id, Object(record_id, {}, self.clock))
        held.properties |= properties
        held.changed_at = self.clock
        return record_id

    def archive(self, kind: str, record_id: str) -> None:
        self.objects[kind][record_id].archived = True

    def values(self, kind: str, record_id: str) -> dict[str, str]:
        return self.objects[kind][record_id].properties

    # sightline.kit.fetch.live.Web

    async def exchange(
        self, url: Url, request: Request, *, limits: Limits, seconds: float
    ) -> Reply:
        del limits, seconds
        parts = urlsplit(str(url))
        self.asked.append(f"{request.method} {parts.path}")
        self.before(parts.path)
        headers = {"date": self.clock.strftime("%a, %d %b %Y %H:%M:%S GMT")}
        try:
            assert url.origin == "https://api.hubapi.com"
            status, body = self._answer(request, parts.path, parse_qs(parts.query), headers)
        except Refused as refused:
            status, body = refused.status, refused.body
        self.after(parts.path)
        return Reply(status, headers, json.dumps(body).encode(), datetime.now(UTC))

    async def close(self) -> None:
        pass

    def _answer(
        self, request: Request, path: str, query: dict[str, list[str]], headers: dict[str, str]
    ) -> tuple[int, Any]:
        if path == "/oauth/v1/token":
            return self._oauth(parse_qs((request.body or b"").decode()))
        if self.busy:
            self.busy -= 1
            if self.retry_after is not None:
                headers["retry-after"] = self.retry_after
            raise Refused(429, "You have reached your ten_secondly_rolling limit.", "RATE_LIMITS")
        if self.broken:
            self.broken -= 1
            raise Refused(502, "Bad gateway")
        if request.headers.get("authorization") != f"Bearer {self.token}":
            raise Refused(401, "Authentication credentials not found.", "INVALID_AUTHENTICATION")
        body = json.loads(request.body) if request.body else {}
        where = [unquote(part) for part in path.strip("/").split("/")]
        match (request.method, *where):
            case ("GET", "crm", "v3", "properties", kind):
                return 200, {"results": list(self._properties(kind).values())}
            case ("POST", "crm", "v3", "properties", kind):
                self.custom[kind][body["name"]] = {**body, "modificationMetadata": {}}
                return 201, body
            case ("GET", "crm", "v3", "objects", kind):
                return 200, self._list(kind, query)
            case ("POST", "crm", "v3", "objects", kind, "search"):
                return 200, self._search(kind, body)
            case ("POST", "crm", "v3", "objects", kind, "batch", verb):
                if not 0 < len(body["inputs"]) <= 100:
                    raise Refused(400, "Batches hold 1 to 100 inputs.")
                return getattr(self, f"_batch_{verb}")(kind, body)
            case ("GET", "crm", "v4", "objects", "companies", record_id, "associations", "notes"):
                rows = [{"toObjectId": int(each)} for each in self.notes_of.get(record_id, [])]
                return 200, {"results": rows}
        raise Refused(404, "There is no such thing.")

    def _oauth(self, form: dict[str, list[str]]) -> tuple[int, Any]:
        given = {name: values[0] for name, values in form.items()}
        if (given.get("client_id"), given.get("client_secret")) != self.app:
            raise Refused(401, "The client is unknown.", "INVALID_CLIENT")
        if given["grant_type"] == "refresh_token" and given["refresh_token"] != self.refresh:
            raise Refused(400, "missing or unknown refresh token", "BAD_REFRESH_TOKEN")
        if given["grant_type"] == "authorization_code" and given["code"] != self.code:
            raise Refused(400, "missing or unknown auth code", "BAD_AUTH_CODE")
        return 200, {
            "access_token": self.token,
            "refresh_token": self.refresh,
            "expires_in": 1800,
            "token_type": "bearer",
        }

    def _properties(self, kind: str) -> dict[str, dict[str, Any]]:
        options = [{"value": code, "label": label} for code, label in INDUSTRIES.items()]
        standard = {
            name: {
                "name": name,
                "label": name.title(),
                "type": "enumeration" if name == "industry" else "string",
                "options": options if name == "industry" else [],
                "modificationMetadata": {"readOnlyValue": name.endswith("lastmodifieddate")},
            }
            for name in STANDARD[kind]
        }
        found = standard | self.custom.get(kind, {})
        return {name: row for name, row in found.items() if (kind, name) not in self.dropped}

    def _shown(self, kind: str, held: Object, names: list[str]) -> dict[str, Any]:
        stamp = held.changed_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        own = held.properties | {"hs_object_id": held.id}
        if kind in CHANGED:
            own[CHANGED[kind]] = stamp
        known = self._properties(kind)
        return {
            "id": held.id,
            "properties": {name: own.get(name) for name in names if name in known},
            "createdAt": stamp,
            "updatedAt": stamp,
            "archived": held.archived,
        }

    def _list(self, kind: str, query: dict[str, list[str]]) -> dict[str, Any]:
        limit = int(query.get("limit", ["10"])[0])
        assert limit <= 100
        wanted = query.get("archived") == ["true"]
        rows = [each for each in self._ordered(kind) if each.archived is wanted]
        start = int(query.get("after", ["0"])[0])
        page = rows[start : start + limit]
        found: dict[str, Any] = {"results": [self._shown(kind, each, []) for each in page]}
        if start + limit < len(rows):
            found["paging"] = {"next": {"after": str(start + limit)}}
        return found

    def _ordered(self, kind: str) -> list[Object]:
        return sorted(self.objects[kind].values(), key=lambda each: int(each.id))

    def _search(self, kind: str, body: dict[str, Any]) -> dict[str, Any]:
        groups = body.get("filterGroups") or []
        start, limit = int(body.get("after") or 0), body["limit"]
        if limit > 200 or len(groups) > 5 or any(len(each["filters"]) > 6 for each in groups):
            raise Refused(400, "Too much is asked for at once.")
        if start + limit > MOST_FOUND:
            raise Refused(400, "Search results end at 10,000.")
        known = self._properties(kind)
        for each in (row for group in groups for row in group["filters"]):
            if each["propertyName"] not in known:
                raise Refused(400, f"There is no property {each['propertyName']}.")
        assert body["sorts"] == [{"propertyName": "hs_object_id", "direction": "ASCENDING"}]
        rows = [
            each
            for each in self._ordered(kind)
            if not each.archived
            and (not groups or any(self._fits(kind, each, group) for group in groups))
        ]
        page = rows[start : start + limit]
        shown = [self._shown(kind, each, [*body["properties"], "hs_object_id"]) for each in page]
        return {"total": len(rows), "results": shown}

    def _fits(self, kind: str, held: Object, group: dict[str, Any]) -> bool:
        return all(self._meets(kind, held, each) for each in group["filters"])

    def _meets(self, kind: str, held: Object, condition: dict[str, Any]) -> bool:
        name, wanted = condition["propertyName"], condition.get("value")
        value: Any = held.properties.get(name)
        if name == "hs_object_id":
            value, wanted = int(held.id), int(wanted)
        if name == CHANGED[kind]:
            value, wanted = held.changed_at.timestamp() * 1000, float(wanted)
        match condition["operator"]:
            case "EQ":
                return bool(value == wanted)
            case "GT":
                return bool(value > wanted)
            case "GTE":
                return bool(value >= wanted)
            case "IN":
                return value in condition["values"]
            case "HAS_PROPERTY":
                return value is not None
        raise Refused(400, "That operator is not known.")

    def _batch_read(self, kind: str, body: dict[str, Any]) -> tuple[int, Any]:
        ids = [each["id"] for each in body["inputs"]]
        found = [self.objects[kind][each] for each in ids if each in self.objects[kind]]
        shown = [self._shown(kind, each, body["properties"]) for each in found if not each.archived]
        missing = [each for each in ids if each not in {row["id"] for row in shown}]
        if not missing:
            return 200, {"status": "COMPLETE", "results": shown}
        return 207, {"status": "COMPLETE", "results": shown, "errors": [_not_found(missing)]}

    def _batch_update(self, kind: str, body: dict[str, Any]) -> tuple[int, Any]:
        self._check_values(kind, body["inputs"])
        results, missing = [], []
        for each in body["inputs"]:
            held = self.objects[kind].get(each["id"])
            if held is None or held.archived or held.id in self.vanish:
                missing.append(each["id"])
                continue
            self._set(held, each["properties"])
            results.append(self._shown(kind, held, list(each["properties"])))
        answer: dict[str, Any] = {"status": "COMPLETE", "results": results}
        if not missing:
            return 200, answer
        return 207, {**answer, "numErrors": 1, "errors": [_not_found(missing)]}

    def _batch_upsert(self, kind: str, body: dict[str, Any]) -> tuple[int, Any]:
        self._check_values(kind, body["inputs"])
        results = []
        for each in body["inputs"]:
            name = each["idProperty"]
            if not self._properties(kind).get(name, {}).get("hasUniqueValue"):
                raise Refused(400, f"{name} is no property of unique values.")
            held = next(
                (o for o in self._ordered(kind) if o.properties.get(name) == each["id"]), None
            )
            if held is None:
                held = self.objects[kind][self.put(kind)]
            self._set(held, each["properties"])
            results.append(self._shown(kind, held, list(each["properties"])))
        return 200, {"status": "COMPLETE", "results": results}

    def _batch_create(self, kind: str, body: dict[str, Any]) -> tuple[int, Any]:
        assert kind == "notes"
        results, errors = [], []
        for each in body["inputs"]:
            company = each["associations"][0]["to"]["id"]
            trace = each["objectWriteTraceId"]
            if company in self.refuse_values:
                context = {"objectWriteTraceId": [trace]}
                message = self.refuse_values[company]
                errors.append({"status": "error", "message": message, "context": context})
                continue
            note = self.put("notes", **each["properties"])
            self.notes_of.setdefault(company, []).append(note)
            shown = self._shown("notes", self.objects["notes"][note], ["hs_note_body"])
            results.append({**shown, "objectWriteTraceId": trace})
        answer: dict[str, Any] = {"status": "COMPLETE", "results": results}
        if errors:
            return 207, {**answer, "numErrors": len(errors), "errors": errors}
        return 201, answer

    def _check_values(self, kind: str, inputs: list[dict[str, Any]]) -> None:
        """One bad value refuses the whole batch."""
        known = self._properties(kind)
        for each in inputs:
            if each["id"] in self.refuse_values:
                raise Refused(400, self.refuse_values[each["id"]])
            for name, value in each["properties"].items():
                if name not in known:
                    raise Refused(400, f'Property "{name}" does not exist')
                options = {row["value"] for row in known[name].get("options") or ()}
                if options and value not in options:
                    raise Refused(400, f"{value} was not one of the allowed options")

    def _set(self, held: Object, properties: dict[str, str]) -> None:
        changed = {n: v for n, v in properties.items() if held.properties.get(n) != v}
        if changed:
            self.clock += timedelta(milliseconds=1)
            held.properties |= changed
            held.changed_at = self.clock


def _not_found(ids: list[str]) -> dict[str, Any]:
    return {
        "status": "error",
        "category": "OBJECT_NOT_FOUND",
        "message": "Could not get some objects.",
        "context": {"ids": ids},
    }
