"""The API reference as one self-contained HTML page."""

import json
import re
import shlex
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from sightline.api.endpoints import ALIAS_PATH, BASE_PATH
from sightline.api.errors import RETRYABLE, STATUSES
from sightline.api.openapi import API_VERSION, openapi_document
from sightline.api.paging import DEFAULT_PER_PAGE, MOST_PER_PAGE
from sightline.domain.credits import CREDITS, DEFAULT_PRICES
from sightline.domain.errors import REFUSALS
from sightline.domain.plans import RATE_LIMITS, WINDOW_SECONDS
from sightline.domain.scopes import SCOPES

TEMPLATES = Path(__file__).parent / "templates"
# A list of objects inside a list of objects is shown; what lies deeper is in /openapi.json.
DEEPEST_FIELD = 4
LIMITS = {
    ("minimum", "maximum"): "",
    ("minLength", "maxLength"): " characters",
    ("minItems", "maxItems"): " items",
}


@dataclass(frozen=True)
class FieldRow:
    """One parameter or field; the fields of an object inside have a dotted name."""

    name: str
    kind: str
    required: bool
    description: str
    limits: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class ErrorRow:
    status: int
    code: str
    meaning: str


@dataclass(frozen=True)
class Operation:
    """One operation as the page shows it."""

    name: str
    method: str
    path: str
    summary: str
    description: str
    maturity: str
    scopes: tuple[str, ...]
    needs_key: bool
    parameters: dict[str, list[FieldRow]]  # path, query, header -> rows
    body: list[FieldRow] | None
    body_required: bool
    status: int
    answer: list[FieldRow]
    headers: list[tuple[str, str]]
    sample: str
    curl: str
    errors: list[ErrorRow]


