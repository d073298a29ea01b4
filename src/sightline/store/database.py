"""Connections: a pool for one role, and transactions bound to one organization."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Literal
from uuid import UUID

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from sightline.domain.callers import OrganizationId
from sightline.kit.remembered import Remembered

Role = Literal["sightline_app", "sightline_worker", "owner"]
RawConnection = asyncpg.Connection | PoolConnectionProxy

# What a server that is away, starting, stopping or full makes of a connection.
SERVER_GONE = (
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InternalClientError,  # asyncpg's word for a connection that broke while it was set up
)


# 53100 and 58030: the disk is full, or reading and writing fails.
SERVER_FULL = (asyncpg.DiskFullError, asyncpg.PostgresIOError)
# Beyond the server's own limit of a statement, for its answer to arrive: a server that is frozen, or a
# network that swallows packets, says nothing at all.
ANSWER_SECONDS = 3.0
# Of pages that were read from a database, in memory; see store/pages.py.
REMEMBERED_BYTES = 16 << 20
# For a connection to be put in order before it goes back; a slower one is dropped.
TIDY_SECONDS = 2.0


class RoleIsNotTaken(RuntimeError):
    """The connection has another role than was asked for: a pooler in between dropped it."""


class DatabaseIsBusy(Exception):
    """No connection came free in time, or the server is away. Worth a retry after a second."""


class DatabaseIsFull(DatabaseIsBusy):
    """The server cannot write; someone has to free space on its disk."""


@dataclass(frozen=True)
class Tenant:
    """A connection inside a transaction that sees the rows of one organization and no others.

    It can be used wherever a connection is expected. The statements of `rows`, `row`, `value` and `run` have
    the organization as $1, before their other values.
    """

    connection: "Connection"
    organization_id: OrganizationId

    def fetch(self, query: str, *values: Any) -> Coroutine[Any, Any, list[asyncpg.Record]]:
        return self.connection.fetch(query, *values)

    def fetchrow(self, query: str, *values: Any) -> Coroutine[Any, Any, asyncpg.Record | None]:
        return self.connection.fetchrow(query, *values)

    def fetchval(self, query: str, *values: Any) -> Coroutine[Any, Any, Any]:
        return self.connection.fetchval(query, *values)

    def execute(self, query: str, *values: Any) -> Coroutine[Any, Any, str]:
        return self.connection.execute(query, *values)

    def cursor(self, query: str, *values: Any) -> Any:
        return self.connection.cursor(query, *values)

    def copy_from_query(self, query: str, **options: Any) -> Coroutine[Any, Any, str]:
        return self.connection.copy_from_query(query, **options)

    def executemany(self, query: str, rows: Iterable[Sequence[Any]]) -> Coroutine[Any, Any, None]:
        return self.connection.executemany(query, rows)

    def transaction(self) -> AbstractAsyncContextManager[Any]:
        return self.connection.transaction()

    def rows(self, query: str, *values: Any) -> Coroutine[Any, Any, list[asyncpg.Record]]:
        return self.fetch(query, self.organization_id, *values)

    def row(self, query: str, *values: Any) -> Coroutine[Any, Any, asyncpg.Record | None]:
        return self.fetchrow(query, self.organization_id, *values)

    def value(self, query: str, *values: Any) -> Coroutine[Any, Any, Any]:
        return self.fetchval(query, self.organization_id, *values)

    def run(self, query: str, *values: Any) -> Coroutine[Any, Any, str]:
        return self.execute(query, self.organization_id, *values)


Connection = RawConnection | Tenant


@dataclass(frozen=True)
class Database:
    """A pool whose connections hold one role for all their life."""

    pool: asyncpg.Pool
    wait_seconds: float
    pages: Remembered = field(default_factory=lambda: Remembered(REMEMBERED_BYTES), compare=False)

    @asynccontextmanager
    async def tenant(
        self, organization_id: UUID, *, repeatable: bool = False
    ) -> AsyncIterator[Tenant]:
        """A transaction that sees the rows of one organization and no others.

        `repeatable` gives all of its statements one snapshot. Commits on a normal exit.
        """
        async with (
            self.connection() as connection,
            _transaction(connection, organization_id, repeatable=repeatable) as tenant,
        ):
            yield tenant

    def reads(self, organization_id: UUID) -> "_Reads":
        """For queries that need no common snapshot: see TenantReads."""
        return _Reads(self.connection(), OrganizationId(organization_id), self.pages)

    def connection(self) -> AbstractAsyncContextManager[RawConnection]:
        """A connection outside any transaction, with no organization set."""
        return _Borrowed(self)

    async def close(self) -> None:
        await self.pool.close()


# Classes, where generators would take as long again: every request passes here.
class _Borrowed(AbstractAsyncContextManager[RawConnection]):
    """A connection of the pool while a block runs."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Any = None

    async def __aenter__(self) -> RawConnection:
        try:
            self._connection = await self._database.pool.acquire(
                timeout=self._database.wait_seconds
            )
        except (*SERVER_GONE, OSError, TimeoutError) as error:
            raise DatabaseIsBusy from error
        connection: RawConnection = self._connection
        return connection

    async def __aexit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        try:
            if error is not None:
                self._judge(error)
        finally:
            # Putting it in order fails when the server, or the network, has closed it this very moment; the
            # pool then drops it, and what was done or failed before is what counts. The pool itself sees to
            # it that a caller who is canceled meanwhile does not break it off.
            with suppress(*SERVER_GONE, asyncpg.InterfaceError, OSError, TimeoutError):
                await self._database.pool.release(self._connection, timeout=TIDY_SECONDS)

    def _judge(self, error: BaseException) -> None:
        """Raise what a failure of the block says of the server, if it does."""
        if isinstance(error, TimeoutError):
            # No answer: what it would say next belongs to another question.
            self._connection.terminate()
            raise DatabaseIsBusy from error
        if isinstance(error, SERVER_FULL):
            raise DatabaseIsFull from error
        if isinstance(error, (*SERVER_GONE, asyncpg.QueryCanceledError)):
            raise DatabaseIsBusy from error
        # The caller's own files fail with OSError too; only a lost connection is our affair.
        if isinstance(error, OSError | asyncpg.InterfaceError) and _is_lost(self._connection):
            raise DatabaseIsBusy from error


