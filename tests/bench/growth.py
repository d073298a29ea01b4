"""What every read of the endpoint table costs the database as an organization grows.

    .venv/bin/python -m tests.bench.growth [--accounts 300000] [--only NAME …]

Two organizations have the same things of every kind. Of what grows in use (accounts, members of lists and
territories, events, alerts, contacts, operations, deliveries, notes, suppressions, the audit log) the second
has 30 times as much. Each operation that only reads is asked of both in the real application: its first page,
the one after it by its cursor, and where an index knows every place (accounts, contacts) the one in the
middle. Counted are the buffers that PostgreSQL touches and the time its
process is on a processor, never the clock. Fails when an answer touches more than 1.5 times the buffers,
besides those of the entries of an index that an exact total counts (one for 50 rows). Exports are left out,
as they are as long as the organization is large, and the simulation of a territory, which scores every
account that the territory would hold.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
import httpx
import structlog

from sightline.api.endpoint import Endpoint, Services
from sightline.api.endpoints import ENDPOINTS
from sightline.api.limits import RateLimiter
from sightline.api.server import create_server
from sightline.api.usage import UsageCounter
from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.secrets import SecretBox
from sightline.store.account_index.indexes import AccountIndexes
from sightline.store.database import Connection, Database, open_database
from sightline.store.migrate import migrate
from tests.api.foreign_data import Asker, Side, fill
from tests.bench.account_filling import add_made_up_accounts
from tests.conftest import add_tenant

SMALL = 10_000
MOST_GROWTH = 1.5
FEW_BUFFERS = 40  # a difference below is that of a tree's height
# Buffers a row: an exact total counts the entries of an index, and reads nothing else.
COUNTING = 0.02
SCORES_ALL = "simulate_territory"
# The beginnings of two words, which a ninth of all made-up descriptions have.
DESCRIBED = {"filter": {"field": "description", "op": "contains", "value": "cb df"}}
INDEXED = ("search_accounts", "list_contacts", "search_contacts")
ROUNDS = 7  # after five PostgreSQL may keep a plan

# Table -> the columns in which a copy of one of its rows differs. `n` counts the copies.
COPIES = {
    "events": {
        "event_id": "gen_random_uuid()",
        "story": "story || ' ' || n",
        "detected_at": "detected_at - n * interval '1 minute'",
    },
    "operations": {
        "operation_id": "gen_random_uuid()",
        "parent_id": "NULL",
        "item": "NULL",
        "created_at": "created_at - n * interval '1 minute'",
    },
    "webhook_deliveries": {
        "delivery_id": "gen_random_uuid()",
        "subject": "subject || ' ' || n",
        "status": "'delivered'",
        "next_at": "NULL",
    },
    "account_notes": {"note_id": "gen_random_uuid()"},
    "suppressions": {
        "suppression_id": "gen_random_uuid()",
        "digest": "sha256(digest || n::text::bytea)",
    },
    "audit_log": {"audit_id": "gen_random_uuid()"},
    "jobs": {"job_id": "gen_random_uuid()", "external_id": "'copy ' || n"},
    "contacts": {
        "contact_id": "gen_random_uuid()",
        "slot": "n + 100",
        "document": "replace(document, contact_id::text, gen_random_uuid()::text)",
    },
}
# What follows from accounts, events and contacts that were made before. $2 is the number of accounts.
FOLLOWING = (
    """
    INSERT INTO alerts (organization_id, alert_id, event_id, company_id)
    SELECT organization_id, gen_random_uuid(), event_id, company_id FROM events e
    WHERE organization_id = $1 AND NOT EXISTS (
      SELECT FROM alerts a WHERE a.organization_id = $1 AND a.event_id = e.event_id)
    """,
    """
    INSERT INTO contact_bits (organization_id, token, block, bits)
    SELECT $1, token, block, repeat('1', 2048)::bit(2048)
    FROM (SELECT DISTINCT unnest(tokens) AS token FROM contacts
          WHERE organization_id = $1 AND slot > 100) tokens,
      (SELECT DISTINCT slot / 2048 AS block FROM contacts
       WHERE organization_id = $1 AND slot > 2048) blocks
    ON CONFLICT (organization_id, token, block) DO NOTHING
    """,
    """
    UPDATE contact_books SET next_slot = 1 + (SELECT max(slot) FROM contacts WHERE organization_id = $1)
    WHERE organization_id = $1
    """,
)
MEMBERS = {
    "account_list_members": "list_id",
    "territory_members": "territory_id",
}


class Cost(NamedTuple):
    """Of one answer: buffers touched, milliseconds of processor in the server's process."""

    buffers: int
    processor_ms: float


