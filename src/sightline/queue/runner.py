"""Runs claimed work: a fixed number at a time, each under a lease that is renewed while it runs."""

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import structlog

from sightline.kit.tracing import span
from sightline.queue.doorbell import Doorbell
from sightline.store.database import Database, DatabaseIsBusy
from sightline.store.work import FenceIsLost, Work, claim, put_back, renew

log = structlog.get_logger()

Handler = Callable[[Work], Coroutine[Any, Any, None]]

# A killed worker's work is taken up by another within LEASE plus one look (queue.doorbell).
LEASE = timedelta(seconds=30)
RENEW_SECONDS = 8.0
# For the queue's own statements, which take milliseconds: a connection that swallows them is given up long
# before a statement of the work itself would be.
ANSWER_SECONDS = 10.0
FIRST_RETRY_SECONDS = 2.0
LONGEST_RETRY_SECONDS = 900.0


@dataclass(frozen=True)
class Runner:
    """`slots` pieces of work at once in this process, `per_organization` in all processes together.

    A handler commits its effect together with `store.work.finish`. One that raises is tried again
    with growing delays for as long as it takes: handlers turn hopeless work into a finished failure.
    """

    database: Database
    handlers: Mapping[str, Handler]
    slots: int
    per_organization: int
    _doorbell: Doorbell = field(default_factory=Doorbell)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set, then finish what is in progress."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._doorbell.listen(self.database, stop))
            group.create_task(self._doorbell.wake_all(stop))
            for _ in range(self.slots):
                group.create_task(self._slot(stop))

    async def run_all(self) -> int:
        """Work until nothing is ready; returns how many pieces were done. For commands and tests."""
        done = 0
        while (work := await self._claim()) is not None:
            await self._do(work)
            done += 1
        return done

    async def _slot(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                work = await self._claim()
                if work is not None:
                    self._doorbell.ring()  # there may be more than this one
                    await self._do(work)
                    continue
            except (DatabaseIsBusy, TimeoutError):
                pass
            except Exception:  # one odd failure must not end the other slots
                log.exception("queue_failed")
            await self._doorbell.wait(random.uniform(0.75, 1.25))  # noqa: S311

    async def _claim(self) -> Work | None:
        async with asyncio.timeout(ANSWER_SECONDS):  # a claim whose answer is lost expires
            return await claim(
                self.database,
                list(self.handlers),
                lease=LEASE,
                per_organization=self.per_organization,
            )

    async def _do(self, work: Work) -> None:
        doing = asyncio.create_task(self._traced(work))
        holding = asyncio.create_task(self._hold(work))
        try:
            await asyncio.wait({doing, holding}, return_when=asyncio.FIRST_COMPLETED)
        finally:  # we are stopped, or the lease is lost: what it would write is refused anyway
            is_cut_off = doing.cancel()
            holding.cancel()
            # Both still use the database until they have ended.
            await asyncio.wait({doing, holding})
        error = None if doing.cancelled() else doing.exception()
        if isinstance(error, FenceIsLost) or is_cut_off:
            log.warning("work_lost", kind=work.kind, subject=work.subject)
        elif doing.cancelled():  # by something inside, such as a library's own time limit
            await self._give_back(work, asyncio.CancelledError("It was cancelled from inside."))
        elif error is not None:
            await self._give_back(work, error)

    async def _traced(self, work: Work) -> None:
        with span(f"work {work.kind}", subject=work.subject, attempt=work.attempts):
            await self.handlers[work.kind](work)

    async def _hold(self, work: Work) -> None:
        """Renew the lease; ends when it is lost."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await renew(self.database, work, lease=LEASE)
            except FenceIsLost:
                return
            except (DatabaseIsBusy, TimeoutError):
                continue
            except Exception:  # the next renewal may succeed: the lease lasts for several
                log.exception("lease_not_renewed", kind=work.kind, subject=work.subject)

    async def _give_back(self, work: Work, error: BaseException) -> None:
        delay = min(FIRST_RETRY_SECONDS * 2 ** (work.attempts - 1), LONGEST_RETRY_SECONDS)
        log.error(
            "work_failed",
            kind=work.kind,
            subject=work.subject,
            attempt=work.attempts,
            retry_in=delay,
            exc_info=None if isinstance(error, DatabaseIsBusy) else error,
        )
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await put_back(
                    self.database, work, error=repr(error), delay=timedelta(seconds=delay)
                )
        except (DatabaseIsBusy, TimeoutError):
            log.warning("work_not_given_back", kind=work.kind, subject=work.subject)
