"""What `sightline doctor` asks a database. Reads catalogues only, as any role that may connect."""

from dataclasses import dataclass
from datetime import datetime

import asyncpg

from sightline.store.migrate import current_version

ROLES = ("sightline_app", "sightline_worker")
QUEUE_TABLES = ("pgqueuer", "pgqueuer_log", "pgqueuer_schedules", "pgqueuer_statistics")
# Holds digests alone and must be read before the organization is known.
WITHOUT_TENANT_POLICY = ("key_index",)


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


async def inspect_database(url: str, *, timeout_seconds: float = 10.0) -> Inspection:
    """Connect and look; changes nothing. Raises what asyncpg raises when there is no way in."""
    connection = await asyncpg.connect(url, timeout=timeout_seconds)
    try:
        return await _inspect(connection)
    finally:
        await connection.close()


async def _inspect(connection: asyncpg.Connection) -> Inspection:
    roles = await connection.fetch(
        """
        SELECT rolname, rolsuper OR rolbypassrls OR rolcreaterole OR EXISTS (
            SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'public' AND c.relowner = r.oid) AS is_mighty
        FROM pg_roles r WHERE rolname = ANY($1::text[])
        """,
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
    )
