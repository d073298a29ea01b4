"""No organization ever sees, reaches or replays what is another's: every operation of the table."""

import base64
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import httpx
import pytest

from sightline.api.endpoint import Endpoint, Services
from sightline.api.endpoints import BASE_PATH, ENDPOINTS
from sightline.api.server import create_server
from sightline.domain.callers import OrganizationId
from sightline.store.database import Database
from sightline.store.keys import create_key
from tests.api.accounts_data import add_accounts
from tests.api.foreign_data import BODIES, SHARED, Asker, Side, body_of, fill, path_names
from tests.conftest import MakeTenant

by_name = pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: e.name)

# Operations whose answer names nothing but what they have just made, or counts.
MUTE = frozenset(
    {"change_list_accounts", "add_suppressions", "erase_person", "import_contacts",
     "submit_company", "submit_companies", "retry_operation", "discover_contacts",
     "update_integration", "sync_integration", "create_key", "rotate_key", "set_mail_server",
     "test_webhook", "list_territory_gaps"}
)  # fmt: skip
# Operations that can be asked once of the same thing.
CONSUMING = frozenset({"erase_person", "cancel_operation"})
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


def test_every_operation_is_covered(sides: tuple[Side, Side]) -> None:
    unknown = {name for e in ENDPOINTS for name in path_names(e.path)} - set(sides[0].ids)
    assert not unknown, f"say in foreign_data.py how a tenant comes by {unknown}"
    bodiless = {e.name for e in ENDPOINTS if e.body_required} - set(BODIES)
    assert not bodiless, f"give {bodiless} a body in BODIES"
    stale = (set(BODIES) | MUTE) - {e.name for e in ENDPOINTS}
    assert not stale, f"{stale} is named, but not in the table"
    paged = {e.name for e in ENDPOINTS if "per_page" in _fields(e)}
    with_cursor = {e.name for e in ENDPOINTS if "cursor" in _fields(e)}
    assert paged == with_cursor, "every list takes a cursor"


@by_name
async def test_nothing_of_another_is_shown(
    endpoint: Endpoint,
    sides: tuple[Side, Side],
    make_sides: Callable[[], Awaitable[tuple[Side, Side]]],
    asker: Asker,
) -> None:
    consumes = endpoint.method == "DELETE" or endpoint.name in CONSUMING
    pair = await make_sides() if consumes else sides
    for own, other in (pair, pair[::-1]):
        response = await asker.ask(endpoint, own)
        assert response.status_code == endpoint.status, response.text
        text = response.text + str(response.headers)
        shown = [secret for secret in own.secrets if secret in text.lower()]
        assert shown or endpoint.name in MUTE, "it says nothing: the test could not fail"
        assert not [secret for secret in other.secrets if secret in text.lower()]


@pytest.mark.parametrize(
    ("endpoint", "name"),
    [(e, name) for e in ENDPOINTS for name in path_names(e.path) if name not in SHARED],
    ids=lambda part: getattr(part, "name", part),
)
async def test_an_id_of_another_is_a_missing_one(
    endpoint: Endpoint, name: str, sides: tuple[Side, Side], asker: Asker
) -> None:
    own, other = sides
    missing = await asker.ask(endpoint, own, ids=own.ids | {name: str(uuid4())})
    foreign = await asker.ask(endpoint, own, ids=own.ids | {name: other.ids[name]})
    assert missing.status_code == 404, missing.text
    assert _without_request_id(foreign) == _without_request_id(missing)
    assert set(foreign.headers) == set(missing.headers)


# Operation, field of its body or query, whose id stands there.
REFERENCES = (
    ("submit_company", "id", "company_id"),
    ("change_list_accounts", "add", "account_id"),
    ("change_list_accounts", "remove", "account_id"),
    ("create_territory", "include", "account_id"),
    ("create_territory", "exclude", "account_id"),
    ("create_territory", "owner_id", "user_id"),
    ("update_territory", "owner_id", "user_id"),
    ("simulate_territory", "compared_with", "territory_id"),
    ("create_agent_session", "company_id", "company_id"),
    ("create_content", "ref_content_template_id", "template_id"),
    ("create_content", "content_setting_id", "setting_id"),
    ("create_watch", "account_ids", "account_id"),
    ("update_watch", "account_ids", "account_id"),
    ("preview_watch", "account_ids", "account_id"),
    ("update_alert", "assignee", "user_id"),
    ("create_key", "user_id", "user_id"),
    ("create_contact", "company_id", "company_id"),
    ("change_contact", "company_id", "company_id"),
    ("erase_person", "contact_id", "contact_id"),
    ("list_agent_sessions", "company_id", "company_id"),
    ("list_events", "company_id", "company_id"),
    ("list_alerts", "watch_id", "watch_id"),
    ("list_alerts", "company_id", "company_id"),
    ("list_alerts", "assignee", "user_id"),
    ("list_contacts", "company_id", "company_id"),
    ("search_contacts", "company_ids", "company_id"),
    ("read_usage", "key_id", "key_id"),
)


