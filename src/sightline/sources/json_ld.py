"""JSON-LD as it stands in real pages: comments, trailing commas, line breaks inside strings, HTML
entities, several values one after the other. What cannot be read is left out."""

import html
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from sightline.sources.bodies import whole_characters

MAX_CHARS = 2_000_000
_MAX_DEPTH = 60

_WRAPPERS = re.compile(
    r"^\s*(?:<!--(?=\s*[{\[])|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[|<!\[CDATA\[)|"
    r"(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>|\]\]>)\s*+(?:;\s*+)?$"
)
_ADDRESS_PARTS = re.compile(r"[/#:]")
# What is never closed reaches to the end: looking for its end again from each later opener would take
# the square of the length.
_STRING = r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)'
_STRING_OR_COMMENT = re.compile(
    rf"{_STRING}|/\*.*?(?:\*/|\Z)|//[^\n]*+|<!--.*?(?:-->|\Z)", re.DOTALL
)
_STRING_OR_COMMA = re.compile(rf"{_STRING}|,(?=\s*+[}}\]])", re.DOTALL)


def read_json_ld(source: str | None) -> list[Any]:
    """The top-level values of one script; a list is opened."""
    if not source or not source.strip() or len(source) > MAX_CHARS:
        return []
    values: list[Any] = []
    for value in _read(source):
        values.extend(value if isinstance(value, list) else [value])
    return [value for value in values if isinstance(value, dict)]


def _read(source: str) -> list[Any]:
    source = whole_characters(source)
    repairs: tuple[Callable[[str], str], ...] = (str, _repaired, _unescaped)
    for repair in repairs:
        text = repair(source)
        try:
            return [json.loads(text, strict=False)]
        except ValueError:
            found = _several(text)
            if found:
                return found
        except RecursionError:
            return []
    return []


def _unescaped(source: str) -> str:
    return _repaired(html.unescape(source))


def _repaired(source: str) -> str:
    text = _WRAPPERS.sub("", source.strip("\ufeff \t\r\n;")) if "{" in source[:200] else source
    text = _STRING_OR_COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else "", text)
    text = _WRAPPERS.sub("", text)
    text = _STRING_OR_COMMA.sub(lambda found: found[0] if found[0][0] == '"' else "", text)
    return text.strip().rstrip(";")


def _several(text: str) -> list[Any]:
    """Values written one after the other, or one with rubbish behind it."""
    decoder = json.JSONDecoder(strict=False)
    values: list[Any] = []
    at = 0
    while at < len(text) and len(values) < 100:
        while at < len(text) and text[at] in " \t\r\n,;":
            at += 1
        if at >= len(text) or text[at] not in "{[":
            break
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        values.append(value)
    return values


def nodes(values: list[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every typed object at the top or in a @graph, with its JSON pointer."""
    for index, value in enumerate(values):
        if not isinstance(value, dict):
            continue
        graph = value.get("@graph")
        if isinstance(graph, list):
            for place, node in enumerate(graph):
                if isinstance(node, dict):
                    yield f"/{index}/@graph/{place}", node
        elif isinstance(graph, dict):
            yield f"/{index}/@graph", graph
        if "@type" in value or not graph:
            yield f"/{index}", value


def inner_nodes(value: Any, *, depth: int = 0) -> Iterator[dict[str, Any]]:
    """Every object inside a value, the outermost first."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from inner_nodes(inner, depth=depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from inner_nodes(inner, depth=depth + 1)


def types_of(node: dict[str, Any]) -> set[str]:
    """The bare type names of a node: "Corporation" for any spelling of its address."""
    kinds = node.get("@type")
    names = kinds if isinstance(kinds, list) else [kinds]
    return {kind_name(name) for name in names if isinstance(name, str)}


def kind_name(kind: object) -> str:
    """The last part of a type's or value's address."""
    return _ADDRESS_PARTS.split(str(kind))[-1]


def text_of(value: Any) -> str | None:
    """A value as one line of text: the first of a list, the name of an object."""
    if isinstance(value, list):
        return next((text for text in map(text_of, value) if text), None)
    if isinstance(value, dict):
        return text_of(value.get("@value") or value.get("name"))
    if isinstance(value, str):
        text = " ".join(html.unescape(re.sub(r"<[^<>]{0,500}>", " ", value)).split())
        return text or None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return None


def texts_of(value: Any) -> list[str]:
    """All texts of a value that may be a list."""
    values = value if isinstance(value, list) else [value]
    return [text for text in map(text_of, values) if text]


def address_of(value: Any) -> str | None:
    """A web address: a string, or the url or @id of an object."""
    if isinstance(value, list):
        return next((found for found in map(address_of, value) if found), None)
    if isinstance(value, dict):
        return address_of(value.get("url") or value.get("contentUrl") or value.get("@id"))
    return value.strip() if isinstance(value, str) and value.strip() else None
