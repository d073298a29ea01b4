"""What every answer has, in which shape errors come, and what a caller sees when something fails."""

import json
from dataclasses import replace
from uuid import UUID

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.api.endpoints import ALIAS_PATH, BASE_PATH
from sightline.api.resources import health
from sightline.api.server import create_server
from sightline.store.database import Database, DatabaseIsFull, open_database
from tests.api.answers import refused, refused_flat
from tests.api.conftest import Connect, account_search_fails
from tests.conftest import MakeTenant, Tenant
from tests.waiting import until

ACCOUNTS = f"{BASE_PATH}/accounts"
CREDITS = f"{BASE_PATH}/organization/credits"


async def test_a_request_may_ask_for_the_flat_shape(client: httpx.AsyncClient) -> None:
    headers = {"x-error-format": "Flat"}
    refused_flat(await client.get(f"{BASE_PATH}/no", headers=headers), 404, "path_not_found")
    refused_flat(await client.get(ACCOUNTS, headers=headers), 405, "method_not_allowed")
    flat = await client.post(ACCOUNTS, content=b"{", headers=headers)
    structured = await client.post(ACCOUNTS, content=b"{")
    ours, theirs = flat.json()["details"], structured.json()["error"]["details"]
    assert ours | {"request_id": ""} == theirs | {"request_id": ""}
    client.headers.pop("x-api-key")
    refused_flat(await client.get(CREDITS, headers=headers), 401, "missing_api_key")


async def test_a_key_may_ask_for_the_flat_shape(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant
) -> None:
    tenant = await make_tenant("flat", flat_errors=True)
    anonymous.headers["x-api-key"] = tenant.key
    path = f"{BASE_PATH}/companies/x"
    refused_flat(await anonymous.get(path), 400, "invalid_uuid")
    refused_flat(
        await anonymous.get(path, headers={"x-error-format": "other"}), 400, "invalid_uuid"
    )
    asked = await anonymous.get(path, headers={"x-error-format": "structured"})
    refused(asked, 400, "invalid_uuid")


async def test_every_answer_has_an_id_of_its_own(client: httpx.AsyncClient) -> None:
    identifiers = set()
    for method, path in (
        ("GET", "/health"),
        ("GET", CREDITS),
        ("POST", ACCOUNTS),
        ("GET", "/nowhere"),
        ("PUT", ACCOUNTS),
        ("GET", "/openapi.json"),
        ("GET", "/docs"),
        ("GET", "/metrics"),
    ):
        response = await client.request(method, path, headers={"x-request-id": "mine"})
        assert response.headers.get_list("x-request-id")[1:] == []
        assert UUID(response.headers["x-request-id"]).version == 7
        assert response.headers["x-client-request-id"] == "mine"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["x-frame-options"] == "DENY"
        # A tagged read may be kept by the caller alone, and is asked for again each time.
        kept = "private, no-cache" if "etag" in response.headers else "no-store"
        assert response.headers["cache-control"] == kept
        assert response.headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in response.headers["content-security-policy"]
        identifiers.add(response.headers["x-request-id"])
    assert len(identifiers) == 8


async def test_both_prefixes_answer_alike(client: httpx.AsyncClient) -> None:
    for method, path in (
        ("GET", "/organization/credits"),
        ("POST", "/accounts"),
        ("GET", "/health"),
    ):
        answers = [await client.request(method, p + path) for p in (BASE_PATH, ALIAS_PATH)]
        assert answers[0].status_code == 200
        assert answers[0].content == answers[1].content


async def test_metrics_count_requests_and_name_nobody(
    client: httpx.AsyncClient, tenant: Tenant
) -> None:
    await client.get(CREDITS)
    await client.get(f"{BASE_PATH}/companies/{tenant.organization_id}")
    text = (await client.get("/metrics")).text
    assert 'sightline_requests_total{operation="read_credits",status="200"} 1.0' in text
    assert 'operation="read_company",status="404"' in text
    assert str(tenant.organization_id) not in text
    assert tenant.key not in text


async def test_the_log_names_the_caller_and_not_the_key(
    client: httpx.AsyncClient, tenant: Tenant, capsys: pytest.CaptureFixture[str]
) -> None:
    response = await client.get(CREDITS)
    logged = capsys.readouterr().out
    assert response.headers["x-request-id"] in logged
    assert str(tenant.key_id) in logged
    assert tenant.key not in logged


# Failures


