"""Evidence recall: is a passage with the answer among the first twelve that retrieval finds?

Run: python -m tests.eval.recall QUESTIONS.jsonl --data FOLDER [--again] [--misses]

A question has `company`, `question`, `answerable` and `quotes` ([{document, quote}]), and optionally `cik`
and `previous`, the question asked before it. A passage has a quote that it contains, or three fifths of whose
words it has in their order; with any of the quotes the question is found. The database stays in FOLDER:
companies of the recorded web are enriched and indexed there once; `--again` indexes them again.
"""

import argparse
import asyncio
import json
import os
import re
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from sightline.app import make_encoder
from sightline.domain.callers import OrganizationId
from sightline.enrich.submit import read_input, submit
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.kit.logs import configure_logs
from sightline.kit.postgres import EmbeddedPostgres
from sightline.queue.runner import Runner
from sightline.search.indexing import WORK_KIND, index_passages
from sightline.search.retrieve import Retrieved, find_passages, retriever
from sightline.settings import Settings
from sightline.store import work
from sightline.store.credits import grant
from sightline.store.database import Database, open_database
from sightline.store.migrate import migrate
from sightline.store.operation_pages import read_operations
from sightline.store.operations import Asker
from sightline.store.organizations import create_organization, find_organization, read_costs
from sightline.worker import handlers

ROOT = Path(__file__).resolve().parents[2]
SHARE = 0.6  # of a quote's words
Row = Mapping[str, Any]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def has(passage: str, quote: str) -> bool:
    """Whether the passage shares three fifths of the quote's words with it, in their order."""
    have, sought = words(passage), words(quote)
    return bool(sought) and in_order(have, sought) >= SHARE * len(sought)


