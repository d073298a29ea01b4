"""Previews an import from the first rows of a list."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from sightline.imports.fields import ColumnMapping, Kind
from sightline.imports.reader import open_list
from sightline.imports.rows import (
    Cell,
    FileHasNoCompanies,
    FileHasNoPeople,
    Row,
    RowProblem,
)
from sightline.imports.spool import ImportOptions, open_mapped, read_in_process, read_rows

_ROWS: Final = 200  # whose problems are shown
_SHOWN: Final = 8


@dataclass(frozen=True)
class Preview:
    """`mapping` is None where no column can be who a row is about: `refusal` then says what is missing.
    `problems` are those of the first rows."""

    shape: Mapping[str, str | bool]
    columns: tuple[str, ...]
    rows: list[dict[str, Cell]]
    mapping: ColumnMapping | None
    refusal: str | None
    notes: tuple[str, ...]
    unrecognised: Mapping[str, list[str]]
    problems: list[RowProblem]


async def preview(path: Path, *, kind: Kind, options: ImportOptions) -> Preview:
    """Look at a list. Raises FileIsNotReadable, ColumnDoesNotExist, FieldDoesNotExist."""
    look = partial(_preview, kind=kind, options=options)
    return await asyncio.to_thread(read_in_process, look, path)


def _preview(path: Path, *, kind: Kind, options: ImportOptions) -> Preview:
    """Runs in the process that can be killed."""
    try:
        opened = open_mapped(path, kind, options)
    except (FileHasNoCompanies, FileHasNoPeople) as error:
        return _unmapped(path, options, str(error))
    first = list(islice(opened.listed.rows(), _ROWS))
    problems = read_rows(first, opened.reader).problems
    return Preview(
        opened.listed.shape,
        opened.listed.columns,
        _cells(first),
        opened.mapping,
        None,
        tuple(opened.reader.notes),
        {
            column: [*words][:_SHOWN]
            for column, words in opened.reader.unrecognised.by_column.items()
        },
        problems,
    )


def _unmapped(path: Path, options: ImportOptions, refusal: str) -> Preview:
    listed = open_list(path, judge=lambda _: 1, sheet=options.sheet, encoding=options.encoding)
    first = list(islice(listed.rows(), _SHOWN))
    return Preview(listed.shape, listed.columns, _cells(first), None, refusal, (), {}, [])


def _cells(items: list[Row | RowProblem]) -> list[dict[str, Cell]]:
    return [item.cells for item in items if isinstance(item, Row)][:_SHOWN]
