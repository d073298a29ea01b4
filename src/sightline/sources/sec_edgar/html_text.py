"""HTML filings (inline XBRL too) to lines, in one pass over the parser's events.

No tree is built: a 5 MB filing needs a few megabytes beside itself, whatever its nesting.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from lxml import etree

from sightline.sources.sec_edgar.plain_text import text_lines
from sightline.sources.sec_edgar.table_rows import row_lines
from sightline.sources.sec_edgar.text import (
    BOLD,
    CENTER,
    EMPHASIS,
    ITALIC,
    SUPERSCRIPT,
    UNDERLINE,
    Line,
)

_BLOCKS: Final = frozenset(
    """
    p div h1 h2 h3 h4 h5 h6 dl dt dd center blockquote address body section article header footer nav
    main caption thead tbody tfoot form fieldset page
    """.split()
)
_HIDDEN: Final = frozenset(
    "script style title head ix:header ix:hidden noscript template select textarea".split()
)
_TAG_STYLE: Final = {
    **dict.fromkeys(["b", "strong", "h1", "h2", "h3", "h4", "h5", "h6", "th"], BOLD),
    **dict.fromkeys(["i", "em"], ITALIC),
    **dict.fromkeys(["u", "ins"], UNDERLINE),
    "center": CENTER,
    "sup": SUPERSCRIPT,
}
_DISPLAY_NONE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_DISPLAY_INLINE = re.compile(r"display\s*:\s*inline", re.I)
_PAGE_BREAK = re.compile(
    r"(?:page-)?break-(?P<where>before|after)\s*:\s*(?:always|page|left|right)", re.I
)
_WEIGHT = re.compile(r"font(?:-weight)?\s*:[^;]*?\b(?:(?P<on>bold|[5-9]00)|normal|[1-4]00)\b", re.I)
_SLANT = re.compile(r"font(?:-style)?\s*:[^;]*?\b(?:(?P<on>italic|oblique)|normal)\b", re.I)
_DECORATION = re.compile(r"text-decoration(?:-line)?\s*:[^;]*?\b(?:(?P<on>underline)|none)\b", re.I)
_SIZE = re.compile(
    r"font(?:-size)?\s*:[^;]*?(?<![\d.])(?P<size>\d{1,2}(?:\.\d{1,3})?)\s*(?P<unit>pt|px)", re.I
)
_RAISED = re.compile(r"vertical-align\s*:\s*(?:super|top\b)|(?<![\w-])top\s*:\s*-", re.I)
_FLAGS: Final = 0xFF  # the bits of a style that are not the font size
_ALIGN = re.compile(r"text-align\s*:\s*(?:(?P<on>center\b)|\w+)", re.I)


# What sets a bit, and whether its opposite leaves the bit as it is ("font: normal 10pt" is no slant).
_SWITCHES: Final[tuple[tuple[re.Pattern[str], int, Callable[[str], bool]], ...]] = (
    (_WEIGHT, BOLD, lambda _: False),
    (_SLANT, ITALIC, lambda style: "font-style" not in style.lower()),
    (_DECORATION, UNDERLINE, lambda _: True),
    (_ALIGN, CENTER, lambda _: False),
)


@lru_cache(maxsize=8192)
def _style_effect(style: str) -> tuple[int, int, int]:
    """(bits set, bits cleared, other) of a style attribute; other: 1 hidden, 2 inline, 4 page break
    before, 8 page break after. The font size in quarter points stands above the flags."""
    on = off = 0
    for pattern, bit, keeps in _SWITCHES:
        found = pattern.search(style)
        if found and found["on"]:
            on |= bit
        elif found and not keeps(style):
            off |= bit
    if found := _SIZE.search(style):
        points = float(found["size"]) * (0.75 if found["unit"].lower() == "px" else 1)
        on |= int(points * 4) * (_FLAGS + 1)
        off |= ~_FLAGS
    if "top" in style and _RAISED.search(style) and "padding" not in style:
        on |= SUPERSCRIPT
    other = bool(_DISPLAY_NONE.search(style)) + 2 * bool(_DISPLAY_INLINE.search(style))
    if found := _PAGE_BREAK.search(style):
        other += 4 if found["where"].lower() == "before" else 8
    return on, off, other


_FACTS: Final = frozenset({"dei:DocumentType", "dei:AmendmentFlag"})
_NAMING: Final = frozenset({"a", "ix:nonnumeric"})
_CHUNK: Final = 1 << 16
_NOTE_MARKS: Final = tuple("0123456789(")
_DEEPEST_TABLE: Final = 12  # a table in more tables is taken as running text
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\u202a-\u202e]")


def html_lines(content: bytes) -> tuple[list[Line], dict[str, str]]:
    """The lines of an HTML document in UTF-8, page breaks among them as empty lines, and the cover
    facts (`dei:DocumentType`, `dei:AmendmentFlag`) that inline XBRL tags."""
    target = LineBuilder()
    parser = etree.HTMLParser(
        target=target, encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True
    )
    for begin in range(0, len(content), _CHUNK):
        parser.feed(content[begin : begin + _CHUNK])
    try:
        parser.close()
    except etree.XMLSyntaxError:  # an empty document
        target.close()
    return target.lines, target.facts


class _Table:
    """A table whose rows are being read; `cell` is the list that the open cell's lines go to."""

    __slots__ = ("cell", "cells")

    def __init__(self) -> None:
        self.cells: list[list[Line]] = []
        self.cell: list[Line] | None = None


