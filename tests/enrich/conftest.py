"""A recorded web made by the test, two small sources that read it, and a worker over the real queue."""

import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sightline.domain.evidence import Body, Observation, Parsed, Passage
from sightline.domain.websites import domain_of
from sightline.enrich.finish import refresh_accounts
from sightline.enrich.pipeline import Enrichment
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.queue.runner import Runner
from sightline.sources.contract import Candidate, Context, Manifest, Query, Source, Target
from sightline.sources.parsing import Parsers
from sightline.store.database import Database, open_database
from sightline.store.operations import WORK_KIND
from sightline.store.work import Work
from tests.parsing import InThisProcess

REGISTER = "https://register.example/companies.json"


@dataclass
class RecordedWeb:
    """A folder of answers, as `replay:` reads it."""

    folder: Path
    rows: list[dict[str, Any]] = field(default_factory=list)

    def redirect(self, url: str, target: str) -> None:
        self.answer(url, "", status=301)
        self.rows[-1]["headers"]["location"] = target
        self._write()

    def answer(
        self,
        url: str,
        body: str | bytes,
        *,
        status: int = 200,
        media_type: str = "application/json",
        at: datetime = datetime(2026, 1, 2, tzinfo=UTC),
    ) -> None:
        content = body.encode() if isinstance(body, str) else body
        digest = hashlib.sha256(content).hexdigest()
        (self.folder / "files").mkdir(exist_ok=True)
        (self.folder / "files" / digest).write_bytes(content)
        self.rows = [row for row in self.rows if row["url"] != url]
        self.rows.append(
            {
                "url": url,
                "method": "GET",
                "status": status,
                "headers": {"content-type": media_type},
                "file": f"files/{digest}",
                "encoding": None,
                "fetched_at": at.isoformat().replace("+00:00", "Z"),
                "recorded": False,
                "bytes": len(content),
                "sha256": digest,
            }
        )
        self._write()

    def _write(self) -> None:
        text = "".join(json.dumps(row) + "\n" for row in self.rows)
        (self.folder / "index.jsonl").write_text(text)


parsed_urls: list[str] = []


def parse_site(body: Body) -> Parsed:
    """A site of lines "field: value"."""
    parsed_urls.append(body.url)
    text = body.content.decode()
    observations = [
        Observation(name, json.loads(value), "text", 0.9, quote=line)
        for line in text.splitlines()
        if ": " in line
        for name, value in [line.split(": ", 1)]
    ]
    return Parsed(
        kind="page",
        text=text,
        observations=tuple(observations),
        passages=(Passage(0, len(text), "home"),),
    )


async def find_in_register(context: Context, query: Query) -> Sequence[Candidate]:
    rows = await context.dataset(REGISTER, read=json.loads, fresh_for=timedelta(0))
    return [
        Candidate(
            source="register",
            key=row["id"],
            name=row["name"],
            domain=row.get("domain"),
            country_code=row.get("country"),
            ticker=row.get("ticker"),
            identifiers={"lei": row["id"]},
        )
        for row in rows or []
    ]


async def find_site(context: Context, query: Query) -> Sequence[Candidate]:
    if query.domain is None:
        return []
    found = await context.document(
        f"https://{query.domain}/", parse=parse_site, version=1, about=False
    )
    if found is None or found.parsed is None:
        return []
    name = next((o.value for o in found.parsed.observations if o.field == "company_name"), None)
    if name is None:
        return []
    reached = domain_of(found.url) or query.domain
    return [
        Candidate(
            source="site", key=query.domain, name=name, domain=query.domain, domains=(reached,)
        )
    ]


async def collect_register(context: Context, target: Target) -> None:
    await context.document(
        f"https://register.example/{target.identifiers['lei']}.txt", parse=parse_site, version=1
    )


async def collect_site(context: Context, target: Target) -> None:
    await context.document(f"https://{target.domain}/", parse=parse_site, version=1)


def manifest(name: str, identifier: str | None = None) -> Manifest:
    return Manifest(
        name=name,
        title=name.title(),
        category="register",
        summary="",
        terms="",
        fields=(),
        refresh_days=30,
        identifier=identifier,
    )


SOURCES = (
    Source(
        manifest("register", "lei"),
        collect_register,
        find_in_register,
        lambda target: "lei" in target.identifiers,
    ),
    Source(manifest("site"), collect_site, find_site, lambda target: target.domain is not None),
)


@pytest.fixture
def web(tmp_path: Path) -> RecordedWeb:
    """Two companies in a register, one of them with a web site."""
    folder = tmp_path / "web"
    folder.mkdir()
    made = RecordedWeb(folder)
    register = [
        {"id": "LEI1", "name": "Harbor Analytics Inc", "domain": "harbor.example", "country": "US"},
        {"id": "LEI2", "name": "Northwind Shipping GmbH", "country": "DE"},
        {"id": "LEI3", "name": "Atlas Works Ltd", "country": "GB"},
        {"id": "LEI4", "name": "Atlas Works LLC", "country": "US"},
    ]
    made.answer(REGISTER, json.dumps(register))
    made.answer(
        "https://register.example/LEI1.txt",
        'legal_name: "Harbor Analytics Inc"\nlei: "LEI1"\nhq_city: "Portland"\ncountry_code: "US"',
        media_type="text/plain",
    )
    made.answer(
        "https://register.example/LEI2.txt",
        'legal_name: "Northwind Shipping GmbH"\nlei: "LEI2"\nhq_city: "Bremen"',
        media_type="text/plain",
    )
    made.answer(
        "https://harbor.example/",
        'company_name: "Harbor Analytics"\nwebsite_domain: "harbor.example"\nemployees: 420\n'
        'description: "Reads the sea."',
        media_type="text/plain",
    )
    return made


@pytest.fixture
async def worker_database(database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(database_url, role="sightline_worker", size=10)
    yield opened
    await opened.close()


def make_runner(
    database: Database,
    web: RecordedWeb,
    *,
    slots: int = 2,
    sources: Sequence[Source] = SOURCES,
    parsers: Parsers | None = None,
) -> Runner:
    """A worker of this process; its fetcher reads the recorded web as it is now."""
    fetcher = Fetcher(FetcherConfig(web=f"replay:{web.folder}", sample_dir=web.folder))
    enrichment = Enrichment(database, fetcher, sources, parsers=parsers or InThisProcess())

    async def refresh(work: Work) -> None:
        await refresh_accounts(database, work)

    return Runner(
        database=database,
        handlers={WORK_KIND: enrichment.run, "refresh_accounts": refresh},
        slots=slots,
        per_organization=slots,
    )


Drain = Callable[[], Awaitable[int]]


@pytest.fixture
def drain(worker_database: Database, web: RecordedWeb) -> Drain:
    """Work until the queue is empty."""

    async def run() -> int:
        return await make_runner(worker_database, web).run_all()

    return run
