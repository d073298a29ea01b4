"""Backs up a whole database to one file, and restores it.

A restore fills a new database, brings it to this release, proves it, and only then swaps names with
the old one: whatever fails before leaves the old database as it was.
"""

import asyncio
import os
import secrets
import stat
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

import asyncpg

from sightline.kit.postgres_files import sync_folder
from sightline.store.backup_check import Contents, read_contents, snapshot
from sightline.store.inspection import inspect_database
from sightline.store.migrate import HEAD, DatabaseIsUnusable, migrate, roles_script
from sightline.store.postgres_tools import BackupFailed, Tools, find_tools

MAINTENANCE_DATABASE: Final = "postgres"
# Any fixed number: one restore at a time on a server.
RESTORE_LOCK: Final = 0x51_67_68_75
SWAP_ATTEMPTS: Final = 20
NEEDED_TABLES: Final = ("alembic_version", "organizations", "api_keys", "accounts")
# Names the role that owned the database, which may be another one here.
OWNER_POLICY: Final = "POLICY public organizations administration"
CREATE_OWNER_POLICY: Final = (
    "CREATE POLICY administration ON organizations TO CURRENT_USER USING (true) WITH CHECK (true)"
)


class FileExists(BackupFailed):
    """The backup's file is there already."""


class DatabaseIsNotEmpty(BackupFailed):
    """There is something to lose in the database that a backup should go into."""


class DatabaseIsInUse(BackupFailed):
    """Sightline itself is working on the database."""


@dataclass(frozen=True)
class Backup:
    """A backup file: its size in bytes, and the version its database is at."""

    path: Path
    size: int
    version: str
    contents: Contents | None = None  # what was found in it, where that was asked for


async def back_up(url: str, path: Path, *, overwrite: bool = False, check: bool = False) -> Backup:
    """Write a consistent backup, read it again whole, and only then give it its name (mode 600).

    With `check` it is also restored into a database of its own, which must hold what the first one held at
    the moment of the backup. The database stays in use meanwhile. Raises BackupFailed.
    """
    _check_file(path, overwrite=overwrite)
    tools = find_tools((await inspect_database(url)).server_version)
    half = path.parent / f".{path.name}-{secrets.token_hex(4)}"
    os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, stat.S_IRUSR | stat.S_IWUSR))
    contents = None
    try:
        async with snapshot(url) as (moment, connection):
            await tools.pg_dump(
                *("--format=custom", "--lock-wait-timeout=60s"),
                *(f"--snapshot={moment}", f"--file={half}"),
                url=url,
            )
            contents = await read_contents(connection) if check else None
        version = await _read_whole(tools, half)
        if contents is not None:
            await _prove(tools, half, url=url, contents=contents)
        size = _put_in_place(half, path)
    finally:
        half.unlink(missing_ok=True)
    return Backup(path, size, version, contents)


async def _prove(tools: Tools, path: Path, *, url: str, contents: Contents) -> None:
    """Restore a backup beside the database, and compare. Costs as much room as the database takes."""
    async with _maintenance(url) as connection:
        name = await _name_of(url)
        scratch = f"{name[:40]}_checking"
        await _drop(connection, scratch)  # of a check that was killed
        try:
            scratch_url = await _pour(connection, tools, path, url=url, model=name, fresh=scratch)
            inside = await asyncpg.connect(scratch_url)
            try:
                differences = contents.differences(await read_contents(inside))
            finally:
                await inside.close()
        finally:
            await _drop(connection, scratch)
    if differences:
        raise BackupFailed(f"The backup differs from the database: {', '.join(differences[:10])}.")


async def _name_of(url: str) -> str:
    connection = await asyncpg.connect(url)
    try:
        name: str = await connection.fetchval("SELECT current_database()")
        return name
    finally:
        await connection.close()


