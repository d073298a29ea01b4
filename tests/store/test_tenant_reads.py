"""Queries that carry their organization with them, each in one message."""

import asyncio
from uuid import uuid4

import asyncpg
import pytest

from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.conftest import MakeTenant, Tenant

NAMES = "SELECT company_name FROM accounts ORDER BY company_name DESC"


@pytest.fixture
async def two(make_tenant: MakeTenant, database: Database) -> tuple[Tenant, Tenant]:
    one, other = await make_tenant("reads-one"), await make_tenant("reads-other")
    for tenant, names in ((one, ("Alder", "Birch", "Cedar")), (other, ("Dogwood",))):
        records = [{"company_name": name} for name in names]
        await add_accounts(database, tenant.organization_id, records)
    return one, other


async def test_a_query_sees_the_rows_of_its_organization(
    database: Database, two: tuple[Tenant, Tenant]
) -> None:
    one, other = two
    for tenant, names in ((one, ["Cedar", "Birch", "Alder"]), (other, ["Dogwood"])):
        async with database.reads(tenant.organization_id) as reads:
            # More often than PostgreSQL makes plans for the values: then for any.
            for _ in range(8):
                assert [row[0] for row in await reads.fetch(NAMES)] == names
                row = await reads.fetchrow(f"{NAMES} LIMIT $1", 1)
                assert row is not None
                assert dict(row) == {"company_name": names[0]}
                assert await reads.fetchval("SELECT count(*) FROM accounts") == len(names)
    async with database.reads(uuid4()) as reads:
        assert await reads.fetch(NAMES) == []


async def test_nothing_stays_on_the_connection(
    database: Database, two: tuple[Tenant, Tenant]
) -> None:
    async with database.reads(two[0].organization_id) as reads:
        assert await reads.fetch(NAMES)
        assert await reads.connection.fetch(NAMES) == []
        with pytest.raises(asyncpg.DivisionByZeroError):
            await reads.fetchval("SELECT count(*) / 0 FROM accounts")
        assert await reads.connection.fetch(NAMES) == []
        await reads.execute("UPDATE accounts SET company_name = upper(company_name)")
        assert await reads.connection.fetch(NAMES) == []
        assert [row[0] for row in await reads.fetch(NAMES)] == ["CEDAR", "BIRCH", "ALDER"]
    async with database.reads(two[1].organization_id) as reads:
        assert await reads.fetchval(NAMES) == "Dogwood"


async def test_organizations_do_not_mix_under_load(
    database: Database, two: tuple[Tenant, Tenant]
) -> None:
    async def count(tenant: Tenant) -> int:
        async with database.reads(tenant.organization_id) as reads:
            found: int = await reads.fetchval("SELECT count(*) FROM accounts")
            return found

    found = await asyncio.gather(*(count(two[n % 2]) for n in range(60)))
    assert found == [3, 1] * 30


async def test_a_column_may_be_json_or_have_no_name(
    database: Database, two: tuple[Tenant, Tenant]
) -> None:
    async with database.reads(two[0].organization_id) as reads:
        row = await reads.fetchrow("SELECT $1::jsonb AS given, 1 + 1, 'a' -- a comment", {"b": [1]})
        assert row is not None
        assert tuple(row) == ({"b": [1]}, 2, "a")
