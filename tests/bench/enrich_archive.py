"""Enrich every company of the recorded web, by name and by domain; print what was filled from where,
CPU by step, enrichments a second, and what asking again costs when nothing has changed.

Run: .venv/bin/python tests/bench/enrich_archive.py [word of a name …] [--only N] [--facts FILE]
Needs the recorded public data (SIGHTLINE_SHARED, or ../shared beside the project). `--facts` writes
every winning value with its source, address, quote and pointer, for a check by hand.
"""

import argparse
import asyncio
import json
import logging
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from sightline.domain.callers import OrganizationId

ROOT = Path(__file__).resolve().parents[2]
Input = dict[str, str]


@dataclass
class Measured:
    """One round of enrichments. Seconds of this process, the database's own not counted."""

    title: str
    wall: float = 0.0
    cpu: float = 0.0
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    steps: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)


STEPS: list[Mapping[str, Any]] = []


def keep_steps(logger: Any, name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A log processor that keeps the steps' CPU and prints nothing but errors."""
    del logger
    if event.get("event") == "step":
        STEPS.append(dict(event))
    if name != "error":
        raise structlog.DropEvent
    return event


async def measure(
    title: str,
    inputs: Sequence[Input],
    *,
    database: Any,
    folder: Path,
    organization: OrganizationId,
    names: Sequence[str],
) -> Measured:
    """Submit the inputs and work until the queue is empty, one at a time."""
    from sightline.enrich.finish import refresh_accounts
    from sightline.enrich.pipeline import Enrichment
    from sightline.enrich.submit import read_input, submit
    from sightline.kit.fetch.client import Fetcher, FetcherConfig
    from sightline.queue.runner import Runner
    from sightline.sources.registry import SOURCES
    from sightline.store.operation_pages import read_operations
    from sightline.store.operations import WORK_KIND, Asker
    from sightline.store.organizations import read_costs

    ids = []
    async with database.tenant(organization) as connection:
        costs, asker = await read_costs(connection), Asker(None, None, None)
        for values in inputs:
            asked = read_input(values)
            submission = await submit(connection, asked, costs=costs, asker=asker)
            ids.append(submission.operation_id)

    async def refresh(work: Any) -> None:
        await refresh_accounts(database, work)

    fetcher = Fetcher(FetcherConfig(web=f"replay:{folder}", sample_dir=folder))
    sources = tuple(each for each in SOURCES if not names or each.name in names)
    enrichment = Enrichment(database, fetcher, sources)
    runner = Runner(
        database=database,
        handlers={WORK_KIND: enrichment.run, "refresh_accounts": refresh},
        slots=1,
        per_organization=1,
    )
    STEPS.clear()
    made = Measured(title)
    wall, cpu = time.monotonic(), time.process_time()
    while await runner.run_all():
        continue
    made.wall, made.cpu = time.monotonic() - wall, time.process_time() - cpu
    await fetcher.close()
    async with database.tenant(organization) as connection:
        made.outcomes = [json.loads(each) for each in await read_operations(connection, ids)]
    for step in STEPS:
        made.steps[step["source"] or step["name"]] += step["cpu"]
    for outcome in made.outcomes:
        for step in outcome["steps"]:
            made.counts.update(step["found"])
    return made


async def winning_facts(database: Any, company_id: str) -> list[Any]:
    """The facts that made a company's record."""
    from sightline.store.facts import read_facts

    async with database.connection() as connection:
        facts = await read_facts(connection, UUID(company_id))
    return [fact for fact in facts if fact.wins]


def print_round(made: Measured) -> None:
    """Totals of one round."""
    done = [each for each in made.outcomes if each["status"] in ("succeeded", "partial")]
    states = Counter(each["status"] for each in made.outcomes)
    print(f"\n{made.title}: {dict(states)}")
    print(
        f"  {made.wall:.1f} s, CPU {made.cpu:.1f} s; {len(made.outcomes) / made.wall:.2f} operations/s,"
        f" {len(done) / made.wall:.2f} enriched/s per worker slot"
    )
    for name, seconds in made.steps.most_common():
        print(f"  CPU {name:<12} {seconds:8.2f} s, {seconds / max(len(done), 1):.3f} s per company")
    print(f"  {dict(made.counts)}")


async def print_companies(made: Measured, database: Any, facts_file: Path | None) -> None:
    """Per company the fields and the sources that filled them."""
    rows = []
    for outcome in made.outcomes:
        asked = outcome["input"].get("company_name") or outcome["input"].get("domain")
        if outcome["company_id"] is None:
            error = (outcome["error"] or {}).get("message", "")
            names = [c["name"] for c in (outcome["match"] or {}).get("candidates", [])][:3]
            print(f"- {asked}: {outcome['status']}. {error} {names or ''}")
            continue
        by_source: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for fact in await winning_facts(database, outcome["company_id"]):
            by_source[fact.source][fact.field] += 1
            rows.append(
                {"asked": asked, "field": fact.field, "value": fact.value, "source": fact.source,
                 "url": fact.url, "quote": fact.quote, "pointer": fact.pointer,
                 "method": fact.method, "confidence": fact.confidence,
                 "as_of": str(fact.as_of)}
            )  # fmt: skip
        print(f"- {asked}: {outcome['status']}, score {(outcome['match'] or {}).get('score')}")
        for source, fields in by_source.items():
            listed = ", ".join(f if n == 1 else f"{f}×{n}" for f, n in sorted(fields.items()))
            print(f"    {source}: {listed}")
        for step in outcome["steps"]:
            for note in [*step["notes"], *([step["error"]] if step["error"] else [])]:
                print(f"    ! {step['source'] or step['name']}: {note}")
    if facts_file:
        facts_file.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))


