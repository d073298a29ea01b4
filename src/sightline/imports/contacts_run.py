"""A list of people into the contacts of an organization, chunk by chunk, from a file or a request.

As with accounts a chunk is one transaction that also notes how far the import came: one that is cut
off goes on where it stopped, and a file imported twice changes nothing the second time.
"""

import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.countries import country_from_text
from sightline.imports.contacts_mapping import (
    ContactMapping,
    guess_contact_mapping,
    judge_contacts,
)
from sightline.imports.contacts_row import ContactReader, ContactRow
from sightline.imports.reader import open_list
from sightline.imports.report import Report
from sightline.imports.rows import FileIsNotReadable, RecordList, Row, RowProblem
from sightline.store.contact_writes import Outcome, put_contacts, rfc3339
from sightline.store.database import Connection, Database
from sightline.store.imports import ImportProgress, begin_import, finish_import, record_progress

CHUNK_ROWS = 1000
_SAMPLE_ROWS = 1000
_KIND = "contacts"
# Raised when the rules of reading change, so that the same file is a new import under them.
_RULES = 1


@dataclass(frozen=True)
class ContactImportOptions:
    """What a person may choose; `overrides` are column -> field, "" to ignore the column."""

    overrides: Mapping[str, str] = field(default_factory=dict)
    sheet: str | None = None
    encoding: str | None = None
    default_country: str | None = None  # ISO 3166-1 alpha-2
    report: Path | None = None
    dry_run: bool = False
    chunk_rows: int = CHUNK_ROWS


@dataclass(frozen=True)
class ContactImportSummary:
    """What came of an import. Each row made a contact, changed one, changed nothing, was about a
    suppressed person, or is bad; `bad` counts the last two. `dropped` are single values left out."""

    file: Path
    shape: Mapping[str, str | bool]
    mapping: ContactMapping
    rows: int
    created: int
    updated: int
    unchanged: int
    bad: int
    suppressed: int
    dropped: int
    seconds: float
    report: Path | None
    resumed_after: int
    dry_run: bool
    problems: tuple[RowProblem, ...]
    import_id: UUID | None  # what undoes it; None of a dry run


class _RehearsalIsOver(Exception):
    """Ends the transaction of a dry run, so that nothing of it stays."""


@dataclass
class _Run:
    """One run over a file."""

    read: ContactReader
    report: Report
    progress: ImportProgress
    source: Mapping[str, Any]
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[RowProblem] = field(default_factory=list)

    def note(self, problem: RowProblem) -> None:
        self.report.add(problem)
        self.counts["dropped"] += problem.effect == "value dropped"
        if len(self.problems) < 20:
            self.problems.append(problem)

    def understand(self, chunk: Sequence[Row | RowProblem]) -> list[ContactRow]:
        """The usable rows of a chunk."""
        usable = []
        for item in chunk:
            row, problems = (None, [item]) if isinstance(item, RowProblem) else self.read(item)
            for problem in problems:
                self.note(problem)
            if row is not None:
                usable.append(row)
        return usable

    async def put(
        self, connection: Connection, organization_id: OrganizationId, rows: Sequence[ContactRow],
        *, size: int,
    ) -> ImportProgress:  # fmt: skip
        """Write the rows of a chunk of `size`; the progress once it is committed."""
        outcomes = await put_contacts(
            connection,
            organization_id,
            [row.said for row in rows],
            source=self.source,
            now=datetime.now(UTC),
            many=True,
            import_id=self.progress.import_id,
        )
        for row, outcome in zip(rows, outcomes, strict=True):
            for problem in problems_of(row.line, outcome):
                self.note(problem)
        tally = Counter(outcome.status for outcome in outcomes)
        self.counts["suppressed"] += tally["suppressed"]
        before = self.progress
        return replace(
            before,
            rows_done=before.rows_done + size,
            created=before.created + tally["created"],
            updated=before.updated + tally["updated"],
            unchanged=before.unchanged + tally["unchanged"],
            bad=before.bad + size - len(rows) + tally["suppressed"],
        )


def problems_of(line: int, outcome: Outcome) -> list[RowProblem]:
    """What the report says about a row that was put in."""
    if outcome.status == "suppressed":
        return [RowProblem(line, "", "The person is on the suppression list.", "")]
    found = [
        RowProblem(
            line, name, "An earlier row of the file says otherwise.", str(value), "value dropped"
        )
        for name, value in outcome.contradictions
        if name not in ("first_name", "last_name")
    ]
    if outcome.clash:
        found.append(RowProblem(line, "", outcome.clash, "", "value dropped"))
    return found


