"""Reads files in a process that can be killed, so that a hostile list harms only that process.

The process reads a list whole, and writes its rows to a temporary file, chunk by chunk: so it is known
how many there are, and that they can be read, before the first is imported. What a chunk says is
worked out when it is wanted, and of the next one meanwhile (decision 0099).
"""

import asyncio
import pickle
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from sightline.imports import columns
from sightline.imports.cells import Unrecognised
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
    """A list that was read: how, by which columns, how many rows it has, where in the temporary file each
    chunk of them begins, what reads them, and the processor seconds it took."""

    shape: Mapping[str, str | bool]
    mapping: ColumnMapping
    rows: int
    begins: list[int]
    reader: RowReader
    seconds: float


@dataclass(frozen=True)
class _Piece:
    """What a chunk says, and what of it is to be said of whole columns; `seconds` as in `Head`."""

    chunk: Chunk
    unrecognised: Unrecognised
    notes: dict[str, None]
    seconds: float


@dataclass
class Spool:
    """A list whose rows are in a temporary file. `seconds` of processor time are left to read them.

    `rows`, `unrecognised` and `notes` are of the chunks that were taken.
    """

    name: str
    path: Path
    head: Head
    seconds: float
    rows: int = 0
    unrecognised: Unrecognised = field(default_factory=Unrecognised)
    notes: dict[str, None] = field(default_factory=dict)

    async def chunks(self) -> AsyncGenerator[Chunk]:
        """All chunks, in the order of the file. While one is in use the next is read, and no more.

        Raises FileIsNotReadable where reading one takes too much, or ends its process.
        """
        reads = map(self._read, self.head.begins)
        ahead = next(reads, None)
        try:
            while ahead is not None:
                chunk = await self._taken(ahead)
                ahead = next(reads, None)
                yield chunk
        finally:
            if ahead is not None:
                ahead.cancel()
                await asyncio.gather(ahead, return_exceptions=True)

    def _read(self, begin: int) -> asyncio.Task[_Piece]:
        given = (self.path, begin, self.head.reader)
        return asyncio.create_task(READERS.run(_read_chunk, *given, cpu_seconds=self.seconds))

    async def _taken(self, reading: asyncio.Task[_Piece]) -> Chunk:
        try:
            piece = await reading
        except ChildDied as died:
            raise _refusal(self.name, died, self.seconds, beyond=self.rows) from died
        except asyncio.CancelledError:
            READERS.close()
            raise
        self.seconds = max(self.seconds - piece.seconds, 1.0)
        self.rows += piece.chunk.size
        self.unrecognised.include(piece.unrecognised)
        self.notes |= piece.notes
        return piece.chunk


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
    return Spool(path.name, target, head, seconds - head.seconds)


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


def _refusal(name: str, died: ChildDied, seconds: float, *, beyond: int = 0) -> FileIsNotReadable:
    why = _WHY[died.reason].format(seconds=seconds)
    place = f" beyond row {beyond:,}" if beyond else ""
    return FileIsNotReadable(f"{name} was not read{place}: reading it {why}.")


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
    began = time.process_time()
    opened = open_mapped(path, kind, options)
    rows, begins = 0, []
    with target.open("wb") as stream:
        items = opened.listed.rows()
        while chunk := list(islice(items, options.chunk_rows)):
            begins.append(stream.tell())
            plain = [(item.line, item.cells) if isinstance(item, Row) else item for item in chunk]
            pickle.dump(plain, stream, protocol=5)  # of tuples, a third of the time
            rows += len(chunk)
    seconds = time.process_time() - began
    return Head(opened.listed.shape, opened.mapping, rows, begins, opened.reader, seconds)


def _read_chunk(target: Path, begin: int, reader: RowReader) -> _Piece:
    """Runs in the process that can be killed; `reader` is a copy that has read nothing."""
    began = time.process_time()
    with target.open("rb") as stream:
        stream.seek(begin)
        plain = pickle.load(stream)  # noqa: S301 - written by `_spool`
    items = [item if isinstance(item, RowProblem) else Row(*item) for item in plain]
    chunk = read_rows(items, reader)
    return _Piece(chunk, reader.unrecognised, reader.notes, time.process_time() - began)


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
