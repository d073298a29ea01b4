"""How long GET /companies/{id}/relevance takes, database included, as companies grow.

    python -m tests.bench.relevance [--sizes 100 1000 10000] [--copies 20] [--companies 1000]
        [--requests 300]

One database holds `companies` companies: `copies` of each size, the others of the smallest. For each
size one company of invented passages is indexed as the worker does it, most of it at once and the rest
in two later runs, and its index is copied to the others. Requests go through the whole application in
this process to an embedded PostgreSQL with its usual settings: a third without words, a third with words
of business (which ask for their synonyms too), a third with words of a passage.

Prints what is in the database, then one JSON object a size: wall milliseconds of the first requests
after a restart of the server and of those that follow, and beside them milliseconds of processor time a
request (application and its client; PostgreSQL), which other work on the machine does not stretch.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from uuid import UUID

import httpx
import numpy as np

from sightline.api.endpoint import Services
from sightline.api.endpoints import BASE_PATH
from sightline.api.limits import RateLimiter
from sightline.api.server import create_server
from sightline.api.usage import UsageCounter
from sightline.domain.evidence import DocumentKind
from sightline.kit.clock import now
from sightline.kit.ids import new_id
from sightline.kit.logs import configure_logs
from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.secrets import SecretBox
from sightline.search.cues import CUES
from sightline.search.synonyms import GROUPS
from sightline.store.accounts import CountCache
from sightline.store.catalogue import make_company
from sightline.store.database import Database, open_database
from sightline.store.keys import create_key
from sightline.store.migrate import migrate
from sightline.store.organizations import create_organization, create_user
from tests.bench.ranking import invented
from tests.store.evidence_data import add_document, index

PASSAGES_PER_DOCUMENT = 40
KINDS: tuple[DocumentKind, ...] = ("filing", "filing", "news", "page")
TABLES = {
    "passage_segments": "segment, documents, block_count, lengths, columns, deleted",
    "passage_blocks": "segment, block, postings",
    "passage_texts": "segment, chunk, texts",
    "passage_vectors": "segment, chunk, model, vectors",
    "passage_entries": "segment, ordinal, origin, origin_id, origin_at, version, document_id, start_at",
}


def spoken(size: int, generator: np.random.Generator) -> list[str]:
    """Invented passages; every third has a few words of business."""
    cues = [cue.strip() for by in CUES.values() for some in by.values() for cue in some.split(";")]
    texts = invented(size, generator)
    for at in range(0, size, 3):
        texts[at] = " ".join(generator.choice(cues, 4)) + " " + texts[at]
    return texts


async def fill(workers: Database, texts: Sequence[str], companies: int) -> tuple[list[UUID], float]:
    """Companies with these passages each, and the seconds that indexing one took."""
    ids = [new_id() for _ in range(companies)]
    async with workers.connection() as connection:
        for company_id in ids:
            await make_company(
                connection, name=f"Company {company_id}", domain=None, company_id=company_id
            )
    seconds, size = 0.0, len(texts)
    for first, last in pairwise((0, size * 9 // 10, size * 19 // 20, size)):
        for at in range(first, last, PASSAGES_PER_DOCUMENT):
            n = at // PASSAGES_PER_DOCUMENT
            some = texts[at : min(at + PASSAGES_PER_DOCUMENT, last)]
            await add_document(
                workers, ids[0], some, kind=KINDS[n % len(KINDS)],
                url=f"https://s{n % 20}.example/{size}/{at}", heading=f"Heading {n}",
                published_at=now() - timedelta(days=n),
            )  # fmt: skip
        started = time.perf_counter()
        await index(workers, ids[0])
        seconds += time.perf_counter() - started
    async with workers.connection() as connection:
        for at in range(1, companies, 20):
            for table, columns in TABLES.items():
                await connection.execute(
                    f"INSERT INTO {table} (company_id, {columns}) SELECT c, {columns}"
                    f" FROM {table}, unnest($2::uuid[]) AS c WHERE company_id = $1",
                    ids[0],
                    ids[at : at + 20],
                )
    return ids, seconds


def queries(texts: Sequence[str], count: int, generator: np.random.Generator) -> list[str | None]:
    made: list[str | None] = []
    for n in range(count):
        words = texts[int(generator.integers(len(texts)))].split()
        group = GROUPS[int(generator.integers(len(GROUPS)))].split(";")
        made.append(
            (None, f"{generator.choice(group)} {words[-1]}", " ".join(generator.choice(words, 4)))[
                n % 3
            ]
        )
    return made


def server_seconds(folder: Path) -> float:
    """Processor time of all processes of the server in this folder; 0 where there is no /proc."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if (stat.parent / "cwd").readlink().is_relative_to(folder):
                fields = stat.read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