def in_order(have: Sequence[str], sought: Sequence[str]) -> int:
    """The length of the longest common subsequence, within a window not much longer than the quote."""
    row = [0] * (len(sought) + 1)
    best = 0
    window = 2 * len(sought) + 10
    for first in range(0, max(1, len(have) - window // 2), max(1, window // 2)):
        row = [0] * (len(sought) + 1)
        for word in have[first : first + window]:
            before = 0
            for at, other in enumerate(sought, 1):
                above = row[at]
                row[at] = before + 1 if word == other else max(row[at], row[at - 1])
                before = above
        best = max(best, row[-1])
    return best


def place_of(found: Retrieved, row: Row) -> int | None:
    """The place, from 1, of the first passage that has a quote of the question."""
    for place, each in enumerate(found.matches, 1):
        text = f"{each.passage.context}\n{each.passage.body}"
        if any(has(text, quote["quote"]) for quote in row["quotes"]):
            return place
    return None


async def prepare(
    url: str, folder: Path, rows: Sequence[Row], shared: Path, *, again: bool
) -> dict[str, UUID]:
    """The companies of the questions, enriched and indexed."""
    known_file = folder / "companies.json"
    known = json.loads(known_file.read_text()) if known_file.exists() else {}
    owner = await open_database(url, role="owner", size=2, wait_seconds=60)
    if not known_file.exists():
        await create_organization(owner, "recall", name="Recall", plan="enterprise")
    organization = OrganizationId(await find_organization(owner, "recall"))
    await owner.close()
    workers = await open_database(
        url, role="sightline_worker", size=6, wait_seconds=60, statement_timeout_seconds=300
    )
    for name, asked in inputs(rows, shared).items():
        if name not in known:
            started = time.process_time()
            known[name] = str(await enrich(workers, organization, shared / "web", asked))
            known_file.write_text(json.dumps(known))
            print(f"{name}: {time.process_time() - started:.1f} CPU s to enrich", file=sys.stderr)
    if again:
        async with workers.connection() as connection, connection.transaction():
            for company_id in known.values():
                await work.put(connection, WORK_KIND, company_id)
    started = time.process_time()
    runner = Runner(
        database=workers,
        handlers={WORK_KIND: partial(index_passages, workers, encoder=retriever().encoder)},
        slots=1,
        per_organization=1,
    )
    await runner.run_all()
    async with workers.connection() as connection:
        size, count = await connection.fetchrow(
            "SELECT pg_total_relation_size('indexed_passages'), count(*) FROM indexed_passages"
        )
    await workers.close()
    print(
        f"indexed in {time.process_time() - started:.1f} CPU s; {count} passages, {size / 1e6:.1f} MB",
        file=sys.stderr,
    )
    return {name: UUID(one) for name, one in known.items()}


def inputs(rows: Sequence[Row], shared: Path) -> dict[str, dict[str, str]]:
    """What to enrich for each company of the questions."""
    listed = json.loads((shared / "companies.json").read_text(encoding="utf-8"))
    domains = {each["name"].casefold(): each.get("domain") for each in listed}
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        name, cik = row["company"], row.get("cik")
        if cik:
            found[name] = {
                "company_name": name, "external_id": cik.zfill(10), "source_system": "sec_cik",
            }  # fmt: skip
        elif domain := row.get("domain") or domains.get(name.casefold()):
            found[name] = {"domain": domain}
        else:
            found[name] = {"company_name": name}
    return found


async def enrich(
    database: Database, organization: OrganizationId, web: Path, asked: Mapping[str, str]
) -> UUID:
    fetcher = Fetcher(FetcherConfig(web=f"replay:{web}", sample_dir=web))
    every = handlers(database, fetcher)
    runner = Runner(
        database=database, handlers={"company_enrichment": every["company_enrichment"]},
        slots=1, per_organization=1,
    )  # fmt: skip
    async with database.tenant(organization) as connection:
        await grant(connection, credit="company", amount=1, reason="eval")
        made = await submit(
            connection, read_input(dict(asked)),
            costs=await read_costs(connection), asker=Asker(None, None, None)
        )  # fmt: skip
    while await runner.run_all():
        continue
    await fetcher.close()
    async with database.tenant(organization) as connection:
        (body,) = await read_operations(connection, [made.operation_id])
    return UUID(json.loads(body)["company_id"])


async def measure(
    url: str, companies: Mapping[str, UUID], rows: Sequence[Row], misses: bool
) -> None:
    database = await open_database(url, size=2, wait_seconds=60)
    places: list[int | None] = []
    seconds = []
    for row in rows:
        asked = [
            row["question"],
            *([f"{row['previous']} {row['question']}"] if "previous" in row else []),
        ]
        async with database.connection() as connection:
            started = time.perf_counter()
            found = await find_passages(connection, companies[row["company"]], asked, limit=30)
            seconds.append(time.perf_counter() - started)
        places.append(place_of(found, row))
        if misses and (places[-1] or 99) > 12:
            print(f"{row.get('id')} {row['company']}: {row['question']} -> {places[-1]}")
            print(f"    {row['quotes'][0]['quote'][:200]}")
            for each in found.matches[:2]:
                print(f"    {each.score:.4f} {each.passage.body[:160]!r}")
    await database.close()
    report = {f"recall@{n}": sum((p or 99) <= n for p in places) for n in (1, 3, 5, 12, 30)}
    report |= {"questions": len(rows), "ms_p50": round(1000 * float(np.percentile(seconds, 50)), 1)}
    print(json.dumps(report | {"ms_p95": round(1000 * float(np.percentile(seconds, 95)), 1)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    configure_logs("warning", "json")
    shared = Path(os.environ.get("SIGHTLINE_SHARED", ROOT.parent / "shared")) / "data"
    rows = [json.loads(line) for line in options.questions.read_text("utf-8").splitlines() if line]
    rows = [row for row in rows if row["answerable"] and row["quotes"]]
    options.data.mkdir(parents=True, exist_ok=True)
    retriever().encoder = make_encoder(Settings())
    with EmbeddedPostgres(options.data) as server:
        migrate(server.url)
        companies = asyncio.run(
            prepare(server.url, options.data, rows, shared, again=options.again)
        )
        asyncio.run(measure(server.url, companies, rows, options.misses))


if __name__ == "__main__":
    main()
