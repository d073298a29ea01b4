"""What each read costs beside the bare floor, in one run, round by round in turns.

The floor is a Starlette route on the same server software that reads one row by its key: no API key, no
policies, no validation. The company of the other reads has a page of everything. Besides the clock the
processor time of the server and its connections of PostgreSQL is counted, since they share this machine with
the load generator and whatever else runs; ratios are what to compare between machines.

    .venv/bin/python -m tests.bench.api [--accounts 30000] [--seconds 1] [--rounds 5] [--connections 1 8]
"""

import argparse
import asyncio
import json
import logging
import multiprocessing
import os
import socket
import statistics
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import structlog
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sightline.api.endpoint import Services
from sightline.api.endpoints import BASE_PATH
from sightline.api.limits import RateLimiter
from sightline.api.resources.profile import CATALOGUE_SECTIONS, ORGANIZATION_SECTIONS
from sightline.api.server import create_server
from sightline.api.usage import UsageCounter
from sightline.app import create_api
from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.secrets import SecretBox
from sightline.store.database import Database, Tenant, open_database
from sightline.store.migrate import migrate
from sightline.store.profiles import StoredSection, write_organization_sections, write_sections
from tests.api.foreign_data import Side, fill, filled_path
from tests.bench.account_filling import add_made_up_accounts
from tests.bench.growth import copy_rows
from tests.conftest import add_tenant

PAGE = 25
FLOOR = "floor"
READS = {
    "company": "/companies/{company_id}",
    "profile": "/companies/{company_id}/profile?include=overview,competitors,risks",
    "profile, all sections": "/companies/{company_id}/profile?include=full",
    "jobs": "/companies/{company_id}/jobs",
    "facts": "/companies/{company_id}/facts",
    "technologies": "/companies/{company_id}/technologies",
    "events": "/events",
    "alerts": "/alerts",
    "page of accounts": "/accounts",
}
STATEMENT = """
  Makes instruments that measure how tides, wind and cargo move, and sells the readings to ports.
""".strip()
_FACTS = """
  INSERT INTO facts (company_id, fact_id, field, member, value, source, document_id, quote, method,
    confidence, first_seen_at)
  SELECT company_id, gen_random_uuid(), kind.field, 'made up ' || n,
    jsonb_build_object('name', 'Made up ' || n, 'city', 'City ' || n, 'category', 'containers'),
    source, document_id, quote, method, 0.8, first_seen_at
  FROM (SELECT * FROM facts WHERE company_id = $1 LIMIT 1) one, generate_series(1, $2::int) n,
    unnest(ARRAY['location', 'technology']) AS kind (field)
"""


async def fill_up(url: str, accounts: int) -> tuple[Side, str]:
    """An organization with that many accounts and a company that has a page of everything; a key of it."""
    owner, app = await open_database(url, role="owner"), await open_database(url)
    services = Services(
        database=app,
        limiter=RateLimiter(redis_url=None, processes=1),
        usage=UsageCounter(app),
        secrets=SecretBox(bytes(32)),
        max_body_bytes=1_000_000,
        trust_proxy=False,
        version="bench",
    )
    tenant = await add_tenant(owner, app, "bench", rate_limit=1_000_000_000)
    transport = httpx.ASGITransport(app=create_server(services))
    async with httpx.AsyncClient(transport=transport, base_url="http://bench", timeout=60) as own:
        side = await fill(own, tenant, "bench", database=app, database_url=url)
    organization_id, company_id = tenant.organization_id, UUID(side.ids["company_id"])
    async with owner.tenant(organization_id) as connection:
        await add_made_up_accounts(connection, accounts)
        for table in ("events", "jobs"):
            whose = company_id if table == "jobs" else organization_id
            await copy_rows(connection, whose, table, PAGE)
        await connection.execute(
            """
            INSERT INTO alerts (organization_id, alert_id, event_id, company_id)
            SELECT organization_id, gen_random_uuid(), event_id, company_id FROM events
            ON CONFLICT DO NOTHING
            """
        )
        await connection.execute(_FACTS, company_id, PAGE)
        await _write_profile(connection, organization_id, company_id)
    async with owner.connection() as connection:
        await connection.execute("VACUUM ANALYZE")
    await owner.close()
    await app.close()
    return side, tenant.key


async def _write_profile(connection: Any, organization_id: UUID, company_id: UUID) -> None:
    """Ten statements for each section."""
    statements = json.dumps([{"text": STATEMENT, "n": n} for n in range(10)])

    def stored(name: str) -> StoredSection:
        return StoredSection(
            name, "ready", "extractive", statements, statements, 10, b"", None, None
        )

    now = datetime.now(UTC)
    await write_sections(
        connection,
        company_id,
        [stored(name) for name in CATALOGUE_SECTIONS],
        unchanged=(),
        checked_at=now,
    )
    await write_organization_sections(
        Tenant(connection, organization_id),
        company_id,
        [stored(name) for name in ORGANIZATION_SECTIONS],
        context_version=1_000,
        checked_at=now,
    )


def floor_app(url: str) -> Starlette:
    opened: list[Database] = []

    async def company(request: Request) -> Response:
        if not opened:
            opened.append(await open_database(url, role="owner"))
        async with opened[0].connection() as free:
            document = await free.fetchval(
                "SELECT document FROM account_records JOIN accounts USING (organization_id, account_id)"
                " WHERE company_id = $1",
                UUID(request.path_params["company_id"]),
            )
        return Response(document, media_type="application/json")

    return Starlette(routes=[Route(BASE_PATH + "/companies/{company_id}", company)])


