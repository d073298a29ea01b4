"""The row types of a list, and its errors."""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

Cell = str | list[str]
Shape = Mapping[str, str | bool]
Effect = Literal["row skipped", "value dropped"]
_SURROGATE = re.compile(r"[\ud800-\udfff]")
READ_ERRORS = (OSError, EOFError, zlib.error, UnicodeError)


class FileIsNotReadable(Exception):
    """The file as a whole cannot be read as a list; the message says why, for a person."""


class FileHasNoCompanies(FileIsNotReadable):
    """The file can be read, but no column can serve as a company name or website."""


class FileHasNoPeople(FileIsNotReadable):
    """The file can be read, but no column holds names, email addresses or profile pages of people."""


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


@dataclass(frozen=True)
class RecordList:
    """An opened list: `columns` in the order of the file, `shape` as it was read (format, encoding,
    delimiter, header, place of the list). `read` goes through the records from the first one on, with
    memory that does not grow; an error of `errors` ends them with one problem."""

    columns: tuple[str, ...]
    shape: Shape
    read: Callable[[], Iterator[Row | RowProblem]]
    errors: tuple[type[Exception], ...] = READ_ERRORS
    damage: str = "the file is damaged from here on"

    def rows(self) -> Iterator[Row | RowProblem]:
        """All records, as often as they are asked for."""
        line = 0
        try:
            for item in self.read():
                line = item.line
                yield item
        except FileIsNotReadable:
            raise
        except self.errors as error:
            yield RowProblem(line + 1, "", f"{self.damage.format(line)}: {error}", "")


def clean_cell(text: str) -> str:
    """A cell without what PostgreSQL or UTF-8 cannot hold, trimmed.

    A byte that was not UTF-8 arrives as a lone surrogate and is read as Windows-1252 instead.
    """
    if "\0" in text:
        text = text.replace("\0", "")
    if not text.isascii():
        text = _SURROGATE.sub(_readable, text)
    return text.strip()


def _readable(found: re.Match[str]) -> str:
    byte = ord(found[0]) - 0xDC00
    if 0x80 <= byte <= 0xFF:
        return bytes([byte]).decode("cp1252", "replace")
    return "\N{REPLACEMENT CHARACTER}"
