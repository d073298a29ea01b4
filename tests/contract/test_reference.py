"""Every row of the reference holds, in the endpoint table, in OpenAPI and in real answers."""

import json
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.api.endpoints import ALIAS_PATH, BASE_PATH, ENDPOINTS, PUBLIC_ENDPOINTS
from sightline.api.errors import STATUSES
from sightline.api.openapi import openapi_bytes
from sightline.api.server import create_server
from sightline.domain.errors import REFUSALS
from sightline.domain.scopes import SCOPES as KNOWN_SCOPES
from sightline.store.credits import grant
from sightline.store.database import Database
from tests.api.accounts_data import FULL_RECORD, Added, add_accounts
from tests.conftest import MakeTenant, Tenant
from tests.contract.rows import (
    BUILT,
    ERROR_STATUSES,
    OPERATIONS,
    RATE_HEADERS,
    SCOPES,
    WAITING,
    Field,
    Operation,
    Parameter,
)

OPENAPI = json.loads(openapi_bytes("0.0.0-test"))
JSON_KINDS = {"uuid": "string", "uri": "string", "date-time": "string"}
PYTHON: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
}
each_built = pytest.mark.parametrize("operation", BUILT, ids=lambda o: o.id)
each_keyed = pytest.mark.parametrize("operation", [o for o in BUILT if o.scope], ids=lambda o: o.id)


def concrete(operation: Operation, company_id: object = None) -> str:
    """The path with real values for its placeholders."""
    return BASE_PATH + re.sub(r"{\w+}", str(company_id or uuid4()), operation.path)


@pytest.fixture
async def added(tenant: Tenant, database: Database) -> list[Added]:
    """One account with every value, one with none but its name, and some credits."""
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, tenant.organization_id, credit="company", amount=5, reason="test")
    return await add_accounts(
        database, tenant.organization_id, [FULL_RECORD, {"company_name": "Bare"}]
    )


# The table


def test_the_table_has_the_built_rows_and_no_others() -> None:
    in_table = {(e.method, e.path) for e in (*ENDPOINTS, *PUBLIC_ENDPOINTS)}
    assert in_table == {(o.method, o.path) for o in BUILT}, "a new operation needs its row"
    assert len({o.id for o in OPERATIONS}) == len(OPERATIONS)


@each_built
def test_scope_maturity_and_status(operation: Operation) -> None:
    (endpoint,) = [
        e
        for e in (*ENDPOINTS, *PUBLIC_ENDPOINTS)
        if (e.method, e.path) == (operation.method, operation.path)
    ]
    scopes = getattr(endpoint, "scopes", ())
    assert scopes == ((operation.scope,) if operation.scope else ())
    assert endpoint.maturity == operation.maturity
    assert getattr(endpoint, "status", 200) == operation.success


async def test_what_is_not_built_is_404(client: httpx.AsyncClient) -> None:
    """The rows that wait: this list shrinks as they are built, and is printed with -s."""
    answered = {}
    for operation in WAITING:
        response = await client.request(operation.method, concrete(operation), json=None)
        answered[operation.id] = (response.status_code, response.json()["error"]["code"])
    print(f"{len(WAITING)} of {len(OPERATIONS)} operations are not built:", *answered, sep="\n  ")
    assert set(answered.values()) <= {(404, "path_not_found"), (405, "method_not_allowed")}
    in_table = {(e.method, e.path) for e in ENDPOINTS}
    assert not [o.id for o in WAITING if (o.method, o.path) in in_table], "set built=True"
    assert {o.scope for o in OPERATIONS if o.scope} <= set(SCOPES)


def test_every_scope_of_the_reference_exists() -> None:
    assert set(KNOWN_SCOPES) == set(SCOPES)


# Parameters


