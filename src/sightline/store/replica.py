"""Reads from a streaming replica that has everything committed before the read was requested."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import asyncpg

from sightline.store.database import Database, DatabaseIsBusy

# How long a read waits for the replica to catch up before it asks the primary; and between two looks.
WAIT_SECONDS = 0.05
LOOK_SECONDS = 0.005
# How long a replica that is away, or far behind, is left alone.
PAUSE_SECONDS = 2.0
# How long the primary has to say where it is; one that does not is away. It is asked again for the next read,
# as it may be back, with what others wrote to it since.
PRIMARY_SECONDS = 1.0
# What a read meets on a replica alone, and is answered by the primary then: rows that it still sees were
# removed there, it wanted to write something after all, or the replica is away.
REFUSED_BY_REPLICA = (
    DatabaseIsBusy,
    asyncpg.SerializationError,
    asyncpg.ReadOnlySQLTransactionError,
)

# Of the log, in bytes. What was acknowledged has been flushed.
_FLUSHED = "SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint"
_REPLAYED = "SELECT (pg_last_wal_replay_lsn() - '0/0')::bigint"


@dataclass
class Replica:
    """A primary and its streaming replica. Callers share one look at the primary with all who ask in
    the same moment, and needs none at the replica while nothing is written."""

    primary: Database
    database: Database
    _replayed: int = 0
    _flushed: int = 0
    _alone_until: float = 0.0
    _looks: list["_Shared"] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._looks = [_Shared(self._look_at_primary), _Shared(self._look_at_replica)]

    async def is_current(self) -> bool:
        """Whether the replica has all that was committed anywhere before this call. While the primary is
        away, what it has is as good as it gets: nothing is committed then."""
        if time.monotonic() < self._alone_until:
            return False
        at_primary, at_replica = self._looks
        try:
            await at_primary.result()
            wanted, refused_after = self._flushed, time.monotonic() + WAIT_SECONDS
            while self._replayed < wanted and time.monotonic() < refused_after:
                await at_replica.result()
                if self._replayed < wanted:
                    await asyncio.sleep(LOOK_SECONDS)
        except DatabaseIsBusy:
            self.leave_alone()
            return False
        if self._replayed < wanted:
            self.leave_alone()
        return self._replayed >= wanted

    def leave_alone(self) -> None:
        """Ask the primary alone for a while."""
        self._alone_until = time.monotonic() + PAUSE_SECONDS

    async def _look_at_primary(self) -> None:
        try:
            async with self.primary.connection() as connection, asyncio.timeout(PRIMARY_SECONDS):
                self._flushed = await connection.fetchval(_FLUSHED)
        except DatabaseIsBusy:
            self._flushed = 0

    async def _look_at_replica(self) -> None:
        async with self.database.connection() as connection:
            # NULL on one that was promoted: it is no replica any more.
            self._replayed = await connection.fetchval(_REPLAYED) or 0


class _Shared:
    """One look for all who wait. Who comes while it is in progress waits for the next one: this one may have
    seen the state before."""

    def __init__(self, look: Callable[[], Awaitable[None]]) -> None:
        self._look = look
        self._running: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    async def result(self) -> None:
        if self._next is None:
            self._next = asyncio.create_task(self._after(self._running))
        await asyncio.shield(self._next)

    async def _after(self, before: "asyncio.Task[None] | None") -> None:
        if before is not None:
            await asyncio.wait({before})
        self._running, self._next = self._next, None
        await self._look()
