"""A transaction of an organization: what its statements are given, and what passes it on unchanged."""

import pytest

from sightline.store.database import Database, Tenant
from tests.conftest import Tenant as Owner

_OWN = "SELECT $1::uuid AS id, $2::int AS n"


@pytest.mark.parametrize("way", ["tenant", "reads"])
async def test_the_organization_is_the_first_value(
    database: Database, tenant: Owner, way: str
) -> None:
    organization_id = tenant.organization_id
    async with getattr(database, way)(organization_id) as connection:
        assert isinstance(connection, Tenant)
        assert [tuple(row) for row in await connection.rows(_OWN, 7)] == [(organization_id, 7)]
        assert tuple(await connection.row(_OWN, 8) or ()) == (organization_id, 8)
        assert await connection.value("SELECT $1::uuid") == organization_id
        assert await connection.fetchval("SELECT $1::int", 9) == 9  # as of any connection


async def test_a_statement_is_run_for_the_organization(database: Database, tenant: Owner) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        done = await connection.run(
            "UPDATE organizations SET name = name WHERE organization_id = $1"
        )
        assert done == "UPDATE 1"
