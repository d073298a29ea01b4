"""Excel workbooks (.xlsx), read row by row."""

import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from sightline.imports.opening import open_bytes
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

_MOST_STRINGS = 64 << 20  # bytes of a part beside the sheets: the table of texts is held whole
_MOST_UNPACKED = 1 << 30  # bytes of all parts of a workbook
_LARGEST_PACKED = 256 << 20  # bytes of a gzipped workbook; it must be unpacked whole to be opened


def open_excel(path: Path, sheet: str | None) -> RecordList:
    """Open a sheet: the named one, else the first that has rows."""
    try:
        with _workbook(path) as book:
            names = [worksheet.title for worksheet in book.worksheets]
            if sheet is not None and sheet not in names:
                raise FileIsNotReadable(
                    f"{path.name} has no sheet {sheet!r}; it has: {', '.join(names)}."
                )
            for name in [sheet] if sheet is not None else names:
                sample = list(islice(_cells(book[name]), SAMPLE_RECORDS))
                if width := max(map(_filled, sample), default=0):
                    return _list(path, name, layout_of(path.name, sample, width))
    except FileIsNotReadable:
        raise
    except Exception as error:  # openpyxl raises whatever its XML parsing runs into
        raise FileIsNotReadable(
            f"{path.name} is not a readable .xlsx workbook: {error}."
        ) from error
    raise FileIsNotReadable(f"{path.name} is empty.")


def _list(path: Path, sheet: str, layout: Layout) -> RecordList:
    def read() -> Iterator[Row | RowProblem]:
        """All rows that are not blank, with their number in the sheet."""
        with _workbook(path) as book:
            rows = enumerate(_cells(book[sheet]), start=1)
            for number, cells in islice(rows, layout.skipped, None):
                pairs = zip(layout.columns, cells, strict=False)
                kept: dict[str, Cell] = {name: text for name, text in pairs if text}
                if kept:
                    yield Row(number, kept)

    shape: Shape = {"format": "Excel", "sheet": sheet, "header": layout.has_header}
    return RecordList(
        layout.columns, shape, read, (Exception,), "the workbook is damaged from here on"
    )


def _filled(cells: list[str]) -> int:
    return max((index for index, cell in enumerate(cells, start=1) if cell), default=0)


@contextmanager
def _workbook(path: Path) -> Iterator[Any]:
    import openpyxl  # a tenth of a second, that most processes never need

    with warnings.catch_warnings():
        # Styles and validations openpyxl does not know are of no concern to a reader of values.
        warnings.simplefilter("ignore")
        with path.open("rb") as stream:
            packed = stream.read(2) == b"\x1f\x8b"
        source: BinaryIO = open_bytes(path)
        with source:
            if packed and source.seek(_LARGEST_PACKED) == _LARGEST_PACKED:
                raise FileIsNotReadable(
                    f"{path.name} is too large compressed; decompress it first."
                )
            source.seek(0)
            if not zipfile.is_zipfile(source):
                raise FileIsNotReadable(f"{path.name} is a damaged or truncated .xlsx workbook.")
            _refuse_size(path, source)
            source.seek(0)
            book = openpyxl.load_workbook(source, read_only=True, data_only=True)
            try:
                yield book
            finally:
                book.close()


def _refuse_size(path: Path, source: BinaryIO) -> None:
    """Raise FileIsNotReadable for a workbook that is small only while it is packed. No more than the
    sizes that its directory says is ever unpacked."""
    with zipfile.ZipFile(source) as packed:
        parts = {part.filename.lower(): part.file_size for part in packed.infolist()}
    strings = max((size for name, size in parts.items() if "worksheets/" not in name), default=0)
    if strings > _MOST_STRINGS or sum(parts.values()) > _MOST_UNPACKED:
        raise FileIsNotReadable(
            f"{path.name} unpacks to {sum(parts.values()) / 1e6:,.0f} MB, of which"
            f" {strings / 1e6:,.0f} MB are texts; this is too large for a workbook. Save it as CSV."
        )


def _cells(worksheet: Any) -> Iterator[list[str]]:
    for row in worksheet.iter_rows(values_only=True):
        yield [_text(value) for value in row]


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    return clean_cell(str(value))