async def restore(url: str, path: Path, *, replace: bool = False) -> Backup:
    """Bring the database to what it was when the backup was made.

    Needs a role that may create databases. Raises DatabaseIsNotEmpty unless `replace`,
    DatabaseIsInUse while Sightline runs on it, DatabaseIsUnusable for a backup of a newer release.
    """
    size = _size_of(path)
    found = await inspect_database(url)
    tools = find_tools(found.server_version)
    version = await _read_whole(tools, path)
    if version > HEAD:
        raise DatabaseIsUnusable(
            f"The backup is at version {version}, newer than this release ({HEAD}). "
            "Install the release that created it."
        )
    name = await _check_target(url, replace=replace)
    async with _maintenance(url) as connection:
        fresh, old = f"{name[:40]}_restoring", f"{name[:40]}_replaced"
        for leftover in (fresh, old):  # of a restore that was killed
            await _drop(connection, leftover)
        try:
            await _fill(connection, tools, path, url=url, model=name, fresh=fresh)
            await _refuse_if_in_use(connection, name)
            await _swap(connection, name, fresh=fresh, old=old)
        except BaseException:
            await _drop(connection, fresh)
            raise
        await _drop(connection, old)
    return Backup(path, size, version)


async def _drop(connection: asyncpg.Connection, name: str) -> None:
    """Drop a database if it exists, ending the sessions in it."""
    try:
        await connection.execute(f"DROP DATABASE IF EXISTS {_quoted(name)} WITH (FORCE)")
    except asyncpg.InsufficientPrivilegeError:
        # FORCE may not end an autovacuum of the server's; a plain DROP sends it away itself.
        await connection.execute(f"DROP DATABASE IF EXISTS {_quoted(name)}")


async def _read_whole(tools: Tools, path: Path) -> str:
    """Read every byte of a backup; returns the version its database was at."""
    listed = await tools.pg_restore("--list", path)
    missing = [name for name in NEEDED_TABLES if f"TABLE DATA public {name} " not in listed]
    if missing:
        raise BackupFailed(f"{path} is not a Sightline backup: it lacks {', '.join(missing)}.")
    await tools.pg_restore(f"--file={os.devnull}", path)
    script = await tools.pg_restore(
        "--data-only", "--schema=public", "--table=alembic_version", "--file=-", path
    )
    lines = iter(script.splitlines())
    for line in lines:
        if line.startswith("COPY public.alembic_version"):
            return next(lines).strip()
    raise BackupFailed(f"{path} does not state its version.")


