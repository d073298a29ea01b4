"""The layout of a document's plain text: lines, and the cells of table rows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_CELL_BREAK: Final = re.compile(r"\s\|\s|\t+|\s{3,}")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table row, or a line of text: characters `start` up to `end` of the text. `line` counts
    the lines that have text."""

    text: str
    start: int
    end: int
    line: int


Row = list[Cell]
"""A line as its cells; one that is no row of a table has one."""


def rows_of(text: str, start: int = 0, end: int | None = None) -> Iterator[Row]:
    """The lines of a span that have text, as their cells."""
    position, number = start, 0
    for line in text[start:end].split("\n"):
        cells: Row = []
        at = 0
        # The pattern costs far more than to see that most lines are plain text.
        is_plain = line.isprintable() and "|" not in line and "   " not in line
        breaks = [] if is_plain else [found.span() for found in _CELL_BREAK.finditer(line)]
        for left, right in [*breaks, (len(line), len(line))]:
            piece = line[at:left]
            bare = piece.strip()
            if bare and bare != "|":
                first = position + at + len(piece) - len(piece.lstrip())
                cells.append(Cell(bare, first, first + len(bare), number))
            at = right
        if cells:
            yield cells
            number += 1
        position += len(line) + 1
