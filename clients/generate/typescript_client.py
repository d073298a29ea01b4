"""The generated part of the TypeScript client."""

import json

from api_description import NOTE, Operation, Schema, camel, operations, version


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
        parts.append(f"\nexport interface {camel(resource)}{extends} {{\n")
        parts.extend(_signature(each) for each in found if each.resource == resource)
        parts.append("}\n")
    parts.append("\nexport interface Resources {\n")
    parts.extend(f"  readonly {camel_small(name)}: {camel(name)};\n" for name in resources)
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
    parts = [f"// {NOTE}\n\nexport const VERSION = {json.dumps(version(document))};\n"]
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
