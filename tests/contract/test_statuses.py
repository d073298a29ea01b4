"""Every status, header and error shape of the reference, produced by real requests."""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.api.endpoints import ALIAS_PATH, BASE_PATH, ENDPOINTS
from sightline.api.errors import STATUSES
from sightline.api.openapi import openapi_bytes
from sightline.api.server import create_server
from sightline.domain.errors import REFUSALS
from sightline.store.database import Database
from tests.api.accounts_data import Added, add_accounts
from tests.api.foreign_bodies import BODIES
from tests.conftest import MakeTenant, Tenant
from tests.contract.rows import (
    ERROR_STATUSES,
    OPERATIONS,
    RATE_HEADERS,
    Operation,
    concrete,
)

OPENAPI = json.loads(openapi_bytes("0.0.0-test"))
each_built = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.id)
each_keyed = pytest.mark.parametrize(
    "operation", [o for o in OPERATIONS if o.scope], ids=lambda o: o.id
)
each_of_a_company = pytest.mark.parametrize(
    "operation", [o for o in OPERATIONS if o.scope and not o.world], ids=lambda o: o.id
)
NAMES = {(e.method, e.path): e for e in ENDPOINTS}


@each_built
async def test_every_status_of_the_reference_is_documented_and_given(
    client: httpx.AsyncClient, services: Services, operation: Operation, database: Database,
    tenant: Tenant, make_tenant: MakeTenant,
) -> None:  # fmt: skip
    described = OPENAPI["paths"][operation.path][operation.method.lower()]["responses"]
    wanted = operation.statuses | {operation.success}
    assert {str(status) for status in wanted} <= set(described)
    for status in sorted(operation.statuses):
        response = await PRODUCERS[status](operation, client, services, make_tenant)
        assert response.status_code == status, f"{operation.id} {status}"
        error = response.json()
        if operation.path in ("/health", "/ready"):
            continue  # their 503 is a report of their own
        assert error["error"]["type"] == ERROR_STATUSES[status]
        assert UUID(response.headers["x-request-id"])


Producer = Callable[[Operation, httpx.AsyncClient, Services, MakeTenant], Awaitable[httpx.Response]]


async def _bad_input(
    operation: Operation, client: httpx.AsyncClient, services: Services, make: MakeTenant
) -> httpx.Response:
    return await client.request(operation.method, concrete(operation), params={"nonsense": "1"})


async def _no_key(
    operation: Operation, client: httpx.AsyncClient, services: Services, make: MakeTenant
) -> httpx.Response:
    return await client.request(
        operation.method, concrete(operation), headers={"x-api-key": "wrong"}
    )


async def _no_scope(
    operation: Operation, client: httpx.AsyncClient, services: Services, make: MakeTenant
) -> httpx.Response:
    tenant = await make("scopeless", scopes=["tasks:write"])
    return await client.request(
        operation.method, concrete(operation), headers={"x-api-key": tenant.key}
    )


async def _missing(
    operation: Operation, client: httpx.AsyncClient, services: Services, make: MakeTenant
) -> httpx.Response:
    endpoint = NAMES[operation.method, operation.path]
    body = BODIES.get(endpoint.name) if endpoint.body is not None else None
    text = re.sub(r"\{\w*_id\}", str(uuid4()), json.dumps(body))
    return await client.request(
        operation.method, concrete(operation), json=None if body is None else json.loads(text)
    )


async def _no_credits(
    operation: Operation, client: httpx.AsyncClient, services: Services, make: MakeTenant
) -> httpx.Response:
    tenant = await make("poor")
    [poor] = await add_accounts(
        services.database, tenant.organization_id, [{"company_name": "Poor"}]
    )
    return await client.request(
        operation.method,
        concrete(operation, poor.company_id),
        params={"live": "true"},
        headers={"x-api-key": tenant.key},
    )


async def _too_often(
    operation: Operation, client: httpx.AsyncClient, services: Services, make: MakeTenant
) -> httpx.Response:
    tenant = await make("hasty", rate_limit=1)
    for _ in range(2):
        response = await client.request(
            operation.method, concrete(operation), headers={"x-api-key": tenant.key}
        )
    return response