async def test_a_busy_pool_is_503(
    connect: Connect, tenant: Tenant, database_url: str, database: Database
) -> None:
    small = await open_database(database_url, size=1)
    try:
        hasty, client = connect(database=replace(small, wait_seconds=0.05)), connect(database=small)
        hasty.headers["x-api-key"] = client.headers["x-api-key"] = tenant.key
        async with small.connection():
            response = await hasty.get(CREDITS)
            details = refused(response, 503, "temporarily_unavailable")
            assert details["retryable"]
            assert response.headers["retry-after"] == "1"
            health = await hasty.get("/health")
            assert (health.status_code, health.json()["database"]) == (503, "unavailable")
        assert (await client.get(CREDITS)).status_code == 200
        assert (await client.get("/health")).status_code == 200
    finally:
        await small.close()


async def test_a_database_that_went_away_is_503_until_it_is_back(
    connect: Connect, tenant: Tenant, database_url: str, owner: Database
) -> None:
    own = await open_database(database_url, size=2)
    try:
        client = connect(database=own)
        client.headers["x-api-key"] = tenant.key
        assert (await client.get(CREDITS)).status_code == 200
        async with owner.connection() as connection:
            await connection.execute(
                """
                SELECT pg_terminate_backend(pid, 300000) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'sightline sightline_app'
                """
            )
        # The connections are found dead at their next use, and replaced after it.
        statuses = [(await client.get(CREDITS)).status_code for _ in range(6)]
        assert set(statuses) <= {200, 503}
        assert statuses[-1] == 200
    finally:
        await own.close()


async def test_a_statement_that_runs_too_long_is_503(
    connect: Connect, tenant: Tenant, database_url: str, owner: Database
) -> None:
    hasty = await open_database(database_url, size=1, statement_timeout_seconds=0.1)
    try:
        client = connect(database=hasty)
        client.headers["x-api-key"] = tenant.key
        async with owner.tenant(tenant.organization_id) as connection:
            await connection.execute("LOCK TABLE credit_balances IN ACCESS EXCLUSIVE MODE")
            response = await client.get(CREDITS)
        refused(response, 503, "temporarily_unavailable")

        async def is_answered() -> bool:
            return (await client.get(CREDITS)).status_code == 200

        await until(is_answered)
    finally:
        await hasty.close()


async def test_an_unforeseen_failure_is_500_and_tells_nothing(
    connect: Connect, tenant: Tenant, capsys: pytest.CaptureFixture[str]
) -> None:
    client = connect()
    client.headers["x-api-key"] = tenant.key
    with account_search_fails():
        response = await client.post(ACCOUNTS)
        flat = await client.post(ACCOUNTS, headers={"x-error-format": "flat"})
    details = refused(response, 500, "internal_error")
    assert details["retryable"]
    assert "secret" not in response.text
    assert "secret" in capsys.readouterr().out  # the log has it
    refused_flat(flat, 500, "internal_error")
    # The transaction was given back: the next request works.
    assert (await client.get(CREDITS)).status_code == 200


async def test_health_says_what_is_there(anonymous: httpx.AsyncClient) -> None:
    response = await anonymous.get("/health")
    assert json.loads(response.content) == {
        "status": "ok",
        "version": "0.0.0-test",
        "database": "ok",
        "queue": "ok",
    }
    refused(await anonymous.get("/health", params={"a": "b"}), 400, "invalid_request")


async def test_a_sender_that_hangs_up_is_no_failure(
    services: Services, tenant: Tenant, capsys: pytest.CaptureFixture[str]
) -> None:
    sent: list[object] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.disconnect"}

    async def send(message: object) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": f"{BASE_PATH}/accounts", "raw_path": b"",
        "query_string": b"", "root_path": "", "http_version": "1.1", "scheme": "http",
        "headers": [(b"x-api-key", tenant.key.encode()), (b"content-type", b"application/json")],
        "client": ("127.0.0.1", 1), "server": ("sightline.test", 80), "state": {},
    }  # fmt: skip
    await create_server(services)(scope, receive, send)  # type: ignore[arg-type]
    assert sent == []
    logged = capsys.readouterr().out
    assert "request_failed" not in logged
    assert "status=499" in logged


async def test_ready_says_why_it_is_not(
    client: httpx.AsyncClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = await client.get(f"{BASE_PATH}/ready")
    assert (ready.status_code, ready.json()) == (200, {"status": "ok", "reason": None})

    looks = 0

    async def full(_: Database) -> bool:
        nonlocal looks
        looks += 1
        raise DatabaseIsFull

    monkeypatch.setattr(health, "can_write", full)
    kept = await client.get(f"{BASE_PATH}/ready")
    assert (kept.status_code, looks) == (200, 0), "a look writes a file; probes share one"
    services.readiness.clear()  # as its time does
    away = await client.get(f"{BASE_PATH}/ready")
    assert (away.status_code, away.json()["reason"]) == (503, "storage_full")
    assert (await client.get("/health")).status_code == 200
