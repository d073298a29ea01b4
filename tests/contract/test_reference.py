"""Every row of the reference holds, in the endpoint table, in OpenAPI and in real answers."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import jsonschema_rs
import pytest

from sightline.api.endpoint import Endpoint, PublicEndpoint
from sightline.api.endpoints import BASE_PATH, ENDPOINTS, PUBLIC_ENDPOINTS
from sightline.api.openapi import openapi_bytes
from sightline.domain.scopes import SCOPES as KNOWN_SCOPES
from sightline.store.database import Database
from tests.api.accounts_data import Added
from tests.api.foreign_data import Asker, Side, fill, path_names
from tests.conftest import MakeTenant
from tests.contract.rows import (
    OPERATIONS,
    OWN_SCOPES,
    REFERENCE,
    SCOPES,
    Field,
    Operation,
    Parameter,
    concrete,
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
TABLE: tuple[Endpoint | PublicEndpoint, ...] = (*ENDPOINTS, *PUBLIC_ENDPOINTS)
each_built = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.id)
each_described = pytest.mark.parametrize(
    "operation", [o for o in OPERATIONS if o.parameters or not o.world], ids=lambda o: o.id
)
each_with_fields = pytest.mark.parametrize(
    "operation", [o for o in OPERATIONS if o.fields], ids=lambda o: o.id
)
each_of_a_company = pytest.mark.parametrize(
    "operation", [o for o in OPERATIONS if not o.world], ids=lambda o: o.id
)


# The table


def test_the_table_has_the_built_rows_and_no_others() -> None:
    in_table = {(e.method, e.path) for e in TABLE}
    assert in_table == {(o.method, o.path) for o in OPERATIONS}, "a new operation needs its row"
    assert len({o.id for o in OPERATIONS}) == len(OPERATIONS)


@each_built
def test_scope_maturity_and_status(operation: Operation) -> None:
    (endpoint,) = [e for e in TABLE if (e.method, e.path) == (operation.method, operation.path)]
    scopes = getattr(endpoint, "scopes", ())
    assert scopes == ((operation.scope, *operation.also) if operation.scope else ())
    assert endpoint.maturity == operation.maturity
    assert getattr(endpoint, "status", 200) == operation.success


async def test_what_is_not_built_is_404(client: httpx.AsyncClient) -> None:
    """Nothing of the reference waits; what no one promised is not there."""
    assert {(o.method, o.path) for o in REFERENCE} <= {(e.method, e.path) for e in TABLE}
    assert not [o.id for o in REFERENCE if o.ours]
    for method, path, status in (
        ("GET", "/tasks", 404),
        ("POST", "/workflows/run", 404),
        ("GET", "/sequences", 404),
        ("DELETE", "/health", 405),
        ("PATCH", "/events", 405),
    ):
        response = await client.request(method, BASE_PATH + path)
        code = {404: "path_not_found", 405: "method_not_allowed"}[status]
        assert (response.status_code, response.json()["error"]["code"]) == (status, code), path
    assert {o.scope for o in REFERENCE if o.scope} <= set(SCOPES)


def test_every_scope_of_the_reference_exists() -> None:
    assert set(KNOWN_SCOPES) == {*SCOPES, *OWN_SCOPES}


# Parameters


@each_described
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


def _is_general(operation: Operation) -> bool:
    """Whether any company's id is good for it."""
    return set(path_names(operation.path)) <= {"company_id"}


@pytest.mark.parametrize(
    ("operation", "parameter"),
    [(o, p) for o in OPERATIONS for p in o.parameters if p.largest is not None and _is_general(o)],
    ids=lambda row: getattr(row, "id", None) or row.name,
)
async def test_limits(
    client: httpx.AsyncClient, added: list[Added], operation: Operation, parameter: Parameter
) -> None:
    assert parameter.largest is not None
    for value, status in ((parameter.largest, 200), (parameter.largest + 1, 400)):
        response = await _send(client, operation, {parameter.name: value}, added[0].company_id)
        assert response.status_code == status
    assert str(parameter.largest) in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("operation", "parameter"),
    [
        (o, p)
        for o in OPERATIONS
        for p in o.parameters
        if p.name in ("page", "per_page", "offset") and _is_general(o)
    ],
    ids=lambda row: getattr(row, "id", None) or row.name,
)
async def test_defaults(
    client: httpx.AsyncClient, added: list[Added], operation: Operation, parameter: Parameter
) -> None:
    for given in ({}, {parameter.name: parameter.default}):
        answer = (await _send(client, operation, given, added[0].company_id)).json()
        reported = (answer.get("pagination") or answer["companies"]["pagination"]).get(
            parameter.name, answer.get("request", {}).get(parameter.name)
        )
        assert reported == parameter.default


