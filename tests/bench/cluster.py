"""A small cluster under load, each part of it killed in turn; then a rolling upgrade with a migration.

    .venv/bin/python -m tests.bench.cluster [--rate 25] [--seconds 15] [--pgbouncer pgbouncer] [--only PART …]

Three API nodes behind two haproxy on one address, and two workers, stand on PostgreSQL behind two pgbouncer
on one address (by the transaction; 1.21 or newer, which keeps prepared statements), a streaming replica for
reads, and Redis or Valkey for limits. Each node, each worker, the pair of haproxy, the pair of pgbouncer
and Redis have a network namespace of their own on one bridge, so this needs root; the databases are reached
by their sockets. Clients read companies and lists, search, enrich, and change one thing of which they check
each time that a read shows it. What was killed is started again after a second, as systemd does; what was
cut off has its network back after five.
An error is an answer of 500 or above, a lost connection, or a read that does not show what its client wrote.
Prints what a request costs the databases and the nodes when eight callers ask one node, and when they ask
two; then a table: errors without any retry, after the retries that the clients in `clients` make (the same
Idempotency-Key), and when the last one was. At the end every write that was acknowledged must be there, once,
and every operation ended. Fails when one is not, or when the rolling upgrade lost a request.
"""

import argparse
import asyncio
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import httpx

from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.process_identity import die_with_parent
from sightline.store.credits import grant
from sightline.store.database import open_database
from sightline.store.migrate import migrate, upgrade
from tests.bench.account_filling import add_made_up_accounts
from tests.bench.import_copy import cpu_of
from tests.chaos.stack import DatabaseServer
from tests.conftest import Tenant, add_tenant
from tests.tools.standby import Standby, standby

BASE = "/public-api/v1"
ACCOUNTS = 5_000
BEFORE_UPGRADE = "0036"
RESTART_SECONDS = 1.0
RETRIES, RETRY_SECONDS = 4, 1.0
SAMPLE = "bellwether-mill.example"
COMMON = {
    "SIGHTLINE_SECRET_KEY": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
    "SIGHTLINE_LOG_LEVEL": "warning",
    "SIGHTLINE_ENCODER": "none",
}
HAPROXY = """
global
  maxconn 500
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 15s
  timeout check 500ms
  option redispatch 1
  retries 3
  http-reuse never
frontend in
  bind {host}:{port}
  default_backend nodes
backend nodes
  balance roundrobin
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless METH_GET
{servers}
"""
PGBOUNCER = """
[databases]
sightline = host={host} port={port} dbname=sightline
[pgbouncer]
listen_addr = {own_host}
listen_port = {own}
auth_type = plain
auth_file = {users}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
max_prepared_statements = 500
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,jit,random_page_cost,role
server_login_retry = 1
query_wait_timeout = 5
logfile = {log}
unix_socket_dir =
so_reuseport = 1
"""

BRIDGE, NETWORK = "sightline", "10.77.0"
MACHINES = ("balancer", "node1", "node2", "node3", "worker1", "worker2", "pool", "limits")
NODES, WORKERS = MACHINES[1:4], MACHINES[4:6]
CUT = "network of "
PARTS = (
    "node1", f"{CUT}node1", "worker1", f"{CUT}worker1", "replica", "redis", "pgbouncer 1", "haproxy 1",
    "primary",
)  # fmt: skip
PORT = 8080  # of every node and of the balancers
CUT_SECONDS = 5.0


def address_of(machine: str) -> str:
    return f"{NETWORK}.{MACHINES.index(machine) + 2}"


def inside(machine: str, *command: str) -> list[str]:
    """A command that runs in the machine's network namespace."""
    return ["ip", "netns", "exec", f"{BRIDGE}-{machine}", *command]


