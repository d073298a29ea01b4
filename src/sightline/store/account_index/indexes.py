"""The indexes of a process: built in the background for large organizations, evicted when memory is short."""

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, field

import structlog

from sightline.domain.callers import OrganizationId
from sightline.store.account_index.index import AccountIndex
from sightline.store.account_index.loading import build, count_roughly
from sightline.store.database import Database

log = structlog.get_logger()

# Below so many accounts a query of the database costs no more than the index would.
LEAST_ACCOUNTS = 3_000
# How long an organization is left alone that is too small or too large, or whose index could not be made.
PAUSE_SECONDS = 60.0
# Changes are kept for a day (store.account_changes); an index that looked at none for so long is made again.
STALE_SECONDS = 6 * 3_600.0


@dataclass
class AccountIndexes:
    """The indexes of organizations, least recently used out first. For one event loop."""

    database: Database
    most_bytes: int
    least_accounts: int = LEAST_ACCOUNTS
    _ready: OrderedDict[OrganizationId, AccountIndex] = field(default_factory=OrderedDict)
    _looked_at: dict[OrganizationId, float] = field(default_factory=dict)
    _builds: dict[OrganizationId, asyncio.Task[None]] = field(default_factory=dict)
    _paused: dict[OrganizationId, float] = field(default_factory=dict)

    def ready(self, organization_id: OrganizationId) -> AccountIndex | None:
        """An organization's index; None, and one is begun, when there is none yet."""
        index, now = self._ready.get(organization_id), time.monotonic()
        if index is not None and now - self._looked_at[organization_id] > STALE_SECONDS:
            self.forget(organization_id)
            index = None
        if index is None or index.is_outgrown:
            self._begin(organization_id, now)
        if index is not None:
            self._ready.move_to_end(organization_id)
            self._looked_at[organization_id] = now
        return index

    def forget(self, organization_id: OrganizationId) -> None:
        """Drop an index, which is made again when it is next asked for."""
        self._ready.pop(organization_id, None)

    async def built(self, organization_id: OrganizationId) -> AccountIndex | None:
        """Wait for the build that is in progress; the index, if there is one now."""
        task = self._builds.get(organization_id)
        if task is not None:
            await task
        return self._ready.get(organization_id)

    async def close(self) -> None:
        """Break off what is being built."""
        tasks = list(self._builds.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, organization_id: OrganizationId, now: float) -> None:
        # One at a time: each holds a connection, and a processor for a while.
        if self._builds or self._paused.get(organization_id, 0.0) > now or self.most_bytes == 0:
            return
        self._builds[organization_id] = asyncio.create_task(self._build(organization_id))

    async def _build(self, organization_id: OrganizationId) -> None:
        began = time.monotonic()
        try:
            least = self.least_accounts
            index = None
            if await count_roughly(self.database, organization_id, least) >= least:
                index = await build(self.database, organization_id)
            if index is None or not self._has_room(index, organization_id):
                self._paused[organization_id] = time.monotonic() + PAUSE_SECONDS
                return
            self._ready[organization_id] = index
            self._looked_at[organization_id] = time.monotonic()
            log.info(
                "account_index_built",
                organization=str(organization_id),
                accounts=len(index.base),
                megabytes=index.nbytes >> 20,
                seconds=round(time.monotonic() - began, 2),
            )
        except Exception as error:
            self._paused[organization_id] = time.monotonic() + PAUSE_SECONDS
            log.warning(
                "account_index_failed", organization=str(organization_id), reason=repr(error)
            )
        finally:
            del self._builds[organization_id]

    def _has_room(self, index: AccountIndex, organization_id: OrganizationId) -> bool:
        """Make room for an index; False when it alone is larger than all may be."""
        self.forget(organization_id)
        size = index.nbytes
        if size > self.most_bytes:
            log.warning(
                "account_index_too_large",
                organization=str(organization_id),
                megabytes=size >> 20,
                limit=self.most_bytes >> 20,
            )
            return False
        while self._ready and size + sum(i.nbytes for i in self._ready.values()) > self.most_bytes:
            self._ready.popitem(last=False)
        return True
