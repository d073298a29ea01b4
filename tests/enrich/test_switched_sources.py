"""A source that an organization switched off is not asked for what that organization submits."""

from typing import Any

import httpx
import pytest

from sightline.store.credits import grant
from sightline.store.database import Database
from sightline.store.integrations import save_integration
from tests.conftest import MakeTenant, Tenant
from tests.enrich.conftest import Drain

V1 = "/public-api/v1"


async def steps(client: httpx.AsyncClient, drain: Drain, key: str) -> dict[str, str]:
    """Submit a company; source -> status of its step."""
    theirs = {"x-api-key": key}
    answer = await client.post(f"{V1}/companies", json={"domain": "harbor.example"}, headers=theirs)
    assert answer.status_code == 202, answer.text
    await drain()
    done: dict[str, Any] = (await client.get(answer.json()["status_url"], headers=theirs)).json()
    return {step["source"]: step["status"] for step in done["steps"] if step["source"]}


@pytest.mark.parametrize("enabled", [True, False])
async def test_only_whoever_switched_it_off_goes_without(
    client: httpx.AsyncClient,
    drain: Drain,
    database: Database,
    tenant: Tenant,
    make_tenant: MakeTenant,
    enabled: bool,
) -> None:
    other = await make_tenant("other")
    for each in (tenant, other):
        async with database.tenant(each.organization_id) as connection:
            await grant(connection, credit="company", amount=1, reason="test")
    async with database.tenant(tenant.organization_id) as connection:
        await save_integration(
            connection, "register", settings=None, secret=None,
            enabled=enabled
        )  # fmt: skip
    own, theirs = await steps(client, drain, tenant.key), await steps(client, drain, other.key)
    assert (own["register"] == "skipped") is not enabled
    assert theirs["register"] != "skipped"
    assert own["site"] == theirs["site"] == "succeeded"
