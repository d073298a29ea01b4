"""What the reference leaves open, decided: one row, one decision, one check each."""

import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.api.endpoints import ALIAS_PATH, BASE_PATH, ENDPOINTS
from sightline.domain.bands import EMPLOYEE_BANDS, REVENUE_BANDS
from sightline.domain.credits import CREDITS, DEFAULT_PRICES
from sightline.domain.errors import REFUSALS
from sightline.domain.plans import RATE_LIMITS, WINDOW_SECONDS
from sightline.domain.scopes import grantable_scopes
from sightline.store.alerts import raise_alert
from sightline.store.credits import grant
from sightline.store.database import Database
from sightline.store.events import NewEvent, publish_events
from tests.api.accounts_data import Added, add_accounts
from tests.conftest import MakeTenant, Tenant


@dataclass(frozen=True)
class World:
    """What a check may use."""

    client: httpx.AsyncClient
    tenant: Tenant
    make_tenant: MakeTenant
    database: Database
    services: Services
    added: list[Added]


Check = Callable[[World], Awaitable[None]]


@dataclass(frozen=True)
class OpenQuestion:
    """A question the reference leaves open, our answer, and what proves it."""

    question: str
    part: int  # of the page of decisions
    decision: str
    check: Check


@pytest.fixture
async def world(
    client: httpx.AsyncClient,
    tenant: Tenant,
    make_tenant: MakeTenant,
    database: Database,
    services: Services,
) -> World:
    organization_id = tenant.organization_id
    async with database.tenant(organization_id) as connection:
        await grant(connection, credit="company", amount=5, reason="test")
    rows = [{"company_name": f"Company {n}"} for n in range(3)]
    added = await add_accounts(database, organization_id, rows)
    return World(client, tenant, make_tenant, database, services, added)


async def _health(world: World) -> None:
    body = (await world.client.get("/health")).json()
    assert body == {"status": "ok", "version": "0.0.0-test", "database": "ok", "queue": "ok"}


async def _both_prefixes(world: World) -> None:
    for prefix in (BASE_PATH, ALIAS_PATH):
        assert (await world.client.get(f"{prefix}/organization/credits")).status_code == 200


async def _list_envelope(world: World) -> None:
    ledger = (await world.client.get(f"{BASE_PATH}/organization/credits/ledger")).json()
    assert set(ledger) == {"items", "pagination"}


async def _totals_are_filled(world: World) -> None:
    for response in (
        await world.client.post(f"{BASE_PATH}/accounts"),
        await world.client.get(f"{BASE_PATH}/organization/credits/ledger"),
    ):
        page = response.json()["pagination"]
        assert None not in {
            page[name]
            for name in ("total", "total_items", "total_pages", "has_next", "has_previous")
        }


async def _page_and_offset(world: World) -> None:
    path = f"{BASE_PATH}/accounts"
    both = await world.client.post(path, json={"page": 1, "offset": 1})
    assert both.json()["error"]["code"] == "conflicting_pagination"
    everything = (await world.client.post(path)).json()["items"]
    by_offset = (await world.client.post(path, json={"offset": 2})).json()["items"]
    assert by_offset == everything[2:]
    zero = await world.client.post(path, json={"page": 0, "offset": 2, "per_page": 1})
    assert zero.json()["items"] == everything[2:3]


async def _cursor(world: World) -> None:
    path = f"{BASE_PATH}/accounts"
    first = (await world.client.post(path, json={"per_page": 2})).json()
    cursor = first["pagination"]["next_cursor"]
    rest = (await world.client.post(path, json={"per_page": 2, "cursor": cursor})).json()
    assert len(rest["items"]) == 1
    other = await world.client.post(path, json={"cursor": cursor, "country": "US"})
    assert other.json()["error"]["code"] == "invalid_cursor"


async def _unknown_names(world: World) -> None:
    body = await world.client.post(f"{BASE_PATH}/accounts", json={"industy": "x"})
    query = await world.client.get(f"{BASE_PATH}/organization/credits/ledger?per_pge=1")
    for response, name in ((body, "industry"), (query, "per_page")):
        error = response.json()["error"]
        assert (response.status_code, error["code"]) == (400, "unknown_parameter")
        assert name in error["message"]


async def _unknown_values(world: World) -> None:
    response = await world.client.post(f"{BASE_PATH}/accounts", json={"country": "Germny"})
    assert (response.status_code, response.json()["items"]) == (200, [])
    assert response.json()["request"]["country"] == "Germny"
    assert '"Germany"' in response.headers["x-warning"]


