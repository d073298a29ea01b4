"""`openapi.json` as the operations that the clients show."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

NOTE: Final = "Made from openapi.json by clients/generate; do not edit."
VERBS: Final = {"get": "GET", "post": "POST", "patch": "PATCH", "put": "PUT", "delete": "DELETE"}

Schema = dict[str, Any]


@dataclass(frozen=True)
class Operation:
    """One operation of the API, as both clients show it."""

    resource: str  # accounts
    name: str  # search
    summary: str
    method: str
    path: str
    path_names: tuple[str, ...]
    query: tuple[tuple[str, Schema, bool, str], ...]  # name, schema, required, description
    body: Schema | None
    body_required: bool
    answer: Schema | None  # None: bytes, as a stream
    item: Schema | None  # of a paged list
    items: str  # where a page has them
    keyed: bool  # takes an idempotency key


def operations(document: Schema) -> list[Operation]:
    """Every operation; one that can be priced first stands there once more, as `…_dry_run`."""
    found: list[Operation] = []
    rows = [
        (path, method, row)
        for path, methods in document["paths"].items()
        for method, row in methods.items()
        if method in VERBS
    ]
    taken: set[tuple[str, str]] = set()
    for path, method, row in rows:
        resource = path.split("/")[1].replace("-", "_")
        name = _short(row["operationId"], resource)
        if (resource, name) in taken:
            name = row["operationId"]
        taken.add((resource, name))
        found.extend(_operations(document, resource, name, VERBS[method], path, row))
    return sorted(found, key=lambda each: (each.resource, each.name))


def _operations(
    document: Schema, resource: str, name: str, method: str, path: str, row: Schema
) -> Iterator[Operation]:
    parameters = [_resolved(document, each) for each in row["parameters"]]
    query = [
        (each["name"], each["schema"], each["required"], each.get("description", ""))
        for each in parameters
        if each["in"] == "query"
    ]
    content = row.get("requestBody", {}).get("content", {})
    body = content["application/json"]["schema"] if content else None
    fields = _resolved(document, body) if body else {}
    answers = _answers(row)
    priced = {"$ref": "#/components/schemas/DryRun"}
    plain = [each for each in answers or () if each != priced]
    answer = None if answers is None else {"anyOf": plain} if len(plain) > 1 else plain[0]
    paged = "cursor" in {each[0] for each in query} | set(fields.get("properties", {}))
    items, item = _items(document, answer) if paged else ("", None)
    takes_key = any(each["name"] == "Idempotency-Key" for each in parameters)
    common = {
        "resource": resource,
        "method": method,
        "path": path,
        "path_names": tuple(each["name"] for each in parameters if each["in"] == "path"),
        "body": body,
        "body_required": bool(fields.get("required")),
    }
    left_out = {"cursor", "page"} if item else set()
    if answers and priced in answers:
        left_out.add("dry_run")
        without_pages = tuple(e for e in query if e[0] not in {"dry_run", "cursor", "page"})
        yield Operation(
            name=f"{name}_dry_run",
            summary=f"What this would cost, without doing it: {row['summary']}",
            query=(*without_pages, ("dry_run", {"const": True}, True, "")),
            answer=priced, item=None, items="", keyed=False, **common,
        )  # fmt: skip
    yield Operation(
        name=name,
        summary=row["summary"],
        query=tuple(each for each in query if each[0] not in left_out),
        answer=answer,
        item=item,
        items=items,
        keyed=takes_key and item is None,  # a page that is asked for again changes nothing
        **common,
    )


def _short(operation_id: str, resource: str) -> str:
    """The name of a method: what its resource says already is left out.

    `search_accounts` of accounts -> `search`; `delete_accounts` -> `delete_many`;
    `list_company_contacts` of companies -> `list_contacts`.
    """
    verb, _, rest = operation_id.partition("_")
    if rest == resource and resource.endswith("s") and verb not in {"list", "search", "export"}:
        return f"{verb}_many"
    words = f"_{rest}_"
    for noun in (resource, _singular(resource)):
        words = words.replace(f"_{noun}_", "_", 1)
    return f"{verb}{words}".strip("_")


def _singular(noun: str) -> str:
    for ending, singular in (("ies", "y"), ("ches", "ch"), ("s", "")):
        if noun.endswith(ending):
            return noun.removesuffix(ending) + singular
    return noun


def _answers(row: Schema) -> list[Schema] | None:
    """The JSON answers of an operation; None where it answers a file."""
    found: list[Schema] = []
    for status, answer in row["responses"].items():
        content = answer.get("content", {})
        if not status.startswith("2"):
            continue
        if "application/json" not in content:
            return None
        schema = content["application/json"]["schema"]
        found.extend(each for each in schema.get("anyOf", [schema]) if each not in found)
    return found


def _items(document: Schema, answer: Schema | None) -> tuple[str, Schema | None]:
    """The list of a page: its name and the type of its items; nothing where the answer is no page."""
    fields = _resolved(document, answer or {}).get("properties", {})
    if "pagination" in fields:
        for name in ("items", "data", "contacts"):
            if fields.get(name, {}).get("type") == "array":
                return name, fields[name]["items"]
    return "", None


def _resolved(document: Schema, schema: Schema) -> Schema:
    while "$ref" in schema:
        found: Schema = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema


def camel(name: str) -> str:
    """`agent_sessions` -> `AgentSessions`."""
    return "".join(part.title() for part in name.split("_"))


def version(document: Schema) -> str:
    return str(document["info"]["x-product-version"])
