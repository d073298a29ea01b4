"""The progress of list imports, so that a killed one resumes where it stopped; and dry runs."""

from dataclasses import asdict, dataclass
from typing import Any, Literal
from uuid import UUID

from asyncpg import Record

from sightline.kit.ids import new_id
from sightline.store.account_writes import ACCOUNT_IDS, Wanted, lookup_parameters
from sightline.store.database import Connection, Tenant
from sightline.store.pages import Rows, utc

UNDO = "undo_import"  # work: the subject is the import, the payload {actor}


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
    tenant: Tenant,
    *,
    kind: str,
    file_name: str,
    file_sha256: bytes,
    options: dict[str, Any],
    rows: int,
) -> ImportProgress:
    """Start an import, go on with one that was cut off, or run a finished one again.

    The same file under the same options is the same import: its values were set by it, whenever it
    ran. So a second run finds them as they are, and changes nothing. One that was undone is not run
    again: its file makes a new import. `rows` is how many the file has. Raises
    ImportIsRunningElsewhere while it is being undone.
    """
    row = await tenant.row(
        """
        SELECT import_id, state, rows_done, created, updated, unchanged, bad FROM imports
        WHERE organization_id = $1 AND kind = $2 AND file_sha256 = $3 AND options = $4::jsonb
          AND state <> 'undone'
        ORDER BY import_id DESC LIMIT 1 FOR UPDATE
        """,
        kind,
        file_sha256,
        options,
    )
    if row is not None:
        return await _begin_again(tenant, row, file_name, rows)
    import_id = new_id()
    await tenant.run(
        """
        INSERT INTO imports
          (organization_id, import_id, kind, file_name, file_sha256, options, state, keeps_changes,
           rows_total)
        VALUES ($1, $2, $3, $4, $5, $6, 'running', true, $7)
        """,
        import_id,
        kind,
        file_name,
        file_sha256,
        options,
        rows,
    )
    return ImportProgress(import_id, 0, 0, 0, 0, 0)


async def _begin_again(tenant: Tenant, row: Record, file_name: str, rows: int) -> ImportProgress:
    """Go on behind the rows that are done, or run a finished import from its beginning."""
    if row["state"] == "undoing":
        raise ImportIsRunningElsewhere("The import of this file is being undone; try again then.")
    if row["state"] == "running":
        await tenant.run(
            """
            UPDATE imports SET rows_total = greatest(rows_total, $3), resumed_at = now(),
              resumed_after = rows_done
            WHERE organization_id = $1 AND import_id = $2
            """,
            row["import_id"],
            rows,
        )
        return ImportProgress(
            row["import_id"], row["rows_done"], row["created"], row["updated"], row["unchanged"],
            row["bad"], is_resumed=row["rows_done"] > 0,
        )  # fmt: skip
    await tenant.run(
        """
        UPDATE imports SET state = 'running', file_name = $3, rows_total = $4, rows_done = 0,
          created = 0, updated = 0, unchanged = 0, bad = 0, started_at = now(),
          resumed_at = NULL, resumed_after = 0, finished_at = NULL
        WHERE organization_id = $1 AND import_id = $2
        """,
        row["import_id"],
        file_name,
        rows,
    )
    return ImportProgress(row["import_id"], 0, 0, 0, 0, 0)


async def record_progress(tenant: Tenant, *, before: ImportProgress, after: ImportProgress) -> None:
    """Note a chunk, in the transaction that writes it. Raises ImportIsRunningElsewhere when someone
    else has moved on from `before`; then nothing of the chunk is kept."""
    status: str = await tenant.run(
        """
        UPDATE imports SET rows_done = $4, created = $5, updated = $6, unchanged = $7, bad = $8
        WHERE organization_id = $1 AND import_id = $2 AND rows_done = $3 AND state = 'running'
        """,
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
            "Another process is importing the same file, or its import is being undone; this "
            "import stopped."
        )


@dataclass(frozen=True, slots=True)
class UndoneImport:
    """What became of an undone import so far: accounts or contacts that are gone, those whose values
    went back, those it made that stay, by reason, and single values that were changed since and stay."""

    import_id: UUID
    finished: bool
    kind: Literal["accounts", "contacts"] = "accounts"
    deleted: int = 0
    reverted: int = 0
    stayed_edited: int = 0  # a person set a value of it
    stayed_placed: int = 0  # a person put it into a list, a territory or a watch
    stayed_imported: int = 0  # another import wrote to it
    values_stayed: int = 0

    def counts(self) -> dict[str, int]:
        """The numbers by name."""
        values = asdict(self)
        return {
            name: n for name, n in values.items() if name not in ("import_id", "kind", "finished")
        }


