"""Turns the bytes of a response into a parsed page: character set, content type, tree.

What is not a page (PDF, JSON, a feed, an image under an HTML address) is refused with a sentence.
"""

import json
import re
from dataclasses import dataclass, field

from lxml import etree
from lxml.html import HtmlElement, HTMLParser

from sightline.domain.evidence import Body
from sightline.sources.charsets import decode


class NotAPage(Exception):
    """The answer is no HTML page; the message says what it is instead."""


@dataclass(frozen=True, slots=True)
class Opened:
    """`html` is the decoded source, `tree` its root element, without comments."""

    html: str
    tree: HtmlElement
    charset: str
    notes: tuple[str, ...] = field(default=())


MAX_BYTES = 8_000_000
"""What is read of a page, above the fetcher's own limit; the rest is left out and said so."""

_MAGIC = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"GIF8", "a GIF image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"RIFF", "a RIFF file"),
    (b"PK\x03\x04", "a ZIP archive or Office document"),
    (b"\xd0\xcf\x11\xe0", "an Office document"),
    (b"\x1f\x8b", "a gzip file"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"wOF", "a font"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"BZh", "a bzip2 file"),
    (b"\x00\x00\x00 ftyp", "a video"),
    (b"ID3", "a sound file"),
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_SPACE = b" \t\r\n\x0b\x0c\x00"
_MARKUP = re.compile(
    r"<(?:!doctype html|html|head|body|meta|title|div|p|a|h1|table|script)\b", re.I
)
_DOCUMENT = re.compile(r"<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^\s/>]*+")
_SCRIPT_END = re.compile(r"</script", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"[\s/]*+(?:=[^\s/>=]*+|[^\s/>=]++)"
    r"(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'>][^\s>]*+))?+"
)
# libxml2 compares every attribute of a tag with every other: 200,000 of them take a minute.
_MOST_ATTRIBUTES = 2000
_MOST_READINGS = 50  # of a page, on average, in search of tags: what a script holds looks like some
_XML_ROOT = re.compile(r"<(?!\?|!)([a-zA-Z][\w:.-]{0,40})")
_XML_ROOTS = {
    "rss": "a feed", "feed": "a feed", "rdf:rdf": "a feed", "urlset": "a sitemap",
    "sitemapindex": "a sitemap", "svg": "an SVG image", "error": "an XML document",
}  # fmt: skip


def open_page(body: Body) -> Opened:
    """Decode and parse; raises NotAPage for anything that is not HTML."""
    content = body.content[:MAX_BYTES]
    notes = []
    if len(body.content) > MAX_BYTES:
        notes.append(f"Only the first {MAX_BYTES // 1_000_000} MB were read.")
    _refuse_binary(content)
    html, charset, note = decode(content, body.charset)
    if note:
        notes.append(note)
    html, controls = _CONTROL.subn("", html)
    if controls > 20 and controls * 50 > len(html):
        raise NotAPage("Binary content, not a page.")
    _refuse_other_text(html)
    html, overfull = _without_overfull(html)
    if overfull:
        notes.append(f"The attributes of {overfull} overfull tags were left out.")
    return Opened(html, _parse(html), charset, tuple(notes))


def _refuse_binary(content: bytes) -> None:
    start = content[:1024].lstrip(_SPACE)
    if not start:
        if not content.strip(_SPACE):
            raise NotAPage("The answer is empty.")
        return
    for magic, name in _MAGIC:
        if content.startswith(magic):
            raise NotAPage(f"This is {name}, not a page.")
    if content[4:8] == b"ftyp":
        raise NotAPage("This is a video, not a page.")


def _refuse_other_text(html: str) -> None:
    head = html[:3000].lstrip("\ufeff \t\r\n")
    if not head and html.strip("\ufeff \t\r\n"):
        return
    if not head:
        raise NotAPage("The answer is empty.")
    if head[0] in "{[" and (not _DOCUMENT.search(head) or _is_json(html)):
        raise NotAPage("This is JSON or JavaScript, not a page.")
    if other := _other_xml(head, html):
        raise NotAPage(f"This is {other}, not a page.")
    if not _MARKUP.search(html[:200_000]):
        raise NotAPage("This is plain text without markup, not a page.")


def _other_xml(head: str, html: str) -> str | None:
    """What an XML document is that is not a page; None for a page."""
    root = _XML_ROOT.search(head)
    known = _XML_ROOTS.get(root[1].lower()) if root else None
    if known and not _DOCUMENT.search(head):
        return known
    is_xml = root is not None and head.startswith("<?xml")
    return "an XML document" if is_xml and not _DOCUMENT.search(html[:20_000]) else None


def _without_overfull(html: str) -> tuple[str, int]:
    """The page without the attributes of tags that have thousands, and how many those tags are.

    A tag is sought at every `<`, since one that stands in a script may hide where the next begins; and
    what only looks like one there ends with the script. Raises NotAPage where it would take too long.
    """
    parts, kept, overfull, work = [], 0, 0, 0
    at = furthest = 0
    seen: set[int] = (
        set()
    )  # where attributes begin that were few: a tag that leads there has few more
    while tag := _TAG.search(html, at):
        at = end = tag.end()
        if at > furthest:
            seen.clear()
        number = 0
        while end not in seen and (found := _ATTRIBUTE.match(html, end)):
            seen.add(end)
            end = found.end()
            number += 1
        work += end - at
        furthest = max(furthest, end)
        if number >= _MOST_ATTRIBUTES:
            script_end = _SCRIPT_END.search(html, at, end)
            parts.append(html[kept:at])
            kept = at = script_end.start() if script_end else end
            overfull += 1
            seen.clear()
        if work > _MOST_READINGS * len(html):
            raise NotAPage("Its tags have no end, so it is not read as a page.")
    return "".join([*parts, html[kept:]]), overfull


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _parse(html: str) -> HtmlElement:
    # huge_tree: libxml2 would otherwise stop at a depth of 256, which real page builders reach.
    parser = HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        tree = etree.fromstring(html.encode("utf-8", "replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise NotAPage(f"Not readable as HTML: {error}.") from None
    if tree is None or not isinstance(tree.tag, str):
        raise NotAPage("Nothing in it could be read as HTML.")
    return tree
