"""Comma-, tab-, semicolon- and bar-separated text, with or without column names."""

import csv
import io
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TextIO

from sightline.imports.headers import knows_header
from sightline.imports.opening import READ_ERRORS, open_text
from sightline.imports.rows import Cell, FileIsNotReadable, Row, RowProblem, clean_cell
from sightline.imports.shapes import looks_like_data

_DELIMITERS = (",", "\t", ";", "|")
_SAMPLE_RECORDS = 60
_LONGEST_LINE = 1 << 20  # characters; more on one line is no list
_PREFACE = 15  # lines of titles and notes that may stand above the column names
_SHOWN = 200
_MOST_COLUMNS = 2_000


class _Lines:
    """The lines of a stream, countable, with a way to hand some back to be read again."""

    def __init__(self, stream: TextIO) -> None:
        self.number = 0
        self.taken: list[str] = []
        self.ended = False
        self._stream = stream
        self._returned: deque[str] = deque()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._returned.popleft() if self._returned else self._stream.readline(_LONGEST_LINE)
        if not line:
            self.ended = True
            raise StopIteration
        if len(line) >= _LONGEST_LINE and line[-1] not in "\r\n":
            raise FileIsNotReadable(f"Line {self.number + 1} is longer than a million characters.")
        self.number += 1
        self.taken.append(line)
        return line.replace("\0", "") if "\0" in line else line

    def hand_back(self) -> None:
        """Keep the first line of the record and give all later ones back."""
        later = self.taken[1:]
        self.number -= len(later)
        self._returned.extendleft(reversed(later))
        self.ended = False


def _records(
    lines: _Lines, delimiter: str, *, width: int | None = None
) -> Iterator[tuple[int, list[str]] | RowProblem]:
    """Records with the number of their first line; a quote that never closes costs one line."""
    while True:
        reader = csv.reader(lines, delimiter=delimiter)
        while True:
            start = lines.number + 1
            lines.taken.clear()
            try:
                cells = next(reader, None)
                reason = _fault(cells, lines, delimiter, width)
            except csv.Error as error:
                cells, reason = [], f"not readable as a row: {error}"
            if reason:
                shown = (lines.taken[0] if lines.taken else "").strip()[:_SHOWN]
                yield RowProblem(start, "", reason, clean_cell(shown))
                lines.hand_back()
                break
            if cells is None:
                return
            if any(cells):
                yield start, cells


def _fault(cells: list[str] | None, lines: _Lines, delimiter: str, width: int | None) -> str | None:
    if cells is None or len(lines.taken) < 2:
        return None
    if lines.ended and _ends_inside_quotes(lines.taken, delimiter):
        return "a quote is opened and never closed"
    if width is not None and len(cells) != width:
        return "a quote is opened in the wrong place"
    return None


