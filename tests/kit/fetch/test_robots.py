"""robots.txt decides, and is asked for once."""

import asyncio
import time

import pytest

from sightline.kit.fetch.answer import HostRules
from sightline.kit.fetch.errors import (
    HostIsUnknown,
    RobotsAreUnavailable,
    RobotsForbid,
    TooManyRedirects,
)
from sightline.kit.fetch.robots import LARGEST_ROBOTS, read_robots
from tests.kit.fetch.sites import Names, Witness, fetcher, response, shop

RULES = """\ufeff# a comment
User-agent: *
Disallow: /private
Allow: /private/open
Disallow: /*.pdf$
Crawl-delay: 3

User-agent: OtherBot
Disallow: /

User-agent: Sightline
User-agent: Third
Disallow: /for-others
Disallow: /a b
"""


@pytest.mark.parametrize(
    ("robot", "path", "allowed"),
    [
        ("Anybot", "/", True),
        ("Anybot", "/private/x", False),
        ("Anybot", "/private/open/x", True),
        ("Anybot", "/x.pdf", False),
        ("Anybot", "/x.pdf?y", True),
        ("OtherBot", "/", False),
        ("OtherBot", "/robots.txt", True),
        ("Sightline", "/private/x", True),
        ("sightline", "/for-others", False),
        ("Sightline", "/a%20b", False),
    ],
)
def test_rules_are_read(robot: str, path: str, allowed: bool) -> None:
    rules = read_robots(200, RULES.encode())
    assert rules.allows(f"https://shop.test{path}", robot) is allowed
    assert rules.delay(robot) == (3 if robot == "Anybot" else 0)


@pytest.mark.parametrize(
    ("status", "allowed"),
    [
        *((status, True) for status in (300, 401, 403, 404, 410)),
        *((status, False) for status in (200, 429, 500, 503)),
    ],
)
def test_what_the_status_means(status: int, allowed: bool) -> None:
    rules = read_robots(status, b"User-agent: *\nDisallow: /")
    assert rules.allows("https://shop.test/x", "Sightline") is allowed


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"<!doctype html><title>Not found</title>",
        b"User-agent\nDisallow\n:::\n",
        b"User-agent: *\nDisallow:",
        b"User-agent: *\nCrawl-delay: soon\nRequest-rate: x/y",
        b"User-agent: *\nCrawl-delay: -5",
        b"User-agent: *\nCrawl-delay: nan",
        b"User-agent: *\nRequest-rate: 0/10",
        b"Disallow: /",
        b"User-agent: *\nDisallow: /" + b"a" * 400_000,
    ],
)
def test_nonsense_forbids_nothing(content: bytes) -> None:
    rules = read_robots(200, content)
    assert rules.allows("https://shop.test/x", "Sightline")
    assert rules.delay("Sightline") == 0


def test_request_rate_is_a_delay() -> None:
    assert read_robots(200, b"User-agent: *\nRequest-rate: 2/10s").delay("Sightline") == 5


@pytest.mark.parametrize(
    "line", ["Disallow: /" + "*a" * 900 + "b", "Disallow: /*a*a*a*a*a*a*a*a*a*a*a*a*a*b$"]
)
def test_hostile_patterns_cost_little(line: str) -> None:
    rules = read_robots(200, ("User-agent: *\n" + f"{line}\n" * 200).encode())
    started = time.process_time()
    assert rules.allows("https://shop.test/" + "a" * 5_000, "Sightline")
    assert time.process_time() - started < 1


async def test_a_forbidden_page_is_never_asked_for() -> None:
    robots = response("User-agent: *\nDisallow: /private")
    async with shop({"/robots.txt": robots, "/": response("x")}) as (site, made):
        for path in ("/private", "/open/../private", "/%70rivate", "/open/%2e%2e/private"):
            with pytest.raises(RobotsForbid):
                await made.get(f"http://shop.test{path}")
        assert (await made.get("http://shop.test/")).ok
        assert site.targets == ["/robots.txt", "/"]
        assert site.heard[0].headers["user-agent"].startswith("Sightline/")
        relaxed = HostRules(obey_robots=False)
        assert (await made.get("http://shop.test/private", rules=relaxed)).status == 404


