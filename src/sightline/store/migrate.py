"""Migrates a database to the version of this release: runs the SQL files of `migrations/` in order."""

import asyncio
from pathlib import Path
from typing import Final

import asyncpg

MIGRATIONS: Final = Path(__file__).parent / "migrations"
SCRIPTS: Final = {path.name[:4]: path for path in sorted(MIGRATIONS.glob("[0-9]*.sql"))}
"""Version -> its file, oldest first."""
HEAD: Final = max(SCRIPTS)
OUTSIDE: Final = "\n-- outside a transaction\n"
"""From here on a file's statements run one by one, as CREATE INDEX CONCURRENTLY needs. What they did stays
when a later one fails, so they must bear repetition (IF NOT EXISTS)."""
# Alembic made the table in the first releases.
_VERSION_TABLE = """
CREATE TABLE IF NOT EXISTS alembic_version
  (version_num varchar(32) NOT NULL CONSTRAINT alembic_version_pkc PRIMARY KEY)
"""
MINIMUM_SERVER = 160_000

# A change of a table waits for those who use it, and all who come after wait behind it: at most so long,
# then it lets them pass and tries again.
LOCK_SECONDS = 3
LOCK_TRIES = 40
_BETWEEN_TRIES_SECONDS = 1.0

# Any fixed number: two nodes that start together migrate one after the other.
MIGRATION_LOCK = 0x51_67_68_74


class DatabaseIsUnusable(RuntimeError):
    """The server is too old, or the database is newer than this release."""


def migrate(url: str) -> None:
    """Migrate the database at `url` (a PostgreSQL DSN of a role that may create tables and roles).

    Costs one query when nothing is to be done. Safe to run from several nodes at once.
    """
    asyncio.run(_migrate(url))


async def current_version(connection: asyncpg.Connection) -> str | None:
    """The version the database is at; None when it is empty."""
    if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
        return None
    version: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
    return version


async def _migrate(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        server = int(await connection.fetchval("SHOW server_version_num"))
        if server < MINIMUM_SERVER:
            raise DatabaseIsUnusable(
                f"PostgreSQL {server // 10_000} is too old; Sightline needs 16 or newer."
            )
        await connection.execute("SELECT pg_advisory_lock($1)", MIGRATION_LOCK)
        version = await current_version(connection)
        if version == HEAD:
            return
        if version is not None and version > HEAD:
            raise DatabaseIsUnusable(
                f"The database is at version {version}, newer than this release ({HEAD}). "
                "Install the release that made it, or restore a backup."
            )
        await upgrade(url)
    finally:
        await connection.close()


async def upgrade(url: str, *, to: str = HEAD) -> None:
    """Run the migrations up to a version, each in a transaction of its own: one that finds a table in use
    for too long is tried again, and those before it stay."""
    for tries_left in reversed(range(LOCK_TRIES)):
        connection = await asyncpg.connect(
            url, server_settings={"lock_timeout": f"{LOCK_SECONDS}s"}
        )
        try:
            await _run_scripts(connection, to)
            return
        except asyncpg.LockNotAvailableError:
            if not tries_left:
                raise
        finally:
            await connection.close()
        await asyncio.sleep(_BETWEEN_TRIES_SECONDS)


async def _run_scripts(connection: asyncpg.Connection, to: str) -> None:
    version = await current_version(connection)
    if version is None:
        await connection.execute(_VERSION_TABLE)
        await connection.execute(roles_script())
    await connection.execute((MIGRATIONS / "helpers.sql").read_text("utf-8"))
    for each, path in SCRIPTS.items():
        if (version or "") < each <= to:
            await _run(connection, each, path.read_text("utf-8"))


async def _run(connection: asyncpg.Connection, version: str, script: str) -> None:
    done = f"DELETE FROM alembic_version; INSERT INTO alembic_version VALUES ('{version}')"
    inside, _, outside = script.partition(OUTSIDE)
    async with connection.transaction():
        # asyncpg cannot run comments alone.
        await connection.execute(f"{inside}\nSELECT" if outside else f"{inside}\n{done}")
    if outside:
        for statement in outside.strip().split(";\n"):
            await connection.execute(statement)
        await connection.execute(done)


def roles_script() -> str:
    """Creates the roles of application and worker where the server has none yet."""
    return (MIGRATIONS / "roles.sql").read_text("utf-8")
