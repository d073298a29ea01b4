"""Whose turn it is at a host. The protocol is what several workers share; here is the one for a
single process, and the back-off after a host has said that it is too much."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from sightline.kit.fetch.errors import HostIsResting

MOST_HOSTS = 10_000


class Pace(Protocol):
    """Turns at hosts, for all workers that share it."""

    def turn(
        self, host: str, *, interval_seconds: float, connections: int
    ) -> AbstractAsyncContextManager[None]:
        """Wait for a turn and hold one of `connections` while inside.

        Turns at one host start at least `interval_seconds` apart. Raises HostIsResting with
        `retry_after` when the turn is further away than the implementation's patience.
        """
        ...

    async def rest(self, host: str, seconds: float) -> None:
        """Give no turn at `host` for so many seconds from now."""
        ...


class Unhurried:
    """No politeness: every turn comes at once. For recorded webs, which no one can bother."""

    @asynccontextmanager
    async def turn(
        self, host: str, *, interval_seconds: float, connections: int
    ) -> AsyncIterator[None]:
        del host, interval_seconds, connections
        yield

    async def rest(self, host: str, seconds: float) -> None:
        del host, seconds


@dataclass(slots=True)
class _Host:
    next_at: float = 0.0
    rests_until: float = 0.0
    busy: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class ProcessPace:
    """Turns within one process and event loop, first come, first served."""

    def __init__(self, *, patience_seconds: float = 120.0) -> None:
        self._hosts: dict[str, _Host] = {}
        self._patience = patience_seconds

    @asynccontextmanager
    async def turn(
        self, host: str, *, interval_seconds: float, connections: int
    ) -> AsyncIterator[None]:
        state = self._state(host)
        patient_until = time.monotonic() + self._patience
        await self._connect(state, host, connections)
        try:
            # The time is taken only now: taken while queueing, slow answers would let turns bunch.
            start = max(time.monotonic(), state.next_at)
            self._refuse_far(host, max(start, state.rests_until), patient_until)
            state.next_at = start + interval_seconds
            # Someone else may call for a rest while we sleep.
            while (wait := max(start, state.rests_until) - time.monotonic()) > 0:
                self._refuse_far(host, state.rests_until, patient_until)
                await asyncio.sleep(wait)
            # After a late wake-up the next must not follow too soon.
            state.next_at = max(state.next_at, time.monotonic() + interval_seconds)
            yield
        finally:
            state.busy -= 1
            _wake(state)

    async def rest(self, host: str, seconds: float) -> None:
        state = self._state(host)
        state.rests_until = max(state.rests_until, time.monotonic() + seconds)

    def _refuse_far(self, host: str, start: float, patient_until: float) -> None:
        if start > patient_until:
            wait = max(0.0, start - time.monotonic())
            raise HostIsResting(f"//{host}", retry_after=wait)

    async def _connect(self, state: _Host, host: str, connections: int) -> None:
        """Wait for one of the host's connections; fails when patience ends."""
        if state.busy < connections and not state.waiting:
            state.busy += 1
            return
        turn = asyncio.get_running_loop().create_future()
        state.waiting.append(turn)
        try:
            async with asyncio.timeout(self._patience):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                state.busy -= 1  # given to us in the moment that we gave up
                _wake(state)
            elif turn in state.waiting:
                state.waiting.remove(turn)
            if isinstance(error, TimeoutError):
                raise HostIsResting(f"//{host}", "many wait", retry_after=self._patience) from None
            raise

    def _state(self, host: str) -> _Host:
        state = self._hosts.get(host)
        if state is None:
            if len(self._hosts) >= MOST_HOSTS:
                self._forget_idle()
            state = self._hosts[host] = _Host()
        return state

    def _forget_idle(self) -> None:
        now = time.monotonic()
        self._hosts = {
            name: state
            for name, state in self._hosts.items()
            if state.busy or state.waiting or max(state.next_at, state.rests_until) > now
        }


def _wake(state: _Host) -> None:
    """Pass a free connection to the task that has waited longest."""
    while state.waiting:
        turn = state.waiting.popleft()
        if not turn.done():
            state.busy += 1
            turn.set_result(None)
            return


class BackOff:
    """How long to leave a host alone after it refused (429, 503), longer each time in a row."""

    def __init__(self, *, first_seconds: float = 5.0, longest_seconds: float = 3_600.0) -> None:
        self._first = first_seconds
        self._longest = longest_seconds
        self._refusals: dict[str, int] = {}

    def refused(self, host: str, retry_after: float | None) -> float:
        """Seconds to rest: what the host asks for, or twice the last time's."""
        if len(self._refusals) >= MOST_HOSTS:
            self._refusals.clear()
        count = self._refusals[host] = self._refusals.get(host, 0) + 1
        doubled: float = self._first * 2.0 ** min(count - 1, 20)
        return min(self._longest, retry_after if retry_after is not None else doubled)

    def answered(self, host: str) -> None:
        self._refusals.pop(host, None)
