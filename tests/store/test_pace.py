"""Hosts are asked seldom by all workers together, and a killed worker blocks no one for long."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from sightline.kit.fetch.errors import HostIsResting
from sightline.kit.fetch.politeness import Pace
from sightline.store.database import Database, open_database
from sightline.store.pace import LEASE_SECONDS, DatabasePace
from tests.waiting import LONGEST_SECONDS, until

HOST = "shop.example"
ROUNDING = 0.001  # seconds


@pytest.fixture
async def workers(database_url: str) -> AsyncIterator[list[Database]]:
    """Connections of three worker processes."""
    opened = [await open_database(database_url, role="sightline_worker", size=4) for _ in range(3)]
    yield opened
    for each in opened:
        await each.close()


async def take(
    pace: Pace, starts: list[float], *, interval: float = 0.05, connections: int = 1
) -> None:
    async with pace.turn(HOST, interval_seconds=interval, connections=connections):
        starts.append(time.monotonic())


async def leases(worker: Database) -> int:
    async with worker.connection() as connection:
        count: int = await connection.fetchval("SELECT count(*) FROM host_leases")
    return count


@dataclass(frozen=True)
class Turn:
    """A turn in the database's own time, in seconds: when it was due, and when it began."""

    due: float
    began: float


async def use(worker: Database, turns: list[Turn], *, interval: float) -> None:
    """Take a turn at the only connection: while it is held, the next one follows `interval` on it."""
    async with (
        DatabasePace(worker).turn(HOST, interval_seconds=interval, connections=1),
        worker.connection() as connection,
    ):
        row = await connection.fetchrow(
            """
            SELECT extract(epoch FROM next_at)::float8 AS next,
                   extract(epoch FROM clock_timestamp())::float8 AS now
            FROM host_turns WHERE host = $1
            """,
            HOST,
        )
        assert row is not None
        turns.append(Turn(due=row["next"] - interval, began=row["now"]))


async def test_turns_of_all_workers_are_apart(workers: list[Database]) -> None:
    """None begins before it is due; how late one begins is its own affair."""
    turns: list[Turn] = []
    await asyncio.gather(*(use(each, turns, interval=0.1) for each in workers for _ in range(4)))
    assert len(turns) == 12
    assert min(turn.began - turn.due for turn in turns) >= -ROUNDING
    due = sorted(turn.due for turn in turns)
    assert min(later - earlier for earlier, later in pairwise(due)) >= 0.1 - ROUNDING


@pytest.mark.parametrize("connections", [1, 3])
async def test_connections_are_counted_over_all_workers(
    workers: list[Database], connections: int
) -> None:
    inside = most = 0
    all_in_use = asyncio.Barrier(connections)

    async def work(pace: DatabasePace) -> None:
        nonlocal inside, most
        async with pace.turn(HOST, interval_seconds=0, connections=connections):
            inside += 1
            most = max(most, inside)
            await all_in_use.wait()
            await asyncio.sleep(0.05)  # for one too many to come in
            inside -= 1

    paces = [DatabasePace(each, lease_seconds=3_600) for each in workers]
    await asyncio.gather(*(work(pace) for pace in paces for _ in range(4)))
    assert (most, inside) == (connections, 0)
    assert await leases(workers[0]) == 0


async def test_a_killed_workers_connection_comes_back(workers: list[Database]) -> None:
    refused = asyncio.Event()

    class Asking(DatabasePace):
        async def _take(self, *given: Any, **more: Any) -> float | None:
            wait = await super()._take(*given, **more)
            if wait is None:
                refused.set()
            return wait

    starts: list[float] = []
    async with workers[0].connection() as connection:
        async with DatabasePace(workers[0]).turn(HOST, interval_seconds=0, connections=1):
            lasts = await connection.fetchval(
                """
                UPDATE host_leases SET lease_id = gen_random_uuid()  -- the one who had it is dead
                RETURNING extract(epoch FROM expires_at - clock_timestamp())::float8
                """
            )
        assert lasts <= LEASE_SECONDS
        await connection.execute("UPDATE host_leases SET expires_at = 'infinity'")
        waiting = asyncio.create_task(take(Asking(workers[1]), starts))
        await asyncio.wait_for(refused.wait(), LONGEST_SECONDS)
        assert starts == []
        await connection.execute("UPDATE host_leases SET expires_at = clock_timestamp()")
        await waiting
    assert await leases(workers[0]) == 0


async def test_a_rest_holds_for_all_workers(workers: list[Database]) -> None:
    first, second = DatabasePace(workers[0]), DatabasePace(workers[1], patience_seconds=300)
    starts: list[float] = []
    began = time.monotonic()
    await first.rest(HOST, 0.3)
    await take(second, starts)
    assert starts[0] - began >= 0.29
    await first.rest(HOST, 90_000)
    await first.rest(HOST, 1)  # never shortens a longer one
    with pytest.raises(HostIsResting) as resting:
        await take(second, starts)
    assert 80_000 < (resting.value.retry_after or 0) <= 90_000
    async with second.turn("other.example", interval_seconds=1, connections=1):
        pass


async def test_patience_ends_while_others_hold_the_connection(workers: list[Database]) -> None:
    holder = DatabasePace(workers[0], lease_seconds=3_600)
    hasty = DatabasePace(workers[1], patience_seconds=0.2)
    starts: list[float] = []
    async with holder.turn(HOST, interval_seconds=0, connections=1):
        waiting = [asyncio.create_task(take(hasty, starts, interval=0)) for _ in range(3)]
        ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in ended] == [HostIsResting] * 3
    await take(hasty, starts)
    assert len(starts) == 1


async def test_whoever_fails_or_is_cancelled_gives_back(workers: list[Database]) -> None:
    pace = DatabasePace(workers[0])
    with pytest.raises(ZeroDivisionError):
        async with pace.turn(HOST, interval_seconds=0, connections=1):
            raise ZeroDivisionError
    starts: list[float] = []
    await pace.rest(HOST, 90)
    sleeping = asyncio.create_task(take(pace, starts))
    await until(lambda: leases(workers[1]))
    sleeping.cancel()
    await asyncio.gather(sleeping, return_exceptions=True)
    assert await leases(workers[1]) == 0
    async with workers[0].connection() as connection:
        await connection.execute("UPDATE host_turns SET next_at = '-infinity'")
    await take(pace, starts)
    assert len(starts) == 1
