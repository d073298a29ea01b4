"""The database checks of `sightline doctor`. Reads only system catalogs, as any role that may connect."""

from dataclasses import dataclass
from datetime import datetime

import asyncpg
import structlog

from sightline.store.database import Database
from sightline.store.migrate import current_version
from sightline.store.quarantine import IS_QUARANTINED

ROLES = ("sightline_app", "sightline_worker")
QUEUE_TABLES = ("work", "clock")
# Holds digests alone and must be read before the organization is known.
WITHOUT_TENANT_POLICY = ("key_index",)
# Whether role `r` can read past row-level security, or make itself able to.
_IS_MIGHTY = """
  r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR EXISTS (
    SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relowner = r.oid)
"""
log = structlog.get_logger()


@dataclass(frozen=True)
class Inspection:
    """The state of a database; empty tuples mean that nothing is wrong."""

    server_version: int  # as 160004
    server_name: str  # as 16.4
    now: datetime
    migration: str | None
    missing_roles: tuple[str, ...]
    mighty_roles: tuple[str, ...]  # that could read every tenant's rows
    unprotected_tables: tuple[str, ...]  # tenant tables without forced row-level security
    tenant_tables: int
    missing_queue_tables: tuple[str, ...]
    may_back_up: bool  # the login role reads all tenants' rows
    quarantined: int  # bodies that are not parsed, because they ended their parsers
    failing_sources: tuple[tuple[str, str], ...]  # (source, why) where the last run of it failed
    unarchived: str | None  # the piece of the log that could not be archived when last tried


async def inspect_database(url: str, *, timeout_seconds: float = 10.0) -> Inspection:
    """Connect and look; changes nothing. Raises what asyncpg raises when there is no way in."""
    connection = await asyncpg.connect(url, timeout=timeout_seconds)
    try:
        return await _inspect(connection)
    finally:
        await connection.close()


async def warn_of_mighty_login(database: Database) -> None:
    """Log it when a serving process logs in as someone who could leave row-level security behind."""
    async with database.connection() as connection:
        mighty = await connection.fetchval(
            f"SELECT {_IS_MIGHTY} FROM pg_roles r WHERE rolname = session_user"
        )
    if mighty:
        log.warning(
            "database_login_is_too_mighty",
            advice="Log in as sightline_app or sightline_worker; docs/howto/several-nodes.md says how.",
        )


async def _inspect(connection: asyncpg.Connection) -> Inspection:
    roles = await connection.fetch(
        f"SELECT rolname, {_IS_MIGHTY} AS is_mighty FROM pg_roles r WHERE rolname = ANY($1::text[])",
        list(ROLES),
    )
    tables = await connection.fetch(
        """
        SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity
            AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid) AS is_protected
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relname <> ALL($1::text[])
          AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid
            AND a.attname = 'organization_id' AND NOT a.attisdropped)
        ORDER BY c.relname
        """,
        list(WITHOUT_TENANT_POLICY),
    )
    found = {row["rolname"] for row in roles}
    queue = await connection.fetch(
        "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL",
        list(QUEUE_TABLES),
    )
    return Inspection(
        server_version=int(await connection.fetchval("SHOW server_version_num")),
        server_name=(await connection.fetchval("SHOW server_version")).split()[0],
        now=await connection.fetchval("SELECT clock_timestamp()"),
        migration=await current_version(connection),
        missing_roles=tuple(role for role in ROLES if role not in found),
        mighty_roles=tuple(row["rolname"] for row in roles if row["is_mighty"]),
        unprotected_tables=tuple(row["relname"] for row in tables if not row["is_protected"]),
        tenant_tables=len(tables),
        missing_queue_tables=tuple(row["name"] for row in queue),
        may_back_up=await connection.fetchval(
            "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
        ),
        quarantined=await _quarantined(connection),
        failing_sources=await _failing_sources(connection),
        unarchived=await connection.fetchval(
            "SELECT last_failed_wal FROM pg_stat_archiver"
            " WHERE last_failed_time > coalesce(last_archived_time, '-infinity')"
        ),
    )


async def _failing_sources(connection: asyncpg.Connection) -> tuple[tuple[str, str], ...]:
    readable = "SELECT has_table_privilege(to_regclass('source_states'), 'SELECT')"
    if not await connection.fetchval(readable):
        return ()
    rows = await connection.fetch(
        "SELECT source, coalesce(last_error, '') AS why FROM source_states"
        " WHERE enabled AND sync_status = 'failed' ORDER BY source"
    )
    return tuple((row["source"], row["why"]) for row in rows)


async def _quarantined(connection: asyncpg.Connection) -> int:
    readable = "SELECT has_table_privilege(to_regclass('parser_deaths'), 'SELECT')"
    if not await connection.fetchval(readable):  # NULL before the table is there
        return 0
    count: int = await connection.fetchval(
        f"SELECT count(*) FROM parser_deaths WHERE {IS_QUARANTINED}"
    )
    return count
