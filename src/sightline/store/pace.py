"""Rate limits per host for all workers on one database (`kit.fetch.politeness.Pace`).

A row per host says when its next turn may start; a lease per connection in use expires by itself, so
a killed worker blocks no one for long. All times are the database's.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

from sightline.kit.fetch.errors import HostIsResting
from sightline.kit.ids import new_id
from sightline.store.database import Connection, Database, DatabaseIsBusy

# Within which an exchange is over: twice the fetcher's own limit, and a little for the clock.
LEASE_SECONDS = 45.0
_POLL_SECONDS = 0.2
_MOST_GATES = 10_000


@dataclass(slots=True)
class _Gate:
    """Of this process: one caller at a time asks for a host's turn, the others queue in order."""

    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    freed: asyncio.Event = field(default_factory=asyncio.Event)


class DatabasePace:
    """Turns that all workers share. `patience_seconds` is the longest wait for one."""

    def __init__(
        self,
        database: Database,
        *,
        patience_seconds: float = 120.0,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._database = database
        self._patience = patience_seconds
        self._lease_seconds = lease_seconds
        self._gates: dict[str, _Gate] = {}

    @asynccontextmanager
    async def turn(
        self, host: str, *, interval_seconds: float, connections: int
    ) -> AsyncIterator[None]:
        """Raises HostIsResting with `retry_after`, and DatabaseIsBusy when the database is away."""
        gate = self._gate(host)
        lease = new_id()
        try:
            wait = await self._patiently(gate, host, lease, interval_seconds, connections)
            await asyncio.sleep(wait)
            yield
        finally:
            # Without this the lease runs out by itself.
            with contextlib.suppress(DatabaseIsBusy):
                await asyncio.shield(self._give_back(lease))
            gate.freed.set()

    async def rest(self, host: str, seconds: float) -> None:
        """Turns that were given already and wait for their time are not taken back."""
        async with self._database.connection() as connection:
            await connection.execute(
                """
                INSERT INTO host_turns AS known (host, next_at)
                VALUES ($1, clock_timestamp() + make_interval(secs => $2))
                ON CONFLICT (host) DO UPDATE SET next_at = greatest(known.next_at, excluded.next_at)
                """,
                host,
                seconds,
            )

    def _gate(self, host: str) -> _Gate:
        gate = self._gates.get(host)
        if gate is None:
            if len(self._gates) >= _MOST_GATES:
                self._gates = {
                    name: each for name, each in self._gates.items() if each.asking.locked()
                }
            gate = self._gates[host] = _Gate()
        return gate

    async def _patiently(
        self, gate: _Gate, host: str, lease: UUID, interval_seconds: float, connections: int
    ) -> float:
        """Seconds until the turn that was taken."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._patience):
                await gate.asking.acquire()
        except TimeoutError:
            raise HostIsResting(f"//{host}", "many wait", retry_after=self._patience) from None
        try:
            while True:
                left = self._patience - (time.monotonic() - began)
                gate.freed.clear()
                wait = await self._take(host, lease, interval_seconds, connections, longest=left)
                if wait is not None:
                    return wait
                if left <= 0:
                    raise HostIsResting(f"//{host}", "many wait", retry_after=self._patience)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_SECONDS * (0.5 + random.random())):  # noqa: S311
                        await gate.freed.wait()
        finally:
            gate.asking.release()

    async def _take(
        self, host: str, lease: UUID, interval_seconds: float, connections: int, *, longest: float
    ) -> float | None:
        """Take a connection and the next turn: seconds until it, or None while all are in use."""
        async with self._database.connection() as connection, connection.transaction():
            # Turns that a crash forgets do no harm.
            await connection.execute("SET LOCAL synchronous_commit = off")
            await _lock(connection, host)
            # A statement of its own: it must see the leases written while the lock was waited for.
            row = await connection.fetchrow(
                """
                SELECT extract(epoch FROM greatest(next_at, now.at) - now.at)::float8 AS wait,
                       (SELECT count(*) FROM host_leases
                        WHERE host = $1 AND expires_at > now.at) AS busy
                FROM host_turns, (SELECT clock_timestamp() AS at) AS now
                WHERE host = $1
                """,
                host,
            )
            assert row is not None
            wait: float = row["wait"]
            if wait > max(longest, 0):
                raise HostIsResting(f"//{host}", retry_after=wait)
            if row["busy"] >= connections:
                return None
            await connection.execute(
                """
                WITH gone AS (
                  DELETE FROM host_leases WHERE host = $1 AND expires_at <= clock_timestamp()
                ), held AS (
                  INSERT INTO host_leases (lease_id, host, expires_at)
                  VALUES ($2, $1, clock_timestamp() + make_interval(secs => $3))
                )
                UPDATE host_turns SET next_at = clock_timestamp() + make_interval(secs => $4)
                WHERE host = $1
                """,
                host,
                lease,
                wait + self._lease_seconds,
                wait + interval_seconds,
            )
            return wait

    async def _give_back(self, lease: UUID) -> None:
        async with self._database.connection() as connection:
            await connection.execute("DELETE FROM host_leases WHERE lease_id = $1", lease)


async def _lock(connection: Connection, host: str) -> None:
    found = await connection.fetchval("SELECT 1 FROM host_turns WHERE host = $1 FOR UPDATE", host)
    if found is None:
        await connection.execute(
            "INSERT INTO host_turns (host) VALUES ($1) ON CONFLICT DO NOTHING", host
        )
        await connection.execute("SELECT 1 FROM host_turns WHERE host = $1 FOR UPDATE", host)