@lru_cache(maxsize=1)
def render_docs(version: str) -> bytes:
    """The page in UTF-8, made from the same table as /openapi.json."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["prose"] = prose
    document = openapi_document(version)
    operations = [
        (tag["name"], tag["description"], list(_operations(document, tag["name"])))
        for tag in document["tags"]
    ]
    page = environment.get_template("docs.html").render(
        version=version,
        api_version=API_VERSION,
        base_path=BASE_PATH,
        alias_path=ALIAS_PATH,
        tags=operations,
        scopes=SCOPES,
        rate_limits=RATE_LIMITS,
        window_seconds=WINDOW_SECONDS,
        per_page=DEFAULT_PER_PAGE,
        most_per_page=MOST_PER_PAGE,
        credits=CREDITS,
        prices=DEFAULT_PRICES,
        errors=[
            (kind.code, STATUSES[kind.type], kind.type, kind().message, kind.type in RETRYABLE)
            for kind in REFUSALS
        ],
        structured=_pretty(document, "rate_limit_exceeded"),
        flat=_pretty(document, "rate_limit_exceeded.flat"),
    )
    return f"{page.rstrip()}\n".encode()


def prose(text: str) -> Markup:
    """Text as HTML: what stands between backticks becomes code, all else is escaped."""
    parts = re.split(r"`([^`]+)`", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part)
        for number, part in enumerate(parts)
    )


def field_rows(
    schema: dict[str, Any], components: dict[str, Any], *, prefix: str = "", depth: int = 0
) -> list[FieldRow]:
    """The fields of an object schema, and those of the objects in it, in their order."""
    schema = _resolved(schema, components)
    rows: list[FieldRow] = []
    for name, field in schema.get("properties", {}).items():
        full = f"{prefix}{name}"
        rows.append(_row(full, field, components, required=name in schema.get("required", [])))
        inner, mark = _inner(field, components)
        if inner is not None and depth + 1 < DEEPEST_FIELD:
            rows += field_rows(inner, components, prefix=f"{full}{mark}.", depth=depth + 1)
    return rows


def _operations(document: dict[str, Any], tag: str) -> list[Operation]:
    return [
        _operation(document, path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if operation["tags"] == [tag]
    ]


def _operation(
    document: dict[str, Any], path: str, method: str, operation: dict[str, Any]
) -> Operation:
    components = document["components"]
    schemas = components["schemas"]
    parameters: dict[str, list[FieldRow]] = {}
    for parameter in operation["parameters"]:
        shown = _target(parameter, components)
        field = {"description": shown.get("description", ""), **shown["schema"]}
        row = _row(shown["name"], field, schemas, required=shown.get("required", False))
        parameters.setdefault(shown["in"], []).append(row)
    body = operation.get("requestBody")
    content = body["content"]["application/json"] if body else None
    status, success = next(iter(operation["responses"].items()))
    answer = next(iter(success["content"].values()))  # of a stream its first type
    return Operation(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"].removeprefix("[Beta] "),
        description=operation.get("description", ""),
        maturity=operation["x-maturity"],
        scopes=tuple(operation.get("x-required-scopes", ())),
        needs_key=bool(operation["security"]),
        parameters=parameters,
        body=field_rows(content["schema"], schemas) if content else None,
        body_required=bool(body and body["required"]),
        status=int(status),
        answer=field_rows(answer["schema"], schemas),
        headers=[
            (name, _target(header, components)["description"])
            for name, header in success["headers"].items()
        ],
        sample=_json(answer["example"]),
        curl=_curl(path, method.upper(), operation, content),
        errors=list(_error_rows(operation, components)),
    )


def _error_rows(operation: dict[str, Any], components: dict[str, Any]) -> list[ErrorRow]:
    meanings = {kind.code: kind().message for kind in REFUSALS}
    rows = []
    for status, response in operation["responses"].items():
        content = _target(response, components)["content"].get("application/json", {})
        for code in content.get("examples", {}):
            if code in meanings:
                rows.append(ErrorRow(int(status), code, meanings[code]))
    return rows


def _curl(path: str, method: str, operation: dict[str, Any], content: dict[str, Any] | None) -> str:
    for parameter in operation["parameters"]:
        if parameter.get("in") == "path":
            path = path.replace(f"{{{parameter['name']}}}", str(parameter["example"]))
    verb = "" if method == "GET" else f"-X {method} "
    lines = [f'curl {verb}"$SIGHTLINE{path}"']
    if operation["security"]:
        lines.append('-H "x-api-key: $KEY"')
    if content is not None:
        lines.append('-H "content-type: application/json"')
        lines.append("-d " + shlex.quote(_json(content["example"])))
    return " \\\n  ".join(lines)


def _row(name: str, field: dict[str, Any], schemas: dict[str, Any], *, required: bool) -> FieldRow:
    resolved = _resolved(field, schemas)
    limits = [
        text
        for (least, most), unit in LIMITS.items()
        if (text := _range(_find(field, least), _find(field, most), unit))
    ]
    if field.get("default") is not None:
        limits.append(f"default `{_plain(field['default'])}`")
    return FieldRow(
        name=name,
        kind=_kind(field, schemas),
        required=required,
        description=field.get("description") or resolved.get("description", ""),
        limits=", ".join(limits),
        values=tuple(_plain(value) for value in _words(field, schemas)),
    )


def _range(least: int | None, most: int | None, unit: str) -> str:
    if least is not None and most is not None:
        return f"{least:,} to {most:,}{unit}"
    if least is not None:
        return f"at least {least:,}{unit}"
    return "" if most is None else f"at most {most:,}{unit}"


def _kind(field: dict[str, Any], schemas: dict[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(_kind(kind, schemas) for kind in field["anyOf"])
    field = _resolved(field, schemas)
    kind = str(field.get("type", "any"))
    if kind == "array":
        return f"array of {_kind(field.get('items', {}), schemas)}"
    if kind == "object" and isinstance(field.get("additionalProperties"), dict):
        return f"object of {_kind(field['additionalProperties'], schemas)}"
    return f"{kind} ({field['format']})" if "format" in field else kind


def _find(field: dict[str, Any], key: str) -> Any:
    """A keyword of the field, of its non-null kind, or of its items."""
    for kind in (field, *field.get("anyOf", ())):
        if key in kind:
            return kind[key]
    return None


def _words(field: dict[str, Any], schemas: dict[str, Any]) -> list[Any]:
    """The values that a field, its non-null kind, or its items may have; none where any may be."""
    for kind in (field, *field.get("anyOf", ())):
        resolved = _resolved(kind, schemas)
        for each in (resolved, _resolved(resolved.get("items", {}), schemas)):
            if "enum" in each:
                found: list[Any] = each["enum"]
                return found
    return []


def _inner(field: dict[str, Any], schemas: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """The object inside a field, and how its fields' names are joined to the field's."""
    for kind in (field, *field.get("anyOf", ())):
        resolved = _resolved(kind, schemas)
        if "properties" in resolved:
            return resolved, ""
        for key, mark in (("items", "[]"), ("additionalProperties", ".*")):
            inside = resolved.get(key)
            if isinstance(inside, dict):
                found, further = _inner(inside, schemas)
                if found is not None:
                    return found, mark + further
    return None, ""


def _resolved(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    found: dict[str, Any] = schemas[reference.rpartition("/")[2]] if reference else schema
    return found


def _target(part: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    """A parameter, header or response, looked up when it is a reference."""
    if "$ref" not in part:
        return part
    _, _, group, name = part["$ref"].split("/")
    found: dict[str, Any] = components[group][name]
    return found


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _pretty(document: dict[str, Any], example: str) -> str:
    return _json(document["components"]["examples"][example]["value"])
