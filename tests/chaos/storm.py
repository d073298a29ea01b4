"""What is done to an installation, when, and what is found afterwards."""

import asyncio
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.secrets import SecretBox, key_file
from sightline.store.database import SERVER_GONE, Database, Role, open_database
from tests.bench import api_process, idempotent_retries
from tests.bench.idempotent_kinds import World
from tests.bench.idempotent_world import Auditor
from tests.chaos import worker_process
from tests.chaos.checks import broken, unknown_messages
from tests.chaos.clock import Clock
from tests.chaos.disk import Disk
from tests.chaos.load import ALL_KINDS, COMPANIES, Load, complete, make_world
from tests.chaos.proxy import Proxy
from tests.chaos.sink import Sink
from tests.chaos.stack import DatabaseServer, Programs, kill, parsers_of, until
from tests.enrich import kills
from tests.enrich.kills_checks import ENDINGS
from tests.enrich.kills_world import EDITIONS, write_web
from tests.waiting import free_port

APIS = 2
WORKERS = 2
KILLS_BETWEEN_FULL_DISKS = 50
FULL_SECONDS = 4.0
NODE_SECONDS = 3600  # the farthest that a node's clock jumps, forward or back
DATABASE_SECONDS = 90  # and the database's: its leases last 30
LONGEST_SECONDS = 240.0  # until whatever was done must be over
CALM_SECONDS = 900.0
VICTIMS = {
    "api": 5,
    "worker": 6,
    "parser": 8,
    "backend": 2,
    "postmaster": 2,
    "whole database": 1,
    "supervisor": 1,
}


@dataclass
class Report(idempotent_retries.Report, kills.Report):
    """What a run did, what it cost, and every anomaly. Recovery of API and database is until they answer
    and can write; of workers and of what was lost with them in `recovery_…_seconds`."""

    killed: dict[str, int] = field(default_factory=dict)
    weather: dict[str, int] = field(default_factory=dict)
    recovery: dict[str, dict[str, float]] = field(default_factory=dict)
    ended_by_themselves: int = 0
    parser_deaths: int = 0
    quarantined: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    messages: int = 0
    left_out: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Installation:
    """A database that is stopped, its addresses by role, and what can be done to it."""

    server: EmbeddedPostgres
    binaries: Path
    owner_url: str
    app_url: str
    worker_url: str
    clocks: list[Clock]  # of the nodes, of the database
    disk: Disk


