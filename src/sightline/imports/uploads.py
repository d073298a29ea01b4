"""Uploaded lists: previewed, then imported on the queue."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.imports.fields import ColumnDoesNotExist, FieldDoesNotExist
from sightline.imports.preview import Preview, preview
from sightline.imports.rows import FileIsNotReadable
from sightline.imports.run import ImportSummary, import_list
from sightline.imports.spool import ImportOptions
from sightline.store import import_uploads, work
from sightline.store.database import Database, DatabaseIsBusy
from sightline.store.import_uploads import Upload
from sightline.store.imports import ImportIsRunningElsewhere

UNUSABLE: Final = (
    FileIsNotReadable,
    ColumnDoesNotExist,
    FieldDoesNotExist,
    ImportIsRunningElsewhere,
)
"""What may be wrong with an uploaded list or what was chosen for it; the message is for a person."""
_REPORT_SECONDS: Final = 1.0
_LONGEST_NAME: Final = 100


async def look(database: Database, organization_id: OrganizationId, upload: Upload) -> Preview:
    """What an import would make of the list. Raises FileIsNotReadable, ColumnDoesNotExist and
    FieldDoesNotExist."""
    async with _file(database, organization_id, upload) as path:
        return await preview(path, kind=upload.kind, options=options_of(upload.options))


async def run_upload(database: Database, item: work.Work) -> None:
    """Work: import an uploaded list. One that was broken off resumes where it stopped."""
    organization_id, upload_id = OrganizationId(item.organization_id), UUID(item.subject)
    async with database.tenant(organization_id) as connection:
        upload = await import_uploads.find_upload(connection, upload_id)
    if upload is not None and upload.state in ("queued", "running"):
        state, outcome, problems = await _imported(database, organization_id, upload)
        async with database.tenant(organization_id) as connection:
            await import_uploads.end_upload(
                connection, upload_id, state=state, outcome=outcome, problems=problems
            )
    async with database.connection() as shared, shared.transaction():
        await work.finish(shared, item)


def options_of(chosen: Mapping[str, Any], *, report: Path | None = None) -> ImportOptions:
    """The options of an import that a person chose."""
    return ImportOptions(
        overrides=chosen.get("columns") or {},
        sheet=chosen.get("sheet"),
        encoding=chosen.get("encoding"),
        source_system=chosen.get("source_system"),
        report=report,
    )


async def _imported(
    database: Database, organization_id: OrganizationId, upload: Upload
) -> tuple[str, dict[str, Any], str | None]:
    """The state in which it ends, its outcome, and the report of problems."""
    done: list[int] = [0, 0]

    def progress(rows: int, total: int) -> None:
        done[:] = rows, total

    async with _file(database, organization_id, upload) as path:
        report = path.with_name("problems.csv")
        options = options_of(upload.options, report=report)
        reporting = asyncio.create_task(_tell(database, organization_id, upload.upload_id, done))
        try:
            summary = await import_list(
                database,
                organization_id,
                path,
                kind=upload.kind,
                options=options,
                progress=progress,
            )
        except UNUSABLE as error:
            return "failed", {"error": str(error)}, None
        finally:
            reporting.cancel()
        problems = await asyncio.to_thread(_text_of, report)
    return "finished", _outcome(summary), problems


async def _tell(
    database: Database, organization_id: OrganizationId, upload_id: UUID, done: list[int]
) -> None:
    """Record now and then how far the import is."""
    while True:
        with suppress(DatabaseIsBusy):
            async with database.tenant(organization_id) as connection:
                await import_uploads.note_progress(
                    connection, upload_id, done=done[0], total=done[1] or None
                )
        await asyncio.sleep(_REPORT_SECONDS)


def _outcome(summary: ImportSummary) -> dict[str, Any]:
    names = ("rows", "created", "updated", "unchanged", "bad", "suppressed", "dropped")
    return {name: getattr(summary, name) for name in names} | {
        "import_id": str(summary.import_id),
        "seconds": round(summary.seconds, 1),
        "notes": list(summary.notes),
        "unrecognised": {column: words[:10] for column, words in summary.unrecognised.items()},
        "ignored": [list(pair) for pair in summary.mapping.ignored],
    }


def _text_of(report: Path) -> str | None:
    return report.read_text(encoding="utf-8") if report.is_file() else None


@asynccontextmanager
async def _file(
    database: Database, organization_id: OrganizationId, upload: Upload
) -> AsyncIterator[Path]:
    """The list as a file of its name, while the block lasts."""
    with tempfile.TemporaryDirectory(prefix="sightline-upload-") as folder:
        name = Path(upload.file_name.replace("\\", "/")).name[-_LONGEST_NAME:] or "list"
        path = Path(folder) / name
        with path.open("wb") as stream:
            async with database.tenant(organization_id) as connection:
                parts = import_uploads.read_parts(connection, upload.upload_id)
                async for part in parts:
                    stream.write(part)
        yield path