@contextmanager
def networks() -> Iterator[None]:
    """A network namespace for each machine, all on one bridge on which this process is too."""

    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True)

    try:
        ip("link", "add", BRIDGE, "type", "bridge")
        ip("address", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for machine in MACHINES:
            space, end = f"{BRIDGE}-{machine}", f"sl-{machine}"
            ip("netns", "add", space)
            ip("link", "add", end, "type", "veth", "peer", "name", "eth0", "netns", space)
            ip("link", "set", end, "master", BRIDGE, "up")
            ip("-n", space, "address", "add", f"{address_of(machine)}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                ip("-n", space, "link", "set", device, "up")
        yield
    finally:
        for machine in MACHINES:
            subprocess.run(["ip", "netns", "delete", f"{BRIDGE}-{machine}"], check=False)
        subprocess.run(["ip", "link", "delete", BRIDGE], check=False)


@dataclass
class Program:
    """A process that is started again a second after it ended, unless it was stopped."""

    command: list[str]
    environment: dict[str, str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    _again_at: float = 0.0

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, env={**os.environ, **self.environment},
                preexec_fn=die_with_parent(signal.SIGTERM),
            )  # fmt: skip

    def check(self) -> None:
        if self.process is not None and self.process.poll() is not None:
            self.process, self._again_at = None, time.monotonic() + RESTART_SECONDS
        if self.process is None and 0 < self._again_at < time.monotonic():
            self.start()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()

    async def restart(self) -> None:
        """As an upgrade does: stopped, then started again."""
        assert self.process is not None
        stopping, self.process, self._again_at = self.process, None, 0.0
        stopping.terminate()
        await asyncio.to_thread(stopping.wait)
        self.start()

    def end(self) -> None:
        self._again_at = 0.0
        if self.process is not None:
            self.process.terminate()
            self.process.wait()


@dataclass
class Cluster:
    """The parts by name, and where clients ask."""

    programs: dict[str, Program]
    primary: DatabaseServer
    replica: Standby

    async def kill(self, part: str) -> None:
        if part == "primary":
            self.primary.kill_all()
        elif part == "replica":
            await asyncio.to_thread(self.replica.kill)
            await asyncio.sleep(RESTART_SECONDS)
            await asyncio.to_thread(self.replica.start)
        else:
            self.programs[part].kill()

    async def cut_off(self, machine: str) -> None:
        """Its packets are lost, without a word to anybody, until the network is back."""
        for state in ("down", "up"):
            command = ["ip", "link", "set", f"sl-{machine}", state]
            await asyncio.to_thread(subprocess.run, command, check=True)
            if state == "down":
                await asyncio.sleep(CUT_SECONDS)

    def database_seconds(self) -> float:
        """Processor time of both databases."""
        main = int((self.primary.cluster / "postmaster.pid").read_text().split()[0])
        assert self.replica.process is not None
        return cpu_of(main, self.replica.process.pid)

    def node_seconds(self) -> float:
        running = (self.programs[node].process for node in NODES)
        return cpu_of(*(each.pid for each in running if each is not None))

    async def keep(self) -> None:
        """Start again what ended."""
        while True:
            for each in self.programs.values():
                each.check()
            await asyncio.sleep(0.05)


@dataclass
class Asked:
    """What clients met since the table's last line."""

    began: float
    requests: int = 0
    errors: list[float] = field(default_factory=list)  # when, of first answers
    said: list[str] = field(default_factory=list)  # what these were
    lost: list[str] = field(default_factory=list)  # errors after all retries


@dataclass
class Load:
    """Requests at a steady rate, whatever becomes of those before."""

    tenant: Tenant
    companies: list[str]
    rate: float
    asked: Asked = field(default_factory=lambda: Asked(time.monotonic()))
    written: list[str] = field(default_factory=list)
    operations: set[str] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _own: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self, stop: asyncio.Event) -> None:
        headers = {"x-api-key": self.tenant.key}
        base = f"http://{address_of('balancer')}:{PORT}{BASE}"
        async with (
            httpx.AsyncClient(base_url=base, headers=headers, timeout=20) as client,
            asyncio.TaskGroup() as group,
        ):
            while not stop.is_set():
                group.create_task(self._one(client, next(self._numbers)))
                await asyncio.sleep(1 / self.rate)

    async def _one(self, client: httpx.AsyncClient, n: int) -> None:
        chance = random.Random(n)
        kind = n % 20
        if kind < 11:
            await self._ask(client, "GET", f"/companies/{chance.choice(self.companies)}")
        elif kind < 14:
            await self._ask(client, "POST", "/accounts", {"industry": "Software"})
        elif kind < 16:
            await self._ask(client, "GET", "/lists")
        elif kind < 18:
            name = f"Person {n}"
            if await self._ask(client, "POST", "/contacts", {"full_name": name}):
                self.written.append(name)
        elif kind == 18:
            await self._change_and_read(client, n)
        elif n % 40 == 19:
            answer = await self._ask(client, "POST", "/companies", {"domain": SAMPLE})
            if answer:
                self.operations.add(answer.json()["public_operation_id"])

    async def _change_and_read(self, client: httpx.AsyncClient, n: int) -> None:
        async with self._own:  # one thing, changed by one after the other
            body = {"company_name": f"Seller {n}"}
            if await self._ask(client, "PATCH", "/seller-context", body):
                read = await self._ask(client, "GET", "/seller-context")
                if read and read.json()["company_name"] != body["company_name"]:
                    self.asked.errors.append(time.monotonic())
                    self.asked.lost.append(f"read {read.json()['company_name']} after {body}")

    async def _ask(
        self, client: httpx.AsyncClient, method: str, path: str, body: Any = None
    ) -> httpx.Response | None:
        asked = self.asked
        asked.requests += 1
        headers = (
            {} if body is None or path == "/accounts" else {"Idempotency-Key": os.urandom(16).hex()}
        )
        said = ""
        for turn in range(RETRIES + 1):
            try:
                answer = await client.request(method, path, json=body, headers=headers)
                if answer.status_code < 500:
                    if not answer.is_success and answer.status_code != 409:
                        asked.lost.append(f"{method} {path}: {answer.text[:200]}")
                    if answer.status_code != 409:  # the first try of this key is still under way
                        return answer if answer.is_success else None
                said = f"{answer.status_code} {answer.text[:150]}"
            except httpx.HTTPError as error:
                said = repr(error)
            if turn == 0:
                asked.errors.append(time.monotonic())
                asked.said.append(f"{method} {path}: {said}")
            await asyncio.sleep(RETRY_SECONDS * (turn + 1))
        asked.lost.append(f"{method} {path}: {said}")
        return None


@contextmanager
def cluster(
    folder: Path, server: EmbeddedPostgres, urls: dict[str, str], pgbouncer: str
) -> Iterator[Cluster]:
    places = {role: urlsplit(url) for role, url in urls.items()}
    _write_settings(folder, places)
    account, as_user = server.layout.account, list[str]()
    if account is not None:  # the sockets of the database are for that user
        as_user = ["setpriv", f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups"]
    _hand_over(folder, server)
    common = COMMON | {
        "SIGHTLINE_REDIS_URL": f"redis://{address_of('limits')}:6379",
        "SIGHTLINE_DATA_DIR": str(folder / "data"),
    }
    behind = {
        role: f"postgresql://{role}:{each.password}@{address_of('pool')}:6432/sightline"
        for role, each in places.items()
    }
    sightline = str(Path(sys.executable).parent / "sightline")
    with ExitStack() as held:
        supervisor = DatabaseServer(server, server.binary("postgres").parent.parent)
        held.callback(supervisor.end)
        _await_database(server)
        following = held.enter_context(standby(server))
        api = {
            "SIGHTLINE_DATABASE_URL": behind["sightline_app"],
            "SIGHTLINE_REPLICA_URL": following.url_of(urls["sightline_app"]),
            "SIGHTLINE_POOL_SIZE": "8",
        }
        worker = {"SIGHTLINE_DATABASE_URL": behind["sightline_worker"]}
        programs = {
            **{f"pgbouncer {n}": Program(
                    inside("pool", *as_user, pgbouncer, str(folder / "pgbouncer.ini")),
                    {}, folder / f"pgbouncer{n}.log")
               for n in (1, 2)},
            "redis": Program(inside("limits", "redis-server", "--save", "", "--protected-mode", "no",
                                    "--bind", address_of("limits")), {}, folder / "redis.log"),
            **{node: Program(inside(node, sightline, "serve", "--host", address_of(node),
                                    "--port", str(PORT)),
                             common | api, folder / f"{node}.log") for node in NODES},
            **{each: Program(inside(each, sightline, "worker"), common | worker,
                             folder / f"{each}.log") for each in WORKERS},
            **{f"haproxy {n}": Program(inside("balancer", "haproxy", "-db", "-f",
                                              str(folder / "haproxy.cfg")),
                                       {}, folder / f"haproxy{n}.log") for n in (1, 2)},
        }  # fmt: skip
        for program in programs.values():
            program.start()
            held.callback(program.end)
        yield Cluster(programs, supervisor, following)


def _write_settings(folder: Path, places: dict[str, SplitResult]) -> None:
    """Those of pgbouncer and haproxy."""
    place = places["sightline_app"]
    users = folder / "users"
    users.write_text("".join(f'"{role}" "{each.password}"\n' for role, each in places.items()))
    host, _, number = place.netloc.rpartition("@")[2].rpartition(":")
    (folder / "pgbouncer.ini").write_text(
        PGBOUNCER.format(
            host=unquote(host),
            port=number,
            own=6432,
            own_host=address_of("pool"),
            users=users,
            log=folder / "pgbouncer.log",
        )
    )
    servers = "\n".join(
        f"  server {node} {address_of(node)}:{PORT} check inter 500ms fall 1 rise 1"
        for node in NODES
    )
    (folder / "haproxy.cfg").write_text(
        HAPROXY.format(host=address_of("balancer"), port=PORT, servers=servers)
    )


def _hand_over(folder: Path, server: EmbeddedPostgres) -> None:
    """To the server's user."""
    if (account := server.layout.account) is not None:
        for each in (folder, *folder.iterdir()):
            shutil.chown(each, account.uid, account.gid)


def _await_database(server: EmbeddedPostgres) -> None:
    async def answers() -> bool:
        try:
            await (await open_database(server.url, role="owner", size=1)).close()
        except Exception:
            return False
        return True

    while not asyncio.run(answers()):
        time.sleep(0.1)


async def until_up(nodes: Sequence[str], *, seconds: float = 90) -> None:
    """Until every node answers /ready."""
    async with httpx.AsyncClient(timeout=3) as client, asyncio.timeout(seconds):
        for node in nodes:
            while True:
                try:
                    if (await client.get(f"http://{address_of(node)}:{PORT}/ready")).is_success:
                        break
                except httpx.HTTPError:
                    pass
                await asyncio.sleep(0.1)


async def prepare(url: str) -> tuple[Tenant, list[str]]:
    owner, app = await open_database(url, role="owner"), await open_database(url)
    tenant = await add_tenant(owner, app, "cluster", rate_limit=1_000_000)
    async with app.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="company", amount=10_000, reason="test")
    async with owner.tenant(tenant.organization_id) as connection:
        await add_made_up_accounts(connection, ACCOUNTS)
        rows = await connection.fetch("SELECT company_id FROM accounts LIMIT 200")
    # What a connection would set itself: pgbouncer takes no such parameters from its clients.
    async with owner.connection() as connection:
        for role, limit in (("sightline_app", "5s"), ("sightline_worker", "300s")):
            for setting in (f"statement_timeout = '{limit}'", "jit = off", "random_page_cost = 1.1",
                            "idle_in_transaction_session_timeout = '60s'"):  # fmt: skip
                await connection.execute(f"ALTER ROLE {role} SET {setting}")
    await owner.close()
    await app.close()
    return tenant, [str(row["company_id"]) for row in rows]


async def throughput(up: Cluster, tenant: Tenant, companies: list[str], seconds: float) -> None:
    """What a request costs with one node, and with two: while that is the same for the databases, nodes add
    up until these are full."""
    print("| nodes | requests a second | database, CPU ms a request | nodes, CPU ms a request |\n"
          "|---|---|---|---|")  # fmt: skip
    for nodes in (NODES[:1], NODES[:2]) * 2:
        until = time.monotonic() + seconds

        async def caller(n: int, nodes: Sequence[str] = nodes, until: float = until) -> int:
            base, asked = f"http://{address_of(nodes[n % len(nodes)])}:{PORT}{BASE}", 0
            async with httpx.AsyncClient(
                base_url=base, headers={"x-api-key": tenant.key}
            ) as client:
                while time.monotonic() < until:
                    for path in (f"/companies/{companies[asked % len(companies)]}", "/lists"):
                        (await client.get(path)).raise_for_status()
                    asked += 2
            return asked

        before = up.database_seconds(), up.node_seconds()
        count = sum(await asyncio.gather(*(caller(n) for n in range(8))))
        database, own = (
            (after - then) * 1000 / count
            for after, then in zip((up.database_seconds(), up.node_seconds()), before, strict=True)
        )
        print(f"| {len(nodes)} | {count / seconds:,.0f} | {database:.3f} | {own:.3f} |", flush=True)


async def one_line(
    load: Load, part: str, seconds: float, act: Callable[[], Awaitable[None]]
) -> Asked:
    asked = load.asked = Asked(time.monotonic())
    await act()
    await asyncio.sleep(max(0.0, seconds - (time.monotonic() - asked.began)))
    early = [each - asked.began for each in asked.errors]
    share = len(early) / max(1, asked.requests)
    last = f"{max(early):.1f}" if early else "-"
    print(f"| {part} | {asked.requests} | {len(early)} ({share:.1%}) | {len(asked.lost)} | {last} |",
          flush=True)  # fmt: skip
    for said in (*asked.said[:3], *asked.lost[:3]):
        print(f"    {said}", file=sys.stderr)
    return asked


async def missing(url: str, tenant: Tenant, load: Load) -> list[str]:
    """Writes that are not there once, and operations that do not end."""
    owner = await open_database(url, role="owner", statement_timeout_seconds=0)
    found = []
    async with owner.tenant(tenant.organization_id) as connection:
        rows = await connection.fetch(
            "SELECT document::jsonb ->> 'full_name' AS name FROM contacts"
        )
    names = [row["name"] for row in rows]
    found += [f"{each}: {names.count(each)}" for each in load.written if names.count(each) != 1]
    until = time.monotonic() + 90
    while True:
        async with owner.tenant(tenant.organization_id) as connection:
            ended = await connection.fetchval(
                "SELECT count(*) FROM operations WHERE operation_id = ANY($1::text[]::uuid[])"
                " AND finished_at IS NOT NULL", sorted(load.operations))  # fmt: skip
        if ended == len(load.operations) or time.monotonic() > until:
            break
        await asyncio.sleep(0.5)
    if ended != len(load.operations):
        found.append(f"{len(load.operations) - ended} operations did not end")
    await owner.close()
    return found


async def shake(
    up: Cluster, url: str, prepared: tuple[Tenant, list[str]], asked: argparse.Namespace
) -> bool:
    tenant, companies = prepared
    keeping = asyncio.create_task(up.keep())
    await until_up(NODES)
    await throughput(up, tenant, companies, asked.seconds / 2)
    load, stop = Load(tenant, companies, asked.rate), asyncio.Event()
    running = asyncio.create_task(load.run(stop))
    print("| killed | requests | errors of first answers | after retries | last error after s |\n"
          "|---|---|---|---|---|", flush=True)  # fmt: skip

    async def nothing() -> None:
        return

    async def rolling() -> None:
        await asyncio.to_thread(migrate, url)
        for node in NODES:
            await up.programs[node].restart()
            await until_up([node])
        for worker in WORKERS:
            await up.programs[worker].restart()

    await one_line(load, "nothing (warming up)", 5, nothing)
    await one_line(load, "nothing", asked.seconds, nothing)
    upgraded = await one_line(load, "rolling upgrade", asked.seconds, rolling)
    for part in asked.only or PARTS:
        named = part.removeprefix(CUT)
        act = up.cut_off if named != part else up.kill
        await one_line(load, part, asked.seconds, partial(act, named))
        await until_up(NODES)
    stop.set()
    await running
    found = await missing(url, tenant, load)
    print(f"\n{len(load.written)} writes acknowledged, {len(load.operations)} operations;"
          f" missing or doubled: {len(found)}")  # fmt: skip
    for each in found[:5]:
        print(f"    {each}", file=sys.stderr)
    keeping.cancel()
    return not found and not upgraded.errors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=25)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--pgbouncer", default="pgbouncer")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--folder", help="keep what the programs said here")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sightline-cluster-") as name:
        top = Path(name)
        top.chmod(0o755)
        server = EmbeddedPostgres(top / "data")
        with server:
            asyncio.run(upgrade(server.url, to=BEFORE_UPGRADE))
            prepared = asyncio.run(prepare(server.url))
            urls = {role: server.login_url(role) for role in ("sightline_app", "sightline_worker")}
        folder = top / "parts"
        folder.mkdir()
        try:
            with networks(), cluster(folder, server, urls, asked.pgbouncer) as up:
                kept = asyncio.run(shake(up, server.url, prepared, asked))
        finally:
            if asked.folder:
                shutil.copytree(
                    folder,
                    asked.folder,
                    dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("data", "users"),
                )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
