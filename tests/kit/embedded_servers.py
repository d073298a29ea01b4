"""What the tests of the embedded server share."""

import asyncio
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg

from sightline.kit.postgres import EmbeddedPostgres

RUN_UNTIL_KILLED = """
import sys, time
from pathlib import Path
from sightline.kit.postgres import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]))
server.start()
print(server.url, flush=True)
time.sleep(600)
"""


def query(url: str, sql: str) -> Any:
    """The first value of the first row."""

    async def run() -> Any:
        connection = await asyncpg.connect(url, timeout=10)
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


def eventually(condition: Callable[[], bool], *, seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def postmaster_pid(server: EmbeddedPostgres) -> int:
    return int((server.layout.cluster / "postmaster.pid").read_text().split()[0])


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
