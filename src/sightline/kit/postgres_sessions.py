"""Short sessions with the embedded server: is it up, and does its database exist?"""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeVar

import asyncpg

_Result = TypeVar("_Result")
Readiness = Literal["ready", "not_set_up", "not_yet"]
# The last is what asyncpg raises when the connection breaks while it is being set up.
_GONE = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)


def probe(url: str) -> Readiness:
    """Ask the server a query. `not_set_up`: it answers, but role or database is missing."""
    return _run(_probe(url))


def _run(work: Coroutine[None, None, _Result]) -> _Result:
    """Run a coroutine to its end, also where a caller's event loop is running already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, work).result()


async def _probe(url: str) -> Readiness:
    try:
        connection = await asyncpg.connect(url, ssl=False, timeout=5)
    except (asyncpg.InvalidPasswordError, asyncpg.InvalidCatalogNameError):
        return "not_set_up"
    except asyncpg.TooManyConnectionsError:
        return "ready"
    except _GONE:
        return "not_yet"
    try:
        await connection.fetchval("SELECT 1", timeout=5)
    except _GONE:
        return "not_yet"
    finally:
        connection.terminate()
    return "ready"


def set_up(superuser_url: str, *, owner: str, password: str, database: str) -> None:
    """Create the role `owner` and its database. What exists is kept; the password is set again."""
    _run(_set_up(superuser_url, owner=owner, password=password, database=database))


async def _set_up(superuser_url: str, *, owner: str, password: str, database: str) -> None:
    connection = await asyncpg.connect(superuser_url, ssl=False, timeout=30)
    try:
        role = await _quoted(connection, owner)
        if not await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", owner):
            await connection.execute(f"CREATE ROLE {role}")
        literal = await connection.fetchval("SELECT quote_literal($1)", password)
        # It migrates and backs up every organization's rows, but is no superuser; what it creates
        # it may also become, as the application's roles need.
        await connection.execute(
            f"ALTER ROLE {role} LOGIN CREATEDB CREATEROLE BYPASSRLS PASSWORD {literal}"
        )
        await connection.execute(f"ALTER ROLE {role} SET createrole_self_grant = 'set, inherit'")
        if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", database):
            name = await _quoted(connection, database)
            await connection.execute(f"CREATE DATABASE {name} OWNER {role}")
    finally:
        await connection.close()


def let_log_in(owner_url: str, role: str, password: str) -> None:
    """Give a role of the owner's making a password of its own. Raises what asyncpg raises."""
    _run(_let_log_in(owner_url, role, password))


async def _let_log_in(owner_url: str, role: str, password: str) -> None:
    connection = await asyncpg.connect(owner_url, ssl=False, timeout=30)
    try:
        name = await _quoted(connection, role)
        literal = await connection.fetchval("SELECT quote_literal($1)", password)
        await connection.execute(f"ALTER ROLE {name} LOGIN PASSWORD {literal}")
    finally:
        await connection.close()


async def _quoted(connection: asyncpg.Connection, name: str) -> str:
    quoted: str = await connection.fetchval("SELECT quote_ident($1)", name)
    return quoted
