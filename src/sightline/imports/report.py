"""The report of rows and values that could not be used: a CSV file, created when first needed."""

import csv
import os
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from sightline.imports.rows import RowProblem

COLUMNS = ("line", "column", "reason", "value", "effect")
# Cells that a spreadsheet would run as a formula are made plain text.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class ReportCannotBeWritten(Exception):
    """Neither the folder of the file nor the current one takes a report."""


class Report:
    """Writes problems as they come. `path` is None as long as there were none."""

    def __init__(self, source: Path, wanted: Path | None) -> None:
        self._source = source
        self._wanted = wanted
        self._stream: TextIO | None = None
        self.path: Path | None = None

    def add(self, problem: RowProblem) -> None:
        """Append one line."""
        if self._stream is None:
            self.path, self._stream = self._open()
            csv.writer(self._stream).writerow(COLUMNS)
        value = f"'{problem.value}" if problem.value.startswith(_FORMULA) else problem.value
        csv.writer(self._stream).writerow(
            (problem.line, problem.column, problem.reason, value, problem.effect)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._stream is not None:
            self._stream.close()

    def _open(self) -> tuple[Path, TextIO]:
        name = f"{self._source.name}.problems.csv"
        places = (
            [self._wanted] if self._wanted else [self._source.with_name(name), Path.cwd() / name]
        )
        places = [*places] if self._wanted else [*places, Path(tempfile.gettempdir()) / name]
        tried: OSError | None = None
        for place in places:
            if not os.access(place.parent, os.W_OK) and self._wanted is None:
                continue
            try:
                return place, place.open("w", encoding="utf-8", newline="")
            except OSError as error:
                tried = error
        raise ReportCannotBeWritten(
            f"The report cannot be written to {places[0]}: {tried or 'no folder can be written to'}."
            " Name a file with --report."
        )
