"""Syncs records both ways while worker processes are killed with SIGKILL and the CRM's limits are reached.

    .venv/bin/python -m tests.crm.both_ways --records 10000 [--crm salesforce] [--seed 7]

The double of the CRM lives in this process; workers are processes of their own, reach it over a socket, and
die after one to 25 requests. Afterwards every record is there exactly once, on both sides, with the value
that the rules say. Prints one line of JSON; exits 1 on any loss or double.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import pickle
import random
import sys
import tempfile
import time
from pathlib import Path

import asyncpg

from sightline.crm.run import Syncing
from sightline.kit.fetch.addresses import Url
from sightline.kit.fetch.answer import Reply, Request
from sightline.kit.fetch.bounds import Limits
from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.secrets import SecretBox
from sightline.queue.runner import Runner
from sightline.store import crm_runs as store
from sightline.store.database import open_database
from sightline.store.migrate import migrate
from sightline.store.organizations import create_organization
from tests.crm.conftest import DOUBLES, World, add_company, add_person
from tests.crm.double import Double

MOST_ASKED = 25  # requests of a worker until it is killed
QUIET_SECONDS = 60.0  # a worker of a busy machine needs some to begin


class Distant:
    """The double, from another process."""

    def __init__(self, socket: str) -> None:
        self._socket = socket

    async def exchange(
        self, url: Url, request: Request, *, limits: Limits, seconds: float
    ) -> Reply:
        reader, writer = await asyncio.open_unix_connection(self._socket, limit=1 << 24)
        writer.write(pickle.dumps((url, request)))
        writer.write_eof()
        found: Reply = pickle.loads(await reader.read())
        writer.close()
        return found

    async def close(self) -> None:
        pass


def work(url: str, socket: str) -> None:
    """A worker, until it is killed."""

    async def run() -> None:
        database = await open_database(url, role="sightline_worker", size=4)
        syncing = Syncing(database, SecretBox(bytes(32)), Distant(socket))
        runner = Runner(database, {store.WORK_KIND: syncing.sync}, 1, 5)
        await runner.run(asyncio.Event())

    asyncio.run(run())


async def _has_asked(portal: Double, questions: int) -> None:
    """Until the worker has asked the CRM so often, however slow the machine is; or asks nothing more."""
    goal, seen, quiet = len(portal.asked) + questions, -1, 0.0
    while len(portal.asked) < goal and quiet < QUIET_SECONDS:
        await asyncio.sleep(0.05)
        quiet = quiet + 0.05 if len(portal.asked) == seen else 0.0
        seen = len(portal.asked)


async def storm(world: World, url: str, socket: str, rng: random.Random) -> int:
    """Work until no run is left, killing the worker all the while; answers how often."""
    kills = 0
    while True:
        child = multiprocessing.get_context("spawn").Process(target=work, args=(url, socket))
        child.start()
        await _has_asked(world.portal, rng.randint(1, MOST_ASKED))
        await asyncio.sleep(rng.uniform(0.0, 0.3))
        child.kill()
        child.join()
        kills += 1
        (row,) = await world.fetch(
            "SELECT count(*) FILTER (WHERE finished_at IS NULL) AS n FROM crm_runs"
        )
        if not row["n"]:
            return kills
        await world.pass_time()


async def serve(portal: Double, socket: str, rng: random.Random) -> asyncio.Server:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(EOFError, ConnectionError):  # the worker was killed meanwhile
            url, request = pickle.loads(await reader.read())
            if rng.random() < 0.05:
                portal.busy, portal.retry_after = 1, "1"
            reply = await portal.exchange(url, request, limits=Limits(), seconds=1.0)
            writer.write(pickle.dumps(reply))
            await writer.drain()
        writer.close()

    return await asyncio.start_unix_server(answer, socket, limit=1 << 24)


async def whole(url: str, socket: str, crm: str, records: int, seed: int) -> dict[str, int]:
    rng = random.Random(seed)
    owner = await open_database(url, role="owner", size=2)
    database = await open_database(url, size=4)
    workers = await open_database(url, role="sightline_worker", size=2)
    organization_id = await create_organization(owner, "first", name="First", plan="enterprise")
    portal = DOUBLES[crm]()
    world = World(database, workers, organization_id, portal, SecretBox(bytes(32)))
    await world.connect()
    companies = records * 6 // 10
    for n in range(companies):
        company = add_company(portal, n)
        if n < records - companies:
            add_person(portal, n, company)
    server = await serve(portal, socket, rng)
    await world.ask()
    kills = await storm(world, url, socket, rng)
    read = len(await world.accounts()), len(await world.contacts())
    sites = {each["website_domain"] for each in await world.accounts()}
    people = {each["emails"][0] for each in await world.contacts()}
    await world.choose(writes=True, creates=True, rules={"full_time_employees": "ours"})
    await world.fetch(
        """UPDATE account_records SET own = own || '{"full_time_employees": 70000}' RETURNING 1"""
    )
    gone = await world.fetch(
        "DELETE FROM crm_links WHERE kind = 'accounts' AND record_id ~ '3(AAA)?$' RETURNING record_id"
    )
    for row in gone:
        portal.objects["accounts"].pop(row["record_id"], None)
    await world.ask()
    kills += await storm(world, url, socket, rng)
    server.close()
    kept, sizes = (
        portal.column("accounts", "website"),
        portal.column("accounts", "full_time_employees"),
    )
    written = {site for site, size in zip(kept, sizes, strict=True) if size == "70000"}
    lost = companies - len(sites) + records - companies - len(people) + companies - len(written)
    doubled = sum(read) - len(sites) - len(people) + len(kept) - len(written)
    for each in (owner, database, workers):
        await each.close()
    return {"records": records, "kills": kills, "lost": lost, "doubled": doubled,
            "requests": len(portal.asked), "created_there": len(gone)}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--crm", choices=DOUBLES, default="hubspot")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="sightline-crm-") as folder,
        EmbeddedPostgres(Path(folder) / "pg") as server,
    ):

        async def create() -> None:
            connection = await asyncpg.connect(server.url)
            await connection.execute("CREATE DATABASE both_ways")
            await connection.close()

        asyncio.run(create())
        head, _, query = server.url.partition("?")
        url = f"{head.rpartition('/')[0]}/both_ways?{query}"
        migrate(url)
        report = asyncio.run(whole(url, f"{folder}/crm.sock", given.crm, given.records, given.seed))
    report |= {"crm": given.crm, "seed": given.seed, "seconds": round(time.monotonic() - started)}
    print(json.dumps(report))
    return 1 if report["lost"] or report["doubled"] else 0


if __name__ == "__main__":
    sys.exit(main())