def named(company: dict[str, Any]) -> Input:
    """A company by its name; by its number too where only that tells it from others."""
    asked = {"company_name": company["name"]}
    if company["group"] != "job board" and not company.get("ticker") and company.get("cik"):
        asked |= {"external_id": company["cik"], "source_system": "sec_cik"}
    return asked


async def take_baselines(
    database: Any, organization: OrganizationId, outcomes: Sequence[Mapping[str, Any]]
) -> None:
    """Begin to tell the organization of its companies, as a worker has done long before the next round."""
    from sightline.store.events import begin_monitoring

    async with database.tenant(organization) as connection:
        for outcome in outcomes:
            if outcome["company_id"] is not None:
                await begin_monitoring(connection, UUID(outcome["company_id"]))


async def run(
    url: str,
    companies: list[dict[str, Any]],
    folder: Path,
    *,
    facts: Path | None,
    sources: Sequence[str],
) -> None:
    """Three rounds: by name, by domain, and the first again."""
    from sightline.store.credits import grant
    from sightline.store.database import open_database
    from sightline.store.organizations import create_organization

    owner = await open_database(url, role="owner", size=2, wait_seconds=30)
    organization = await create_organization(owner, "bench", name="Bench", plan="enterprise")
    database = await open_database(
        url, role="sightline_worker", size=6, wait_seconds=30, statement_timeout_seconds=300
    )
    application = await open_database(url, size=2, wait_seconds=30)
    async with application.tenant(organization) as connection:
        await grant(connection, credit="company", amount=10_000, reason="bench")
    names = [named(company) for company in companies]
    domains: list[Input] = [{"domain": c["domain"]} for c in companies if c.get("domain")]
    first = await measure(
        "by name", names, database=database, folder=folder, organization=organization, names=sources
    )
    await print_companies(first, database, facts)
    print_round(first)
    by_domain = await measure(
        "by domain",
        domains,
        database=database,
        folder=folder,
        organization=organization,
        names=sources,
    )
    for outcome in by_domain.outcomes:
        if outcome["company_id"] is None:
            print(f"- {outcome['input']}: {(outcome['error'] or {}).get('message')}")
    print_round(by_domain)
    await take_baselines(database, organization, first.outcomes)
    again: list[Input] = [
        {"id": each["company_id"]}
        for each in first.outcomes
        if each["status"] in ("succeeded", "partial")
    ]
    repeated = await measure(
        "unchanged, again",
        again,
        database=database,
        folder=folder,
        organization=organization,
        names=sources,
    )
    print_round(repeated)
    print(f"\nasking again costs {repeated.cpu / max(first.cpu, 0.01):.1%} of the first CPU")
    for each in (owner, database, application):
        await each.close()


def main() -> None:
    """Read the arguments, start a database of its own, run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--only", type=int, default=10_000)
    parser.add_argument("--facts", type=Path)
    parser.add_argument("--sources", nargs="*", default=[])
    options = parser.parse_args()
    shared = Path(os.environ.get("SIGHTLINE_SHARED", ROOT.parent / "shared")) / "data"
    if not (shared / "companies.json").is_file():
        sys.exit(f"NOT RUN: the recorded public data is absent ({shared}).")
    companies = [
        each
        for each in json.loads((shared / "companies.json").read_text())
        if not options.words or any(w.lower() in each["name"].lower() for w in options.words)
    ][: options.only]
    logging.disable(logging.INFO)
    structlog.configure(
        processors=[
            keep_steps,
            structlog.processors.ExceptionRenderer(),
            structlog.processors.KeyValueRenderer(),
        ]
    )
    from sightline.kit.postgres import EmbeddedPostgres
    from sightline.store.migrate import migrate

    with (
        tempfile.TemporaryDirectory(prefix="sightline-bench-") as folder,
        EmbeddedPostgres(Path(folder)) as server,
    ):
        migrate(server.url)
        asyncio.run(
            run(
                server.url,
                companies,
                shared / "web",
                facts=options.facts,
                sources=options.sources,
            )
        )


if __name__ == "__main__":
    main()
