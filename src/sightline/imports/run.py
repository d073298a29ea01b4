"""A list file into the accounts of an organization, chunk by chunk.

A chunk of rows is one transaction, which also notes how far the import came. An import that is killed
therefore leaves whole chunks and nothing in between, and the same command run again goes on behind
the last of them.
"""

import asyncio
import hashlib
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.imports.account_row import AccountRow
from sightline.imports.cells import Unrecognised
from sightline.imports.mapping import ColumnMapping, guess_mapping, judge
from sightline.imports.matching import AccountIndex, wanted_by
from sightline.imports.merging import ImportStamp, merge_row
from sightline.imports.normalise import Normaliser
from sightline.imports.reader import open_list
from sightline.imports.report import Report
from sightline.imports.rows import FileIsNotReadable, RecordList, Row, RowProblem
from sightline.imports.undo import Held, changes_of
from sightline.kit.ids import new_id
from sightline.store.account_writes import (
    AccountState,
    begin_bulk_write,
    find_accounts_by,
    write_accounts,
)
from sightline.store.catalogue import find_catalogue_companies
from sightline.store.database import Connection, Database
from sightline.store.import_changes import keep_changes
from sightline.store.imports import (
    ImportProgress,
    begin_import,
    begin_rehearsal,
    finish_import,
    record_progress,
    stage_rehearsal,
)

CHUNK_ROWS = 1000
_SAMPLE_ROWS = 1000
# Raised when the rules of reading change, so that the same file is a new import under them.
_RULES = 1
_KIND = "accounts"


@dataclass(frozen=True)
class ImportOptions:
    """What a person may choose; `overrides` are column -> field, "" to ignore the column."""

    overrides: Mapping[str, str] = field(default_factory=dict)
    sheet: str | None = None
    encoding: str | None = None
    source_system: str | None = None
    report: Path | None = None
    dry_run: bool = False
    chunk_rows: int = CHUNK_ROWS


@dataclass(frozen=True)
class ImportSummary:
    """What came of an import. Each row is counted once: it made an account, changed one, changed
    nothing, or is bad. `dropped` counts single values left out of rows that were taken."""

    file: Path
    shape: Mapping[str, str | bool]
    mapping: ColumnMapping
    rows: int
    created: int
    updated: int
    unchanged: int
    bad: int
    dropped: int
    unrecognised: Mapping[str, list[tuple[str, int]]]  # column -> words we have no place for
    seconds: float
    report: Path | None
    resumed_after: int  # rows that an earlier, cut-off run had done
    dry_run: bool
    problems: tuple[RowProblem, ...]  # the first of them
    notes: tuple[str, ...]  # what was concluded about whole columns
    import_id: UUID | None = None  # what undoes it; None of a dry run


@dataclass(frozen=True)
class _Chunk:
    """The companies of some rows, how many of the rows are bad, and the rows up to its end."""

    rows: list[AccountRow]
    bad: int
    ends_at: int


@dataclass
class _Run:
    """One run over a file: counts as committed, and what the report has seen."""

    normalise: Normaliser
    report: Report
    stamp: ImportStamp
    progress: ImportProgress
    resumed_after: int
    seen: int = 0  # rows read, those committed by an earlier run included
    dropped: int = 0
    problems: list[RowProblem] = field(default_factory=list)

    def note(self, problem: RowProblem) -> None:
        self.report.add(problem)
        self.dropped += problem.effect == "value dropped"
        if len(self.problems) < 20:
            self.problems.append(problem)

    def read(self, items: Iterator[Row | RowProblem], size: int) -> _Chunk | None:
        """The next chunk, None at the end."""
        chunk = list(islice(items, size))
        if not chunk:
            return None
        rows: list[AccountRow] = []
        self.seen += len(chunk)
        for item in chunk:
            if isinstance(item, RowProblem):
                self.note(item)
                continue
            normalised = self.normalise(item)
            for problem in normalised.problems:
                self.note(problem)
            if normalised.account is not None:
                rows.append(normalised.account)
        return _Chunk(rows, bad=len(chunk) - len(rows), ends_at=self.seen)

    async def chunks(
        self, items: Iterator[Row | RowProblem], size: int
    ) -> AsyncGenerator[_Chunk, None]:
        """All chunks; each is read in a thread while the one before it is being written."""
        ahead = asyncio.create_task(asyncio.to_thread(self.read, items, size))
        try:
            while (chunk := await ahead) is not None:
                ahead = asyncio.create_task(asyncio.to_thread(self.read, items, size))
                yield chunk
        finally:
            # The thread cannot be stopped; whoever closes the report must wait for it.
            await asyncio.gather(ahead, return_exceptions=True)


Progress = Callable[[int], None]


async def import_accounts(
    database: Database,
    organization_id: OrganizationId,
    path: Path,
    *,
    options: ImportOptions | None = None,
    progress: Progress | None = None,
) -> ImportSummary:
    """Import a list of companies as accounts. `progress` is told the rows done after each chunk.

    Raises FileIsNotReadable (FileHasNoCompanies) before anything is written, and
    ImportIsRunningElsewhere when the same file is being imported by another process.
    """
    chosen = options or ImportOptions()
    started = time.monotonic()
    listed = open_list(path, judge=judge, sheet=chosen.sheet, encoding=chosen.encoding)
    sample = _sample(listed, path)
    mapping = guess_mapping(
        listed.columns,
        sample,
        overrides=chosen.overrides,
        file_stem=_stem(path),
        source_system=chosen.source_system,
    )
    normaliser = Normaliser(mapping, sample)
    with Report(path, chosen.report) as report:
        job = _Job(database, organization_id, path, listed, mapping, normaliser, report, chosen)
        run = await (job.rehearse if chosen.dry_run else job.write)(progress or (lambda _: None))
    done = run.progress
    return ImportSummary(
        file=path,
        shape=listed.shape,
        mapping=mapping,
        rows=done.rows_done,
        created=done.created,
        updated=done.updated,
        unchanged=done.unchanged,
        bad=done.bad,
        dropped=run.dropped,
        unrecognised=_most_common(normaliser.unrecognised),
        seconds=time.monotonic() - started,
        report=report.path,
        resumed_after=run.resumed_after,
        dry_run=chosen.dry_run,
        problems=tuple(run.problems),
        notes=normaliser.units.notes,
        import_id=None if chosen.dry_run else done.import_id,
    )


