"""An import of a made-up list beside a bare COPY of the rows that it wrote, in one run; print the ratio.

.venv/bin/python -m tests.bench.import_copy [--rows 30000] [--rounds 2] [--profile FILE]

The COPY writes the same rows of the same tables with the same indexes and triggers into another
organization, as the owner and in one transaction. Clock and processor time (ours, of the reading
process and of PostgreSQL) are of each.
"""

import argparse
import asyncio
import cProfile
import io
import os
import resource
import tempfile
import time
from pathlib import Path

from sightline.domain.callers import OrganizationId
from sightline.imports.run import import_accounts
from sightline.imports.spool import READERS, ImportOptions
from sightline.kit.collector import collect_seldom
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.database import Database, open_database
from sightline.store.migrate import migrate
from sightline.store.organizations import create_organization
from tests.bench.import_lists import made_up

TABLES = ("accounts", "account_records", "account_domains", "account_references")


def cpu_of(*roots: int) -> float:
    """Processor seconds of these processes and all below them, ended ones included."""
    ticks, children = {}, {}
    for each in Path("/proc").iterdir():
        if not each.name.isdigit():
            continue
        try:
            fields = (each / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks[int(each.name)] = sum(map(int, fields[11:15]))
        children.setdefault(int(fields[1]), []).append(int(each.name))
    found, todo = 0, list(roots)
    while todo:
        pid = todo.pop()
        found += ticks.get(pid, 0)
        todo += children.get(pid, [])
    return found / os.sysconf("SC_CLK_TCK")


async def copy(owner: Database, source: OrganizationId, target: OrganizationId) -> float:
    """Seconds that a COPY of the organization's rows into another one takes."""
    async with owner.connection() as connection:
        bodies = {}
        for table in TABLES:
            columns = [
                row["column_name"]
                for row in await connection.fetch(
                    "SELECT column_name::text FROM information_schema.columns WHERE table_name = $1"
                    " AND is_generated = 'NEVER' ORDER BY ordinal_position",
                    table,
                )
            ]
            chosen = ", ".join(
                f"'{target}'::uuid" if name == "organization_id" else name for name in columns
            )
            body = io.BytesIO()
            await connection.copy_from_query(
                f"SELECT {chosen} FROM {table} WHERE organization_id = '{source}'", output=body
            )
            bodies[table] = (columns, body)
        began = time.monotonic()
        async with connection.transaction():
            for table, (columns, body) in bodies.items():
                body.seek(0)
                await connection.copy_to_table(table, source=body, columns=columns)
        return time.monotonic() - began


async def measure(url: str, asked: argparse.Namespace, folder: Path) -> None:
    owner = await open_database(url, role="owner", size=1, statement_timeout_seconds=600)
    database = await open_database(url, size=2, statement_timeout_seconds=600)
    path = made_up(asked.rows, folder)
    pid = os.getpid()
    for turn in range(asked.rounds):
        of, to = [
            await create_organization(owner, f"{name}-{turn}", name=name)
            for name in ("import", "copy")
        ]
        profile = cProfile.Profile()
        before, began = cpu_of(pid), time.monotonic()
        before_ours = time.process_time()
        if asked.profile:
            profile.enable()
        summary = await import_accounts(
            database, of, path, options=ImportOptions(report=Path(os.devnull))
        )
        profile.disable()
        seconds, cpu = time.monotonic() - began, cpu_of(pid) - before
        ours = time.process_time() - before_ours
        if asked.profile:
            profile.dump_stats(asked.profile)
        assert summary.created == asked.rows
        before = cpu_of(pid)
        bare = await copy(owner, of, to)
        bare_cpu = cpu_of(pid) - before
        print(
            f"import {seconds:.2f} s ({asked.rows / seconds:,.0f} rows/s), {cpu:.2f} s of processor"
            f" ({ours:.2f} in this process), COPY {bare:.2f} s, {bare_cpu:.2f} s of processor:"
            f" {bare / seconds:.0%} of its speed, {bare_cpu / cpu:.0%} by processor",
            flush=True,
        )
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    READERS.close()
    await database.close()
    await owner.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=30_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--profile", type=Path)
    asked = parser.parse_args()
    collect_seldom()  # as the command `sightline` does
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedPostgres(Path(folder) / "data") as server,
    ):
        migrate(server.url)
        asyncio.run(measure(server.url, asked, Path(folder)))


if __name__ == "__main__":
    main()
