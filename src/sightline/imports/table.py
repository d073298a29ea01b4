"""Finds where a table begins below its titles, and the names of its columns."""

from collections.abc import Sequence
from dataclasses import dataclass

from sightline.imports.headers import knows_header
from sightline.imports.rows import FileIsNotReadable, clean_cell
from sightline.imports.shapes import looks_like_data

SAMPLE_RECORDS = 60
_PREFACE = 15  # lines of titles and notes that may stand above the column names
_MOST_COLUMNS = 2_000
_LONGEST_HEADER = 100


@dataclass(frozen=True)
class Layout:
    """`skipped` records stand above the first row: titles and, with `has_header`, the column names."""

    columns: tuple[str, ...]
    has_header: bool
    skipped: int


def layout_of(file_name: str, records: Sequence[Sequence[str]], width: int) -> Layout:
    """The layout of a table whose first records are these, most of them of `width` cells.

    Raises FileIsNotReadable for more columns than a list of companies or people has.
    """
    refuse_width(file_name, width)
    top = _first_full(records, width)
    first = list(records[top])
    while first and not first[-1]:
        first.pop()
    has_header = _is_header(first, records[top + 1 :])
    names = first if has_header else []
    refuse_width(file_name, len(names))
    names = names + [""] * (width - len(names))
    return Layout(column_names(names), has_header, top + 1 if has_header else top)


def refuse_width(file_name: str, width: int) -> None:
    """Raise FileIsNotReadable for too many columns."""
    if width > _MOST_COLUMNS:
        raise FileIsNotReadable(
            f"{file_name} has {width:,} columns; at most {_MOST_COLUMNS:,} can be read."
        )


def _first_full(records: Sequence[Sequence[str]], width: int) -> int:
    """Where the table begins below titles and notes: the first row with most cells filled."""
    least = 1 if width < 2 else max(2, 0.6 * width)
    filled = (sum(map(bool, cells)) for cells in records[:_PREFACE])
    return next((index for index, count in enumerate(filled) if count >= least), 0)


def _is_header(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a row names columns: it holds no data itself, and its words are known or the cells
    under it are of another kind."""
    filled = [cell for cell in first if cell]
    if not filled or any(len(cell) > _LONGEST_HEADER or looks_like_data(cell) for cell in filled):
        return False
    known = sum(map(knows_header, filled))
    if known >= min(2, len(filled)):
        return True
    differs = known > 0 or len(set(filled)) == len(filled)
    return differs and any(
        _is_data([cells[index] for cells in below if index < len(cells) and cells[index]])
        for index, cell in enumerate(first)
        if cell
    )


def _is_data(cells: Sequence[str]) -> bool:
    return bool(cells) and sum(map(looks_like_data, cells)) >= 0.8 * len(cells)


def column_names(cells: Sequence[str]) -> tuple[str, ...]:
    """Names for columns: as given, numbered where empty or given twice."""
    names: dict[str, None] = {}
    for index, cell in enumerate(cells, start=1):
        base = " ".join(clean_cell(cell).split())[:_LONGEST_HEADER] or f"column {index}"
        name, copy = base, 2
        while name in names:
            name, copy = f"{base} ({copy})", copy + 1
        names[name] = None
    return tuple(names)
