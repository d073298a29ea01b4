"""POST /accounts and GET /companies/{company_id} over real accounts."""

import asyncio
import json
from typing import Any
from uuid import uuid4

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.domain.callers import OrganizationId
from sightline.domain.names import search_terms, search_text
from sightline.domain.records import COMPANY_FIELDS
from sightline.store.account_writes import set_user_values
from sightline.store.database import Database
from tests.api.accounts_data import (
    FULL_RECORD,
    RECORDS,
    add_accounts,
    add_catalogue_company,
    names,
    search,
)
from tests.conftest import MakeTenant, Tenant
from tests.name_search import search_matches

ACCOUNTS = f"{BASE_PATH}/accounts"
Item = dict[str, Any]


# Filters


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"industry": "Software"}, ["Harbor Analytics", "Zebra Freight"]),
        ({"industry": " software "}, ["Harbor Analytics", "Zebra Freight"]),
        ({"employee_size_category": "11-50"}, ["Café Nørrebro"]),
        ({"revenue_category": "10M-50M"}, ["Harbor Analytics"]),
        ({"revenue_category": "10m-50m"}, ["Harbor Analytics"]),
        ({"country": "US"}, ["AT&T", "Harbor Analytics"]),
        ({"country": "usa"}, ["AT&T", "Harbor Analytics"]),
        ({"country": "United States of America"}, ["AT&T", "Harbor Analytics"]),
        ({"country": "Denmark"}, ["Café Nørrebro"]),
        ({"public_company": True}, ["Harbor Analytics"]),
        ({"public_company": False}, ["Café Nørrebro", "Zebra Freight"]),
        ({"industry": "Software", "country": "FR"}, ["Zebra Freight"]),
        ({"industry": "Software", "country": "DK"}, []),
        ({"country": "GB"}, []),
        ({"industry": None, "public_company": None, "cursor": None}, None),
        ({"company_name": "cafe nor"}, ["Café Nørrebro"]),
        ({"company_name": "NØRREBRO"}, ["Café Nørrebro"]),
        ({"company_name": "at&t"}, ["AT&T"]),
        ({"company_name": "ATT"}, ["AT&T"]),
        ({"company_name": "at and t"}, ["AT&T"]),
        ({"company_name": "日立"}, ["株式会社 日立"]),
        ({"company_name": "zebre fret"}, ["Zebra Freight"]),
        ({"company_name": "harbor-analytics.example"}, ["Harbor Analytics"]),
        ({"company_name": "nalyt"}, ["Harbor Analytics"]),
        ({"company_name": "100%"}, []),
        ({"company_name": "_"}, []),
        ({"company_name": "!!!"}, []),
        ({"company_name": "  "}, None),
        ({"company_name": "freight", "country": "FR"}, ["Zebra Freight"]),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else None,
)
async def test_filters(filled: httpx.AsyncClient, body: Item, found: list[str] | None) -> None:
    answer = await search(filled, **body)
    expected = sorted(found) if found is not None else sorted(r["company_name"] for r in RECORDS)
    assert sorted(names(answer)) == expected
    assert answer["pagination"]["total"] == len(expected)
    assert answer["request"] == {
        "industry": None,
        "employee_size_category": None,
        "revenue_category": None,
        "country": None,
        "company_name": None,
        "public_company": None,
        "filter": None,
        "changed_since": None,
        "page": 0,
        "per_page": 25,
        "offset": 0,
        "sort": "company_name",
    } | {name: value for name, value in body.items() if name != "cursor"}


@pytest.mark.parametrize(
    ("body", "closest"),
    [
        ({"industry": "Sofware"}, "Software"),
        ({"employee_size_category": "11-40"}, "11-50"),
        ({"employee_size_category": "30 employees"}, "11-50"),
        ({"revenue_category": "$20 million"}, "10M-50M"),
        ({"country": "Danmrk"}, "Denmark"),
    ],
    ids=str,
)
async def test_an_unknown_filter_value_is_never_silent(
    filled: httpx.AsyncClient, body: Item, closest: str
) -> None:
    response = await filled.post(ACCOUNTS, json=body)
    assert response.status_code == 200
    answer = response.json()
    (name,) = body
    assert (answer["items"], answer["pagination"]["total"]) == ([], 0)
    assert answer["request"][name] == body[name]
    warning = response.headers["x-warning"]
    assert warning.startswith(f"unknown {name}; closest: ")
    assert f'"{closest}"' in warning


async def test_all_unknown_values_are_warned_of(filled: httpx.AsyncClient) -> None:
    response = await filled.post(ACCOUNTS, json={"industry": "x", "country": "Cote d'Ivor"})
    warning = response.headers["x-warning"]
    assert "unknown industry" in warning
    assert "unknown country" in warning
    known = await filled.post(ACCOUNTS, json={"industry": "Software", "country": "US"})
    assert "x-warning" not in known.headers


# Name search equals the pure rule

