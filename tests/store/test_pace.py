"""Hosts are asked seldom by all workers together, and a killed worker blocks nobody for long."""

import asyncio
import time
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest

from sightline.kit.fetch.errors import HostIsResting
from sightline.kit.fetch.politeness import Pace
from sightline.store.database import Database, open_database
from sightline.store.pace import DatabasePace

HOST = "shop.example"


@pytest.fixture
async def workers(database_url: str) -> AsyncIterator[list[Database]]:
    """Connections of three worker processes."""
    opened = [
        await open_database(database_url, role="sightline_worker", size=4, wait_seconds=10)
        for _ in range(3)
    ]
    yield opened
    for each in opened:
        await each.close()


async def take(
    pace: Pace, starts: list[float], *, interval: float = 0.05, connections: int = 1
) -> None:
    async with pace.turn(HOST, interval_seconds=interval, connections=connections):
        starts.append(time.monotonic())


def gaps(starts: list[float]) -> list[float]:
    ordered = sorted(starts)
    return [later - earlier for earlier, later in pairwise(ordered)]


async def test_turns_of_all_workers_are_apart(workers: list[Database]) -> None:
    paces = [DatabasePace(each) for each in workers]
    starts: list[float] = []
    await asyncio.gather(*(take(pace, starts, interval=0.1) for pace in paces for _ in range(4)))
    assert len(starts) == 12
    # A start is read some milliseconds after its turn, on a busy machine more.
    assert min(gaps(starts)) >= 0.06
    assert max(starts) - min(starts) >= 1.09


@pytest.mark.parametrize("connections", [1, 3])
async def test_connections_are_counted_over_all_workers(
    workers: list[Database], connections: int
) -> None:
    inside = most = 0

    async def work(pace: DatabasePace) -> None:
        nonlocal inside, most
        async with pace.turn(HOST, interval_seconds=0, connections=connections):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.05)
            inside -= 1

    paces = [DatabasePace(each) for each in workers]
    await asyncio.gather(*(work(pace) for pace in paces for _ in range(4)))
    assert (most, inside) == (connections, 0)
    async with workers[0].connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM host_leases") == 0


async def test_a_killed_workers_connection_comes_back(workers: list[Database]) -> None:
    async with workers[0].connection() as connection:
        await connection.execute("INSERT INTO host_turns (host) VALUES ($1)", HOST)
        await connection.execute(
            """
            INSERT INTO host_leases (lease_id, host, expires_at)
            VALUES (gen_random_uuid(), $1, clock_timestamp() + interval '0.4 seconds')
            """,
            HOST,
        )
    began = time.monotonic()
    starts: list[float] = []
    await take(DatabasePace(workers[1]), starts)
    assert 0.3 < starts[0] - began < 2
    async with workers[0].connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM host_leases") == 0


async def test_a_rest_holds_for_all_workers(workers: list[Database]) -> None:
    first, second = DatabasePace(workers[0]), DatabasePace(workers[1], patience_seconds=1)
    starts: list[float] = []
    await first.rest(HOST, 0.3)
    began = time.monotonic()
    await take(second, starts)
    assert starts[0] - began >= 0.29
    await first.rest(HOST, 900)
    await first.rest(HOST, 1)  # never shortens a longer one
    with pytest.raises(HostIsResting) as resting:
        await take(second, starts)
    assert 890 < (resting.value.retry_after or 0) <= 900
    async with second.turn("other.example", interval_seconds=1, connections=1):
        pass


async def test_patience_ends_while_others_hold_the_connection(workers: list[Database]) -> None:
    holder, hasty = DatabasePace(workers[0]), DatabasePace(workers[1], patience_seconds=0.2)
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
    await pace.rest(HOST, 30)
    sleeping = asyncio.create_task(take(pace, starts))
    await asyncio.sleep(0.2)
    sleeping.cancel()
    await asyncio.gather(sleeping, return_exceptions=True)
    async with workers[0].connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM host_leases") == 0
        await connection.execute("UPDATE host_turns SET next_at = '-infinity'")
    await asyncio.wait_for(take(pace, starts), 5)
    assert len(starts) == 1
