"""robots.txt (RFC 9309): read once per origin, remembered for a while, asked before each request."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

from protego import Protego

from sightline.kit.fetch.addresses import Url
from sightline.kit.fetch.errors import (
    FetchFailed,
    NotInArchive,
    RobotsAreUnavailable,
    RobotsForbid,
)

LARGEST_ROBOTS = 500_000  # bytes; the rest is cut off, as the RFC wants
_LONGEST_LINE = 2_000  # characters; a longer pattern is no rule but an attack
_ANSWERED_SECONDS = 24 * 3_600.0
_REFUSED_SECONDS = 600.0
_FAILED_SECONDS = 60.0
_MOST_ORIGINS = 2_000
_HOST_IS_AWAY = {
    "address_forbidden",
    "host_unknown",
    "name_lookup_failed",
    "host_unreachable",
    "tls_failed",
    "timed_out",
    "connection_broke",
    "host_resting",
}

# Fetches a robots.txt through all redirects: its status and at most LARGEST_ROBOTS bytes.
ReadRobots = Callable[[Url], Awaitable[tuple[int, bytes]]]


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What one robots.txt says to us. `parsed` None means that it settles everything one way."""

    verdict: Literal["as parsed", "all allowed", "unavailable"]
    parsed: Protego | None = None

    def allows(self, url: str, robot: str) -> bool:
        if self.parsed is None:
            return self.verdict == "all allowed"
        return self.parsed.can_fetch(url, robot)

    def delay(self, robot: str) -> float:
        """Seconds between two requests that the site asks for; 0 if it does not."""
        if self.parsed is None:
            return 0.0
        rate = self.parsed.request_rate(robot)
        asked = rate.seconds / rate.requests if rate and rate.requests > 0 else 0.0
        return max(0.0, self.parsed.crawl_delay(robot) or 0.0, asked)


def read_robots(status: int, content: bytes) -> RobotsRules:
    """Rules of an answer: without a file all is allowed, from a broken or busy server nothing."""
    if status == 429 or status >= 500:
        return RobotsRules("unavailable")
    if not 200 <= status < 300:
        return RobotsRules("all allowed")
    text = content.decode("utf-8-sig", errors="replace")
    lines = (line for line in text.splitlines() if len(line) <= _LONGEST_LINE)
    return RobotsRules("as parsed", Protego.parse("\n".join(lines)))


@dataclass(slots=True)
class _Remembered:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    rules: RobotsRules | None = None
    failure: FetchFailed | None = None
    until: float = 0.0


class Robots:
    """The robots.txt of every origin asked lately. `robot` is the product token of our user agent."""

    def __init__(self, robot: str, read: ReadRobots) -> None:
        self._robot = robot
        self._read = read
        self._origins: dict[str, _Remembered] = {}

    async def delay(self, url: Url) -> float:
        """Seconds between requests that `url`'s host asks for.

        Raises RobotsForbid or RobotsAreUnavailable when it may not be fetched, and what
        fetching robots.txt raises when the host cannot be reached at all.
        """
        rules = await self._rules(url)
        if rules.verdict == "unavailable":
            raise RobotsAreUnavailable(str(url), retry_after=_REFUSED_SECONDS)
        if not rules.allows(str(url), self._robot):
            raise RobotsForbid(str(url))
        return rules.delay(self._robot)

    async def _rules(self, url: Url) -> RobotsRules:
        remembered = self._origins.get(url.origin)
        if remembered is None:
            if len(self._origins) >= _MOST_ORIGINS:
                self._forget()
            remembered = self._origins[url.origin] = _Remembered()
        async with remembered.lock:
            if time.monotonic() >= remembered.until:
                await self._refresh(remembered, url)
            if remembered.failure is not None:
                raise remembered.failure.again()
            assert remembered.rules is not None
            return remembered.rules

    async def _refresh(self, remembered: _Remembered, url: Url) -> None:
        remembered.rules, remembered.failure = None, None
        address = Url(url.scheme, url.host, url.port, "/robots.txt")
        seconds = _ANSWERED_SECONDS
        try:
            remembered.rules = read_robots(*await self._read(address))
            if remembered.rules.verdict == "unavailable":
                seconds = _REFUSED_SECONDS
        except NotInArchive:
            remembered.rules = RobotsRules("all allowed")
        except FetchFailed as failure:
            if failure.outcome in _HOST_IS_AWAY and failure.url.startswith((url.origin, "//")):
                # The page itself would fail in the same way.
                remembered.failure, seconds = failure.again(), _FAILED_SECONDS
            elif failure.retryable:
                remembered.rules, seconds = RobotsRules("unavailable"), _FAILED_SECONDS
            else:
                # A redirect that leads nowhere, a body that does not decode: no one can read it.
                remembered.rules = RobotsRules("all allowed")
        remembered.until = time.monotonic() + seconds

    def _forget(self) -> None:
        """Drop the older half of what no one is just reading."""
        oldest = list(self._origins)[: _MOST_ORIGINS // 2]
        for origin in oldest:
            if not self._origins[origin].lock.locked():
                del self._origins[origin]