async def copy_rows(connection: Connection, owner_id: UUID, table: str, copies: int) -> None:
    """Copies of a row that an organization, or a company, has in a table."""
    names = [
        row["attname"]
        for row in await connection.fetch(
            "SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0"
            " AND NOT attisdropped AND attgenerated = ''",
            table,
        )
    ]
    values = ", ".join(COPIES[table].get(name, name) for name in names)
    await connection.execute(
        f"""
        INSERT INTO {table} ({", ".join(names)})
        SELECT {values} FROM (
          SELECT * FROM {table} WHERE {names[0]} = $1 LIMIT 1) one, generate_series(1, $2::int) n
        """,
        owner_id,
        copies,
    )


async def _fill_up(owner: Database, side: Side, accounts: int) -> None:
    """Make of an organization one of that many accounts, in use for long."""
    organization_id = side.tenant.organization_id
    async with owner.tenant(organization_id) as connection:
        await add_made_up_accounts(connection, accounts)
        for table in COPIES.keys() - {"jobs"}:
            await copy_rows(connection, organization_id, table, accounts // 2)
        for statement in FOLLOWING:
            await connection.execute(statement, *[organization_id][: statement.count("$1") and 1])
        for table, name in MEMBERS.items():
            more = ", company_id, by_hand, score" if name == "territory_id" else ""
            values = ", company_id, false, 50" if more else ""
            kind = "text" if more else "uuid"
            await connection.execute(
                f"""
                INSERT INTO {table} (organization_id, {name}, account_id{more})
                SELECT organization_id, $2::{kind}, account_id{values} FROM accounts
                WHERE organization_id = $1 LIMIT $3 ON CONFLICT DO NOTHING
                """,
                organization_id,
                side.ids[name] if more else UUID(side.ids[name]),
                accounts // 5,
            )


def _page(answer: Any, which: str) -> dict[str, Any] | None:
    """The parameters that ask for another page of an answer; None where it has none."""
    if which == "a description":
        return DESCRIBED
    pagination = answer.get("pagination") or {}
    if which == "next page":
        cursor = pagination.get("next_cursor")
        return {"cursor": cursor} if cursor else None
    pages = pagination.get("total", 0) // 25
    return {"page": pages // 2, "per_page": 25} if pages > 3 else None


class Meter:
    """Counts what the database did between two looks. The application has one connection."""

    def __init__(self, database: Database, watching: asyncpg.Connection) -> None:
        self._database, self._watching = database, watching

    async def look(self) -> tuple[int, float]:
        async with self._database.connection() as connection:
            await connection.execute("SELECT pg_stat_force_next_flush()")
            await connection.execute("SELECT 1")
            pid = connection.get_server_pid()
        touched = await self._watching.fetchval(
            "SELECT blks_hit + blks_read FROM pg_stat_database WHERE datname = current_database()"
        )
        nanoseconds = int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])
        return touched, nanoseconds / 1e6


async def _cost(
    meter: Meter, asker: Asker, endpoint: Endpoint, side: Side, given: dict[str, Any]
) -> Cost:
    costs = []
    for _ in range(ROUNDS):
        before = await meter.look()
        response = await asker.ask(endpoint, side, given=given)
        after = await meter.look()
        assert response.is_success, f"{endpoint.name}: {response.text[:500]}"
        costs.append(Cost(after[0] - before[0], after[1] - before[1]))
    return min(costs)


