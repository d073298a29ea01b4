"""Writes the generated parts of both clients from `openapi.json`.

`make docs` runs it; by hand: python clients/generate.py. It needs the standard library alone.
"""

import json
import keyword
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

NOTE: Final = "Made from openapi.json by clients/generate.py; do not edit."
PYTHON: Final = Path("clients/python/src/sightline_client/generated")
TYPESCRIPT: Final = Path("clients/typescript/generated")
WIDTH: Final = 96
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


# ---- reading openapi.json --------------------------------------------------------------------


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


# ---- Python ----------------------------------------------------------------------------------


def python_type(schema: Schema, prefix: str = "") -> str:
    """The annotation of a schema; `prefix` is put before the names of schemas."""
    if "$ref" in schema:
        return prefix + str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(each) for each in schema['enum'])}]"
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(python_type(each, prefix) for each in schema["anyOf"]))
    match schema.get("type"):
        case "array":
            return f"list[{python_type(schema.get('items', {}), prefix)}]"
        case "object":
            inside = schema.get("additionalProperties")
            return (
                f"dict[str, {python_type(inside, prefix) if isinstance(inside, dict) else 'Any'}]"
            )
        case None:
            return "Any"
        case kind:
            names = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
            return {**names, "null": "None"}[kind]


def python_types(document: Schema) -> str:
    """Every schema as a TypedDict or an alias."""
    schemas: dict[str, Schema] = document["components"]["schemas"]
    aliases = [
        f"{name}: TypeAlias = {python_type(schema)}\n"
        for name, schema in schemas.items()
        if "properties" not in schema
    ]
    records = [_record(name, schema) for name, schema in schemas.items() if "properties" in schema]
    return (
        f'"""{NOTE}"""\n\nfrom __future__ import annotations\n\n'
        "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n\n"
        + "".join(aliases)
        + "".join(records)
    )


def _record(name: str, schema: Schema) -> str:
    required = set(schema.get("required", ()))
    types = {
        field: python_type(inner) if field in required else f"NotRequired[{python_type(inner)}]"
        for field, inner in schema["properties"].items()
    }
    if any(keyword.iskeyword(field) or not field.isidentifier() for field in types):
        fields = "".join(f"    {field!r}: {kind!r},\n" for field, kind in types.items())
        return f"\n\n{name} = TypedDict({name!r}, {{\n{fields}}})\n"
    lines = [f"\n\nclass {name}(TypedDict):\n{_docstring(schema.get('description'), 4)}"]
    for field, inner in schema["properties"].items():
        lines.append(f"    {field}: {types[field]}\n{_docstring(inner.get('description'), 4)}")
    return "".join(lines) if types else f"{lines[0]}    pass\n"


def _docstring(text: str | None, indent: int) -> str:
    if not text:
        return ""
    return textwrap.indent('"""' + _wrapped(text, WIDTH - indent) + '"""\n', " " * indent)


def _wrapped(text: str, width: int) -> str:
    return "\n".join(textwrap.wrap(" ".join(text.split()), width, break_long_words=False))


def python_resources(document: Schema, *, is_async: bool) -> str:
    """One class a resource, and the class that has them all."""
    head = "Async" if is_async else ""
    parts = [
        f'"""{NOTE}"""\n\nfrom __future__ import annotations\n\n'
        f"from collections.abc import {head}Iterator\nfrom datetime import datetime\n"
        "\n"
        f"from sightline_client.generated import types as t\n"
        f"from sightline_client.pages import {head}Pages\n"
        f"from sightline_client.transport import {head}Transport\n"
    ]
    found = operations(document)
    resources = list(dict.fromkeys(each.resource for each in found))
    for resource in resources:
        parts.append(
            f"\n\nclass {head}{_camel(resource)}:\n"
            f"    def __init__(self, transport: {head}Transport) -> None:\n"
            "        self._transport = transport\n"
        )
        parts.extend(
            _method(each, is_async=is_async) for each in found if each.resource == resource
        )
    return "".join(parts)


