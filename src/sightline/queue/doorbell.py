"""Wakes waiting workers when work is queued, by a database notification."""

import asyncio
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sightline.store.database import Database, DatabaseIsBusy
from sightline.store.work import CHANNEL

# How long a worker without work waits before it looks all the same: while it hears, and while it does not.
IDLE_SECONDS = 2.0
POLL_SECONDS = 0.4
# How often it is tried whether what is notified arrives. A pooler that hands out connections by the
# transaction passes nothing on.
PROBE_SECONDS = 30.0
ANSWER_SECONDS = 2.0
# A smaller pool has no connection to spare for listening.
LEAST_CONNECTIONS = 4


@dataclass
class Doorbell:
    """Rung by notifications. One waits for all slots of a process, over one connection of the pool."""

    hears: bool = False
    waiting: int = 0
    _rings: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    _word: str = field(default_factory=lambda: secrets.token_hex(8))
    _received: asyncio.Event = field(default_factory=asyncio.Event)
    _is_over: bool = False

    def ring(self) -> None:
        """Wake one who waits; or the next who would."""
        if self._rings.locked():
            self._rings.release()

    async def wait(self, share: float) -> None:
        """Until it rings, or for that share of the time after which to look anyway. Not once it stops."""
        if self._is_over:
            return
        seconds = IDLE_SECONDS if self.hears else POLL_SECONDS
        self.waiting += 1
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds * share):
                await self._rings.acquire()
        self.waiting -= 1

    async def wake_all(self, stop: asyncio.Event) -> None:
        """When `stop` is set, let all who wait see it, and no one wait any more."""
        await stop.wait()
        self._is_over = True
        for _ in range(self.waiting):
            self._rings.release()

    async def listen(self, database: Database, stop: asyncio.Event) -> None:
        """Listen until `stop` is set; a connection that is lost is replaced."""
        if database.pool.get_max_size() < LEAST_CONNECTIONS:
            return
        while not stop.is_set():
            with suppress(DatabaseIsBusy, TimeoutError):
                await self._listen(database, stop)
            self.hears = False
            await _pause(stop, POLL_SECONDS)

    async def _listen(self, database: Database, stop: asyncio.Event) -> None:
        async with database.connection() as connection:
            async with asyncio.timeout(ANSWER_SECONDS):
                await connection.add_listener(CHANNEL, self._on_notification)
            try:
                while not stop.is_set() and not connection.is_closed():
                    self.hears = await self._is_received(database)
                    await _pause(stop, PROBE_SECONDS)
            finally:
                if not connection.is_closed():
                    async with asyncio.timeout(ANSWER_SECONDS):
                        await connection.remove_listener(CHANNEL, self._on_notification)

    async def _is_received(self, database: Database) -> bool:
        self._received.clear()
        async with database.connection() as other:
            await other.execute("SELECT pg_notify($1, $2)", CHANNEL, self._word)
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._received.wait()
        return self._received.is_set()

    def _on_notification(self, *notification: Any) -> None:
        said = notification[-1]  # after the connection, its process and the channel
        if said == self._word:
            self._received.set()
        elif not said:
            self.ring()


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):  # `wait_for` of 3.11 may swallow a cancellation
            await stop.wait()
