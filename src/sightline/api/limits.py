"""Requests per key and minute."""

import time
from collections import Counter
from dataclasses import dataclass

import structlog
from limits import RateLimitItemPerMinute
from limits.aio.storage import RedisStorage, Storage
from limits.aio.strategies import FixedWindowRateLimiter

from sightline.domain.plans import WINDOW_SECONDS

log = structlog.get_logger()


@dataclass(frozen=True)
class RateState:
    """Where a key stands in its current window."""

    allowed: bool
    limit: int
    remaining: int
    reset_at: int  # Unix seconds


class RateLimiter:
    """Fixed windows of a minute. Counts are in memory, or in Redis when several processes share them.

    Without Redis each of N processes allows 1/N of the limit. Redis failing does the same: requests
    go on, and the limit is kept roughly.
    """

    def __init__(self, *, redis_url: str | None, processes: int) -> None:
        self._processes = processes
        # Of the present minute. Every request passes here: a library took a tenth of a company read for it.
        self._counts: Counter[str] = Counter()
        self._minute = 0
        self._shared: FixedWindowRateLimiter | None = None
        if redis_url is not None:
            storage: Storage = RedisStorage("async+" + redis_url, implementation="redispy")
            self._shared = FixedWindowRateLimiter(storage)

    async def hit(self, key: str, limit: int) -> RateState:
        """Count one request against `limit` per minute."""
        if self._shared is not None:
            try:
                return await _hit(self._shared, key, limit)
            except Exception as error:  # whatever the client raises, a request must not fail for it
                log.warning("rate_limit_storage_failed", error=str(error))
        return self._hit_here(key, max(1, limit // self._processes))

    def _hit_here(self, key: str, limit: int) -> RateState:
        minute = int(time.time()) // WINDOW_SECONDS
        if minute != self._minute:
            self._minute = minute
            self._counts.clear()
        self._counts[key] = count = self._counts[key] + 1
        return RateState(
            allowed=count <= limit,
            limit=limit,
            remaining=max(0, limit - count),
            reset_at=(minute + 1) * WINDOW_SECONDS + 1,
        )


async def _hit(limiter: FixedWindowRateLimiter, key: str, limit: int) -> RateState:
    item = RateLimitItemPerMinute(limit, WINDOW_SECONDS // 60)
    allowed = await limiter.hit(item, key)
    window = await limiter.get_window_stats(item, key)
    return RateState(
        allowed=allowed,
        limit=limit,
        remaining=max(0, window.remaining),
        reset_at=int(window.reset_time) + 1,
    )
