"""Kills API processes under randomised writes with an Idempotency-Key, and counts what was done twice.

    .venv/bin/python -m tests.bench.idempotent_retries --retries 20000 [--seed 7]

Three processes serve the whole application on one database. Clients send writes of some thirty kinds
(`tests/bench/idempotent_kinds.py`), each under an Idempotency-Key that callers of another key and
another organization use as well: they give up after milliseconds, send twice at once to two
processes, and send again after the answer. All the while processes are killed with SIGKILL and their
database connections are cut. Every request is repeated until it is answered. Afterwards each has had
exactly one effect, each repetition the same stored answer, and charges, ledger and balances agree.
Chats and content wait for a model that takes about as long as a process lives.
Prints one line of JSON; exits 1 on any anomaly. A small run is among the tests.
"""

import argparse
import asyncio
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.database import open_database
from sightline.store.migrate import migrate
from tests.assistant.provider import provider
from tests.bench import api_process
from tests.bench.idempotent_kinds import KINDS, Request, World
from tests.bench.idempotent_model import Model
from tests.bench.idempotent_world import Asked, Auditor, WorldMaker
from tests.waiting import free_port

PROCESSES = 3
CLIENTS = 12
# However fast the machine is.
LEAST_KILLS = 2
LEAST_REPLAYED = 20
LEAST_REQUESTS = 40
CREDITS = (1_000_000, 60)  # of each kind: one organization has enough, the other runs out
PATIENCE_SECONDS = 15.0
LONGEST_SECONDS = 1_200.0  # until a request must have been answered


@dataclass
class Report:
    """What a run did. A retry is any sending of a request after its first."""

    seed: int
    requests: int = 0
    retries: int = 0
    kills: int = 0
    cut_connections: int = 0
    replayed: int = 0
    in_progress: int = 0
    unavailable: int = 0
    unanswered: int = 0  # sendings that were given up, or whose process died
    refused: dict[str, int] = field(default_factory=dict)
    kinds: int = 0
    model_requests: int = 0
    model_left: int = 0  # requests to the model whose asker died or gave up
    seconds: float = 0.0
    anomalies: list[str] = field(default_factory=list)


class Servers:
    """API processes on ports of this machine, to be killed."""

    def __init__(self, url: str, data_dir: str, model_url: str) -> None:
        self._arguments = (url, data_dir, model_url)
        self._spawn = multiprocessing.get_context("forkserver")
        self._spawn.set_forkserver_preload(["tests.bench.api_process"])
        self.ports = [free_port() for _ in range(PROCESSES)]
        self._running = [self._start(port) for port in self.ports]

    def _start(self, port: int) -> Any:
        process = self._spawn.Process(target=api_process.main, args=(*self._arguments, port))
        process.start()
        return process

    async def ready(self) -> None:
        """Wait until all of them answer."""
        async with httpx.AsyncClient() as client:
            for port in self.ports:
                await _answers(client, port)

    async def kill_one(self, chance: random.Random) -> None:
        """Kill one of them; the next kill comes when its successor answers."""
        n = chance.randrange(PROCESSES)
        self._end(self._running[n])
        self._running[n] = self._start(self.ports[n])
        async with httpx.AsyncClient() as client:
            await _answers(client, self.ports[n])

    def end(self) -> None:
        for process in self._running:
            self._end(process)

    def _end(self, process: Any) -> None:
        process.kill()
        process.join()


