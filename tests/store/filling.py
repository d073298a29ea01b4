"""Rows for every table of a database, whatever its version: made from what the catalogue says of it."""

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

import asyncpg

_CHOICES = re.compile(r"\((\w+) = ANY \(ARRAY\[([^\]]*)\]")
_CHOICE = re.compile(r"'((?:[^']|'')*)'")
_COLUMNS = """
SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
  a.attnotnull AS needed
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
  AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = '' AND c.relname <> ALL($1)
ORDER BY c.relname, a.attnum
"""
_CONSTRAINTS = """
SELECT conrelid::regclass::text AS table, contype AS kind, pg_get_constraintdef(oid) AS text,
  confrelid::regclass::text AS target,
  (SELECT array_agg(attname::text ORDER BY n) FROM unnest(conkey) WITH ORDINALITY AS k (at, n)
   JOIN pg_attribute ON attrelid = conrelid AND attnum = at) AS columns,
  (SELECT array_agg(attname::text ORDER BY n) FROM unnest(confkey) WITH ORDINALITY AS k (at, n)
   JOIN pg_attribute ON attrelid = confrelid AND attnum = at) AS targets
FROM pg_constraint WHERE connamespace = 'public'::regnamespace
"""
# The version's own.
_NOT_OURS = ["alembic_version"]
_ROWS = 2


@dataclass
class _Table:
    name: str
    columns: dict[str, str] = field(default_factory=dict)
    optional: list[str] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)
    references: list[tuple[list[str], str, list[str]]] = field(default_factory=list)


async def fill(connection: asyncpg.Connection) -> dict[str, int]:
    """Put rows into every table that has none; table -> rows. Raises what PostgreSQL says of a row."""
    tables = await _read(connection)
    numbers, filled = count(1), {}
    waiting = list(tables.values())
    while waiting:
        ready = [
            table
            for table in waiting
            if not {target for _, target, _ in table.references if target != table.name}
            & {other.name for other in waiting}
        ]
        assert ready, f"tables that wait for each other: {[table.name for table in waiting]}"
        for table in ready:
            waiting.remove(table)
            filled[table.name] = await _fill_table(connection, table, numbers)
    return filled


async def rows_of(connection: asyncpg.Connection) -> dict[str, int]:
    """table -> rows."""
    tables = await _read(connection)
    return {name: await connection.fetchval(f'SELECT count(*) FROM "{name}"') for name in tables}


async def _read(connection: asyncpg.Connection) -> dict[str, _Table]:
    tables: dict[str, _Table] = {}
    for row in await connection.fetch(_COLUMNS, _NOT_OURS):
        table = tables.setdefault(row["table"], _Table(row["table"]))
        table.columns[row["name"]] = row["type"]
        if not row["needed"]:
            table.optional.append(row["name"])
    for row in await connection.fetch(_CONSTRAINTS):
        if row["table"] not in tables:
            continue
        table = tables[row["table"]]
        if row["kind"] == b"f":
            table.references.append((row["columns"], row["target"], row["targets"]))
        for column, choices in _CHOICES.findall(row["text"]) if row["kind"] == b"c" else ():
            table.choices.setdefault(column, _CHOICE.findall(choices))
    return tables


async def _fill_table(connection: asyncpg.Connection, table: _Table, numbers: Any) -> int:
    there: int = await connection.fetchval(f'SELECT count(*) FROM "{table.name}"')
    if there:
        return there
    names = ", ".join(f'"{name}"' for name in table.columns)
    places = ", ".join(f"${n + 1}" for n in range(len(table.columns)))
    for at in range(_ROWS):
        values = {
            name: _value(kind, name, next(numbers), table.choices.get(name), at)
            for name, kind in table.columns.items()
        }
        for columns, target, targets in table.references:
            wanted = ", ".join(f'"{each}"' for each in targets)
            row = await connection.fetchrow(
                f"SELECT {wanted} FROM {target} ORDER BY 1 OFFSET $1 LIMIT 1", at
            )
            for column, value in zip(columns, row or [None] * len(columns), strict=True):
                values[column] = value
        sql = f'INSERT INTO "{table.name}" ({names}) VALUES ({places})'
        await _insert(connection, sql, values, table.optional)
    return _ROWS


async def _insert(
    connection: asyncpg.Connection, sql: str, values: dict[str, Any], optional: list[str]
) -> None:
    """With all values, or without those that a check of the table does not want together."""
    bare = values | dict.fromkeys(optional)
    tried = [values, bare]
    tried += [values | {name: None} for name in optional]
    tried += [bare | {name: values[name]} for name in optional]
    for n, row in enumerate(tried):
        try:
            async with connection.transaction():
                await connection.execute(sql, *row.values())
            return
        except asyncpg.CheckViolationError:
            if n == len(tried) - 1:
                raise


def _value(kind: str, name: str, number: int, choices: list[str] | None, at: int) -> Any:
    if choices:
        return choices[at % len(choices)]
    if kind.endswith("[]"):
        return []
    if kind in ("jsonb", "json"):
        return "[]" if name in ("steps", "history", "attempts", "changes") else "{}"
    kind, _, size = kind.partition("(")
    plain: dict[str, Any] = {
        "uuid": UUID(int=number),
        "bytea": number.to_bytes(32, "big"),
        "boolean": False,
        "text": f"text {number}",
        "character varying": f"text {number}",
        "tsvector": "text",
        "inet": "192.0.2.1",
        "bit": asyncpg.BitString("0" * int(size.rstrip(")") or 1)),
        "date": date(2026, 1, 2),
        "timestamp with time zone": datetime(2026, 1, 2, tzinfo=UTC),
        "timestamp without time zone": datetime(2026, 1, 2),
        "interval": timedelta(days=1),
        "real": 0.5,
        "double precision": 0.5,
    }
    return plain.get(kind, number)
