"""Members of territories follow the accounts that change, and those alone are looked at."""

from typing import Any

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.domain.callers import OrganizationId
from sightline.monitor.territories import fill_territory, refresh_territories
from sightline.queue.runner import Runner
from sightline.store import membership_refreshes
from sightline.store.account_writes import set_user_values
from sightline.store.database import Database
from tests.api.accounts_data import RECORDS, add_accounts
from tests.conftest import Tenant

TERRITORIES = f"{BASE_PATH}/territories"
SOFTWARE = {
    "id": "soft",
    "name": "Software",
    "rules": {"field": "industry", "op": "eq", "value": "Software"},
    "score_rules": [
        {"filter": {"field": "employees", "op": "gte", "value": 300}, "points": 70, "why": "large"}
    ],
}


async def _territory(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.get(f"{TERRITORIES}/soft")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


async def _noted(database: Database, organization_id: OrganizationId) -> int:
    """How often members of a territory were noted as changed."""
    async with database.tenant(organization_id) as connection:
        noted: int = await connection.fetchval(
            "SELECT count(*) FROM account_changes WHERE territories <> '{}'"
        )
    return noted


async def test_members_follow_the_accounts_that_change(
    client: httpx.AsyncClient, tenant: Tenant, database: Database, worker: Database
) -> None:
    organization_id = tenant.organization_id
    added = await add_accounts(database, organization_id, RECORDS)
    assert (await client.post(TERRITORIES, json=SOFTWARE)).status_code == 201
    assert (await _territory(client))["account_count"] == 2
    noted = await _noted(database, organization_id)
    await refresh_territories(worker)
    assert await _noted(database, organization_id) == noted  # nothing was written
    for account, industry in ((added[0], "Restaurants"), (added[1], "Software")):
        async with database.tenant(organization_id) as connection:
            assert await set_user_values(
                connection,
                account.account_id,
                values={"industry": industry},
                observed_at="2026-01-01T00:00:00Z",
            )
    (await add_accounts(database, organization_id, [{"company_name": "N", "industry": "Software"}]))
    async with database.tenant(organization_id) as connection:
        (outdated,) = await membership_refreshes.outdated(
            connection, membership_refreshes.TERRITORIES
        )
    assert outdated.accounts is not None
    assert len(outdated.accounts) == 3
    await refresh_territories(worker)
    assert (await _territory(client))["account_count"] == 3
    async with database.tenant(organization_id) as connection:
        assert (
            await membership_refreshes.outdated(connection, membership_refreshes.TERRITORIES) == []
        )


async def test_a_change_of_a_list_is_a_change_for_the_territories_that_may_name_it(
    client: httpx.AsyncClient, tenant: Tenant, database: Database, worker: Database
) -> None:
    (one, _) = await add_accounts(
        database, tenant.organization_id, [{"company_name": "A"}, {"company_name": "B"}]
    )
    made = await client.post(f"{BASE_PATH}/lists", json={"name": "Picked"})
    assert made.status_code == 201, made.text
    list_id = made.json()["id"]
    rules = {"field": "list", "op": "eq", "value": list_id}
    assert (await client.post(TERRITORIES, json=SOFTWARE | {"rules": rules})).status_code == 201
    assert (await _territory(client))["account_count"] == 0
    async with database.tenant(tenant.organization_id) as connection:
        await connection.execute(
            "INSERT INTO account_list_members (organization_id, list_id, account_id)"
            " VALUES ($1, $2::text::uuid, $3)",
            tenant.organization_id,
            list_id,
            one.account_id,
        )
    await refresh_territories(worker)
    assert (await _territory(client))["account_count"] == 1


async def test_a_territory_over_many_accounts_is_filled_by_the_worker(
    client: httpx.AsyncClient,
    tenant: Tenant,
    database: Database,
    worker: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await add_accounts(database, tenant.organization_id, RECORDS)
    monkeypatch.setattr(membership_refreshes, "MOST_AT_ONCE", 3)
    made = await client.post(TERRITORIES, json=SOFTWARE)
    assert made.status_code == 201, made.text
    assert (made.json()["account_count"], made.json()["computed_at"]) == (0, None)

    async def fill(item: Any) -> None:
        await fill_territory(worker, item)

    runner = Runner(
        database=worker,
        handlers={membership_refreshes.WORK_KIND: fill},
        slots=1,
        per_organization=1,
    )
    assert await runner.run_all() == 1
    filled = await _territory(client)
    assert filled["account_count"] == 2
    assert filled["computed_at"] is not None


async def test_a_snapshot_of_another_server_counts_for_nothing(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    await add_accounts(database, tenant.organization_id, RECORDS)
    assert (await client.post(TERRITORIES, json=SOFTWARE)).status_code == 201
    async with database.tenant(tenant.organization_id) as connection:
        await connection.execute("UPDATE territories SET seen = '900000000:900000001:'")
        found = await membership_refreshes.outdated(connection, membership_refreshes.TERRITORIES)
    assert [each.accounts for each in found] == [None]
