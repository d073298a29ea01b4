"""Pages that are kept in memory: served only while every row that they are made of is the same."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.api.server import create_server
from sightline.store.database import Database
from sightline.store.events import events_page
from sightline.store.pages import Kept, Slice
from tests.api.foreign_data import Side, fill, filled_path
from tests.conftest import MakeTenant

# List → the tables whose rows it shows, each with a column.
SHOWN = {
    "/events": {"events": "title", "accounts": "company_name", "companies": "company_name"},
    "/alerts": {
        "alerts": "note",
        "events": "title",
        "accounts": "company_name",
        "companies": "company_name",
    },
    "/companies/{company_id}/facts": {
        "facts": "quote",
        "documents": "final_url",
        "addresses": "checked_at",
    },
    "/companies/{company_id}/jobs": {"jobs": "title"},
    "/companies/{company_id}/technologies": {
        "facts": "quote",
        "documents": "final_url",
        "addresses": "checked_at",
        "jobs": "title",
    },
}
KEPT = '["kept"]'

Asks = Callable[[str], Any]


def asker(services: Services, side: Side) -> Callable[[str], Any]:
    transport = httpx.ASGITransport(app=create_server(services))

    async def ask(path: str) -> Any:
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            headers = {"x-api-key": side.tenant.key}
            response = await client.get(filled_path(path, side.ids), headers=headers)
        assert response.status_code == 200
        return response.json()

    return ask


async def planted(ask: Asks, path: str, database: Database) -> Any:
    """Ask until the page is kept, and put another text in its place; the page itself."""
    for _ in range(3):
        page = await ask(path)
    for key, (kept, _) in list(database.pages._held.items()):
        if kept.versions is not None:
            changed = Kept(kept.versions, (KEPT, *kept.page[1:]))
            database.pages.put(key, changed, size=100)
    assert (await ask(path))["items"] == ["kept"]
    return page


@pytest.fixture
async def sides(
    anonymous: httpx.AsyncClient,
    make_tenant: MakeTenant,
    database: Database,
    database_url: str,
    owner: Database,
) -> list[Side]:
    """Two organizations with something of every kind; the catalog knows the companies of their events, and a
    technology that a document shows."""
    found = []
    for name in ("ochre", "umber"):
        tenant = await make_tenant(name)
        found.append(
            await fill(anonymous, tenant, name, database=database, database_url=database_url)
        )
    async with owner.connection() as connection:
        await connection.execute(
            """
            INSERT INTO companies (company_id, company_name, name_key, record, document)
            SELECT DISTINCT company_id, 'Known', 'known', '{}'::jsonb, '{}' FROM events
            ON CONFLICT DO NOTHING
            """
        )
        await connection.execute(
            """
            INSERT INTO facts (company_id, fact_id, field, member, value, source, document_id, quote, method,
              confidence, first_seen_at)
            SELECT DISTINCT ON (company_id) company_id, gen_random_uuid(), 'technology', 'made up',
              '{"name": "Made up"}'::jsonb, source, document_id, quote, method, 0.8, first_seen_at
            FROM facts ON CONFLICT DO NOTHING
            """
        )
    return found


async def test_a_changed_row_is_read_again(
    sides: list[Side], services: Services, database: Database, owner: Database
) -> None:
    fresh = Database(database.pool, database.wait_seconds)
    ask = asker(services, sides[0])
    for path, tables in SHOWN.items():
        for table, column in tables.items():
            page = await planted(ask, path, database)
            assert page["items"]
            async with owner.tenant(sides[0].tenant.organization_id) as connection:
                done = await connection.execute(f"UPDATE {table} SET {column} = {column}")
            assert done != "UPDATE 0"
            assert await ask(path) == page, (path, table)
            unkept = asker(replace(services, database=fresh), sides[0])
            assert await unkept(path) == page


async def test_rows_that_come_and_go(
    sides: list[Side], services: Services, database: Database, owner: Database
) -> None:
    ask = asker(services, sides[0])
    page = await planted(ask, "/alerts", database)
    for change in (
        "UPDATE alerts SET snoozed_until = now() + interval '1 day'",
        "DELETE FROM alerts",
    ):
        async with owner.tenant(sides[0].tenant.organization_id) as connection:
            await connection.execute(f"{change} WHERE alert_id = $1", page["items"][0]["id"])
        assert (await ask("/alerts"))["items"] == page["items"][1:]
        assert (await ask("/alerts"))["pagination"]["total"] == len(page["items"]) - 1


async def test_another_organization_has_its_own(
    sides: list[Side], services: Services, database: Database
) -> None:
    for path in ("/events", "/alerts"):
        for _ in range(3):
            pages = [await asker(services, side)(path) for side in sides]
        ids = [{item["id"] for item in page["items"]} for page in pages]
        assert ids[0]
        assert ids[1]
        assert not ids[0] & ids[1]


async def test_a_transaction_keeps_nothing(sides: list[Side], database: Database) -> None:
    organization_id = sides[0].tenant.organization_id
    async with database.tenant(organization_id) as connection:
        for title in ("one", "two", "three", "four"):
            await connection.execute("UPDATE events SET title = $1", title)
            items, _, _ = await events_page(connection, part=Slice(5))
            assert f'"title":"{title}"' in items
    assert all(kept.versions is None for kept, _ in database.pages._held.values())
