"""The cells of one row by field, and the ones that could not be used."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sightline.imports import shapes
from sightline.imports.fields import ColumnMapping
from sightline.imports.rows import Cell, Row, RowProblem

_DISTINCT_KEPT = 1000  # words per column; a column of free text would fill the memory
_MOST_COMMON = 10
_SHOWN = 120
# A spreadsheet's guard against formulas, as our own exports write it.
_FORMULA_STARTS = ("'=", "'+", "'-", "'@")
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
        self._count(column, word[:_SHOWN], 1)

    def include(self, other: "Unrecognised") -> None:
        """Count the words of another part of the list too."""
        for column, words in other.by_column.items():
            for word, times in words.items():
                self._count(column, word, times)

    def most_common(self) -> dict[str, list[tuple[str, int]]]:
        """The ten words of each column that are there most often, and how often."""
        return {column: words.most_common(_MOST_COMMON) for column, words in self.by_column.items()}

    def _count(self, column: str, word: str, times: int) -> None:
        words = self.by_column.setdefault(column, Counter())
        if word in words or len(words) < _DISTINCT_KEPT:
            words[word] += times


class RowCells:
    """What a row says by field. Values that are dropped gather in `problems`."""

    def __init__(self, reader: "CellReader", row: Row) -> None:
        self.line = row.line
        self.units = reader.units
        self.problems: list[RowProblem] = []
        self._reader = reader
        self._said: dict[str, list[tuple[str, str]]] = {}
        cells = row.cells
        for field_name, column in reader.pairs:
            if cell := cells.get(column):
                kept = [(column, text) for text in _texts(cell) if not shapes.says_nothing(text)]
                if field_name in self._said:
                    self._said[field_name] += kept
                elif kept:
                    self._said[field_name] = kept

    def text(self, name: str, joiner: str = ", ") -> str:
        """The first choice as one text, "" when the row says nothing."""
        said = self._said.get(name)
        if not said:
            return ""
        first = said[0]
        if len(said) == 1:
            return first[1]
        return joiner.join(text for column, text in said if column == first[0])

    def texts(self, name: str) -> Sequence[tuple[str, str]]:
        """Every single value with its column, first choice first."""
        return self._said.get(name, ())

    def drop(self, column: str, reason: str, value: str) -> None:
        """Note a value that is wrong, such as a negative number of employees."""
        self.problems.append(RowProblem(self.line, column, reason, value[:_SHOWN], "value dropped"))

    def refused(self, field_name: str, reason: str, value: str) -> list[RowProblem]:
        """The problem of a row that is none of the list."""
        column = ", ".join(self._reader.columns.get(field_name, ()))
        return [RowProblem(self.line, column, reason, value[:_SHOWN])]

    def unknown(self, column: str, value: str) -> None:
        """Note a word that we have no place for."""
        self._reader.unrecognised.add(column, value)

    def conclude(self, note: str) -> None:
        """Note what was concluded about a whole column."""
        self._reader.notes[note] = None


def _texts(cell: Cell) -> Iterable[str]:
    """The texts of a cell that are not empty, without the guards of a spreadsheet."""
    if isinstance(cell, str) and cell[0] != "'":
        return (cell,)
    values = (cell,) if isinstance(cell, str) else cell
    texts = [value[1:] if value.startswith(_FORMULA_STARTS) else value for value in values]
    return [text for text in texts if text]


class CellReader:
    """Sees rows through a mapping. `unrecognised` and `notes` gather what is to be said of whole columns,
    `units` are what bare amounts of a column are multiplied by."""

    def __init__(self, mapping: ColumnMapping) -> None:
        self.columns = mapping.names()
        self.pairs = [(name, column) for name, these in self.columns.items() for column in these]
        self.unrecognised = Unrecognised()
        self.notes: dict[str, None] = {}
        self.units: Mapping[str, int] = {}