async def _absent_and_null(world: World) -> None:
    record = (await world.client.get(f"{BASE_PATH}/companies/{world.added[0].company_id}")).json()
    assert record["industry"] is None
    assert "website_domain" not in record


async def _ids_are_version_7(world: World) -> None:
    for item in (await world.client.post(f"{BASE_PATH}/accounts")).json()["items"]:
        assert item["id"][14] == item["company_id"][14] == "7"
        assert item["id"] != item["company_id"]


async def _structured_by_default(world: World) -> None:
    path = f"{BASE_PATH}/companies/{uuid4()}"
    assert "type" in (await world.client.get(path)).json()["error"]
    flat = await world.client.get(path, headers={"X-Error-Format": "flat"})
    assert flat.json()["error"] == "company_not_found"


async def _codes_are_published(world: World) -> None:
    page = (await world.client.get("/docs")).text
    for refusal in REFUSALS:
        assert f'id="{refusal.code}"' in page, f"/docs#{refusal.code} leads nowhere"


async def _missing_and_foreign(world: World) -> None:
    other = await world.make_tenant("other")
    bodies = []
    for company_id in (world.added[0].company_id, uuid4()):
        response = await world.client.get(
            f"{BASE_PATH}/companies/{company_id}", headers={"x-api-key": other.key}
        )
        bodies.append(response.text.replace(response.headers["x-request-id"], ""))
        assert response.status_code == 404
    assert bodies[0] == bodies[1]


async def _scopes(world: World) -> None:
    required = {e.name: e.scopes for e in ENDPOINTS}
    assert required["search_accounts"] == ("accounts:read",)
    assert required["read_company"] == ("insights:read",)
    assert required["read_credits"] == required["list_ledger"] == ("org_settings:read",)
    assert {"*", "insights:*", "workflows:*", "sequences:write"} <= set(grantable_scopes())


async def _key_form(world: World) -> None:
    assert world.tenant.key.startswith("slk_live_")
    assert len(world.tenant.key) == 9 + 30 + 6
    async with world.database.tenant(world.tenant.organization_id) as connection:
        (row,) = await connection.fetch("SELECT prefix, digest FROM api_keys")
    assert (row["prefix"], len(row["digest"])) == (world.tenant.key[:14], 32)


async def _rates(world: World) -> None:
    assert RATE_LIMITS == {"free": 60, "team": 600, "enterprise": 6000}
    assert WINDOW_SECONDS == 60
    free = await world.make_tenant("free", plan="free")
    response = await world.client.get(
        f"{BASE_PATH}/organization/credits", headers={"x-api-key": free.key}
    )
    assert response.headers["x-ratelimit-limit"] == "60"
    assert int(response.headers["x-ratelimit-reset"]) - time.time() <= 61


async def _reads_are_free(world: World) -> None:
    path = f"{BASE_PATH}/organization/credits"
    before = (await world.client.get(path)).json()
    await world.client.post(f"{BASE_PATH}/accounts")
    await world.client.post(f"{BASE_PATH}/accounts", json={"company_name": "nothing"})
    await world.client.get(f"{BASE_PATH}/companies/{world.added[0].company_id}")
    await world.client.get(f"{BASE_PATH}/companies/{uuid4()}")
    assert (await world.client.get(path)).json() == before
    assert before["credit_remaining"]["company_credits"] == 5


async def _prices(world: World) -> None:
    assert {(p.credit, p.amount) for p in DEFAULT_PRICES.values()} == {
        (credit, 1) for credit in CREDITS
    }
    assert DEFAULT_PRICES["company_enrichment"].credit == "company"
    assert DEFAULT_PRICES["live_jobs_refresh"].credit == "company"


async def _ledger_lines(world: World) -> None:
    (line,) = (await world.client.get(f"{BASE_PATH}/organization/credits/ledger")).json()["items"]
    assert (line["credit"], line["kind"], line["amount"]) == ("company", "grant", 5)
    assert (line["balance_after"], line["reason"]) == (5, "test")


async def _body_limit(world: World) -> None:
    assert world.services.max_body_bytes == 1_000_000
    response = await world.client.post(
        f"{BASE_PATH}/accounts",
        content=b" " * 1_000_001,
        headers={"content-type": "application/json"},
    )
    assert response.status_code == 413


