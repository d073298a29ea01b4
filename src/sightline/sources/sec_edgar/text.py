"""The lines of a filing's plain text: output of text conversion, input of section finding."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from sightline.sources.sec_edgar.forms import is_item_title

BOLD: Final = 1
ITALIC: Final = 2
UNDERLINE: Final = 4
CENTER: Final = 8
SUPERSCRIPT: Final = 16
EMPHASIS: Final = BOLD | ITALIC | UNDERLINE

CELL: Final = " | "
"""Stands between the cells of a table row."""


@dataclass(slots=True)
class Line:
    """A paragraph, a heading, a list entry or a row of a table, as one line of the plain text.

    `style` has the bits that hold for all of it; the first `lead` characters share the emphasis
    `lead_style`; `size` is the font's in quarter points, 0 when unknown. `text` is empty for a page
    break. `start` and `end` are set by `assemble`.
    """

    text: str
    style: int = 0
    lead: int = 0
    lead_style: int = 0
    row: bool = False
    size: int = 0
    anchors: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class DocumentText:
    """One document as plain text. `anchors` gives the line that a link's target is at; `pages` the
    printed number of each page that has one, with the offset where the page begins, in order."""

    text: str
    lines: tuple[Line, ...]
    anchors: Mapping[str, int] = field(default_factory=dict)
    pages: tuple[tuple[str, int], ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)

    def line_at(self, offset: int) -> int:
        """The index of the line that holds the character, or the last one before it."""
        return max(0, bisect_right(self.lines, offset, key=lambda line: line.start) - 1)


_PAGE_NUMBER = re.compile(
    r"^(?:page\s*)?[-–—\s|(]*"
    r"(?P<number>(?:[A-Z]{1,2}[-–])?\d{1,4}|[ivxl]{1,7}|[A-Z][-–][ivxl]{1,5})"
    r"[-–—\s|)]*(?:of\s+\d+)?$",
    re.I,
)
_TRAILING_NUMBER = re.compile(r"(?<![\d,.$])(?P<number>(?:F-)?\d{1,3})$|^(?P<first>\d{1,3})\s")
_CONTENTS_LINK = re.compile(
    r"^(?:(?:back|return) to )?(?:the )?(?:table of contents?|contents|index|toc)$", re.I
)
_ITEM = re.compile(r"^(?:part\s+[IV]+\b\W*)?items?\b(?:\W*\d+(?:\.\d\d)?[A-K]?\b)?", re.I)
_STATEMENT = re.compile(
    r"^\W*(?:none|not applicable|n/a|reserved|omitted)\W*$|^(?:\S+\s+){4,}\S+[.;:]$", re.I
)
"""What says something, however often it stands at the edge of a page."""
_DIGITS = re.compile(r"\d+")
_EDGE: Final = 4  # lines on each side of a page break that can belong to its header or footer
_LONGEST_HEADER: Final = 160  # characters
_OFTEN: Final = 3  # so many pages must carry a line for it to be a running header


def assemble(
    lines: Iterable[Line], facts: Mapping[str, str] | None = None, *, wrapped: bool = False
) -> DocumentText:
    """Drop page numbers and running headers, join what a page break cut, and set the offsets.

    An item's heading or title among the running headers stays where it stands first, as a heading: it
    may be the only one.
    """
    given = list(lines)
    dropped, numbers = _furniture(given)
    kept: list[Line] = []
    anchors: dict[str, int] = {}
    starts: list[tuple[str | None, int]] = []  # page number, index of its first line
    broken = False
    waiting: list[str] = []
    for index, line in enumerate(given):
        if index in numbers or not line.text:
            starts.append((numbers.get(index), len(kept)))
        waiting.extend(line.anchors)
        broken |= not line.text
        if not line.text or index in dropped:
            continue
        if broken and _continues(kept, line):
            kept[-1] = _joined(kept[-1], line, wrapped=wrapped)
        else:
            kept.append(line)
        for name in waiting:
            anchors.setdefault(name, len(kept) - 1)
        waiting.clear()
        broken = False
    text = _set_offsets(kept)
    ends = [*(line.start for line in kept), len(text)]
    pages = tuple((number, ends[index]) for number, index in _numbered(starts))
    return DocumentText(text, tuple(kept), anchors, pages, dict(facts or {}))


def _joined(before: Line, after: Line, *, wrapped: bool) -> Line:
    glue = "" if before.text.endswith("-") and wrapped else " "
    return replace(before, text=before.text + glue + after.text, style=before.style & after.style)


def _numbered(starts: list[tuple[str | None, int]]) -> list[tuple[str, int]]:
    """The pages with the numbers that are not printed on them but follow from those before."""
    known: list[tuple[str, int]] = []
    for number, index in starts:
        if number is None and known and known[-1][0].isdecimal() and known[-1][1] < index:
            number = str(int(known[-1][0]) + 1)
        if number is not None:
            known.append((number, index))
    return known


def _set_offsets(lines: list[Line]) -> str:
    """Rows of one table follow each other directly; everything else has an empty line between."""
    parts: list[str] = []
    position = 0
    before: Line | None = None
    for line in lines:
        if before is not None:
            gap = "\n" if line.row and before.row else "\n\n"
            parts.append(gap)
            position += len(gap)
        line.start = position
        position += len(line.text)
        line.end = position
        parts.append(line.text)
        before = line
    return "".join(parts)


def _continues(kept: list[Line], after: Line) -> bool:
    """Whether a page break cut one paragraph into the last line and this one."""
    before = kept[-1] if kept else Line("")
    return (
        not before.row
        and not after.row
        and len(before.text) > 60
        and (before.text[-1].isalnum() or before.text[-1] in ",-–’")
        and after.text[0].islower()
    )


def _furniture(lines: list[Line]) -> tuple[set[int], dict[int, str]]:
    """Indexes of header and footer lines, and the page number by the page's first line."""
    breaks = [index for index, line in enumerate(lines) if not line.text]
    edges = _edges(breaks, len(lines))
    often = _running(lines, edges)
    dropped: set[int] = set()
    numbers: dict[int, str] = {}
    seen: set[str] = set()
    begin = 0
    for at, (above, below) in zip([*breaks, len(lines)], edges, strict=False):
        for edge in (above, below):
            number = _drop_edge(lines, edge, often=often, dropped=dropped, seen=seen)
            if number:
                numbers.setdefault(begin, number)
            begin = at
    return dropped, numbers


