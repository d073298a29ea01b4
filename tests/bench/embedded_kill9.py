"""Kills the embedded server again and again under writes and counts acknowledged writes lost.

    python tests/bench/embedded_kill9.py --kills 200

Writers insert rows over several connections, every second one in transactions of five rows. At
random moments the postmaster, every process of the server, or its supervisor is killed with
SIGKILL; all of it must come back by itself (a killed supervisor is started again, as a user would).
After each recovery every acknowledged row must be there and no transaction may be there in part; at
the end the data pages' checksums are verified. Prints one JSON object; exits 1 if anything is lost.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg

from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.postgres_cluster import as_server
from sightline.kit.process_identity import processes_of_folder
from sightline.kit.processes import Supervisor

BATCH = 5
INSERT = "INSERT INTO written (writer, number) VALUES ($1, $2)"
# The last is what asyncpg raises when the connection breaks while it is being set up.
GONE = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)


@dataclass
class Writer:
    """One connection's writes: numbers in sequence, and those the server acknowledged."""

    number: int
    attempted: int = 0
    acknowledged: set[int] = field(default_factory=set)
    unchecked: set[int] = field(default_factory=set)

    async def run(self, url: str) -> None:
        while True:
            try:
                connection = await asyncpg.connect(url, timeout=10)
            except GONE:
                await asyncio.sleep(0.02)
                continue
            try:
                while True:
                    await self._write(connection)
            except GONE:
                connection.terminate()

    async def _write(self, connection: asyncpg.Connection) -> None:
        size = BATCH if self.number % 2 else 1
        # Multiples of the batch: a batch is then a range that the check finds by division.
        first = self.attempted = (self.attempted // BATCH + 1) * BATCH
        numbers = range(first, first + size)
        async with connection.transaction():
            for each in numbers:
                await connection.execute(INSERT, self.number, each)
        self.acknowledged.update(numbers)
        self.unchecked.update(numbers)


def supervise(data_dir: Path) -> None:
    """What `sightline up` does for its database, alone; runs until killed."""
    supervisor = Supervisor(report=lambda said: print(said, file=sys.stderr), longest_delay=0.1)
    supervisor.start("PostgreSQL", EmbeddedPostgres(data_dir))
    while True:
        supervisor.check()
        time.sleep(0.01)


def start_supervisor(data_dir: Path) -> subprocess.Popen[bytes]:
    log = data_dir.with_suffix(".log").open("ab")
    with log:
        return subprocess.Popen(
            [sys.executable, __file__, "--supervise", str(data_dir)], stdout=log, stderr=log
        )


async def wait_until_back(url: str, *, seconds: float = 60) -> asyncpg.Connection:
    deadline = time.monotonic() + seconds
    while True:
        try:
            return await asyncpg.connect(url, timeout=10)
        except GONE:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.02)


async def lost_since_last_check(connection: asyncpg.Connection, writers: list[Writer]) -> int:
    lost = 0
    for writer in writers:
        expected, writer.unchecked = writer.unchecked, set()
        lost += await missing(connection, writer.number, expected)
    return lost


async def missing(connection: asyncpg.Connection, writer: int, expected: set[int]) -> int:
    sql = (
        "SELECT count(*) FROM unnest($2::bigint[]) AS expected(number) WHERE NOT EXISTS "
        "(SELECT FROM written WHERE writer = $1 AND written.number = expected.number)"
    )
    return int(await connection.fetchval(sql, writer, list(expected), timeout=120))


async def partial_transactions(connection: asyncpg.Connection) -> int:
    sql = (
        "SELECT count(*) FROM (SELECT FROM written WHERE writer % 2 = 1 "
        f"GROUP BY writer, number / {BATCH} HAVING count(*) <> {BATCH}) AS part"
    )
    return int(await connection.fetchval(sql, timeout=120))


