"""How long a search takes and how large its index is, over made-up passages.

Run: python -m tests.bench.evidence [--passages 10000] [--companies 1000] [--searches 60]

One company with so many passages, and as many again spread over so many companies; words are drawn by Zipf's
law, 600 passages of the one company and 10 of each other have vectors (drawn at random). Prints the processor
time of this process and of the database and the wall time of one search of the company and of one across all,
and bytes a passage of the index.
"""

import argparse
import asyncio
import json
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from uuid import UUID, uuid4

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command `sightline` does

import numpy as np

from sightline.kit.clock import now
from sightline.kit.postgres import EmbeddedPostgres
from sightline.reading.encoder import EncoderConfig, open_encoder
from sightline.reading.terms import terms
from sightline.reading.vectors import pack_vectors
from sightline.search.across import search_companies
from sightline.search.ranking import Request
from sightline.search.retrieve import PARTS, find_passages, retriever, vectors_name
from sightline.store import passages
from sightline.store.database import Database, open_database
from sightline.store.indexable import Key
from sightline.store.migrate import migrate
from sightline.store.passages import IndexedPassage

_WORDS: Final = 20_000  # different ones
_LENGTH: Final = 120  # words of a passage
_AT_ONCE: Final = 2_000


def texts(count: int, seed: int) -> list[str]:
    chance = np.random.default_rng(seed)
    drawn = np.minimum(chance.zipf(1.2, (count, _LENGTH)), _WORDS)
    return [" ".join(f"word{n}" for n in row) for row in drawn.tolist()]


def passage(text: str) -> IndexedPassage:
    own = uuid4()
    return IndexedPassage(
        passage_id=uuid4(), key=Key("passage", own, 0), version="1", kind="filing", family=None,
        signal_id=None, document_id=own, start=0, end=len(text), published_at=now(),
        publisher="sec.gov", publishers=1, words=_LENGTH, simhash=0, figures=0, url=None,
        title="Annual report", heading="", context="", body=text, prose=True, terms=frozenset(terms(text)),
    )  # fmt: skip


async def fill(database: Database, company: UUID, own: list[str], encoded: int, name: str) -> None:
    for first in range(0, len(own), _AT_ONCE):
        some = own[first : first + _AT_ONCE]
        async with database.connection() as connection, connection.transaction():
            rows = [passage(text) for text in some]
            await passages.write_passages(connection, company, rows)
    vectors = pack_vectors(
        np.random.default_rng(1).normal(size=(encoded, PARTS * 384)).astype(np.float32)
    )
    async with database.connection() as connection, connection.transaction():
        await passages.write_state(connection, company, name, encoded=True)
        await passages.write_vectors(connection, company, list(enumerate(vectors, 1)))


def spent_by(pid: int) -> float:
    """Seconds of processor time of another process; Linux only."""
    return int(Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[0]) / 1e9


async def timed(
    name: str, times: int, function: Callable[[str], Awaitable[object]], *, pid: int
) -> dict[str, float]:
    """Milliseconds of CPU of this process and of the database's `pid` in the mean, and of wall time."""
    chance, wall = np.random.default_rng(7), []
    await function("word3 word400")
    cpu, database = time.process_time(), spent_by(pid)
    for _ in range(times):
        asked = " ".join(f"word{n}" for n in np.minimum(chance.zipf(1.2, 7), _WORDS).tolist())
        began = time.perf_counter()
        await function(asked)
        wall.append(time.perf_counter() - began)
    spent, served = time.process_time() - cpu, spent_by(pid) - database
    p50, p95 = (round(1000 * float(np.percentile(wall, share)), 1) for share in (50, 95))
    cpus = {f"{name}_cpu": spent, f"{name}_database_cpu": served}
    means = {key: round(1000 * seconds / times, 1) for key, seconds in cpus.items()}
    return means | {f"{name}_p50": p50, f"{name}_p95": p95}


async def run(url: str, options: argparse.Namespace) -> None:
    owner = await open_database(
        url, role="owner", size=2, wait_seconds=60, statement_timeout_seconds=300
    )
    encoder = retriever().encoder = open_encoder(EncoderConfig())
    assert encoder is not None
    name = vectors_name(encoder) or ""
    one, others = uuid4(), [uuid4() for _ in range(options.companies)]
    await fill(owner, one, texts(options.passages, 0), 600, name)
    each = max(10, options.passages // options.companies)
    for at, company in enumerate(others):
        await fill(owner, company, texts(each, at + 1), 10, name)
    async with owner.connection() as connection:
        # As autovacuum does a minute after so many rows were written.
        await connection.execute(
            "VACUUM ANALYZE indexed_passages, encoded_passages, passage_indexes"
        )
        size, count = await connection.fetchrow(
            "SELECT pg_total_relation_size('indexed_passages')"
            " + pg_total_relation_size('encoded_passages'), count(*) FROM indexed_passages"
        )

        async def within(asked: str) -> object:
            return await find_passages(connection, one, [asked])

        async def across(asked: str) -> object:
            return await search_companies(connection, others, Request(now(), asked))

        pid = connection.get_server_pid()
        timings = await timed("company", options.searches, within, pid=pid)
        timings |= await timed("across", options.searches, across, pid=pid)
    print(json.dumps({"passages": count, "bytes_a_passage": round(size / count)} | timings))
    await owner.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--companies", type=int, default=1_000)
    parser.add_argument("--searches", type=int, default=60)
    options = parser.parse_args()
    with TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder)) as server:
        migrate(server.url)
        asyncio.run(run(server.url, options))


if __name__ == "__main__":
    main()
