"""Reads files in a process that can be killed, so that a hostile list harms only that process.

The process reads a list whole, and writes what its rows say to a temporary file, chunk by chunk. From
there they are taken as often as wanted, by a process that reads no outside bytes.
"""

import asyncio
import pickle
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from sightline.imports import columns
from sightline.imports.contacts_row import ContactReader, ContactRow, default_country
from sightline.imports.fields import ColumnMapping, Kind
from sightline.imports.json_rows import rows_of
from sightline.imports.normalise import Normaliser
from sightline.imports.reader import open_list
from sightline.imports.rows import FileIsNotReadable, RecordList, Row, RowProblem
from sightline.kit.sandbox.pool import ChildDied, Sandbox

READERS: Final = Sandbox(size=1, modules=(__name__,))
"""The process that reads files; none before the first."""
REQUEST_READERS: Final = Sandbox(size=2, modules=(__name__,))
"""The processes that read rows of requests; none before the first."""

T = TypeVar("T")
RowReader = Normaliser | ContactReader
_SAMPLE_ROWS = 1000
_SECONDS = 60.0
_SECONDS_A_MEGABYTE = 30.0  # a megabyte of a packed workbook takes ten
_MOST_COMMON = 10
_WHY = {
    "time": "took more than {seconds:.0f} s of processor time",
    "memory": "took too much memory",
    "crash": "crashed the reader",
    "killed": "was interrupted",
}


@dataclass(frozen=True)
class ImportOptions:
    """What a person may choose; `overrides` are column -> field, "" to ignore the column."""

    overrides: Mapping[str, str] = field(default_factory=dict)
    sheet: str | None = None
    encoding: str | None = None
    source_system: str | None = None  # of companies: whose ids the id column holds
    default_country: str | None = None  # of people: ISO 3166-1 alpha-2, for phone numbers
    report: Path | None = None
    dry_run: bool = False
    chunk_rows: int = 1000


@dataclass(frozen=True)
class Chunk:
    """`size` rows of a list: what the usable ones say, as AccountRow or ContactRow, and what was wrong."""

    size: int
    rows: list[Any]
    problems: list[RowProblem]


@dataclass(frozen=True)
class Head:
    """What is known of a list that was read: how, by which columns, and how many rows it has."""

    shape: Mapping[str, str | bool]
    mapping: ColumnMapping
    rows: int
    unrecognised: Mapping[str, list[tuple[str, int]]]  # column -> words we have no place for
    notes: tuple[str, ...]  # what was concluded about whole columns


@dataclass(frozen=True)
class Spool:
    """A list that was read, in a temporary file."""

    head: Head
    path: Path

    def chunks(self) -> Iterator[Chunk]:
        """All chunks, in the order of the file."""
        with self.path.open("rb") as stream:
            for _ in range(self.head.rows):
                try:
                    yield pickle.load(stream)  # noqa: S301 - written by `_spool`
                except EOFError:
                    return


@contextmanager
def spool_file() -> Iterator[Path]:
    """Where a list may be spooled to; the file goes with the block."""
    with tempfile.NamedTemporaryFile(prefix="sightline-import-") as file:
        yield Path(file.name)


async def spool(path: Path, target: Path, *, kind: Kind, options: ImportOptions) -> Spool:
    """Read a list. Raises FileIsNotReadable, ColumnDoesNotExist, FieldDoesNotExist."""
    given = (_whole(path), target, kind, options)
    seconds = _cpu_seconds(_size(path))
    try:
        head = await READERS.run(_spool, *given, cpu_seconds=seconds)
    except ChildDied as died:
        raise _refusal(path.name, died, seconds) from died
    except asyncio.CancelledError:
        READERS.close()
        raise
    return Spool(head, target)


def read_in_process(function: Callable[[Path], T], path: Path) -> T:
    """What a function that can be imported makes of a file. Raises FileIsNotReadable and its own."""
    seconds = _cpu_seconds(_size(path))
    try:
        return READERS.call(function, _whole(path), cpu_seconds=seconds)
    except ChildDied as died:
        raise _refusal(path.name, died, seconds) from died