@dataclass(frozen=True, slots=True)
class _Reads(AbstractAsyncContextManager["TenantReads"]):
    """TenantReads on a connection while a block runs."""

    held: AbstractAsyncContextManager[RawConnection]
    organization_id: OrganizationId
    pages: Remembered

    async def __aenter__(self) -> "TenantReads":
        return TenantReads(await self.held.__aenter__(), self.organization_id, self.pages)

    def __aexit__(self, *failure: Any) -> Coroutine[Any, Any, bool | None]:
        return self.held.__aexit__(*failure)


@dataclass(frozen=True)
class TenantReads(Tenant):
    """SELECTs that see the rows of one organization, each a transaction of its own.

    Organization and query travel in one message, where `Database.tenant` needs three round trips.
    """

    connection: RawConnection
    pages: Remembered

    def fetch(self, query: str, *values: Any) -> Coroutine[Any, Any, list[asyncpg.Record]]:
        return self.connection.fetch(*self._bound(query, values))

    def fetchrow(self, query: str, *values: Any) -> Coroutine[Any, Any, asyncpg.Record | None]:
        return self.connection.fetchrow(*self._bound(query, values))

    def fetchval(self, query: str, *values: Any) -> Coroutine[Any, Any, Any]:
        return self.connection.fetchval(*self._bound(query, values))

    def snapshot(self) -> AbstractAsyncContextManager[Tenant]:
        """A transaction whose statements agree."""
        return _transaction(self.connection, self.organization_id, repeatable=True)

    async def execute(self, query: str, *values: Any) -> str:
        """For the rare write of a read, in a transaction of its own."""
        async with _transaction(self.connection, self.organization_id) as tenant:
            return await tenant.execute(query, *values)

    def _bound(self, query: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
        return _bound(query, len(values)), *values, str(self.organization_id)


@asynccontextmanager
async def _transaction(
    connection: RawConnection, organization_id: UUID, *, repeatable: bool = False
) -> AsyncIterator[Tenant]:
    """Commits on a normal exit."""
    # One round trip for both; the id is that of a UUID object, so there is nothing to escape.
    level = "ISOLATION LEVEL REPEATABLE READ" if repeatable else ""
    await connection.execute(
        f"BEGIN {level}; SELECT set_config('app.organization', '{UUID(str(organization_id))}', true)"
    )
    try:
        yield Tenant(connection, OrganizationId(organization_id))
    except TimeoutError:
        raise  # `Database.connection` drops it
    except BaseException:
        if not _is_lost(connection):
            await _roll_back(connection)
        raise
    await connection.execute("COMMIT")


@lru_cache(maxsize=1_000)
def _bound(query: str, values: int) -> str:
    """A query that first sets the organization, its last parameter, until it ends.

    PostgreSQL runs the inner query for the row of the outer one, so after set_config; OFFSET 0 keeps
    it from merging the two. Were it to run first, the policies would show it no row.
    """
    return f"""
        SELECT answer.* FROM (
          SELECT set_config('app.organization', ${values + 1}::text, true) AS id OFFSET 0) AS tenant
        CROSS JOIN LATERAL (
          SELECT * FROM ({query}
          ) AS query WHERE tenant.id IS NOT NULL OFFSET 0) AS answer
        """


async def open_database(
    url: str,
    *,
    role: Role = "sightline_app",
    size: int = 10,
    wait_seconds: float = 1.0,
    statement_timeout_seconds: float = 5.0,
    connects: bool = True,
) -> Database:
    """Open a pool on `url`; its statements end after the timeout, in seconds (0 for never). Without
    `connects` the server may be away now."""
    server_settings = {
        "application_name": f"sightline {role}",
        "statement_timeout": str(int(statement_timeout_seconds * 1000)),
        "idle_in_transaction_session_timeout": "60000",
        "jit": "off",  # compiling costs more than any of our statements runs
        "random_page_cost": "1.1",  # of flash and memory, not of the turning disks of the default
        "timezone": "UTC",
    }
    if role != "owner":
        server_settings["role"] = role
    pool = await asyncpg.create_pool(
        url,
        min_size=int(connects),
        max_size=size,
        init=partial(_prepare, role),
        reset=_keep,
        server_settings=server_settings,
        max_inactive_connection_lifetime=300,
        command_timeout=statement_timeout_seconds + ANSWER_SECONDS
        if statement_timeout_seconds
        else None,
    )
    return Database(pool=pool, wait_seconds=wait_seconds)


async def act_for(connection: Connection, organization_id: UUID | None) -> None:
    """Let the rest of the caller's transaction see the rows of one organization; of none for None."""
    await connection.execute(
        "SELECT set_config('app.organization', $1, true)", str(organization_id or "")
    )


async def _roll_back(connection: RawConnection) -> None:
    """End the transaction, or drop the connection when the server does not answer."""
    try:
        async with asyncio.timeout(TIDY_SECONDS):
            await connection.execute("ROLLBACK")
    except TimeoutError:
        connection.terminate()


def _is_lost(connection: RawConnection) -> bool:
    try:
        return connection.is_closed()
    except asyncpg.InterfaceError:  # its pool took it back as soon as the server had closed it
        return True


async def _prepare(role: Role, connection: asyncpg.Connection) -> None:
    if role != "owner" and await connection.fetchval("SELECT current_user") != role:
        raise RoleIsNotTaken(
            f"The database gave another role than {role}: behind a pooler, log in as {role}."
        )
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads
    )


async def _keep(connection: Any) -> None:
    """Every transaction sets its own organization with transaction scope, so a connection goes back
    as it came; asyncpg's default reset would cost a round trip each time and clear nothing more."""
    if connection.is_in_transaction():
        await connection.execute("ROLLBACK")