@each_built
def test_parameters_in_openapi(operation: Operation) -> None:
    assert set(_described_parameters(operation)) == {p.name for p in operation.parameters}
    for parameter in operation.parameters:
        described = _described_parameters(operation)[parameter.name]
        kinds = _kinds(described["schema"])
        assert JSON_KINDS.get(parameter.kind, parameter.kind) in kinds, parameter.name
        assert described["required"] == parameter.required
        if parameter.default is not None:
            assert described["schema"]["default"] == parameter.default
        if parameter.largest is not None:
            assert described["schema"]["maximum"] == parameter.largest
        if parameter.kind == "uuid":
            assert described["schema"]["format"] == "uuid"


def _described_parameters(operation: Operation) -> dict[str, dict[str, Any]]:
    described = OPENAPI["paths"][operation.path][operation.method.lower()]
    found = {
        p["name"]: {"schema": p["schema"], "required": p.get("required", False)}
        for p in map(_resolve, described.get("parameters", []))
        if p["in"] in ("path", "query")
    }
    if "requestBody" in described:
        schema = _resolve(described["requestBody"]["content"]["application/json"]["schema"])
        for name, inner in schema["properties"].items():
            found[name] = {"schema": inner, "required": name in schema.get("required", ())}
    return found


def _resolve(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        part: Any = OPENAPI
        for name in schema["$ref"].removeprefix("#/").split("/"):
            part = part[name]
        schema = part
    return schema


def _kinds(schema: dict[str, Any]) -> set[str]:
    schema = _resolve(schema)
    if "anyOf" in schema:
        return set().union(*(_kinds(option) for option in schema["anyOf"]))
    kind = schema.get("type", [])
    kinds = {kind} if isinstance(kind, str) else set(kind)
    if not kinds and "enum" in schema:
        kinds = {"string"}
    return kinds | ({"number"} if "integer" in kinds else set())


@pytest.mark.parametrize(
    ("operation", "parameter"),
    [(o, p) for o in BUILT for p in o.parameters if p.largest is not None],
    ids=lambda row: getattr(row, "id", None) or row.name,
)
async def test_limits(
    client: httpx.AsyncClient, operation: Operation, parameter: Parameter
) -> None:
    assert parameter.largest is not None
    for value, status in ((parameter.largest, 200), (parameter.largest + 1, 400)):
        response = await _send(client, operation, {parameter.name: value})
        assert response.status_code == status
    assert str(parameter.largest) in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("operation", "parameter"),
    [(o, p) for o in BUILT for p in o.parameters if p.name in ("page", "per_page", "offset")],
    ids=lambda row: getattr(row, "id", None) or row.name,
)
async def test_defaults(
    client: httpx.AsyncClient, operation: Operation, parameter: Parameter
) -> None:
    for given in ({}, {parameter.name: parameter.default}):
        answer = (await _send(client, operation, given)).json()
        told = answer["pagination"].get(
            parameter.name, answer.get("request", {}).get(parameter.name)
        )
        assert told == parameter.default


async def _send(
    client: httpx.AsyncClient, operation: Operation, given: dict[str, Any]
) -> httpx.Response:
    in_body = {p.name for p in operation.parameters if p.place == "body"}
    body = {name: value for name, value in given.items() if name in in_body}
    query = {name: value for name, value in given.items() if name not in in_body}
    return await client.request(
        operation.method, concrete(operation), params=query, json=body or None
    )


# Answers


@each_built
def test_fields_in_openapi(operation: Operation) -> None:
    described = OPENAPI["paths"][operation.path][operation.method.lower()]
    answer = described["responses"][str(operation.success)]
    schema = _resolve(answer["content"]["application/json"]["schema"])
    _check_schema(schema, operation.fields, operation.id)


