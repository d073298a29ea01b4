"""Uploaded lists: stored in pieces until a worker has imported them, with the result.

Any API process takes them and any worker reads them, so they stand in the database, not on a disk.
"""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from sightline.domain.callers import UserId
from sightline.kit.ids import new_id
from sightline.store.database import Tenant

WORK_KIND: Final = "import_upload"  # the subject is the upload, the payload empty
KEPT: Final = "7 days"  # of one that is not imported
MOST_PROBLEMS: Final = 5_000_000  # characters of the report that are kept


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded list. `options` are what a person chose; `outcome` has the counts of a finished import,
    or `error` of one that failed."""

    upload_id: UUID
    kind: Literal["accounts", "contacts"]
    file_name: str
    bytes: int
    options: Mapping[str, Any]
    state: str
    rows_done: int
    rows_total: int | None
    outcome: Mapping[str, Any] | None
    has_problems: bool
    created_at: datetime


async def store_upload(
    tenant: Tenant, parts: AsyncIterator[bytes], *, kind: str, file_name: str, created_by: UserId
) -> UUID:
    """Keep a file, and forget older ones that were not imported."""
    await tenant.run(
        f"""
        DELETE FROM import_uploads WHERE organization_id = $1 AND state = 'ready'
          AND created_at < now() - interval '{KEPT}'
        """
    )
    upload_id = new_id()
    await tenant.run(
        """
        INSERT INTO import_uploads (organization_id, upload_id, kind, file_name, bytes, created_by)
        VALUES ($1, $2, $3, $4, 0, $5)
        """,
        upload_id,
        kind,
        file_name,
        created_by,
    )
    size = n = 0
    async for part in parts:
        await tenant.run(
            "INSERT INTO import_upload_parts (organization_id, upload_id, n, data)"
            " VALUES ($1, $2, $3, $4)",
            upload_id,
            n,
            part,
        )
        size, n = size + len(part), n + 1
    await tenant.run(
        "UPDATE import_uploads SET bytes = $3 WHERE organization_id = $1 AND upload_id = $2",
        upload_id,
        size,
    )
    return upload_id


async def find_upload(tenant: Tenant, upload_id: UUID) -> Upload | None:
    """An upload; None if there is none."""
    row = await tenant.row(
        """
        SELECT upload_id, kind, file_name, bytes, options, state, rows_done, rows_total, outcome,
          problems IS NOT NULL AS has_problems, created_at
        FROM import_uploads WHERE organization_id = $1 AND upload_id = $2
        """,
        upload_id,
    )
    return Upload(**dict(row)) if row else None


async def read_problems(tenant: Tenant, upload_id: UUID) -> str | None:
    """The report of rows and values that were not taken, as CSV; None where there is none."""
    report: str | None = await tenant.value(
        "SELECT problems FROM import_uploads WHERE organization_id = $1 AND upload_id = $2",
        upload_id,
    )
    return report


async def read_parts(tenant: Tenant, upload_id: UUID) -> AsyncIterator[bytes]:
    """The file, piece by piece."""
    n = 0
    while True:
        part: bytes | None = await tenant.value(
            """
            SELECT data FROM import_upload_parts
            WHERE organization_id = $1 AND upload_id = $2 AND n = $3
            """,
            upload_id,
            n,
        )
        if part is None:
            return
        yield part
        n += 1


async def set_options(
    tenant: Tenant, upload_id: UUID, options: Mapping[str, Any], *, run: bool
) -> bool:
    """Keep what a person chose; with `run` it is to be imported now. False once it is."""
    status = await tenant.run(
        """
        UPDATE import_uploads SET options = $3, state = CASE WHEN $4 THEN 'queued' ELSE state END
        WHERE organization_id = $1 AND upload_id = $2 AND state IN ('ready', 'failed')
        """,
        upload_id,
        dict(options),
        run,
    )
    return bool(status == "UPDATE 1")


async def note_progress(tenant: Tenant, upload_id: UUID, *, done: int, total: int | None) -> None:
    """Say how far the import is."""
    await tenant.run(
        """
        UPDATE import_uploads SET state = 'running', rows_done = $3, rows_total = $4
        WHERE organization_id = $1 AND upload_id = $2 AND state IN ('queued', 'running')
        """,
        upload_id,
        done,
        total,
    )


async def end_upload(
    tenant: Tenant, upload_id: UUID, *, state: str, outcome: Mapping[str, Any], problems: str | None
) -> None:
    """Say what came of it. The file of a finished import goes; that of a failed one can be tried again."""
    await tenant.run(
        """
        UPDATE import_uploads SET state = $3, outcome = $4::jsonb, problems = left($5, $6),
          rows_done = coalesce(($4::jsonb ->> 'rows')::int, rows_done)
        WHERE organization_id = $1 AND upload_id = $2
        """,
        upload_id,
        state,
        dict(outcome),
        problems,
        MOST_PROBLEMS,
    )
    if state == "finished":
        await tenant.run(
            "DELETE FROM import_upload_parts WHERE organization_id = $1 AND upload_id = $2",
            upload_id,
        )


async def delete_upload(tenant: Tenant, upload_id: UUID) -> None:
    """Forget a file that is not to be imported."""
    await tenant.run(
        """
        DELETE FROM import_uploads
        WHERE organization_id = $1 AND upload_id = $2 AND state IN ('ready', 'failed')
        """,
        upload_id,
    )
