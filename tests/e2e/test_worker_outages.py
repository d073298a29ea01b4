"""The worker outlives what happens to its database and inside its work, and ends in good order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest

from sightline.kit.fetch.client import FetcherConfig
from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.secrets import SecretBox
from sightline.queue.clock import Schedule, keep_clock
from sightline.queue.runner import Runner
from sightline.store.database import Database, open_database
from sightline.store.work import Work, finish, put
from sightline.worker import WorkerConfig, work_until
from tests.waiting import LONGEST_SECONDS, until


@pytest.fixture
async def workers(database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(database_url, role="sightline_worker", size=6)
    yield opened
    await opened.close()


@asynccontextmanager
async def outage(server: EmbeddedPostgres, database_url: str) -> AsyncIterator[None]:
    """The database refuses everybody and has closed what was open, as a server that restarts does."""
    name = urlsplit(database_url).path.lstrip("/")
    connection = await asyncpg.connect(server.superuser_url)
    try:
        await connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await connection.execute(
            "SELECT pg_terminate_backend(pid, 300000) FROM pg_stat_activity WHERE datname = $1",
            name,
        )
        try:
            yield
        finally:
            await connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    finally:
        await connection.close()


async def ask(workers: Database, kind: str, subject: str) -> None:
    async with workers.connection() as connection:
        await put(connection, kind, subject)


async def end(workers: Database, work: Work) -> None:
    async with workers.connection() as connection, connection.transaction():
        await finish(connection, work)


async def test_a_worker_outlives_a_restart_of_its_database(
    server: EmbeddedPostgres, database_url: str, owner: Database, tmp_path: Path
) -> None:
    config = WorkerConfig(
        url=database_url,
        pool_size=4,
        wait_seconds=0.2,
        fetcher=FetcherConfig(web=f"replay:{tmp_path}", sample_dir=tmp_path),
        secrets=SecretBox(bytes(32)),
        slots=2,
        organization_slots=2,
        evidence_days=30,
    )

    async def is_done() -> bool:
        async with owner.connection() as connection:
            return not await connection.fetchval(
                "SELECT EXISTS (SELECT FROM work WHERE kind = 'refresh_accounts')"
            )

    stop = asyncio.Event()
    working = asyncio.create_task(work_until(stop, config))
    await ask(owner, "refresh_accounts", str(uuid4()))
    await until(is_done)
    async with outage(server, database_url):
        await asyncio.sleep(1.5)  # several claims, each refused
        assert not working.done()
    await ask(owner, "refresh_accounts", str(uuid4()))
    await until(is_done)
    stop.set()
    async with asyncio.timeout(LONGEST_SECONDS):
        await working


async def test_the_clock_waits_for_a_database_that_is_away(
    server: EmbeddedPostgres, database_url: str, workers: Database, owner: Database
) -> None:
    async def tick(database: Database) -> None:
        raise AssertionError("not within this test")

    async def is_known() -> bool:
        async with owner.connection() as connection:
            return bool(
                await connection.fetchval("SELECT EXISTS (SELECT FROM clock WHERE name = 'tick')")
            )

    stop = asyncio.Event()
    async with outage(server, database_url):
        keeping = asyncio.create_task(
            keep_clock(workers, {"tick": Schedule(tick, 60 * 24 * 365)}, stop)
        )
        await asyncio.sleep(0.3)
        assert not keeping.done()
    await until(is_known)
    stop.set()
    async with asyncio.timeout(LONGEST_SECONDS):
        await keeping


async def test_work_that_is_cancelled_from_inside_costs_no_slot(workers: Database) -> None:
    tried: list[str] = []

    async def handle(work: Work) -> None:
        tried.append(work.subject)
        if work.subject == "odd":
            raise asyncio.CancelledError
        await end(workers, work)

    async def is_worked() -> bool:
        return "even" in tried

    stop = asyncio.Event()
    running = asyncio.create_task(
        Runner(workers, {"count": handle}, slots=1, per_organization=1).run(stop)
    )
    await ask(workers, "count", "odd")
    await until(lambda: _has_failed(workers))
    await ask(workers, "count", "even")
    await until(is_worked)
    stop.set()
    async with asyncio.timeout(LONGEST_SECONDS):
        await running


async def _has_failed(workers: Database) -> bool:
    async with workers.connection() as connection:
        return bool(
            await connection.fetchval("SELECT EXISTS (SELECT FROM work WHERE last_error <> '')")
        )


async def test_a_runner_that_is_cut_off_ends_after_its_work(workers: Database) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def handle(work: Work) -> None:
        begun.set()
        try:
            await asyncio.sleep(LONGEST_SECONDS)
        finally:  # as every handler does that holds a transaction
            async with workers.connection() as connection:
                await connection.fetchval("SELECT pg_sleep(0.2)")
            ended.set()

    await ask(workers, "count", "x")
    running = asyncio.create_task(
        Runner(workers, {"count": handle}, slots=1, per_organization=1).run(asyncio.Event())
    )
    async with asyncio.timeout(LONGEST_SECONDS):
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert ended.is_set(), "its work would meet a closed pool"


async def test_workers_share_the_clock_and_take_up_what_a_killed_one_left(
    workers: Database, owner: Database
) -> None:
    runs: list[str] = []
    is_free = asyncio.Event()

    async def tick(database: Database) -> None:
        runs.append("tick")
        await is_free.wait()

    async def fail(database: Database) -> None:
        runs.append("fail")
        raise RuntimeError("Its next turn comes.")

    async def set_clock(assignment: str) -> None:
        async with owner.connection() as connection:
            await connection.execute(f"UPDATE clock SET {assignment}")

    async def waits_for(name: str, times: int) -> None:
        async def is_so() -> bool:
            return runs.count(name) >= times

        await until(is_so)

    stop = asyncio.Event()
    table = {"tick": Schedule(tick, 60), "fail": Schedule(fail, 24 * 60, after=11)}
    keeping = [asyncio.create_task(keep_clock(workers, table, stop)) for _ in range(2)]
    await until(lambda: _clock_rows(owner, 2))
    assert not runs  # a new schedule waits for its first time
    await set_clock("due_at = now()")
    await waits_for("tick", 1)
    await waits_for("fail", 1)
    # The run goes on: being due again starts no second one. A worker that was killed renews no lease.
    await set_clock("due_at = now()")
    await waits_for("fail", 2)
    assert runs.count("tick") == 1
    await set_clock("lease_until = now() - interval '1 s' WHERE name = 'tick'")
    await waits_for("tick", 2)
    is_free.set()
    stop.set()
    async with asyncio.timeout(LONGEST_SECONDS):
        await asyncio.gather(*keeping)
    async with owner.connection() as connection:
        left = await connection.fetch(
            "SELECT name, lease_until, due_at > now() AS waits,"
            " extract(epoch FROM due_at)::bigint % 86400 AS at FROM clock ORDER BY name"
        )
    assert [(row["name"], row["lease_until"], row["waits"]) for row in left] == [
        ("fail", None, True),
        ("tick", None, True),
    ]
    assert left[0]["at"] == 11 * 60


async def _clock_rows(owner: Database, rows: int) -> bool:
    async with owner.connection() as connection:
        return bool(await connection.fetchval("SELECT count(*) = $1 FROM clock", rows))
