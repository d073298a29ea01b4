"""Hosts are asked one at a time and seldom, and left alone when they ask for it."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from sightline.kit.fetch.answer import HostRules, read_retry_after
from sightline.kit.fetch.bounds import Limits
from sightline.kit.fetch.errors import HostIsResting, TimedOut
from sightline.kit.fetch.politeness import BackOff, Pace, ProcessPace
from tests.kit.fetch.sites import (
    PUBLIC,
    Heard,
    Names,
    Network,
    Respond,
    Witness,
    fetcher,
    response,
    running,
    shop,
)
from tests.kit.fetch.virtual_time import in_virtual_time

NO_ROBOTS = HostRules(obey_robots=False)


async def take(pace: Pace, host: str, starts: list[float], **how: float) -> None:
    interval, connections = how.get("interval", 0.05), int(how.get("connections", 1))
    async with pace.turn(host, interval_seconds=interval, connections=connections):
        starts.append(asyncio.get_running_loop().time())
        await asyncio.sleep(how.get("busy", 0))


@in_virtual_time
async def test_turns_at_one_host_are_apart_and_hosts_do_not_wait_for_each_other() -> None:
    pace = ProcessPace()
    starts: dict[str, list[float]] = {"a.test": [], "b.test": []}
    await asyncio.gather(*(take(pace, host, starts[host]) for host in starts for _ in range(5)))
    assert starts["a.test"] == starts["b.test"] == pytest.approx([0, 0.05, 0.1, 0.15, 0.2])


@in_virtual_time
async def test_slow_answers_do_not_let_turns_bunch() -> None:
    pace = ProcessPace()
    starts: list[float] = []
    await asyncio.gather(
        *(take(pace, "a.test", starts, busy=0.2 if n == 0 else 0.0) for n in range(4))
    )
    assert starts == pytest.approx([0, 0.2, 0.25, 0.3])


@pytest.mark.parametrize("connections", [1, 2, 3])
@in_virtual_time
async def test_no_more_connections_than_allowed(connections: int) -> None:
    pace = ProcessPace()
    inside = most = 0

    async def work() -> None:
        nonlocal inside, most
        async with pace.turn("a.test", interval_seconds=0, connections=connections):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.01)
            inside -= 1

    await asyncio.gather(*(work() for _ in range(12)))
    assert (most, inside) == (connections, 0)


@in_virtual_time
async def test_whoever_gives_up_leaves_the_turn_to_others() -> None:
    pace = ProcessPace()
    starts: list[float] = []
    holder = asyncio.create_task(take(pace, "a.test", starts, busy=0.1))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(take(pace, "a.test", starts, interval=0)) for _ in range(4)]
    await asyncio.sleep(0.01)
    waiting[0].cancel()
    waiting[2].cancel()
    await asyncio.gather(holder, *waiting, return_exceptions=True)
    assert len(starts) == 3
    await take(pace, "a.test", starts)

    # Cancelled in the very moment that the connection is handed over.
    holder = asyncio.create_task(take(pace, "b.test", starts, busy=0.02))
    await asyncio.sleep(0)
    late = asyncio.create_task(take(pace, "b.test", starts))
    await asyncio.sleep(0)
    holder.add_done_callback(lambda _: late.cancel())
    await asyncio.gather(holder, late, return_exceptions=True)
    await take(pace, "b.test", starts)


async def test_a_failure_inside_gives_the_turn_back() -> None:
    pace = ProcessPace()
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            async with pace.turn("a.test", interval_seconds=0, connections=1):
                raise ZeroDivisionError


@in_virtual_time
async def test_patience_ends() -> None:
    pace = ProcessPace(patience_seconds=0.05)
    starts: list[float] = []
    await take(pace, "a.test", starts, interval=10)
    with pytest.raises(HostIsResting) as far:
        await take(pace, "a.test", starts)
    assert far.value.retry_after == pytest.approx(10)
    holder = asyncio.create_task(take(pace, "b.test", starts, busy=0.2, interval=0))
    await asyncio.sleep(0)
    with pytest.raises(HostIsResting):
        await take(pace, "b.test", starts)
    await holder
    await take(pace, "b.test", starts)


@in_virtual_time
async def test_a_rest_reaches_those_who_already_wait() -> None:
    pace = ProcessPace(patience_seconds=1)
    starts: list[float] = []
    await take(pace, "a.test", starts, interval=0.1)
    waiting = asyncio.create_task(take(pace, "a.test", starts))
    await asyncio.sleep(0.01)
    await pace.rest("a.test", 0.25)
    await waiting
    assert starts == pytest.approx([0, 0.26])
    await pace.rest("a.test", 60)
    with pytest.raises(HostIsResting):
        await take(pace, "a.test", starts)
    await take(pace, "b.test", starts)


async def test_idle_hosts_are_forgotten() -> None:
    pace = ProcessPace()
    for n in range(10_050):
        async with pace.turn(f"{n}.test", interval_seconds=0, connections=1):
            pass
    assert len(pace._hosts) < 10_000


def test_back_off_doubles_until_the_host_answers() -> None:
    back_off = BackOff(first_seconds=5, longest_seconds=60)
    assert [back_off.refused("a.test", None) for _ in range(6)] == [5, 10, 20, 40, 60, 60]
    assert back_off.refused("b.test", None) == 5
    back_off.answered("a.test")
    assert back_off.refused("a.test", None) == 5
    assert back_off.refused("a.test", 7) == 7
    assert back_off.refused("a.test", 1e9) == 60


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120),
        ("0", 0),
        ("Fri, 02 Jan 2026 00:01:00 GMT", 60),
        ("Fri, 02 Jan 2025 00:01:00 GMT", 0),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("９", None),
        ("", None),
    ],
)
def test_retry_after_is_read_in_both_forms(text: str, seconds: float | None) -> None:
    assert read_retry_after({"retry-after": text}, datetime(2026, 1, 2, tzinfo=UTC)) == seconds


async def test_a_fetcher_waits_between_requests_and_keeps_to_one_connection() -> None:
    pace = Witness()

    def answer(heard: Heard) -> bytes:
        pace.diary.append(heard.target)
        return response("x")

    pages = {f"/{n}": answer for n in range(5)}
    async with shop({"/robots.txt": answer, **pages}, pace=pace) as (site, made):
        rules = HostRules(interval_seconds=0.05)
        await asyncio.gather(*(made.get(f"http://shop.test/{n}", rules=rules) for n in range(5)))
    # robots.txt comes first, by the host's own rules.
    assert site.targets[0] == "/robots.txt"
    assert pace.asked[1:] == [("shop.test", 0.05, 1)] * 5
    assert pace.diary == [each for target in site.targets for each in ("begin", target, "end")]
    assert site.most_at_once == 1


async def test_rules_can_be_set_per_host_and_do_not_follow_redirects() -> None:
    pace = Witness()
    pages = {"/": response("", "302 Found", location="http://other.test/")}
    async with running(pages) as site, running({"/": response("x")}) as other:
        names = Names({"shop.test": [PUBLIC], "other.test": ["93.184.216.99"]})
        network = Network({PUBLIC: site, "93.184.216.99": other})
        host_rules = {"other.test": HostRules(0.1, 10, obey_robots=False)}
        async with fetcher(names=names, network=network, pace=pace, host_rules=host_rules) as made:
            await made.get("http://shop.test/", rules=HostRules(0.5, 3, obey_robots=False))
    assert pace.asked == [("shop.test", 0.5, 3), ("other.test", 0.1, 10)]


@pytest.mark.parametrize("status", ["429 Slow down", "503 Busy"])
async def test_a_busy_host_is_asked_once_more_when_it_says(status: str) -> None:
    left = [response("", status, retry_after="0"), response("fine")]
    async with shop({"/": lambda _: left.pop(0)}, pace=ProcessPace()) as (site, made):
        answer = await made.get("http://shop.test/", rules=HostRules(0, 1, obey_robots=False))
    assert answer.content == b"fine"
    assert len(site.heard) == 2


async def test_a_host_that_asks_for_a_long_rest_gets_it() -> None:
    pages = {"/": response("", "429 Slow down", retry_after="900"), "/b": response("x")}
    pace = ProcessPace(patience_seconds=60)
    async with shop(pages, pace=pace) as (site, made):
        answer = await made.get("http://shop.test/", rules=NO_ROBOTS)
        assert (answer.status, answer.retry_after) == (429, 900)
        with pytest.raises(HostIsResting) as resting:
            await made.get("http://shop.test/b?c=d", rules=NO_ROBOTS)
        assert len(site.heard) == 1
    assert resting.value.retryable
    assert 60 < (resting.value.retry_after or 0) <= 900
    assert resting.value.url == "http://shop.test/b"


async def test_waiting_for_the_turn_is_not_counted_as_the_hosts_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Clock:
        """The fetcher's clock; it moves on request."""

        now = 0.0

        def monotonic(self) -> float:
            return self.now

    clock = Clock()

    class Slow(ProcessPace):
        @asynccontextmanager
        async def turn(self, *given: Any, **named: Any) -> AsyncIterator[None]:
            clock.now += 1_000
            async with super().turn(*given, **named):
                yield

    def slow(_: Heard) -> bytes:
        clock.now += 0.25
        return response("x")

    monkeypatch.setattr("sightline.kit.fetch.client.time", clock)
    pages: dict[str, bytes | Respond] = {
        "/": response("", "302 Found", location="/b"),
        "/b": slow,
    }
    rules = HostRules(interval_seconds=0, obey_robots=False)
    async with shop(pages, pace=Slow(), limits=Limits(total_seconds=600)) as (_, made):
        assert (await made.get("http://shop.test/", rules=rules)).elapsed == pytest.approx(0.25)


async def test_a_site_that_is_slow_is_left() -> None:
    async def slow(_: Heard) -> AsyncGenerator[bytes, None]:
        await asyncio.Event().wait()
        yield b""

    async with shop({"/slow": slow}, limits=Limits(total_seconds=0.05)) as (_, made):
        with pytest.raises(TimedOut):
            await made.get("http://shop.test/slow", rules=NO_ROBOTS)
