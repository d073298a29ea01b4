"""The worker: THE TABLE of what runs on the queue and on the clock."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from datetime import timedelta

import structlog
from pgqueuer import PgQueuer
from pgqueuer.models import Schedule

from sightline.store.database import Database, DatabaseIsBusy, open_database
from sightline.store.idempotency import delete_expired

log = structlog.get_logger()

# A killed worker's jobs are picked up by another after this long.
HEARTBEAT_TIMEOUT = timedelta(seconds=15)
LONGEST_STATEMENT_SECONDS = 300.0


async def expire_idempotency_keys(database: Database) -> None:
    """Delete answers kept past their seven days."""
    log.info("idempotency_keys_expired", deleted=await delete_expired(database))


# name -> (cron expression in UTC, function)
SCHEDULES: dict[str, tuple[str, Callable[[Database], Awaitable[None]]]] = {
    "expire_idempotency_keys": ("17 * * * *", expire_idempotency_keys),
}


async def run_worker(url: str, *, pool_size: int, wait_seconds: float) -> None:
    """Work until SIGINT or SIGTERM, then finish what is under way."""
    database = await open_database(
        url,
        role="sightline_worker",
        size=pool_size,
        wait_seconds=wait_seconds,
        statement_timeout_seconds=LONGEST_STATEMENT_SECONDS,
    )
    try:
        queue = PgQueuer.from_asyncpg_pool(database.pool)
        for name, (expression, function) in SCHEDULES.items():
            _schedule(queue, database, name, expression, function)
        loop = asyncio.get_running_loop()
        for stop_signal in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(stop_signal, queue.shutdown.set)
        log.info("worker_started", schedules=list(SCHEDULES))
        await queue.run(
            heartbeat_timeout=HEARTBEAT_TIMEOUT,
            shutdown_on_listener_failure=True,
        )
    finally:
        await database.close()


def _schedule(
    queue: PgQueuer,
    database: Database,
    name: str,
    expression: str,
    function: Callable[[Database], Awaitable[None]],
) -> None:
    @queue.schedule(name, expression)
    async def run(schedule: Schedule) -> None:
        del schedule
        try:
            await function(database)
        except DatabaseIsBusy:
            log.warning("schedule_skipped", name=name, reason="the database is busy")
