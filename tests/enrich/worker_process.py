"""A worker to be killed."""

import asyncio
import random
from dataclasses import replace
from pathlib import Path

from sightline.enrich.finish import refresh_accounts
from sightline.enrich.pipeline import Enrichment
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.kit.logs import configure_logs
from sightline.queue.runner import Runner
from sightline.sources.contract import Context, Source, Target
from sightline.store.database import open_database
from sightline.store.operations import WORK_KIND
from sightline.store.work import Work
from tests.enrich.conftest import SOURCES


def slowed(source: Source) -> Source:
    """The source with pauses, so that kills hit every place."""

    async def collect(context: Context, target: Target) -> None:
        await asyncio.sleep(random.uniform(0, 0.05))
        await source.collect(context, target)
        await asyncio.sleep(random.uniform(0, 0.05))

    return replace(source, collect=collect)


async def work(url: str, folder: Path) -> None:
    database = await open_database(url, role="sightline_worker", size=6, wait_seconds=30)
    fetcher = Fetcher(FetcherConfig(web=f"replay:{folder}", sample_dir=folder))
    enrichment = Enrichment(database, fetcher, [slowed(source) for source in SOURCES])

    async def refresh(item: Work) -> None:
        await refresh_accounts(database, item)

    runner = Runner(
        database=database,
        handlers={WORK_KIND: enrichment.run, "refresh_accounts": refresh},
        slots=4,
        per_organization=500,
    )
    await runner.run(asyncio.Event())


def main(url: str, folder: str) -> None:
    """The life of one worker process."""
    configure_logs("error", "json")
    asyncio.run(work(url, Path(folder)))