async def import_contacts(
    database: Database,
    organization_id: OrganizationId,
    path: Path,
    *,
    options: ContactImportOptions | None = None,
    progress: Callable[[int], None] | None = None,
) -> ContactImportSummary:
    """Import a list of people. `progress` is told the rows done after each chunk.

    Raises FileIsNotReadable (FileHasNoPeople) before anything is written, ImportIsRunningElsewhere.
    """
    chosen, started = options or ContactImportOptions(), time.monotonic()
    listed = open_list(path, judge=judge_contacts, sheet=chosen.sheet, encoding=chosen.encoding)
    sample = [item for item in islice(listed.rows(), _SAMPLE_ROWS) if isinstance(item, Row)]
    if not sample:
        raise FileIsNotReadable(f"{path.name} has column names, but no readable rows.")
    mapping = guess_contact_mapping(listed.columns, sample, overrides=chosen.overrides)
    reader = ContactReader(mapping, default_country(chosen.default_country))
    with Report(path, chosen.report) as report:
        job = _Job(database, organization_id, path, listed, reader, report, chosen)
        run, begun = await job.run(progress or (lambda _: None))
    done = run.progress
    return ContactImportSummary(
        file=path,
        shape=listed.shape,
        mapping=mapping,
        rows=done.rows_done,
        created=done.created,
        updated=done.updated,
        unchanged=done.unchanged,
        bad=done.bad,
        suppressed=run.counts["suppressed"],
        dropped=run.counts["dropped"],
        seconds=time.monotonic() - started,
        report=report.path,
        resumed_after=begun.rows_done,
        dry_run=chosen.dry_run,
        problems=tuple(run.problems),
        import_id=None if chosen.dry_run else begun.import_id,
    )


def default_country(text: str | None) -> str | None:
    """The alpha-2 code of a country named by a person. Raises FileIsNotReadable."""
    if not text:
        return None
    found = country_from_text(text)
    if found is None:
        raise FileIsNotReadable(f"{text!r} is not a country.")
    return found.alpha2


@dataclass(frozen=True)
class _Job:
    database: Database
    organization_id: OrganizationId
    path: Path
    listed: RecordList
    reader: ContactReader
    report: Report
    options: ContactImportOptions

    async def run(self, progress: Callable[[int], None]) -> tuple[_Run, ImportProgress]:
        """All chunks, each its own transaction; in a dry run all in one that is taken back."""
        organization_id = self.organization_id
        if self.options.dry_run:
            return await self._rehearse(progress)
        async with self.database.tenant(organization_id) as connection:
            begun = await self._begin(connection)
        run = self._run(begun)
        seen = 0
        for chunk in self._chunks():
            rows = await asyncio.to_thread(run.understand, chunk)
            seen += len(chunk)
            if seen <= begun.rows_done:
                continue  # committed by the run that was cut off; read for the report alone
            async with self.database.tenant(organization_id) as connection:
                after = await run.put(connection, organization_id, rows, size=len(chunk))
                await record_progress(connection, organization_id, before=run.progress, after=after)
            run.progress = after
            progress(after.rows_done)
        async with self.database.tenant(organization_id) as connection:
            await finish_import(connection, organization_id, begun.import_id)
        return run, begun

    async def _rehearse(self, progress: Callable[[int], None]) -> tuple[_Run, ImportProgress]:
        done: list[tuple[_Run, ImportProgress]] = []
        try:
            async with self.database.tenant(self.organization_id) as connection:
                begun = await self._begin(connection)
                begun = replace(begun, rows_done=0, created=0, updated=0, unchanged=0, bad=0)
                run = self._run(begun)
                for chunk in self._chunks():
                    rows = await asyncio.to_thread(run.understand, chunk)
                    run.progress = await run.put(
                        connection, self.organization_id, rows, size=len(chunk)
                    )
                    progress(run.progress.rows_done)
                done.append((run, begun))
                raise _RehearsalIsOver
        except _RehearsalIsOver:
            return done[0]

    async def _begin(self, connection: Connection) -> ImportProgress:
        return await begin_import(
            connection,
            self.organization_id,
            kind=_KIND,
            file_name=self.path.name,
            file_sha256=await asyncio.to_thread(_digest, self.path),
            options=self._identity(),
        )

    def _chunks(self) -> Iterator[list[Row | RowProblem]]:
        items = iter(self.listed.rows())
        while chunk := list(islice(items, self.options.chunk_rows)):
            yield chunk

    def _run(self, begun: ImportProgress) -> _Run:
        source = {
            "source": "import",
            "import_id": str(begun.import_id),
            "observed_at": rfc3339(datetime.now(UTC)),
        }
        return _Run(self.reader, self.report, begun, source)

    def _identity(self) -> dict[str, Any]:
        """What besides the content of the file decides what an import sets."""
        return {
            "rules": _RULES,
            "columns": {name: list(c) for name, c in sorted(self.reader.mapping.columns().items())},
            "country": self.reader.default_country,
            "sheet": self.options.sheet,
            **({"encoding": self.options.encoding} if self.options.encoding else {}),
            "chunk_rows": self.options.chunk_rows,
        }


def _digest(path: Path) -> bytes:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()


def rows_of(records: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Objects of a request as rows: nested names joined by dots, lines counted from 1."""
    return [Row(n, dict(_cells("", record))) for n, record in enumerate(records, start=1)]


def _cells(prefix: str, record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in record.items():
        if isinstance(value, Mapping):
            yield from _cells(f"{prefix}{name}.", value)
        elif isinstance(value, list):
            texts = [str(each) for each in value if isinstance(each, str | int | float)]
            if texts:
                yield prefix + name, texts
        elif value is not None and not isinstance(value, bool):
            yield prefix + name, str(value).strip()