async def _broken(
    operation: Operation, client: httpx.AsyncClient, services: Services, make: MakeTenant
) -> httpx.Response:
    class Broken:
        async def hit(self, *_: Any) -> Any:
            raise RuntimeError("unforeseen")

    return await _with_services(operation, client, replace(services, limiter=Broken()))  # type: ignore[arg-type]


async def _away(
    operation: Operation, client: httpx.AsyncClient, services: Services, make: MakeTenant
) -> httpx.Response:
    hasty = Database(pool=services.database.pool, wait_seconds=0.01)
    held = [await services.database.pool.acquire() for _ in range(8)]
    try:
        return await _with_services(operation, client, replace(services, database=hasty))
    finally:
        for connection in held:
            await services.database.pool.release(connection)


async def _with_services(
    operation: Operation, client: httpx.AsyncClient, services: Services
) -> httpx.Response:
    transport = httpx.ASGITransport(app=create_server(services), raise_app_exceptions=False)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://sightline.test", headers=client.headers
    ) as changed:
        return await changed.request(operation.method, concrete(operation))


PRODUCERS: dict[int, Producer] = {
    400: _bad_input,
    401: _no_key,
    402: _no_credits,
    403: _no_scope,
    404: _missing,
    429: _too_often,
    500: _broken,
    503: _away,
}


@each_keyed
async def test_rate_headers(client: httpx.AsyncClient, operation: Operation) -> None:
    response = await client.request(operation.method, concrete(operation))
    for name in RATE_HEADERS:
        assert response.headers[name].isdigit()


@each_of_a_company
async def test_the_key_is_read_from_its_header_in_any_case(
    anonymous: httpx.AsyncClient, tenant: Tenant, added: list[Added], operation: Operation
) -> None:
    path = concrete(operation, added[0].company_id)
    for name in ("x-api-key", "X-Api-Key", "X-API-KEY"):
        response = await anonymous.request(
            operation.method, path, headers={name: tenant.key}, json=operation.sample
        )
        assert response.status_code == operation.success
    for elsewhere in (
        {"headers": {"authorization": f"Bearer {tenant.key}"}},
        {"params": {"x-api-key": tenant.key}},
        {"headers": {"cookie": f"x-api-key={tenant.key}"}},
    ):
        refused = await anonymous.request(operation.method, path, **elsewhere)  # type: ignore[arg-type]
        assert refused.status_code == 401


async def test_health_needs_no_key(anonymous: httpx.AsyncClient) -> None:
    for path in ("/health", f"{BASE_PATH}/health", f"{ALIAS_PATH}/health"):
        assert (await anonymous.get(path)).status_code == 200


# Error shapes


def test_statuses_and_types_of_errors() -> None:
    assert {status: kind for kind, status in STATUSES.items()} == ERROR_STATUSES
    codes = [refusal.code for refusal in REFUSALS]
    assert len(codes) == len(set(codes))
    assert "invalid_uuid" in codes


@each_keyed
@pytest.mark.parametrize("status", [400, 401, 403])
async def test_both_shapes_say_the_same(
    client: httpx.AsyncClient,
    services: Services,
    make_tenant: MakeTenant,
    operation: Operation,
    status: int,
) -> None:
    structured = await PRODUCERS[status](operation, client, services, make_tenant)
    client.headers["x-error-format"] = "flat"
    flat = await PRODUCERS[status](operation, client, services, make_tenant)
    assert flat.status_code == structured.status_code == status
    inner, outer = structured.json()["error"], flat.json()
    assert set(inner) == {"type", "code", "message", "details"}
    assert set(outer) == {"error", "message", "details"}
    assert (outer["error"], outer["message"]) == (inner["code"], inner["message"])
    assert set(outer["details"]) == set(inner["details"])
    for response, details in ((structured, inner["details"]), (flat, outer["details"])):
        assert details["request_id"] == response.headers["x-request-id"]


async def test_an_invalid_identifier(client: httpx.AsyncClient) -> None:
    error = (await client.get(f"{BASE_PATH}/companies/nonsense")).json()["error"]
    assert (error["type"], error["code"]) == ("validation_error", "invalid_uuid")
