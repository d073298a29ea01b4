"""HTML filings (including inline XBRL) as lines, in one pass over the parser's events.

No tree is built: a 5 MB filing needs a few megabytes beside itself, whatever its nesting.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from lxml import etree

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
_FLAGS: Final = 0xFF  # the bits of a style that are not the font size
_HIDES, _INLINE, _BREAK_BEFORE, _BREAK_AFTER = 1, 2, 4, 8
_BLOCK, _STRUCTURED = 16, 32
_BREAKS: Final = 0x80  # bit of an element's own style, which what is in it does not inherit


# What a word of a property's value does: bits set, bits cleared, other.
_CSS: Final = (
    ("font font-weight", "bold bolder 500 600 700 800 900", (BOLD, 0, 0)),
    ("font font-weight", "normal 100 200 300 400", (0, BOLD, 0)),
    ("font font-style", "italic oblique", (ITALIC, 0, 0)),
    ("font-style", "normal", (0, ITALIC, 0)),
    ("text-decoration text-decoration-line", "underline", (UNDERLINE, 0, 0)),
    ("text-align", "center", (CENTER, 0, 0)),
    ("text-align", "left right justify start end", (0, CENTER, 0)),
    ("vertical-align", "super top", (SUPERSCRIPT, 0, 0)),
    ("display", "none", (0, 0, _HIDES)),
    ("visibility", "hidden", (0, 0, _HIDES)),
    ("display", "inline inline-block", (0, 0, _INLINE)),
    ("page-break-before break-before", "always page left right", (0, 0, _BREAK_BEFORE)),
    ("page-break-after break-after", "always page left right", (0, 0, _BREAK_AFTER)),
)
_EFFECTS: Final = {
    (name, word): effect
    for names, words, effect in _CSS
    for name in names.split()
    for word in words.split()
}


@lru_cache(maxsize=8192)
def _style_effect(style: str) -> tuple[int, int, int]:
    """(bits set, bits cleared, other) of a style attribute. The font size in quarter points stands
    above the flags."""
    on = off = other = 0
    for declaration in style.lower().split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip()
        for word in value.split():
            more, less, further = _EFFECTS.get((name, word), (0, 0, 0))
            on, off, other = on | more, off | less, other | further
            if name.startswith("font") and word.endswith(("pt", "px")):
                size = _quarter_points(word)
                on, off = on % (_FLAGS + 1) | size * (_FLAGS + 1), off | ~_FLAGS
        if name == "top" and value.lstrip().startswith("-"):
            on |= SUPERSCRIPT
    # The cells of tables are aligned at the top, and have padding.
    return (on & ~SUPERSCRIPT if "padding" in style else on), off, other


@lru_cache(maxsize=8192)
def _tag_effect(tag: str, style: str, align: str) -> tuple[int, int, int]:
    """(bits set, bits kept, other) of a tag with these attributes; other also says how it lays out."""
    more, off, other = _style_effect(style)
    on = (_TAG_STYLE.get(tag, 0) & ~off) | more
    if align.lower() == "center":
        on |= CENTER
    if tag in _BLOCKS:
        other |= 0 if other & _INLINE else _BLOCK
    elif tag in _STRUCTURE:
        other |= _STRUCTURED
    return on | (_BREAKS if other & _BREAK_AFTER else 0), ~(off | _BREAKS), other


def _quarter_points(size: str) -> int:
    with suppress(ValueError):
        return int(float(size[:-2]) * (3 if size.endswith("px") else 4))
    return 0


_FACTS: Final = frozenset({"dei:DocumentType", "dei:AmendmentFlag"})
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
        self._nested = 0
        self._hidden = 0
        self._pieces: list[tuple[str, int]] = []
        self._anchors: list[str] = []
        self._targets: list[str] = []
        self._prefix = ""
        self._fact: str | None = None

    # A report has some hundred thousand tags, most of them cells and plain spans: these two cost most.
    def start(self, tag: Any, attrib: Mapping[Any, Any]) -> None:
        style = align = ""
        if attrib:
            if "id" in attrib or tag in _NAMED:
                self._note_names(tag, attrib)
            style, align = attrib.get("style", ""), attrib.get("align", "")
        if self._hidden or tag in _HIDDEN:
            self._hidden += 1
            return
        on, kept, other = _tag_effect(tag, style, align)
        if other & _HIDES:
            self._hidden = 1
            return
        self._styles.append((self._styles[-1] & kept) | on)
        if other & _BLOCK:
            if self._pieces:
                self._flush()
        elif other & _STRUCTURED:
            self._open(tag)
        if other & _BREAK_BEFORE:
            self._break()

    def end(self, tag: Any) -> None:
        if tag == "ix:nonnumeric":
            self._fact = None
        if self._hidden:
            self._hidden -= 1
            return
        if len(self._styles) > 1:
            if tag in _STRUCTURE:
                self._shut(tag)
            elif self._pieces and tag in _BLOCKS:
                self._flush()
            if self._styles.pop() & _BREAKS:
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
            self._end_table()
        self._flush()

    def _open(self, tag: str) -> None:
        if tag in _CELLS:
            self._begin_cell()
        elif tag == "tr":
            self._end_row()
        elif tag == "hr":
            self._break()
        else:
            self._flush()
            if tag == "li":
                self._prefix = "• "
            elif tag == "table":
                self._nested += 1
                if self._nested <= _DEEPEST_TABLE:
                    self._tables.append(_Table())

    def _shut(self, tag: str) -> None:
        if tag in _CELLS:
            self._end_cell()
        elif tag == "tr":
            self._end_row()
        elif tag == "table":
            self._end_table()
        elif tag == "li":
            self._flush()
            self._prefix = ""

    def _begin_cell(self) -> None:
        if self._pieces or (self._tables and self._tables[-1].cell is not None):
            self._end_cell()
        if self._tables:
            self._sinks.append(self._sink)
            self._sink = self._tables[-1].cell = []

    def _end_cell(self) -> None:
        if self._pieces:
            self._flush()
        if self._tables and (cell := self._tables[-1].cell) is not None:
            self._tables[-1].cells.append(cell)
            self._tables[-1].cell = None
            self._sink = self._sinks.pop()

    def _end_row(self) -> None:
        self._end_cell()
        if self._tables and (cells := self._tables[-1].cells):
            self._sink.extend(row_lines(cells))
            self._tables[-1].cells = []

    def _end_table(self) -> None:
        self._nested -= 1
        if self._nested >= _DEEPEST_TABLE:
            self._flush()
            return
        self._end_row()
        if self._tables:
            self._tables.pop()

    def _break(self) -> None:
        self._flush()
        if not self._sink or self._sink[-1].text:
            self._sink.append(Line(""))

    def _flush(self) -> None:
        pieces = self._pieces
        if not pieces:
            return
        self._pieces = []
        text = _tidy("".join([each for each, _ in pieces]))
        if not text:
            return
        style, size, lead, lead_style = _emphasis(pieces, text)
        marked = self._marked(text)
        if lead:
            lead += len(marked) - len(text)
        anchors, targets = tuple(self._anchors), tuple(self._targets)
        self._sink.append(Line(marked, style, lead, lead_style, False, size, anchors, targets))
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
        """Keep what links lead to and come from, and begin a fact of the cover."""
        if tag == "ix:nonnumeric":
            name = attrib.get("name", "")
            if name in _FACTS and name not in self.facts:
                self._fact = name
        elif not (self._hidden or tag.startswith("ix:")):
            anchor = attrib.get("id", "")
            if tag == "a":
                anchor = anchor or attrib.get("name", "")
                address = attrib.get("href", "")
                if address.startswith("#") and address[1:]:
                    self._targets.append(address[1:])
            if anchor:
                self._anchors.append(anchor)


_STRUCTURE: Final = frozenset(["br", "hr", "table", "tr", "td", "th", "li"])
_CELLS: Final = frozenset(["td", "th"])
_NAMED: Final = frozenset(["a", "ix:nonnumeric"])


def _tidy(text: str) -> str:
    """One line with single spaces, without characters that cannot be seen."""
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
    return " ".join(text.split())


def _emphasis(pieces: list[tuple[str, int]], text: str) -> tuple[int, int, int, int]:
    """The style that all pieces share, the first font size; how many characters share an emphasis from
    the first on, and which."""
    if len(pieces) == 1:
        bits = pieces[0][1]
        lead = len(text) if bits & EMPHASIS else 0
        return bits & (CENTER | EMPHASIS), bits // (_FLAGS + 1), lead, bits & EMPHASIS
    style, size, lead, lead_style = CENTER | EMPHASIS, 0, -1, EMPHASIS
    for place, (piece, bits) in enumerate(pieces):
        if piece.isspace():
            continue
        style &= bits
        size = size or bits // (_FLAGS + 1)
        if lead < 0 and lead_style & bits:
            lead_style &= bits
        elif lead < 0:
            lead = len(_tidy("".join([each for each, _ in pieces[:place]])))
    lead = len(text) if lead < 0 else lead
    return style, size, lead, lead_style if lead else 0