async def _idempotency(world: World) -> None:
    send: dict[str, Any] = {"headers": {"idempotency-key": "k" * 255}}
    path = f"{BASE_PATH}/accounts"
    first = await world.client.post(path, **send)
    again = await world.client.post(path, **send)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.content == first.content
    send["headers"]["idempotency-key"] += "k"
    assert (await world.client.post(path, **send)).status_code == 400


async def _request_ids(world: World) -> None:
    response = await world.client.get("/nowhere", headers={"x-request-id": "theirs"})
    assert response.headers["x-client-request-id"] == "theirs"
    assert response.headers["x-request-id"] == response.json()["error"]["details"]["request_id"]


async def _versions(world: World) -> None:
    document = json.loads((await world.client.get("/openapi.json")).content)
    assert document["openapi"].startswith("3.1")
    assert document["info"]["version"] == "1.0.0"
    for path in document["paths"].values():
        for operation in path.values():
            assert operation["x-maturity"] in ("ga", "beta")
            assert operation.get("deprecated", False) is False


async def _submission(world: World) -> None:
    sent = {"company_name": "Quay Systems", "domain": "quay.example", "external_id": "7"}
    held = await world.client.post(f"{BASE_PATH}/companies", json=sent)
    assert held.status_code == 202
    body = held.json()
    assert set(body) == {"public_operation_id", "status", "status_url", "company_id", "cost"}
    assert held.headers["location"] == body["status_url"]
    assert int(held.headers["retry-after"]) >= 1
    assert body["cost"] == {"credit": "company", "amount": 1, "state": "reserved"}
    assert (held.headers["x-credits-charged"], held.headers["x-credits-type"]) == ("1", "company")
    one = (await world.client.get(body["status_url"])).json()
    assert (one["status"], one["kind"]) == ("queued", "company_enrichment")
    assert set(one) >= {"progress", "steps", "input", "match", "cost", "next_poll_after"}
    assert one["input"]["external_id"] == "7"


