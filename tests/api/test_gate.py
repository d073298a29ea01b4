"""Who may pass the gate, and how often: keys, scopes, rates."""

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from sightline.api.endpoint import Endpoint
from sightline.api.endpoints import BASE_PATH, ENDPOINTS
from sightline.api.gate import MOST_UNKNOWN_KEYS
from sightline.api.limits import RateLimiter
from sightline.domain.keys import is_well_formed, new_key
from sightline.domain.plans import RATE_LIMITS
from sightline.domain.scopes import grantable_scopes
from sightline.store.database import Database
from sightline.store.keys import KeyDoesNotExist, create_key, revoke_key, rotate_key
from tests.api.answers import refused, refused_flat
from tests.api.conftest import Connect
from tests.conftest import MakeTenant, Tenant

ACCOUNTS = f"{BASE_PATH}/accounts"
CREDITS = f"{BASE_PATH}/organization/credits"


@dataclass
class Clock:
    """Replaces `time` in the gate, and moves on request."""

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


async def _new_key(database: Database, tenant: Tenant, **options: Any) -> str:
    async with database.tenant(tenant.organization_id) as connection:
        made = await create_key(
            connection, user_id=tenant.user_id, name="further", **{"scopes": ["*"]} | options
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


async def test_guessing_keys_is_slowed_down(connect: Connect, tenant: Tenant, clock: Clock) -> None:
    here, elsewhere = connect("192.0.2.7"), connect("192.0.2.8")
    assert await _status(here, tenant.key) == 200
    tried = [await _status(here, new_key()) for _ in range(MOST_UNKNOWN_KEYS + 1)]
    assert tried == [401] * MOST_UNKNOWN_KEYS + [429]
    assert await _status(here, tenant.key) == 200, "known callers continue"
    assert await _status(elsewhere, new_key()) == 401
    clock.ahead += 60
    assert await _status(here, new_key()) == 401


async def test_all_addresses_of_one_machine_are_slowed_down_together(connect: Connect) -> None:
    client = connect(trust_proxy=True)

    async def guess(address: str) -> int:
        headers = {"x-api-key": new_key(), "x-forwarded-for": address}
        return (await client.get(CREDITS, headers=headers)).status_code

    tried = [await guess(f"2001:db8:1:2::{number:x}") for number in range(MOST_UNKNOWN_KEYS)]
    assert tried == [401] * MOST_UNKNOWN_KEYS
    assert await guess("2001:db8:1:2:ffff::1") == 429
    assert await guess("2001:db8:1:3::1") == 401


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
        await revoke_key(connection, tenant.key_id)
        await revoke_key(connection, tenant.key_id)
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
            await revoke_key(connection, tenant.key_id)
        with pytest.raises(KeyDoesNotExist):
            await rotate_key(connection, tenant.key_id, overlap=timedelta(hours=1))
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
        made = await rotate_key(connection, tenant.key_id, overlap=timedelta(hours=1))
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
        made = await rotate_key(connection, tenant.key_id, overlap=timedelta(0))
    response = await client.get(CREDITS, headers={"x-api-key": made.key})
    refused_flat(response, 403, "missing_scope")
    assert response.headers["x-ratelimit-limit"] == "7"
    assert await _status(client, tenant.key) == 401


async def test_a_key_is_not_stored(tenant: Tenant, database: Database) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        (row,) = await connection.fetch("SELECT * FROM api_keys")
        (index,) = await connection.fetch(
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


def must_be_told(endpoint: Endpoint) -> bool:
    """Whether an operation needs a body, or a parameter beside those of its path."""
    return endpoint.body_required or any(
        field.is_required() and f"{{{name}}}" not in endpoint.path
        for name, field in endpoint.params.model_fields.items()
    )


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: e.name)
async def test_each_scope_opens_its_operations_alone(
    endpoint: Endpoint, client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    path = BASE_PATH + re.sub(r"{\w+}", lambda _: str(uuid4()), endpoint.path)
    for scope in grantable_scopes():
        key = await _new_key(database, tenant, scopes=[scope])
        response = await client.request(endpoint.method, path, headers={"x-api-key": key})
        opens = {"*", *endpoint.scopes, *(f"{s.split(':')[0]}:*" for s in endpoint.scopes)}
        if scope in opens:
            # Past the scope, an operation with required input says what it lacks.
            passed = {endpoint.status, 404} | ({400} if must_be_told(endpoint) else set())
            assert response.status_code in passed, scope
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
    asked_at = time.time()
    response = await anonymous.get(CREDITS, headers={"x-api-key": tenant.key})
    limit = {"free": 60, "team": 600, "enterprise": 6000}[plan]
    assert response.headers["x-ratelimit-limit"] == str(limit)
    assert response.headers["x-ratelimit-remaining"] == str(limit - 1)
    reset = int(response.headers["x-ratelimit-reset"])
    assert asked_at < reset <= time.time() + 61


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
