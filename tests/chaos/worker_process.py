"""The real worker, over a recorded web and one source that misbehaves, to be killed."""

import asyncio
import random
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path

from sightline import worker
from sightline.kit.fetch.bounds import Limits
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.kit.fetch.errors import FetchFailed
from sightline.kit.logs import configure_logs
from sightline.kit.secrets import SecretBox, key_file
from sightline.reading.encoder import EncoderConfig, open_encoder
from sightline.sources.contract import Context, Source, SourceIsAway, Target
from tests.chaos.parsers import parse_flood, parse_lies, parse_slowly
from tests.enrich.conftest import SOURCES, manifest
from tests.enrich.kills_world import NEWSROOM, Named, slowed
from tests.enrich.worker_process import notebook, noted

_PATIENCE_SECONDS = 3.0  # with what hangs, instead of twenty
LOOPBACK = (ip_network("127.0.0.0/8"),)
_PARSERS = {"lie": parse_lies, "flood": parse_flood, "slow": parse_slowly}


@dataclass(frozen=True)
class Place:
    """What a worker is started with. `sink` is the port of what hangs and of what takes webhooks."""

    url: str
    web: Path
    notes: Path
    secret: Path
    sink: int


def unruly_pages(company: Named) -> dict[str, str]:
    """What the unruly source reads of a company: URL -> text."""
    return {f"https://{company.domain}/{each}": f"{each} {company.name}" for each in _PARSERS}


def unruly(sink: int) -> Source:
    """A source that hangs, lies, floods, fails, or does what it should."""
    limits = Limits(total_seconds=_PATIENCE_SECONDS)
    live = Fetcher(FetcherConfig(web="live", allow=LOOPBACK, ports=None, limits=limits))

    async def collect(context: Context, target: Target) -> None:
        manner = random.choice(("hang", "lie", "flood", "fail", "slow", "slow", "slow"))
        match manner:
            case "hang":
                try:
                    await live.get(f"http://127.0.0.1:{sink}/hang")
                except FetchFailed as error:
                    raise SourceIsAway(str(error)) from error
            case "fail":
                raise SourceIsAway("The unruly source is away.")
            case _:
                page = f"https://{target.domain}/{manner}"
                await context.document(page, parse=_PARSERS[manner], version=1, always_read=True)

    return Source(manifest("unruly"), collect, None, lambda target: target.domain is not None)


def main(place: Place) -> None:
    """The life of one worker process: everything of the queue and the clock."""
    configure_logs("critical", "json")
    worker.SOURCES = (*(slowed(each) for each in (*SOURCES, NEWSROOM)), unruly(place.sink))
    note, handlers = notebook(place.notes), worker.handlers

    def with_notes(*given: object, **named: object) -> object:
        made = handlers(*given, **named)
        return {kind: noted(handler, note) for kind, handler in made.items()}

    worker.handlers = with_notes
    config = worker.WorkerConfig(
        url=place.url,
        pool_size=8,
        wait_seconds=1.0,
        fetcher=FetcherConfig(web=f"replay:{place.web}", sample_dir=place.web, ports=None),
        secrets=SecretBox(key_file(place.secret)),
        slots=4,
        organization_slots=500,
        evidence_days=30,
        allowed_networks=LOOPBACK,
        encoder=open_encoder(EncoderConfig()),
    )
    asyncio.run(worker.work_until(asyncio.Event(), config))
