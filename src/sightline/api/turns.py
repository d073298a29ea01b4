"""Fair concurrency at the database: organizations take turns, however many requests each sends.

A connection that comes free goes to the organization that has the fewest, as work does on the queue;
and no organization ever has all of them, so that another one's first request need not wait.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

from sightline.domain.errors import ServiceIsUnavailable
from sightline.store.database import DatabaseIsBusy, Tenant

PATIENCE_SECONDS = 3.0
_PAUSE_SECONDS = 0.1  # a server that is away refuses at once


@dataclass
class Turns:
    """`slots` requests at once, `each` of one organization. Who waits longer than `wait_seconds` is
    refused."""

    slots: int
    each: int
    wait_seconds: float
    _running: Counter[UUID] = field(default_factory=Counter)
    # In the order in which organizations are served when they have equally many.
    _waiting: dict[UUID, deque[asyncio.Future[None]]] = field(default_factory=dict)

    def of(self, organization_id: UUID) -> "_Turn":
        """Hold a turn. Raises ServiceIsUnavailable."""
        return _Turn(self, organization_id)

    async def take(self, organization_id: UUID) -> None:
        if organization_id not in self._waiting and self._has_room(organization_id):
            self._running[organization_id] += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(organization_id, deque()).append(turn)
        try:
            # Not wait_for: before Python 3.12 it loses a cancellation that comes together with the turn.
            async with asyncio.timeout(self.wait_seconds):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            if turn.done() and not turn.cancelled():  # it came at the last moment
                self.give_back(organization_id)
            if isinstance(error, asyncio.CancelledError):
                raise
            raise ServiceIsUnavailable(
                "Your organization has too many requests running; try again shortly."
            ) from error
        finally:
            self._forget(organization_id, turn)

    def _has_room(self, organization_id: UUID) -> bool:
        return self._running.total() < self.slots and self._running[organization_id] < self.each

    def give_back(self, organization_id: UUID) -> None:
        self._running[organization_id] -= 1
        if not self._running[organization_id]:
            self._running.pop(organization_id)
        while waiting := [each for each in self._waiting if self._has_room(each)]:
            first = min(waiting, key=lambda each: self._running[each])
            turns = self._waiting.pop(first)
            turn = turns.popleft()
            if turns:
                self._waiting[first] = turns  # behind the others
            if not turn.done():
                self._running[first] += 1
                turn.set_result(None)

    def _forget(self, organization_id: UUID, turn: asyncio.Future[None]) -> None:
        """Take a turn that was refused out of its row."""
        turns = self._waiting.get(organization_id)
        if turns is not None and turn in turns:
            turns.remove(turn)
            if not turns:
                del self._waiting[organization_id]


@dataclass(frozen=True, slots=True)
class _Turn(AbstractAsyncContextManager[None]):
    """A turn of an organization, while a block runs."""

    turns: Turns
    organization_id: UUID

    async def __aenter__(self) -> None:
        await self.turns.take(self.organization_id)

    async def __aexit__(self, *_: object) -> None:
        self.turns.give_back(self.organization_id)


@asynccontextmanager
async def with_retry(
    transaction: Callable[[], AbstractAsyncContextManager[Tenant]],
) -> AsyncIterator[Tenant]:
    """A transaction for what follows on work that would be lost: asked for again while it is refused,
    for `PATIENCE_SECONDS`."""
    refused_after = time.monotonic() + PATIENCE_SECONDS
    async with AsyncExitStack() as held:
        while True:
            try:
                connection = await held.enter_async_context(transaction())
                break
            except (DatabaseIsBusy, ServiceIsUnavailable):
                if time.monotonic() > refused_after:
                    raise
                await asyncio.sleep(_PAUSE_SECONDS)
        yield connection


def turns_over(connections: int, *, wait_seconds: float) -> Turns:
    """Turns over a pool: a fifth of it is left to what belongs to no organization, such as looking
    up keys, and a quarter of the turns to organizations that have none."""
    slots = max(1, connections - max(1, connections // 5))
    return Turns(slots, max(1, slots - max(1, slots // 4)), wait_seconds)
