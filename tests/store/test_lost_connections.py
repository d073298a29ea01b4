"""A connection that the server closes under a transaction is a busy database, not an odd failure."""

import asyncio
from typing import Any

import asyncpg
import pytest

from sightline.sources.fenced import fenced
from sightline.store import database as module
from sightline.store.database import Database, DatabaseIsBusy, open_database
from tests.conftest import Tenant


@pytest.mark.parametrize("notices_first", [False, True])
async def test_a_connection_cut_by_the_server(
    owner: Database, database: Database, tenant: Tenant, notices_first: bool
) -> None:
    with pytest.raises(DatabaseIsBusy):
        async with database.tenant(tenant.organization_id) as connection:
            pid = await connection.fetchval("SELECT pg_backend_pid()")
            async with owner.connection() as other:
                assert await other.fetchval("SELECT pg_terminate_backend($1)", pid)
            if notices_first:
                await asyncio.sleep(0.3)
            await connection.fetchval("SELECT 1")
    async with database.tenant(tenant.organization_id) as connection:
        assert await connection.fetchval("SELECT 1") == 1


async def test_a_connection_cut_while_a_statement_runs(
    owner: Database, database: Database, tenant: Tenant
) -> None:
    async with owner.connection() as other:
        with pytest.raises(DatabaseIsBusy):
            async with database.tenant(tenant.organization_id) as connection:
                pid = await connection.fetchval("SELECT pg_backend_pid()")
                running = asyncio.create_task(connection.fetchval("SELECT pg_sleep(3600)"))
                await asyncio.sleep(0.2)
                assert await other.fetchval("SELECT pg_terminate_backend($1)", pid)
                await running


async def test_a_connection_cut_while_it_goes_back(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = asyncpg.pool.PoolConnectionHolder.release

    async def releases_twice(*given: Any) -> None:
        await release(*given)
        await release(*given)  # as when the pool sees the closed connection first

    monkeypatch.setattr(asyncpg.pool.PoolConnectionHolder, "release", releases_twice)
    for _ in range(2 * database.pool.get_max_size()):
        async with database.connection() as connection:
            assert await connection.fetchval("SELECT 1") == 1


async def test_a_connection_that_breaks_as_it_is_put_in_order_fails_nobody(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(connection: Any) -> None:
        connection.terminate()
        raise asyncpg.ConnectionDoesNotExistError(
            "connection was closed in the middle of operation"
        )

    monkeypatch.setattr(module, "_keep", breaks)
    database = await open_database(database_url, size=1)
    for _ in range(2):
        async with database.connection() as connection:
            assert await connection.fetchval("SELECT 1") == 1
    await database.close()


async def test_a_fenced_transaction_on_a_cut_connection_is_a_busy_database(
    owner: Database, database_url: str
) -> None:
    """Whatever failed first; and the connection goes back to its pool of one."""
    database = await open_database(database_url, size=1)
    with pytest.raises(DatabaseIsBusy):
        async with fenced(database, None) as connection:
            pid = await connection.fetchval("SELECT pg_backend_pid()")
            async with owner.connection() as other:
                assert await other.fetchval("SELECT pg_terminate_backend($1, 5000)", pid)
            raise ValueError("The work itself failed.")
    async with fenced(database, None) as connection:
        assert await connection.fetchval("SELECT 1") == 1
    await database.close()


async def test_a_fenced_transaction_that_cannot_begin_gives_its_connection_back(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(_: Any) -> None:
        raise asyncpg.ConnectionDoesNotExistError(
            "connection was closed in the middle of operation"
        )

    database = await open_database(database_url, size=1)
    with monkeypatch.context() as broken:
        broken.setattr(asyncpg.transaction.Transaction, "start", breaks)
        with pytest.raises(DatabaseIsBusy):
            async with fenced(database, None):
                pass
    async with fenced(database, None) as connection:
        assert await connection.fetchval("SELECT 1") == 1
    await database.close()
