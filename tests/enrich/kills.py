"""Kills workers at random moments and looks for anything lost or done twice.

Two organizations enrich the companies of a recorded web, one by one and in bulk, with unknown names
and cancellations in between; then the web changes and all of it runs again. Workers are killed with
SIGKILL all the while. Afterwards every rule of `tests/enrich/kills_checks.py` must hold, and facts,
documents, signals, index, profiles, events, alerts and messages must be those of a run in which
no one was killed. A short run is among the tests. Prints one line of JSON; exits 1 on any anomaly.
"""

import argparse
import asyncio
import itertools
import json
import multiprocessing
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg

from sightline.domain.callers import OrganizationId
from sightline.enrich.submit import submit, submit_many
from sightline.kit.postgres import EmbeddedPostgres
from sightline.queue import runner
from sightline.store.credits import grant
from sightline.store.database import Database, open_database
from sightline.store.migrate import migrate
from sightline.store.operations import Asker, request_cancel
from sightline.store.organizations import create_organization
from sightline.store.watches import store_watch
from sightline.store.webhooks import create_webhook
from tests.enrich import worker_process
from tests.enrich.kills_checks import (
    ENDINGS,
    State,
    broken_rules,
    differences,
    read_state,
)
from tests.enrich.kills_world import EDITIONS, MOST_COMPANIES, Named, write_web

CREDITS = 1_000_000
PRICES = (1, 3)  # of an enrichment, in the first and the second organization
WORKERS = 4
OPEN_AT_ONCE = 150
LEASE_SECONDS = runner.LEASE.total_seconds()
FREEZE_SECONDS = LEASE_SECONDS + 3
ASKER = Asker(None, None, None)


@dataclass
class Report:
    """What a run did, and every anomaly it found. Recovery is from a kill until another worker begins
    the work that was lost, in seconds."""

    seed: int
    kills: int = 0
    freezes: int = 0
    operations: int = 0
    work_begun: int = 0
    work_lost: int = 0
    work_lost_twice: int = 0
    recovery_median_seconds: float = 0.0
    recovery_max_seconds: float = 0.0
    seconds: float = 0.0
    compared_rows: int = 0
    anomalies: list[str] = field(default_factory=list)


@dataclass
class Killed:
    """A process and when it was killed."""

    pid: int
    at: float


class Workers:
    """Worker processes on one edition of the web, to be killed."""

    def __init__(self, url: str, web: Path, notes: Path, lease_seconds: float) -> None:
        self._arguments = (url, web, notes, lease_seconds)
        self.killed: list[Killed] = []
        self._read = 0
        self._at_once: Counter[int] = Counter()  # pieces of work under way, by process
        # A fork of a process that has imported everything is soon at work.
        self._spawn = multiprocessing.get_context("forkserver")
        self._spawn.set_forkserver_preload(["tests.enrich.worker_process"])
        self._running = [self._start() for _ in range(WORKERS)]

    def _start(self) -> Any:
        process = self._spawn.Process(target=worker_process.main, args=self._arguments)
        process.start()
        return process

    async def kill_one(self, chance: random.Random, ask: Callable[[], Awaitable[None]]) -> None:
        """Kill one that is at work, so that kills hit the work and not the start."""
        while not (busy := self._at_work()):
            await ask()
            await asyncio.sleep(0.02)
        victim = chance.choice(busy)
        self._kill(self._running[victim])
        self._running[victim] = self._start()

    def _at_work(self) -> list[int]:
        with self._arguments[2].open("a+") as notes:
            notes.seek(self._read)
            for line in notes:
                if not line.endswith("\n"):
                    break  # it is being written
                self._read += len(line)
                note = json.loads(line)
                self._at_once[note["pid"]] += 1 if note["what"] == "begun" else -1
        return [n for n, process in enumerate(self._running) if self._at_once[process.pid] > 0]

    async def freeze_one(self, chance: random.Random) -> None:
        """Stop a worker for longer than its leases last, then let it go on."""
        pid = self._running[chance.randrange(len(self._running))].pid
        os.kill(pid, signal.SIGSTOP)
        await asyncio.sleep(FREEZE_SECONDS)
        os.kill(pid, signal.SIGCONT)

    def end(self) -> None:
        for process in self._running:
            self._kill(process)

    def _kill(self, process: Any) -> None:
        self.killed.append(Killed(process.pid, time.monotonic()))
        process.kill()
        process.join()


