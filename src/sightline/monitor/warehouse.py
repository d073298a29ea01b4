"""Exports changed rows as Parquet, to a folder or a bucket: each batch is one file that appears whole or
not at all.

The name of a batch says until when it reaches, so that the files themselves say where the next one begins:
an export that was killed is simply run again.
"""

import asyncio
import json
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Protocol
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq

from sightline.domain.callers import OrganizationId
from sightline.store.database import Database
from sightline.store.organizations import record_audit, slug_of
from sightline.store.passes import each_organization
from sightline.store.warehouse import TABLES, hidden_contacts, moment_before, stream_changes

# Longer than any transaction runs: a row carries the time at which its transaction began.
LAG: Final = timedelta(minutes=15)
MANIFEST: Final = "manifest.json"
HIDDEN_FILE: Final = "suppressed_contacts.parquet"
_NAME: Final = "%Y%m%dT%H%M%S%fZ"
_TIME, _TEXT = pa.timestamp("us", tz="UTC"), pa.string()
_KEY = [("id", _TEXT), ("company_id", _TEXT), ("changed_at", _TIME)]
SCHEMAS: Final[dict[str, pa.Schema]] = {
    "accounts": pa.schema(
        [*_KEY, *((name, _TEXT) for name in (
            "company_name", "website_domain", "industry", "country_code")),
         ("full_time_employees", pa.int64()), ("document", _TEXT)]
    ),
    "contacts": pa.schema([*_KEY, ("document", _TEXT)]),
    "signals": pa.schema(
        [*_KEY, *((name, _TEXT) for name in ("family", "type", "title", "summary", "quote", "url")),
         ("occurred_at", _TIME), ("reported_at", _TIME), ("confidence", pa.float32())]
    ),
    "postings": pa.schema(
        [*_KEY, *((name, _TEXT) for name in ("title", "department", "seniority", "url")),
         ("posted_at", _TIME), ("first_seen_at", _TIME), ("closed_at", _TIME)]
    ),
}  # fmt: skip
_IDS = pa.schema([("id", _TEXT)])


class Place(Protocol):
    """Where files go. A file that is put appears whole, in the place of one before it."""

    def names(self, folder: str) -> list[str]: ...
    def put(self, name: str, file: Path) -> None: ...


class Folder:
    """A folder of this machine."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def names(self, folder: str) -> list[str]:
        return [path.name for path in (self._path / folder).glob("*.parquet")]

    def put(self, name: str, file: Path) -> None:
        target = self._path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        # Beside it, for a move from another disk would be a copy; no name that a reader looks for.
        partial = target.with_name(f".{target.name}.partial")
        partial.write_bytes(file.read_bytes())
        partial.replace(target)


class Bucket:
    """Anything that obstore opens, such as `s3://bucket/prefix`; keys come from its usual settings."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def names(self, folder: str) -> list[str]:
        pages = self._store.list(prefix=f"{folder}/")
        return [item["path"].rpartition("/")[2] for page in pages for item in page]

    def put(self, name: str, file: Path) -> None:
        self._store.put(name, file)


def open_place(where: str) -> Place:
    """The place of an address with a scheme, or of a folder."""
    if "://" not in where:
        return Folder(Path(where))
    from obstore.store import from_url

    return Bucket(from_url(where))


async def export_all(database: Database, where: str, *, lag: timedelta = LAG) -> None:
    """On the clock: what changed at every organization, each into a folder of its slug below `where`.

    One that fails is counted and goes on from its last file next time; the others get theirs.
    """

    async def export(organization_id: OrganizationId) -> None:
        async with database.tenant(organization_id) as connection:
            slug = await slug_of(connection)
        place = await asyncio.to_thread(open_place, f"{where.rstrip('/')}/{slug}")
        counts = await export_changes(database, organization_id, place, lag=lag)
        if any(counts.values()):
            async with database.tenant(organization_id) as connection:
                await record_audit(
                    connection, action="export", subject="changes", actor="worker", details=counts
                )

    await each_organization(database, "export_changes", export)


async def export_changes(
    database: Database, organization_id: OrganizationId, place: Place, *, lag: timedelta = LAG
) -> dict[str, int]:
    """Write what changed since the last export; returns how many rows of each table are new.

    Raises OSError, or what the store of a bucket raises.
    """
    counts: dict[str, int] = {}
    with tempfile.TemporaryDirectory(prefix="sightline-export-") as folder:
        file = Path(folder) / "batch"
        async with database.tenant(organization_id, repeatable=True) as connection:
            until = await moment_before(connection, lag)
            for table, schema in SCHEMAS.items():
                since = _reached(await asyncio.to_thread(place.names, table))
                counts[table] = 0
                with pq.ParquetWriter(file, schema, compression="zstd") as writer:
                    async for rows in stream_changes(connection, table, since=since, until=until):
                        counts[table] += len(rows)
                        writer.write_batch(_batch(rows, schema))
                if counts[table]:
                    name = f"{table}/{until.astimezone(UTC).strftime(_NAME)}.parquet"
                    await asyncio.to_thread(place.put, name, file)
            hidden = await hidden_contacts(connection)
        pq.write_table(pa.table({"id": hidden}, _IDS), file)
        await asyncio.to_thread(place.put, HIDDEN_FILE, file)
        file.write_text(json.dumps(_manifest(place), indent=1))
        await asyncio.to_thread(place.put, MANIFEST, file)
    return counts


def _reached(names: Sequence[str]) -> datetime | None:
    """Until when the batches of a table reach; None without any."""
    newest = max((name for name in names if name.endswith(".parquet")), default=None)
    if newest is None:
        return None
    return datetime.strptime(newest.removesuffix(".parquet"), _NAME).replace(tzinfo=UTC)


def _batch(rows: Sequence[dict[str, Any]], schema: pa.Schema) -> pa.RecordBatch:
    plain = [
        {name: str(value) if isinstance(value, UUID) else value for name, value in row.items()}
        for row in rows
    ]
    return pa.RecordBatch.from_pylist(plain, schema)


def _manifest(place: Place) -> dict[str, Any]:
    """What is there: made from the files, so that it can be made again."""
    return {
        "format": 1,
        "tables": {
            table: {
                "files": sorted(place.names(table)),
                "columns": {field.name: str(field.type) for field in SCHEMAS[table]},
            }
            for table in TABLES
        },
    }
