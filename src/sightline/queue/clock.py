"""Schedules shared by all workers of a database; each runs once at a time.

A killed worker's runs are taken up by another within LEASE.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

import structlog

from sightline.store import clock
from sightline.store.database import Database, DatabaseIsBusy

log = structlog.get_logger()

Scheduled = Callable[[Database], Awaitable[None]]

LEASE = timedelta(seconds=30)
RENEW_SECONDS = 8.0
POLL_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 15.0
# For the clock's own statements, which take milliseconds.
ANSWER_SECONDS = 10.0


@dataclass(frozen=True)
class Schedule:
    """Runs every `minutes`, and so many `after` the full period (of the epoch, UTC): (1440, 221) is
    03:41 each day."""

    run: Scheduled
    minutes: int
    after: int = 0


async def keep_clock(
    database: Database, schedules: Mapping[str, Schedule], stop: asyncio.Event
) -> None:
    """Run schedules by name until `stop` is set; then let those that run end. A database that is away
    is waited for."""
    pause = POLL_SECONDS
    async with asyncio.TaskGroup() as group:
        while not stop.is_set():
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    due = await clock.claim_due(
                        database,
                        {name: (each.minutes, each.after) for name, each in schedules.items()},
                        lease=LEASE,
                    )
                pause = POLL_SECONDS
            except Exception as error:  # one lost connection must not end the worker's other tasks
                due = []
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
                log.warning("clock_failed", error=repr(error), again_in=pause)
            for turn in due:
                group.create_task(_run(database, turn, schedules[turn.name]))
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)


async def _run(database: Database, turn: clock.Turn, schedule: Schedule) -> None:
    holding = asyncio.create_task(_hold(database, turn))
    try:
        await schedule.run(database)
    except DatabaseIsBusy:
        log.warning("schedule_skipped", name=turn.name, reason="the database is busy")
    except Exception:  # its next turn comes; the others go on
        log.exception("schedule_failed", name=turn.name)
    finally:
        holding.cancel()
        await asyncio.wait({holding})
    with suppress(DatabaseIsBusy, TimeoutError):  # the lease ends by itself
        async with asyncio.timeout(ANSWER_SECONDS):
            await clock.end(database, turn)


async def _hold(database: Database, turn: clock.Turn) -> None:
    while True:
        await asyncio.sleep(RENEW_SECONDS)
        with suppress(DatabaseIsBusy, TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                await clock.renew(database, turn, lease=LEASE)