async def _send(
    client: httpx.AsyncClient,
    operation: Operation,
    given: dict[str, Any],
    company_id: UUID | None = None,
) -> httpx.Response:
    in_body = {p.name for p in operation.parameters if p.place == "body"}
    body = {name: value for name, value in given.items() if name in in_body}
    query = {name: value for name, value in given.items() if name not in in_body}
    return await client.request(
        operation.method, concrete(operation, company_id), params=query, json=body or None
    )


# Answers


@each_with_fields
def test_fields_in_openapi(operation: Operation) -> None:
    described = OPENAPI["paths"][operation.path][operation.method.lower()]
    answer = described["responses"][str(operation.success)]
    schema = answer["content"]["application/json"]["schema"]
    # Priced operations answer a dry run instead; their own answer comes first.
    schema = _resolve(schema.get("anyOf", [schema])[0])
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


@each_of_a_company
async def test_fields_of_real_answers(
    client: httpx.AsyncClient, added: list[Added], operation: Operation
) -> None:
    for each in added:
        response = await client.request(
            operation.method, concrete(operation, each.company_id), json=operation.sample
        )
        assert response.status_code == operation.success
        assert response.headers["content-type"] == "application/json"
        _check_value(response.json(), operation.fields, operation.id)


@pytest.fixture
async def world(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant, database: Database, database_url: str
) -> Side:
    """An organization with something of every kind; tests share it."""
    if database_url not in _worlds:
        tenant = await make_tenant("amber")
        _worlds[database_url] = await fill(
            anonymous, tenant, "amber", database=database, database_url=database_url
        )
    return _worlds[database_url]


_worlds: dict[str, Side] = {}


@pytest.mark.parametrize(
    "endpoint",
    # What ends something ends it for the others; the tests of isolation ask those. A look at a CRM's records
    # asks the CRM, which api/test_crm.py plays.
    [
        e
        for e in ENDPOINTS
        if e.method != "DELETE" and e.name not in ("erase_person", "preview_sync") and not e.streams
    ],
    ids=lambda e: e.name,
)
async def test_real_answers_are_as_described(
    endpoint: Endpoint, world: Side, anonymous: httpx.AsyncClient
) -> None:
    """Every answer fits the schema of its status, and the row's fields where it has them."""
    response = await Asker(anonymous).ask(endpoint, world)
    assert response.status_code == endpoint.status, response.text
    described = OPENAPI["paths"][endpoint.path][endpoint.method.lower()]["responses"]
    content = _resolve(described[str(endpoint.status)])["content"]["application/json"]
    whole = {**content["schema"], "components": OPENAPI["components"]}
    validator = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
    faults = [
        f"{'/'.join(map(str, e.instance_path))}: {e.message}"
        for e in validator.iter_errors(response.json())
    ]
    assert faults == []
    (operation,) = [o for o in OPERATIONS if (o.method, o.path) == (endpoint.method, endpoint.path)]
    if operation.fields:
        _check_value(response.json(), operation.fields, operation.id, filled=False)


def _check_value(
    value: dict[str, Any], fields: Iterable[Field], where: str, *, filled: bool = True
) -> None:
    by_name = {field.name: field for field in fields}
    assert set(value) <= set(by_name), where
    for name, field in by_name.items():
        place = f"{where} {name}"
        if name not in value:
            assert not field.required, place
            continue
        content: Any = value[name]
        if content is None:
            assert field.nullable, place
            continue
        fits = isinstance(content, PYTHON[JSON_KINDS.get(field.kind, field.kind)])
        assert fits, place
        assert field.kind == "boolean" or not isinstance(content, bool), place
        _check_form(content, field.kind, place)
        if field.kind == "array":
            assert content or not filled, f"{place}: an empty list proves nothing"
            for element in content:
                if field.of:
                    assert isinstance(element, PYTHON[field.of]), place
                elif field.inner:
                    _check_value(element, field.inner, place, filled=filled)
        elif field.inner:
            _check_value(content, field.inner, place, filled=filled)


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
    (operation,) = [o for o in OPERATIONS if o.path == "/accounts"]
    assert set(full) == {field.name for field in operation.fields[0].inner}
