"""From the bytes of an answer to a parsed page: character set, kind of content, tree.

What is not a page (PDF, JSON, a feed, an image under an HTML address) is refused with a sentence.
"""

import codecs
import json
import re
from dataclasses import dataclass, field

from charset_normalizer import from_bytes
from lxml import etree
from lxml.html import HtmlElement, HTMLParser

from sightline.domain.evidence import Body


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

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
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
_META_CHARSET = re.compile(
    rb"<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}[\"']?\s{0,5}([\w.:-]{2,40})", re.IGNORECASE
)
_XML_CHARSET = re.compile(rb"^\s*<\?xml[^>]{0,100}encoding\s*=\s*[\"']([\w.:-]{2,40})")
# The standard reads these labels as the Windows code page that contains them.
_LABELS = {
    "iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "l1": "cp1252",
    "ascii": "cp1252", "us-ascii": "cp1252", "windows-1252": "cp1252",
    "iso-8859-9": "cp1254", "gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949", "shift_jis": "cp932", "shift-jis": "cp932", "x-sjis": "cp932",
    "tis-620": "cp874", "iso-8859-11": "cp874", "big5": "big5hkscs", "unicode": "utf-8",
    "utf8": "utf-8", "utf-16": "utf-16-le", "x-user-defined": "cp1252",
}  # fmt: skip
# Code pages that pages without a label are written in. Others would win by chance: the Cyrillic of the
# old Macintosh has the small letters of windows-1251 in the same places.
_CODE_PAGES = [
    "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874",
    "iso8859_2", "iso8859_5", "iso8859_6", "iso8859_7", "koi8_r", "koi8_u", "cp866", "gb18030",
    "big5hkscs", "cp932", "euc_jp", "cp949",
]  # fmt: skip
_LANGUAGE = re.compile(rb"<html[^>]{0,300}?\blang\s*=\s*[\"']?([a-z]{2})\b", re.IGNORECASE)
# What browsers take for these languages when nothing else is said.
_LANGUAGE_PAGES = {
    "cs": "cp1250", "hr": "cp1250", "hu": "cp1250", "pl": "cp1250", "ro": "cp1250", "sk": "cp1250",
    "sl": "cp1250", "bg": "cp1251", "mk": "cp1251", "sr": "cp1251", "el": "cp1253", "tr": "cp1254",
    "he": "cp1255", "ar": "cp1256", "fa": "cp1256", "et": "cp1257", "lt": "cp1257", "lv": "cp1257",
    "vi": "cp1258", "th": "cp874",
}  # fmt: skip
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


def decode(content: bytes, declared: str | None) -> tuple[str, str, str | None]:
    """Text, character set and, when the label was wrong, a sentence about it.

    The order is the standard's: byte order mark, header, declaration in the page. Bytes that are
    valid UTF-8 are read as such whatever the labels say, since no other text looks like it.
    """
    for mark, name in _BOMS:
        if content.startswith(mark):
            return content[len(mark) :].decode(name, "replace"), name, None
    wide = _utf16_without_mark(content)
    if wide:
        return content.decode(wide, "replace"), wide, None
    labels = [label for label in (_known(declared), _declared_inside(content)) if label]
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_other(content, labels)
    wrong = bool(labels) and labels[0] not in {"utf-8", "cp1252"} and not text.isascii()
    if text.isascii() and labels and labels[0].startswith("iso2022"):
        return content.decode(labels[0], "replace"), labels[0], None
    note = f"Declared as {labels[0]}, but is UTF-8." if wrong else None
    return text, "utf-8", note


def _decode_other(content: bytes, labels: list[str]) -> tuple[str, str, str | None]:
    """Decode bytes that are no clean UTF-8."""
    lossy = content.decode("utf-8", "replace")
    bad = lossy.count("\ufffd")
    good = sum(1 for char in lossy if char > "\x7f") - bad
    if ("utf-8" in labels[:1] or not labels) and bad * 20 <= good + 20 and (good or bad <= 2):
        return lossy, "utf-8", f"{bad} broken characters."
    for label in labels:
        if label != "utf-8" and not label.startswith("utf-16"):
            try:
                return content.decode(label), label, None
            except (UnicodeDecodeError, LookupError):
                continue
    for label in labels:
        if label not in {"utf-8", "cp1252"} and not label.startswith("utf-16"):
            text = content.decode(label, "replace")
            if text.count("\ufffd") * 100 < sum(1 for char in text if char > "\x7f"):
                return text, label, f"Some bytes are no {label}."
    guess = _guess(content)
    note = f"Declared as {labels[0]}, read as {guess}." if labels else f"Read as {guess}."
    return content.decode(guess, "replace"), guess, note


def _guess(content: bytes) -> str:
    """A code page by the page's language, else by its bytes that are not ASCII; Western when unsure."""
    language = _LANGUAGE.search(content[:4096])
    usual = _LANGUAGE_PAGES.get(language[1].decode().lower()) if language else None
    if usual and "\ufffd" not in content[:400_000].decode(usual, "replace"):
        return usual
    pieces = re.findall(rb"[^\x00-\x7f<>]{1,2000}[\x20-\x3b\x3f-\x7e]{0,40}", content[:400_000])
    sample = b" ".join(pieces)[:12_000]
    high = sum(1 for byte in sample if byte > 0x7F)
    # Western text has single accents between ASCII letters; other scripts are mostly high bytes.
    if high * 3 < len(sample):
        return "cp1252"
    best = from_bytes(sample, cp_isolation=_CODE_PAGES, enable_fallback=False).best()
    return best.encoding if best else "cp1252"


def _utf16_without_mark(content: bytes) -> str | None:
    head = content[:400]
    if len(head) < 20 or head.count(0) * 3 < len(head):
        return None
    odd, even = head[1::2].count(0), head[::2].count(0)
    if odd > 4 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 4 * odd else None


def _declared_inside(content: bytes) -> str | None:
    head = content[:4096]
    found = _META_CHARSET.search(head) or _XML_CHARSET.search(head)
    label = _known(found[1].decode("ascii", "replace")) if found else None
    # A declaration that could be read as ASCII cannot be UTF-16.
    return "utf-8" if label and label.startswith(("utf-16", "utf-32")) else label


def _known(label: str | None) -> str | None:
    """Python's name of a label, or None for one that nobody knows."""
    if not label:
        return None
    name = label.strip(" \"';").lower()
    name = _LABELS.get(name, name)
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    return found.name if found._is_text_encoding else None


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
    if not head:
        if html.strip("\ufeff \t\r\n"):
            return
        raise NotAPage("The answer is empty.")
    if head[0] in "{[" and (not _DOCUMENT.search(head) or _is_json(html)):
        raise NotAPage("This is JSON or JavaScript, not a page.")
    root = _XML_ROOT.search(head)
    if root and root[1].lower() in _XML_ROOTS and not _DOCUMENT.search(head):
        raise NotAPage(f"This is {_XML_ROOTS[root[1].lower()]}, not a page.")
    if head.startswith("<?xml") and root and not _DOCUMENT.search(html[:20_000]):
        raise NotAPage("This is an XML document, not a page.")
    if not _MARKUP.search(html[:200_000]):
        raise NotAPage("This is plain text without markup, not a page.")


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
