"""Pulls a company's job boards again: on the queue, or while a request for live postings waits."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

import structlog

from sightline.enrich.finish import FOLLOW_UPS
from sightline.enrich.target import CompanyIsGone, target_of
from sightline.kit.clock import now
from sightline.kit.fetch.client import Fetcher
from sightline.sources.context import EvidenceContext
from sightline.sources.contract import RecordIsUnusable, Source, SourceIsAway
from sightline.store import jobs
from sightline.store.database import Database
from sightline.store.source_states import disabled_sources
from sightline.store.work import Work, finish, hold, put

log = structlog.get_logger()

FRESH_FOR = timedelta(minutes=10)
"""Boards pulled within this time are not asked again."""
PRIORITY = -10  # someone is waiting
_FIRST_POLL_SECONDS = 0.05
_LONGEST_POLL_SECONDS = 0.4

Reason = Literal[
    "fetched", "unchanged", "fresh", "nothing_found", "unreachable", "timed_out", "disabled"
]


@dataclass(frozen=True, slots=True)
class Refreshed:
    """`fetched` says that a board sent a body that had not been read before; `pulled_at` when the
    boards were last pulled, by this refresh or before."""

    reason: Reason
    pulled_at: datetime | None

    @property
    def refreshed(self) -> bool:
        """Whether the boards were asked and answered."""
        return self.reason in ("fetched", "unchanged")


async def refresh_and_wait(
    database: Database, organization_id: UUID, company_id: UUID, *, seconds: float
) -> Refreshed:
    """Ask for a refresh and wait for it at most `seconds`. What takes longer goes on without us.

    Connections are held for a query at a time only, so that those who wait starve no one.
    """
    deadline = time.monotonic() + seconds
    asked_at = now()
    async with database.connection() as connection:
        state = await jobs.pull_state(connection, company_id)
        if state.pulled_at is not None and asked_at - state.pulled_at < FRESH_FOR:
            return Refreshed("fresh", state.pulled_at)
        if not state.waiting:
            await put(
                connection,
                jobs.WORK_KIND,
                str(company_id),
                organization_id=organization_id,
                priority=PRIORITY,
            )
    pause = _FIRST_POLL_SECONDS
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            return Refreshed("timed_out", state.pulled_at)
        await asyncio.sleep(min(pause, left))
        pause = min(2 * pause, _LONGEST_POLL_SECONDS)
        async with database.connection() as connection:
            current = await jobs.pull_state(connection, company_id)
        if not current.waiting:
            return _judged(state, current)


def _judged(before: jobs.PullState, after: jobs.PullState) -> Refreshed:
    if after.pulled_at is None or after.pulled_at == before.pulled_at:
        failed = after.failed_at is not None and after.failed_at != before.failed_at
        return Refreshed("unreachable" if failed else "nothing_found", after.pulled_at)
    changed = after.fetched_at is not None and after.fetched_at != before.fetched_at
    return Refreshed("fetched" if changed else "unchanged", after.pulled_at)


async def refresh_jobs(
    database: Database, fetcher: Fetcher, sources: Sequence[Source], work: Work
) -> None:
    """The handler: only the job boards of the company that the work is about."""
    company_id = UUID(work.subject)
    async with database.connection() as connection:
        disabled = await disabled_sources(connection)
        try:
            target = await target_of(connection, company_id)
        except CompanyIsGone:
            target = None
    source = next((each for each in sources if each.name == jobs.SOURCE), None)
    if source is not None and target is not None and source.name not in disabled:
        context = EvidenceContext(source.manifest, fetcher, database, work, target)
        error: str | None = None
        unreached = None
        try:
            if source.applies(target):
                await source.collect(context, target)
        except (SourceIsAway, RecordIsUnusable) as failure:
            error = str(failure)
            log.warning("jobs_not_refreshed", company=work.subject, reason=error)
        finally:
            unreached = error or context.unreached()
            await context.flush(error=error)
        if unreached is not None:
            async with database.connection() as connection:
                await jobs.note_failure(connection, company_id, error=unreached)
    async with database.connection() as connection, connection.transaction():
        await hold(connection, work)
        for kind in FOLLOW_UPS if target is not None else ():
            await put(connection, kind, str(company_id))
        await finish(connection, work)
