"""Identifiers of two companies in one input: refused with both named, and nothing charged."""

import httpx
import pytest

from sightline.domain.callers import OrganizationId
from sightline.store.credits import grant
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.enrich.conftest import Drain

V1 = "/public-api/v1"


@pytest.fixture(autouse=True)
async def accounts(database: Database, organization: OrganizationId) -> None:
    async with database.tenant(organization) as connection:
        await grant(connection, credit="company", amount=20, reason="test")
    rows = [
        {"company_name": "Kestrelbyte", "website_domain": "kestrelbyte.example"},
        {"company_name": "Tallgrass Credit", "website_domain": "tallgrass.example"},
        {"company_name": "Plain"},
    ]
    await add_accounts(database, organization, rows)
    async with database.tenant(organization) as connection:
        await connection.execute(
            """
            INSERT INTO account_references (organization_id, source_system, external_id, account_id)
            SELECT organization_id, 'crm', left(company_name, 1), account_id FROM accounts
            """
        )
        await connection.execute(
            """
            INSERT INTO account_domains (organization_id, domain, account_id)
            SELECT organization_id, website_domain, account_id FROM accounts
            WHERE website_domain IS NOT NULL ON CONFLICT DO NOTHING
            """
        )


async def left(client: httpx.AsyncClient) -> int:
    answer = await client.get(f"{V1}/organization/credits")
    return int(answer.json()["credit_remaining"]["company_credits"])


async def test_two_companies_in_one_input_are_refused(client: httpx.AsyncClient) -> None:
    body = {"domain": "tallgrass.example", "external_id": "K", "source_system": "crm"}
    for query in ("", "?dry_run=true"):
        answer = await client.post(f"{V1}/companies{query}", json=body)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (400, "contradictory_identifiers")
        named = {each["identified_by"]: each["name"] for each in error["details"]["companies"]}
        assert named == {"domain": "Tallgrass Credit", "external_id": "Kestrelbyte"}
        assert answer.headers["x-credits-charged"] == "0"
    assert await left(client) == 20


async def test_what_names_one_company_is_taken(client: httpx.AsyncClient) -> None:
    for body in (
        {"domain": "kestrelbyte.example", "external_id": "K"},
        # Of its company nothing but a name is known: the domain may well be its own.
        {"domain": "tallgrass.example", "external_id": "P"},
        {"domain": "unheard-of.example", "external_id": "K"},
    ):
        answer = await client.post(f"{V1}/companies", json={**body, "source_system": "crm"})
        assert answer.status_code == 202, answer.text


async def test_an_item_of_a_bulk_fails_alone(client: httpx.AsyncClient, drain: Drain) -> None:
    items = [{"domain": "tallgrass.example", "external_id": "K", "source_system": "crm"}]
    answer = await client.post(f"{V1}/companies/bulk", json={"items": items})
    assert answer.status_code == 202
    await drain()
    [item] = (await client.get(f"{answer.json()['status_url']}/items")).json()["items"]
    assert item["status"] == "failed"
    assert "belong to different companies" in item["error"]["message"]
    assert await left(client) == 20
