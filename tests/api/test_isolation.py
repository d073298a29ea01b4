"""No organization ever sees, reaches or replays what is another's: every operation of the table."""

import base64
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
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
from tests.api.foreign_bodies import BODIES, REFERENCES
from tests.api.foreign_data import (
    WORDS,
    Asker,
    Side,
    body_of,
    fill,
    own_path_names,
    path_names,
)
from tests.conftest import MakeTenant
from tests.crm.portal import Portal

by_name = pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: e.name)

# Operations whose answer names nothing but what they have just made, or counts -> the one that shows
# what they did, to their own side alone.
SHOWN_BY = {
    "submit_company": "list_operations",
    "submit_companies": "list_operations",
    "retry_operation": "list_operations",
    "sync_integration": "list_operations",
    "change_list_accounts": "read_list",
    "import_contacts": "list_contacts",
    "create_key": "list_keys",
    "rotate_key": "list_keys",
    "set_mail_server": "read_integrations_status",
    "connect_integration": "list_audit_log",
    "disconnect_integration": "list_audit_log",
    "test_webhook": "list_webhook_deliveries",
}
UUIDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Operations that can be asked once of the same thing.
CONSUMING = frozenset({"erase_person", "cancel_operation", "delete_accounts"})
# Pairs of organizations that were filled in this process; reading does not wear them out.
_filled: dict[str, tuple[Side, Side]] = {}


@pytest.fixture
def services(services: Services) -> Services:
    """Outside is an empty CRM."""
    return replace(services, open_web=Portal)


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
    named = {*BODIES, *WORDS, *SHOWN_BY, *SHOWN_BY.values(), *(name for name, _, _ in REFERENCES)}
    stale = named - {e.name for e in ENDPOINTS}
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
        if (view := SHOWN_BY.get(endpoint.name)) is not None:
            text += await _view(asker, view, own)
            elsewhere = await _view(asker, view, other)
            assert not [made for made in UUIDS.findall(response.text) if made in elsewhere]
        shown = [secret for secret in own.secrets if secret in text.lower()]
        assert shown, "it says nothing: the test could not fail"
        assert not [secret for secret in other.secrets if secret in text.lower()]


@pytest.mark.parametrize(
    ("endpoint", "name"),
    [(e, name) for e in ENDPOINTS for name in own_path_names(e)],
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


def _given_fields(endpoint: Endpoint) -> dict[str, str]:
    """The annotation of each thing an operation is given beside its path, by name."""
    models = [m for m in (endpoint.params, endpoint.body) if m is not None]
    return {
        name: str(field.annotation)
        for model in models
        for name, field in model.model_fields.items()
        if name not in path_names(endpoint.path)
    }


def test_every_reference_is_tried() -> None:
    """Whatever takes an id, or a filter that may name a list or a territory."""
    tried = {(name, field) for name, field, _ in REFERENCES}
    missed = [
        (endpoint.name, field)
        for endpoint in ENDPOINTS
        for field, annotation in _given_fields(endpoint).items()
        if ("UUID" in annotation or "filter" in field or field == "rules")
        and (endpoint.name, field) not in tried
    ]
    assert not missed


@pytest.mark.parametrize(("name", "field", "kind"), REFERENCES, ids=lambda part: part)
async def test_a_reference_to_what_is_another_s_leads_nowhere(
    name: str, field: str, kind: str, sides: tuple[Side, Side], asker: Asker
) -> None:
    (endpoint,) = [e for e in ENDPOINTS if e.name == name]
    own, other = sides
    answers = []
    for reference in (other.ids[kind], str(uuid4())):
        given: dict[str, Any] = {"add": []} if name == "change_list_accounts" else {}
        given[field] = _naming(endpoint, field, kind=kind, reference=reference)
        if endpoint.body is not None and "name" in endpoint.body.model_fields:
            given["name"] = f"{own.word} {uuid4()}"  # a name is taken once
        response = await asker.ask(endpoint, own, given=given)
        said = response.text.lower().replace(reference, "")
        assert not [s for s in other.secrets - {reference} if s in said]
        answers.append((response.status_code, CHANGING.sub("", said)))
    assert answers[0] == answers[1]


# What differs between two answers of the same meaning: ids, moments and what is left of credits.
CHANGING = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dt[0-9:.]+z?|slk_live_\w+"
)


