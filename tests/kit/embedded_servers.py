"""What the tests of the embedded server share."""

import asyncio
import stat
from pathlib import Path
from typing import Any

import asyncpg

from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.process_identity import processes_of_folder
from tests.waiting import LONGEST_SECONDS, eventually

RUN_UNTIL_KILLED = """
import sys, time
from pathlib import Path
from sightline.kit.postgres import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]))
server.start()
print(server.url, flush=True)
time.sleep(600)
"""

# Never comes to the end of making its data directory.
MAKE_UNTIL_KILLED = """
import time
from sightline.kit import postgres_cluster
initdb = postgres_cluster._initdb
def _initdb(*given, **named):
    initdb(*given, **named)
    time.sleep(3600)
postgres_cluster._initdb = _initdb
"""


def query(url: str, sql: str) -> Any:
    """The first value of the first row."""

    async def run() -> Any:
        connection = await asyncpg.connect(url, timeout=LONGEST_SECONDS)
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    return asyncio.run(run())


def write_row(url: str, number: int) -> None:
    query(url, "CREATE TABLE IF NOT EXISTS kept (number int)")
    query(url, f"INSERT INTO kept VALUES ({number})")


def rows(url: str) -> Any:
    return query(url, "SELECT array_agg(number ORDER BY number) FROM kept")


def nothing_runs_in(cluster: Path) -> bool:
    """Whether the last process of a data directory has ended, or ends: a killed one takes its time."""
    return eventually(lambda: processes_of_folder(cluster) == [])


def postmaster_pid(server: EmbeddedPostgres) -> int:
    return int((server.layout.cluster / "postmaster.pid").read_text().split()[0])


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