NAMES = [
    "AT&T", "A.T. & T Inc.", "J.P. Morgan", "JPMorgan Chase & Co.", "Café Nørrebro", "CAFE", "Caffè",
    "L'Oréal", "LOREAL S.A.", "株式会社 日立", "日立製作所", "Яндекс", "ООО «Ромашка»", "3M", "7-Eleven",
    "Seven & i", "O'Reilly Media", "Ærø Marine", "Straße AG", "STRASSE", "İstanbul", "ﬁne ﬀ",
    "Yahoo!", "The Limited", "and", "And & And", "E*TRADE", "C++ Builders", "100% Pure", "a_b",
    "back\\slash", "quo\"te",
    "تجارة", "शक्ति", "삼성전자", "ＦＵＬＬ ｗｉｄｔｈ", "one two three four five six seven eight nine ten",
]  # fmt: skip
QUERIES = [*NAMES, "att", "at t", "jp morgan", "jpm", "organ", "loreal", "l oreal", "oreal", "日", "製作",
    "андекс", "eleven", "7eleven", "7 eleven", "reilly", "oreilly", "ae", "strasse", "istanbul", "fine",
    "trade", "etrade", "c", "100", "%", "_", "ab", "\\", "'", "nine", "nineten", "eightnineten", "삼성",
    "full width", "seven i", "seven and i", ".", "example", "x.example", "and and",
]  # fmt: skip


