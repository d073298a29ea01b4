"""The way of a request to its handler: key, scope, rate, idempotency, and what every answer has."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api.endpoint import Endpoint, Services
from sightline.api.endpoints import ALIAS_PATH, BASE_PATH, ENDPOINTS
from sightline.api.limits import RateLimiter
from sightline.api.server import create_server
from sightline.domain.callers import KeyId
from sightline.domain.keys import is_well_formed, new_key
from sightline.domain.plans import RATE_LIMITS
from sightline.domain.scopes import grantable_scopes
from sightline.store.accounts import CountCache
from sightline.store.database import Database, open_database
from sightline.store.idempotency import claim, delete_expired
from sightline.store.keys import KeyDoesNotExist, create_key, revoke_key, rotate_key
from tests.api.answers import refused, refused_flat
from tests.conftest import MakeTenant, Tenant

ACCOUNTS = f"{BASE_PATH}/accounts"
CREDITS = f"{BASE_PATH}/organization/credits"
Connect = Callable[..., httpx.AsyncClient]


@dataclass
class Clock:
    """Stands for `time` in the gate, and moves when told."""

    ahead: float = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead

    def time(self) -> float:
        return time.time() + self.ahead


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("sightline.api.gate.time", made)
    return made


@pytest.fixture
async def connect(services: Services) -> AsyncIterator[Connect]:
    """Clients of the application with other services, or from another address."""
    clients: list[httpx.AsyncClient] = []

    def make(address: str = "127.0.0.1", **changed: Any) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(
            app=create_server(replace(services, **changed)),
            client=(address, 50_000),
            raise_app_exceptions=False,
        )
        clients.append(httpx.AsyncClient(transport=transport, base_url="http://sightline.test"))
        return clients[-1]

    yield make
    for client in clients:
        await client.aclose()


async def _new_key(database: Database, tenant: Tenant, **options: Any) -> str:
    async with database.tenant(tenant.organization_id) as connection:
        made = await create_key(
            connection,
            tenant.organization_id,
            user_id=tenant.user_id,
            name="further",
            **{"scopes": ["*"]} | options,
        )
    return made.key


async def _status(client: httpx.AsyncClient, key: str) -> int:
    return (await client.get(CREDITS, headers={"x-api-key": key})).status_code


# Keys


async def test_no_key_is_401(anonymous: httpx.AsyncClient) -> None:
    response = await anonymous.get(CREDITS)
    refused(response, 401, "missing_api_key")
    assert response.headers["www-authenticate"] == "ApiKey"
    assert "x-ratelimit-limit" not in response.headers


async def test_an_unknown_key_is_401(anonymous: httpx.AsyncClient) -> None:
    key = new_key()
    assert is_well_formed(key)
    refused(await anonymous.get(CREDITS, headers={"x-api-key": key}), 401, "invalid_api_key")


async def test_a_mistyped_key_is_401(client: httpx.AsyncClient, tenant: Tenant) -> None:
    for position in range(0, len(tenant.key), 7):
        letter = "a" if tenant.key[position] != "a" else "b"
        mistyped = tenant.key[:position] + letter + tenant.key[position + 1 :]
        assert not is_well_formed(mistyped)
        assert await _status(client, mistyped) == 401
    for almost in (tenant.key + " x", tenant.key[:-1], tenant.key + "0", tenant.key.upper()):
        assert await _status(client, almost) == 401


async def test_a_revoked_key_is_refused_within_a_second(
    client: httpx.AsyncClient, tenant: Tenant, database: Database, clock: Clock
) -> None:
    assert await _status(client, tenant.key) == 200
    async with database.tenant(tenant.organization_id) as connection:
        await revoke_key(connection, tenant.organization_id, tenant.key_id)
        await revoke_key(connection, tenant.organization_id, tenant.key_id)
    clock.ahead += 0.99
    refused(await client.get(CREDITS), 401, "invalid_api_key")


async def test_a_new_key_works_at_once_even_after_a_refusal(
    client: httpx.AsyncClient, tenant: Tenant, database: Database, clock: Clock
) -> None:
    key = await _new_key(database, tenant)
    assert await _status(client, key) == 200


async def test_only_own_keys_are_revoked(
    make_tenant: MakeTenant, tenant: Tenant, database: Database, client: httpx.AsyncClient
) -> None:
    other = await make_tenant("other")
    async with database.tenant(other.organization_id) as connection:
        with pytest.raises(KeyDoesNotExist):
            await revoke_key(connection, other.organization_id, tenant.key_id)
        with pytest.raises(KeyDoesNotExist):
            await rotate_key(
                connection, other.organization_id, tenant.key_id, overlap=timedelta(hours=1)
            )
    assert await _status(client, tenant.key) == 200


async def test_an_expired_key_is_refused(
    client: httpx.AsyncClient, tenant: Tenant, database: Database, clock: Clock
) -> None:
    now = datetime.now(UTC)
    past = await _new_key(database, tenant, expires_at=now - timedelta(seconds=1))
    assert await _status(client, past) == 401
    future = await _new_key(database, tenant, expires_at=now + timedelta(hours=1))
    assert await _status(client, future) == 200
    await _expire_all(database, tenant)
    clock.ahead += 0.99
    assert await _status(client, future) == 401


async def test_a_key_does_not_outlive_its_expiry_in_the_cache(
    client: httpx.AsyncClient,
    tenant: Tenant,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expires_at = datetime.now(UTC) + timedelta(hours=1)
    key = await _new_key(database, tenant, expires_at=expires_at)
    assert await _status(client, key) == 200

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Later":
            return cls.fromtimestamp(expires_at.timestamp(), tz)

    monkeypatch.setattr("sightline.api.gate.datetime", Later)
    assert await _status(client, key) == 401


async def _expire_all(database: Database, tenant: Tenant) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        await connection.execute(
            "UPDATE api_keys SET expires_at = now() - interval '1 minute' WHERE expires_at > now()"
        )


async def test_a_rotated_key_overlaps_the_new_one(
    client: httpx.AsyncClient, tenant: Tenant, database: Database, clock: Clock
) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        made = await rotate_key(
            connection, tenant.organization_id, tenant.key_id, overlap=timedelta(hours=1)
        )
    assert made.key != tenant.key
    assert [await _status(client, key) for key in (tenant.key, made.key)] == [200, 200]
    await _expire_all(database, tenant)
    clock.ahead += 0.99
    assert [await _status(client, key) for key in (tenant.key, made.key)] == [401, 200]


async def test_rotation_keeps_the_limits_of_a_key(
    client: httpx.AsyncClient, make_tenant: MakeTenant, database: Database
) -> None:
    tenant = await make_tenant("narrow", scopes=["accounts:read"], rate_limit=7, flat_errors=True)
    async with database.tenant(tenant.organization_id) as connection:
        made = await rotate_key(
            connection, tenant.organization_id, tenant.key_id, overlap=timedelta(0)
        )
    response = await client.get(CREDITS, headers={"x-api-key": made.key})
    refused_flat(response, 403, "missing_scope")
    assert response.headers["x-ratelimit-limit"] == "7"
    assert await _status(client, tenant.key) == 401


async def test_a_key_is_not_stored(tenant: Tenant, database: Database) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        row = await connection.fetchrow("SELECT * FROM api_keys")
        index = await connection.fetchrow(
            "SELECT * FROM key_index WHERE key_id = $1", tenant.key_id
        )
    assert row["prefix"] == tenant.key[:14]
    assert len(row["digest"]) == 32
    stored = repr(dict(row)) + repr(dict(index))
    assert tenant.key not in stored
    assert tenant.key[14:] not in stored


async def test_the_use_of_a_key_is_recorded_once_a_minute(
    client: httpx.AsyncClient, tenant: Tenant, database: Database, clock: Clock
) -> None:
    async def last_used() -> datetime | None:
        async with database.tenant(tenant.organization_id) as connection:
            found: datetime | None = await connection.fetchval("SELECT last_used_at FROM api_keys")
        return found

    assert await last_used() is None
    await client.get(CREDITS)
    first = await last_used()
    clock.ahead += 0.99
    await client.get(CREDITS)
    assert first is not None
    assert await last_used() == first


@pytest.mark.parametrize(
    ("networks", "address", "status"),
    [
        (["10.0.0.0/8"], "10.1.2.3", 200),
        (["10.0.0.0/8"], "11.1.2.3", 401),
        (["192.0.2.7"], "192.0.2.7", 200),
        (["192.0.2.7"], "192.0.2.8", 401),
        (["10.0.0.1/8"], "10.9.9.9", 200),
        (["192.0.2.0/24", "2001:db8::/32"], "2001:db8::1", 200),
        (["2001:db8::/32"], "2001:db9::1", 401),
        (["2001:db8::/32"], "10.0.0.1", 401),
        (["10.0.0.0/8"], "::ffff:10.1.2.3", 200),
        (["0.0.0.0/0"], "not an address", 401),
    ],
)
async def test_a_key_may_be_bound_to_networks(
    connect: Connect,
    tenant: Tenant,
    database: Database,
    networks: list[str],
    address: str,
    status: int,
) -> None:
    key = await _new_key(database, tenant, allowed_networks=networks)
    assert await _status(connect(address), key) == status
    assert await _status(connect(address), tenant.key) == 200


async def test_a_network_that_is_none_is_refused_when_the_key_is_made(
    tenant: Tenant, database: Database
) -> None:
    with pytest.raises(ValueError, match="not appear to be"):
        await _new_key(database, tenant, allowed_networks=["10.0.0.0/99"])


async def test_a_forwarded_address_counts_behind_our_own_proxy_alone(
    connect: Connect, tenant: Tenant, database: Database
) -> None:
    key = await _new_key(database, tenant, allowed_networks=["10.0.0.0/8"])
    direct, proxied = connect("192.0.2.1"), connect("192.0.2.1", trust_proxy=True)
    for client, forwarded, status in (
        (direct, "10.1.1.1", 401),
        (proxied, "10.1.1.1", 200),
        (proxied, "192.0.2.9, 10.1.1.1", 200),
        (proxied, "10.1.1.1, 192.0.2.9", 401),
        (proxied, "10.1.1.1, nonsense", 401),
    ):
        headers = {"x-api-key": key, "x-forwarded-for": forwarded}
        assert (await client.get(CREDITS, headers=headers)).status_code == status


# Scopes


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: e.name)
async def test_each_scope_opens_its_operations_alone(
    endpoint: Endpoint, client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    path = BASE_PATH + endpoint.path.replace("{company_id}", str(uuid4()))
    for scope in grantable_scopes():
        key = await _new_key(database, tenant, scopes=[scope])
        response = await client.request(endpoint.method, path, headers={"x-api-key": key})
        opens = {"*", *endpoint.scopes, *(f"{s.split(':')[0]}:*" for s in endpoint.scopes)}
        if scope in opens:
            assert response.status_code in (200, 404), scope
        else:
            details = refused(response, 403, "missing_scope")
            assert details["required_scope"] == endpoint.scopes[0]
            assert not details["retryable"]


async def test_scopes_add_up(client: httpx.AsyncClient, tenant: Tenant, database: Database) -> None:
    key = await _new_key(database, tenant, scopes=["accounts:read", "org_settings:read"])
    none = await _new_key(database, tenant, scopes=[])
    for path, method in ((ACCOUNTS, "POST"), (CREDITS, "GET")):
        for each, status in ((key, 200), (none, 403)):
            response = await client.request(method, path, headers={"x-api-key": each})
            assert response.status_code == status


# Rates


@pytest.mark.parametrize("plan", sorted(RATE_LIMITS))
async def test_the_plan_sets_the_rate(
    plan: str, anonymous: httpx.AsyncClient, make_tenant: MakeTenant
) -> None:
    tenant = await make_tenant("planned", plan=plan)
    response = await anonymous.get(CREDITS, headers={"x-api-key": tenant.key})
    limit = {"free": 60, "team": 600, "enterprise": 6000}[plan]
    assert response.headers["x-ratelimit-limit"] == str(limit)
    assert response.headers["x-ratelimit-remaining"] == str(limit - 1)
    reset = int(response.headers["x-ratelimit-reset"])
    assert time.time() < reset <= time.time() + 61


async def test_a_request_over_the_rate_is_429(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    key = await _new_key(database, tenant, rate_limit=2)
    headers = {"x-api-key": key}
    left = []
    for _ in range(2):
        response = await client.get(CREDITS, headers=headers)
        assert response.status_code == 200
        left.append(response.headers["x-ratelimit-remaining"])
    assert left == ["1", "0"]
    response = await client.get(CREDITS, headers=headers)
    details = refused(response, 429, "rate_limit_exceeded")
    assert details["retryable"]
    assert 1 <= details["retry_after"] <= 61
    assert response.headers["x-ratelimit-remaining"] == "0"
    assert await _status(client, tenant.key) == 200


async def test_every_authenticated_answer_tells_the_rate(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    narrow = await _new_key(database, tenant, scopes=["jobs:read"])
    for response in (
        await client.post(ACCOUNTS),
        await client.post(ACCOUNTS, content=b"{"),
        await client.get(f"{BASE_PATH}/companies/{uuid4()}"),
        await client.get(CREDITS, headers={"x-api-key": narrow}),
    ):
        for name in ("limit", "remaining", "reset"):
            assert response.headers[f"x-ratelimit-{name}"].isdigit()


async def test_refused_requests_count_too(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    key = await _new_key(database, tenant, scopes=["jobs:read"], rate_limit=5)
    left = [
        (await client.get(CREDITS, headers={"x-api-key": key})).headers["x-ratelimit-remaining"]
        for _ in range(2)
    ]
    assert left == ["4", "3"]


async def test_several_processes_share_the_rate(
    connect: Connect, tenant: Tenant, database: Database
) -> None:
    key = await _new_key(database, tenant, rate_limit=5)
    for redis_url in (None, "redis://127.0.0.1:9"):  # nothing listens there: requests go on
        client = connect(limiter=RateLimiter(redis_url=redis_url, processes=2))
        assert [await _status(client, key) for _ in range(3)] == [200, 200, 429]


# Idempotency


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
        assert await claim(connection, tenant.key_id, "a")
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
    worker = await open_database(database_url, role="sightline_worker", size=1, wait_seconds=10)
    try:
        assert await delete_expired(worker) >= 1
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


# Error shapes, ids and headers


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
        assert response.headers["cache-control"] == "no-store"
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
    small = await open_database(database_url, size=1, wait_seconds=0.05)
    try:
        client = connect(database=small)
        client.headers["x-api-key"] = tenant.key
        async with small.connection():
            response = await client.get(CREDITS)
            details = refused(response, 503, "temporarily_unavailable")
            assert details["retryable"]
            assert response.headers["retry-after"] == "1"
            health = await client.get("/health")
            assert (health.status_code, health.json()["database"]) == (503, "unavailable")
        assert (await client.get(CREDITS)).status_code == 200
        assert (await client.get("/health")).status_code == 200
    finally:
        await small.close()


async def test_a_database_that_went_away_is_503_until_it_is_back(
    connect: Connect, tenant: Tenant, database_url: str, owner: Database
) -> None:
    own = await open_database(database_url, size=2, wait_seconds=0.5)
    try:
        client = connect(database=own)
        client.headers["x-api-key"] = tenant.key
        assert (await client.get(CREDITS)).status_code == 200
        async with owner.connection() as connection:
            await connection.execute(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
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
    hasty = await open_database(database_url, size=2, wait_seconds=5, statement_timeout_seconds=0.1)
    try:
        client = connect(database=hasty)
        client.headers["x-api-key"] = tenant.key
        assert (await client.get(CREDITS)).status_code == 200
        async with owner.tenant(tenant.organization_id) as connection:
            await connection.execute("LOCK TABLE credit_balances IN ACCESS EXCLUSIVE MODE")
            response = await client.get(CREDITS)
        refused(response, 503, "temporarily_unavailable")
        assert (await client.get(CREDITS)).status_code == 200
    finally:
        await hasty.close()


class BrokenCounts(CountCache):
    """Fails as nobody foresaw."""

    def get(self, key: tuple[Any, ...]) -> Any:
        raise RuntimeError("a secret of the inside")


async def test_an_unforeseen_failure_is_500_and_tells_nothing(
    connect: Connect, tenant: Tenant, capsys: pytest.CaptureFixture[str]
) -> None:
    client = connect(counts=BrokenCounts())
    client.headers["x-api-key"] = tenant.key
    response = await client.post(ACCOUNTS)
    details = refused(response, 500, "internal_error")
    assert details["retryable"]
    assert "secret" not in response.text
    assert "secret" in capsys.readouterr().out  # the log has it
    flat = await client.post(ACCOUNTS, headers={"x-error-format": "flat"})
    refused_flat(flat, 500, "internal_error")
    # The transaction was given back: the next request works.
    assert (await client.get(CREDITS)).status_code == 200


async def test_a_failure_keeps_nothing_under_its_idempotency_key(
    connect: Connect, client: httpx.AsyncClient, tenant: Tenant
) -> None:
    broken = connect(counts=BrokenCounts())
    broken.headers["x-api-key"] = tenant.key
    assert (await _post(broken, "a")).status_code == 500
    answer = await _post(client, "a")
    assert answer.status_code == 200
    assert "idempotent-replayed" not in answer.headers


async def test_health_says_what_is_there(anonymous: httpx.AsyncClient) -> None:
    response = await anonymous.get("/health")
    assert json.loads(response.content) == {
        "status": "ok",
        "version": "0.0.0-test",
        "database": "ok",
        "queue": "ok",
    }
    refused(await anonymous.get("/health", params={"a": "b"}), 400, "invalid_request")


def test_a_key_id_is_not_a_key() -> None:
    assert not is_well_formed(str(KeyId(uuid4())))
