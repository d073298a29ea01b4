"""What a list gives row by row, and what can go wrong with it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

Cell = str | list[str]
Effect = Literal["row skipped", "value dropped"]


class FileIsNotReadable(Exception):
    """The file as a whole cannot be read as a list; the message says why, for a person."""


class FileHasNoCompanies(FileIsNotReadable):
    """The file can be read, but no column can serve as a company name or website."""


class FileHasNoPeople(FileIsNotReadable):
    """The file can be read, but no column holds names, e-mail addresses or profile pages of people."""


@dataclass(frozen=True, slots=True)
class Row:
    """One record: `line` is the first line of it in a text file, its row in a sheet, or the position
    (from 1) in a JSON array. Cells that are empty are left out of `cells`."""

    line: int
    cells: dict[str, Cell]


@dataclass(frozen=True, slots=True)
class RowProblem:
    """One thing of a row that could not be used, as it stands in the report."""

    line: int
    column: str
    reason: str
    value: str
    effect: Effect = "row skipped"


class RecordList(Protocol):
    """An opened list: its shape, and its records as often as they are asked for."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names in the order of the file."""

    @property
    def shape(self) -> Mapping[str, str | bool]:
        """How the file was read (format, encoding, delimiter, header, place of the list)."""

    def rows(self) -> Iterator[Row | RowProblem]:
        """All records from the first one on, with memory that does not grow."""


def clean_cell(text: str) -> str:
    """A cell without what PostgreSQL or UTF-8 cannot hold, trimmed.

    A byte that was not UTF-8 arrives as a lone surrogate and is read as Windows-1252 instead.
    """
    if "\0" in text:
        text = text.replace("\0", "")
    if not text.isascii():
        text = "".join(_readable(character) for character in text) if _has_surrogate(text) else text
    return text.strip()


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _readable(character: str) -> str:
    if not "\ud800" <= character <= "\udfff":
        return character
    byte = ord(character) - 0xDC00
    return (
        bytes([byte]).decode("cp1252", "replace")
        if 0x80 <= byte <= 0xFF
        else "\N{REPLACEMENT CHARACTER}"
    )
