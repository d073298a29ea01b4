"""Accounts and other rows that tests of the API put into the store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.domain.callers import OrganizationId
from sightline.domain.names import name_key
from sightline.domain.records import company_document
from sightline.kit.ids import new_id
from sightline.store.account_writes import AccountState, write_accounts
from sightline.store.database import Database

ACCOUNTS = f"{BASE_PATH}/accounts"

# A value for every field that a record may have.
FULL_RECORD: dict[str, Any] = {
    "company_name": "Harbor Analytics",
    "website_domain": "harbor-analytics.example",
    "website": "https://www.harbor-analytics.example/en",
    "public_company": True,
    "country_code": "US",
    "profile_network_url": "https://network.example/company/harbor",
    "hq_city": "Portland",
    "hq_state": "Oregon",
    "hq_address": "1 Quay Street",
    "hq_postcode": "97201",
    "hq_country_name": "United States",
    "region": "North America",
    "ceo": "Ada Okafor",
    "sector": "Technology",
    "industry": "Software",
    "revenue_range": "10M-50M",
    "revenue_usd": 21_000_000.0,
    "employee_count_range": "201-500",
    "full_time_employees": 340,
    "alternative_domains": ["harbor.example"],
    "alternative_names": ["Harbour Analytics Incorporated"],
    "tags": ["pilot"],
    "description": "Plans berths for ports.",
    "stock_ticker": "HRBR",
    "stock_currency": "USD",
    "stock_exchange_name": "Example Exchange",
    "stock_exchange_symbol": "XEX",
    "market_cap": 120_500_000.5,
}

# Records unlike each other: every filter tells some of them apart.
RECORDS: list[dict[str, Any]] = [
    FULL_RECORD,
    {
        "company_name": "Café Nørrebro",
        "website_domain": "cafe-norrebro.example",
        "country_code": "DK",
        "hq_country_name": "Denmark",
        "industry": "Restaurants",
        "sector": "Consumer Services",
        "public_company": False,
        "employee_count_range": "11-50",
        "revenue_range": "0-1M",
        "full_time_employees": 12,
        "revenue_usd": 800_000.0,
    },
    {"company_name": "AT&T", "country_code": "US", "hq_country_name": "United States"},
    {"company_name": "株式会社 日立"},
    {
        "company_name": "Zebra Freight",
        "alternative_names": ["Zèbre Fret S.A."],
        "country_code": "FR",
        "hq_country_name": "France",
        "industry": "Software",
        "sector": "Technology",
        "employee_count_range": "201-500",
        "full_time_employees": 340,
        "public_company": False,
    },
]


@dataclass(frozen=True)
class Added:
    """The ids of an account put in."""

    account_id: UUID
    company_id: UUID


async def add_accounts(
    database: Database,
    organization_id: OrganizationId,
    records: Sequence[Mapping[str, Any]],
    *,
    company_id: UUID | None = None,
    catalogue: Mapping[str, Any] | None = None,
) -> list[Added]:
    """Put accounts with these own values in, in one transaction."""
    states = [
        AccountState(
            account_id=new_id(),
            company_id=company_id or new_id(),
            name_key=name_key(str((dict(catalogue or {}) | dict(record))["company_name"])),
            own=dict(record),
            own_sources={},
            catalogue=catalogue or {},
            domains=set(),
            references=set(),
            is_new=True,
        )
        for record in records
    ]
    async with database.tenant(organization_id) as connection:
        await write_accounts(connection, states)
    return [Added(state.account_id, state.company_id) for state in states]


async def add_catalogue_company(owner: Database, record: Mapping[str, Any]) -> UUID:
    """Put a public company into the shared catalogue."""
    company_id = new_id()
    async with owner.connection() as connection:
        await connection.execute(
            """
            INSERT INTO companies (company_id, company_name, website_domain, name_key, record, document)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            company_id,
            record["company_name"],
            record.get("website_domain"),
            name_key(record["company_name"]),
            dict(record),
            company_document(company_id, record),
        )
    return company_id


async def search(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    response = await client.post(ACCOUNTS, json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def names(answer: dict[str, Any]) -> list[str]:
    return [item["company_name"] for item in answer["items"]]
