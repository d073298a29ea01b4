"""Requests per second and latency of the two hot reads, beside the bare floor, in one run.

The floor is a Starlette route on the same server software and pool settings that does only the one
query of the read. Prints a JSON object; ratios are what to compare between machines.

    .venv/bin/python tests/bench/api.py [--accounts 30000] [--seconds 4] [--connections 16]
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sightline.app import create_api
from sightline.domain.names import name_key, search_text, sort_key
from sightline.domain.records import company_document, item_head
from sightline.kit.ids import new_id
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.accounts import AccountFilter, AccountOrder, find_accounts
from sightline.store.companies import company_document as read_document
from sightline.store.database import Connection, Database, open_database
from sightline.store.keys import create_key
from sightline.store.migrate import migrate
from sightline.store.organizations import create_organization, create_user

WORDS = ("north", "harbor", "vector", "lumen", "cedar", "quarry", "signal", "mosaic", "tidal")
INDUSTRIES = ("Software", "Biotechnology", "Semiconductors", "Commercial Banking")


async def fill(url: str, accounts: int) -> tuple[UUID, str, list[str]]:
    """An organization with that many made-up accounts; answers it, a key and some company ids."""
    owner, app = await open_database(url, role="owner"), await open_database(url)
    organization_id = await create_organization(owner, "bench", name="Bench", plan="enterprise")
    companies: list[str] = []
    async with app.tenant(organization_id) as connection:
        user_id = await create_user(connection, organization_id, email="b@b.example", role="owner")
        made = await create_key(
            connection,
            organization_id,
            user_id=user_id,
            name="bench",
            scopes=["*"],
            rate_limit=1_000_000_000,
        )
        narrow, wide = [], []
        for n in range(accounts):
            account_id, company_id = new_id(), new_id()
            name = f"{WORDS[n % 9]} {WORDS[n // 9 % 9]} {n}".title()
            domain, industry = f"c{n}.example", INDUSTRIES[n % 4]
            values = {
                "company_name": name,
                "website_domain": domain,
                "industry": industry,
                "country_code": "US",
                "hq_country_name": "United States",
                "employee_count_range": "51-200",
                "full_time_employees": n,
                "description": "Makes instruments that measure how tides, wind and cargo move.",
            }
            keys = (sort_key(name), name_key(name), search_text([name], domain))
            narrow.append((organization_id, account_id, company_id, name, *keys, domain, industry))
            document = company_document(company_id, values)
            wide.append((organization_id, account_id, document, item_head(account_id, values)))
            companies.append(str(company_id))
        await connection.executemany(
            """
            INSERT INTO accounts (organization_id, account_id, company_id, company_name, sort_key,
              name_key, search_text, website_domain, industry, country_code, full_time_employees)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'US', 10)
            """,
            narrow,
        )
        await connection.executemany(
            """
            INSERT INTO account_records (organization_id, account_id, document, item_head)
            VALUES ($1, $2, $3, $4)
            """,
            wide,
        )
    async with owner.connection() as connection:
        await connection.execute("ANALYZE")
    await owner.close()
    await app.close()
    return organization_id, made.key, companies[:: max(1, accounts // 1000)]


def floor_app(url: str, organization_id: UUID) -> Starlette:
    """The same two queries behind bare routes: no key, no transaction, no policies, no validation."""
    opened: list[Database] = []

    @asynccontextmanager
    async def connection() -> AsyncIterator[Connection]:
        if not opened:
            opened.append(await open_database(url, role="owner"))
        async with opened[0].connection() as free:
            yield free

    async def company(request: Request) -> Response:
        async with connection() as free:
            found = await read_document(
                free, organization_id, UUID(request.path_params["company_id"])
            )
        assert found is not None
        return Response(found[0], media_type="application/json")

    async def accounts(request: Request) -> Response:
        await request.body()
        async with connection() as free:
            page = await find_accounts(
                free,
                organization_id,
                where=AccountFilter(),
                order=AccountOrder(),
                after=None,
                offset=0,
                limit=25,
            )
        return Response(page.items, media_type="application/json")

    return Starlette(
        routes=[
            Route("/public-api/v1/companies/{company_id}", company),
            Route("/public-api/v1/accounts", accounts, methods=["POST"]),
        ]
    )


def run_server(kind: str, url: str, organization_id: UUID, port: int) -> None:
    os.environ["SIGHTLINE_DATABASE_URL"] = url
    os.environ["SIGHTLINE_LOG_LEVEL"] = "warning"
    app = create_api() if kind == "sightline" else floor_app(url, organization_id)
    uvicorn.run(
        app,
        port=port,
        log_level="error",
        access_log=False,
        loop="uvloop",
        http="httptools",
        lifespan="on" if kind == "sightline" else "off",
    )


async def one_connection(
    port: int, requests: list[bytes], until: float, times: list[float]
) -> None:
    """Send requests one after the other on one connection until the clock runs out."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    n = 0
    while time.perf_counter() < until:
        started = time.perf_counter()
        writer.write(requests[n % len(requests)])
        n += 1
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head[:16]:
            raise RuntimeError(head[:200])
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        times.append(time.perf_counter() - started)
    writer.close()


async def load(port: int, requests: list[bytes], *, seconds: float, connections: int) -> dict:
    times: list[float] = []
    until = time.perf_counter() + seconds
    await asyncio.gather(
        *(
            one_connection(port, requests[i:] + requests[:i], until, times)
            for i in range(connections)
        )
    )
    times.sort()
    return {
        "requests_per_second": round(len(times) / seconds),
        "p50_ms": round(times[len(times) // 2] * 1000, 2),
        "p99_ms": round(times[int(len(times) * 0.99)] * 1000, 2),
    }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def wait_for(port: int) -> None:
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        except OSError:
            await asyncio.sleep(0.05)
    raise TimeoutError("The server did not start.")


def requests_of(kind: str, key: str, companies: list[str]) -> dict[str, list[bytes]]:
    head = f"Host: localhost\r\nx-api-key: {key}\r\n"
    return {
        "GET /companies/{id}": [
            f"GET /public-api/v1/companies/{c} HTTP/1.1\r\n{head}\r\n".encode() for c in companies
        ],
        "POST /accounts": [
            (
                f"POST /public-api/v1/accounts HTTP/1.1\r\n{head}content-type: application/json\r\n"
                "content-length: 2\r\n\r\n{}"
            ).encode()
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--accounts", type=int, default=30_000)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--connections", type=int, default=16)
    asked = parser.parse_args()
    results: dict[str, dict] = {}
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder)) as postgres:
        migrate(postgres.url)
        organization_id, key, companies = asyncio.run(fill(postgres.url, asked.accounts))
        for kind in ("floor", "sightline"):
            port = free_port()
            # The floor sees all rows without policies; only the superuser does.
            url = postgres.superuser_url if kind == "floor" else postgres.url
            server = multiprocessing.Process(
                target=run_server, args=(kind, url, organization_id, port), daemon=True
            )
            server.start()
            asyncio.run(wait_for(port))
            for name, requests in requests_of(kind, key, companies).items():
                for connections in (1, asked.connections):
                    # A first round warms connections and prepared statements.
                    asyncio.run(load(port, requests, seconds=0.5, connections=connections))
                    measured = asyncio.run(
                        load(port, requests, seconds=asked.seconds, connections=connections)
                    )
                    results.setdefault(f"{name} x{connections}", {})[kind] = measured
            server.terminate()
            server.join()
    for row in results.values():
        row["share_of_floor"] = round(
            row["sightline"]["requests_per_second"] / row["floor"]["requests_per_second"], 2
        )
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
