"""The generated part of the Python client."""

import json
import keyword
import textwrap
from typing import Final

from api_description import NOTE, Operation, Schema, camel, operations

WIDTH: Final = 96


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
            f"\n\nclass {head}{camel(resource)}:\n"
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
            f".{head}{camel(name)}(transport)\n"
            for name in resources
        ]
        parts.append(
            f"\n\nclass {head}Resources:\n"
            f"    def __init__(self, transport: {head}Transport) -> None:\n{''.join(lines)}"
        )
    return "".join(parts)
