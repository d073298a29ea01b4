"""Migrates a database to the version that this release needs."""

import asyncio
from pathlib import Path

import asyncpg

HEAD = "0042"
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
        await asyncio.to_thread(_upgrade, url)
    finally:
        await connection.close()


def _upgrade(url: str) -> None:
    asyncio.run(upgrade(url))


async def upgrade(url: str, *, to: str = "head") -> None:
    """Run the migrations up to a version, each in a transaction of its own: one that finds a table in use
    for too long is tried again, and those before it stay."""
    for tries_left in reversed(range(LOCK_TRIES)):
        try:
            await _run_alembic(url, to)
            return
        except asyncpg.LockNotAvailableError:
            if not tries_left:
                raise
            await asyncio.sleep(_BETWEEN_TRIES_SECONDS)


async def _run_alembic(url: str, to: str) -> None:
    # Imported here: start-up with nothing to migrate must not pay half a second for it.
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("file_template", "v%%(rev)s_%%(slug)s")

    def run(connection: Connection) -> None:
        config.attributes["connection"] = connection
        command.upgrade(config, to)

    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda: asyncpg.connect(
            url, server_settings={"lock_timeout": f"{LOCK_SECONDS}s"}
        ),
        poolclass=NullPool,
    )
    try:
        async with engine.connect() as connection:
            await connection.run_sync(run)
            await connection.commit()
    finally:
        await engine.dispose()