def _check_schema(schema: dict[str, Any], fields: Iterable[Field], where: str) -> None:
    fields = tuple(fields)
    assert set(schema["properties"]) == {field.name for field in fields}, where
    for field in fields:
        place = f"{where} {field.name}"
        inner = schema["properties"][field.name]
        kinds = _kinds(inner)
        assert JSON_KINDS.get(field.kind, field.kind) in kinds, place
        assert ("null" in kinds) == field.nullable, place
        if field.required:
            assert field.name in schema["required"], place
        if field.kind in JSON_KINDS:
            assert f"'format': '{field.kind}'" in str(_resolve(inner)), place
        if field.inner:
            target = _resolve(inner)
            target = _resolve(target["items"]) if field.kind == "array" else target
            _check_schema(target, field.inner, place)


@each_built
async def test_fields_of_real_answers(
    client: httpx.AsyncClient, added: list[Added], operation: Operation
) -> None:
    for each in added:
        response = await client.request(operation.method, concrete(operation, each.company_id))
        assert response.status_code == operation.success
        assert response.headers["content-type"] == "application/json"
        _check_value(response.json(), operation.fields, operation.id)


def _check_value(value: dict[str, Any], fields: Iterable[Field], where: str) -> None:
    by_name = {field.name: field for field in fields}
    assert set(value) <= set(by_name), where
    for name, field in by_name.items():
        place = f"{where} {name}"
        if name not in value:
            assert not field.required, place
            continue
        content = value[name]
        if content is None:
            assert field.nullable, place
            continue
        assert isinstance(content, PYTHON[JSON_KINDS.get(field.kind, field.kind)]), place
        assert field.kind == "boolean" or not isinstance(content, bool), place
        _check_form(content, field.kind, place)
        if field.kind == "array":
            assert content, f"{place}: an empty list proves nothing"
            for element in content:
                if field.of:
                    assert isinstance(element, PYTHON[field.of]), place
                elif field.inner:
                    _check_value(element, field.inner, place)
        elif field.inner:
            _check_value(content, field.inner, place)


def _check_form(content: Any, kind: str, place: str) -> None:
    if kind == "uuid":
        assert str(UUID(content)) == content, place
    elif kind == "uri":
        assert urlsplit(content).scheme in ("http", "https"), place
    elif kind == "date-time":
        assert content.endswith("Z"), place
        assert datetime.fromisoformat(content).utcoffset() is not None, place


async def test_a_full_record_fills_every_field(
    client: httpx.AsyncClient, added: list[Added]
) -> None:
    items = (await client.post(f"{BASE_PATH}/accounts")).json()["items"]
    (full,) = [item for item in items if item["id"] == str(added[0].account_id)]
    assert None not in full.values()
    (operation,) = [o for o in BUILT if o.path == "/accounts"]
    assert set(full) == {field.name for field in operation.fields[0].inner}


# Statuses and headers


@each_built
async def test_every_status_of_the_reference_is_documented_and_given(
    client: httpx.AsyncClient, services: Services, operation: Operation, database: Database,
    tenant: Tenant, make_tenant: MakeTenant,
) -> None:  # fmt: skip
    described = OPENAPI["paths"][operation.path][operation.method.lower()]["responses"]
    wanted = operation.statuses - operation.never
    assert {str(status) for status in wanted} | {str(operation.success)} <= set(described)
    assert not {str(status) for status in operation.never} & set(described)
    for status in sorted(wanted):
        response = await PRODUCERS[status](operation, client, services, make_tenant)
        assert response.status_code == status, f"{operation.id} {status}"
        error = response.json()
        if operation.path == "/health":
            continue  # its 503 is a health report
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
    return await client.request(operation.method, concrete(operation))


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
            raise RuntimeError("as nobody foresaw")

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


@each_keyed
async def test_the_key_is_read_from_its_header_in_any_case(
    anonymous: httpx.AsyncClient, tenant: Tenant, added: list[Added], operation: Operation
) -> None:
    path = concrete(operation, added[0].company_id)
    for name in ("x-api-key", "X-Api-Key", "X-API-KEY"):
        response = await anonymous.request(operation.method, path, headers={name: tenant.key})
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