async def test_name_search_equals_the_rule(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    records: list[Item] = [{"company_name": name} for name in NAMES]
    records[0] |= {"website_domain": "x.example", "alternative_names": ["Ma Bell"]}
    await add_accounts(database, tenant.organization_id, records)
    texts = {r["company_name"]: search_text([r["company_name"], *r.get("alternative_names", ())],
        r.get("website_domain")) for r in records}  # fmt: skip
    hits = 0
    for query in [*QUERIES, "ma bell"]:
        expected = {
            name for name, text in texts.items() if search_matches(text, search_terms(query))
        }
        answer = await search(client, company_name=query, per_page=50)
        assert set(names(answer)) == expected, query
        assert answer["pagination"]["total"] == len(expected)
        hits += len(expected)
    assert hits > len(NAMES)


# Totals and facets


async def test_totals_follow_every_write(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    async def totals() -> tuple[int, int, list[Item]]:
        everything = await search(client)
        software = await search(client, industry="Software", facets=["industry"])
        return (
            everything["pagination"]["total"],
            software["pagination"]["total"],
            software["facets"]["industry"],
        )

    assert await totals() == (0, 0, [])
    one = {"company_name": "One", "industry": "Software"}
    added = await add_accounts(database, tenant.organization_id, [one, {"company_name": "Two"}])
    assert await totals() == (2, 1, [{"value": "Software", "count": 1}])
    assert await totals() == (2, 1, [{"value": "Software", "count": 1}])
    async with database.tenant(tenant.organization_id) as connection:
        await set_user_values(
            connection,
            added[1].account_id,
            values={"industry": "Software"},
            observed_at="2026-01-01T00:00:00Z",
        )
    assert await totals() == (2, 2, [{"value": "Software", "count": 2}])
    async with database.tenant(tenant.organization_id) as connection:
        await connection.execute("DELETE FROM accounts WHERE account_id = $1", added[0].account_id)
    assert await totals() == (1, 1, [{"value": "Software", "count": 1}])


async def test_a_write_that_failed_changes_no_total(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    await add_accounts(database, tenant.organization_id, [{"company_name": "One"}])
    assert (await search(client))["pagination"]["total"] == 1
    with pytest.raises(ZeroDivisionError):
        async with database.tenant(tenant.organization_id) as connection:
            await connection.execute("DELETE FROM accounts")
            raise ZeroDivisionError
    assert (await search(client))["pagination"]["total"] == 1


async def test_items_total_and_facets_are_of_one_moment(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    enough = asyncio.Event()

    async def write() -> None:
        """Adds accounts, three at a time, until enough has been read beside it."""
        while not enough.is_set():
            rows = [{"company_name": f"W{m}", "industry": "Software"} for m in range(3)]
            await add_accounts(database, tenant.organization_id, rows)

    writer = asyncio.create_task(write())
    seen: set[int] = set()
    try:
        async with asyncio.timeout(60):
            while len(seen) < 8:
                answer = await search(client, per_page=50, facets=["industry"], company_name="w")
                total = answer["pagination"]["total"]
                counted = sum(value["count"] for value in answer["facets"]["industry"])
                assert total == counted
                assert total % 3 == 0
                assert len(answer["items"]) == min(50, total)
                seen.add(total)
    finally:
        enough.set()
        await writer


async def test_facets(filled: httpx.AsyncClient) -> None:
    asked = [
        "industry", "sector", "employee_size_category", "revenue_category", "country", "public_company",
    ]  # fmt: skip
    facets = (await search(filled, facets=asked))["facets"]
    assert list(facets) == asked
    assert facets["country"] == [
        {"value": "US", "count": 2},
        {"value": "DK", "count": 1},
        {"value": "FR", "count": 1},
        {"value": None, "count": 1},
    ]
    assert {(v["value"], v["count"]) for v in facets["public_company"]} == {
        (None, 2),
        (False, 2),
        (True, 1),
    }
    for values in facets.values():
        assert sum(value["count"] for value in values) == len(RECORDS)
        counts = [value["count"] for value in values]
        assert counts == sorted(counts, reverse=True)
    filtered = (await search(filled, country="US", facets=["industry", "industry"]))["facets"]
    assert filtered == {
        "industry": [{"value": "Software", "count": 1}, {"value": None, "count": 1}]
    }
    assert "facets" not in await search(filled)
    assert "facets" not in await search(filled, facets=[])


# Items and records


async def test_an_item_is_the_record_with_account_fields(
    filled: httpx.AsyncClient, tenant: Tenant
) -> None:
    for item in (await search(filled))["items"]:
        record = (await filled.get(f"{BASE_PATH}/companies/{item['company_id']}")).json()
        assert {name: item[name] for name in record} == record
        extra = {name: value for name, value in item.items() if name not in record}
        domain = record.get("website_domain")
        expected = {
            "id": item["id"],
            "employee_size_category": record["employee_count_range"],
            "revenue_category": record["revenue_range"],
            "country": record["hq_country_name"],
        }
        if domain:
            expected |= {"domain": domain, "website": extra["website"]}
            assert domain in extra["website"]
        assert extra == expected
        assert item["id"] != item["company_id"]


async def test_a_record_has_every_value_it_was_given(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    (added,) = await add_accounts(database, tenant.organization_id, [FULL_RECORD])
    record = (await client.get(f"{BASE_PATH}/companies/{added.company_id}")).json()
    expected = {name: FULL_RECORD[name] for name in COMPANY_FIELDS if name in FULL_RECORD}
    assert record == {"company_id": str(added.company_id)} | expected


async def test_a_record_without_values_has_nulls_where_they_are_allowed(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    (added,) = await add_accounts(database, tenant.organization_id, [{"company_name": "Bare"}])
    record = (await client.get(f"{BASE_PATH}/companies/{added.company_id}")).json()
    nullable = {name for name, may_be_null in COMPANY_FIELDS.items() if may_be_null}
    assert set(record) == nullable | {"company_id", "company_name"}
    assert {record[name] for name in nullable} == {None}


async def test_own_values_lie_over_the_catalogue(
    client: httpx.AsyncClient,
    anonymous: httpx.AsyncClient,
    tenant: Tenant,
    make_tenant: MakeTenant,
    owner: Database,
    database: Database,
) -> None:
    public = {
        "company_name": "Public Name",
        "website_domain": f"{uuid4().hex}.example",
        "ceo": "Public Ceo",
        "hq_city": "Lyon",
        "country_code": "FR",
        "hq_country_name": "France",
    }
    company_id = await add_catalogue_company(owner, public)
    path = f"{BASE_PATH}/companies/{company_id}"
    assert (await client.get(path)).json()["ceo"] == "Public Ceo"
    await add_accounts(
        database,
        tenant.organization_id,
        [{"company_name": "Our Name", "ceo": "Our Ceo", "tags": ["ours"], "country_code": "BE"}],
        company_id=company_id,
        catalogue=public,
    )
    ours = (await client.get(path)).json()
    assert (ours["company_name"], ours["ceo"], ours["tags"]) == ("Our Name", "Our Ceo", ["ours"])
    assert ours["website_domain"] == public["website_domain"]
    # A city of the catalogue would contradict the country that we set.
    assert (ours["country_code"], ours["hq_city"]) == ("BE", None)
    other = await make_tenant("other")
    theirs = (await anonymous.get(path, headers={"x-api-key": other.key})).json()
    assert (theirs["company_name"], theirs["ceo"], theirs["tags"]) == (
        "Public Name",
        "Public Ceo",
        None,
    )
    assert names(await search(client, company_name="public name")) == []
    assert names(await search(client, company_name="our name")) == ["Our Name"]


async def test_a_value_keeps_its_characters(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    odd = "</script>\"\\'  {}[],:\t𝒳日é‮"
    (added,) = await add_accounts(
        database, tenant.organization_id, [{"company_name": odd, "description": odd * 100}]
    )
    record = (await client.get(f"{BASE_PATH}/companies/{added.company_id}")).json()
    assert (record["company_name"], record["description"]) == (odd, odd * 100)
    assert names(await search(client)) == [odd]


async def test_many_accounts_are_counted_exactly(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    organization_id = OrganizationId(tenant.organization_id)
    rows = [{"company_name": f"Company {n:04}", "public_company": n % 2 == 0} for n in range(1001)]
    await add_accounts(database, organization_id, rows)
    answer = await search(client, page=40)
    assert answer["pagination"] == {
        "page": 40,
        "per_page": 25,
        "total": 1001,
        "total_items": 1001,
        "total_pages": 41,
        "has_next": False,
        "has_previous": True,
        "next_cursor": None,
    }
    assert names(answer) == ["Company 1000"]
    assert (await search(client, public_company=True))["pagination"]["total"] == 501
