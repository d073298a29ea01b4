"""How long a search takes, PostgreSQL and the encoding of the question included, as companies grow.

    python -m tests.bench.relevance [--passages 10000] [--companies 1000] [--each 100] [--requests 100]
        [--encoder bundled]

One company of so many invented passages is indexed as the worker does it and searched; then `companies`
of `each` passages, copies of one, are searched all at once. Vectors are random: encoding invented words
says nothing of time. Prints JSON: seconds and bytes of the index, wall milliseconds of searches and the
processor's milliseconds of this process beside them.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import numpy as np

from sightline.kit.clock import now
from sightline.kit.ids import new_id
from sightline.kit.logs import configure_logs
from sightline.kit.postgres import EmbeddedPostgres
from sightline.reading.encoder import EncoderConfig, open_encoder
from sightline.reading.vectors import pack_vectors
from sightline.search.across import search_companies
from sightline.search.indexing import MOST_ENCODED, WHOLE
from sightline.search.ranking import Request
from sightline.search.relevance import relevance
from sightline.search.retrieve import PARTS, Retriever, find_passages, retriever, vectors_name
from sightline.store import passages
from sightline.store.database import Connection, Database, open_database
from sightline.store.migrate import migrate
from tests.store.evidence_data import add_document, index

PASSAGES_PER_DOCUMENT = 40
FUNCTION_WORDS = ["the", "of", "and", "to", "in", "that", "for", "we"]
COLUMNS = """number, passage_id, origin, origin_id, origin_at, version, kind, family, signal_id, document_id,
  start_at, end_at, published_at, publisher, told, words, simhash, figures, prose, url, title, heading,
  context, body"""


def invented(size: int, generator: np.random.Generator) -> list[str]:
    """Texts of 110 words with the frequencies of English (Zipf-Mandelbrot)."""
    letters = np.array(list("bcdfglmnprstv")), np.array(list("aeiou"))
    words = []
    for _ in range(40_000):
        count = generator.integers(2, 5)
        pairs = zip(
            generator.choice(letters[0], count), generator.choice(letters[1], count), strict=True
        )
        words.append("".join(a + b for a, b in pairs))
    chances = 1.0 / (np.arange(len(words)) + 30.0)
    content = generator.choice(words, (size, 60), p=chances / chances.sum())
    function = generator.choice(FUNCTION_WORDS, (size, 50))
    texts = np.concatenate((content, function), axis=1)
    return [" ".join(generator.permutation(row)) for row in texts]


def questions(texts: Sequence[str], count: int, generator: np.random.Generator) -> list[str]:
    return [
        "what is the " + " ".join(generator.choice(texts[int(generator.integers(len(texts)))].split(), 6))
        for _ in range(count)
    ]  # fmt: skip


async def fill(database: Database, texts: Sequence[str], encoder: str | None) -> tuple[UUID, float]:
    """A company with these passages, indexed, and the processor's seconds that indexing took here."""
    company_id = new_id()
    for at in range(0, len(texts), PASSAGES_PER_DOCUMENT):
        await add_document(
            database, company_id, texts[at : at + PASSAGES_PER_DOCUMENT], kind="filing",
            url=f"https://s{at % 20}.example/{company_id}/{at}", heading=f"Heading {at}",
            published_at=now() - timedelta(days=at % 1000),
        )  # fmt: skip
    started = time.process_time()
    await index(database, company_id)
    seconds = time.process_time() - started
    if encoder is not None:
        await add_vectors(database, company_id, encoder)
    return company_id, seconds


async def add_vectors(database: Database, company_id: UUID, encoder: str) -> None:
    """Random vectors for as many passages as the worker encodes."""
    async with database.connection() as connection, connection.transaction():
        await passages.write_state(connection, company_id, encoder, encoded=True)
        waiting = await passages.read_unencoded(connection, company_id, MOST_ENCODED, WHOLE)
        vectors = (
            np.random.default_rng(1).normal(size=(len(waiting), PARTS * 384)).astype(np.float32)
        )
        numbers = [number for number, *_ in waiting]
        await passages.write_vectors(
            connection, company_id, list(zip(numbers, pack_vectors(vectors), strict=True))
        )