class Chaos:
    """The supervisor's process, and what is done to it and to its server."""

    def __init__(self, server: EmbeddedPostgres, *, chance: random.Random) -> None:
        self.killed: Counter[str] = Counter()
        self.downtimes: list[float] = []
        self.lost = 0
        self._server = server
        self._chance = chance
        self._supervisor = start_supervisor(server.layout.data_dir)

    async def kill_under(self, writers: list[Writer], *, kills: int) -> None:
        """Kill so many times while the writers write; then stop the writers."""
        url = self._server.url
        tasks = [asyncio.create_task(writer.run(url)) for writer in writers]
        while self.killed.total() < kills:
            await asyncio.sleep(self._chance.uniform(0.02, 0.5))
            for task in tasks:
                if task.done():  # a run without writers would prove nothing
                    task.result()
            if not self._kill_something():
                continue
            down = time.monotonic()
            await asyncio.sleep(0.02)  # let the old server notice before it is asked
            connection = await wait_until_back(url)
            self.downtimes.append(time.monotonic() - down)
            with suppress(*GONE):  # it may be the dying server that answered; the end checks all
                self.lost += await lost_since_last_check(connection, writers)
            connection.terminate()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _kill_something(self) -> bool:
        """Kill one of the three; False if there was nothing to kill just now."""
        names = ("postmaster", "all of the server", "supervisor")
        what = self._chance.choices(names, (5, 3, 2))[0]
        if what == "supervisor":
            self.end()
            self._supervisor = start_supervisor(self._server.layout.data_dir)
        elif not self._kill_server(whole=what != "postmaster"):
            return False
        self.killed[what] += 1
        return True

    def _kill_server(self, *, whole: bool) -> bool:
        cluster = self._server.layout.cluster
        try:
            os.kill(int((cluster / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        except (FileNotFoundError, IndexError, ProcessLookupError):
            return False
        for process in processes_of_folder(cluster) if whole else ():
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        return True

    def end(self) -> None:
        """Kill the supervisor."""
        self._supervisor.kill()
        self._supervisor.wait()


async def run(data_dir: Path, *, kills: int, connections: int, seed: int) -> dict[str, object]:
    server = EmbeddedPostgres(data_dir)
    server.start()  # the first start, which makes the data directory, is no part of this
    server.stop()
    began = time.monotonic()
    chaos = Chaos(server, chance=random.Random(seed))
    try:
        connection = await wait_until_back(server.url)
        await connection.execute(
            "CREATE TABLE written (writer int, number bigint, PRIMARY KEY (writer, number))"
        )
        await connection.close()
        writers = [Writer(number=number) for number in range(connections)]
        await chaos.kill_under(writers, kills=kills)
        connection = await wait_until_back(server.url)
        lost = sum([await missing(connection, each.number, each.acknowledged) for each in writers])
        partial = await partial_transactions(connection)
        present = await connection.fetchval("SELECT count(*) FROM written", timeout=120)
        await connection.close()
    finally:
        chaos.end()
    with server:  # recovers what the last kill left, then stops cleanly for the checksums
        pass
    downtimes = sorted(chaos.downtimes)
    return {
        "kills": dict(chaos.killed),
        "kills_total": chaos.killed.total(),
        "writes_acknowledged": sum(len(writer.acknowledged) for writer in writers),
        "rows_present": present,
        "acknowledged_writes_lost": max(lost, chaos.lost),
        "partial_transactions": partial,
        "checksum_failures": checksum_failures(server),
        "seconds": round(time.monotonic() - began, 1),
        "back_after_seconds": {
            "median": round(downtimes[len(downtimes) // 2], 3),
            "longest": round(downtimes[-1], 3),
        },
        "seed": seed,
    }


def checksum_failures(server: EmbeddedPostgres) -> int:
    """Bad pages in the stopped server's files."""
    done = subprocess.run(
        [server.binary("pg_checksums"), "--check", "--pgdata", server.layout.cluster],
        capture_output=True,
        text=True,
        check=False,
        **as_server(server.layout, on_parent_death=signal.SIGKILL),
    )
    for line in done.stdout.splitlines():
        if line.startswith("Bad checksums:"):
            return int(line.rpartition(":")[2])
    raise RuntimeError(done.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--connections", type=int, default=6)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--supervise", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.supervise:
        supervise(arguments.supervise)
        return
    folder = Path(tempfile.mkdtemp(prefix="sightline-kill9-"))
    folder.chmod(0o711)
    result = asyncio.run(
        run(
            folder / "data",
            kills=arguments.kills,
            connections=arguments.connections,
            seed=arguments.seed,
        )
    )
    print(json.dumps(result, indent=2))
    failed = sum(
        int(str(result[name]))
        for name in ("acknowledged_writes_lost", "partial_transactions", "checksum_failures")
    )
    if failed:
        print(f"The data are kept in {folder}.", file=sys.stderr)
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