async def test_a_redirect_to_a_forbidden_page_is_not_followed() -> None:
    pages = {
        "/robots.txt": response("User-agent: *\nDisallow: /private"),
        "/": response("", "302 Found", location="/private"),
    }
    async with shop(pages) as (site, made):
        with pytest.raises(RobotsForbid):
            await made.get("http://shop.test/")
        assert "/private" not in site.targets


async def test_many_fetches_at_once_read_the_file_once() -> None:
    pages = {f"/{n}": response("x") for n in range(20)}
    async with shop(pages) as (site, made):
        await asyncio.gather(*(made.get(f"http://shop.test/{n}") for n in range(20)))
        assert site.targets.count("/robots.txt") == 1


async def test_it_may_be_moved() -> None:
    pages = {
        "/robots.txt": response("", "301 Moved", location="/r2"),
        "/r2": response("User-agent: *\nDisallow: /private"),
    }
    async with shop(pages) as (site, made):
        with pytest.raises(RobotsForbid):
            await made.get("http://shop.test/private")
        assert site.targets == ["/robots.txt", "/r2"]


async def test_a_loop_instead_of_a_file_forbids_nothing_but_the_page_may_loop_too() -> None:
    loop = response("", "302 Found", location="/robots.txt")
    async with shop({"/robots.txt": loop, "/": response("x")}) as (site, made):
        assert (await made.get("http://shop.test/")).ok
        site.pages["/"] = response("", "302 Found", location="/")
        with pytest.raises(TooManyRedirects):
            await made.get("http://shop.test/")


async def test_a_broken_server_is_left_alone() -> None:
    pages = {"/robots.txt": response("", "500 Oops"), "/": response("x")}
    async with shop(pages) as (site, made):
        for _ in range(3):
            with pytest.raises(RobotsAreUnavailable) as caught:
                await made.get("http://shop.test/")
        assert site.targets == ["/robots.txt"]
    assert caught.value.retryable
    assert (caught.value.retry_after or 0) > 0


async def test_a_dead_host_is_said_to_be_dead() -> None:
    names = Names({})
    async with fetcher(names=names) as made:
        for _ in range(3):
            with pytest.raises(HostIsUnknown):
                await made.get("http://gone.test/")
    assert names.lookups == ["gone.test"]


async def test_only_the_beginning_of_a_huge_file_is_read() -> None:
    start = "User-agent: *\nDisallow: /private\n"
    filler = "Disallow: /x\n" * 60_000
    assert len(filler) > LARGEST_ROBOTS
    robots = response(start + filler + "Disallow: /late\n")
    async with shop({"/robots.txt": robots, "/late": response("x")}) as (_, made):
        with pytest.raises(RobotsForbid):
            await made.get("http://shop.test/private")
        assert (await made.get("http://shop.test/late")).ok


@pytest.mark.parametrize(("asked", "expected"), [("0.2", 0.2), ("7200", 0.3)])
async def test_a_crawl_delay_is_kept_up_to_a_bound(asked: str, expected: float) -> None:
    robots = response(f"User-agent: *\nCrawl-delay: {asked}\nDisallow:")
    pages = {"/robots.txt": robots, "/a": response("x"), "/b": response("x")}
    rules = HostRules(interval_seconds=0.01, longest_crawl_delay=0.3)
    pace = Witness()
    async with shop(pages, pace=pace, host_rules={"shop.test": rules}) as (_, made):
        await made.get("http://shop.test/a")
        await made.get("http://shop.test/b")
    assert pace.asked[1:] == [("shop.test", expected, 1)] * 2