def _edges(breaks: list[int], count: int) -> list[tuple[range, range]]:
    """The lines above and below each page break, nearest first, and those above the text's end."""
    if not breaks:
        return []
    borders = [-1, *breaks, count, count]
    return [
        (range(at - 1, max(low, at - 1 - _EDGE), -1), range(at + 1, min(high, at + 1 + _EDGE)))
        for low, at, high in zip(borders, borders[1:], borders[2:], strict=False)
    ]


def _running(lines: list[Line], edges: list[tuple[range, range]]) -> set[str]:
    """The shapes of lines at the edges of pages that stand there often.

    Lines are counted as well as breaks: all of a short page is close to the break before it and to
    that behind, so two lines are at four breaks.
    """
    at_lines: dict[str, set[int]] = {}
    at_breaks: dict[str, set[int]] = {}
    for place, sides in enumerate(edges):
        for index in chain.from_iterable(sides):
            shape = _shape(lines[index].text)
            at_lines.setdefault(shape, set()).add(index)
            at_breaks.setdefault(shape, set()).add(place)
    return {s for s in at_lines if min(len(at_lines[s]), len(at_breaks[s])) >= _OFTEN}


def _drop_edge(
    lines: list[Line], edge: range, *, often: set[str], dropped: set[int], seen: set[str]
) -> str | None:
    """Mark the furniture of one side of a page break, outermost first; answer the page number."""
    found: str | None = None
    for index in edge:
        text, shape = lines[index].text, _shape(lines[index].text)
        number = _PAGE_NUMBER.match(text) or _CONTENTS_LINK.match(text)
        if number is None:
            if shape not in often or _says_something(lines[index]):
                break
            number = _TRAILING_NUMBER.search(text)
        found = found or next(filter(None, number.groups() if number else ()), None)
        if (number is None or number.re is _TRAILING_NUMBER) and shape not in seen and _heads(text):
            seen.add(shape)
            lines[index].style |= BOLD
            break
        dropped.add(index)
    return found


def _heads(text: str) -> bool:
    return _ITEM.match(text) is not None or is_item_title(text)


def _says_something(line: Line) -> bool:
    """Whether a line is content, however often it stands at an edge: a sentence, or a row of figures."""
    if len(line.text) > _LONGEST_HEADER:
        return True
    return not _headerlike(line.text) if line.row else _STATEMENT.search(line.text) is not None


def _headerlike(text: str) -> bool:
    """A row of names with at most a page number beside them, not figures."""
    figures = sum(any(map(str.isdigit, cell)) and len(cell) < 12 for cell in text.split(CELL))
    return figures <= 1 and "$" not in text


def _shape(text: str) -> str:
    """The line without its figures, except the number of an item: each item has a heading."""
    label = _ITEM.match(text)
    at = label.end() if label else 0
    return (text[:at] + _DIGITS.sub("#", text[at:])).casefold()
