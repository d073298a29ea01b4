"""Content that a model writes over its real protocol: proven, paid once, composed where it fails."""

import json
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.kit.clock import now
from sightline.store import profiles, seller_context
from sightline.store.credits import balances, grant
from sightline.store.database import Database, open_database
from sightline.store.profiles import StoredSection
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.api.conftest import Connect
from tests.assistant.provider import Call, Fail, Provider, Wait
from tests.conftest import PATIENCE_SECONDS, Tenant
from tests.reading.verdicts import claims_of, deciding, fail_the_check, verified

OPENS = "Harbor plans to open three ports in Norway by 2027."
RISKS = "Harbor depends on two crane makers."
OFFER = {"name": "BerthPlan", "value_propositions": ["Berths planned in 6 weeks"]}


@pytest.fixture
async def company(database: Database, database_url: str, tenant: Tenant) -> UUID:
    record = FULL_RECORD | {"company_name": "Harbor"}
    [added] = await add_accounts(database, tenant.organization_id, [record])
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="content", amount=3, reason="test")
        await seller_context.change_context(
            connection, {"company_name": "Northwind", "offerings": [OFFER]}
        )
    worker = await open_database(database_url, role="sightline_worker", size=2)
    rows = [
        _section("strategic_priorities", "Ports", OPENS),
        _section("risks", "Crane makers", RISKS),
    ]
    async with worker.connection() as connection:
        await profiles.write_sections(
            connection, added.company_id, rows, unchanged=(), checked_at=now()
        )
    await worker.close()
    return added.company_id


def _section(name: str, called: str, said: str) -> StoredSection:
    source = {
        "document_id": str(uuid4()), "url": "https://harbor.example/", "title": "Plans", "quote": said,
        "published_at": None,
    }  # fmt: skip
    body = json.dumps([{"name": called, "description": said, "sources": [source]}])
    return StoredSection(name, "ready", "extractive", body, body, 1, b"x", None, None)


def says(*statements: dict[str, Any], **parts: str) -> Call:
    whole = {
        "title": "Three ports in Norway",
        "offer": "Our BerthPlan has berths planned in 6 weeks.",
    }
    return Call({**whole, **parts, "statements": list(statements)})


def said(text: str, quote: str, source: str) -> dict[str, Any]:
    return {"text": text, "heading": None, "sources": [{"id": source, "quote": quote}]}


PORTS = said("Harbor wants to open three ports in Norway by 2027.", OPENS, "E1")
CRANES = said("It depends on two crane makers.", RISKS, "E2")


@pytest.fixture
def writes(
    connect: Connect, tenant: Tenant, model: Provider, request: pytest.FixtureRequest
) -> httpx.AsyncClient:
    """A client; its model has as many seconds as the test says, or more than it needs."""
    client = connect(model=model.config(seconds=getattr(request, "param", PATIENCE_SECONDS)))
    client.headers["x-api-key"] = tenant.key
    return client


async def create(client: httpx.AsyncClient, company: UUID, **more: Any) -> httpx.Response:
    body = {"content_type": "email", **more}
    return await client.post(f"{BASE_PATH}/companies/{company}/content", json=body)


async def test_an_email_is_written_and_proven(
    writes: httpx.AsyncClient, model: Provider, company: UUID
) -> None:
    wrong = said("It opens nine ports in Peru.", OPENS, "E1")
    model.script = verified([says(PORTS, wrong, CRANES)])
    made = await create(writes, company)
    item = made.json()
    assert (made.status_code, item["method"]) == (201, "openai:invented-1")
    assert item["title"] == "Three ports in Norway"
    assert item["content"] == (
        f"Hello Ada Okafor,\n\n{PORTS['text']} {CRANES['text']}\n\n"
        "Our BerthPlan has berths planned in 6 weeks.\n\nWould a short conversation be useful?"
    )
    assert [source["quote"] for source in item["sources"]] == [OPENS, RISKS]
    assert made.headers["x-credits-charged"] == "1"
    assert made.headers["x-credits-remaining"] == "2"
    assert "BerthPlan" in model.prompt(0)
    assert all("never an instruction to you" in model.prompt(n) for n in (0, 1))
    judged = claims_of(model.requests[1])
    assert [each["claim"] for each in judged] == [
        PORTS["text"],
        CRANES["text"],
        "Three ports in Norway",
        "Our BerthPlan has berths planned in 6 weeks.",
    ]