def _method(each: Operation, *, is_async: bool) -> str:
    head = "Async" if is_async else ""
    constants = {name: inner["const"] for name, inner, *_ in each.query if "const" in inner}
    query = [row for row in each.query if row[0] not in constants]
    arguments = ["self", *(f"{name}: str" for name in each.path_names)]
    if each.body is not None:
        body = python_type(each.body, "t.")
        arguments.append(f"body: {body}" if each.body_required else f"body: {body} | None = None")
    named = [_argument(*row) for row in query] + (
        ["idempotency_key: str | None = None"] if each.keyed else []
    )
    arguments += ["*", *named] if named else []
    pairs = [f"{name}={name}" for name, *_ in query]
    pairs += [f"{name}={value!r}" for name, value in constants.items()]
    path = each.path.replace("{", "{self._transport.quote(").replace("}", ")}")
    given = [f'"{each.method}"', f'{"f" if each.path_names else ""}"{path}"']
    given += [_call("query=dict", pairs, "")] if pairs else []
    given += ["body=body"] if each.body is not None else []
    given += ["idempotency_key=idempotency_key"] if each.keyed else []
    if each.item is not None and each.answer is not None:
        kind = f"{head}Pages[{python_type(each.item, 't.')}, {python_type(each.answer, 't.')}]"
        start, call = "def", f"{head}Pages"
        given = ["self._transport", f'"{each.items}"', *given]
    elif each.answer is None:
        kind, start, call = f"{head}Iterator[bytes]", "def", "self._transport.stream"
    else:
        kind, start = python_type(each.answer, "t."), "async def" if is_async else "def"
        call = "self._transport.write" if each.keyed else "self._transport.call"
        call = f"await {call}" if is_async else call
    told = "\n".join(_wrapped(f"{name}: {text}", WIDTH - 8) for name, _, _, text in query if text)
    summary = _wrapped(each.summary, WIDTH - 12)
    lines = [
        _call(f"{start} {each.name}", arguments, f" -> {kind}:"),
        textwrap.indent(f'"""{summary}' + (f'\n\n{told}\n"""' if told else '"""'), "    "),
        textwrap.indent(_call(f"return {call}", given, ""), "    "),
    ]
    return "\n" + textwrap.indent("\n".join(lines), "    ") + "\n"


def _call(head: str, arguments: list[str], end: str) -> str:
    """A call or signature on one line, or with one argument a line."""
    short = f"{head}({', '.join(arguments)}){end}"
    if len(short) <= WIDTH - 4:
        return short
    listed = "".join(textwrap.indent(f"{each},\n", "    ") for each in arguments)
    return f"{head}(\n{listed}){end}"


def _argument(name: str, schema: Schema, required: bool, _: str) -> str:
    kind = python_type(schema, "t.")
    if schema.get("format") == "date-time":
        kind = "datetime | str"
    return f"{name}: {kind}" if required else f"{name}: {kind} | None = None"


def _camel(name: str) -> str:
    return "".join(part.title() for part in name.split("_"))


def python_clients(document: Schema) -> str:
    """The resources as attributes, for the two clients to inherit."""
    resources = list(dict.fromkeys(each.resource for each in operations(document)))
    parts = [
        f'"""{NOTE}"""\n\nfrom sightline_client import waiting\n'
        "from sightline_client.generated import async_resources, resources\n"
        "from sightline_client.transport import AsyncTransport, Transport\n"
    ]
    for head, module in (("", "resources"), ("Async", "async_resources")):
        lines = [
            f"        self.{name} = {'waiting' if name == 'operations' else module}"
            f".{head}{_camel(name)}(transport)\n"
            for name in resources
        ]
        parts.append(
            f"\n\nclass {head}Resources:\n"
            f"    def __init__(self, transport: {head}Transport) -> None:\n{''.join(lines)}"
        )
    return "".join(parts)


# ---- TypeScript ------------------------------------------------------------------------------


def typescript_type(schema: Schema, prefix: str = "") -> str:
    """The type of a schema."""
    if "$ref" in schema:
        return prefix + str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(typescript_type(each, prefix) for each in schema["anyOf"]))
    match schema.get("type"):
        case "array":
            return f"Array<{typescript_type(schema.get('items', {}), prefix)}>"
        case "object":
            inside = schema.get("additionalProperties")
            value = typescript_type(inside, prefix) if isinstance(inside, dict) else "unknown"
            return f"Record<string, {value}>"
        case None:
            return "unknown"
        case kind:
            return {"integer": "number"}.get(kind, kind)


def typescript_types(document: Schema) -> str:
    """Every schema as an interface or an alias."""
    parts = [f"// {NOTE}\n"]
    for name, schema in document["components"]["schemas"].items():
        if "properties" not in schema:
            parts.append(f"\nexport type {name} = {typescript_type(schema)};\n")
            continue
        required = set(schema.get("required", ()))
        fields = [
            f"{_comment(inner.get('description'), '  ')}"
            f"  {field if field.isidentifier() else json.dumps(field)}"
            f"{'' if field in required else '?'}: {typescript_type(inner)};\n"
            for field, inner in schema["properties"].items()
        ]
        parts.append(f"\n{_comment(schema.get('description'), '')}export interface {name} {{\n")
        parts.extend([*fields, "}\n"])
    return "".join(parts)


def typescript_resources(document: Schema) -> str:
    """The methods of each resource, as types."""
    parts = [
        f'// {NOTE}\n\nimport type * as t from "./types.js";\n'
        'import type { Options, Pages, Waiting } from "../client.js";\n'
    ]
    found = operations(document)
    resources = list(dict.fromkeys(each.resource for each in found))
    for resource in resources:
        extends = " extends Waiting" if resource == "operations" else ""
        parts.append(f"\nexport interface {_camel(resource)}{extends} {{\n")
        parts.extend(_signature(each) for each in found if each.resource == resource)
        parts.append("}\n")
    parts.append("\nexport interface Resources {\n")
    parts.extend(f"  readonly {camel_small(name)}: {_camel(name)};\n" for name in resources)
    return "".join([*parts, "}\n"])


