"""The cells of one row by field, and what could not be used of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sightline.imports import shapes
from sightline.imports.rows import Cell, Row, RowProblem

_DISTINCT_KEPT = 1000  # words per column; a column of free text would fill the memory
_SHOWN = 120
_MARKS = str.maketrans(";|", "\n\n")


def listed(text: str, *, by_comma: bool) -> list[str]:
    """The entries of a cell that lists several: one a line, or parted by ; | and, where asked, by commas."""
    marked = text.translate(_MARKS)
    return (marked.replace(",", "\n") if by_comma else marked).split("\n")


@dataclass
class Unrecognised:
    """Words that are in none of our vocabularies, counted by column: no fault of the row."""

    by_column: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, column: str, word: str) -> None:
        words = self.by_column.setdefault(column, Counter())
        if word in words or len(words) < _DISTINCT_KEPT:
            words[word[:_SHOWN]] += 1


@dataclass
class RowCells:
    """A row seen through the mapping. Values that are dropped gather in `problems`."""

    row: Row
    columns: Mapping[str, tuple[str, ...]]  # first choice first
    unrecognised: Unrecognised
    units: Mapping[str, int]  # column -> what its bare amounts are multiplied by
    notes: dict[str, None] = field(default_factory=dict)  # about whole columns, each once
    problems: list[RowProblem] = field(default_factory=list)

    def conclude(self, note: str) -> None:
        """Note what was concluded about a whole column."""
        self.notes[note] = None

    def each(self, name: str) -> Iterator[tuple[str, Cell]]:
        """The columns of a field that say something in this row, first choice first."""
        for column in self.columns.get(name, ()):
            cell = self.row.cells.get(column)
            if isinstance(cell, list):
                kept = [value for value in cell if not shapes.says_nothing(value)]
                if kept:
                    yield column, kept
            elif cell and not shapes.says_nothing(cell):
                yield column, cell

    def text(self, name: str, joiner: str = ", ") -> str:
        """The first choice as one text, "" when the row says nothing."""
        if name not in self.columns:
            return ""
        for _, cell in self.each(name):
            return cell if isinstance(cell, str) else joiner.join(cell)
        return ""

    def texts(self, name: str) -> Iterable[tuple[str, str]]:
        """Every single value with its column, first choice first."""
        return self._texts(name) if name in self.columns else ()

    def _texts(self, name: str) -> Iterator[tuple[str, str]]:
        for column, cell in self.each(name):
            if isinstance(cell, str):
                yield column, cell
            else:
                for value in cell:
                    yield column, value

    def drop(self, column: str, reason: str, value: str) -> None:
        """Note a value that is wrong, such as a negative number of employees."""
        self.problems.append(
            RowProblem(self.row.line, column, reason, value[:_SHOWN], "value dropped")
        )

    def unknown(self, column: str, value: str) -> None:
        """Note a word that we have no place for."""
        self.unrecognised.add(column, value)
