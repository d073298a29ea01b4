"""Search across accounts: grouped by company, filtered, paged, and each organization's own."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.store.database import Database, open_database
from tests.api.accounts_data import Added, add_accounts
from tests.conftest import Tenant
from tests.store.evidence_data import WHEN, add_document, add_signal, index

EVIDENCE = f"{BASE_PATH}/evidence/search"
CUTS = "To reduce costs, {name} closes two sites and cuts 400 jobs by the end of the year."
SOUP = "The cafeteria of {name} serves soup on Tuesdays and bread on every other day."
NAMES = ("Anchor Freight", "Beacon Mills", "Cutter Foods")


@pytest.fixture
async def workers(database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(database_url, role="sightline_worker", size=4)
    yield opened
    await opened.close()


@pytest.fixture
async def accounts(tenant: Tenant, database: Database, workers: Database) -> dict[str, Added]:
    """Three companies; the first cut costs lately and said so twice, the second a year before."""
    records = [
        {"company_name": name, "full_time_employees": 100 * at} for at, name in enumerate(NAMES, 1)
    ]
    added = await add_accounts(database, tenant.organization_id, records)
    accounts = dict(zip(NAMES, added, strict=True))
    for at, (name, one) in enumerate(accounts.items()):
        texts = [SOUP.format(name=name)]
        if at < 2:
            texts.append(CUTS.format(name=name))
        if at == 0:
            texts.append("Restructuring costs of Anchor Freight rose as jobs were cut in Oslo.")
        document_id = await add_document(
            workers, one.company_id, texts, url=f"https://{at}.example/news", title=f"News of {name}",
            published_at=WHEN - timedelta(days=365 * at),
        )  # fmt: skip
        if at == 1:
            await add_signal(
                workers, one.company_id, document_id, quote=texts[1], start=len(texts[0]) + 2,
                family="material_changes", kind="layoffs",
            )  # fmt: skip
        await index(workers, one.company_id)
    return accounts


async def found(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    response = await client.post(
        EVIDENCE, json={"q": "who is cutting jobs to reduce costs?"} | body
    )
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def names(answer: dict[str, Any]) -> list[str]:
    return [item["company"]["name"] for item in answer["items"]]


async def test_companies_are_grouped_and_filtered(
    client: httpx.AsyncClient, accounts: dict[str, Added]
) -> None:
    both = list(NAMES[:2])
    answer = await found(client)
    assert sorted(names(answer)) == both
    assert answer["pagination"]["total"] == 2
    scores = [item["score"] for item in answer["items"]]
    assert scores == sorted(scores, reverse=True)
    by_name = {item["company"]["name"]: item for item in answer["items"]}
    first = by_name["Anchor Freight"]
    assert first["company"]["id"] == str(accounts["Anchor Freight"].company_id)
    assert first["hits"][0]["quote"] == CUTS.format(name="Anchor Freight")
    assert len(first["hits"]) == 2
    assert len((await found(client, per_company=1))["items"][0]["hits"]) == 1
    assert by_name["Beacon Mills"]["hits"][0]["source"]["kind"] == "insight"
    assert names(await found(client, kinds=["insight"])) == ["Beacon Mills"]
    assert names(await found(client, families=["material_changes"])) == ["Beacon Mills"]
    news = {"kinds": ["news"]}
    assert names(await found(client, since="2026-01-01", **news)) == ["Anchor Freight"]
    assert names(await found(client, until="2026-01-01", **news)) == ["Beacon Mills"]
    beacon = accounts["Beacon Mills"]
    assert names(await found(client, company_ids=[str(beacon.company_id)])) == ["Beacon Mills"]
    many = {"field": "employees", "op": "gte", "value": 150}
    assert names(await found(client, filter=many)) == ["Beacon Mills"]
    made = await client.post(f"{BASE_PATH}/lists", json={"name": "Mine", "filter": many})
    assert names(await found(client, list_id=made.json()["id"])) == ["Beacon Mills"]
    made = await client.post(f"{BASE_PATH}/territories", json={"name": "North", "rules": many})
    assert names(await found(client, territory_id=made.json()["id"])) == ["Beacon Mills"]
    assert names(await found(client, q="zeppelins")) == []


async def test_cursors_cut_one_list(client: httpx.AsyncClient, accounts: dict[str, Added]) -> None:
    whole = names(await found(client, q="soup in the cafeteria"))
    assert sorted(whole) == sorted(NAMES)
    read: list[str] = []
    cursor = None
    while True:
        page = {"cursor": cursor} if cursor else {}
        answer = await found(client, q="soup in the cafeteria", per_page=2, **page)
        read += names(answer)
        cursor = answer["pagination"]["next_cursor"]
        if cursor is None:
            break
    assert read == whole
    other = await client.post(EVIDENCE, json={"q": "bread", "cursor": "abc"})
    assert other.status_code == 400


async def test_companies_without_an_account_are_not_searched(
    client: httpx.AsyncClient, workers: Database, accounts: dict[str, Added]
) -> None:
    """What the catalogue holds of other companies stays with those who have them as accounts."""
    other = accounts["Anchor Freight"].account_id  # no company's id
    await add_document(workers, other, [CUTS.format(name="Delta Yards")], url="https://d.example/1")
    await index(workers, other)
    assert "Delta" not in str(await found(client))
    assert names(await found(client, company_ids=[str(other)])) == []


@pytest.mark.parametrize(
    "text",
    ["the of and", "?!…", "🚢", "港口", "a" * 1000, "word " * 200, "NOT (a OR b)*", "' -- \\"],
)
async def test_any_text_may_be_asked(
    client: httpx.AsyncClient, accounts: dict[str, Added], text: str
) -> None:
    assert len((await found(client, q=text))["items"]) <= 3


@pytest.mark.parametrize(
    "body",
    [
        {"q": ""},
        {"q": "x" * 1001},
        {"kinds": ["blog"]},
        {"families": ["gossip"]},
        {"per_company": 0},
        {"per_page": 51},
        {"since": "yesterday"},
        {"company_ids": ["x"]},
        {"filter": {"field": "nothing", "op": "eq", "value": 1}},
        {"page": 2},
    ],
)
async def test_bad_bodies(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    response = await client.post(EVIDENCE, json={"q": "costs"} | body)
    assert response.status_code == 400, response.text
