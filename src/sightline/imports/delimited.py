"""Comma-, tab-, semicolon- and bar-separated text, with or without column names."""

import csv
import io
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TextIO

from sightline.imports.opening import open_text
from sightline.imports.rows import (
    Cell,
    FileIsNotReadable,
    RecordList,
    Row,
    RowProblem,
    Shape,
    clean_cell,
)
from sightline.imports.table import SAMPLE_RECORDS, Layout, layout_of

_DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
_LONGEST_LINE = 1 << 20  # characters; more on one line is no list
_SHOWN = 200


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
        return "a quote is opened but never closed"
    if width is not None and len(cells) != width:
        return "a quote is opened in the wrong place"
    return None


def _ends_inside_quotes(taken: list[str], delimiter: str) -> bool:
    try:
        list(csv.reader(taken, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "end of data" in str(error)
    return False


def _plain(lines: _Lines) -> Iterator[tuple[int, list[str]]]:
    """A list of one column: each line is a value, whatever signs it holds, quotes around it aside."""
    for line in lines:
        lines.taken.clear()
        text = line.strip()
        if len(text) > 1 and text[0] == text[-1] == '"':
            text = text[1:-1].replace('""', '"')
        if text:
            yield lines.number, [text]


def open_delimited(path: Path, sample: str, encoding: str) -> RecordList:
    """Find delimiter, column names and first row from the first part of a text."""
    delimiter, records = _best_delimiter(sample)
    if not records:
        raise FileIsNotReadable(f"{path.name} has no rows.")
    width = _usual_width(records)
    if width == 1:
        lines = _plain(_Lines(io.StringIO(sample, newline="")))
        records = [cells for _, cells in islice(lines, SAMPLE_RECORDS)]
    layout = layout_of(path.name, records, width)

    def read() -> Iterator[Row | RowProblem]:
        with open_text(path, encoding) as stream:
            yield from _rows(_Lines(stream), delimiter, layout)

    shape: Shape = {
        "format": "delimited text",
        "encoding": encoding,
        "delimiter": _DELIMITERS[delimiter] if len(layout.columns) > 1 else "none",
        "header": layout.has_header,
    }
    return RecordList(layout.columns, shape, read)


def _rows(lines: _Lines, delimiter: str, layout: Layout) -> Iterator[Row | RowProblem]:
    """All rows; one with another number of cells than columns is a problem."""
    columns, width = layout.columns, len(layout.columns)
    records = _plain(lines) if width == 1 else _records(lines, delimiter, width=width)
    for record in islice(records, layout.skipped, None):
        if isinstance(record, RowProblem):
            yield record
            continue
        line, cells = record
        if len(cells) != width and (len(cells) < width or any(cells[width:])):
            reason = f"{len(cells)} cells where the file has {width} columns"
            yield RowProblem(line, "", reason, clean_cell(delimiter.join(cells)[:_SHOWN]))
            continue
        pairs = zip(columns, cells, strict=False)
        kept: dict[str, Cell] = {
            name: text for name, cell in pairs if cell and (text := clean_cell(cell))
        }
        if kept:
            yield Row(line, kept)


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
        return ",", [[line] for line in sample.splitlines() if line.strip()][:SAMPLE_RECORDS]
    return best[1], best[2]


def _sampled(sample: str, delimiter: str) -> list[list[str]]:
    records: list[list[str]] = []
    for record in _records(_Lines(io.StringIO(sample, newline="")), delimiter):
        if not isinstance(record, RowProblem):
            records.append([cell.strip() for cell in record[1]])
        if len(records) > SAMPLE_RECORDS:
            break
    return records


def _usual_width(records: Sequence[Sequence[str]]) -> int:
    return Counter(len(cells) for cells in records).most_common(1)[0][0]
