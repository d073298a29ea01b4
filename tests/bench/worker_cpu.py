"""Processor seconds a company costs the worker, by kind of work, from submission until the queue is empty.

Run: .venv/bin/python -m tests.bench.worker_cpu [--companies 5] [--sample] [--profile FILE]

The sample companies (`--sample`), or as many companies of the recorded web with annual reports and as many
without (SIGHTLINE_SHARED, or ../shared), one after the other, without a language model; sealed companies and
sites are left out. Parser processes and PostgreSQL count. Ends with 1 above 8 s of index, signals and profile
for a company with annual reports or 3 s for another, in the mean.
"""

import argparse
import asyncio
import cProfile
import hashlib
import json
import logging
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import structlog

from sightline.domain.callers import OrganizationId
from sightline.enrich.submit import read_input, submit
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.kit.postgres import EmbeddedPostgres
from sightline.queue.runner import Handler, Runner
from sightline.reading.encoder import EncoderConfig, open_encoder
from sightline.sample.web import sample_archive
from sightline.sources.parsing import PARSERS
from sightline.store.credits import grant
from sightline.store.database import Database, open_database
from sightline.store.migrate import migrate
from sightline.store.operations import WORK_KIND, Asker
from sightline.store.organizations import create_organization, read_costs
from sightline.store.work import Work
from sightline.worker import handlers
from tests.bench.enrich_archive import ROOT, named
from tests.bench.import_copy import cpu_of

READING: Final = (
    "index_passages",
    "read_signals",
    "refresh_profile",
    "refresh_organization_profile",
)
WARM: Final = "northquay-robotics.example"
SAMPLES: Final = ("kestrelbyte.example", "quillmark.example")
BUDGETS: Final = {"annual reports": 8.0, "others": 3.0}


@dataclass
class Spent:
    """Seconds and runs of each kind of work for one company; `ours` is this process's share."""

    group: str
    cpu: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    ours: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    runs: Counter[str] = field(default_factory=Counter)

    def reading(self) -> float:
        return sum(self.cpu[kind] for kind in READING)


def is_sealed(company: dict[str, Any], ciks: frozenset[str]) -> bool:
    domain = company.get("domain") or ""
    return (company.get("cik") or "") in ciks or (
        bool(domain) and hashlib.sha256(domain.encode()).hexdigest()[0] < "8"
    )


def archive(count: int) -> tuple[Path, list[tuple[str, dict[str, str]]]]:
    """The recorded web, and so many companies of each group by name."""
    data = Path(os.environ.get("SIGHTLINE_SHARED", ROOT.parent / "shared")) / "data"
    if not (data / "companies.json").is_file():
        sys.exit(f"NOT RUN: the recorded public data is absent ({data}).")
    sealed = json.loads((data / "sealed.json").read_text())["companies"]
    ciks = frozenset(each["cik"] for each in sealed)
    groups: dict[str, list[dict[str, str]]] = {name: [] for name in BUDGETS}
    for company in json.loads((data / "companies.json").read_text()):
        group = "annual reports" if company.get("annual_reports") else "others"
        if not is_sealed(company, ciks) and len(groups[group]) < count:
            groups[group].append(named(company))
    return data / "web", [(name, each) for name, some in groups.items() for each in some]


async def work_for(
    asked: dict[str, str], spent: Spent, *, database: Database, organization: OrganizationId,
    table: dict[str, Handler],
) -> None:  # fmt: skip
    """Submit one company and work until nothing is ready."""

    def measured(kind: str, handler: Handler) -> Handler:
        async def run(work: Work) -> None:
            tree, ours = cpu_of(os.getpid()), time.process_time()
            try:
                await handler(work)
            finally:
                spent.ours[kind] += time.process_time() - ours
                spent.cpu[kind] += cpu_of(os.getpid()) - tree
                spent.runs[kind] += 1

        return run

    runner = Runner(
        database=database, slots=1, per_organization=1,
        handlers={kind: measured(kind, handler) for kind, handler in table.items()},
    )  # fmt: skip
    async with database.tenant(organization) as connection:
        costs = await read_costs(connection)
        asker = Asker(None, None, None)
        await submit(connection, read_input(asked), costs=costs, asker=asker)
    while await runner.run_all():
        continue


def report(found: Sequence[Spent]) -> bool:
    """Print the means of each group; whether all keep to their budget."""
    fits = True
    for group, most in BUDGETS.items():
        some = [each for each in found if each.group == group]
        if not some:
            continue
        print(
            f"\n{group}, mean of {len(some)} companies: CPU s (of which in the worker itself), runs"
        )
        for kind in sorted({kind for each in some for kind in each.cpu}):
            cpu, ours, runs = (
                sum(getattr(each, name)[kind] for each in some) / len(some)
                for name in ("cpu", "ours", "runs")
            )
            print(f"  {kind:<30} {cpu:6.2f} ({ours:.2f}) {runs:.1f}")
        mean = sum(each.reading() for each in some) / len(some)
        record = len(some) / max(sum(each.cpu[WORK_KIND] for each in some), 0.001)
        print(f"  submission to record: {record:.2f} companies per CPU second")
        print(f"  index, signals and profile: {mean:.2f} s of {most:.0f} s allowed")
        fits &= mean <= most
    return fits


async def run(url: str, options: argparse.Namespace) -> bool:
    owner = await open_database(url, role="owner", size=2, wait_seconds=30)
    organization = await create_organization(owner, "bench", name="Bench", plan="enterprise")
    await owner.close()
    database = await open_database(
        url, role="sightline_worker", size=6, wait_seconds=30, statement_timeout_seconds=300
    )
    application = await open_database(url, size=2, wait_seconds=30)
    async with application.tenant(organization) as connection:
        await grant(connection, credit="company", amount=10_000, reason="bench")
    await application.close()
    samples = [("others", {"domain": each}) for each in SAMPLES]
    folder, companies = (
        (sample_archive(), samples) if options.sample else archive(options.companies)
    )
    fetcher = Fetcher(FetcherConfig(web=f"replay:{folder}", sample_dir=sample_archive()))
    table = handlers(database, fetcher, encoder=open_encoder(EncoderConfig()))
    # The first company would pay for what is loaded once.
    await work_for(
        {"domain": WARM}, Spent("warm"), database=database, organization=organization, table=table
    )  # fmt: skip
    profile, found = cProfile.Profile(), []
    if options.profile:
        profile.enable()
    for group, asked in companies:
        spent = Spent(group)
        await work_for(asked, spent, database=database, organization=organization, table=table)
        found.append(spent)
        print(
            f"{next(iter(asked.values())):<36} record {spent.cpu[WORK_KIND]:5.2f}, "
            + ", ".join(f"{kind} {spent.cpu[kind]:.2f}" for kind in READING if spent.cpu[kind]),
            flush=True,
        )
    if options.profile:
        profile.disable()
        profile.dump_stats(options.profile)
    await fetcher.close()
    PARSERS.close()
    await database.close()
    return report(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--companies", type=int, default=5)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--profile", type=Path)
    options = parser.parse_args()
    logging.disable(logging.INFO)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder)) as server:
        migrate(server.url)
        fits = asyncio.run(run(server.url, options))
    sys.exit(0 if fits else 1)


if __name__ == "__main__":
    main()