def run_server(kind: str, url: str, port: int) -> None:
    os.environ["SIGHTLINE_DATABASE_URL"] = url
    os.environ["SIGHTLINE_LOG_LEVEL"] = "warning"
    uvicorn.run(
        floor_app(url) if kind == FLOOR else create_api(),
        port=port,
        log_level="error",
        access_log=False,
        loop="uvloop",
        http="httptools",
        lifespan="off" if kind == FLOOR else "on",
    )


def request_of(path: str, key: str) -> bytes:
    head = f"HTTP/1.1\r\nHost: localhost\r\nx-api-key: {key}\r\n"
    if path.endswith("/accounts"):
        json_type = "content-type: application/json\r\ncontent-length: 2\r\n"
        return f"POST {path} {head}{json_type}\r\n{{}}".encode()
    return f"GET {path} {head}\r\n".encode()


async def one_connection(port: int, request: bytes, until: float, times: list[float]) -> None:
    """Send a request again and again on one connection until the clock runs out."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < until:
        started = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head[:16]:
            raise RuntimeError(head[:200])
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        times.append(time.perf_counter() - started)
    writer.close()


@dataclass
class Served:
    """A server, and what its answers cost round by round."""

    port: int
    pid: int
    request: bytes
    per_second: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    server_ms: list[float] = field(default_factory=list)
    database_ms: list[float] = field(default_factory=list)

    async def load(self, watching: asyncpg.Connection, seconds: float, connections: int) -> None:
        pids = await watching.fetchval(
            "SELECT array_agg(pid) FROM pg_stat_activity WHERE backend_type = 'client backend'"
            " AND pid <> pg_backend_pid()"
        )
        times: list[float] = []
        before = spent([self.pid]), spent(pids)
        until = time.perf_counter() + seconds
        await asyncio.gather(
            *(one_connection(self.port, self.request, until, times) for _ in range(connections))
        )
        after = spent([self.pid]), spent(pids)
        self.times += times
        self.per_second.append(len(times) / seconds)
        for each, first, last in zip(
            (self.server_ms, self.database_ms), before, after, strict=True
        ):
            each.append(sum(last[pid] - first.get(pid, 0.0) for pid in last) / len(times))

    def row(self, floor: "Served") -> str:
        times = sorted(self.times)
        per_second, server, database, least = (
            statistics.median(each)
            for each in (self.per_second, self.server_ms, self.database_ms, floor.per_second)
        )
        whole = statistics.median(floor.server_ms) + statistics.median(floor.database_ms)
        return (
            f"{per_second:,.0f} | {times[len(times) // 2] * 1e3:.2f} |"
            f" {times[int(len(times) * 0.95)] * 1e3:.2f} | {server:.2f} + {database:.2f} |"
            f" {per_second / least:.0%} | {whole / (server + database):.0%} |"
        )


def spent(pids: list[int]) -> dict[int, float]:
    """Milliseconds that each process was on a processor, all its threads together; those that ended, as idle
    connections do, are left out."""
    found = {}
    for pid in pids:
        with suppress(FileNotFoundError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks = int(fields[11]) + int(fields[12])
            found[pid] = ticks * 1000 / os.sysconf("SC_CLK_TCK")
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def wait_for(port: int) -> None:
    for _ in range(400):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        except OSError:
            await asyncio.sleep(0.05)
    raise TimeoutError("The server did not start.")


async def measure(
    url: str, served: dict[str, tuple[int, int]], side: Side, asked: argparse.Namespace
) -> None:
    """Print a line for each read and number of connections."""
    watching = await asyncpg.connect(url)
    for port, _ in served.values():
        await wait_for(port)
    print(
        "| read | callers | a second | p50 ms | p95 ms | CPU ms, server + database | of floor | by CPU |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for connections in asked.connections:
        rows = {}
        for name in (FLOOR, *(asked.only or READS)):
            path = filled_path(READS.get(name, READS["company"]), side.ids)
            port, pid = served[FLOOR if name == FLOOR else "sightline"]
            rows[name] = Served(port, pid, request_of(path, side.tenant.key))
            # A first round warms connections and prepared statements.
            await Served(port, pid, rows[name].request).load(watching, 0.5, connections)
        for _ in range(asked.rounds):
            for each in rows.values():
                await each.load(watching, asked.seconds, connections)
        for name, each in rows.items():
            print(f"| {name} | {connections} | {each.row(rows[FLOOR])}", flush=True)
    await watching.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--accounts", type=int, default=30_000)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--only", nargs="*", choices=list(READS))
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder)) as postgres:
        migrate(postgres.url)
        side, _ = asyncio.run(fill_up(postgres.url, asked.accounts))
        served: dict[str, tuple[int, int]] = {}
        with ExitStack() as running:
            for kind in (FLOOR, "sightline"):
                port = free_port()
                # The floor sees all rows without policies; only the superuser does.
                url = postgres.superuser_url if kind == FLOOR else postgres.url
                server = multiprocessing.Process(
                    target=run_server, args=(kind, url, port), daemon=True
                )
                server.start()
                running.callback(server.join)
                running.callback(server.terminate)
                assert server.pid is not None
                served[kind] = port, server.pid
            asyncio.run(measure(postgres.superuser_url, served, side, asked))


if __name__ == "__main__":
    main()
