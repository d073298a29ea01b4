"""Loads an index from the database: the accounts, and the changes since a snapshot."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np

from sightline.domain.callers import OrganizationId
from sightline.domain.filters import FIELDS
from sightline.store.account_index.index import AccountIndex, Changes, Group, Stamp
from sightline.store.account_index.segment import COLUMNS, SEARCH_TEXT, SORT_KEY, Gathering
from sightline.store.database import Database, Tenant
from sightline.store.filters import COLUMNS as FILTERED
from sightline.store.pages import only_row

# Reading a million accounts takes a minute; a page's five seconds are not for it.
LONGEST_BUILD_SECONDS = 900.0
# Rows come in pieces of so many bytes, each taken up in a thread.
PIECE = 1 << 20


def _column(name: str) -> str:
    """SQL of a column as text; `d` is the served document."""
    if name in ("account_id", SORT_KEY, SEARCH_TEXT):
        return f"a.{name}::text"
    kind = FIELDS[name].kind
    expression = FILTERED.get(name) or f"(d ->> '{name}')"
    match kind:
        case "number":
            return f"{expression}::float8::text"
        case "time":
            return f"(extract(epoch FROM {expression}) * 1000000)::bigint::text"
        case "boolean":
            return f"CASE WHEN {expression} THEN 't' WHEN NOT {expression} THEN 'f' END"
    return expression


_SELECTED = ", ".join(map(_column, COLUMNS))
_ROWS = """
  accounts a JOIN account_records r USING (organization_id, account_id)
  CROSS JOIN LATERAL (SELECT r.document::jsonb AS d OFFSET 0) AS document
"""
_STAMP = "pg_current_snapshot()::text AS snapshot, pg_postmaster_start_time()::text AS server"
_CHANGED = """
  changes AS MATERIALIZED (
    SELECT account_ids, lists, territories FROM account_changes
    WHERE organization_id = $1 AND transaction >= pg_snapshot_xmin($2::text::pg_snapshot)
      AND NOT pg_visible_in_snapshot(transaction, $2::text::pg_snapshot)),
  changed AS MATERIALIZED (SELECT DISTINCT unnest(account_ids) AS account_id FROM changes)
