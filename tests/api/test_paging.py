"""Every way of paging through accounts reads one and the same list."""

from typing import Any

import httpx
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sightline.api.endpoints import BASE_PATH
from sightline.api.resources.accounts import SORTS
from sightline.store.database import Database
from tests.api.accounts_data import RECORDS, add_accounts, names, search
from tests.api.answers import refused
from tests.conftest import MakeTenant, Tenant

ACCOUNTS = f"{BASE_PATH}/accounts"
Item = dict[str, Any]


key_values = st.fixed_dictionaries(
    {},
    optional={
        "company_name": st.sampled_from(["Alpha", "alpha", "Beta", "Émile", "emile", "!", "日"]),
        "full_time_employees": st.sampled_from([0, 1, 12, 2**40]),
        "revenue_usd": st.sampled_from([0.0, 0.1, 1e6, 1e15, 123456.789]),
        "updated_at": st.integers(0, 2),
    },
)


async def walk(client: httpx.AsyncClient, sort: str, per_page: int, way: str) -> list[str]:
    """All ids of a list, read page by page in one of three ways, checking each Pagination."""
    found: list[str] = []
    given: Item = {"page": 0}
    for number in range(100):
        answer = await search(client, sort=sort, per_page=per_page, **given)
        page = answer["pagination"]
        found += [item["id"] for item in answer["items"]]
        assert page["page"] == number
        assert page["per_page"] == per_page
        assert page["total"] == page["total_items"]
        assert page["total_pages"] == -(-page["total"] // per_page)
        assert page["has_previous"] == (number > 0)
        assert page["has_next"] == (len(found) < page["total"])
        assert (page["next_cursor"] is not None) == page["has_next"]
        if not page["has_next"]:
            assert len(found) == page["total"]
            return found
        given = {
            "page": {"page": number + 1},
            "offset": {"offset": (number + 1) * per_page},
            "cursor": {"cursor": page["next_cursor"]},
        }[way]
    raise AssertionError("the list never ends")


@settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rows=st.lists(key_values, min_size=1, max_size=9), per_page=st.integers(1, 4))
@example(rows=[{}, {}, {}, {}, {}], per_page=2)
async def test_all_ways_of_paging_read_one_list(
    anonymous: httpx.AsyncClient,
    make_tenant: MakeTenant,
    database: Database,
    rows: list[Item],
    per_page: int,
) -> None:
    tenant = await make_tenant("walk")
    anonymous.headers["x-api-key"] = tenant.key
    moments = [row.get("updated_at", 0) for row in rows]
    records = [
        {"company_name": "Same"} | {name: row[name] for name in row if name != "updated_at"}
        for row in rows
    ]
    added = await add_accounts(database, tenant.organization_id, records)
    async with database.tenant(tenant.organization_id) as connection:
        await connection.executemany(
            "UPDATE accounts SET updated_at = now() + $2 * interval '1 us' WHERE account_id = $1",
            [(a.account_id, moment) for a, moment in zip(added, moments, strict=True)],
        )
    every = {str(a.account_id) for a in added}
    by_id = {str(a.account_id): record for a, record in zip(added, records, strict=True)}
    for sort in SORTS:
        by_page = await walk(anonymous, sort, per_page, "page")
        assert set(by_page) == every
        assert len(by_page) == len(every)
        assert await walk(anonymous, sort, per_page, "offset") == by_page
        assert await walk(anonymous, sort, per_page, "cursor") == by_page
        column = {"employees": "full_time_employees", "revenue": "revenue_usd"}.get(
            sort.lstrip("-")
        )
        if column:
            values = [by_id[i].get(column) for i in by_page]
            known = [v for v in values if v is not None]
            assert values == known + [None] * (len(values) - len(known)), "unknown comes last"
            assert known == sorted(known, reverse=sort.startswith("-"))


async def test_a_cursor_walk_is_undisturbed_by_new_rows(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    await add_accounts(
        database, tenant.organization_id, [{"company_name": f"M{n}"} for n in range(6)]
    )
    for sort in SORTS:
        before = await walk(client, sort, 50, "page")
        first = await search(client, sort=sort, per_page=2)
        seen = [item["id"] for item in first["items"]]
        # Rows before, behind and between: pages by number would repeat or pass over some.
        await add_accounts(
            database,
            tenant.organization_id,
            [{"company_name": name} for name in ("A", "M2x", "Z")],
        )
        cursor = first["pagination"]["next_cursor"]
        while cursor:
            answer = await search(client, sort=sort, per_page=2, cursor=cursor)
            seen += [item["id"] for item in answer["items"]]
            cursor = answer["pagination"]["next_cursor"]
        assert len(seen) == len(set(seen))
        assert [i for i in seen if i in before] == before


async def test_a_cursor_is_bound_to_filters_and_sort_and_not_to_the_page(
    filled: httpx.AsyncClient,
) -> None:
    answer = await search(filled, per_page=1, industry="Software")
    cursor = answer["pagination"]["next_cursor"]
    for changed in ({}, {"industry": "Restaurants"}, {"industry": "Software", "sort": "revenue"},
        {"industry": "Software", "company_name": "z"}):  # fmt: skip
        response = await filled.post(ACCOUNTS, json=changed | {"cursor": cursor})
        refused(response, 400, "invalid_cursor")
    longer = await search(filled, cursor=cursor, industry=" SOFTWARE ", per_page=50)
    assert names(longer) == ["Zebra Freight"]


async def test_a_page_past_the_end_is_empty(filled: httpx.AsyncClient) -> None:
    for where in ({"page": 99}, {"offset": 99}, {"page": 100_000_000}, {"offset": 1_000_000_000}):
        answer = await search(filled, **where)
        page = answer["pagination"]
        assert (answer["items"], page["total"], page["has_next"]) == ([], len(RECORDS), False)
        assert page["has_previous"]
        assert page["next_cursor"] is None


async def test_an_offset_need_not_be_a_whole_page(filled: httpx.AsyncClient) -> None:
    everything = names(await search(filled))
    for offset in range(len(RECORDS)):
        answer = await search(filled, offset=offset, per_page=2)
        assert names(answer) == everything[offset : offset + 2]
        assert answer["pagination"]["has_next"] == (offset + 2 < len(RECORDS))
