"""Values that fit JSON but no field: nulls everywhere, numbers that no database holds. Never 500."""

from typing import Any

import httpx
import pytest

from sightline.api.endpoint import Endpoint
from sightline.api.endpoints import BASE_PATH, ENDPOINTS
from sightline.store.database import Database
from tests.api.answers import refused
from tests.api.foreign_data import Asker, Side, fill
from tests.conftest import MakeTenant

JSON = {"content-type": "application/json"}
_worlds: dict[str, Side] = {}


@pytest.fixture
async def world(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant, database: Database, database_url: str
) -> Side:
    """An organization with something of every kind; tests share it."""
    if database_url not in _worlds:
        tenant = await make_tenant("umber")
        _worlds[database_url] = await fill(
            anonymous, tenant, "umber", database=database, database_url=database_url
        )
    return _worlds[database_url]


@pytest.mark.parametrize(
    "endpoint", [e for e in ENDPOINTS if e.body is not None], ids=lambda e: e.name
)
async def test_null_is_a_value_or_a_fault_of_its_field(
    endpoint: Endpoint, world: Side, anonymous: httpx.AsyncClient
) -> None:
    assert endpoint.body is not None
    for field in endpoint.body.model_fields:
        response = await Asker(anonymous).ask(endpoint, world, given={field: None})
        if response.status_code == 403:  # a field that is the operator's, whatever its value
            assert response.json()["error"]["code"] == "operator_only", field
            continue
        assert response.status_code in (endpoint.status, 400), (field, response.text)
        if response.status_code == 400:
            assert response.json()["error"]["details"]["fields"], field


NUMBERS = ["NaN", "Infinity", "-Infinity", "1e400", "-1E+400", f"{'9' * 400}.0", f"{'9' * 250}e99"]
BODIES = [
    ("/accounts", '{"filter": {"field": "employees", "op": "gte", "value": %s}}'),
    ("/lists", '{"name": "n", "filter": {"field": "employees", "op": "gte", "value": %s}}'),
    ("/contacts/import", '{"rows": [{"full_name": "Ida Kept", "score": %s}]}'),
    ("/agent/sessions", '{"title": "n", "type": {"deep": [%s]}}'),
]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda text: text[:12])
@pytest.mark.parametrize(("path", "body"), BODIES, ids=[path for path, _ in BODIES])
async def test_a_number_that_is_not_finite_is_refused(
    client: httpx.AsyncClient, path: str, body: str, number: str
) -> None:
    response = await client.post(BASE_PATH + path, content=body % number, headers=JSON)
    details: dict[str, Any] = refused(response, 400, "invalid_request")
    assert [each["code"] for each in details["fields"]] == ["out_of_range"]


@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE", "POST"])
async def test_a_literal_path_is_never_taken_for_an_id(
    client: httpx.AsyncClient, method: str
) -> None:
    literal = {e.path for e in ENDPOINTS if "{" not in e.path}
    for path in sorted(literal):
        own = {e.method for e in ENDPOINTS if e.path == path}
        if method not in own:
            response = await client.request(method, BASE_PATH + path)
            refused(response, 405, "method_not_allowed")
            assert set(response.headers["allow"].split(", ")) - {"HEAD"} == own


@pytest.mark.parametrize("given", ["0", "1700000000", "-1", "2026-1-1", "2026-02-30", "20260101"])
async def test_a_day_is_written_as_one(client: httpx.AsyncClient, given: str) -> None:
    response = await client.get(f"{BASE_PATH}/usage", params={"until": given})
    details = refused(response, 400, "invalid_request")
    assert [each["path"] for each in details["fields"]] == ["until"]