def _ends_inside_quotes(taken: list[str], delimiter: str) -> bool:
    try:
        list(csv.reader(taken, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "end of data" in str(error)
    return False


@dataclass(frozen=True)
class DelimitedList:
    """A text file whose layout is known."""

    path: Path
    encoding: str
    delimiter: str
    columns: tuple[str, ...]
    has_header: bool
    skipped: int  # records above the first row: titles and the column names

    @property
    def shape(self) -> Mapping[str, str | bool]:
        """Format, encoding, delimiter and whether the first row names the columns."""
        names = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
        return {
            "format": "delimited text",
            "encoding": self.encoding,
            "delimiter": names[self.delimiter] if len(self.columns) > 1 else "none",
            "header": self.has_header,
        }

    def rows(self) -> Iterator[Row | RowProblem]:
        """All rows; one with another number of cells than columns is a problem."""
        number = 0
        try:
            with open_text(self.path, self.encoding) as stream:
                lines = _Lines(stream)
                for item in self._items(lines):
                    number = lines.number
                    yield item
        except READ_ERRORS as error:
            yield RowProblem(number + 1, "", f"the file is damaged from here on: {error}", "")

    def _items(self, lines: _Lines) -> Iterator[Row | RowProblem]:
        columns, width = self.columns, len(self.columns)
        records = _plain(lines) if width == 1 else _records(lines, self.delimiter, width=width)
        for record in islice(records, self.skipped, None):
            if isinstance(record, RowProblem):
                yield record
                continue
            line, cells = record
            if len(cells) != width and (len(cells) < width or any(cells[width:])):
                shown = self.delimiter.join(cells)[:_SHOWN]
                reason = f"{len(cells)} cells where the file has {width} columns"
                yield RowProblem(line, "", reason, clean_cell(shown))
                continue
            pairs = zip(columns, cells, strict=False)
            kept: dict[str, Cell] = {
                name: text for name, cell in pairs if cell and (text := clean_cell(cell))
            }
            if kept:
                yield Row(line, kept)


def _plain(lines: _Lines) -> Iterator[tuple[int, list[str]]]:
    """A list of one column: each line is a value, whatever signs it holds, quotes around it aside."""
    for line in lines:
        lines.taken.clear()
        text = line.strip()
        if len(text) > 1 and text[0] == text[-1] == '"':
            text = text[1:-1].replace('""', '"')
        if text:
            yield lines.number, [text]


def open_delimited(path: Path, sample: str, encoding: str) -> DelimitedList:
    """Find delimiter, column names and first row from the first part of a text."""
    delimiter, records = _best_delimiter(sample)
    if not records:
        raise FileIsNotReadable(f"{path.name} has no rows.")
    width = _usual_width(records)
    refuse_width(path, width)
    if width == 1:
        records = [cells for _, cells in _plain(_Lines(io.StringIO(sample, newline="")))]
        records = records[:_SAMPLE_RECORDS]
    top = _first_full(records, width)
    first, below = records[top], records[top + 1 :]
    has_header = _is_header(first, below)
    width = max(width, len(first)) if has_header else width
    refuse_width(path, width)
    columns = column_names(first if has_header else [""] * width)
    return DelimitedList(
        path, encoding, delimiter, columns, has_header, skipped=top + 1 if has_header else top
    )


def refuse_width(path: Path, width: int) -> None:
    """Raise FileIsNotReadable for more columns than a list of companies or people has."""
    if width > _MOST_COLUMNS:
        raise FileIsNotReadable(
            f"{path.name} has {width:,} columns; at most {_MOST_COLUMNS:,} can be read."
        )


def _best_delimiter(sample: str) -> tuple[str, list[list[str]]]:
    best: tuple[float, str, list[list[str]]] = (0.0, ",", [])
    for delimiter in _DELIMITERS:
        records = _sampled(sample, delimiter)
        if not records:
            continue
        width = _usual_width(records)
        alike = sum(len(cells) == width for cells in records) / len(records)
        # A sign that parts most lines into the same number of cells is the delimiter; commas within
        # a plain list of names part them differently.
        score = alike * (1 + width / 100) if width > 1 and alike >= 0.6 else 0.01
        if score > best[0]:
            best = (score, delimiter, records)
    if best[0] <= 0.01:
        return ",", [[line] for line in sample.splitlines() if line.strip()][:_SAMPLE_RECORDS]
    return best[1], best[2]


def _sampled(sample: str, delimiter: str) -> list[list[str]]:
    records: list[list[str]] = []
    for record in _records(_Lines(io.StringIO(sample, newline="")), delimiter):
        if not isinstance(record, RowProblem):
            records.append([cell.strip() for cell in record[1]])
        if len(records) > _SAMPLE_RECORDS:
            break
    return records


def _usual_width(records: Sequence[Sequence[str]]) -> int:
    return Counter(len(cells) for cells in records).most_common(1)[0][0]


def _first_full(records: Sequence[Sequence[str]], width: int) -> int:
    """Where the table begins below titles and notes: the first row with most cells filled."""
    if width < 2:
        return 0
    for index, cells in enumerate(records[:_PREFACE]):
        if sum(1 for cell in cells if cell) >= max(2, 0.6 * width):
            return index
    return 0


def _is_header(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a row names columns: it holds no data itself, and its words are known or the cells
    under it are of another kind."""
    filled = [cell for cell in first if cell]
    if not filled or any(looks_like_data(cell) for cell in filled):
        return False
    if any(len(cell) > 100 for cell in filled):
        return False
    known = sum(knows_header(cell) for cell in filled)
    if known and known >= min(2, len(filled)):
        return True
    typed = 0
    for index, cell in enumerate(first):
        under = [cells[index] for cells in below if index < len(cells) and cells[index]]
        if cell and under and sum(map(looks_like_data, under)) >= 0.8 * len(under):
            typed += 1
    return bool(typed) and (known > 0 or len(set(filled)) == len(filled))


def column_names(cells: Sequence[str]) -> tuple[str, ...]:
    """Names for columns: as given, numbered where empty or given twice."""
    names: list[str] = []
    for index, cell in enumerate(cells, start=1):
        base = " ".join(clean_cell(cell).split())[:100] or f"column {index}"
        name, copy = base, 2
        while name in names:
            name, copy = f"{base} ({copy})", copy + 1
        names.append(name)
    return tuple(names)


is_header = _is_header
first_full = _first_full
