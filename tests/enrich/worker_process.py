"""A worker to be killed. It writes down what it begins and ends, so that recovery can be measured."""

import asyncio
import json
import os
import time
import traceback
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from sightline.enrich.likeness import likeness
from sightline.enrich.pipeline import Enrichment
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.kit.logs import configure_logs
from sightline.queue import runner
from sightline.queue.runner import Handler, Runner
from sightline.reading.encoder import EncoderConfig, open_encoder
from sightline.sources.contract import Candidate, Query
from sightline.store.database import DatabaseIsBusy, open_database
from sightline.store.operations import WORK_KIND
from sightline.store.work import FenceIsLost, Work
from sightline.worker import handlers
from tests.enrich.kills_world import SLOW_SOURCES

SLOTS = 2
Note = Callable[..., None]


def _warm_up() -> None:
    """Read the tables that are read on first use, so that forks of this process begin at once."""
    asked = Query("Corvane Freight", None, None, None, None, {})
    candidate = Candidate(source="register", key="1", name=asked.name, domain="c0.example")
    assert likeness(asked, [candidate])


_warm_up()


def notebook(path: Path) -> Note:
    """Appends one line a call; what was written survives the death of the process."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(what: str, work: Work, **more: str) -> None:
        line = {
            "what": what,
            "at": time.monotonic(),  # one clock for all processes of a machine, which never jumps
            "pid": os.getpid(),
            "work": str(work.work_id),
            "kind": work.kind,
            "fence": work.fence,
            **more,
        }
        os.write(file, (json.dumps(line) + "\n").encode())

    return note


def noted(handler: Handler, note: Note) -> Handler:
    """The handler, with its beginning and its end written down."""

    async def run(work: Work) -> None:
        note("begun", work)
        try:
            await handler(work)
        except (FenceIsLost, DatabaseIsBusy, asyncio.CancelledError):
            note("lost", work)
            raise
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[-4:]
            places = " < ".join(
                f"{Path(each.filename).name}:{each.lineno}" for each in reversed(at)
            )
            note("failed", work, error=f"{error!r} at {places}")
            raise
        note("ended", work)

    return run


async def work(url: str, web: Path, notes: Path) -> None:
    """All kinds of work that follow from an enrichment, webhooks' sending aside."""
    database = await open_database(
        url, role="sightline_worker", size=6, wait_seconds=300, statement_timeout_seconds=300
    )
    fetcher = Fetcher(FetcherConfig(web=f"replay:{web}", sample_dir=web))
    enrichment = Enrichment(database, fetcher, SLOW_SOURCES)
    note = notebook(notes)
    kinds = {
        **handlers(database, fetcher, encoder=open_encoder(EncoderConfig())),
        WORK_KIND: enrichment.run,
    }
    working = Runner(
        database=database,
        handlers={kind: noted(handler, note) for kind, handler in kinds.items()},
        slots=SLOTS,
        per_organization=500,
    )
    await working.run(asyncio.Event())


def main(url: str, web: Path, notes: Path, lease_seconds: float) -> None:
    """The life of one worker process."""
    runner.LEASE = timedelta(seconds=lease_seconds)
    runner.RENEW_SECONDS = lease_seconds / 4
    configure_logs("critical", "json")
    asyncio.run(work(url, web, notes))
