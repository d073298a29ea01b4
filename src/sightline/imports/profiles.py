"""Statistics of the values in one column."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from sightline.imports import shapes
from sightline.imports.rows import Cell, Row

_VALUES_KEPT = 300


@dataclass(frozen=True)
class Column:
    """A column with the values of the sample that say something, in the order of the file."""

    name: str
    values: tuple[str, ...]
    rows_filled: int
    is_list: bool

    def share(self, test: Callable[[str], bool]) -> float:
        """The part of the values that pass a test, 0 to 1; 0 when there are none."""
        return sum(map(test, self.values)) / len(self.values) if self.values else 0.0

    @cached_property
    def distinct(self) -> float:
        """Different values per value, 0 to 1."""
        return len(set(self.values)) / len(self.values) if self.values else 0.0

    @cached_property
    def mean_length(self) -> float:
        """Characters per value."""
        return sum(map(len, self.values)) / len(self.values) if self.values else 0.0

    @cached_property
    def is_numeric(self) -> bool:
        """Most values are plain numbers."""
        return self.share(shapes.is_number) >= 0.6

    @cached_property
    def is_prose_free(self) -> bool:
        """No addresses, emails, dates, identifiers: text that may be a name or a word."""
        return (
            self.share(shapes.is_url) < 0.3
            and self.share(shapes.is_email) < 0.3
            and self.share(shapes.is_date) < 0.5
            and self.share(shapes.is_uuid) < 0.3
        )

    @property
    def samples(self) -> tuple[str, ...]:
        """Up to three different values, shortened, to show to a person."""
        return tuple(value[:60] for value in list(dict.fromkeys(self.values))[:3])


def columns_of(names: Iterable[str], rows: Sequence[Row]) -> list[Column]:
    """A column per name, with its values in the rows."""
    return [_column(name, rows) for name in names]


def _column(name: str, rows: Sequence[Row]) -> Column:
    values: list[str] = []
    filled = 0
    is_list = False
    for row in rows:
        cell: Cell | None = row.cells.get(name)
        if not cell:
            continue
        is_list = is_list or isinstance(cell, list)
        said = [
            v for v in (cell if isinstance(cell, list) else [cell]) if not shapes.says_nothing(v)
        ]
        filled += bool(said)
        if len(values) < _VALUES_KEPT:
            values.extend(said[:10])
    return Column(name, tuple(values), filled, is_list)
