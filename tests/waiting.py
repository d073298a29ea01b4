"""Waiting for what other tasks, threads and processes do, by looking at it: nothing here guesses how long
a busy machine takes."""

import asyncio
import random
import socket
import time
from collections.abc import Awaitable, Callable

from sightline.store.database import Database

LONGEST_SECONDS = 600.0  # after which a test is said to hang
_LOOK_SECONDS = 0.02
# Below the ports that systems give to outgoing connections: of those, one may be taken in between.
_PORTS = range(20_000, 32_000)


async def until(condition: Callable[[], Awaitable[object]]) -> None:
    """Wait until the condition is true. Raises TimeoutError."""
    async with asyncio.timeout(LONGEST_SECONDS):
        while not await condition():  # noqa: ASYNC110  others bring it about
            await asyncio.sleep(_LOOK_SECONDS)


async def until_blocked(database: Database) -> None:
    """Wait until some statement on the test's server waits for a lock that another holds."""

    async def is_blocked() -> object:
        async with database.connection() as connection:
            return await connection.fetchval(
                "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"
            )

    await until(is_blocked)


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether the condition comes true before the test is said to hang."""
    deadline = time.monotonic() + LONGEST_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(_LOOK_SECONDS)
    return True


def free_port() -> int:
    """A port of this machine on which no one listens."""
    for port in random.SystemRandom().sample(_PORTS, len(_PORTS)):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError("All ports are taken.")
