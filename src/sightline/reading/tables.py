"""Context of a table row: the table's caption, its unit, and its column heads.

In the plain text of a document a table's rows follow each other line by line, their cells parted by
" | "; paragraphs have an empty line between them. A heading between rows ("Operating expenses:") is a short
line of its own.
"""

import itertools
import re
from typing import Final

CELL: Final = " | "
_MOST_HEADERS = 4
_MOST_CAPTIONS = 3
_MOST_BETWEEN = 2  # headings between two rows of one table
_LONGEST_CAPTION = 200  # characters
# "in thousands", "in U.S. dollars and millions", "($ millions)", "(000s)", "millions of dollars".
_UNIT = re.compile(
    r"\bin\s+(?:[^\s\d]+\s+){0,3}?(?P<plural>thousand|million|billion)s\b"
    r"|(?:[$€£¥]|\b(?:USD|EUR|GBP))\s?(?P<sign>thousand|million|billion)s?\b"
    r"|\((?P<alone>thousand|million|billion)s\b|(?:[($]|\bin\s)000['’]?s?\b"
    r"|\b(?P<of>thousand|million|billion)s of (?:\S+\s)?(?:dollars|euros|pounds|yen)\b",
    re.IGNORECASE,
)
_SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
# What makes a line the heading of notes, or says for all that follows what amounts are in.
_NOTES = re.compile(r"\s*notes to\b.{0,80}\bstatements\b|.*\bunless otherwise\b", re.IGNORECASE)
_ITEM = re.compile(r"\s*item\s+\d", re.IGNORECASE)
_LINES_OF_HEADING = 3
# A sum or a share; years, days and notes' numbers have neither sign nor separator.
_AMOUNT = re.compile(r"[$€£¥]\s?\(?\d|\d\)?\s?%|\d{1,3}(?:,\d{3})+|\d+\.\d|\(\d+\)|^[-—–]$")


def table_context(before: str, text: str) -> str:
    """Caption, unit and column heads of the first table in `text`, as lines, as far as `text` does not have
    them itself; "" where it has no table. `before` is what stands before it in the document."""
    lines = (before + text).split("\n")
    outside = before.count("\n")  # lines from here on stand in the text
    first = next((at for at in range(outside, len(lines)) if CELL in lines[at]), None)
    if first is None:
        return ""
    top = _top(lines, first)
    if top == 0 and outside:
        return ""  # the table begins before what was read
    heads = [line for line in lines[top : min(first, outside)] if CELL in line][:_MOST_HEADERS]
    leading = itertools.takewhile(_is_head, heads)
    found = [*_captions(lines[:top], outside), *leading]
    return "\n".join(dict.fromkeys(found))


def scale_of(text: str) -> float | None:
    """What the figures of tables are in, as the last words about it in a text say: 1e3 for "in thousands"."""
    scales = [
        next((_SCALES[name.lower()] for name in found.groups() if name), 1e3)
        for found in _UNIT.finditer(text)
    ]
    return scales[-1] if scales else None


def unit_words(text: str) -> str:
    """The last words of a text about what amounts are in, as they stand: "in thousands, except per share
    data"; "" without any."""
    found = [*_UNIT.finditer(text)]
    rest = text[found[-1].start() :].partition("\n")[0] if found else ""
    return rest.strip("(").partition(")")[0].strip()


def notes_unit(before: str) -> str:
    """What the amounts of notes are in, by the heading of the notes, for a place that they stand before; ""
    where no heading says it, or another item has begun."""
    lines = [line for line in before.split("\n") if line.strip() and CELL not in line]
    for at in range(len(lines) - 1, -1, -1):
        if _ITEM.match(lines[at]) and len(lines[at]) <= _LONGEST_CAPTION:
            return ""
        if len(lines[at]) <= _LONGEST_CAPTION and _NOTES.match(lines[at]):
            heading = lines[at : at + _LINES_OF_HEADING]
            short = [line for line in heading if len(line) <= _LONGEST_CAPTION]
            if unit := next(filter(None, map(unit_words, short)), ""):
                return unit
    return ""


def table_after(text: str, following: str, *, longest: int) -> str:
    """What of the `following` text belongs to a table that `text` ends before or within, as far as whole
    lines fit; "" where it does neither."""
    end = between = 0
    is_within = CELL in text.rstrip().rpartition("\n")[2]
    at = 0
    for whole in following.split("\n"):
        at = min(at + len(whole) + 1, len(following))
        line = whole.strip()
        if at > longest:
            break
        if CELL in line:
            is_within, between, end = True, 0, at
        elif line:
            between += 1
            if between > (_MOST_BETWEEN if is_within else _MOST_CAPTIONS):
                break
            if len(line) > _LONGEST_CAPTION:
                break
    return following[:end].rstrip()


def _top(lines: list[str], row: int) -> int:
    """The first row of the table that has a row."""
    while True:
        while row and CELL in lines[row - 1]:
            row -= 1
        if _is_head(lines[row]):
            return row
        above, between = row, 0
        while above and CELL not in lines[above - 1] and between <= _MOST_BETWEEN:
            above -= 1
            between += bool(lines[above].strip())
            if len(lines[above]) > _LONGEST_CAPTION:
                return row
        if not above or between > _MOST_BETWEEN:
            return row
        row = above - 1


def _is_head(row: str) -> bool:
    """Whether the cells beside the first are words and years, not figures."""
    cells = [cell.strip() for cell in row.split(CELL.strip())][1:]
    return not any(_AMOUNT.search(cell) for cell in cells) and all(
        not cell.isdigit() or (len(cell) == 4 and cell.startswith(("19", "20"))) for cell in cells
    )


def _captions(above: list[str], outside: int) -> list[str]:
    """The short lines directly above a table, and the nearest line that gives its unit."""
    found: list[str] = []
    place = len(above)
    while place and len(found) < _MOST_CAPTIONS:
        place -= 1
        line = above[place].strip()
        if not line:
            continue
        if CELL in line or len(line) > _LONGEST_CAPTION:
            unit = None if CELL in line else _UNIT.search(line)
            if unit and place < outside:
                found.append(unit[0])
            break
        if place < outside:
            found.append(line)
    return found[::-1]
