"""The work queue: asked twice is done once, shares are fair, a lost claim can write nothing."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from sightline.queue import doorbell, runner
from sightline.queue.runner import Runner
from sightline.store import database as database_module
from sightline.store.database import Database, open_database
from sightline.store.work import (
    CATALOGUE_SHARE,
    FenceIsLost,
    Work,
    claim,
    finish,
    hold,
    is_under_way,
    put,
    put_back,
    put_many,
    renew,
)
from tests.waiting import LONGEST_SECONDS, until

LEASE = timedelta(hours=1)
A, B = UUID(int=1), UUID(int=2)


@pytest.fixture
async def workers(database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(database_url, role="sightline_worker", size=10)
    yield opened
    await opened.close()


async def ask(workers: Database, subject: str, share: UUID = CATALOGUE_SHARE, **more: int) -> None:
    async with workers.connection() as connection:
        await put(connection, "count", subject, organization_id=share, **more)


async def take(workers: Database, limit: int = 10, lease: timedelta = LEASE) -> Work | None:
    return await claim(workers, ["count"], lease=lease, per_organization=limit)


async def end(workers: Database, work: Work) -> None:
    async with workers.connection() as connection, connection.transaction():
        await finish(connection, work)


async def test_asking_twice_is_asking_once(workers: Database) -> None:
    await ask(workers, "x")
    await ask(workers, "x")
    work = await take(workers)
    assert work is not None
    assert (work.subject, work.attempts, work.organization_id) == ("x", 1, CATALOGUE_SHARE)
    assert await take(workers) is None, "claimed work is not available to others"
    await end(workers, work)
    assert await take(workers) is None


async def test_what_is_asked_for_during_a_run_runs_once_more(workers: Database) -> None:
    await ask(workers, "x")
    work = await take(workers)
    assert work is not None
    await ask(workers, "x")
    assert await take(workers) is None, "not beside the run"
    await end(workers, work)
    again = await take(workers)
    assert again is not None
    await end(workers, again)
    assert await take(workers) is None


async def test_a_lost_lease_lets_another_in_and_shuts_the_first_out(workers: Database) -> None:
    await ask(workers, "x")
    first = await take(workers, lease=timedelta(seconds=-1))
    second = await take(workers)
    assert first is not None
    assert second is not None
    assert second.fence == first.fence + 1
    with pytest.raises(FenceIsLost):
        await renew(workers, first, lease=LEASE)
    with pytest.raises(FenceIsLost):
        await end(workers, first)
    async with workers.connection() as connection, connection.transaction():
        with pytest.raises(FenceIsLost):
            await hold(connection, first)
    await put_back(workers, first, error="late", delay=timedelta(0))
    assert await take(workers) is None, "giving back what is lost changes nothing"
    await end(workers, second)


async def test_the_limit_of_an_organization_holds_and_others_pass(workers: Database) -> None:
    for number in range(6):
        await ask(workers, f"a{number}", A)
    await ask(workers, "b0", B)
    taken = [await take(workers, limit=2) for _ in range(4)]
    assert [w.organization_id if w else None for w in taken] == [A, B, A, None]


async def test_the_limit_holds_under_concurrency(workers: Database) -> None:
    async with workers.connection() as connection:
        await put_many(connection, "count", [(str(n), {}) for n in range(50)], organization_id=A)
    taken = await asyncio.gather(*(take(workers, limit=3) for _ in range(10)))
    assert sum(work is not None for work in taken) == 3


async def test_a_claim_waits_for_no_other_organization(workers: Database) -> None:
    """Not while one of its work is claimed, nor for what a run that lost its lease still writes."""
    await ask(workers, "lost", A)
    lost = await take(workers, lease=timedelta(seconds=-1))
    assert lost is not None
    await ask(workers, "b0", B)
    async with workers.connection() as connection, connection.transaction():
        await hold(connection, lost)
        async with asyncio.timeout(LONGEST_SECONDS):
            found = await take(workers)
        assert found is not None
        assert found.subject == "b0", "the row of A is locked"
    await end(workers, found)
    await end(workers, lost)
    await ask(workers, "b1", B)
    async with workers.connection() as connection, connection.transaction():
        lock = "SELECT pg_advisory_xact_lock(7241001, hashtext($1::uuid::text))"
        await connection.execute(lock, A)
        async with asyncio.timeout(LONGEST_SECONDS):
            assert await take(workers, limit=1) is not None


async def test_work_that_is_put_wakes_a_worker_that_listens(
    workers: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would look again after ten minutes. One notification is enough for many pieces."""
    monkeypatch.setattr(doorbell, "IDLE_SECONDS", 600.0)
    monkeypatch.setattr(doorbell, "POLL_SECONDS", 600.0)
    stop, done = asyncio.Event(), asyncio.Event()
    subjects: set[str] = set()

    async def handle(work: Work) -> None:
        await end(workers, work)
        subjects.add(work.subject)
        if len(subjects) == 5:
            done.set()

    idle = Runner(workers, {"count": handle}, slots=2, per_organization=2)
    running = asyncio.create_task(idle.run(stop))

    async def listens() -> bool:
        return idle._doorbell.hears and idle._doorbell.waiting == 2

    await until(listens)
    async with workers.connection() as connection:
        await put_many(connection, "count", [(str(n), {}) for n in range(5)])
    async with asyncio.timeout(LONGEST_SECONDS):
        await done.wait()
        stop.set()
        await running


async def test_no_one_waits_who_looked_for_work_just_before_the_end() -> None:
    bell, stop = doorbell.Doorbell(), asyncio.Event()
    stop.set()
    await bell.wake_all(stop)
    late = asyncio.create_task(bell.wait(1.0))
    await asyncio.sleep(0)
    assert late.done()


