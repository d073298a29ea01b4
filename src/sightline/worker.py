"""The worker: THE TABLES of queue handlers and schedules."""

import asyncio
import signal
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import structlog

from sightline.crm.run import Syncing, run_due
from sightline.domain.callers import OrganizationId
from sightline.enrich import industry
from sightline.enrich.finish import refresh_accounts
from sightline.enrich.pipeline import Enrichment
from sightline.enrich.refresh_jobs import refresh_jobs
from sightline.imports import undo, uploads
from sightline.imports.spool import READERS
from sightline.kit.fetch.addresses import IPNetwork
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.kit.fetch.live import LiveWeb
from sightline.kit.secrets import SecretBox
from sightline.monitor import publish
from sightline.monitor.mail import Digests, send
from sightline.monitor.territories import fill_territory, refresh_territories
from sightline.monitor.webhooks import Deliverer
from sightline.profile.author import Author
from sightline.profile.refresh import refresh_organization_profile, refresh_profile
from sightline.profile.writing import write_profile
from sightline.queue.clock import Schedule, keep_clock
from sightline.queue.rest import Rest
from sightline.queue.runner import Handler, Runner
from sightline.reading.encoder import Encoder
from sightline.search import indexing
from sightline.signals import run as signals
from sightline.signals.llm_run import ModelReader, read_signals_by_model
from sightline.sources.parsing import PARSERS
from sightline.sources.registry import SOURCES
from sightline.store import (
    account_deletions,
    credits,
    crm_runs,
    documents,
    import_uploads,
    imports,
    jobs,
    membership_refreshes,
    operations,
    profiles,
    quarantine,
    webhooks,
    written_sections,
)
from sightline.store.account_index.loading import delete_old_changes
from sightline.store.database import Database, open_database
from sightline.store.idempotency import delete_expired
from sightline.store.inspection import warn_of_mighty_login
from sightline.store.pace import DatabasePace
from sightline.store.passes import each_organization

log = structlog.get_logger()

LONGEST_STATEMENT_SECONDS = 300.0
HOUR, DAY = 60, 24 * 60  # in minutes
# No request waits for a model for so long.
ABANDONED_SECONDS = 600.0
REST_LOOK_SECONDS = 10.0


@dataclass(frozen=True)
class WorkerConfig:
    """What a worker is made of; see the settings of the same names."""

    url: str
    pool_size: int
    wait_seconds: float
    fetcher: FetcherConfig
    secrets: SecretBox
    slots: int
    organization_slots: int
    evidence_days: int
    export_to: str | None = None
    export_hours: int = 24
    allowed_networks: tuple[IPNetwork, ...] = ()  # see api.endpoint.Services
    author: Author | None = None
    encoder: Encoder | None = None


def handlers(
    database: Database,
    fetcher: Fetcher,
    deliverer: Deliverer | None = None,
    syncing: Syncing | None = None,
    *,
    author: Author | None = None,
    encoder: Encoder | None = None,
) -> dict[str, Handler]:
    """What is done with each kind of work on the queue; webhooks only with a `deliverer`, CRMs only
    with `syncing`, the writing of profiles and a model's reading of signals and industries only with an
    `author`, vectors of passages and heads only with an `encoder`."""
    delivery = {webhooks.WORK_KIND: deliverer.run} if deliverer else {}
    if syncing is not None:
        delivery[crm_runs.WORK_KIND] = syncing.sync
    writing: dict[str, Handler] = {}
    if author is not None:
        allowances = partial(author.budget.allowances, organization_id=None)
        reader = ModelReader(author.model, allowances)
        namer = industry.IndustryReader(author.model, allowances)
        writing = {
            written_sections.WRITE: partial(write_profile, database, author),
            written_sections.WRITE_FOR: partial(write_profile, database, author),
            signals.MODEL_KIND: partial(read_signals_by_model, database, reader, encoder=encoder),
            industry.WORK_KIND: partial(industry.read_industry, database, namer),
        }
    enrichment = Enrichment(database, fetcher, SOURCES, asks_model=author is not None)
    return {
        operations.WORK_KIND: enrichment.run,
        **delivery,
        **writing,
        "refresh_accounts": partial(refresh_accounts, database),
        account_deletions.WORK_KIND: partial(undo.run_deletion, database),
        imports.UNDO: partial(undo.run_undo, database),
        import_uploads.WORK_KIND: partial(uploads.run_upload, database),
        membership_refreshes.WORK_KIND: partial(fill_territory, database),
        publish.WORK_KIND: partial(publish.publish, database),
        jobs.WORK_KIND: partial(refresh_jobs, database, fetcher, SOURCES),
        indexing.WORK_KIND: partial(indexing.index_passages, database, encoder=encoder),
        signals.WORK_KIND: partial(
            signals.read_signals, database, encoder=encoder, model=author is not None
        ),
        profiles.REFRESH: partial(refresh_profile, database, author=author, encoder=encoder),
        profiles.REFRESH_FOR: partial(refresh_organization_profile, database, author=author),
    }


