"""The fields of a list of companies or people, declared in ``data``, and the columns mapped to them."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Kind = Literal["accounts", "contacts"]
_USUAL = 95  # percent: how surely a header word says what it says


class FieldDoesNotExist(Exception):
    """A name given to --map is none of the fields."""


class ColumnDoesNotExist(Exception):
    """--map names a column that the file does not have."""


@dataclass(frozen=True)
class Fields:
    """`headers` are squeezed header words, each with the fields it may stand for and the percent it is
    sure of. Of a field with `fallback` the next column may speak where the surest says nothing; all
    columns of a `collected` one count together; of another field one column counts."""

    names: tuple[str, ...]
    synonyms: Mapping[str, str]
    fallback: frozenset[str]
    collected: frozenset[str]
    headers: Mapping[str, tuple[tuple[str, int], ...]]

    def named(self, name: str) -> str:
        """The field of a name or synonym given by a person. Raises FieldDoesNotExist."""
        wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
        if wanted in self.names:
            return wanted
        if wanted in self.synonyms:
            return self.synonyms[wanted]
        raise FieldDoesNotExist(f"{name!r} is not a field; fields: {', '.join(self.names)}.")

    def overrides(self, pairs: Iterable[str]) -> dict[str, str]:
        """`column=field` pairs of the command line; the last "=" parts them, for headers that hold one.

        Raises FieldDoesNotExist.
        """
        found: dict[str, str] = {}
        for pair in pairs:
            column, equals, field = pair.rpartition("=")
            if not equals or not column.strip():
                raise FieldDoesNotExist(f"{pair!r} is not of the form COLUMN=FIELD.")
            if field.strip():
                self.named(field)
            found[column.strip()] = field.strip()
        return found


@cache
def fields_of(kind: Kind) -> Fields:
    """The fields of one kind of list."""
    text = files("sightline.imports").joinpath("data", f"{kind}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    headers: dict[str, list[tuple[str, int]]] = {}
    for field, row in table.items():
        for entry in row.get("headers", "").split():
            word, _, percent = entry.partition(":")
            headers.setdefault(word, []).append((field, int(percent or _USUAL)))
    return Fields(
        tuple(table),
        {word: field for field, row in table.items() for word in row.get("also", "").split()},
        frozenset(field for field, row in table.items() if row.get("fallback")),
        frozenset(field for field, row in table.items() if row.get("collected")),
        {word: tuple(found) for word, found in headers.items()},
    )


@dataclass(frozen=True, slots=True)
class Guess:
    """One column taken for one field. `rank` 0 is the first choice, higher ones are fallbacks."""

    column: str
    field: str
    confidence: float  # 0 to 1
    reason: str
    samples: tuple[str, ...]
    rank: int = 0


@dataclass(frozen=True)
class ColumnMapping:
    """The guesses in the order of the file's columns, and why each other column is not used."""

    guesses: tuple[Guess, ...]
    ignored: tuple[tuple[str, str], ...]  # (column, reason)
    source_system: str | None = None

    def of(self, field: str) -> tuple[Guess, ...]:
        """The columns of a field, first choice first."""
        return tuple(sorted((g for g in self.guesses if g.field == field), key=lambda g: g.rank))

    def names(self) -> dict[str, list[str]]:
        """Field -> columns, first choice first: what makes two imports of a file the same."""
        fields = sorted({guess.field for guess in self.guesses})
        return {field: [guess.column for guess in self.of(field)] for field in fields}
