"""A sync run on the queue, step by step and page by page; each page is one transaction with the progress.

A worker that is killed at any moment leaves whole pages; the next one goes on behind the last of them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final
from uuid import UUID

import structlog

from sightline.crm.connection import CrmSettings, find_connection, open_crm
from sightline.crm.fields import MappingIsWrong
from sightline.crm.incoming import read_accounts, read_contacts, removed_accounts, removed_contacts
from sightline.crm.notes import write_notes
from sightline.crm.outgoing import create_accounts, write_accounts, write_contacts
from sightline.crm.provider import CrmIsBusy, CrmRefuses
from sightline.crm.session import PageDone, Session, Step
from sightline.domain.callers import OrganizationId
from sightline.kit.fetch.live import Web
from sightline.kit.secrets import SecretBox
from sightline.store import crm_runs as store
from sightline.store import integrations, work
from sightline.store.crm_runs import CrmRun, Entry
from sightline.store.database import Connection, Database, Tenant
from sightline.store.imports import ImportIsRunningElsewhere, finish_import
from sightline.store.passes import each_organization

log = structlog.get_logger()

# Their search finds what was written a moment ago only later, and their clock is not ours.
OVERLAP: Final = timedelta(minutes=5)
FIRST_WAIT_SECONDS: Final = 10.0
LONGEST_WAIT_SECONDS: Final = 900.0
MOST_WAITS: Final = 100  # in a row: a day and a night
_PRIORITY: Final = 10
_OVER: Final = ("succeeded", "failed")

STEPS: Final[Mapping[str, Step]] = {
    "read_accounts": read_accounts,
    "read_contacts": read_contacts,
    "removed_accounts": removed_accounts,
    "removed_contacts": removed_contacts,
    "create_accounts": create_accounts,
    "write_accounts": write_accounts,
    "write_contacts": write_contacts,
    "write_notes": write_notes,
}
FIRST_STEP: Final = "read_accounts"


async def ask_for_run(
    tenant: Tenant, provider: str, *, dry_run: bool = False, everything: bool = False
) -> UUID:
    """Put a run on the queue. Raises RunIsUnderWay."""
    run_id = await store.begin_run(
        tenant, provider,
        dry_run=dry_run, everything=everything, stage=FIRST_STEP
    )  # fmt: skip
    await work.put(
        tenant,
        store.WORK_KIND,
        str(run_id),
        organization_id=tenant.organization_id,
        priority=_PRIORITY,
    )
    return run_id


def steps_of(settings: CrmSettings) -> list[str]:
    """The steps of a run, in order."""
    left_out = set()
    if not settings.writes:
        left_out |= {"create_accounts", "write_accounts", "write_contacts", "write_notes"}
    if not settings.creates:
        left_out.add("create_accounts")
    if not settings.notes:
        left_out.add("write_notes")
    return [name for name in STEPS if name not in left_out]


@dataclass(frozen=True)
class Syncing:
    """Does runs. `web` is the live web, whatever web the sources read."""

    database: Database
    secrets: SecretBox
    web: Web

    async def sync(self, item: work.Work) -> None:
        """Work: one run, as far as the CRM lets it go now."""
        organization_id = OrganizationId(item.organization_id)
        run_id = UUID(item.subject)
        async with self.database.tenant(organization_id) as connection:
            run = await store.find_run(connection, run_id)
            if run is None or run.state in _OVER:
                await work.finish(connection, item)
                return
            try:
                kept, settings = await find_connection(connection, run.provider)
            except MappingIsWrong as wrong:
                await self._end(connection, item, replace(run, state="failed"), str(wrong))
                return

        async def before(connection: Connection) -> None:
            await work.hold(connection, item)

        try:
            crm = open_crm(
                kept, database=self.database, organization_id=organization_id,
                secrets=self.secrets, web=self.web,
            )  # fmt: skip
            session = Session(
                self.database, organization_id, crm, settings, replace(run, state="running"), before
            )
            await self._go(session, item)
        except CrmIsBusy as busy:
            await self._wait(organization_id, item, busy)
        except (CrmRefuses, ImportIsRunningElsewhere) as refusal:
            async with self.database.tenant(organization_id) as connection:
                now = await store.find_run(connection, run_id)
                await self._end(connection, item, replace(now or run, state="failed"), str(refusal))

    async def _go(self, session: Session, item: work.Work) -> None:
        if session.run.horizon is None:
            horizon = await session.crm.now() - OVERLAP
            session.run = replace(session.run, horizon=horizon)
        steps = steps_of(session.settings)
        while session.run.state == "running":
            if session.run.stage not in steps:  # what a person chose changed meanwhile
                session.run = replace(
                    session.run, stage=_behind(session.run.stage, steps), after=None
                )
            page = await STEPS[session.run.stage](session)
            async with self.database.tenant(session.organization_id) as connection:
                await work.hold(connection, item)
                if await store.is_over(connection, session.run.run_id):
                    await work.finish(connection, item)  # disconnected meanwhile
                    return
                await self._commit(connection, session, item, page, steps)

    async def _commit(
        self,
        connection: Tenant,
        session: Session,
        item: work.Work,
        page: PageDone,
        steps: Sequence[str],
    ) -> None:
        entries = await _applied(connection, session, page)
        run = session.run
        await store.add_entries(connection, run, entries)
        counts = Counter(run.counts.get(run.stage, {})) + Counter(each.action for each in entries)
        run = replace(
            run, counts={**run.counts, run.stage: dict(counts)}, after=page.after, waits=0
        )
        if page.after is None:
            kind = run.stage.removeprefix("read_")
            if kind in run.imports:
                await finish_import(connection, UUID(run.imports[kind]))
            following = steps[steps.index(run.stage) + 1 :]
            if not following:
                await self._end(connection, item, replace(run, state="succeeded"), None)
                session.run = replace(run, state="succeeded")
                return
            run = replace(run, stage=following[0])
        await store.save_run(connection, run)
        session.run = run

    async def _wait(
        self, organization_id: OrganizationId, item: work.Work, busy: CrmIsBusy
    ) -> None:
        """Put the run back, for as long as the CRM asks or ever longer."""
        async with self.database.tenant(organization_id) as connection:
            run = await store.find_run(connection, UUID(item.subject))
            if run is None or run.state in _OVER:
                await work.finish(connection, item)
                return
            if run.waits >= MOST_WAITS:
                await self._end(connection, item, replace(run, state="failed"), str(busy))
                return
            growing = min(FIRST_WAIT_SECONDS * 2 ** min(run.waits, 10), LONGEST_WAIT_SECONDS)
            delay = timedelta(seconds=max(1.0, growing if busy.seconds is None else busy.seconds))
            run = replace(run, state="waiting", waits=run.waits + 1)
            await work.finish(connection, item)
            await store.save_run(connection, run, wait=delay, error=str(busy))
            await work.put(
                connection, store.WORK_KIND, item.subject,
                organization_id=organization_id, priority=_PRIORITY, delay=delay,
            )  # fmt: skip

    async def _end(
        self, connection: Tenant, item: work.Work, run: CrmRun, error: str | None
    ) -> None:
        OrganizationId(item.organization_id)
        await work.finish(connection, item)
        await store.save_run(connection, run, error=error)
        log.info("crm_run_ended", provider=run.provider, state=run.state, error=error)
        if not run.dry_run or error is not None:
            await integrations.note_integration(connection, run.provider, error=error)


async def run_due(database: Database) -> None:
    """On the clock: ask for the runs that are due, and forget old ones."""

    async def due(organization_id: OrganizationId) -> None:
        async with database.tenant(organization_id) as connection:
            await store.delete_old_runs(connection)
            for provider in await store.due_providers(connection):
                await ask_for_run(connection, provider)

    await each_organization(database, "sync_crms", due)


async def _applied(connection: Tenant, session: Session, page: PageDone) -> Sequence[Entry]:
    """What a page did; in a dry run it is taken back."""
    if not session.run.dry_run:
        return await page.apply(connection)
    imports = session.run.imports
    async with store.taken_back(connection):
        entries = await page.apply(connection)
    session.run = replace(session.run, imports=imports)
    return entries


def _behind(stage: str, steps: Sequence[str]) -> str:
    """The step to go on with where one is left out now."""
    names = list(STEPS)
    later = [name for name in steps if names.index(name) > names.index(stage)]
    return later[0] if later else steps[-1]
