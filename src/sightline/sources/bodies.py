"""Web bodies as text, JSON or XML, even if compressed, truncated, in the wrong charset or mislabeled.

Nothing here raises on bad input: what cannot be read gives an empty value and a note in words.
"""

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from sightline.sources.charsets import decode

MAX_UNPACKED = 64 * 1024 * 1024
"""Bytes a compressed body may grow to; what lies beyond is cut off and said so."""

_GZIP = b"\x1f\x8b"
_MOST_MEMBERS = 2000  # of a gzip body; each costs a copy of all that follow
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ANTI_HIJACK = re.compile(r"^\s*(?:\)\]\}'?,?|while\s*\(1\);|for\s*\(;;\);)\s*")
_CALLBACK = re.compile(r"^\s*[\w.$]{1,60}\(\s*(?=[{\[])")
# Pairs and other escapes are matched too, so that what is left over is half a character.
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\[^u]"
)
_LIST_START = re.compile(r'"(\w{1,40})"\s*:\s*\[')


@dataclass(frozen=True, slots=True)
class Read:
    """What a body holds. `whole` is False when any of it was cut off or could not be read."""

    value: Any
    whole: bool
    notes: tuple[str, ...] = ()


def unpacked(content: bytes) -> Read:
    """The bytes themselves, after gzip that the transport left in place (also twice)."""
    for _ in range(2):
        if not content.startswith(_GZIP):
            break
        members: list[bytes] = []
        room = MAX_UNPACKED
        while content.startswith(_GZIP):
            inflate = zlib.decompressobj(wbits=31)
            try:
                members.append(inflate.decompress(content, room))
            except zlib.error:
                note = "The body says gzip but cannot be unpacked."
                return Read(b"".join(members), False, (note,))
            room -= len(members[-1])
            if not inflate.eof or room <= 0 or len(members) >= _MOST_MEMBERS:
                note = "The compressed body is cut off or too large."
                return Read(b"".join(members), False, (note,))
            content = inflate.unused_data
        content = b"".join(members)
    return Read(content, True)


def read_text(content: bytes, charset: str | None = None) -> Read:
    """The text of a body, unpacked and decoded."""
    packed = unpacked(content)
    return Read(decode(packed.value, charset)[0], packed.whole, packed.notes)


def read_json(content: bytes, charset: str | None = None) -> Read:
    """The JSON of a body; of one that is cut off, the whole entries of its first list.

    `value` is None when it is no JSON at all. A guard prefix or a JSONP call around it is ignored.
    """
    text = read_text(content, charset)
    source = whole_characters(_ANTI_HIJACK.sub("", text.value, count=1).strip())
    if not source:
        return Read(None, False, (*text.notes, "The body is empty."))
    if call := _CALLBACK.match(source):
        source = source[call.end() :].rstrip("; \n").removesuffix(")")
    if source[0] not in '{["tfn-0123456789':
        kind = "a web page" if source[0] == "<" else "text"
        return Read(None, False, (*text.notes, f"The body is {kind}, not JSON."))
    try:
        return Read(json.loads(source, strict=False), text.whole, text.notes)
    except (ValueError, RecursionError):
        pass
    rescued = _rescued(source)
    if rescued is None:
        return Read(None, False, (*text.notes, "The JSON is broken."))
    return Read(rescued, False, (*text.notes, "The JSON is cut off or broken; part was read."))


def json_object(content: bytes, error: type[ValueError]) -> dict[str, Any]:
    """The object that an answer of a register is. Raises `error` for anything else."""
    try:
        data = json.loads(content)
    except ValueError as broken:
        raise error("The body is not JSON.") from broken
    if not isinstance(data, dict):
        raise error("The body is not a JSON object.")
    return data


def whole_characters(source: str) -> str:
    """JSON without escapes of half a character, which no text that is stored or printed may hold."""
    if "\\ud" not in source and "\\uD" not in source:
        return source
    return _ESCAPE.sub(lambda found: r"\ufffd" if len(found[0]) == 6 else found[0], source)


def read_xml(content: bytes, charset: str | None = None) -> Read:
    """The root element of an XML body, repaired where it is not well-formed; None when there is none.

    `whole` is True only for well-formed XML. Entities are not expanded and nothing is fetched.
    """
    text = read_text(content, charset)
    source = _NOT_IN_XML.sub("", text.value)
    source = _XML_DECLARATION.sub("", source[max(source.find("<"), 0) :], count=1).strip()
    if not source.startswith("<"):
        return Read(None, False, (*text.notes, "The body is empty or not XML."))
    data = source.encode("utf-8", errors="replace")
    try:
        root = etree.fromstring(data, _xml_parser(recover=False))
        return Read(root, text.whole, text.notes)
    except etree.XMLSyntaxError:
        root = etree.fromstring(data, _xml_parser(recover=True))
    notes = (*text.notes, "The XML is not well-formed; what could be read was.")
    return Read(root, False, notes)


def _xml_parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        recover=recover, resolve_entities=False, no_network=True, encoding="utf-8"
    )


def script_json(text: str, start: int) -> Any:
    """The JSON value that begins at or after a place in a script; None when there is none."""
    while start < len(text) and text[start] in " \t\r\n":
        start += 1
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return value


def _rescued(source: str) -> Any:
    """A list's complete entries from JSON that ends early, under the list's own name."""
    if source.startswith("["):
        entries = list(_entries(source, 1))
        return entries or None
    for found in _LIST_START.finditer(source[:200_000]):
        entries = list(_entries(source, found.end()))
        if entries and isinstance(entries[0], dict):
            return {found[1]: entries}
    return None


def _entries(source: str, at: int) -> Iterator[Any]:
    decoder = json.JSONDecoder(strict=False)
    while at < len(source):
        while at < len(source) and source[at] in " \t\r\n,":
            at += 1
        try:
            value, at = decoder.raw_decode(source, at)
        except (ValueError, RecursionError):
            return
        yield value
