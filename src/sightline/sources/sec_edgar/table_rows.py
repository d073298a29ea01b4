"""Table rows as lines: figures stay in one row; layout tables become the text they lay out."""

import re
from functools import reduce
from itertools import chain
from operator import and_, attrgetter
from typing import Final

from sightline.sources.sec_edgar.text import CELL, Line

_BEFORE: Final = frozenset(
    {"$", "US$", "C$", "€", "£", "¥", "(", "$(", "RMB", "R$", "NT$", "HK$", "+"}
)
"""Cells that belong to the figure in the next one."""
_AFTER = re.compile(r"^(?:\)?\s*%|\)+%?|%\)|pts?\.?|bps)$")
"""Cells that belong to the figure in the one before."""
_FIGURE = re.compile(r"^[($€£¥+\-–—]*[\d.,]+\)?")
_BULLET = re.compile(r"^[•●▪■◦·○►➢❖✓☐☑☒\-–—*o§]$")
_LABEL = re.compile(
    r"^(?:(?:part\s+[IV]+,?\s+)?items?\s*\d{1,2}\s*\.?(?:\d\d|[A-Z])?[\s.:–—-]*(?:\([a-z]\))?"
    r"|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])$",
    re.I,
)
"""What numbers the text beside it: an item, a list entry."""
_LAYOUT_CHARACTERS: Final = 600


def row_lines(cells: list[list[Line]]) -> list[Line]:
    """A row as one line; the lines of its cells one after another when the table only lays out."""
    filled = [cell for cell in cells if cell and any(line.text for line in cell)]
    if len(filled) < 2:
        return list(chain.from_iterable(cells))
    if _is_layout(filled):
        return list(chain.from_iterable(filled))
    texts = _joined([" ".join(filter(None, [line.text for line in cell])) for cell in filled])
    text, row = CELL.join(texts), len(texts) > 1
    lines = list(chain.from_iterable(cells))
    written = [line for line in lines if line.text]
    first, style = written[0], reduce(and_, (line.style for line in written))
    lead, lead_style = (len(text), style) if style else _lead(first, texts[0], text, row=row)
    anchors, targets = (
        tuple(chain.from_iterable(map(attrgetter(name), lines))) for name in ("anchors", "targets")
    )
    size = first.size
    return [Line(text, style, lead, lead_style, row, size, anchors, targets)]


def _lead(first: Line, cell: str, text: str, *, row: bool) -> tuple[int, int]:
    """How far the emphasis of the first cell reaches, and which it is; none beyond that cell."""
    ends_in_cell = text.startswith(first.text) and not (row and len(cell) < first.lead)
    return (first.lead, first.lead_style) if ends_in_cell else (0, 0)


def _is_layout(cells: list[list[Line]]) -> bool:
    """Whether the cells hold running text in several paragraphs, not values."""
    if any(
        len(cell) > 1 and sum(len(line.text) for line in cell) > _LAYOUT_CHARACTERS
        for cell in cells
    ):
        return True
    return any(len(cell) > 1 and sum(line.row for line in cell) > 1 for cell in cells)


def _joined(texts: list[str]) -> list[str]:
    """Currency signs, brackets and per cent signs go to their figures, labels to their text."""
    out: list[str] = []
    before = False  # the last of `out` waits for its figure
    for place, text in enumerate(texts):
        if before and out:
            out[-1] += text if _FIGURE.match(text) else " " + text
        elif out and _AFTER.match(text):
            out[-1] += text
        else:
            out.append(text)
        before = text in _BEFORE
        if place == 0 and len(texts) > 1 and not _FIGURE.match(texts[1]):
            before = bool(_BULLET.match(text) or _LABEL.match(text))
    return out
