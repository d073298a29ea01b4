"""Decides when an idle worker that holds much memory restarts itself.

Models, tables and what the allocator keeps stay with a process that has once worked: 230 MB instead of the 90
of a new one. A new process in its place costs two seconds of processor.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sightline.queue.runner import Handler
from sightline.store.work import Work

REST_SECONDS: Final = 60.0
MOST_BYTES_AT_REST: Final = 130 * 1024**2


def resident_bytes() -> int:
    """Memory of this process, shared pages included; 0 where the system does not say (no /proc)."""
    try:
        pages = Path("/proc/self/statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


class Rest:
    """Sees when work begins and ends."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        resident: Callable[[], int] = resident_bytes,
    ) -> None:
        self._clock = clock
        self._resident = resident
        self._running = 0
        self._ended: float | None = None

    def seen(self, handler: Handler) -> Handler:
        """The handler, its work seen."""

        async def run(work: Work) -> None:
            self._running += 1
            try:
                await handler(work)
            finally:
                self._running -= 1
                self._ended = self._clock()

        return run

    @property
    def is_due(self) -> bool:
        """Whether it has worked, has had nothing to do since for REST_SECONDS, and holds too much."""
        if self._running or self._ended is None:
            return False
        rested = self._clock() - self._ended >= REST_SECONDS
        return rested and self._resident() > MOST_BYTES_AT_REST
