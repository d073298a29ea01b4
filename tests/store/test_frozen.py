"""A database that stops answering, and one that cannot write: every question still gets an answer."""

import asyncio
import os
import signal
import time

import asyncpg
import pytest

from sightline.kit.ids import new_id
from sightline.store import database as module
from sightline.store.database import Database, DatabaseIsBusy, DatabaseIsFull, open_database
from sightline.store.health import can_write, queue_answers


async def test_a_frozen_server_process_is_busy_in_time(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(module, "TIDY_SECONDS", 0.3)
    database = await open_database(
        database_url, size=1, wait_seconds=5, statement_timeout_seconds=0.5
    )
    pid = 0
    try:
        began = time.monotonic()
        with pytest.raises(DatabaseIsBusy):
            async with database.tenant(new_id()) as connection:
                pid = await connection.fetchval("SELECT pg_backend_pid()")
                os.kill(pid, signal.SIGSTOP)
                await connection.fetchval("SELECT 2")
        assert time.monotonic() - began < 5
        assert await can_write(database), "another connection takes its place"
        assert await queue_answers(database)
    finally:
        if pid:
            os.kill(pid, signal.SIGCONT)
        await database.close()


async def test_a_cancelled_request_leaves_a_frozen_connection(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TIDY_SECONDS", 0.3)
    database = await open_database(database_url, size=1, wait_seconds=5)
    pid = 0
    try:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1), database.tenant(new_id()) as connection:
                pid = await connection.fetchval("SELECT pg_backend_pid()")
                os.kill(pid, signal.SIGSTOP)
                await connection.fetchval("SELECT 2")
        assert await queue_answers(database)
    finally:
        if pid:
            os.kill(pid, signal.SIGCONT)
        await database.close()


async def test_a_full_disk_has_a_name_of_its_own(database: Database) -> None:
    for state in (asyncpg.DiskFullError, asyncpg.PostgresIOError):
        with pytest.raises(DatabaseIsFull):
            async with database.connection() as connection:
                await connection.execute(
                    f"DO $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '{state.sqlstate}'; END $$"
                )


async def test_a_standby_cannot_write(database_url: str) -> None:
    database = await open_database(database_url, size=1)
    async with database.connection() as connection:
        await connection.execute("SET default_transaction_read_only = on")
    assert not await can_write(database)
    await database.close()