async def test_a_flood_of_one_tenant_does_not_hold_up_another(workers: Database) -> None:
    async with workers.connection() as connection:
        await put_many(
            connection, "count", [(f"flood {n}", {}) for n in range(5_000)], organization_id=A
        )
    await ask(workers, "one", B)
    first, second = await take(workers), await take(workers)
    assert {w.organization_id for w in (first, second) if w} == {A, B}


async def test_priority_then_age(workers: Database) -> None:
    await ask(workers, "later", priority=5)
    await ask(workers, "first", priority=0)
    await ask(workers, "second", priority=0)
    got = [await take(workers) for _ in range(3)]
    assert [w.subject for w in got if w] == ["first", "second", "later"]


async def test_lost_work_goes_before_what_waits(workers: Database) -> None:
    """A backlog does not hold up what had begun; what kills every worker does not hold up the rest."""
    await ask(workers, "lost", A, priority=10)
    assert await take(workers, lease=timedelta(seconds=-1))
    await ask(workers, "urgent", A)
    again = await take(workers, lease=timedelta(seconds=-1))
    assert again is not None
    assert (again.subject, again.attempts) == ("lost", 2)
    async with workers.connection() as connection:
        await connection.execute("UPDATE work SET attempts = 11 WHERE subject = 'lost'")
    got = [await take(workers) for _ in range(2)]
    assert [w.subject for w in got if w] == ["urgent", "lost"]


async def test_work_under_way_is_waiting_or_running_and_not_failing(workers: Database) -> None:
    async with workers.connection() as connection:
        assert not await is_under_way(connection, "count", "x")
        await ask(workers, "x")
        assert await is_under_way(connection, "count", "x")
        work = await take(workers)
        assert work is not None
        assert await is_under_way(connection, "count", "x")
        await connection.execute("UPDATE work SET attempts = 4")
        assert not await is_under_way(connection, "count", "x")


async def test_failed_work_comes_back_and_every_effect_happens_once(
    workers: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A handler that fails half of the time, under many workers: each subject counted exactly once."""
    monkeypatch.setattr("sightline.queue.runner.FIRST_RETRY_SECONDS", 600.0)
    async with workers.connection() as connection:
        await put_many(connection, "count", [(f"s{n}", {}) for n in range(40)])
    done: list[str] = []
    seen: set[str] = set()

    async def handle(work: Work) -> None:
        if work.subject not in seen:
            seen.add(work.subject)
            raise ValueError("the first time always fails")
        await end(workers, work)
        done.append(work.subject)

    runner = Runner(workers, {"count": handle}, slots=4, per_organization=4)
    await runner.run_all()
    assert done == []
    async with workers.connection() as connection:
        errors = await connection.fetchval(
            "SELECT count(*) FROM work WHERE last_error LIKE '%always fails%' AND lease_until IS NULL"
        )
        await connection.execute("UPDATE work SET ready_at = now() - interval '1 second'")
    assert errors == 40
    await runner.run_all()
    assert sorted(done) == sorted({f"s{n}" for n in range(40)})


async def test_a_stopped_runner_finishes_what_it_has(workers: Database) -> None:
    subject = str(uuid4())
    await ask(workers, subject)
    stop, begun = asyncio.Event(), asyncio.Event()
    done: list[str] = []

    async def handle(work: Work) -> None:
        begun.set()
        await asyncio.sleep(0.3)
        await end(workers, work)
        done.append(work.subject)

    running = asyncio.create_task(
        Runner(workers, {"count": handle}, slots=2, per_organization=2).run(stop)
    )
    await asyncio.wait_for(begun.wait(), LONGEST_SECONDS)
    stop.set()
    await asyncio.wait_for(running, LONGEST_SECONDS)
    assert done == [subject]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(runner, "RENEW_SECONDS", 0.1)
    monkeypatch.setattr(runner, "LEASE", timedelta(seconds=0.5))
    monkeypatch.setattr(database_module, "TIDY_SECONDS", 0.3)


@pytest.mark.usefixtures("impatient")
async def test_a_claim_on_a_connection_that_swallows_it_is_made_again(
    workers: Database, database_url: str
) -> None:
    await ask(workers, "x")
    done, stop = asyncio.Event(), asyncio.Event()
    database = await open_database(database_url, role="sightline_worker", size=1)

    async def handler(work: Work) -> None:
        await end(workers, work)
        done.set()

    async with frozen_connection(database):
        slot = Runner(database, {"count": handler}, slots=1, per_organization=9)
        running = asyncio.create_task(slot.run(stop))
        async with asyncio.timeout(60):  # of the five minutes that a statement of the work may take
            await done.wait()
        stop.set()
        await running
    await database.close()


@pytest.mark.usefixtures("impatient")
async def test_work_whose_connection_swallows_its_renewals_ends_when_another_has_it(
    workers: Database, database_url: str
) -> None:
    await ask(workers, "x")
    begun, cut_off, stop = asyncio.Event(), asyncio.Event(), asyncio.Event()
    database = await open_database(database_url, role="sightline_worker", size=2)

    async def handler(work: Work) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()  # as on a connection that has swallowed a statement
        finally:
            cut_off.set()

    slot = Runner(database, {"count": handler}, slots=1, per_organization=9)
    running = asyncio.create_task(slot.run(stop))
    await begun.wait()
    async with frozen_connection(database):
        async with asyncio.timeout(60):
            await until(lambda: take(workers))
            await cut_off.wait()
        stop.set()
        await running
    await database.close()


@asynccontextmanager
async def frozen_connection(database: Database) -> AsyncIterator[None]:
    """The connection that the pool gives out next answers nothing within the block."""
    async with database.connection() as connection:
        pid = await connection.fetchval("SELECT pg_backend_pid()")
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)