class ImportIsMissing(LookupError):
    """The organization has no such import."""


class ImportIsNotUndoable(ValueError):
    """It is not known what the import changed."""


async def begin_undo(tenant: Tenant, import_id: UUID) -> UndoneImport:
    """Mark an import as being undone; from here on it writes nothing more. One that was undone answers
    what came of it. Raises ImportIsMissing, ImportIsNotUndoable."""
    row = await tenant.row(
        """
        SELECT kind, state, keeps_changes, undone FROM imports
        WHERE organization_id = $1 AND import_id = $2 FOR UPDATE
        """,
        import_id,
    )
    if row is None:
        raise ImportIsMissing("There is no such import.")
    if not row["keeps_changes"]:
        raise ImportIsNotUndoable(
            "This import is from a release that did not record its changes. Delete its records "
            "instead."
        )
    if row["state"] != "undone":
        await tenant.run(
            "UPDATE imports SET state = 'undoing' WHERE organization_id = $1 AND import_id = $2",
            import_id,
        )
    return UndoneImport(import_id, row["state"] == "undone", row["kind"], **row["undone"])


async def note_undone(tenant: Tenant, outcome: UndoneImport) -> None:
    """Record how far the undoing is, and whether that was all."""
    await tenant.run(
        """
        UPDATE imports SET undone = $3, state = CASE WHEN $4 THEN 'undone' ELSE 'undoing' END,
          undone_at = CASE WHEN $4 THEN now() END
        WHERE organization_id = $1 AND import_id = $2
        """,
        outcome.import_id,
        outcome.counts(),
        outcome.finished,
    )


_OBJECT = f"""
  json_build_object('id', import_id, 'kind', kind, 'file_name', file_name, 'state', state,
    'rows', rows_done, 'rows_total', rows_total,
    'percent',
    CASE WHEN rows_total > 0 THEN least(100 * rows_done / rows_total, 100)
      WHEN state = 'finished' THEN 100 END,
    'seconds_left',
    CASE WHEN state = 'running' AND rows_done > resumed_after THEN
      ceil(extract(epoch FROM now() - coalesce(resumed_at, started_at))
        * greatest(rows_total - rows_done, 0) / (rows_done - resumed_after))::bigint END,
    'created', created, 'updated', updated, 'unchanged', unchanged, 'bad', bad,
    'can_be_undone', keeps_changes AND state <> 'undone',
    'undone',
    CASE WHEN state IN ('undoing', 'undone') THEN
      json_build_object('deleted', 0, 'reverted', 0, 'stayed_edited', 0, 'stayed_placed', 0,
        'stayed_imported', 0, 'values_stayed', 0)::jsonb || undone END,
    'started_at', {utc("started_at")},
    'finished_at', {utc("finished_at")},
    'undone_at', {utc("undone_at")})
"""
_IMPORTS = Rows("imports", _OBJECT, "import_id", "started_at", "timestamptz", descending=True)
read_import = _IMPORTS.one
imports_page = _IMPORTS.page


async def finish_import(tenant: Tenant, import_id: UUID) -> None:
    """Mark an import as done; the next run of the file starts from its beginning."""
    await tenant.run(
        """
        UPDATE imports SET state = 'finished', finished_at = now()
        WHERE organization_id = $1 AND import_id = $2 AND state = 'running'
        """,
        import_id,
    )


_REHEARSED = (
    "accounts", "account_records", "account_domains", "account_references", "import_changes",
)  # fmt: skip


async def begin_dry_run(connection: Connection) -> None:
    """From here to the end of the transaction, account writes go to temporary copies."""
    for table in _REHEARSED:
        await connection.execute(
            f"CREATE TEMP TABLE {table} (LIKE public.{table} INCLUDING DEFAULTS INCLUDING INDEXES)"
            " ON COMMIT DROP"
        )


async def stage_dry_run(tenant: Tenant, wanted: Wanted) -> None:
    """Copy the accounts that a chunk may touch into the dry run, unless they are there already."""
    parameters = lookup_parameters(wanted)
    rows = await tenant.rows(ACCOUNT_IDS.format(schema="public."), *parameters)
    identifiers = [row["account_id"] for row in rows]
    for table in _REHEARSED:
        await tenant.run(
            f"""
            INSERT INTO pg_temp.{table} SELECT * FROM public.{table}
            WHERE organization_id = $1 AND account_id = ANY($2::uuid[]) ON CONFLICT DO NOTHING
            """,
            identifiers,
        )
