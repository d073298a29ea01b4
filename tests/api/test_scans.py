"""No read looks at all that an organization or the catalogue has: the real statements of every reading
operation of the table are explained as they run, for an organization of some thousand accounts."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.api.endpoint import Endpoint, Services
from sightline.api.endpoints import ENDPOINTS
from sightline.api.server import create_server
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.database import Connection, Database
from tests.api.accounts_data import add_accounts
from tests.api.foreign_data import Asker, Side, fill
from tests.conftest import MakeTenant, fresh_database

ACCOUNTS = 4_000
# A read may look at a page of rows and what belongs to them, never at every account.
MOST_ROWS = 1_000
# Reads whose answer is computed over all accounts, each with the reason.
OVER_ALL = {"list_territory_gaps": "it lists the accounts that are in no territory"}
# Reads that take a body.
POSTED = ("search_accounts", "search_contacts", "match_company")


@pytest.fixture
async def database_url(server: EmbeddedPostgres, template: str) -> AsyncIterator[str]:
    """A database of this test's own: plans hang on the sizes of tables, which other tests change."""
    async with fresh_database(server, template) as url:
        yield url


@dataclass(frozen=True)
class Watched(Database):
    """The application's database; remembers every statement with its values."""

    seen: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        def remember(logged: Any) -> None:
            self.seen.append((logged.query, tuple(logged.args or ())))

        async with super().connection() as connection:
            with connection.query_logger(remember):
                yield connection


def scans(node: dict[str, Any]) -> Iterator[tuple[str, str, float]]:
    """Table, kind of scan and rows looked at, of each scan of a plan."""
    if "Relation Name" in node:
        removed = ("Rows Removed by Filter", "Rows Removed by Index Recheck")
        rows = node.get("Actual Rows", 0) + sum(node.get(name, 0) for name in removed)
        yield node["Relation Name"], node["Node Type"], rows * node.get("Actual Loops", 1)
    for child in node.get("Plans", ()):
        yield from scans(child)


@dataclass(frozen=True)
class Large:
    """An organization with many accounts, and the id of a company of one that was merged."""

    side: Side
    merged: dict[str, str]


@pytest.fixture
async def large(
    anonymous: httpx.AsyncClient,
    make_tenant: MakeTenant,
    owner: Database,
    database: Database,
    database_url: str,
) -> Large:
    tenant = await make_tenant("large")
    side = await fill(anonymous, tenant, "umber", database=database, database_url=database_url)
    records = [{"company_name": f"Account {n}"} for n in range(ACCOUNTS)]
    added = await add_accounts(database, tenant.organization_id, records)
    async with owner.connection() as connection:
        # Every third was merged into the one before.
        await connection.execute(
            """
            INSERT INTO companies (company_id, company_name, name_key, record, document, merged_into)
            SELECT id, 'Company ' || n, 'company ' || n, '{}', '{}',
              CASE WHEN n % 3 = 0 THEN ($1::uuid[])[n - 1] END
            FROM unnest($1::uuid[]) WITH ORDINALITY AS c (id, n)
            """,
            [each.company_id for each in added],
        )
        await connection.execute("ANALYZE")
    return Large(side, {"company_id": str(added[2].company_id)})


async def explained(
    database: Database, organization_id: UUID, query: str, values: tuple[Any, ...]
) -> dict[str, Any] | None:
    """The plan of a reading statement with what it did; None for what is not one."""
    begins = query.lstrip()
    if not begins.upper().startswith(("SELECT", "WITH")) or begins.startswith("SELECT set_config"):
        return None
    async with database.tenant(organization_id) as connection:
        text = await connection.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) {query}", *values)
    found: dict[str, Any] = json.loads(text)[0]["Plan"]
    return found


def _reads(endpoint: Endpoint) -> bool:
    return endpoint.name in POSTED or (endpoint.method == "GET" and endpoint.name not in OVER_ALL)


async def test_a_read_does_not_scan_the_accounts(
    large: Large, services: Services, database: Database
) -> None:
    watched = Watched(database.pool, database.wait_seconds)
    server = create_server(replace(services, database=watched))
    side, offenders, statements = large.side, set(), 0
    transport = httpx.ASGITransport(app=server, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://sightline.test") as client:
        for endpoint in filter(_reads, ENDPOINTS):
            watched.seen.clear()
            response = await Asker(client).ask(endpoint, side)
            assert response.status_code == endpoint.status, response.text
            if "{company_id}" in endpoint.path:
                await Asker(client).ask(endpoint, side, ids=side.ids | large.merged)
            for query, values in watched.seen:
                plan = await explained(database, side.tenant.organization_id, query, values)
                statements += plan is not None
                offenders |= {
                    (endpoint.name, table, kind, rows)
                    for table, kind, rows in scans(plan or {})
                    if rows > MOST_ROWS
                }
    assert statements > 100, "it looked at nothing: the test could not fail"
    assert not offenders, "\n".join(map(str, sorted(offenders)))


def test_what_may_read_all_is_in_the_table() -> None:
    assert {*OVER_ALL, *POSTED} <= {endpoint.name for endpoint in ENDPOINTS}