class Storm:
    """Everything that runs, and what happens to it."""

    def __init__(self, report: Report, installation: Installation, proxy: Proxy) -> None:
        self._report, self._installation, self._proxy = report, installation, proxy
        self._chance = random.Random(report.seed)
        self.database = DatabaseServer(installation.server, installation.binaries)
        self.ports = [free_port() for _ in range(APIS)]
        self.apis: Programs | None = None
        self.workers: Programs | None = None
        self.killed: Counter[str] = Counter()
        self.dead_workers: list[kills.Killed] = []
        self._recovery: dict[str, list[float]] = defaultdict(list)
        self._weather: Counter[str] = Counter()
        self._client = httpx.AsyncClient(timeout=5)

    async def rage(self, *, kills: int, pause: float) -> None:
        """Kill so many processes, with bad weather in between."""
        until_now = self.killed.total()
        while self.killed.total() < until_now + kills:
            await asyncio.sleep(self._chance.expovariate(1 / pause))
            if self._chance.random() < 0.4:
                await self._change_weather()
            victim = self._chance.choices(list(VICTIMS), list(VICTIMS.values()))[0]
            if not await self._kill(victim):
                continue
            self.killed[victim] += 1
            if self.killed.total() % 25 == 0:
                print(f"{self.killed.total()} kills", file=sys.stderr, flush=True)
            if self.killed.total() % KILLS_BETWEEN_FULL_DISKS == KILLS_BETWEEN_FULL_DISKS // 2:
                await self._fill_disk()

    async def keep_running(self) -> None:
        """Start what ended by itself, as when its database was away at its start. Until cancelled."""
        while True:
            for programs in (self.apis, self.workers):
                self._report.ended_by_themselves += programs.revive() if programs else 0
            await asyncio.sleep(0.5)

    async def calm_down(self) -> None:
        """Put everything in order, and wait until it works."""
        self._proxy.latency_seconds = 0.0
        for clock in self._installation.clocks:
            clock.set_ahead(0)
        for port in self.ports:
            await self._until_ready(port)

    def note(self) -> None:
        """Write down what was done."""
        report = self._report
        report.kills, report.killed = self.killed.total(), dict(self.killed)
        report.weather = dict(self._weather)
        report.recovery = {
            name: {"median": round(statistics.median(times), 1), "max": round(max(times), 1)}
            for name, times in self._recovery.items()
        }

    async def end(self) -> None:
        for programs in (self.apis, self.workers):
            if programs is not None:
                programs.end()
        self.database.end()
        await self._client.aclose()

    async def _kill(self, victim: str) -> bool:
        """Kill one and wait for its successor; False if there is none just now."""
        assert self.apis is not None
        assert self.workers is not None
        began = time.monotonic()
        match victim:
            case "api":
                n = self._chance.randrange(APIS)
                self.apis.kill(n)
                await self._until_ready(self.ports[n])
            case "worker":
                pid = self.workers.kill(self._chance.randrange(WORKERS))
                self.dead_workers.append(kills.Killed(pid, began))
                return True
            case "parser":
                found = sorted(parsers_of(self.workers.pids))
                return bool(found) and kill(self._chance.choice(found))
            case "supervisor":
                self.database.kill_supervisor()
            case _:
                done = {
                    "backend": lambda: self.database.kill_backend(self._chance),
                    "postmaster": self.database.kill_postmaster,
                    "whole database": self.database.kill_all,
                }[victim]()
                if not done:
                    return False
        if victim != "api":
            await asyncio.sleep(0.05)  # let the old server notice before it is asked
            await self._until_ready(self.ports[0])
        self._recovery[victim].append(time.monotonic() - began)
        return True

    async def _until_ready(self, port: int) -> None:
        url = f"http://127.0.0.1:{port}{BASE_PATH}/ready"

        async def is_ready() -> bool:
            try:
                return (await self._client.get(url)).status_code == 200
            except httpx.TransportError:
                return False

        try:
            await until(is_ready, seconds=LONGEST_SECONDS)
        except TimeoutError:
            self._report.anomalies.append(f"not ready {LONGEST_SECONDS:.0f} s after the last blow")

    async def _change_weather(self) -> None:
        chance, proxy = self._chance, self._proxy
        proxy.latency_seconds = 0.0
        kinds: dict[str, Callable[[], object]] = {
            "latency": lambda: setattr(proxy, "latency_seconds", chance.uniform(0.01, 0.15)),
            "reset connections": proxy.reset,
            "half-open connections": proxy.freeze,
        }
        for name, clock, most in zip(
            ("jump of the nodes' clock", "jump of the database's clock"),
            self._installation.clocks,
            (NODE_SECONDS, DATABASE_SECONDS),
            strict=False,
        ):
            kinds[name] = lambda clock=clock, most=most: clock.set_ahead(
                chance.randint(-most, most)
            )
        name = chance.choice(list(kinds))
        kinds[name]()
        self._weather[name] += 1

    async def _fill_disk(self) -> None:
        if self._installation.disk.folder is None:
            return
        self._weather["full disk"] += 1
        await asyncio.to_thread(self._installation.disk.fill)
        await asyncio.sleep(FULL_SECONDS)
        self._installation.disk.make_room()
        began = time.monotonic()
        await self._until_ready(self.ports[0])
        self._recovery["full disk"].append(time.monotonic() - began)


async def run(
    installation: Installation, folder: Path, report: Report, *, kills: int, pause: float = 0.6
) -> None:
    """All of it; notes what it finds in the report."""
    began = time.monotonic()
    chance = random.Random(f"{report.seed}.network")
    sink = Sink(chance)
    layout = installation.server.layout
    proxy = Proxy(layout.sockets / ".s.PGSQL.5432", chance)
    await sink.start()
    await proxy.start()
    storm = Storm(report, installation, proxy)
    keeping = asyncio.create_task(storm.keep_running())
    try:
        await _run(
            storm, installation, folder, report, sink=sink, proxy=proxy, kills=kills, pause=pause
        )
    finally:
        keeping.cancel()
        await storm.end()
        await proxy.close()
        await sink.close()
    report.seconds = round(time.monotonic() - began, 1)


