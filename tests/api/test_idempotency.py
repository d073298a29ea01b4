"""Idempotency-Key: one effect and one answer, however often a request is sent."""

import asyncio
from typing import Any

import httpx

from sightline.api.endpoints import ALIAS_PATH, BASE_PATH
from sightline.store.database import Database, open_database
from sightline.store.idempotency import RequestKey, delete_expired, try_lock
from tests.api.answers import refused
from tests.api.conftest import Connect, account_search_fails
from tests.conftest import Tenant

ACCOUNTS = f"{BASE_PATH}/accounts"
CREDITS = f"{BASE_PATH}/organization/credits"


async def _post(client: httpx.AsyncClient, name: str, body: Any = None) -> httpx.Response:
    return await client.post(ACCOUNTS, json=body or {}, headers={"idempotency-key": name})


async def test_a_repeated_request_gets_the_first_answer(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    first = await _post(client, "a", {"industry": "Sofware"})
    assert "idempotent-replayed" not in first.headers
    again = await _post(client, "a", {"industry": "Sofware"})
    assert again.headers["idempotent-replayed"] == "true"
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["x-warning"] == first.headers["x-warning"]
    assert again.headers["x-request-id"] != first.headers["x-request-id"]
    aliased = await client.post(
        f"{ALIAS_PATH}/accounts", json={"industry": "Sofware"}, headers={"idempotency-key": "a"}
    )
    assert aliased.headers["idempotent-replayed"] == "true"


async def test_the_same_key_with_another_body_is_422(client: httpx.AsyncClient) -> None:
    await _post(client, "a", {"per_page": 1})
    refused(await _post(client, "a", {"per_page": 2}), 422, "idempotency_key_reused")
    assert (await _post(client, "b", {"per_page": 2})).status_code == 200


async def test_a_running_request_holds_its_key(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        key = RequestKey(tenant.organization_id, tenant.key_id, "a")
        assert await try_lock(connection, key)
        response = await _post(client, "a")
        details = refused(response, 409, "idempotency_in_progress")
        assert details["retryable"]
        assert response.headers["retry-after"] == "1"
        assert (await _post(client, "b")).status_code == 200
    assert (await _post(client, "a")).status_code == 200


async def test_of_many_at_once_one_takes_effect(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    answers = await asyncio.gather(*(_post(client, "a") for _ in range(12)))
    fresh = [a for a in answers if a.status_code == 200 and "idempotent-replayed" not in a.headers]
    assert len(fresh) == 1
    for answer in answers:
        if answer.status_code == 409:
            refused(answer, 409, "idempotency_in_progress")
        else:
            assert answer.content == fresh[0].content


async def test_a_failed_request_leaves_its_key_free(client: httpx.AsyncClient) -> None:
    refused(await _post(client, "a", {"per_page": 0}), 400, "invalid_request")
    answer = await _post(client, "a", {"per_page": 1})
    assert answer.status_code == 200
    assert "idempotent-replayed" not in answer.headers


async def test_an_answer_is_kept_for_seven_days(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    for age, replayed in (("6 days 23 hours", True), ("7 days 1 hour", False)):
        await _post(client, "a")
        await _age_answers(database, tenant, age)
        response = await _post(client, "a")
        assert ("idempotent-replayed" in response.headers) is replayed
    # An expired one is replaced: the next is a replay again, also with what was another body.
    await _age_answers(database, tenant, "8 days")
    assert (await _post(client, "a", {"per_page": 3})).status_code == 200
    assert "idempotent-replayed" in (await _post(client, "a", {"per_page": 3})).headers


async def test_the_worker_deletes_expired_answers(
    client: httpx.AsyncClient, tenant: Tenant, database: Database, database_url: str
) -> None:
    await _post(client, "old")
    await _age_answers(database, tenant, "8 days")
    await _post(client, "new")
    worker = await open_database(database_url, role="sightline_worker", size=1)
    try:
        async with worker.tenant(tenant.organization_id) as connection:
            assert await delete_expired(connection) == 1
    finally:
        await worker.close()
    async with database.tenant(tenant.organization_id) as connection:
        left = await connection.fetch("SELECT idempotency_key FROM idempotency_keys")
    assert [row[0] for row in left] == ["new"]


async def _age_answers(database: Database, tenant: Tenant, age: str) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        await connection.execute(
            "UPDATE idempotency_keys SET created_at = now() - $1::text::interval", age
        )


async def test_reading_ignores_an_idempotency_key(client: httpx.AsyncClient) -> None:
    for _ in range(2):
        response = await client.get(CREDITS, headers={"idempotency-key": "a"})
        assert response.status_code == 200
        assert "idempotent-replayed" not in response.headers


async def test_a_failure_keeps_nothing_under_its_idempotency_key(
    connect: Connect, client: httpx.AsyncClient, tenant: Tenant
) -> None:
    other = connect()  # which answers 500 where its framework would raise
    other.headers["x-api-key"] = tenant.key
    with account_search_fails():
        assert (await _post(other, "a")).status_code == 500
    answer = await _post(client, "a")
    assert answer.status_code == 200
    assert "idempotent-replayed" not in answer.headers