@pytest.mark.parametrize(("name", "field", "kind"), REFERENCES, ids=lambda part: part)
async def test_a_reference_to_what_is_another_s_leads_nowhere(
    name: str, field: str, kind: str, sides: tuple[Side, Side], asker: Asker
) -> None:
    (endpoint,) = [e for e in ENDPOINTS if e.name == name]
    own, other = sides
    answers = []
    for reference in (other.ids[kind], str(uuid4())):
        many = field in ("add", "remove", "include", "exclude", "account_ids", "company_ids")
        given: dict[str, Any] = {field: [reference] if many else reference}
        if endpoint.body is not None and "name" in endpoint.body.model_fields:
            given["name"] = f"{own.word} {uuid4()}"  # a name is taken once
        response = await asker.ask(endpoint, own, given=given)
        assert not [s for s in other.secrets - {reference} if s in response.text.lower()]
        said = response.json()
        error = said.get("error", {})
        answers.append((response.status_code, error.get("code"), len(said.get("items", ()))))
    assert answers[0] == answers[1]


async def test_writes_to_what_is_another_s_change_nothing(
    make_sides: Callable[[], Awaitable[tuple[Side, Side]]], asker: Asker
) -> None:
    own, other = await make_sides()
    before = await _picture(asker, other)
    for endpoint in ENDPOINTS:
        if endpoint.method != "GET" and set(path_names(endpoint.path)) - SHARED:
            refused = await asker.ask(endpoint, own, ids=other.ids)
            assert refused.status_code == 404, endpoint.name
    after = await _picture(asker, other)
    assert {name for name in before if before[name] != after[name]} == set()


async def _picture(asker: Asker, side: Side) -> dict[str, str]:
    """What an organization sees of itself; looking uses keys, and an export is audited."""
    found = {}
    for endpoint in ENDPOINTS:
        unsteady = endpoint.name in ("read_usage", "list_keys") or endpoint.streams
        if endpoint.method == "GET" and not unsteady:
            response = await asker.ask(endpoint, side)
            found[endpoint.name] = re.sub(r'"next_poll_after"\s*:\s*"[^"]*"', "", response.text)
    assert len(found) > 40
    return found


@pytest.mark.parametrize(
    "endpoint", [e for e in ENDPOINTS if "cursor" in _fields(e)], ids=lambda e: e.name
)
async def test_a_cursor_works_for_its_key_and_list_alone(
    endpoint: Endpoint, sides: tuple[Side, Side], asker: Asker
) -> None:
    own, other = sides
    first = await asker.ask(endpoint, other, given={"per_page": 1})
    assert first.status_code == 200, first.text
    cursor = _cursor(first.json())
    if endpoint.name == "list_territory_gaps" and not cursor:
        return  # the territories of the fixture hold every account; test_territories pages through gaps
    assert cursor, "one page holds everything: the test could not fail"
    again = await asker.ask(endpoint, other, given={"per_page": 1, "cursor": cursor})
    assert again.status_code == 200, again.text
    refused = await asker.ask(endpoint, own, given={"per_page": 1, "cursor": cursor})
    # Where the path holds the other's id, there is nothing to page in.
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_cursor")
    plain = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    hidden = [str(i) for i in (other.tenant.organization_id, other.tenant.key_id)]
    # A list that shows its organization's id may be sorted by it.
    assert not [i for i in hidden if i in plain and i not in first.text]
    elsewhere = [e for e in ENDPOINTS if "cursor" in _fields(e) and not _same_list(e, endpoint)]
    for each in elsewhere:
        answer = await asker.ask(each, other, given={"per_page": 1, "cursor": cursor})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_cursor")


def _cursor(answer: dict[str, Any]) -> str | None:
    """The cursor of a list's answer; a territory's is that of its companies."""
    page = answer.get("pagination") or answer["companies"]["pagination"]
    cursor: str | None = page["next_cursor"]
    return cursor


def _same_list(one: Endpoint, other: Endpoint) -> bool:
    """Whether two operations page over the same rows: an alias does."""
    return one.handler is other.handler


@pytest.mark.parametrize(
    "endpoint", [e for e in ENDPOINTS if e.method in ("POST", "PATCH")], ids=lambda e: e.name
)
async def test_an_idempotency_key_of_another_replays_nothing(
    endpoint: Endpoint, sides: tuple[Side, Side], asker: Asker
) -> None:
    own, other = sides
    headers = {"idempotency-key": f"the same words for {endpoint.name}"}
    theirs = await asker.ask(endpoint, other, given=_unused(endpoint, other), headers=headers)
    assert theirs.status_code == endpoint.status, theirs.text
    again = await asker.ask(endpoint, other, given=_unused(endpoint, other), headers=headers)
    assert again.status_code == endpoint.status
    assert again.headers["idempotent-replayed"] == "true"
    told, retold = theirs.json(), again.json()
    # A secret is told once: a replay leaves it out.
    assert {n: v for n, v in told.items() if n not in ("key", "secret")} == {
        n: v for n, v in retold.items() if n not in ("key", "secret")
    }
    for name in {"key", "secret"} & set(told):
        assert retold.get(name) is None
    ours = await asker.ask(endpoint, own, given=_unused(endpoint, own), headers=headers)
    assert ours.status_code == endpoint.status
    assert "idempotent-replayed" not in ours.headers
    assert not [secret for secret in other.secrets if secret in ours.text.lower()]


def _unused(endpoint: Endpoint, side: Side) -> dict[str, str]:
    """Names that no other test has used: they are unique in an organization."""
    if endpoint.body is None:
        return {}
    body = body_of(endpoint.name, side)
    return {name: f"once-{body[name]}" for name in ("name", "email") if name in body}


async def test_an_idempotency_key_belongs_to_the_api_key_too(
    sides: tuple[Side, Side], asker: Asker, database: Database
) -> None:
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
