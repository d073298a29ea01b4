"""What a row of a table does not say itself: the table's caption, its unit, and its column heads.

In the plain text of a document a table's rows follow each other line by line, their cells parted by
" | "; paragraphs have an empty line between them.
"""

import re
from typing import Final

CELL: Final = " | "
_MOST_HEADERS = 3
_MOST_CAPTIONS = 3
_LONGEST_CAPTION = 200  # characters
_UNIT = re.compile(r"\bin (?:thousands|millions|billions)\b", re.IGNORECASE)
# A sum or a share; years, days and notes' numbers have neither sign nor separator.
_AMOUNT = re.compile(r"[$€£¥%]|\d{1,3}(?:,\d{3})+|\d+\.\d|\(\d+\)|^[-—–]$")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def table_context(before: str, text: str) -> str:
    """Caption, unit and column heads of the first table in `text`, as lines, as far as `text` does not have
    them itself; "" where it has no table. `before` is what stands before it in the document."""
    lines = (before + text).split("\n")
    outside = before.count("\n")  # lines from here on stand in the text
    first = next((at for at in range(outside, len(lines)) if CELL in lines[at]), None)
    if first is None:
        return ""
    top = first
    while top and CELL in lines[top - 1]:
        top -= 1
    if top == 0 and outside:
        return ""  # the table begins before what was read
    lines = _captions(lines[:top], outside) + _headers(lines[top:], max(0, outside - top))
    return "\n".join(dict.fromkeys(lines))


def _headers(rows: list[str], outside: int) -> list[str]:
    """The rows at a table's top that hold no amount, of those that stand outside the text."""
    found = []
    for row in rows[: min(_MOST_HEADERS, outside)]:
        cells = [cell.strip() for cell in row.split(CELL.strip())]
        if any(_AMOUNT.search(cell) for cell in cells[1:]) or not _heads(cells):
            break
        found.append(row)
    return found


def _heads(cells: list[str]) -> bool:
    """Whether the cells beside the first are words and years, not bare figures."""
    return all(not cell.isdigit() or _YEAR.fullmatch(cell) for cell in cells[1:])


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
