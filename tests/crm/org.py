"""A double of the part of Salesforce that is used, after its public documentation.

It keeps to Salesforce's limits (collections of 200, addresses of 16,384 characters, answers in parts of its
own choosing behind `nextRecordsUrl`), checks types, and answers as Salesforce does: an outcome for each
record of a collection, 400 for what is malformed, 401, 403 REQUEST_LIMIT_EXCEEDED. Deleted records are found
by `queryAll` alone.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from sightline.kit.fetch.addresses import Url
from tests.crm.double import Double, Object, Refused

SITE = "https://harbor.my.salesforce.com"
API = "/services/data/v62.0"
TEXT = "string"
STANDARD: dict[str, dict[str, str]] = {
    "accounts": {
        "Id": "id", "Name": TEXT, "Website": "url", "BillingCountry": TEXT, "BillingState": TEXT,
        "BillingCity": TEXT, "BillingStreet": "textarea", "BillingPostalCode": TEXT,
        "Industry": "picklist", "NumberOfEmployees": "int", "Description": "textarea",
        "TickerSymbol": TEXT, "AnnualRevenue": "currency", "Type": TEXT, "IsDeleted": "boolean",
        "SystemModstamp": "datetime", "Sightline_Id__c": TEXT, "Rated_On__c": "date",
        "Is_Partner__c": "boolean",
    },
    "contacts": {
        "Id": "id", "FirstName": TEXT, "LastName": TEXT, "Email": "email", "Phone": "phone",
        "Title": TEXT, "MailingCountry": TEXT, "AccountId": "reference", "IsDeleted": "boolean",
        "SystemModstamp": "datetime",
    },
    "notes": {
        "Id": "id", "WhatId": "reference", "Subject": TEXT, "Description": "textarea",
        "ActivityDate": "date", "Status": TEXT, "IsDeleted": "boolean", "SystemModstamp": "datetime",
    },
}  # fmt: skip
KINDS = {"Account": "accounts", "Contact": "contacts", "Task": "notes"}
PREFIX = {"accounts": "001", "contacts": "003", "notes": "00T"}
READ_ONLY = ("Id", "IsDeleted", "SystemModstamp")
INDUSTRIES = ("Computer Software", "Machinery", "Banking")
LONGEST_TASK = 32_000
MOST = 200

_QUERY = re.compile(
    r"SELECT (?P<what>.+?) FROM (?P<name>\w+)(?: WHERE (?P<where>.+?))?"
    r"(?P<order> ORDER BY Id)?(?: LIMIT (?P<limit>\d+))?"
)
_TOKEN = re.compile(r"\s*('(?:\\.|[^'\\])*'|[(),]|[<>!]?=|[<>]|[^\s(),<>=!]+)")
Test = Any  # of a record: whether it is meant


def refused(status: int, code: str, message: str) -> Refused:
    return Refused(status, [{"message": message, "errorCode": code}])


@dataclass
class Org(Double):
    """Salesforce."""

    provider: ClassVar[str] = "salesforce"
    sends_hints: ClassVar[bool] = False
    keeps_html: ClassVar[bool] = False
    software: ClassVar[str] = "Computer Software"
    token_path: ClassVar[str] = "/services/oauth2/token"
    extra_names: ClassVar[dict[str, str]] = {
        "stage": "Type",
        "employer": "AccountId",
        "text": "Description",
    }
    site: ClassVar[str | None] = SITE

    part: int = 150  # so many rows are answered at once
    cursors: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def new_id(self, kind: str, n: int) -> str:
        return f"{PREFIX[kind]}Qy{n:010}AAA"

    def check_host(self, url: Url, path: str) -> None:
        assert url.origin == SITE or (
            url.origin == "https://login.salesforce.com" and path == self.token_path
        )
        if len(str(url)) > 16_384:
            raise refused(414, "URI_TOO_LONG", "The URI is too long.")

    def limit_is_reached(self) -> Refused:
        return refused(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.")

    def token_is_wrong(self) -> Refused:
        return refused(401, "INVALID_SESSION_ID", "Session expired or invalid")

    def tokens_for(self, form: dict[str, str]) -> dict[str, Any]:
        def check(*, fits: bool, error: str, why: str) -> None:
            if not fits:
                raise Refused(400, {"error": error, "error_description": why})

        known = (form.get("client_id"), form.get("client_secret")) == self.app
        check(fits=known, error="invalid_client", why="invalid client credentials")
        found = {"access_token": self.token, "instance_url": SITE, "token_type": "Bearer"}
        if form["grant_type"] == "refresh_token":
            fits = form["refresh_token"] == self.refresh
            check(fits=fits, error="invalid_grant", why="expired access/refresh token")
            return found  # the refresh token stays
        check(fits=form["code"] == self.code, error="invalid_grant", why="invalid code")
        return {**found, "refresh_token": self.refresh}

    def answer(
        self, method: str, path: str, query: dict[str, list[str]], body: Any
    ) -> tuple[int, Any]:
        match (method, *path.removeprefix(API).strip("/").split("/")):
            case ("GET", "limits"):
                return 200, {"DailyApiRequests": {"Max": 100_000, "Remaining": 99_000}}
            case ("GET", "sobjects", name, "describe"):
                return 200, {"name": name, "fields": self._described(KINDS[name])}
            case ("GET", "query" | "queryAll" as verb):
                return 200, self._query(query["q"][0], with_deleted=verb == "queryAll")
            case ("GET", "query", cursor):
                return 200, self._part(self.cursors.pop(cursor), None)
            case ("POST", "composite", "sobjects"):
                return 200, self._each(body, self._insert)
            case ("PATCH", "composite", "sobjects"):
                return 200, self._each(body, self._update)
            case ("PATCH", "composite", "sobjects", name, key):
                if key not in self._types(KINDS[name]):
                    raise refused(400, "INVALID_FIELD", f"No such column '{key}'")
                return 200, self._each(body, lambda kind, row: self._upsert(kind, key, row))
        raise refused(404, "NOT_FOUND", "The requested resource does not exist")

    def _types(self, kind: str) -> dict[str, str]:
        return {n: t for n, t in STANDARD[kind].items() if (kind, n) not in self.dropped}

    def _described(self, kind: str) -> list[dict[str, Any]]:
        options = [{"value": each, "label": each, "active": True} for each in INDUSTRIES]
        return [
            {
                "name": name,
                "label": name,
                "type": each,
                "updateable": name not in READ_ONLY,
                "externalId": name == "Sightline_Id__c",
                "picklistValues": options if each == "picklist" else [],
            }
            for name, each in self._types(kind).items()
        ]

    # SOQL

    def _query(self, soql: str, *, with_deleted: bool) -> dict[str, Any]:
        asked = _QUERY.fullmatch(soql)
        if asked is None:
            raise refused(400, "MALFORMED_QUERY", f"unexpected token in {soql}")
        kind = KINDS[asked["name"]]
        test = _Where(asked["where"] or "", self._types(kind)).test() if asked["where"] else None
        rows = [
            each
            for each in self.ordered(kind)
            if (with_deleted or not each.archived) and (test is None or test(self._row(each)))
        ]
        if asked["what"] == "COUNT()":
            return {"totalSize": len(rows), "done": True, "records": []}
        if asked["limit"]:
            self.pages += [kind] if not with_deleted else []
            rows = rows[: int(asked["limit"])]
        shown = [self._shown(asked["name"], each, asked["what"].split(", ")) for each in rows]
        return self._part(shown, len(shown))

    def _part(self, rows: list[dict[str, Any]], total: int | None) -> dict[str, Any]:
        found: dict[str, Any] = {"totalSize": total or len(rows), "done": len(rows) <= self.part}
        if not found["done"]:
            cursor = f"01gQy{len(self.cursors):010}-{self.part}"
            self.cursors[cursor] = rows[self.part :]
            found["nextRecordsUrl"] = f"{API}/query/{cursor}"
        return {**found, "records": rows[: self.part]}

    def _row(self, held: Object) -> dict[str, Any]:
        return held.values | {
            "Id": held.id,
            "IsDeleted": held.archived,
            "SystemModstamp": held.changed_at,
        }

    def _shown(self, name: str, held: Object, names: list[str]) -> dict[str, Any]:
        row, found = self._row(held), {"attributes": {"type": name}}
        for each in names:
            if each == "Account.Name":
                employer = self.objects["accounts"].get(row.get("AccountId", ""))
                found["Account"] = {"Name": employer.values["Name"]} if employer else None
                continue
            if each not in self._types(KINDS[name]):
                raise refused(400, "INVALID_FIELD", f"No such column '{each}' on entity '{name}'")
            value = row.get(each)
            if isinstance(value, datetime):
                value = value.isoformat(timespec="milliseconds").replace("+00:00", "+0000")
            found[each] = value
        return found

    # Collections

    def _each(self, body: dict[str, Any], write: Any) -> list[dict[str, Any]]:
        records = body["records"]
        assert body["allOrNone"] is False
        if not 0 < len(records) <= MOST:
            raise refused(400, "EXCEEDED_ID_LIMIT", f"record limit reached: {MOST}")
        found = []
        for record in records:
            kind = KINDS[record["attributes"]["type"]]
            values = {name: v for name, v in record.items() if name not in ("attributes", "id")}
            self._check_types(kind, values)
            held = self.objects[kind].get(record.get("id", ""))
            why = self._why_not(kind, record.get("id") or values.get("WhatId", ""), values)
            if why is None and "id" in record and (held is None or held.archived):
                why = ("ENTITY_IS_DELETED", "entity is deleted")
            if why is not None:
                error = {"statusCode": why[0], "message": why[1], "fields": []}
                found.append({"success": False, "errors": [error]})
                continue
            found.append({"id": write(kind, record), "success": True, "errors": []})
        return found

    def _check_types(self, kind: str, values: dict[str, Any]) -> None:
        types = self._types(kind)
        for name, value in values.items():
            if name not in types:
                raise refused(400, "INVALID_FIELD", f"No such column '{name}'")
            wanted = {"int": int, "currency": float, "boolean": bool}.get(types[name], str)
            if type(value) is not wanted:
                why = f"Cannot deserialize instance of {types[name]} from {value!r}"
                raise refused(400, "JSON_PARSER_ERROR", why)

    def _why_not(self, kind: str, record_id: str, values: dict[str, Any]) -> tuple[str, str] | None:
        if record_id in self.vanish:
            return "ENTITY_IS_DELETED", "entity is deleted"
        if record_id in self.refuse_values:
            return "UNABLE_TO_LOCK_ROW", self.refuse_values[record_id]
        if values.get("Industry", INDUSTRIES[0]) not in INDUSTRIES:
            return "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST", "bad value for restricted picklist"
        if len(values.get("Description", "")) > LONGEST_TASK:
            return "STRING_TOO_LONG", "Description: data value too large"
        return None

    def _insert(self, kind: str, record: dict[str, Any]) -> str:
        assert kind == "notes"
        values = {name: value for name, value in record.items() if name != "attributes"}
        made = self.put(kind, **values)
        self.notes_of.setdefault(record["WhatId"], []).append(made)
        return made

    def _update(self, kind: str, record: dict[str, Any]) -> str:
        held = self.objects[kind][record["id"]]
        self.set_values(held, {n: v for n, v in record.items() if n not in ("attributes", "id")})
        return held.id

    def _upsert(self, kind: str, key: str, record: dict[str, Any]) -> str:
        held = next((o for o in self.ordered(kind) if o.values.get(key) == record[key]), None)
        record_id = held.id if held else self.put(kind)
        return self._update(kind, {**record, "id": record_id})


class _Where:
    """Conditions of a query, as a test of rows."""

    def __init__(self, text: str, types: dict[str, str]) -> None:
        self.tokens, self.types = _TOKEN.findall(text), types

    def test(self) -> Test:
        found = self._any()
        if self.tokens:
            raise refused(400, "MALFORMED_QUERY", f"unexpected token {self.tokens[0]}")
        return found

    def _next(self) -> str:
        if not self.tokens:
            raise refused(400, "MALFORMED_QUERY", "unexpected end")
        token: str = self.tokens.pop(0)
        return token

    def _any(self) -> Test:
        tests = [self._all()]
        while self.tokens[:1] == ["OR"]:
            self._next()
            tests.append(self._all())
        return lambda row: any(test(row) for test in tests)

    def _all(self) -> Test:
        tests = [self._one()]
        while self.tokens[:1] == ["AND"]:
            self._next()
            tests.append(self._one())
        return lambda row: all(test(row) for test in tests)

    def _one(self) -> Test:
        name = self._next()
        if name == "(":
            test = self._any()
            assert self._next() == ")"
            return test
        if name not in self.types:
            raise refused(400, "INVALID_FIELD", f"No such column '{name}'")
        operator = self._next()
        if operator == "IN":
            assert self._next() == "("
            listed = {self._literal(name)}
            while self._next() == ",":
                listed.add(self._literal(name))
            return lambda row: row.get(name) in listed
        value = self._literal(name)
        if operator == "LIKE":
            return lambda row: value.strip("%").casefold() in str(row.get(name) or "").casefold()
        compare: dict[str, Any] = {
            "=": lambda held: held == value,
            "!=": lambda held: held != value,
            ">": lambda held: held is not None and held > value,
            ">=": lambda held: held is not None and held >= value,
            "<": lambda held: held is not None and held < value,
        }
        return lambda row: compare[operator](row.get(name))

    def _literal(self, name: str) -> Any:
        token, kind = self._next(), self.types[name]
        if token.startswith("'"):
            if kind in ("int", "currency", "boolean", "date", "datetime"):
                raise refused(400, "INVALID_FIELD", f"value of filter criterion for '{name}'")
            return re.sub(r"\\(.)", r"\1", token[1:-1])
        if token == "null":
            return None
        if kind == "datetime":
            return datetime.fromisoformat(token)
        if kind == "boolean":
            return {"true": True, "false": False}[token]
        if kind in ("int", "currency"):
            return float(token)
        if kind == "date":
            return token
        raise refused(400, "MALFORMED_QUERY", f"unexpected token {token}")