async def measured(
    url: str, key: str, ids: Sequence[UUID], asked: Sequence[str | None], folder: Path
) -> dict[str, object]:
    app = await open_database(url, size=4, wait_seconds=10)
    services = Services(
        database=app, limiter=RateLimiter(redis_url=None, processes=1), counts=CountCache(),
        usage=UsageCounter(app), secrets=SecretBox(bytes(32)),
        max_body_bytes=1_000_000, trust_proxy=False, version="bench",
    )  # fmt: skip
    transport = httpx.ASGITransport(app=create_server(services))
    times: dict[str, list[float]] = {"default": [], "business": [], "words": []}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://b", headers={"x-api-key": key}
    ) as client:
        await client.get(f"{BASE_PATH}/companies/{ids[-1]}/relevance", params={"q": "warm"})
        cpu: list[float] = []
        theirs = server_seconds(folder)
        for at, text in enumerate(asked):
            path = f"{BASE_PATH}/companies/{ids[at % len(ids)]}/relevance"
            started, worked = time.perf_counter(), time.process_time()
            answer = await client.get(path, params={} if text is None else {"q": text})
            times[tuple(times)[at % 3]].append(1000 * (time.perf_counter() - started))
            cpu.append(1000 * (time.process_time() - worked))
            answer.raise_for_status()
        theirs = server_seconds(folder) - theirs
    await services.usage.flush()
    await app.close()
    every = [t for some in times.values() for t in some]
    named = {
        f"{name}_p95": round(float(np.percentile(some, 95)), 1) for name, some in times.items()
    }
    return {
        "p50": round(float(np.percentile(every, 50)), 1),
        "p95": round(float(np.percentile(every, 95)), 1),
        **named,
        "cpu": round(float(np.mean(cpu)), 1),
        "cpu_p95": round(float(np.percentile(cpu, 95)), 1),
        "cpu_postgresql": round(1000 * theirs / len(asked), 1),
    }


async def prepare(url: str) -> str:
    """An organization's key."""
    owner, app = await open_database(url, role="owner"), await open_database(url)
    organization_id = await create_organization(owner, "bench", name="Bench", plan="enterprise")
    async with app.tenant(organization_id) as connection:
        user_id = await create_user(connection, organization_id, email="b@b.example", role="owner")
        made = await create_key(
            connection, organization_id, user_id=user_id, name="bench", scopes=["*"],
            rate_limit=1_000_000_000,
        )  # fmt: skip
    await owner.close()
    await app.close()
    return made.key


async def filled(
    url: str, texts: Sequence[str], companies: int
) -> tuple[list[UUID], dict[str, float]]:
    """The companies, and what one of them takes."""
    workers = await open_database(
        url, role="sightline_worker", size=3, wait_seconds=30, statement_timeout_seconds=0
    )
    before = await _bytes(workers)
    ids, seconds = await fill(workers, texts, companies)
    megabytes = (await _bytes(workers) - before) / companies / 1e6
    await workers.close()
    owner = await open_database(url, role="owner", size=1, statement_timeout_seconds=0)
    async with owner.connection() as connection:
        for table in TABLES:  # or else autovacuum works beside the first requests
            await connection.execute(f"VACUUM (ANALYZE) {table}")
    await owner.close()
    return ids, {
        "index_seconds": round(seconds, 2),
        "megabytes": round(megabytes, 2),
        "gigabytes_of_1000_such_companies": round(megabytes, 1),
    }


async def _bytes(workers: Database) -> int:
    async with workers.connection() as connection:
        return sum(
            [await connection.fetchval(f"SELECT pg_total_relation_size('{t}')") for t in TABLES]
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1_000, 10_000])
    parser.add_argument("--copies", type=int, default=20)
    parser.add_argument("--companies", type=int, default=1_000)
    parser.add_argument("--requests", type=int, default=300)
    given = parser.parse_args()
    configure_logs("warning", "json")
    sizes = sorted(given.sizes)
    rest = max(0, given.companies - given.copies * len(sizes))
    counts = {size: given.copies + (rest if size == sizes[0] else 0) for size in sizes}
    print(json.dumps({"companies_by_passages": counts}), flush=True)
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as name:
        folder, generator = Path(name), np.random.default_rng(11)
        texts = {size: spoken(size, generator) for size in sizes}
        ids: dict[int, list[UUID]] = {}
        takes: dict[int, dict[str, float]] = {}
        with EmbeddedPostgres(folder) as server:
            migrate(server.url)
            key = asyncio.run(prepare(server.url))
            for size in sizes:
                ids[size], takes[size] = asyncio.run(filled(server.url, texts[size], counts[size]))
        for size in sizes:
            asked = queries(texts[size], given.requests, generator)
            with EmbeddedPostgres(folder) as server:
                some = ids[size][: given.copies]
                first = asyncio.run(measured(server.url, key, some, asked[: given.copies], folder))
                then = asyncio.run(measured(server.url, key, some, asked, folder))
            print(
                json.dumps(
                    {"passages": size} | takes[size] | {"ms_after_restart": first, "ms_then": then}
                ),
                flush=True,
            )


if __name__ == "__main__":
    main()