def _naming(endpoint: Endpoint, field: str, *, kind: str, reference: str) -> Any:
    """A value of a field that names something by its id."""
    annotation = _given_fields(endpoint)[field]
    if "NewCompany" in annotation:
        return [{"id": reference}]
    if "dict" in annotation:
        return {"field": kind.removesuffix("_id"), "op": "in", "value": [reference]}
    return [reference] if "list" in annotation else reference


async def test_own_writes_change_nothing_of_another_s(
    make_sides: Callable[[], Awaitable[tuple[Side, Side]]], asker: Asker
) -> None:
    own, other = await make_sides()
    before = await _picture(asker, other)
    writes = [e for e in ENDPOINTS if e.method != "GET"]
    for endpoint in sorted(writes, key=lambda e: e.method == "DELETE"):
        view = SHOWN_BY.get(endpoint.name)
        seen = await _view(asker, view, own) if view else ""
        done = await asker.ask(endpoint, own)
        assert done.status_code == endpoint.status, (endpoint.name, done.text)
        assert not view or await _view(asker, view, own) != seen, f"{endpoint.name} did nothing"
    after = await _picture(asker, other)
    assert {name for name in before if before[name] != after[name]} == set()


async def _view(asker: Asker, name: str, side: Side) -> str:
    """What a reading operation shows an organization, without what changes by looking."""
    (endpoint,) = [e for e in ENDPOINTS if e.name == name]
    response = await asker.ask(endpoint, side)
    assert response.status_code == 200, response.text
    return re.sub(r'"(next_poll_after|last_used_at)"\s*:\s*"[^"]*"', "", response.text)


async def test_writes_to_what_is_another_s_change_nothing(
    make_sides: Callable[[], Awaitable[tuple[Side, Side]]], asker: Asker
) -> None:
    own, other = await make_sides()
    before = await _picture(asker, other)
    for endpoint in ENDPOINTS:
        if endpoint.method != "GET" and own_path_names(endpoint):
            refused = await asker.ask(endpoint, own, ids=other.ids)
            assert refused.status_code == 404, endpoint.name
    after = await _picture(asker, other)
    assert {name for name in before if before[name] != after[name]} == set()


async def _picture(asker: Asker, side: Side) -> dict[str, str]:
    """What an organization sees of itself; looking counts as use, and an export is audited."""
    found = {
        e.name: await _view(asker, e.name, side)
        for e in ENDPOINTS
        if e.method == "GET" and e.name != "read_usage" and not e.streams
    }
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
    assert cursor, "one page holds everything: the test could not fail"
    again = await asker.ask(endpoint, other, given={"per_page": 1, "cursor": cursor})
    assert again.status_code == 200, again.text
    refused = await asker.ask(endpoint, own, given={"per_page": 1, "cursor": cursor})
    # Where the path holds the other's id, there is nothing to page in.
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_cursor")
    plain = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode(errors="replace")
    assert not [secret for secret in other.secrets if secret in plain.lower()]
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
    reported, retold = theirs.json(), again.json()
    # A secret is shown once: a replay leaves it out.
    assert {n: v for n, v in reported.items() if n not in ("key", "secret")} == {
        n: v for n, v in retold.items() if n not in ("key", "secret")
    }
    for name in {"key", "secret"} & set(reported):
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
            connection, user_id=side.tenant.user_id, name="second", scopes=["*"]
        )
    path, headers = f"{BASE_PATH}/accounts", {"idempotency-key": "one"}
    for key, expected in ((side.tenant.key, False), (second.key, False), (second.key, True)):
        answer = await asker.client.post(path, headers={**headers, "x-api-key": key})
        assert ("idempotent-replayed" in answer.headers) is expected


async def test_totals_and_facets_count_one_organization(
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