class Client:
    """Two organizations that ask for things."""

    def __init__(self, app: Database, organizations: list[OrganizationId], companies: int) -> None:
        self._app = app
        self.organizations = organizations
        self._companies = companies
        self.asked = 0

    async def ask_for_all(self) -> None:
        """One operation a company and organization; none of these is cancelled."""
        for n in range(len(self.organizations)):
            for number in range(self._companies):
                await self._submit(n, [self._input(random, number)])

    async def top_up(self, chance: random.Random, *, at_least: int) -> None:
        """Ask for more while fewer operations are open, and cancel some."""
        while await self.open_operations() < at_least:
            n = chance.randrange(len(self.organizations))
            inputs = [self._input(chance) for _ in range(chance.choice((1, 1, 1, 1, 1, 8)))]
            operation_id = await self._submit(n, inputs)
            if chance.random() < 0.15:
                await asyncio.sleep(chance.uniform(0, 0.3))
                async with self._app.tenant(self.organizations[n]) as connection:
                    await request_cancel(connection, operation_id)

    async def watch(self) -> None:
        """Begin to watch everything, with a webhook for all of it."""
        for organization_id in self.organizations:
            async with self._app.tenant(organization_id) as connection:
                for name, wanted in (
                    ("news", {"families": ["material_changes", "strategic_shifts"], "fields": []}),
                    ("size", {"families": [], "fields": ["full_time_employees"]}),
                ):
                    values = {"name": name, "kind": "search", "filter": {}, "types": [], **wanted}
                    values |= {"least_confidence": 0.5, "paused": False, "seniorities": []}
                    await store_watch(connection, None, values=values)
                await create_webhook(
                    connection, url="https://hooks.example/", description="", topics=[], secret=b"-"
                )

    async def open_operations(self) -> int:
        count = 0
        for organization_id in self.organizations:
            async with self._app.tenant(organization_id) as connection:
                count += await connection.fetchval(
                    "SELECT count(*) FROM operations WHERE finished_at IS NULL"
                )
        return count

    async def drain(self, *, seconds: float) -> bool:
        """Wait until there is nothing more to do; False when it takes longer than that."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            async with self._app.connection() as connection:
                left = await connection.fetchval(
                    "SELECT count(*) FROM work WHERE kind <> 'deliver_webhook'"
                )
            if not left:
                return True
            await asyncio.sleep(0.2)
        return False

    def _input(self, chance: random.Random, number: int | None = None) -> dict[str, str]:
        if number is None:
            if chance.random() < 0.06:
                return {"company_name": f"Nobody {chance.randrange(1000)} Unheard"}
            number = chance.randrange(self._companies)
        company = Named(number)
        return chance.choice([{"domain": company.domain}, {"company_name": company.name}])

    async def _submit(self, n: int, inputs: list[dict[str, str]]) -> UUID:
        organization_id, costs = self.organizations[n], {"company_enrichment": PRICES[n]}
        self.asked += len(inputs)
        async with self._app.tenant(organization_id) as connection:
            if len(inputs) == 1:
                made = await submit(connection, inputs[0], costs=costs, asker=ASKER)
            else:
                made = await submit_many(connection, inputs, costs=costs, asker=ASKER)
        return made.operation_id


async def run(
    url: str,
    report: Report,
    *,
    kills: int,
    companies: int,
    freezes: int = 0,
    pause: float = 0.35,
    lease_seconds: float = LEASE_SECONDS,
) -> State:
    """Both editions of the web under `kills` kills, `pause` seconds apart on average; notes what it
    finds in the report and answers the state at the end."""
    began, chance = time.monotonic(), random.Random(report.seed)
    owner = await open_database(url, role="owner", size=2, wait_seconds=300)
    app = await open_database(url, size=4, wait_seconds=300, statement_timeout_seconds=300)
    async with owner.connection() as connection:
        await connection.execute(ENDINGS)
    client = Client(app, await _organizations(owner, app), companies)
    await client.watch()
    killed: list[Killed] = []
    with tempfile.TemporaryDirectory(prefix="sightline-kills-") as name:
        notes = Path(name) / "notes.jsonl"
        for edition in range(len(EDITIONS)):
            web = Path(name) / f"web{edition}"
            write_web(web, companies=companies, edition=edition)
            await client.ask_for_all()
            workers = Workers(url, web, notes, lease_seconds)
            try:
                for n in range(kills // len(EDITIONS)):
                    if n % 100 == 50:
                        print(f"{report.kills} kills", file=sys.stderr, flush=True)
                    if n % 5 == 0:
                        await client.top_up(chance, at_least=min(OPEN_AT_ONCE, kills * 3))
                    await asyncio.sleep(chance.expovariate(1 / pause))
                    await workers.kill_one(chance, partial(client.top_up, chance, at_least=20))
                    report.kills += 1
                for _ in range(freezes):
                    await client.top_up(chance, at_least=OPEN_AT_ONCE)
                    await workers.freeze_one(chance)
                    report.freezes += 1
                if not await client.drain(seconds=1_200):
                    report.anomalies.append("work was not done within 1,200 s of the last kill")
            finally:
                workers.end()
            killed += workers.killed
        judge_notes(report, notes, killed)
    state = await _audit(url, report, client.organizations)
    report.operations, report.seconds = client.asked, round(time.monotonic() - began, 1)
    await app.close()
    await owner.close()
    return state


async def _audit(url: str, report: Report, organizations: list[OrganizationId]) -> State:
    reader = await open_database(
        url, role="sightline_worker", size=1, wait_seconds=300, statement_timeout_seconds=0
    )
    report.anomalies += await broken_rules(reader, organizations)
    for organization_id, price in zip(organizations, PRICES, strict=True):
        async with reader.tenant(organization_id) as connection:
            spent = CREDITS - await connection.fetchval("SELECT balance FROM credit_balances")
            found = await connection.fetchval("SELECT count(*) FROM accounts")
        if spent != price * found:
            report.anomalies.append(f"{spent} credits spent, {found} companies found at {price}")
    state = await read_state(reader, organizations)
    await reader.close()
    return state


async def _organizations(owner: Database, app: Database) -> list[OrganizationId]:
    made = []
    for slug in ("first", "second"):
        organization_id = await create_organization(owner, slug, name=slug, plan="enterprise")
        async with app.tenant(organization_id) as connection:
            await grant(connection, credit="company", amount=CREDITS, reason="test")
        made.append(organization_id)
    return made


def judge_notes(report: Report, notes: Path, killed: list[Killed]) -> None:
    """From what the workers wrote down: what was lost, how long until it was taken up, what failed."""
    death = {each.pid: each.at for each in killed}
    begun: dict[str, list[dict[str, Any]]] = defaultdict(list)
    ended: set[tuple[str, int]] = set()
    failed: Counter[str] = Counter()
    for line in notes.read_text().splitlines():
        note = json.loads(line)
        if note["what"] == "begun":
            begun[note["work"]].append(note)
        else:
            ended.add((note["work"], note["fence"]))
        if note["what"] == "failed":
            failed[f"{note['kind']} raised {note['error']}"] += 1
    report.anomalies += [f"{what} ({times} times)" for what, times in failed.items()]
    recoveries = []
    for claims in begun.values():
        claims.sort(key=lambda note: note["fence"])
        report.work_begun += len(claims)
        for lost, again in itertools.pairwise(claims):
            if (lost["work"], lost["fence"]) in ended or lost["pid"] not in death:
                continue
            if again["fence"] > lost["fence"] + 1:
                report.work_lost_twice += 1  # the one who took it up was killed before it began
            else:
                recoveries.append(max(0.0, again["at"] - death[lost["pid"]]))
    report.work_lost = len(recoveries) + report.work_lost_twice
    if recoveries:
        report.recovery_median_seconds = round(statistics.median(recoveries), 1)
        report.recovery_max_seconds = round(max(recoveries), 1)


async def compare_runs(
    killed_url: str,
    calm_url: str,
    *,
    seed: int,
    kills: int,
    companies: int,
    freezes: int = 0,
    lease_seconds: float = LEASE_SECONDS,
) -> Report:
    """A run under kills in one migrated data base beside an undisturbed one in another."""
    report, calm = Report(seed), Report(seed)
    expected = await run(calm_url, calm, kills=0, companies=companies)
    found = await run(
        killed_url,
        report,
        kills=kills,
        companies=companies,
        freezes=freezes,
        lease_seconds=lease_seconds,
    )
    report.anomalies += [f"in the undisturbed run: {what}" for what in calm.anomalies]
    report.anomalies += differences(found, expected)
    report.compared_rows = sum(rows.total() for rows in expected.values())
    return report


async def _second_database(server: EmbeddedPostgres) -> str:
    name = f"calm_{uuid4().hex[:8]}"
    connection = await asyncpg.connect(server.url)
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    head, _, query = server.url.partition("?")
    return f"{head.rpartition('/')[0]}/{name}?{query}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--companies", type=int, default=MOST_COMPANIES)
    parser.add_argument(
        "--freezes", type=int, default=0, help="workers stopped for 33 s, an edition"
    )
    parser.add_argument("--seed", type=int, default=None, help="of what is asked and who dies when")
    asked = parser.parse_args()
    seed = random.randrange(1_000_000) if asked.seed is None else asked.seed
    print(f"seed {seed}", file=sys.stderr)
    with (
        tempfile.TemporaryDirectory(prefix="sightline-kills-") as folder,
        EmbeddedPostgres(Path(folder)) as server,
    ):
        calm_url = asyncio.run(_second_database(server))
        for url in (server.url, calm_url):
            migrate(url)
        report = asyncio.run(
            compare_runs(
                server.url,
                calm_url,
                seed=seed,
                kills=asked.kills,
                companies=asked.companies,
                freezes=asked.freezes,
            )
        )
    if report.recovery_max_seconds > 45 and not asked.freezes:
        report.anomalies.append("lost work was taken up later than 45 s after the kill")
    print(json.dumps(asdict(report)))
    sys.exit(1 if report.anomalies else 0)


if __name__ == "__main__":
    main()