async def _names_of_a_company(world: World) -> None:
    refused = await world.client.post(f"{BASE_PATH}/companies", json={"external_id": "7"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_request")
    message = refused.json()["error"]["message"]
    assert all(name in message for name in ("company_name", "domain", "id"))


async def _dry_run(world: World) -> None:
    path = f"{BASE_PATH}/companies?dry_run=true"
    answer = await world.client.post(path, json={"company_name": "Quay Systems"})
    assert answer.status_code == 200
    assert answer.json() == {"dry_run": True, "credit": "company", "amount": 1, "remaining": 5}
    assert (await world.client.get(f"{BASE_PATH}/operations")).json()["items"] == []


async def _alert_states(world: World) -> None:
    organization_id, company_id = world.tenant.organization_id, world.added[0].company_id
    watch = {"name": "W", "filter": {}, "types": ["hires"]}
    watch_id = (await world.client.post(f"{BASE_PATH}/watches", json=watch)).json()["id"]
    async with world.database.tenant(organization_id) as connection:
        event = NewEvent("s", "hires", "leadership_moves", "A hire", company_id)
        reported = await publish_events(connection, [event])
        alert_id = await raise_alert(
            connection, event_id=reported["s"], company_id=company_id, watch_id=UUID(watch_id)
        )
    path = f"{BASE_PATH}/alerts/{alert_id}"
    assert (await world.client.get(path)).json()["status"] == "new"
    moves = ["viewed", "dismissed", "resolved", "acknowledged", "viewed", "viewed"]
    for status in moves:
        moved = await world.client.patch(path, json={"status": status})
        assert (moved.status_code, moved.json()["status"]) == (200, status)
    history = (await world.client.get(path)).json()["history"]
    assert [step["to"] for step in history] == moves[:-1], "repeating one changes nothing"
    for bad in ("new", "open", None):
        assert (await world.client.patch(path, json={"status": bad})).status_code == 400
    missing = await world.client.patch(f"{BASE_PATH}/alerts/{uuid4()}", json={"status": "viewed"})
    assert missing.status_code == 404


async def _new_paths(world: World) -> None:
    company = f"companies/{world.added[0].company_id}"
    for path, name in (
        ("territories", "items"),
        ("events", "items"),
        ("alerts", "items"),
        ("contacts", "data"),
        (f"{company}/contacts", "contacts"),
        (f"{company}/content", "contacts"),
        ("integrations/status", "integrations"),
    ):
        answer = await world.client.get(f"{BASE_PATH}/{path}")
        assert answer.status_code == 200, path
        assert isinstance(answer.json()[name], list), path


async def _bands(world: World) -> None:
    assert " ".join(EMPLOYEE_BANDS) == (
        "1-10 11-50 51-200 201-500 501-1000 1001-5000 5001-10000 10001+"
    )
    assert " ".join(REVENUE_BANDS) == ("0-1M 1M-10M 10M-50M 50M-100M 100M-500M 500M-1B 1B-10B 10B+")
    for field, band in (("employee_size_category", "1-10"), ("revenue_category", "10B+")):
        answer = await world.client.post(f"{BASE_PATH}/accounts", json={field: band})
        assert "x-warning" not in answer.headers


async def _sessions_default_to_a_chat(world: World) -> None:
    made = await world.client.post(f"{BASE_PATH}/agent/sessions", json={"type": "song"})
    assert (made.status_code, made.json()["type"]) == (201, "chat")
    refused = await world.client.get(f"{BASE_PATH}/agent/sessions?sort_by=size")
    assert refused.status_code == 400


async def _live_search(world: World) -> None:
    refused = await world.client.post(f"{BASE_PATH}/contacts/search?live=true")
    assert refused.status_code == 400


QUESTIONS = (
    OpenQuestion("answer of the health check", 2, "status, version, database, queue", _health),
    OpenQuestion("two prefixes", 2, "both answer alike", _both_prefixes),
    OpenQuestion("envelope of new lists", 2, "items and pagination", _list_envelope),
    OpenQuestion("nullable totals", 2, "always filled", _totals_are_filled),
    OpenQuestion("page beside offset", 2, "an offset counts rows; both is 400", _page_and_offset),
    OpenQuestion("lists that change", 2, "cursors, bound to key and filters", _cursor),
    OpenQuestion("unknown names", 2, "400 with the nearest name", _unknown_names),
    OpenQuestion("values outside a vocabulary", 2, "no rows and X-Warning", _unknown_values),
    OpenQuestion("unknown fields of a record", 2, "null where allowed, else left out", _absent_and_null),
    OpenQuestion("kind of ids", 2, "UUID version 7; account and company differ", _ids_are_version_7),
    OpenQuestion("which error shape where", 3, "structured; flat when asked", _structured_by_default),
    OpenQuestion("list of codes", 3, "each is explained in the reference page", _codes_are_published),
    OpenQuestion("ids of others", 3, "404 like a missing one", _missing_and_foreign),
    OpenQuestion("request ids of callers", 3, "echoed under another name", _request_ids),
    OpenQuestion("scope of each operation", 4, "the table; all scopes can be granted", _scopes),
    OpenQuestion("form and storage of keys", 4, "prefix, 30 random, 6 checksum; a digest", _key_form),
    OpenQuestion("rates and window", 5, "60, 600 or 6,000 in 60 s", _rates),
    OpenQuestion("what reading costs", 5, "nothing", _reads_are_free),
    OpenQuestion("what the rest costs", 5, "one credit of its kind", _prices),
    OpenQuestion("how credits are accounted for", 5, "a ledger anyone may read", _ledger_lines),
    OpenQuestion("largest body", 5, "1 MB, then 413", _body_limit),
    OpenQuestion("repeated requests", 5, "Idempotency-Key of up to 255 characters", _idempotency),
    OpenQuestion("paths that are not shown", 2, "as other lists, with the named envelopes", _new_paths),
    OpenQuestion("live search of contacts", 2, "400", _live_search),
    OpenQuestion("sessions of an invalid type", 2, "a chat; else 400", _sessions_default_to_a_chat),
    OpenQuestion("cost before it is charged", 5, "dry_run answers it and does nothing", _dry_run),
    OpenQuestion("answer of a submission", 6, "where to poll, when, and what is held", _submission),
    OpenQuestion("what names a company", 6, "a name, a domain or an id; else 400", _names_of_a_company),
    OpenQuestion("moves of an alert", 7, "all; repeating one changes nothing", _alert_states),
    OpenQuestion("bands", 7, "eight of employees, eight of revenue", _bands),
    OpenQuestion("interface version and deprecation", 2, "1.0.0; nothing is deprecated", _versions),
)  # fmt: skip


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row.question)
async def test_the_decision_holds(row: OpenQuestion, world: World) -> None:
    await row.check(world)


def test_each_question_has_one_decision() -> None:
    assert len({row.question for row in QUESTIONS}) == len(QUESTIONS)
    assert len({row.check for row in QUESTIONS}) == len(QUESTIONS)