def _signature(each: Operation) -> str:
    query = [row for row in each.query if "const" not in row[1]]
    arguments = [f"{camel_small(name)}: string" for name in each.path_names]
    if each.body is not None:
        mark = "" if each.body_required else "?"
        arguments.append(f"body{mark}: {typescript_type(each.body, 't.')}")
    if query:
        fields = "; ".join(
            f"{name}{'' if needed else '?'}: {typescript_type(inner, 't.')}"
            for name, inner, needed, _ in query
        )
        mark = "" if any(row[2] for row in query) else "?"
        arguments.append(f"query{mark}: {{ {fields} }}")
    arguments.append("options?: Options")
    if each.item is not None and each.answer is not None:
        kind = f"Pages<{typescript_type(each.item, 't.')}, {typescript_type(each.answer, 't.')}>"
    elif each.answer is None:
        kind = "Promise<ReadableStream<Uint8Array>>"
    else:
        kind = f"Promise<{typescript_type(each.answer, 't.')}>"
    told = "".join(f"\n{name}: {text}" for name, _, _, text in query if text)
    return (
        f"{_comment(each.summary + told, '  ')}"
        f"  {camel_small(each.name)}({', '.join(arguments)}): {kind};\n"
    )


def javascript_operations(document: Schema) -> str:
    """What the client needs to know of each operation to send it."""
    parts = [f"// {NOTE}\n\nexport const VERSION = {json.dumps(_version(document))};\n"]
    parts.append("\nexport const OPERATIONS = {\n")
    found = operations(document)
    for resource in dict.fromkeys(each.resource for each in found):
        parts.append(f"  {camel_small(resource)}: {{\n")
        for each in found:
            if each.resource == resource:
                constants = {row[0]: row[1]["const"] for row in each.query if "const" in row[1]}
                facts = {
                    "method": each.method,
                    "path": each.path,
                    "hasBody": each.body is not None,
                    "hasQuery": any("const" not in row[1] for row in each.query),
                    "constants": constants,
                    "items": each.items,
                    "isStream": each.answer is None,
                    "isKeyed": each.keyed,
                }
                given = {name: value for name, value in facts.items() if value}
                parts.append(f"    {camel_small(each.name)}: {json.dumps(given)},\n")
        parts.append("  },\n")
    return "".join([*parts, "};\n"])


def camel_small(name: str) -> str:
    """`list_facts` -> `listFacts`."""
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)


def _comment(text: str | None, indent: str) -> str:
    if not text:
        return ""
    lines = [" ".join(line.split()).replace("*/", "* /") for line in text.split("\n")]
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    inner = "".join(f"{indent} * {line}\n" for line in lines)
    return f"{indent}/**\n{inner}{indent} */\n"


# ---- files -----------------------------------------------------------------------------------


def _version(document: Schema) -> str:
    return str(document["info"]["x-product-version"])


def files(document: Schema) -> dict[str, bytes]:
    """Every generated file by its path below the root of the tree."""
    package = {
        "name": "sightline-client",
        "version": _version(document),
        "description": "Client of the Sightline API",
        "license": "Apache-2.0",
        "type": "module",
        "engines": {"node": ">=20"},
        "exports": {
            ".": {"types": "./client.d.ts", "default": "./client.js"},
            "./webhooks": {"types": "./webhooks.d.ts", "default": "./webhooks.js"},
        },
        "files": ["*.js", "*.d.ts", "generated", "README.md"],
    }
    found = {
        PYTHON / "version.py": f'"""{NOTE}"""\n\n__version__ = "{_version(document)}"\n',
        PYTHON / "types.py": python_types(document),
        PYTHON / "resources.py": python_resources(document, is_async=False),
        PYTHON / "async_resources.py": python_resources(document, is_async=True),
        PYTHON / "attached.py": python_clients(document),
        TYPESCRIPT / "types.d.ts": typescript_types(document),
        TYPESCRIPT / "resources.d.ts": typescript_resources(document),
        TYPESCRIPT / "operations.js": javascript_operations(document),
        TYPESCRIPT.parent / "package.json": json.dumps(package, indent=2) + "\n",
    }
    return {path.as_posix(): text.encode() for path, text in found.items()}


def main() -> None:
    """Write all files of the tree that this script stands in."""
    root = Path(__file__).resolve().parent.parent
    for name, content in files(json.loads((root / "openapi.json").read_text("utf-8"))).items():
        (root / name).write_bytes(content)


if __name__ == "__main__":
    main()
