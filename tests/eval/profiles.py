"""Writes the profiles of recorded companies, by a model if one is set, for a reader to judge.

Run: python -m tests.eval.profiles PROFILES.jsonl COMPANY… --data FOLDER [--today DAY] [--seller SELLER.json]

One line for each statement of a section that a model may write. The database stays in FOLDER. With
SIGHTLINE_MODEL (and its address and key, as for the server) a model writes, otherwise sections are
extractive. The recorded documents are years old: `--today` is the day that the product takes for the
present. SELLER.json is a seller context as the API takes it; without one nothing is written about an offer.
"""

import argparse
import asyncio
import json
import logging
import os
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog

from sightline.kit import clock

ROOT = Path(__file__).resolve().parents[2]


async def run(url: str, options: argparse.Namespace, shared: Path) -> None:
    """Enrich the companies that are missing, write what waits, print all of it."""
    # Imported once the day is set: what imports the clock's function keeps the one that it found.
    from sightline.kit.fetch.client import Fetcher, FetcherConfig
    from sightline.profile.author import Author, Budget, ask_for_organization, ask_for_writing
    from sightline.profile.registry import PLANS
    from sightline.queue.runner import Runner
    from sightline.reading.encoder import EncoderConfig, open_encoder
    from sightline.search.retrieve import retriever
    from sightline.store import profiles
    from sightline.store.database import open_database
    from sightline.store.seller_context import change_context
    from sightline.worker import handlers
    from tests.eval import ask

    retriever().encoder = open_encoder(EncoderConfig())
    caller, companies = await ask.open_companies(
        url, options.data, options.companies, shared, again=False, sample=None
    )
    organization = caller.organization_id
    model = ask.model_of(options.seconds)
    author = Author(model, Budget(1_000, 10**8, 10_000, 10**9)) if model else None
    workers = await open_database(url, role="sightline_worker", size=6, wait_seconds=60)
    fetcher = Fetcher(FetcherConfig(web=f"replay:{shared / 'web'}", sample_dir=shared / "web"))
    every = handlers(workers, fetcher, author=author, encoder=retriever().encoder)
    runner = Runner(database=workers, handlers=every, slots=1, per_organization=1)
    async with workers.tenant(organization) as connection:
        if options.seller is not None:
            context = json.loads(options.seller.read_text(encoding="utf-8"))
            await change_context(connection, context)
        await ask_for_writing(connection, list(companies.values()))
        for company_id in companies.values():
            await ask_for_organization(connection, company_id)
    while await runner.run_all():
        continue
    await fetcher.close()
    with options.profiles.open("w", encoding="utf-8") as out:
        for name, company_id in companies.items():
            if name in options.companies:
                async with workers.tenant(organization) as connection:
                    served = await profiles.read_sections(
                        connection, company_id, sections=list(PLANS), with_sources=True
                    )
                for row in statements((each.section, json.loads(each.body)) for each in served):
                    out.write(json.dumps({"company": name, **row}, ensure_ascii=False) + "\n")
    await workers.close()


def statements(sections: Iterable[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each statement with what a reader needs to judge it."""
    for section, body in sections:
        for row in [body] if isinstance(body, dict) else body:
            text = row.get("description") or row.get("summary")
            if text:
                yield {
                    "section": section,
                    "name": " · ".join(filter(None, (row.get("name"), row.get("about")))),
                    "text": text,
                    "as_of": row.get("as_of"),
                    "method": row.get("method", "extractive"),
                    "quotes": [
                        {
                            part: quote.get(part)
                            for part in ("quote", "title", "published_at", "pointer")
                        }
                        for quote in row.get("sources", ())
                    ],
                }


def main() -> None:
    """Read the arguments, set the day, start the database of the folder, run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("profiles", type=Path)
    parser.add_argument("companies", nargs="+", help="names or domains of the recorded web")
    parser.add_argument("--data", type=Path, required=True, help="where the database stays")
    parser.add_argument("--today", type=datetime.fromisoformat, help="the day taken for today")
    parser.add_argument("--seller", type=Path, help="a seller context (JSON)")
    parser.add_argument("--seconds", type=float, default=900, help="longest for one answer")
    options = parser.parse_args()
    shared = Path(os.environ.get("SIGHTLINE_SHARED", ROOT.parent / "shared")) / "data"
    if not (shared / "companies.json").is_file():
        sys.exit(f"NOT RUN: the recorded public data is absent ({shared}).")
    if options.today is not None:
        today = options.today.replace(hour=12, tzinfo=clock.now().tzinfo)
        clock.now = lambda: today
    from sightline.kit.postgres import EmbeddedPostgres
    from sightline.store.migrate import migrate

    logging.disable(logging.INFO)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    options.data.mkdir(parents=True, exist_ok=True)
    with EmbeddedPostgres(options.data) as server:
        migrate(server.url)
        asyncio.run(run(server.url, options, shared))


if __name__ == "__main__":
    main()
