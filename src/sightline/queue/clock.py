"""What runs on the clock: cron schedules that all workers of a database share, one run of each at a time.

A killed worker's schedules are picked up by another after half a minute.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

import structlog
from pgqueuer.adapters.drivers.asyncpg import AsyncpgPoolDriver
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.core.sm import SchedulerManager
from pgqueuer.models import Schedule

from sightline.store.database import Database, DatabaseIsBusy

log = structlog.get_logger()

Scheduled = Callable[[Database], Awaitable[None]]
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 15.0


async def keep_clock(
    database: Database, schedules: Mapping[str, tuple[str, Scheduled]], stop: asyncio.Event
) -> None:
    """Run schedules, name -> (cron expression in UTC, function), until `stop` is set; then let those
    that run end. A database that is away is waited for."""
    pause = FIRST_PAUSE_SECONDS
    while not stop.is_set():
        began = asyncio.get_running_loop().time()
        try:
            await _manager(database, schedules, stop).run()
        except Exception as error:  # one lost connection would end the worker's other work
            log.warning("clock_failed", error=repr(error), again_in=pause)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause)
        lasted = asyncio.get_running_loop().time() - began
        pause = FIRST_PAUSE_SECONDS if lasted > 60 else min(2 * pause, LONGEST_PAUSE_SECONDS)


def _manager(
    database: Database, schedules: Mapping[str, tuple[str, Scheduled]], stop: asyncio.Event
) -> SchedulerManager:
    manager = SchedulerManager(Queries(AsyncpgPoolDriver(database.pool)))
    manager.shutdown = stop
    for name, (expression, function) in schedules.items():
        _add(manager, database, name, expression, function)
    return manager


def _add(
    manager: SchedulerManager, database: Database, name: str, expression: str, function: Scheduled
) -> None:
    @manager.schedule(name, expression)
    async def run(schedule: Schedule) -> None:
        del schedule
        try:
            await function(database)
        except DatabaseIsBusy:
            log.warning("schedule_skipped", name=name, reason="the database is busy")
