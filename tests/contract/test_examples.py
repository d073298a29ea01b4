"""The request bodies that the description shows are answered, not refused."""

from typing import Any

import httpx
import pytest

from sightline.api.endpoint import Endpoint
from sightline.api.endpoints import ENDPOINTS
from sightline.api.openapi import openapi_document
from sightline.store.database import Database
from tests.api.foreign_data import Asker, Side, fill
from tests.conftest import MakeTenant

PATHS: dict[str, Any] = openapi_document("0.0.0-test")["paths"]
# Operations whose example is the person that another one's is too.
ALONE = {"create_contact", "change_contact"}
_worlds: dict[str, Side] = {}


@pytest.fixture
async def world(
    endpoint: Endpoint,
    anonymous: httpx.AsyncClient,
    make_tenant: MakeTenant,
    database: Database,
    database_url: str,
) -> Side:
    """An organization with something of every kind; most tests share it."""
    if endpoint.name in ALONE or database_url not in _worlds:
        tenant = await make_tenant("sienna")
        made = await fill(anonymous, tenant, "sienna", database=database, database_url=database_url)
        if endpoint.name in ALONE:
            return made
        _worlds[database_url] = made
    return _worlds[database_url]


@pytest.mark.parametrize(
    "endpoint", [e for e in ENDPOINTS if e.body is not None], ids=lambda e: e.name
)
async def test_the_example_of_a_request_is_answered(
    endpoint: Endpoint, world: Side, anonymous: httpx.AsyncClient
) -> None:
    described = PATHS[endpoint.path][endpoint.method.lower()]["requestBody"]
    example = described["content"]["application/json"]["example"]
    response = await Asker(anonymous).send(endpoint, world, example)
    if endpoint.name == "create_content":
        # Nothing is proved about this company; the request itself is in order.
        assert response.json()["error"]["code"] == "insufficient_evidence"
    else:
        assert response.status_code == endpoint.status, (example, response.text)