class LineBuilder:
    """Target of the parser: start, end, data and close are its events."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.facts: dict[str, str] = {}
        self._sink = self.lines
        self._sinks: list[list[Line]] = []
        self._tables: list[_Table] = []
        self._styles: list[int] = [0]
        self._after: list[bool] = [False]
        self._nested = 0
        self._hidden = 0
        self._pieces: list[tuple[str, int]] = []
        self._anchors: list[str] = []
        self._targets: list[str] = []
        self._lists: list[int] = []  # -1 for bullets, else the number given last
        self._prefix = ""
        self._fact: str | None = None
        self._preformatted = 0

    # parser events

    def start(self, tag: Any, attrib: Mapping[Any, Any]) -> None:
        if self._hidden or tag in _HIDDEN:
            self._hidden += 1
            self._note_fact(tag, attrib)
            return
        on = _TAG_STYLE.get(tag, 0)
        off = other = 0
        if attrib:
            style = attrib.get("style")
            if style:
                more, off, other = _style_effect(style)
                on = (on & ~off) | more
                if other & 1:
                    self._hidden = 1
                    return
            if attrib.get("align", "").lower() == "center":
                on |= CENTER
            if "id" in attrib or tag in _NAMING:
                self._note_names(tag, attrib)
        self._styles.append((self._styles[-1] & ~off) | on)
        self._after.append(bool(other & 8))
        if tag in _BLOCKS:
            if not other & 2:
                self._flush()
        elif tag in _STRUCTURE:
            self._open(tag, attrib)
        if other & 4:
            self._break()

    def end(self, tag: Any) -> None:
        if self._hidden:
            self._hidden -= 1
            if tag == "ix:nonnumeric":
                self._fact = None
            return
        if tag == "ix:nonnumeric":
            self._fact = None
        if len(self._styles) > 1:
            if tag in _BLOCKS:
                self._flush()
            elif tag in _STRUCTURE:
                self._shut(tag)
            self._styles.pop()
            if self._after.pop():
                self._break()

    def data(self, data: Any) -> None:
        if self._fact:
            self.facts[self._fact] = (self.facts.get(self._fact, "") + data).strip()
        if self._hidden:
            return
        if self._styles[-1] & SUPERSCRIPT and data.startswith(_NOTE_MARKS):
            data = " " + data
        self._pieces.append((data, self._styles[-1]))

    def comment(self, text: Any) -> None:
        """Nothing: comments are no text."""

    def close(self) -> None:
        self._nested = min(self._nested, _DEEPEST_TABLE)
        while self._tables:
            self._shut("table")
        self._flush()

    # structure

    def _open(self, tag: str, attrib: Mapping[str, str]) -> None:
        match tag:
            case "br":
                self._flush()
            case "hr":
                self._break()
            case "table":
                self._flush()
                self._nested += 1
                if self._nested <= _DEEPEST_TABLE:
                    self._tables.append(_Table())
            case "tr":
                self._end_row()
            case "td" | "th":
                self._begin_cell()
            case "li":
                self._flush()
                self._prefix = self._marker()
            case "ul" | "ol":
                self._flush()
                start = attrib.get("start", "1")
                number = int(start) - 1 if start.isdecimal() and len(start) < 6 else 0
                self._lists.append(-1 if tag == "ul" else number)
            case "pre":
                self._flush()
                self._preformatted += 1

    def _shut(self, tag: str) -> None:
        match tag:
            case "td" | "th":
                self._end_cell()
            case "tr":
                self._end_row()
            case "table":
                self._nested -= 1
                if self._nested >= _DEEPEST_TABLE:
                    self._flush()
                    return
                self._end_row()
                if self._tables:
                    self._tables.pop()
            case "li":
                self._flush()
                self._prefix = ""
            case "ul" | "ol":
                self._flush()
                if self._lists:
                    self._lists.pop()
            case "pre":
                self._flush()
                self._preformatted = max(0, self._preformatted - 1)

    def _begin_cell(self) -> None:
        self._flush()
        if not self._tables:
            return
        self._end_cell()
        table = self._tables[-1]
        table.cell = []
        self._sinks.append(self._sink)
        self._sink = table.cell

    def _end_cell(self) -> None:
        self._flush()
        table = self._tables[-1] if self._tables else None
        if table is not None and table.cell is not None:
            table.cells.append(table.cell)
            table.cell = None
            self._sink = self._sinks.pop()

    def _end_row(self) -> None:
        self._end_cell()
        table = self._tables[-1] if self._tables else None
        if table is not None and table.cells:
            self._sink.extend(row_lines(table.cells))
            table.cells = []

    def _marker(self) -> str:
        if not self._lists or self._lists[-1] < 0:
            return "• "
        self._lists[-1] += 1
        return f"{self._lists[-1]}. "

    # lines

    def _break(self) -> None:
        self._flush()
        if not self._sink or self._sink[-1].text:
            self._sink.append(Line(""))

    def _flush(self) -> None:
        pieces = self._pieces
        if not pieces:
            return
        self._pieces = []
        if self._preformatted:
            self._sink.extend(text_lines("".join([each for each, _ in pieces])))
            return
        text = _tidy("".join([each for each, _ in pieces]))
        if not text:
            return
        shown = [(piece, bits) for piece, bits in pieces if not piece.isspace()]
        style = CENTER | EMPHASIS
        for _, bits in shown:
            style &= bits
        size = next((high for _, bits in shown if (high := bits // (_FLAGS + 1))), 0)
        lead, lead_style = _lead(pieces, text)
        marked = self._marked(text)
        if lead:
            lead += len(marked) - len(text)
        self._sink.append(
            Line(
                marked,
                style,
                lead,
                lead_style,
                size=size,
                anchors=tuple(self._anchors),
                targets=tuple(self._targets),
            )
        )
        self._anchors.clear()
        self._targets.clear()

    def _marked(self, text: str) -> str:
        """The text with the mark of its list entry, which it may have itself."""
        prefix, self._prefix = self._prefix, ""
        if prefix and text[0] not in "•●▪■–-·◦" and not text.startswith("o "):
            return prefix + text
        if text[0] in "•●▪■◦" and text[1:2] not in ("", " "):
            return f"{text[0]} {text[1:]}"
        return text

    def _note_names(self, tag: str, attrib: Mapping[str, str]) -> None:
        name = attrib.get("id") or (attrib.get("name") if tag == "a" else None)
        if name and not tag.startswith("ix:"):
            self._anchors.append(name)
        if tag == "a":
            address = attrib.get("href", "")
            if address.startswith("#") and len(address) > 1:
                self._targets.append(address[1:])
        elif tag == "ix:nonnumeric":
            self._note_fact(tag, attrib)

    def _note_fact(self, tag: str, attrib: Mapping[str, str]) -> None:
        name = attrib.get("name", "")
        if tag == "ix:nonnumeric" and name in _FACTS and name not in self.facts:
            self._fact = name


_STRUCTURE: Final = frozenset(["br", "hr", "table", "tr", "td", "th", "li", "ul", "ol", "pre"])


def _tidy(text: str) -> str:
    """One line with single spaces, without characters that cannot be seen."""
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
    return " ".join(text.split())


def _lead(pieces: list[tuple[str, int]], text: str) -> tuple[int, int]:
    """How many characters share an emphasis from the first on, and which."""
    style = EMPHASIS
    leading: list[str] = []
    for piece, bits in pieces:
        if not piece.isspace():
            if not style & bits:
                lead = len(_tidy("".join(leading)))
                return lead, style if lead else 0
            style &= bits
        leading.append(piece)
    return len(text), style
