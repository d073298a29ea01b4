"""Records and pairs from CSV files."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sightline.match.records import Candidate

_MAX_CELL: Final = 1_000_000
_ESCAPED: Final = re.compile("[\udc80-\udcff]")  # a byte that is not UTF-8
_FIELDS: Final = ("id", "name", "country", "city", "address", "domain", "ticker", "lei")


class FileIsNoTable(ValueError):
    """A file that cannot be read as the CSV that matching needs; the message says why."""


def read_records(path: Path) -> list[Candidate]:
    """The records of a CSV file with the columns id and name. Raises FileIsNoTable."""
    names, rows = _rows(path, ("id", "name"))
    columns = _columns(names, "")
    return [_record(row, columns, number) for number, row in enumerate(rows, 1)]


def read_pairs(path: Path) -> list[tuple[Candidate, Candidate]]:
    """The pairs of a CSV file with the columns left_name and right_name. Raises FileIsNoTable.

    ``left_id`` and ``right_id`` are kept if there are such columns, else the ids are row numbers.
    """
    names, rows = _rows(path, ("left_name", "right_name"))
    left, right = _columns(names, "left_"), _columns(names, "right_")
    return [
        (_record(row, left, number), _record(row, right, number))
        for number, row in enumerate(rows, 1)
    ]


def _columns(names: list[str], prefix: str) -> list[int]:
    """Where each of _FIELDS stands in a row; -1 where a file lacks it."""
    places = {name: place for place, name in enumerate(names)}
    return [places.get(prefix + field, -1) for field in _FIELDS]


def _record(row: list[str], columns: list[int], number: int) -> Candidate:
    width = len(row)
    # A row may be shorter than the heading.
    cells = [row[place].strip() if -1 < place < width else "" for place in columns]
    id_, name, country, city, address, domain, ticker, lei = cells
    return Candidate(
        id_ or str(number), name, country or None, city or None, address or None, domain or None,
        ticker or None, lei or None,
    )  # fmt: skip


def _rows(path: Path, needed: tuple[str, ...]) -> tuple[list[str], list[list[str]]]:
    """The names of the columns, and the rows that are not empty. Bytes that are not UTF-8 are read as
    Windows-1252, as most lists that are not UTF-8 are written."""
    try:
        return _read(path, needed, errors="strict")
    except UnicodeDecodeError:
        return _read(path, needed, errors="surrogateescape")


def _read(path: Path, needed: tuple[str, ...], *, errors: str) -> tuple[list[str], list[list[str]]]:
    csv.field_size_limit(_MAX_CELL)
    number = 1
    try:
        with path.open(encoding="utf-8-sig", errors=errors, newline="") as file:
            reader = csv.reader(_readable(file, escaped=errors != "strict"))
            present = [name.strip().lower() for name in next(reader, ())]
            missing = [name for name in needed if name not in present]
            if missing:
                raise FileIsNoTable(f"{path} has no column {' and no column '.join(missing)}.")
            rows = []
            for row in reader:
                number = reader.line_num + 1
                if row:
                    rows.append(row)
            return present, rows
    except csv.Error as error:
        raise FileIsNoTable(
            f"{path} cannot be read as CSV from line {number} on: {error}."
        ) from error
    except OSError as error:
        raise FileIsNoTable(f"{path} cannot be read: {error.strerror}.") from error


def _readable(lines: Iterator[str], *, escaped: bool) -> Iterator[str]:
    for line in lines:
        text = _ESCAPED.sub(_windows, line) if escaped else line
        yield text.replace("\0", "") if "\0" in text else text


def _windows(found: re.Match[str]) -> str:
    return bytes([ord(found[0]) - 0xDC00]).decode("cp1252", "replace")