async def _check_target(url: str, *, replace: bool) -> str:
    """The name of the database, if it may be replaced."""
    connection = await asyncpg.connect(url)
    try:
        name: str = await connection.fetchval("SELECT current_database()")
        if not await connection.fetchval(
            "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
        ):
            raise BackupFailed("The role may not create databases: ALTER ROLE … CREATEDB.")
        tables: int = await connection.fetchval(
            "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        )
        if tables and not replace:
            raise DatabaseIsNotEmpty(f"The database {name} is not empty; give --replace.")
        await _refuse_if_in_use(connection, name)
        return name
    finally:
        await connection.close()


async def _refuse_if_in_use(connection: asyncpg.Connection, name: str) -> None:
    """A running API counts on data that only moves forward, so it must not see the swap."""
    sessions: int = await connection.fetchval(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = $1 AND application_name LIKE 'sightline sightline%'
        """,
        name,
    )
    if sessions:
        raise DatabaseIsInUse(
            f"Sightline is running on the database {name} ({sessions} sessions). Stop it first."
        )


@asynccontextmanager
async def _maintenance(url: str) -> AsyncIterator[asyncpg.Connection]:
    """A session beside the database itself, which cannot be renamed from within."""
    connection = await asyncpg.connect(url, database=MAINTENANCE_DATABASE)
    try:
        if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", RESTORE_LOCK):
            raise DatabaseIsInUse("Another restore is in progress on this server.")
        yield connection
    finally:
        await connection.close()


async def _pour(
    connection: asyncpg.Connection, tools: Tools, path: Path, *, url: str, model: str, fresh: str
) -> str:
    """Make a new database of the backup, as it is; its address."""
    await connection.execute(roles_script())
    await connection.execute(
        f"CREATE DATABASE {_quoted(fresh)} TEMPLATE template0 {await _locale(connection, model)}"
    )
    fresh_url = urlsplit(url)._replace(path=f"/{quote(fresh)}").geturl()
    listed = await tools.pg_restore("--list", path)
    kept = [line for line in listed.splitlines() if OWNER_POLICY not in line]
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".list") as contents:
        contents.write("\n".join(kept) + "\n")
        contents.flush()
        await tools.pg_restore(
            *("--no-owner", "--exit-on-error", "--single-transaction"),
            *(f"--use-list={contents.name}", path),
            url=fresh_url,
        )
    inside = await asyncpg.connect(fresh_url)
    try:
        await inside.execute(CREATE_OWNER_POLICY)
    finally:
        await inside.close()
    return fresh_url


async def _fill(
    connection: asyncpg.Connection, tools: Tools, path: Path, *, url: str, model: str, fresh: str
) -> None:
    """Make the new database from the backup, migrate it, and prove that its rows are protected."""
    fresh_url = await _pour(connection, tools, path, url=url, model=model, fresh=fresh)
    await asyncio.to_thread(migrate, fresh_url)
    inside = await asyncpg.connect(fresh_url)
    try:
        await inside.execute("ANALYZE")  # a backup holds no statistics
    finally:
        await inside.close()
    found = await inspect_database(fresh_url)
    if found.unprotected_tables or found.missing_roles or found.mighty_roles:
        wrong = [*found.unprotected_tables, *found.missing_roles, *found.mighty_roles]
        raise BackupFailed(f"The restored rows would not be protected: {', '.join(wrong)}.")


async def _locale(connection: asyncpg.Connection, model: str) -> str:
    """The clauses that give a new database the encoding and sort order of `model`."""
    row = await connection.fetchrow(
        """
        SELECT pg_encoding_to_char(encoding) AS encoding, datcollate, datctype,
          datlocprovider = 'c' AS is_libc, quote_literal(datcollate) AS collation,
          quote_literal(datctype) AS character_type
        FROM pg_database WHERE datname = $1
        """,
        model,
    )
    if row is None or not row["is_libc"]:
        return "ENCODING 'UTF8'"
    return (
        f"ENCODING '{row['encoding']}' LOCALE_PROVIDER libc "
        f"LC_COLLATE {row['collation']} LC_CTYPE {row['character_type']}"
    )


async def _swap(connection: asyncpg.Connection, name: str, *, fresh: str, old: str) -> None:
    """Both renames in one transaction: at every moment there is a database of this name."""
    for attempt in range(SWAP_ATTEMPTS):
        await connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = ANY($1)",
            [name, fresh],
        )
        try:
            async with connection.transaction():
                await connection.execute(f"ALTER DATABASE {_quoted(name)} RENAME TO {_quoted(old)}")
                await connection.execute(
                    f"ALTER DATABASE {_quoted(fresh)} RENAME TO {_quoted(name)}"
                )
            return
        except asyncpg.ObjectInUseError:  # someone came back in between
            if attempt == SWAP_ATTEMPTS - 1:
                raise


def _check_file(path: Path, *, overwrite: bool) -> None:
    if path.exists() and not overwrite:
        raise FileExists(f"{path} exists; give --force to replace it.")
    if path.is_dir():
        raise BackupFailed(f"{path} is a folder; name a file in it.")
    if not path.parent.is_dir():
        raise BackupFailed(f"There is no folder {path.parent}.")


def _size_of(path: Path) -> int:
    if not path.is_file():
        raise BackupFailed(f"There is no file {path}.")
    return path.stat().st_size


def _put_in_place(half: Path, path: Path) -> int:
    """Give a finished file its name, so that a power cut leaves it whole or absent; its size."""
    handle = os.open(half, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    half.replace(path)
    sync_folder(path.parent)
    return path.stat().st_size


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
