"""Times in bodies and parameters are ISO 8601 and nothing that merely could be read as a time."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import QueryParams

from sightline.api.endpoint import Endpoint
from sightline.api.endpoints import ENDPOINTS
from sightline.api.openapi import openapi_bytes
from sightline.api.validation import read_body, read_parameters
from sightline.domain.errors import RequestIsInvalid

BY_NAME = {endpoint.name: endpoint for endpoint in ENDPOINTS}
DOCUMENT = json.loads(openapi_bytes("0"))
NEVER = ["0", 0, True, 1.5, "1700000000", 1_700_000_000, "-1", "", "now", "2026", "2026-1-1",
         "20260101", "2026-02-30", "2026-01-01T25:00:00Z", "2026-01-01T00:00:00+25:00",
         "0001-01-01T00:00:00+14:00", ["2026-01-01T00:00:00Z"], {}]  # fmt: skip


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _times(schema: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The places of times in what a schema describes; 0 stands for the first item of a list."""
    schema = _resolved(schema)
    if schema.get("format") == "date-time":
        yield path
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from _times(part, path)
    if "items" in schema:
        yield from _times(schema["items"], (*path, "0"))
    for name, part in schema.get("properties", {}).items():
        yield from _times(part, (*path, name))


def _places(kind: str) -> list[tuple[str, tuple[str, ...]]]:
    """(operation, place) of the times that operations take in their `body` or `query`."""
    found = []
    for methods in DOCUMENT["paths"].values():
        for operation in methods.values():
            if operation["operationId"] not in BY_NAME:
                continue
            name = operation["operationId"]
            if kind == "body" and "requestBody" in operation:
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                found += [(name, place) for place in _times(schema)]
            for parameter in operation.get("parameters", ()) if kind == "query" else ():
                if "name" in parameter and [*_times(parameter["schema"])]:
                    found.append((name, (parameter["name"],)))
    return found


BODIES, QUERIES = _places("body"), _places("query")


def _body_faults(endpoint: Endpoint, place: tuple[str, ...], value: Any) -> set[str]:
    """The paths of the faults of a body that has nothing but a value in this place."""
    assert endpoint.body is not None
    for name in reversed(place):
        value = [value] if name == "0" else {name: value}
    try:
        read_body(endpoint.body, json.dumps(value).encode())
    except RequestIsInvalid as refusal:
        return {field["path"] for field in refusal.details["fields"]}
    return set()


def _query_faults(endpoint: Endpoint, name: str, value: str) -> set[str]:
    ids = {"company_id": "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11"}
    path = {key: text for key, text in ids.items() if f"{{{key}}}" in endpoint.path}
    try:
        read_parameters(endpoint.params, path, QueryParams({name: value}))
    except RequestIsInvalid as refusal:
        return {field["path"] for field in refusal.details["fields"]}
    return set()


def test_the_document_names_the_times_that_operations_take() -> None:
    assert {name for name, _ in BODIES} >= {"create_key", "create_watch", "update_watch",
        "preview_watch", "update_alert", "search_accounts", "search_contacts"}  # fmt: skip
    assert {name for name, _ in QUERIES} >= {"list_events", "list_alerts", "list_contacts"}


@pytest.mark.parametrize("value", NEVER, ids=repr)
def test_no_body_takes_it_for_a_time(value: Any) -> None:
    for name, place in BODIES:
        assert ".".join(place) in _body_faults(BY_NAME[name], place, value), name


@pytest.mark.parametrize("value", [v for v in NEVER if isinstance(v, str)] + ["true"], ids=repr)
def test_no_parameter_takes_it_for_a_time(value: str) -> None:
    for name, (parameter,) in QUERIES:
        assert parameter in _query_faults(BY_NAME[name], parameter, value), name


@pytest.mark.parametrize(
    "value",
    ["2026-03-01", "2026-03-01T09:15:00Z", "2026-03-01t09:15:00.123456z", "2026-03-01T09:15+02:00"],
)
def test_a_time_is_a_time_everywhere(value: str) -> None:
    for name, place in BODIES:
        assert ".".join(place) not in _body_faults(BY_NAME[name], place, value), name
    for name, (parameter,) in QUERIES:
        assert parameter not in _query_faults(BY_NAME[name], parameter, value), name


@given(
    value=st.one_of(
        st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans(),
        st.from_regex(r"[-+]?[0-9]{1,20}(\.[0-9]{1,9})?", fullmatch=True),
    )
)  # fmt: skip
def test_no_number_is_a_time(value: Any) -> None:
    for name, place in BODIES:
        assert ".".join(place) in _body_faults(BY_NAME[name], place, value), name