async def expire_idempotency_keys(database: Database) -> None:
    """Delete answers kept past their seven days."""

    async def expire(organization_id: OrganizationId) -> None:
        async with database.tenant(organization_id) as connection:
            await delete_expired(connection)

    await each_organization(database, "expire_idempotency_keys", expire)


async def expire_account_changes(database: Database) -> None:
    """Forget what changed so long ago that every index in memory has seen it."""

    async def expire(organization_id: OrganizationId) -> None:
        async with database.tenant(organization_id) as connection:
            await delete_old_changes(connection)

    await each_organization(database, "expire_account_changes", expire)


async def expire_operations(database: Database) -> None:
    """Forget operations that have long been past their time."""

    async def expire(organization_id: OrganizationId) -> None:
        async with database.tenant(organization_id) as connection:
            await operations.delete_expired(connection)

    await each_organization(database, "expire_operations", expire)


async def release_abandoned_credits(database: Database) -> None:
    """Release what requests held for a model's answer when their process died."""

    async def release(organization_id: OrganizationId) -> None:
        async with database.tenant(organization_id) as connection:
            for prefix in (credits.FOR_ANSWER, credits.FOR_CONTENT):
                await credits.release_abandoned(
                    connection, prefix=prefix, seconds=ABANDONED_SECONDS
                )

    await each_organization(database, "release_abandoned_credits", release)


async def expire_evidence(database: Database, *, days: int) -> None:
    """Let go of the bodies of superseded documents."""
    async with database.connection() as connection:
        log.info("evidence_expired", bodies=await documents.purge_bodies(connection, days=days))
        await quarantine.expire_deaths(connection)


def schedules(config: WorkerConfig) -> dict[str, Schedule]:
    """What runs on the clock, by name."""
    mail = Digests(config.secrets, partial(send, allow=config.allowed_networks))
    export = {}
    if config.export_to is not None:
        # Parquet takes memory that a worker without it does without.
        from sightline.monitor.warehouse import export_all

        export["export_changes"] = Schedule(
            partial(export_all, where=config.export_to),
            minutes=config.export_hours * HOUR,
            after=37,
        )
    return {
        **export,
        "index_missing": Schedule(
            partial(indexing.index_missing, encoder=config.encoder), minutes=10
        ),
        "expire_idempotency_keys": Schedule(expire_idempotency_keys, minutes=HOUR, after=17),
        "expire_account_changes": Schedule(expire_account_changes, minutes=HOUR, after=23),
        "expire_operations": Schedule(expire_operations, minutes=DAY, after=3 * HOUR + 41),
        "expire_evidence": Schedule(
            partial(expire_evidence, days=config.evidence_days), minutes=DAY, after=4 * HOUR + 11
        ),
        "release_abandoned_credits": Schedule(release_abandoned_credits, minutes=HOUR, after=29),
        "look_at_searches": Schedule(publish.look_at_searches, minutes=3),
        "mail_digests": Schedule(mail.run, minutes=15),
        "refresh_territories": Schedule(refresh_territories, minutes=2),
        "sync_crms": Schedule(run_due, minutes=5, after=2),
    }


async def run_worker(config: WorkerConfig) -> bool:
    """Work until SIGINT or SIGTERM, then finish what is in progress. True: it rests and holds much memory,
    so a new process should take its place."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for stop_signal in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(stop_signal, stop.set)
    return await work_until(stop, config)


async def work_until(stop: asyncio.Event, config: WorkerConfig) -> bool:
    """Work until `stop` is set, then finish what is in progress. The database may come and go. See
    `run_worker` for the answer."""
    rest = Rest()
    database = await open_database(
        config.url,
        role="sightline_worker",
        size=config.pool_size,
        wait_seconds=config.wait_seconds,
        statement_timeout_seconds=LONGEST_STATEMENT_SECONDS,
    )
    await warn_of_mighty_login(database)
    fetcher = Fetcher(config.fetcher, pace=DatabasePace(database))
    # Webhooks go out over the live web, whatever web the sources read.
    outward = Fetcher(
        replace(config.fetcher, web="live", sample_dir=None, allow=config.allowed_networks)
    )
    deliverer = Deliverer(database, outward, config.secrets)
    crm_web = LiveWeb()  # CRMs stand on the internet
    syncing = Syncing(database, config.secrets, crm_web)
    try:
        table = handlers(
            database, fetcher, deliverer, syncing, author=config.author, encoder=config.encoder
        )
        runner = Runner(
            database=database,
            handlers={kind: rest.seen(handler) for kind, handler in table.items()},
            slots=config.slots,
            per_organization=config.organization_slots,
        )
        log.info("worker_started", kinds=list(runner.handlers))
        async with asyncio.TaskGroup() as group:
            group.create_task(runner.run(stop))
            group.create_task(keep_clock(database, schedules(config), stop))
            return await _until_rest(rest, stop)
    finally:
        PARSERS.close()
        READERS.close()
        await crm_web.close()
        await outward.close()
        await fetcher.close()
        await database.close()


async def _until_rest(rest: Rest, stop: asyncio.Event) -> bool:
    """Set `stop` once a new process should take the place of this one; False when others set it."""
    while not rest.is_due:
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), REST_LOOK_SECONDS)
            return False
    log.info("worker_rests")
    stop.set()
    return True