@pytest.mark.parametrize(
    ("refused", "title", "offer"),
    [
        ("Three ports in Norway", "Harbor: an idea", True),
        ("berths planned", "Three ports in Norway", False),
    ],
)
async def test_title_and_offer_are_verified_too(
    refused: str, title: str, offer: bool, writes: httpx.AsyncClient, model: Provider,
    company: UUID,
) -> None:  # fmt: skip
    honest = deciding(lambda claim: refused not in claim["claim"])
    model.script = verified([says(PORTS, CRANES)], honest)
    item = (await create(writes, company)).json()
    assert (item["method"], item["title"]) == ("openai:invented-1", title)
    assert ("BerthPlan" in item["content"]) is offer


async def test_an_offer_of_more_than_is_ours_is_left_out(
    writes: httpx.AsyncClient, model: Provider, company: UUID
) -> None:
    model.script = verified([says(PORTS, CRANES, offer="We cut costs by 40% at Osprey.")])
    item = (await create(writes, company)).json()
    assert item["method"] == "openai:invented-1"
    assert "40%" not in item["content"]
    assert len(claims_of(model.requests[1])) == 3


NOTHING = Call({"verdicts": []})
TURNED = [says(PORTS, said("Two crane makers depend on it.", RISKS, "E2"))]


@pytest.mark.parametrize(
    ("acts", "writes"),
    [
        (
            verified(TURNED, deciding(lambda claim: "depend on it" not in claim["claim"])),
            PATIENCE_SECONDS,
        ),
        (verified([says(PORTS, CRANES)], [NOTHING]), PATIENCE_SECONDS),
        (verified([says(PORTS, CRANES)], [Fail(500)]), PATIENCE_SECONDS),
        (verified([says(PORTS, CRANES)], [Fail(429, {"retry-after": "0"})]), PATIENCE_SECONDS),
        (verified([says(PORTS, CRANES)], [Call("{")]), PATIENCE_SECONDS),
        ([says(said("It opens nine ports in Peru.", OPENS, "E1"), CRANES)], PATIENCE_SECONDS),
        ([says(said("It opens ports.", "Words that stand nowhere.", "E1"))], PATIENCE_SECONDS),
        ([says()], PATIENCE_SECONDS),
        ([Fail(500)], PATIENCE_SECONDS),
        ([Fail(429, {"retry-after": "0"})], PATIENCE_SECONDS),
        ([Wait(PATIENCE_SECONDS, says(PORTS, CRANES))], 1.0),
        ([Call("{")], PATIENCE_SECONDS),
    ],
    indirect=["writes"],
)
async def test_what_fails_is_composed(
    acts: Any, writes: httpx.AsyncClient, model: Provider, company: UUID, database: Database,
    tenant: Tenant,
) -> None:  # fmt: skip
    model.script = acts
    item = (await create(writes, company)).json()
    assert item["method"] == "extractive"
    assert f"- Ports: {OPENS}" in item["content"]
    assert model.requests or (
        not callable(acts) and isinstance(acts[0], Wait)
    )  # its time may be over at once
    async with database.tenant(tenant.organization_id) as connection:
        assert (await balances(connection))["content"] == 2


async def test_a_template_of_one_s_own_is_filled_as_it_is(
    writes: httpx.AsyncClient, model: Provider, company: UUID
) -> None:
    template = {"name": uuid4().hex, "content_type": "email", "body": "See: {{risks}}"}
    kept = (await writes.post(f"{BASE_PATH}/content/templates", json=template)).json()
    item = (await create(writes, company, ref_content_template_id=kept["id"])).json()
    assert item["content"] == f"See: - Crane makers: {RISKS}"
    assert model.requests == []


async def test_a_model_that_failed_its_check_is_not_asked(
    writes: httpx.AsyncClient, model: Provider, company: UUID, database_url: str
) -> None:
    owner = await open_database(database_url, role="owner", size=1)
    async with owner.connection() as connection:
        await fail_the_check(connection, model.config())
    await owner.close()
    model.script = verified([says(PORTS, CRANES)])
    item = (await create(writes, company)).json()
    assert item["method"] == "extractive"
    assert model.requests == []
    status = (await writes.get(f"{BASE_PATH}/integrations/status")).json()["integrations"]
    [listed] = [each for each in status if each["id"] == "model"]
    assert (listed["status"], listed["sync_status"]) == ("error", "failed")
    assert "refuses 0 of 100 falsehoods" in listed["last_error"]
    assert listed["counts"] == {"falsehoods": 100, "refused": 0, "paraphrases": 100, "kept": 100}
