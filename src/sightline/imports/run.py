"""Imports a list file into an organization's accounts or contacts, chunk by chunk.

A chunk of rows is one transaction, which also notes how far the import came. An import that is killed
therefore leaves whole chunks and nothing in between, and the same command run again goes on behind
the last of them. A file imported twice changes nothing the second time.
"""

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.imports.contacts_row import default_country
from sightline.imports.fields import ColumnMapping, Kind
from sightline.imports.merging import ImportStamp
from sightline.imports.report import Report
from sightline.imports.rows import RowProblem
from sightline.imports.spool import Chunk, ImportOptions, Spool, spool, spool_file
from sightline.imports.writing import AccountWriter, ContactWriter, Writer
from sightline.kit.clock import now, rfc3339
from sightline.store.database import Database, Tenant
from sightline.store.imports import (
    ImportProgress,
    begin_import,
    finish_import,
    record_progress,
)

_SHOWN_PROBLEMS = 20
# Raised when the rules of reading change, so that the same file is a new import under them.
_RULES = 1

Progress = Callable[[int, int], None]
"""Called with the rows done and the rows of the file, after reading and after each chunk."""


@dataclass(frozen=True)
class ImportSummary:
    """What came of an import. Each row is counted once: it made an account or contact, changed one,
    changed nothing, or is bad; rows about suppressed people are bad. `dropped` counts single values
    left out of rows that were taken."""

    kind: Kind
    file: Path
    shape: Mapping[str, str | bool]
    mapping: ColumnMapping
    rows: int
    created: int
    updated: int
    unchanged: int
    bad: int
    suppressed: int
    dropped: int
    unrecognised: Mapping[str, list[tuple[str, int]]]  # column -> words we have no place for
    seconds: float
    report: Path | None
    resumed_after: int  # rows that an earlier, cut-off run had done
    dry_run: bool
    problems: tuple[RowProblem, ...]  # the first of them
    notes: tuple[str, ...]  # what was concluded about whole columns
    import_id: UUID | None = None  # what undoes it; None of a dry run


class _DryRunIsOver(Exception):
    """Ends the transaction of a dry run, so that nothing of it stays."""


async def import_list(
    database: Database,
    organization_id: OrganizationId,
    path: Path,
    *,
    kind: Kind,
    options: ImportOptions | None = None,
    progress: Progress | None = None,
) -> ImportSummary:
    """Import a list of companies as accounts, or of people as contacts.

    Raises FileIsNotReadable (FileHasNoCompanies, FileHasNoPeople) before anything is written, and
    ImportIsRunningElsewhere when the same file is being imported by another process.
    """
    chosen = options or ImportOptions()
    chosen = replace(chosen, default_country=default_country(chosen.default_country))
    writer: Writer = AccountWriter(chosen.dry_run) if kind == "accounts" else ContactWriter()
    return await _Run(kind, writer, database, organization_id, path, chosen, progress).whole()


import_accounts = partial(import_list, kind="accounts")
import_contacts = partial(import_list, kind="contacts")


@dataclass
class _Outcome:
    """Counts as committed, and what the report has seen."""

    report: Report
    stamp: ImportStamp
    begun: ImportProgress
    done: ImportProgress
    suppressed: int = 0
    dropped: int = 0
    problems: list[RowProblem] = field(default_factory=list)

    def note(self, problems: Iterable[RowProblem]) -> None:
        for problem in problems:
            self.report.add(problem)
            self.dropped += problem.effect == "value dropped"
            if len(self.problems) < _SHOWN_PROBLEMS:
                self.problems.append(problem)


