"""Compares a backup with the database: each table's rows are counted and hashed on both sides."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg

# Everything of the database that a backup must bring back, as SQL of lines by what they are. Hashes of
# rows are added up: the order in which they come says nothing.
_DEFINITIONS = {
    "indexes": "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "constraints": "SELECT conrelid::regclass || conname || pg_get_constraintdef(oid)"
    " FROM pg_constraint WHERE connamespace = 'public'::regnamespace",
    "policies": "SELECT concat(tablename, policyname, cmd, qual, with_check) FROM pg_policies",
    "sequences": "SELECT concat(sequencename, last_value) FROM pg_sequences WHERE schemaname = 'public'",
}


@dataclass(frozen=True)
class Contents:
    """What is in a database: name of a table, or of a kind of definition -> (rows, hash)."""

    tables: dict[str, tuple[int, int]]
    definitions: dict[str, tuple[int, int]]

    @property
    def rows(self) -> int:
        return sum(count for count, _ in self.tables.values())

    def differences(self, other: "Contents") -> list[str]:
        """Where the other one differs, in words."""
        mine, others = self.tables | self.definitions, other.tables | other.definitions
        return [
            f"{name} ({mine.get(name, (0, 0))[0]:,} against {others.get(name, (0, 0))[0]:,})"
            for name in sorted(mine.keys() | others.keys())
            if mine.get(name) != others.get(name)
        ]


@asynccontextmanager
async def snapshot(url: str) -> AsyncIterator[tuple[str, asyncpg.Connection]]:
    """A moment of the database for the length of the block: its name for `pg_dump --snapshot`, and a
    connection that sees it."""
    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            yield await connection.fetchval("SELECT pg_export_snapshot()"), connection
    finally:
        await connection.close()


async def read_contents(connection: asyncpg.Connection) -> Contents:
    """Count and hash everything. Reads every row once, about 100 MB a second."""
    tables = await connection.fetch(
        "SELECT quote_ident(relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        " AND relkind = 'r' ORDER BY 1"
    )
    # The text of a value must not hang on the session's settings.
    await connection.execute(
        "SET timezone = 'UTC'; SET extra_float_digits = 1; SET bytea_output = hex"
    )
    return Contents(
        {row[0]: await _digest(connection, f"SELECT t::text FROM {row[0]} t") for row in tables},
        {what: await _digest(connection, sql) for what, sql in _DEFINITIONS.items()},
    )


async def _digest(connection: asyncpg.Connection, sql: str) -> tuple[int, int]:
    row = await connection.fetchrow(
        f"SELECT count(*) AS rows, coalesce(sum(hashtextextended(line, 0)::numeric), 0) AS hash"
        f" FROM ({sql}) AS lines (line)"
    )
    assert row is not None
    return row["rows"], int(row["hash"])
