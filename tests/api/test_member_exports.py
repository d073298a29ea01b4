"""Lists and territories as files, without a detour over a search."""

import io
import json
from typing import Any
from uuid import uuid4

import httpx
import pytest
from pyarrow import parquet

from sightline.api.endpoints import BASE_PATH
from sightline.store.database import Database
from tests.api.test_exports import rows_of
from tests.conftest import Tenant

AMERICAN = {"field": "country", "op": "eq", "value": "US"}


async def _accounts(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = (await client.post(f"{BASE_PATH}/accounts")).json()["items"]
    return listed


async def _make(client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> str:
    made = await client.post(f"{BASE_PATH}{path}", json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
async def test_a_list_put_together_by_hand(filled: httpx.AsyncClient, form: str) -> None:
    accounts = await _accounts(filled)
    list_id = await _make(filled, "/lists", {"name": "By hand"})
    chosen = sorted(each["id"] for each in accounts[:2])
    await filled.post(f"{BASE_PATH}/lists/{list_id}/accounts", json={"add": chosen})
    response = await filled.get(f"{BASE_PATH}/lists/{list_id}/export", params={"format": form})
    assert [row["id"] for row in rows_of(response, form)] == chosen
    assert f"list-{list_id}" in response.headers["content-disposition"]
    assert response.headers["content-disposition"].endswith(f'.{form}"')


async def test_a_saved_search_is_run_when_it_is_exported(filled: httpx.AsyncClient) -> None:
    list_id = await _make(filled, "/lists", {"name": "American", "filter": AMERICAN})
    rows = rows_of(await filled.get(f"{BASE_PATH}/lists/{list_id}/export"), "jsonl")
    found = await filled.post(f"{BASE_PATH}/accounts", json={"country": "US"})
    assert {row["id"] for row in rows} == {each["id"] for each in found.json()["items"]}
    assert rows


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
async def test_a_territory_has_its_scores(filled: httpx.AsyncClient, form: str) -> None:
    accounts = await _accounts(filled)
    outside = next(each for each in accounts if each["country_code"] != "US")
    body = {
        "name": f"America {form}",
        "rules": AMERICAN,
        "include": [outside["id"]],
        "score_rules": [
            {
                "filter": {"field": "employees", "op": "gte", "value": 300},
                "points": 30,
                "why": "Big",
            }
        ],
    }
    territory_id = await _make(filled, "/territories", body)
    path = f"{BASE_PATH}/territories/{territory_id}"
    response = await filled.get(f"{path}/export", params={"format": form})
    rows = {row["id"]: row for row in rows_of(response, form)}
    reported = (await filled.get(path)).json()
    assert len(rows) == reported["account_count"]
    by_company = {each["company_id"]: each["score"] for each in reported["scores"]}
    assert {row["company_id"]: int(row["score"]) for row in rows.values()} == by_company
    assert len(set(by_company.values())) > 1
    assert str(rows[outside["id"]]["by_hand"]).lower() == "true"
    if form == "parquet":
        table = parquet.read_table(io.BytesIO(response.content))
        assert str(table.schema.field("score").type) == "int64"
    why = rows[outside["id"]]["why"]
    assert isinstance(why, list) or why == "" or json.loads(why) is not None


async def test_provenance_and_the_record(
    filled: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    list_id = await _make(filled, "/lists", {"name": "All", "filter": {}})
    path = f"{BASE_PATH}/lists/{list_id}/export"
    lines = rows_of(await filled.get(path, params={"provenance": "true"}), "jsonl")
    assert all("provenance" in line for line in lines)
    columns = rows_of(await filled.get(path, params={"provenance": "true", "format": "csv"}), "csv")
    assert "company_name_source" in columns[0]
    async with database.tenant(tenant.organization_id) as connection:
        subjects = await connection.fetch("SELECT subject FROM audit_log WHERE action = 'export'")
    assert {row["subject"] for row in subjects} == {f"list:{list_id}"}


async def test_what_is_not_there(filled: httpx.AsyncClient) -> None:
    for path, code in (
        (f"/lists/{uuid4()}/export", "list_not_found"),
        ("/territories/nowhere/export", "territory_not_found"),
    ):
        refused = await filled.get(BASE_PATH + path)
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, code)