async def copy(database: Database, company_id: UUID, count: int) -> list[UUID]:
    ids = [new_id() for _ in range(count)]
    async with database.connection() as connection:
        for at in range(0, count, 50):
            some = ids[at : at + 50]
            await connection.execute(
                f"INSERT INTO indexed_passages (company_id, terms, {COLUMNS})"
                " SELECT c, ts_delete(terms, $3)"
                f" || array_to_tsvector(ARRAY['@' || replace(c::text, '-', '')]), {COLUMNS}"
                " FROM indexed_passages, unnest($2::uuid[]) AS c WHERE company_id = $1",
                company_id, some, passages.company_lexeme(company_id),
            )  # fmt: skip
            for table, columns in (
                ("encoded_passages", "number, vector"),
                ("passage_indexes", "encoder, encoded, passages"),
            ):
                await connection.execute(
                    f"INSERT INTO {table} (company_id, {columns}) SELECT c, {columns}"
                    f" FROM {table}, unnest($2::uuid[]) AS c WHERE company_id = $1",
                    company_id,
                    some,
                )
    return ids


async def bytes_of(connection: Connection) -> int:
    size: int = await connection.fetchval(
        "SELECT pg_total_relation_size('indexed_passages') + pg_total_relation_size('encoded_passages')"
    )
    return size


async def timed(
    asked: Sequence[str], search: Callable[[str], Awaitable[object]]
) -> dict[str, float]:
    wall, cpu = [], []
    await search(asked[0])
    for text in asked:
        started, worked = time.perf_counter(), time.process_time()
        await search(text)
        wall.append(1000 * (time.perf_counter() - started))
        cpu.append(1000 * (time.process_time() - worked))
    return {
        "p50": round(float(np.percentile(wall, 50)), 1),
        "p95": round(float(np.percentile(wall, 95)), 1),
        "cpu_p50": round(float(np.percentile(cpu, 50)), 1),
    }


async def measure(server: EmbeddedPostgres, given: argparse.Namespace) -> None:
    generator = np.random.default_rng(11)
    encoder = open_encoder(EncoderConfig(given.encoder))
    engine: Retriever = retriever()
    engine.encoder = encoder
    name = vectors_name(encoder)
    workers = await open_database(
        server.url, role="sightline_worker", size=2, statement_timeout_seconds=0
    )
    app = await open_database(server.url, size=2, statement_timeout_seconds=0)
    owner = await open_database(server.url, role="owner", size=1, statement_timeout_seconds=0)
    texts = invented(given.passages, generator)
    company_id, seconds = await fill(workers, texts, name)
    async with owner.connection() as connection:
        await connection.execute("VACUUM (ANALYZE) indexed_passages")
        size = await bytes_of(connection)
    asked = questions(texts, given.requests, generator)
    async with app.connection() as connection:
        one = await timed(asked, lambda text: find_passages(connection, company_id, [text]))
        whole = await timed(
            asked, lambda text: relevance(connection, company_id, Request(now(), text))
        )
        default = await timed(
            asked[:20], lambda _: relevance(connection, company_id, Request(now()))
        )
    print(
        json.dumps(
            {"passages": given.passages, "index_cpu_seconds": round(seconds, 2),
             "index_megabytes": round(size / 1e6, 1), "find_passages_ms": one, "relevance_ms": whole,
             "relevance_without_q_ms": default}
        ),
        flush=True,
    )  # fmt: skip
    few = invented(given.each, generator)
    first, _ = await fill(workers, few, name)
    ids = [first, *await copy(workers, first, given.companies - 1)]
    async with owner.connection() as connection:
        await connection.execute("VACUUM (ANALYZE) indexed_passages")
    asked = questions(few, given.requests, generator)
    async with app.connection() as connection:
        across = await timed(
            asked, lambda text: search_companies(connection, ids, Request(now(), text))
        )
        own = await timed(asked, lambda text: find_passages(connection, ids[-1], [text]))
    print(
        json.dumps(
            {"companies": given.companies, "passages_each": given.each, "across_ms": across,
             "one_of_them_ms": own}
        )
    )  # fmt: skip
    for database in (workers, app, owner):
        await database.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--companies", type=int, default=1_000)
    parser.add_argument("--each", type=int, default=100)
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--encoder", default="bundled")
    given = parser.parse_args()
    configure_logs("warning", "json")
    with (
        tempfile.TemporaryDirectory(prefix="sightline-bench-") as name,
        EmbeddedPostgres(Path(name)) as server,
    ):
        migrate(server.url)
        asyncio.run(measure(server, given))


if __name__ == "__main__":
    main()
