"""A double of the part of HubSpot that is used, after its public documentation.

It keeps to HubSpot's limits (batches of 100, pages of 200, no search beyond 10,000 results) and answers as
HubSpot does: 207 for batches that fail in part, 400 for batches with a bad value, 401, 429.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import unquote

from sightline.kit.fetch.addresses import Url
from tests.crm.double import Double, Object, Refused

STANDARD = {
    "accounts": (
        "name domain country state city address zip industry numberofemployees description"
        " linkedin_company_page annualrevenue hs_lastmodifieddate lifecyclestage hs_object_id"
    ).split(),
    "contacts": (
        "firstname lastname email phone jobtitle country company hs_linkedin_url lastmodifieddate"
        " associatedcompanyid hs_object_id"
    ).split(),
    "notes": ["hs_note_body", "hs_timestamp"],
}
KINDS = {"companies": "accounts", "contacts": "contacts", "notes": "notes"}
CHANGED = {"accounts": "hs_lastmodifieddate", "contacts": "lastmodifieddate"}
INDUSTRIES = {
    "COMPUTER_SOFTWARE": "Computer Software",
    "MACHINERY": "Machinery",
    "BANKING": "Banking",
}
MOST_FOUND = 10_000


def refused(status: int, message: str, category: str = "VALIDATION_ERROR") -> Refused:
    return Refused(status, {"status": "error", "message": message, "category": category})


@dataclass
class Portal(Double):
    """HubSpot."""

    provider: ClassVar[str] = "hubspot"
    sends_hints: ClassVar[bool] = True
    keeps_html: ClassVar[bool] = True
    software: ClassVar[str] = "COMPUTER_SOFTWARE"
    token_path: ClassVar[str] = "/oauth/v1/token"
    extra_names: ClassVar[dict[str, str]] = {
        "stage": "lifecyclestage",
        "employer": "associatedcompanyid",
        "text": "hs_note_body",
    }

    custom: dict[str, dict[str, dict[str, Any]]] = field(
        default_factory=lambda: {"accounts": {}, "contacts": {}}
    )

    def new_id(self, kind: str, n: int) -> str:
        return str(n)

    def number(self, value: int) -> Any:
        return str(value)

    def check_host(self, url: Url, path: str) -> None:
        assert url.origin == "https://api.hubapi.com"

    def limit_is_reached(self) -> Refused:
        return refused(429, "You have reached your ten_secondly_rolling limit.", "RATE_LIMITS")

    def token_is_wrong(self) -> Refused:
        return refused(401, "Authentication credentials not found.", "INVALID_AUTHENTICATION")

    def answer(
        self, method: str, path: str, query: dict[str, list[str]], body: Any
    ) -> tuple[int, Any]:
        where = [unquote(part) for part in path.strip("/").split("/")]
        match (method, *where):
            case ("GET", "crm", "v3", "properties", kind):
                return 200, {"results": list(self._properties(KINDS[kind]).values())}
            case ("POST", "crm", "v3", "properties", kind):
                self.custom[KINDS[kind]][body["name"]] = {**body, "modificationMetadata": {}}
                return 201, body
            case ("GET", "crm", "v3", "objects", kind):
                return 200, self._list(KINDS[kind], query)
            case ("POST", "crm", "v3", "objects", kind, "search"):
                return 200, self._search(KINDS[kind], body)
            case ("POST", "crm", "v3", "objects", kind, "batch", verb):
                if not 0 < len(body["inputs"]) <= 100:
                    raise refused(400, "Batches hold 1 to 100 inputs.")
                return getattr(self, f"_batch_{verb}")(KINDS[kind], body)
            case ("GET", "crm", "v4", "objects", "companies", record_id, "associations", "notes"):
                rows = [{"toObjectId": int(each)} for each in self.notes_of.get(record_id, [])]
                return 200, {"results": rows}
        raise refused(404, "There is no such thing.")

    def tokens_for(self, given: dict[str, str]) -> dict[str, Any]:
        if (given.get("client_id"), given.get("client_secret")) != self.app:
            raise refused(401, "The client is unknown.", "INVALID_CLIENT")
        if given["grant_type"] == "refresh_token" and given["refresh_token"] != self.refresh:
            raise refused(400, "missing or unknown refresh token", "BAD_REFRESH_TOKEN")
        if given["grant_type"] == "authorization_code" and given["code"] != self.code:
            raise refused(400, "missing or unknown auth code", "BAD_AUTH_CODE")
        return {
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
        own = held.values | {"hs_object_id": held.id}
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
        rows = [each for each in self.ordered(kind) if each.archived is wanted]
        start = int(query.get("after", ["0"])[0])
        page = rows[start : start + limit]
        found: dict[str, Any] = {"results": [self._shown(kind, each, []) for each in page]}
        if start + limit < len(rows):
            found["paging"] = {"next": {"after": str(start + limit)}}
        return found

    def _search(self, kind: str, body: dict[str, Any]) -> dict[str, Any]:
        groups = body.get("filterGroups") or []
        self.pages.append(kind)
        start, limit = int(body.get("after") or 0), body["limit"]
        if limit > 200 or len(groups) > 5 or any(len(each["filters"]) > 6 for each in groups):
            raise refused(400, "Too much is asked for at once.")
        if start + limit > MOST_FOUND:
            raise refused(400, "Search results end at 10,000.")
        known = self._properties(kind)
        for each in (row for group in groups for row in group["filters"]):
            if each["propertyName"] not in known:
                raise refused(400, f"There is no property {each['propertyName']}.")
        assert body["sorts"] == [{"propertyName": "hs_object_id", "direction": "ASCENDING"}]
        rows = [
            each
            for each in self.ordered(kind)
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
        value: Any = held.values.get(name)
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
        raise refused(400, "That operator is not known.")

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
            self.set_values(held, each["properties"])
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
                raise refused(400, f"{name} is no property of unique values.")
            held = next((o for o in self.ordered(kind) if o.values.get(name) == each["id"]), None)
            if held is None:
                held = self.objects[kind][self.put(kind)]
            self.set_values(held, each["properties"])
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
                raise refused(400, self.refuse_values[each["id"]])
            for name, value in each["properties"].items():
                if name not in known:
                    raise refused(400, f'Property "{name}" does not exist')
                options = {row["value"] for row in known[name].get("options") or ()}
                if options and value not in options:
                    raise refused(400, f"{value} was not one of the allowed options")


def _not_found(ids: list[str]) -> dict[str, Any]:
    return {
        "status": "error",
        "category": "OBJECT_NOT_FOUND",
        "message": "Could not get some objects.",
        "context": {"ids": ids},
    }
