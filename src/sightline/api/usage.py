"""Request counts by key, day and operation: in memory, written to the database every few seconds.

A process that is killed loses the counts of its last seconds; charges are not made from them.
"""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from uuid import UUID

import structlog

from sightline.domain.callers import Caller, OrganizationId
from sightline.store.administration import add_usage
from sightline.store.database import Database, DatabaseIsBusy

log = structlog.get_logger()

FLUSH_SECONDS = 5.0
_FAILED = 400

Key = tuple[UUID, UUID, date, str]


@dataclass
class UsageCounter:
    """Counts of one process. The first request starts the writing."""

    database: Database
    _counts: defaultdict[Key, list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0, 0])
    )
    _writing: asyncio.Task[None] | None = None

    def count(self, caller: Caller, operation: str, status: int) -> None:
        """Count an answered request."""
        key = (caller.organization_id, caller.key_id, datetime.now(UTC).date(), operation)
        counted = self._counts[key]
        counted[0] += 1
        counted[1] += status >= _FAILED
        if self._writing is None or self._writing.done():
            self._writing = asyncio.get_running_loop().create_task(self._write_later())

    async def flush(self) -> None:
        """Write everything that was counted. What cannot be written now is kept."""
        taken, self._counts = self._counts, defaultdict(lambda: [0, 0])
        by_organization: defaultdict[UUID, list[tuple[UUID, date, str, int, int]]] = defaultdict(
            list
        )
        for (organization_id, key_id, day, operation), (requests, failures) in taken.items():
            by_organization[organization_id].append((key_id, day, operation, requests, failures))
        for organization_id, rows in by_organization.items():
            try:
                await add_usage(self.database, OrganizationId(organization_id), rows)
            except DatabaseIsBusy:
                for key_id, day, operation, requests, failures in rows:
                    kept = self._counts[organization_id, key_id, day, operation]
                    kept[0] += requests
                    kept[1] += failures

    async def _write_later(self) -> None:
        await asyncio.sleep(FLUSH_SECONDS)
        try:
            await self.flush()
        except Exception:
            log.exception("usage_not_written")
