"""The progress of list imports, so that a killed one goes on where it stopped; and rehearsals."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.kit.ids import new_id
from sightline.store.account_writes import ACCOUNT_IDS, Wanted, lookup_parameters
from sightline.store.database import Connection


class ImportIsRunningElsewhere(Exception):
    """Another process imports the same file into the same organization at this moment."""


@dataclass(frozen=True)
class ImportProgress:
    """An import as committed. Counts are rows of the file; `rows_done` of them need no second look.

    `is_resumed` tells that an earlier run was cut off.
    """

    import_id: UUID
    rows_done: int
    created: int
    updated: int
    unchanged: int
    bad: int
    is_resumed: bool = False


async def begin_import(
    connection: Connection,
    organization_id: OrganizationId,
    *,
    kind: str,
    file_name: str,
    file_sha256: bytes,
    options: dict[str, Any],
) -> ImportProgress:
    """Start an import, go on with one that was cut off, or run a finished one again.

    The same file under the same options is the same import: its values were set by it, whenever it
    ran. So a second run finds them as they are, and changes nothing.
    """
    row = await connection.fetchrow(
        """
        SELECT import_id, state, rows_done, created, updated, unchanged, bad FROM imports
        WHERE organization_id = $1 AND kind = $2 AND file_sha256 = $3 AND options = $4::jsonb
        ORDER BY import_id DESC LIMIT 1 FOR UPDATE
        """,
        organization_id,
        kind,
        file_sha256,
        options,
    )
    if row is not None and row["state"] == "running":
        return ImportProgress(
            row["import_id"], row["rows_done"], row["created"], row["updated"], row["unchanged"],
            row["bad"], is_resumed=row["rows_done"] > 0,
        )  # fmt: skip
    if row is not None:
        await connection.execute(
            """
            UPDATE imports SET state = 'running', file_name = $3, rows_done = 0, created = 0,
              updated = 0, unchanged = 0, bad = 0, started_at = now(), finished_at = NULL
            WHERE organization_id = $1 AND import_id = $2
            """,
            organization_id,
            row["import_id"],
            file_name,
        )
        return ImportProgress(row["import_id"], 0, 0, 0, 0, 0)
    import_id = new_id()
    await connection.execute(
        """
        INSERT INTO imports
          (organization_id, import_id, kind, file_name, file_sha256, options, state)
        VALUES ($1, $2, $3, $4, $5, $6, 'running')
        """,
        organization_id,
        import_id,
        kind,
        file_name,
        file_sha256,
        options,
    )
    return ImportProgress(import_id, 0, 0, 0, 0, 0)


async def record_progress(
    connection: Connection,
    organization_id: OrganizationId,
    *,
    before: ImportProgress,
    after: ImportProgress,
) -> None:
    """Note a chunk, in the transaction that writes it. Raises ImportIsRunningElsewhere when someone
    else has moved on from `before`; then nothing of the chunk is kept."""
    status: str = await connection.execute(
        """
        UPDATE imports SET rows_done = $4, created = $5, updated = $6, unchanged = $7, bad = $8
        WHERE organization_id = $1 AND import_id = $2 AND rows_done = $3 AND state = 'running'
        """,
        organization_id,
        before.import_id,
        before.rows_done,
        after.rows_done,
        after.created,
        after.updated,
        after.unchanged,
        after.bad,
    )
    if status != "UPDATE 1":
        raise ImportIsRunningElsewhere(
            "The same file is being imported by another process; nothing more was written by this one."
        )


async def finish_import(
    connection: Connection, organization_id: OrganizationId, import_id: UUID
) -> None:
    """Mark an import as done; the next run of the file starts from its beginning."""
    await connection.execute(
        """
        UPDATE imports SET state = 'finished', finished_at = now()
        WHERE organization_id = $1 AND import_id = $2
        """,
        organization_id,
        import_id,
    )


_REHEARSED = ("accounts", "account_records", "account_domains", "account_references")


async def begin_rehearsal(connection: Connection) -> None:
    """From here to the end of the transaction, account writes go to temporary copies."""
    for table in _REHEARSED:
        await connection.execute(
            f"CREATE TEMP TABLE {table} (LIKE public.{table} INCLUDING DEFAULTS INCLUDING INDEXES)"
            " ON COMMIT DROP"
        )


async def stage_rehearsal(
    connection: Connection, organization_id: OrganizationId, wanted: Wanted
) -> None:
    """Copy the accounts that a chunk may touch into the rehearsal, unless they are there already."""
    parameters = lookup_parameters(wanted)
    rows = await connection.fetch(
        ACCOUNT_IDS.format(schema="public."), organization_id, *parameters
    )
    identifiers = [row["account_id"] for row in rows]
    for table in _REHEARSED:
        await connection.execute(
            f"""
            INSERT INTO pg_temp.{table} SELECT * FROM public.{table}
            WHERE organization_id = $1 AND account_id = ANY($2::uuid[]) ON CONFLICT DO NOTHING
            """,
            organization_id,
            identifiers,
        )