class Sender:
    """Sends requests until they are answered, and then again."""

    def __init__(self, report: Report, ports: list[int], client: httpx.AsyncClient) -> None:
        self._report, self._ports, self._client = report, ports, client

    async def settle(self, asked: Asked, key: str, idempotency_key: str, *, seed: str) -> None:
        """All sendings of one request."""
        chance = random.Random(seed)
        until = time.monotonic() + LONGEST_SECONDS
        manner = chance.random()
        if manner < 0.25:  # gives up early, perhaps while it is carried out
            patience = chance.uniform(0.001, 0.06)
            await self._send(asked, key, idempotency_key, chance, patience=patience)
        elif manner < 0.5:  # sends it several times at once
            copies = [random.Random(f"{seed}.{n}") for n in range(chance.randint(2, 4))]
            await asyncio.gather(
                *(self._send(asked, key, idempotency_key, copy) for copy in copies)
            )
        while not asked.is_done and not asked.refused and time.monotonic() < until:
            if not await self._send(asked, key, idempotency_key, chance):
                await asyncio.sleep(chance.uniform(0.005, 0.1))
        again = chance.randint(1, 5)
        while asked.is_done and again and time.monotonic() < until:
            again -= await self._send(asked, key, idempotency_key, chance)

    async def _send(
        self,
        asked: Asked,
        key: str,
        idempotency_key: str,
        chance: random.Random,
        *,
        patience: float = PATIENCE_SECONDS,
    ) -> bool:
        """Whether an answer came that ends the matter."""
        request, report = asked.request, self._report
        report.retries += asked.sends > 0
        asked.sends += 1
        try:
            answer = await self._client.request(
                request.method,
                f"http://127.0.0.1:{chance.choice(self._ports)}{BASE_PATH}{request.path}",
                json=request.body,
                headers={"x-api-key": key, "idempotency-key": idempotency_key},
                timeout=patience,
            )
        except httpx.TransportError:
            report.unanswered += 1
            return False
        return self._note(asked, answer)

    def _note(self, asked: Asked, answer: httpx.Response) -> bool:
        report = self._report
        if answer.status_code == 503:
            report.unavailable += 1
            return False
        if not answer.is_success:
            code = str(answer.json().get("error", {}).get("code"))
            if code == "idempotency_in_progress":
                report.in_progress += 1
                return False
            asked.refused.append(code)
            return True
        said = (answer.status_code, answer.content)
        if "idempotent-replayed" in answer.headers:
            report.replayed += 1
            asked.replayed.append(said)
        else:
            asked.fresh.append(said)
        credit = answer.headers.get("x-credits-type")
        if credit is not None:
            asked.charged = {credit: int(answer.headers["x-credits-charged"])}
        return True


async def run(
    url: str, superuser_url: str, report: Report, *, retries: int, pause: float = 0.3
) -> None:
    """Send until there were so many retries, and kills. A process dies `pause` seconds, on average,
    after the last one that died was replaced."""
    owner = await open_database(url, role="owner", size=2, wait_seconds=30)
    app = await open_database(url, size=4, wait_seconds=30, statement_timeout_seconds=120)
    workers = await open_database(url, role="sightline_worker", size=4, wait_seconds=30)
    maker = WorldMaker(owner, app, workers)
    worlds = [
        await maker.make(slug, credits=credits)
        for slug, credits in zip(("rich", "poor"), CREDITS, strict=True)
    ]
    with (
        tempfile.TemporaryDirectory(prefix="sightline-retries-") as data_dir,
        provider(Model(report.seed)) as model,
    ):
        servers = Servers(url, data_dir, model.url)
        try:
            await servers.ready()
            async with httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{servers.ports[0]}", timeout=300
            ) as client:
                worlds = [await maker.complete(world, client) for world in worlds]
            auditor = Auditor(app, worlds)
            await auditor.begin()
            began = time.monotonic()
            asked = await _send_all(
                report, servers, worlds, superuser_url, retries=retries, pause=pause
            )
            report.seconds = round(time.monotonic() - began, 1)
            report.model_requests, report.model_left = len(model.requests), model.left
        finally:
            servers.end()
    await _wait_for_orphans(superuser_url)
    report.requests = len(asked)
    report.kinds = len({each.request.kind for each in asked if each.is_done})
    report.refused = dict(Counter(code for each in asked for code in each.refused))
    await auditor.let_time_pass()
    report.anomalies = await auditor.anomalies(asked)
    for database in (owner, app, workers):
        await database.close()