@dataclass(frozen=True)
class _Job:
    """Everything a run needs to know before its first row."""

    database: Database
    organization_id: OrganizationId
    path: Path
    listed: RecordList
    mapping: ColumnMapping
    normaliser: Normaliser
    report: Report
    options: ImportOptions

    async def write(self, progress: Progress) -> _Run:
        """Chunk by chunk, each its own transaction."""
        organization_id = self.organization_id
        async with self.database.tenant(organization_id) as connection:
            begun = await begin_import(
                connection,
                organization_id,
                kind=_KIND,
                file_name=self.path.name,
                file_sha256=_digest(self.path),
                options=self._identity(),
            )
        run = self._run(begun)
        async with aclosing(run.chunks(self.listed.rows(), self.options.chunk_rows)) as chunks:
            async for chunk in chunks:
                if chunk.ends_at <= begun.rows_done:
                    continue  # committed by the run that was cut off; read for the report alone
                async with self.database.tenant(organization_id) as connection:
                    await begin_bulk_write(connection, organization_id)
                    after = await self._put(connection, run, chunk)
                    await record_progress(
                        connection, organization_id, before=run.progress, after=after
                    )
                run.progress = after
                progress(after.rows_done)
        async with self.database.tenant(organization_id) as connection:
            await finish_import(connection, organization_id, begun.import_id)
        return run

    async def rehearse(self, progress: Progress) -> _Run:
        """The same on temporary copies, in one transaction; the accounts are only read."""
        run = self._run(ImportProgress(new_id(), 0, 0, 0, 0, 0))
        async with self.database.tenant(self.organization_id) as connection:
            await begin_bulk_write(connection, self.organization_id)
            await begin_rehearsal(connection)
            chunk_rows = self.options.chunk_rows
            async with aclosing(run.chunks(self.listed.rows(), chunk_rows)) as chunks:
                async for chunk in chunks:
                    run.progress = await self._put(connection, run, chunk)
                    progress(run.progress.rows_done)
        return run

    def _run(self, begun: ImportProgress) -> _Run:
        now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        stamp = ImportStamp(str(begun.import_id), now)
        return _Run(self.normaliser, self.report, stamp, begun, resumed_after=begun.rows_done)

    async def _put(self, connection: Connection, run: _Run, chunk: _Chunk) -> ImportProgress:
        """Match, merge and write the companies of one chunk; the progress once it is committed."""
        rows = chunk.rows
        companies = await find_catalogue_companies(
            connection,
            domains={row.domain for row in rows if row.domain},
            tickers={row.ticker for row in rows if row.ticker},
            name_keys={row.name_key for row in rows if row.named},
        )
        wanted = wanted_by(rows, companies)
        if self.options.dry_run:
            await stage_rehearsal(connection, self.organization_id, wanted)
        states = await find_accounts_by(connection, self.organization_id, wanted)
        index = AccountIndex(states, companies)
        held = {state.account_id: Held.of(state) for state in states}
        created = updated = 0
        touched: dict[UUID, AccountState] = {}
        for row in rows:
            state = index.account_of(row)
            is_first = state.is_new and not state.own
            was_changed, state.is_changed = state.is_changed, False
            merge_row(
                state,
                row,
                run.stamp,
                domains=index.free_domains(row, state),
                references=index.free_references(row, state),
            )
            index.learn(state)
            created += is_first
            updated += state.is_changed and not is_first
            state.is_changed |= was_changed
            touched[state.account_id] = state
        await write_accounts(connection, self.organization_id, list(touched.values()))
        await keep_changes(
            connection,
            self.organization_id,
            changes_of(touched.values(), held, import_id=run.progress.import_id),
        )
        before = run.progress
        return replace(
            before,
            rows_done=chunk.ends_at,
            created=before.created + created,
            updated=before.updated + updated,
            unchanged=before.unchanged + len(rows) - created - updated,
            bad=before.bad + chunk.bad,
        )

    def _identity(self) -> dict[str, Any]:
        """What besides the content of the file decides what an import sets."""
        return {
            "rules": _RULES,
            "columns": self.mapping.names(),
            "source_system": self.mapping.source_system,
            "sheet": self.options.sheet,
            **({"encoding": self.options.encoding} if self.options.encoding else {}),
            "chunk_rows": self.options.chunk_rows,
        }


def _sample(listed: RecordList, path: Path) -> list[Row]:
    first = list(islice(listed.rows(), _SAMPLE_ROWS))
    sample = [item for item in first if isinstance(item, Row)]
    if not sample:
        broken = next((item.reason for item in first if isinstance(item, RowProblem)), None)
        reason = f"no readable rows: {broken}" if broken else "column names, but no rows"
        raise FileIsNotReadable(f"{path.name} has {reason}.")
    return sample


def _stem(path: Path) -> str:
    """The name of a file without all its endings."""
    return path.name.partition(".")[0] or path.name


def _digest(path: Path) -> bytes:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()


def _most_common(unrecognised: Unrecognised) -> dict[str, list[tuple[str, int]]]:
    return {column: words.most_common(10) for column, words in unrecognised.by_column.items()}
