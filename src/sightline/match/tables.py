"""Records and pairs from CSV files."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sightline.match.records import Candidate

_MAX_CELL: Final = 1_000_000


class FileIsNoTable(ValueError):
    """A file that cannot be read as the CSV that matching needs; the message says why."""


def read_records(path: Path) -> list[Candidate]:
    """The records of a CSV file with the columns id and name. Raises FileIsNoTable."""
    records = []
    for number, row in enumerate(_rows(path, ("id", "name")), 1):
        records.append(_record(row, "", number))
    return records


def read_pairs(path: Path) -> list[tuple[Candidate, Candidate]]:
    """The pairs of a CSV file with the columns left_name and right_name. Raises FileIsNoTable.

    ``left_id`` and ``right_id`` are kept if there are such columns, else the ids are row numbers.
    """
    pairs = []
    for number, row in enumerate(_rows(path, ("left_name", "right_name")), 1):
        pairs.append((_record(row, "left_", number), _record(row, "right_", number)))
    return pairs


def _record(row: dict[str, str], prefix: str, number: int) -> Candidate:
    def cell(name: str) -> str | None:
        return row.get(prefix + name) or None

    return Candidate(
        cell("id") or str(number), cell("name") or "", cell("country"), cell("city"),
        cell("address"), cell("domain"), cell("ticker"), cell("lei"),
    )  # fmt: skip


def _rows(path: Path, needed: tuple[str, ...]) -> Iterator[dict[str, str]]:
    csv.field_size_limit(_MAX_CELL)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(_without_zeros(file))
            present = [(name or "").strip().lower() for name in reader.fieldnames or ()]
            missing = [name for name in needed if name not in present]
            if missing:
                raise FileIsNoTable(f"{path} has no column {' and no column '.join(missing)}.")
            reader.fieldnames = present
            for row in reader:
                # Cells beyond the last column come under the key None, missing ones are None.
                yield {
                    name: (value or "").strip()
                    for name, value in row.items()
                    if name and not isinstance(value, list)
                }
    except UnicodeDecodeError as error:
        raise FileIsNoTable(f"{path} is not UTF-8 text.") from error
    except csv.Error as error:
        raise FileIsNoTable(f"{path} is not a CSV file: {error}.") from error
    except OSError as error:
        raise FileIsNoTable(f"{path} cannot be read: {error.strerror}.") from error


def _without_zeros(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if "\0" in line:
            raise csv.Error("it holds zero bytes")
        yield line
