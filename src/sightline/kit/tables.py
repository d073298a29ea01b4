"""Writes rows as CSV, JSON Lines, Excel or Parquet in pieces, with constant memory."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Literal, Protocol

Format = Literal["csv", "jsonl", "parquet", "xlsx"]
Kind = Literal["text", "integer", "number", "boolean", "list"]
Row = Mapping[str, Any]

MEDIA_TYPES: dict[Format, str] = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
MOST_SHEET_ROWS = 1_000_000  # a sheet of Excel has 1,048,576
_LONGEST_CELL = 32_767
# What a spreadsheet would run, or take for the start of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class TableWriter(Protocol):
    """Takes rows and gives back the bytes that they make; `finish` gives the last ones."""

    def add(self, rows: Sequence[Row]) -> bytes: ...

    def finish(self) -> bytes: ...


def table_writer(form: Format, columns: Mapping[str, Kind]) -> TableWriter:
    """A writer of one table. JSON Lines takes rows as they are; the others take the columns."""
    if form == "csv":
        return _Csv(columns)
    if form == "parquet":
        return _Parquet(columns)
    if form == "xlsx":
        return _Workbook(columns)
    return _JsonLines()


class _JsonLines:
    def add(self, rows: Sequence[Row]) -> bytes:
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()

    def finish(self) -> bytes:
        return b""


class _Csv:
    def __init__(self, columns: Mapping[str, Kind]) -> None:
        self._columns = columns
        self._buffer = io.StringIO(newline="")
        self._writer = csv.writer(self._buffer)
        self._writer.writerow(columns)

    def add(self, rows: Sequence[Row]) -> bytes:
        for row in rows:
            self._writer.writerow([safe_cell(row.get(name)) for name in self._columns])
        return self.finish()

    def finish(self) -> bytes:
        text = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        return text.encode()


def safe_cell(value: Any) -> str | int | float:
    """A value as a cell that no spreadsheet runs: texts that could be formulas begin with '."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return value
    text = _as_text(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False) if value else ""


class _Parquet:
    def __init__(self, columns: Mapping[str, Kind]) -> None:
        # Heavy, and needed for this form alone.
        pyarrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
        kinds = {
            "text": pyarrow.string(),
            "integer": pyarrow.int64(),
            "number": pyarrow.float64(),
            "boolean": pyarrow.bool_(),
            "list": pyarrow.list_(pyarrow.string()),
        }
        self._columns = columns
        self._schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
        self._arrow = pyarrow
        self._buffer = io.BytesIO()
        # The writer asks where it stands, so it keeps its own count of what was taken away.
        self._sink = pyarrow.PythonFile(_Drained(self._buffer), mode="w")
        self._writer = parquet.ParquetWriter(self._sink, self._schema, compression="zstd")

    def add(self, rows: Sequence[Row]) -> bytes:
        arrays = [
            self._arrow.array(
                [_typed(row.get(n), kind) for row in rows], self._schema.field(n).type
            )
            for n, kind in self._columns.items()
        ]
        self._writer.write_batch(self._arrow.RecordBatch.from_arrays(arrays, schema=self._schema))
        return self._take()

    def finish(self) -> bytes:
        self._writer.close()
        return self._take()

    def _take(self) -> bytes:
        self._sink.flush()
        content = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        return content


class _Workbook:
    """One sheet after another, each with the column names; rows wait in files of the library."""

    def __init__(self, columns: Mapping[str, Kind]) -> None:
        openpyxl: Any = import_module("openpyxl")  # a tenth of a second, for this form alone
        self._columns = columns
        self._book = openpyxl.Workbook(write_only=True)
        self._sheet: Any = None
        self._left = 0

    def add(self, rows: Sequence[Row]) -> bytes:
        for row in rows:
            if not self._left:
                self._begin()
            self._sheet.append([_sheet_cell(row.get(name)) for name in self._columns])
            self._left -= 1
        return b""

    def finish(self) -> bytes:
        if self._sheet is None:
            self._begin()
        buffer = io.BytesIO()
        self._book.save(buffer)
        return buffer.getvalue()

    def _begin(self) -> None:
        self._sheet = self._book.create_sheet()
        self._sheet.freeze_panes = "A2"
        self._sheet.append(list(self._columns))
        self._left = MOST_SHEET_ROWS


def _sheet_cell(value: Any) -> str | int | float | bool:
    """As `safe_cell`; without the characters that no sheet may hold."""
    cell = value if isinstance(value, bool) else safe_cell(value)
    if not isinstance(cell, str):
        return cell
    return "".join(c for c in cell if c >= " " or c in "\t\n")[:_LONGEST_CELL]


class _Drained(io.RawIOBase):
    """A file whose content is removed while it is written; it still says how far it came."""

    def __init__(self, buffer: io.BytesIO) -> None:
        self._buffer = buffer
        self._position = 0

    def write(self, data: Any) -> int:
        written = self._buffer.write(bytes(data))
        self._position += written
        return written

    def tell(self) -> int:
        return self._position

    def writable(self) -> bool:
        return True


def _typed(value: Any, kind: Kind) -> Any:
    if value is None:
        return None
    if kind == "text":
        return _as_text(value)
    if kind == "list":
        return [_as_text(each) for each in value]
    if kind == "number":
        return float(value)
    return value
