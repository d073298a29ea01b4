"""POST /companies/match against accounts and the catalogue."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.domain.callers import OrganizationId
from sightline.store.catalogue import add_identifiers, make_company
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.conftest import MakeTenant

MATCH = f"{BASE_PATH}/companies/match"
# The catalogue may outlive a test: one company, whichever test comes first.
QUORREL = UUID("01980000-0000-7000-8000-00000000c0de")
ACCOUNTS: list[dict[str, Any]] = [
    {
        "company_name": "Nordwind Handels GmbH",
        "website_domain": "nordwind.example",
        "country_code": "DE",
        "hq_city": "Bremen",
    },
    {"company_name": "Nordwind Energie GmbH", "country_code": "DE", "hq_city": "Hannover"},
]


@pytest.fixture
async def known(database: Database, owner: Database, organization: OrganizationId) -> Any:
    added = await add_accounts(database, organization, ACCOUNTS)
    async with owner.connection() as connection, connection.transaction():
        await make_company(
            connection,
            name="Quorrel Manufacturing Company",
            domain="quorrel.example",
            company_id=QUORREL,
        )
        await add_identifiers(connection, QUORREL, {"lei": "529900EXAMPLE0000000"})
    return added


async def ask(client: httpx.AsyncClient, **body: str) -> dict[str, Any]:
    answer = await client.post(MATCH, json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_an_account_is_found_by_name_and_place(client: httpx.AsyncClient, known: Any) -> None:
    found = await ask(client, company_name="NORDWIND HANDEL", country="Germany", city="Bremen")
    assert found["status"] == "matched"
    best = found["candidates"][0]
    assert best["account_id"] == str(known[0].account_id)
    assert (best["name"], best["city"]) == ("Nordwind Handels GmbH", "Bremen")
    assert best["score"] == found["score"] > 0.5
    assert {"name_at_place", "city_same"} <= {each["name"] for each in found["features"]}
    assert all(each["score"] < 0.5 for each in found["candidates"][1:])


@pytest.mark.parametrize(
    "body",
    [
        {"company_name": "Quorrel Mfg Co"},
        {"domain": "https://www.quorrel.example/about"},
        {"company_name": "Quorrel", "lei": "529900example0000000"},
    ],
)
async def test_a_company_of_the_catalogue_is_no_account(
    client: httpx.AsyncClient, known: Any, body: dict[str, str]
) -> None:
    found = await ask(client, **body)
    assert found["status"] == "matched"
    assert found["candidates"][0]["company_id"] == str(QUORREL)
    assert found["candidates"][0]["account_id"] is None


@pytest.mark.parametrize("name", ["Nordwind Versicherung AG", "Zzyzx Reederei", "%_", "."])
async def test_a_stranger_is_no_match(client: httpx.AsyncClient, known: Any, name: str) -> None:
    assert (await ask(client, company_name=name, city="Emden"))["status"] == "no_match"


async def test_without_name_and_domain_there_is_nothing_to_match(
    client: httpx.AsyncClient, known: Any
) -> None:
    for body in ({}, {"country": "DE"}, {"company_name": " "}, {"domain": "no address"}):
        found = await ask(client, **body)
        assert (found["status"], found["candidates"]) == ("no_match", [])


async def test_accounts_of_another_organization_are_not_candidates(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant, known: Any
) -> None:
    other = await make_tenant("other")
    answer = await anonymous.post(
        MATCH,
        json={"company_name": "Nordwind Handels GmbH", "domain": "nordwind.example"},
        headers={"x-api-key": other.key},
    )
    assert answer.json()["candidates"] == []
    assert (answer.json()["status"], answer.json()["score"]) == ("no_match", 0)