"""


class KeyedPage(NamedTuple):
    """Accounts read by their ids, with what changed before that very moment."""

    changes: Changes
    items: str  # as the text of a JSON array
    length: int
    last: str | None  # the sort value of the last, as text


async def read_page(
    tenant: Tenant, stamp: Stamp, ids: Sequence[UUID], *, sorted_by: str
) -> KeyedPage:
    """The accounts of these ids in this order, with `sorted_by`, an expression over `accounts a`, of the
    last; and what changed since the stamp: one statement, so all as of one moment."""
    row = await only_row(
        tenant,
        f"""
        WITH {_CHANGED}
        SELECT {_STAMP}, (SELECT array_agg(account_id) FROM changed) AS accounts,
          (SELECT array_agg(ARRAY[{_SELECTED}]) FROM changed c JOIN accounts a
             ON a.organization_id = $1 AND a.account_id = c.account_id
           JOIN account_records r ON r.organization_id = $1 AND r.account_id = c.account_id
           CROSS JOIN LATERAL (SELECT r.document::jsonb AS d OFFSET 0) AS document) AS rows,
          (SELECT array_agg(DISTINCT list) FROM changes, unnest(lists) list) AS lists,
          (SELECT array_agg(DISTINCT territory) FROM changes, unnest(territories) territory)
            AS territories,
          page.*,
          (SELECT {sorted_by}::text FROM accounts a
           WHERE organization_id = $1 AND account_id = $4) AS last
        FROM (
          SELECT count(*) AS count, '[' || coalesce(
            string_agg(r.item_head || substr(r.document, 2), ',' ORDER BY n), '') || ']' AS items
          FROM unnest($3::uuid[]) WITH ORDINALITY AS wanted (account_id, n)
          JOIN account_records r ON r.organization_id = $1 AND r.account_id = wanted.account_id) page
        """,
        tenant.organization_id,
        stamp.snapshot,
        ids,
        ids[-1] if ids else None,
    )
    return KeyedPage(_changes(row), row["items"], row["count"], row["last"])


def _changes(row: Any) -> Changes:
    rows = [list(map(_raw, each)) for each in row["rows"] or ()]
    groups = [("list", str(each)) for each in row["lists"] or ()]
    groups += [("territory", each) for each in row["territories"] or ()]
    return Changes(Stamp(row["snapshot"], row["server"]), row["accounts"] or (), rows, groups)


def _raw(value: str | None) -> bytes | None:
    """A value as COPY writes it."""
    return None if value is None else value.encode().replace(b"\\", b"\\\\")


async def read_group(tenant: Tenant, kind: str, key: str) -> Group:
    """The members of a list or a territory; none of one that does not exist."""
    table, column = {
        "list": ("account_list_members", "list_id"),
        "territory": ("territory_members", "territory_id"),
    }[kind]
    wanted: Any = key
    if kind == "list":
        try:
            wanted = UUID(key)
        except ValueError:
            wanted = None
        if str(wanted) != key:  # SQL compares the text
            wanted = None
    packed = await tenant.value(
        f"""
        SELECT string_agg(uuid_send(account_id), '' ORDER BY account_id) FROM {table}
        WHERE organization_id = $1 AND {column} = $2
        """,
        wanted,
    )
    return Group(np.frombuffer(packed or b"", dtype="S16"))


async def delete_old_changes(tenant: Tenant) -> None:
    """Delete the changes of more than a day ago; see `indexes.STALE_SECONDS`."""
    await tenant.run(
        "DELETE FROM account_changes WHERE organization_id = $1 AND at < now() - interval '1 day'"
    )


async def count_roughly(database: Database, organization_id: OrganizationId, most: int) -> int:
    """How many accounts an organization has, counted up to `most`."""
    async with database.tenant(organization_id) as connection:
        count: int = await connection.fetchval(
            "SELECT count(*) FROM (SELECT FROM accounts WHERE organization_id = $1 LIMIT $2) AS first",
            organization_id,
            most,
        )
    return count


async def build(database: Database, organization_id: OrganizationId) -> AccountIndex | None:
    """Create an organization's index, as of one snapshot; None on a replica, which cannot tell what is
    in progress on its primary."""
    gathering, pieces = Gathering(), _Pieces()

    async def take(data: bytes) -> None:
        lines = pieces.add(data)
        if lines:
            await asyncio.to_thread(gathering.add, _split(lines))

    async with database.tenant(organization_id, repeatable=True) as connection:
        await connection.execute(
            f"SET LOCAL statement_timeout = '{LONGEST_BUILD_SECONDS:.0f}s';"
            "SET LOCAL max_parallel_workers_per_gather = 0"
        )
        row = await only_row(connection, f"SELECT {_STAMP}, pg_is_in_recovery() AS is_replica")
        if row["is_replica"]:
            return None
        await connection.copy_from_query(
            f"SELECT {_SELECTED} FROM {_ROWS} WHERE a.organization_id = '{UUID(str(organization_id))}'"
            " ORDER BY a.account_id",
            output=take,
            timeout=LONGEST_BUILD_SECONDS,
        )

    def finish() -> AccountIndex:
        gathering.add(_split(pieces.rest()))
        segment = gathering.segment()
        segment.warm()
        return AccountIndex(segment, Stamp(row["snapshot"], row["server"]))

    return await asyncio.to_thread(finish)


class _Pieces:
    """Puts what comes in into pieces of whole lines."""

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._bytes = 0

    def add(self, data: bytes) -> list[bytes]:
        self._held.append(data)
        self._bytes += len(data)
        if self._bytes < PIECE:
            return []
        *lines, tail = b"".join(self._held).split(b"\n")
        self._held, self._bytes = [tail], len(tail)
        return lines

    def rest(self) -> list[bytes]:
        return [line for line in b"".join(self._held).split(b"\n") if line]


def _split(lines: Iterable[bytes]) -> list[list[bytes | None]]:
    return [[None if value == b"\\N" else value for value in line.split(b"\t")] for line in lines]