async def _run(
    storm: Storm,
    installation: Installation,
    folder: Path,
    report: Report,
    *,
    sink: Sink,
    proxy: Proxy,
    kills: int,
    pause: float,
) -> None:
    secret, notes = folder / "data" / "secrets" / "secret.key", folder / "notes.jsonl"
    secrets = SecretBox(key_file(secret))
    owner = await _open(installation.owner_url, "owner")
    app = await _open(installation.owner_url, "sightline_app")
    async with owner.connection() as connection:
        await connection.execute(ENDINGS)
    made = [
        await make_world(owner, app, slug, secrets=secrets, sink=sink.port)
        for slug in ("first", "second")
    ]
    app_url, worker_url = (
        _through(url, proxy.port) for url in (installation.app_url, installation.worker_url)
    )
    storm.apis = Programs(
        api_process.main,
        [(app_url, str(folder / "data"), "http://127.0.0.1:9/", port) for port in storm.ports],
    )
    await storm.calm_down()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{storm.ports[0]}") as client:
        worlds = [await complete(world, client) for world, _ in made]
    auditor = Auditor(app, worlds, ALL_KINDS)
    await auditor.begin()
    await _close(owner, app)
    load, stop = Load(report, worlds, storm.ports), asyncio.Event()
    asking = None
    for edition in range(len(EDITIONS)):
        web = folder / f"web{edition}"
        more = worker_process.unruly_pages
        write_web(web, companies=COMPANIES, edition=edition, more=more)
        if storm.workers is not None:
            storm.workers.end()
        place = worker_process.Place(worker_url, web, notes, secret, sink.port)
        storm.workers = Programs(worker_process.main, [(place,)] * 2)
        asking = asking or asyncio.create_task(load.run(stop))
        await storm.rage(kills=kills // len(EDITIONS), pause=pause)
    stop.set()
    await storm.calm_down()
    await asking
    await load.ask_for_all()
    storm.note()
    await _judge(storm, installation, report, auditor, load, sink=sink, notes=notes, made=made)


async def _judge(
    storm: Storm,
    installation: Installation,
    report: Report,
    auditor: Auditor,
    load: Load,
    *,
    sink: Sink,
    notes: Path,
    made: list[tuple[World, str]],
) -> None:
    reader = await _open(installation.owner_url, "sightline_worker")

    async def is_done() -> bool:
        async with reader.connection() as connection:
            return not await connection.fetchval(
                "SELECT count(*) FROM work WHERE kind <> 'deliver_webhook' OR ready_at <= now()"
            )

    try:
        await until(is_done, seconds=CALM_SECONDS)
    except TimeoutError:
        report.anomalies.append(f"work was not done within {CALM_SECONDS:.0f} s")
    assert storm.workers is not None
    storm.workers.end()
    kills.judge_notes(report, notes, storm.dead_workers)
    # What the queue does again when the processes that parse were killed as they began.
    report.anomalies = [each for each in report.anomalies if "SandboxDidNotStart" not in each]
    keys = {world.organization_id: secret for world, secret in made}
    report.anomalies += await broken(reader, load.worlds, keys, sink)
    auditor.look_through(reader)
    report.anomalies += await auditor.anomalies(load.asked, books=False)
    known = set()
    for world in load.worlds:
        async with reader.tenant(world.organization_id) as connection:
            known |= {
                f"msg_{row[0].hex}"
                for row in await connection.fetch("SELECT delivery_id FROM webhook_deliveries")
            }
            for table in ("operations", "credit_ledger", "events", "alerts", "webhook_deliveries"):
                count = await connection.fetchval(f"SELECT count(*) FROM {table}")
                report.rows[table] = report.rows.get(table, 0) + count
    report.anomalies += unknown_messages(known, sink)
    async with reader.connection() as connection:
        row = await connection.fetchrow(
            "SELECT coalesce(sum(deaths), 0) AS deaths, count(*) FILTER (WHERE deaths >= 2) AS bad"
            " FROM parser_deaths"
        )
    report.parser_deaths, report.quarantined = row["deaths"], row["bad"]
    report.messages = sum(map(len, sink.messages.values()))
    report.requests, report.operations = len(load.asked), report.rows["operations"]
    report.kinds = len({each.request.kind for each in load.asked if each.is_done})
    report.refused = dict(Counter(code for each in load.asked for code in each.refused))
    await _close(reader)


async def _open(url: str, role: Role) -> Database:
    """Connections past the proxy, once the server is there."""
    began = time.monotonic()
    while True:
        try:
            return await open_database(url, role=role, size=2, wait_seconds=30)
        except (*SERVER_GONE, OSError):
            if time.monotonic() - began > LONGEST_SECONDS:
                raise
            await asyncio.sleep(0.1)


async def _close(*databases: Database) -> None:
    for database in databases:
        await database.close()


def _through(url: str, port: int) -> str:
    """The same database by way of the proxy."""
    parts = urlsplit(url)
    return f"postgresql://{parts.username}:{parts.password}@127.0.0.1:{port}{parts.path}?sslmode=disable"