async def _row(
    meter: Meter, asker: Asker, endpoint: Endpoint, sides: Sequence[Side], which: str, most: float
) -> tuple[str, bool] | None:
    """A line of the table, and whether it holds; None where there is no such page."""
    found = []
    for side in sides:
        given: dict[str, Any] | None = {}
        if which != "first page":
            given = _page((await asker.ask(endpoint, side)).json(), which)
        if given is None:
            return None
        found.append(await _cost(meter, asker, endpoint, side, given))
    small, large = found
    growth = large.buffers / max(1, small.buffers)
    kept = growth <= MOST_GROWTH or large.buffers - small.buffers <= most
    line = (
        f"| {endpoint.name}, {which} | {small.buffers} | {large.buffers} | {growth:.2f} |"
        f" {small.processor_ms:.1f} | {large.processor_ms:.1f} |{'' if kept else ' grows'}"
    )
    return line, kept


@asynccontextmanager
async def _two_organizations(
    url: str, accounts: int
) -> AsyncIterator[tuple[Database, httpx.AsyncClient, list[Side]]]:
    owner = await open_database(url, role="owner", statement_timeout_seconds=0)
    database = await open_database(url, size=1, wait_seconds=60, statement_timeout_seconds=0)
    wide = await open_database(url, size=4, wait_seconds=60, statement_timeout_seconds=0)
    indexes = AccountIndexes(wide, 1 << 36, least_accounts=1)
    services = Services(
        database=database,
        limiter=RateLimiter(redis_url=None, processes=1),
        usage=UsageCounter(wide),
        secrets=SecretBox(bytes(32)),
        max_body_bytes=1_000_000,
        trust_proxy=False,
        version="bench",
        indexes=indexes,
    )
    transport = httpx.ASGITransport(app=create_server(services))
    async with httpx.AsyncClient(transport=transport, base_url="http://bench", timeout=600) as own:
        sides = []
        for word, size in (("violet", SMALL), ("ochre", accounts)):
            tenant = await add_tenant(owner, wide, word)
            side = await fill(own, tenant, word, database=wide, database_url=url)
            await _fill_up(owner, side, size)
            sides.append(side)
        async with owner.connection() as connection:
            await connection.execute("VACUUM ANALYZE")
        for side in sides:
            indexes.ready(side.tenant.organization_id)
            await indexes.built(side.tenant.organization_id)
        yield database, own, sides
    await indexes.close()
    for each in (wide, database, owner):
        await each.close()


async def measure(url: str, accounts: int, only: Sequence[str]) -> bool:
    watching = await asyncpg.connect(url)
    kept = True
    async with _two_organizations(url, accounts) as (database, client, sides):
        meter, asker = Meter(database, watching), Asker(client)
        print(f"| read | buffers at {SMALL:,} | at {accounts:,} | growth | processor ms | ms |")
        print("|---|---|---|---|---|---|")
        for endpoint in ENDPOINTS:
            if endpoint.streams or (endpoint.method != "GET" and not endpoint.reads):
                continue
            if endpoint.name == SCORES_ALL or (only and endpoint.name not in only):
                continue
            paged = "page" in {
                *endpoint.params.model_fields,
                *(endpoint.body.model_fields if endpoint.body else ()),
            }
            pages = ["first page", *(["next page"] if paged else [])]
            pages += ["middle page"] if endpoint.name in INDEXED else []
            pages += ["a description"] if endpoint.name == "search_accounts" else []
            most = FEW_BUFFERS + COUNTING * (accounts - SMALL)
            for which in pages:
                row = await _row(meter, asker, endpoint, sides, which, most)
                if row is not None:
                    print(row[0], flush=True)
                    kept = kept and row[1]
    await watching.close()
    return kept


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--accounts", type=int, default=300_000)
    options.add_argument("--only", nargs="*", default=[])
    given = options.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder)) as server:
        migrate(server.url)
        kept = asyncio.run(measure(server.url, given.accounts, given.only))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