@dataclass(frozen=True)
class People:
    """What rows of a request say: of each the contact, None where it is none, and what was wrong."""

    mapping: ColumnMapping
    read: list[tuple[ContactRow | None, list[RowProblem]]]


async def read_people(
    records: Sequence[Mapping[str, Any]],
    *,
    mapping: Mapping[str, str] | None,
    country: str | None,
    size: int,
) -> People:
    """Read rows of a request of `size` bytes. Raises FileIsNotReadable, ColumnDoesNotExist,
    FieldDoesNotExist."""
    seconds = _cpu_seconds(size)
    given = (records, mapping, country)
    try:
        return await REQUEST_READERS.run(_people, *given, cpu_seconds=seconds)
    except ChildDied as died:
        raise _refusal("The list", died, seconds) from died


def _people(
    records: Sequence[Mapping[str, Any]], overrides: Mapping[str, str] | None, country: str | None
) -> People:
    """Runs in the process that can be killed."""
    rows = rows_of(records)
    sample = rows[:_SAMPLE_ROWS]
    mapping = columns.guess_mapping((), sample, kind="contacts", overrides=overrides)
    return People(mapping, list(map(ContactReader(mapping, default_country(country)), rows)))


def _whole(path: Path) -> Path:
    """The path from the root: the process that reads has a folder of its own. Links stay, with their
    names."""
    return path.absolute()


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _cpu_seconds(size: int) -> float:
    """Processor time that reading so many bytes may take."""
    return _SECONDS + _SECONDS_A_MEGABYTE * size / 1_000_000


def _refusal(name: str, died: ChildDied, seconds: float) -> FileIsNotReadable:
    why = _WHY[died.reason].format(seconds=seconds)
    return FileIsNotReadable(f"{name} was not read: reading it {why}.")


@dataclass(frozen=True)
class Opened:
    """A list that is open: which column is taken for what, and what reads a row."""

    listed: RecordList
    mapping: ColumnMapping
    reader: RowReader


def open_mapped(path: Path, kind: Kind, options: ImportOptions) -> Opened:
    """Open a list and map its columns. Runs in the process that can be killed.

    Raises FileIsNotReadable, ColumnDoesNotExist, FieldDoesNotExist.
    """
    judge = partial(columns.judge, kind=kind)
    listed = open_list(path, judge=judge, sheet=options.sheet, encoding=options.encoding)
    sample = _sample(listed, path)
    mapping = columns.guess_mapping(
        listed.columns,
        sample,
        kind=kind,
        overrides=options.overrides,
        file_stem=path.name.partition(".")[0] or path.name,
        source_system=options.source_system,
    )
    if kind == "accounts":
        return Opened(listed, mapping, Normaliser(mapping, sample))
    return Opened(listed, mapping, ContactReader(mapping, options.default_country))


def _spool(path: Path, target: Path, kind: Kind, options: ImportOptions) -> Head:
    """Runs in the process that can be killed."""
    opened = open_mapped(path, kind, options)
    rows = 0
    with target.open("wb") as stream:
        items = opened.listed.rows()
        while chunk := list(islice(items, options.chunk_rows)):
            pickle.dump(read_rows(chunk, opened.reader), stream, protocol=5)
            rows += len(chunk)
    reader = opened.reader
    common = {
        column: words.most_common(_MOST_COMMON)
        for column, words in reader.unrecognised.by_column.items()
    }
    return Head(opened.listed.shape, opened.mapping, rows, common, tuple(reader.notes))


def read_rows(items: Sequence[Row | RowProblem], reader: RowReader) -> Chunk:
    rows, problems = [], []
    for item in items:
        row, wrong = (None, [item]) if isinstance(item, RowProblem) else reader(item)
        problems.extend(wrong)
        if row is not None:
            rows.append(row)
    return Chunk(len(items), rows, problems)


def _sample(listed: RecordList, path: Path) -> list[Row]:
    first = list(islice(listed.rows(), _SAMPLE_ROWS))
    sample = [item for item in first if isinstance(item, Row)]
    if not sample:
        broken = next((item.reason for item in first if isinstance(item, RowProblem)), None)
        reason = f"no readable rows: {broken}" if broken else "column names, but no rows"
        raise FileIsNotReadable(f"{path.name} has {reason}.")
    return sample