async def _send_all(
    report: Report,
    servers: Servers,
    worlds: list[World],
    superuser_url: str,
    *,
    retries: int,
    pause: float,
) -> list[Asked]:
    asked: list[Asked] = []
    callers = [(world, key) for world in worlds for key in world.keys]
    limits = httpx.Limits(max_connections=4 * CLIENTS, max_keepalive_connections=CLIENTS)

    def is_enough() -> bool:
        return (
            report.retries >= retries
            and report.kills >= LEAST_KILLS
            and report.replayed >= LEAST_REPLAYED
            and len(asked) >= LEAST_REQUESTS
        )

    async def send_some(client: httpx.AsyncClient) -> None:
        sender = Sender(report, servers.ports, client)
        while not is_enough():
            number = len(asked)
            chance = random.Random(f"{report.seed}.{number}")
            world, key = callers[number % len(callers)]
            request: Request = chance.choice(KINDS).request(world, number, chance)
            asked.append(Asked(request, world))
            # Callers share their idempotency keys: each must be the caller's own all the same.
            await sender.settle(
                asked[-1], key, f"key-{number // len(callers)}", seed=f"{report.seed}:{number}"
            )

    async with httpx.AsyncClient(limits=limits) as client:
        killing = asyncio.create_task(
            _kill(report, servers, superuser_url, pause=pause, until=is_enough)
        )
        try:
            await asyncio.gather(*(send_some(client) for _ in range(CLIENTS)))
        finally:
            killing.cancel()
            await asyncio.gather(killing, return_exceptions=True)
    return asked


async def _kill(
    report: Report, servers: Servers, superuser_url: str, *, pause: float, until: Callable[[], bool]
) -> None:
    """Kill and cut until there were enough retries: a chat that is still to be answered would else have to
    wait, time after time, until the claim of a killed process lapses."""
    chance = random.Random(report.seed)
    connection = await asyncpg.connect(superuser_url)
    try:
        while not until():
            await asyncio.sleep(chance.expovariate(1 / pause))
            if chance.random() < 0.7:
                report.kills += 1
                await servers.kill_one(chance)
            else:
                report.cut_connections += await connection.fetchval(
                    """
                    SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity
                      WHERE application_name = 'sightline sightline_app' AND state <> 'idle'
                        AND datname = current_database()
                      ORDER BY random() LIMIT 2) AS busy
                    """
                )
    finally:
        await connection.close()


async def _wait_for_orphans(superuser_url: str) -> None:
    """What killed processes had begun ends when the server notices that they are gone."""
    connection = await asyncpg.connect(superuser_url)
    for _ in range(300):
        busy = await connection.fetchval(
            """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
              AND application_name LIKE 'sightline%' AND state <> 'idle'
            """
        )
        if not busy:
            break
        await asyncio.sleep(0.1)
    await connection.close()


async def _answers(client: httpx.AsyncClient, port: int) -> None:
    for _ in range(1200):
        try:
            await client.get(f"http://127.0.0.1:{port}{BASE_PATH}/health")
            return
        except httpx.TransportError:
            await asyncio.sleep(0.05)
    raise TimeoutError("an API process did not start")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--retries", type=int, default=20_000)
    parser.add_argument("--seed", type=int, help="of what is asked and in which manner")
    asked = parser.parse_args()
    seed = random.randrange(1_000_000) if asked.seed is None else asked.seed
    print(f"seed {seed}", file=sys.stderr)
    report = Report(seed)
    with (
        tempfile.TemporaryDirectory(prefix="sightline-retries-") as folder,
        EmbeddedPostgres(Path(folder)) as server,
    ):
        migrate(server.url)
        asyncio.run(run(server.url, server.superuser_url, report, retries=asked.retries))
    print(json.dumps(asdict(report)))
    sys.exit(1 if report.anomalies else 0)


if __name__ == "__main__":
    main()
