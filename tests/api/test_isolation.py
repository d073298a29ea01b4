"""No organization ever sees, reaches or replays what is another's: every operation of the table."""

import base64
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import pytest

from sightline.api.endpoint import Endpoint
from sightline.api.endpoints import BASE_PATH, ENDPOINTS
from sightline.domain.callers import OrganizationId
from sightline.store.credits import grant
from sightline.store.database import Database, open_database
from sightline.store.seller_context import add_question, change_context
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.conftest import MakeTenant, Tenant
from tests.store.evidence_data import add_document, index
from tests.store.postings_data import add_postings

by_name = pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: e.name)

# Operations whose answer names nothing but what they have just made, or counts.
MUTE = frozenset(
    {"change_list_accounts", "add_suppressions", "erase_person", "import_contacts",
     "submit_company", "submit_companies", "retry_operation", "discover_contacts"}
)  # fmt: skip
# Pairs of organizations that were filled in this process; reading does not wear them out.
_filled: dict[str, tuple[Side, Side]] = {}


@pytest.fixture
async def make_sides(
    make_tenant: MakeTenant, services: Services, database: Database, database_url: str
) -> Callable[[], Awaitable[tuple[Side, Side]]]:
    async def make() -> tuple[Side, Side]:
        transport = httpx.ASGITransport(app=create_server(services), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://sightline.test") as own:
            violet, ochre = [
                await fill(
                    own, await make_tenant(word), word, database=database, database_url=database_url
                )
                for word in ("violet", "ochre")
            ]
        await services.usage.flush()
        return violet, ochre

    return make


@pytest.fixture
async def sides(
    make_sides: Callable[[], Awaitable[tuple[Side, Side]]], database_url: str
) -> tuple[Side, Side]:
    """A pair that tests share: what they do to it must leave it as full as it was."""
    if database_url not in _filled:
        _filled[database_url] = await make_sides()
    return _filled[database_url]


@pytest.fixture
def asker(anonymous: httpx.AsyncClient) -> Asker:
    return Asker(anonymous)


def _fields(endpoint: Endpoint) -> set[str]:
    return {*endpoint.params.model_fields, *(endpoint.body.model_fields if endpoint.body else ())}


def _without_request_id(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.text.replace(response.headers["x-request-id"], "")


def test_every_operation_is_covered() -> None:
    unknown = {name for e in ENDPOINTS for name in path_names(e.path)} - set(PATH_IDS)
    assert not unknown, f"say in PATH_IDS how a tenant comes by {unknown}"
    bodiless = {e.name for e in ENDPOINTS if e.body_required} - set(BODIES)
    assert not bodiless, f"give {bodiless} a body in BODIES"
    stale = set(BODIES) - {e.name for e in ENDPOINTS}
    assert not stale, f"BODIES names {stale}, which the table does not"
    paged = {e.name for e in ENDPOINTS if "per_page" in _fields(e)}
    with_cursor = {e.name for e in ENDPOINTS if "cursor" in _fields(e)}
    assert paged == with_cursor, "every list takes a cursor"


@by_name
async def test_nothing_of_another_is_shown(
    endpoint: Endpoint, sides: tuple[Side, Side], asker: Asker
) -> None:
    for own, other in (sides, sides[::-1]):
        response = await asker.ask(endpoint, own)
        assert response.status_code == endpoint.status, response.text
        text = response.text + str(response.headers)
        shown = [secret for secret in own.secrets if secret in text.lower()]
        assert shown, "the operation says nothing: the test could not fail"
        assert not [secret for secret in other.secrets if secret in text.lower()]


@pytest.mark.parametrize("endpoint", [e for e in ENDPOINTS if path_names(e.path)], ids=lambda e: e.name)
async def test_an_id_of_another_is_a_missing_one(
    endpoint: Endpoint, sides: tuple[Side, Side], asker: Asker
) -> None:
    own, other = sides
    missing = await asker.ask(
        endpoint, own, ids={name: str(uuid4()) for name in path_names(endpoint.path)}
    )
    foreign = await asker.ask(endpoint, own, ids_of=other)
    assert missing.status_code == 404
    assert _without_request_id(foreign) == _without_request_id(missing)
    assert set(foreign.headers) == set(missing.headers)


@pytest.mark.parametrize(
    "endpoint", [e for e in ENDPOINTS if "cursor" in _fields(e)], ids=lambda e: e.name
)
async def test_a_cursor_works_for_its_key_and_list_alone(
    endpoint: Endpoint, sides: tuple[Side, Side], asker: Asker
) -> None:
    own, other = sides
    first = await asker.ask(endpoint, other, given={"per_page": 1})
    cursor = first.json()["pagination"]["next_cursor"]
    assert (
        await asker.ask(endpoint, other, given={"per_page": 1, "cursor": cursor})
    ).status_code == 200
    refused = await asker.ask(endpoint, own, given={"per_page": 1, "cursor": cursor})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_cursor")
    plain = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    assert not [i for i in (other.tenant.organization_id, other.tenant.key_id) if str(i) in plain]
    elsewhere = [e for e in ENDPOINTS if "cursor" in _fields(e) and e is not endpoint]
    for each in elsewhere:
        answer = await asker.ask(each, other, given={"per_page": 1, "cursor": cursor})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_cursor")


@pytest.mark.parametrize(
    "endpoint", [e for e in ENDPOINTS if e.method in ("POST", "PATCH")], ids=lambda e: e.name
)
async def test_an_idempotency_key_of_another_replays_nothing(
    endpoint: Endpoint, sides: tuple[Side, Side], asker: Asker
) -> None:
    own, other = sides
    headers = {"idempotency-key": "the same words"}
    theirs = await asker.ask(endpoint, other, headers=headers)
    again = await asker.ask(endpoint, other, headers=headers)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.content == theirs.content
    ours = await asker.ask(endpoint, own, headers=headers)
    assert ours.status_code == endpoint.status
    assert "idempotent-replayed" not in ours.headers
    assert not [secret for secret in other.secrets if secret in ours.text.lower()]


async def test_an_idempotency_key_belongs_to_the_api_key_too(
    sides: tuple[Side, Side], asker: Asker, database: Database
) -> None:
    from sightline.store.keys import create_key

    side = sides[0]
    async with database.tenant(side.tenant.organization_id) as connection:
        second = await create_key(
            connection,
            side.tenant.organization_id,
            user_id=side.tenant.user_id,
            name="second",
            scopes=["*"],
        )
    path, headers = f"{BASE_PATH}/accounts", {"idempotency-key": "one"}
    for key, expected in ((side.tenant.key, False), (second.key, False), (second.key, True)):
        answer = await asker.client.post(path, headers={**headers, "x-api-key": key})
        assert ("idempotent-replayed" in answer.headers) is expected


async def test_a_cached_count_is_not_shared(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant, database: Database
) -> None:
    small, large = await make_tenant("small"), await make_tenant("large")
    for tenant, count in ((small, 1), (large, 2)):
        await add_accounts(
            database,
            OrganizationId(tenant.organization_id),
            [{"company_name": f"Company {n}", "industry": "Software"} for n in range(count)],
        )
    totals = []
    for tenant in (small, large):
        answer = await anonymous.post(
            f"{BASE_PATH}/accounts",
            json={"industry": "Software", "facets": ["industry"]},
            headers={"x-api-key": tenant.key},
        )
        body = json.loads(answer.content)
        totals.append((body["pagination"]["total"], body["facets"]["industry"][0]["count"]))
    assert totals == [(1, 1), (2, 2)]