@dataclass(frozen=True)
class _Run:
    """One run over a file."""

    kind: Kind
    writer: Writer
    database: Database
    organization_id: OrganizationId
    path: Path
    options: ImportOptions
    progress: Progress | None

    async def whole(self) -> ImportSummary:
        """Read the file, then write it."""
        started = time.monotonic()
        with spool_file() as target, Report(self.path, self.options.report) as report:
            read = await spool(self.path, target, kind=self.kind, options=self.options)
            write = self._dry_run if self.options.dry_run else self._write
            outcome = await write(read, report)
        done, head = outcome.done, read.head
        return ImportSummary(
            kind=self.kind,
            file=self.path,
            shape=head.shape,
            mapping=head.mapping,
            rows=done.rows_done,
            created=done.created,
            updated=done.updated,
            unchanged=done.unchanged,
            bad=done.bad,
            suppressed=outcome.suppressed,
            dropped=outcome.dropped,
            unrecognised=read.unrecognised.most_common(),
            seconds=time.monotonic() - started,
            report=report.path,
            resumed_after=outcome.begun.rows_done,
            dry_run=self.options.dry_run,
            problems=tuple(outcome.problems),
            notes=tuple(read.notes),
            import_id=None if self.options.dry_run else done.import_id,
        )

    async def _write(self, read: Spool, report: Report) -> _Outcome:
        """Chunk by chunk, each its own transaction."""
        async with self.database.tenant(self.organization_id) as connection:
            begun = await self._begin(connection, read)
        outcome = self._outcome(begun, report)
        self._tell(begun.rows_done, read)
        seen = 0
        async with aclosing(read.chunks()) as chunks:
            async for chunk in chunks:
                outcome.note(chunk.problems)
                seen += chunk.size
                if seen <= begun.rows_done:
                    continue  # committed by the run that was cut off; read for the report alone
                async with self.database.tenant(self.organization_id) as connection:
                    await self.writer.begin(connection)
                    after = await self._put(connection, outcome, chunk)
                    await record_progress(connection, before=outcome.done, after=after)
                outcome.done = after
                self._tell(after.rows_done, read)
        async with self.database.tenant(self.organization_id) as connection:
            await finish_import(connection, begun.import_id)
        return outcome

    async def _dry_run(self, read: Spool, report: Report) -> _Outcome:
        """The same in one transaction that is taken back."""
        done: list[_Outcome] = []
        try:
            async with self.database.tenant(self.organization_id) as connection:
                begun = await self._begin(connection, read)
                begun = replace(begun, rows_done=0, created=0, updated=0, unchanged=0, bad=0)
                outcome = self._outcome(begun, report)
                await self.writer.begin(connection)
                self._tell(0, read)
                async with aclosing(read.chunks()) as chunks:
                    async for chunk in chunks:
                        outcome.note(chunk.problems)
                        outcome.done = await self._put(connection, outcome, chunk)
                        self._tell(outcome.done.rows_done, read)
                done.append(outcome)
                raise _DryRunIsOver
        except _DryRunIsOver:
            return done[0]

    async def _begin(self, tenant: Tenant, read: Spool) -> ImportProgress:
        return await begin_import(
            tenant,
            kind=self.kind,
            file_name=self.path.name,
            file_sha256=await asyncio.to_thread(_digest, self.path),
            options=self._identity(read),
            rows=read.head.rows,
        )

    def _outcome(self, begun: ImportProgress, report: Report) -> _Outcome:
        at = now().replace(microsecond=0) if self.kind == "accounts" else now()
        stamp = ImportStamp(str(begun.import_id), rfc3339(at, exact=self.kind != "accounts"))
        return _Outcome(report, stamp, begun, begun)

    async def _put(self, tenant: Tenant, outcome: _Outcome, chunk: Chunk) -> ImportProgress:
        """Write the rows of one chunk; the progress once it is committed."""
        tally = await self.writer.put(tenant, chunk.rows, outcome.stamp)
        outcome.note(tally.problems)
        outcome.suppressed += tally.suppressed
        before = outcome.done
        return replace(
            before,
            rows_done=before.rows_done + chunk.size,
            created=before.created + tally.created,
            updated=before.updated + tally.updated,
            unchanged=before.unchanged + tally.unchanged,
            bad=before.bad + chunk.size - len(chunk.rows) + tally.suppressed,
        )

    def _tell(self, rows: int, read: Spool) -> None:
        if self.progress is not None:
            self.progress(rows, read.head.rows)

    def _identity(self, read: Spool) -> dict[str, Any]:
        """What besides the content of the file decides what an import sets."""
        return {
            "rules": _RULES,
            "columns": read.head.mapping.names(),
            **(
                {"source_system": read.head.mapping.source_system}
                if self.kind == "accounts"
                else {"country": self.options.default_country}
            ),
            "sheet": self.options.sheet,
            **({"encoding": self.options.encoding} if self.options.encoding else {}),
            "chunk_rows": self.options.chunk_rows,
        }


def _digest(path: Path) -> bytes:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()
