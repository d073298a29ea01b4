"""Messages to agent sessions: each type does what its name says, for its owner alone."""

import json
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.kit.clock import now
from sightline.store import profiles
from sightline.store.credits import balances, grant
from sightline.store.database import Database, open_database
from sightline.store.keys import create_key
from sightline.store.organizations import create_user
from sightline.store.profiles import StoredSection
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.api.asking import GOOD, QUESTION, SEARCH, WORDS, read_events, says, store_company
from tests.api.conftest import Connect
from tests.assistant.provider import Call, Provider
from tests.conftest import PATIENCE_SECONDS, Tenant
from tests.reading.verdicts import verified

SESSIONS = f"{BASE_PATH}/agent/sessions"
PORTS = "Harbor plans to open three ports in Norway by 2027."


@pytest.fixture
async def company(tenant: Tenant, database: Database, database_url: str) -> UUID:
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="content", amount=5, reason="test")
    return await store_company(database, database_url, tenant.organization_id)


@pytest.fixture
def writes(connect: Connect, tenant: Tenant, model: Provider) -> httpx.AsyncClient:
    client = connect(model=model.config(seconds=PATIENCE_SECONDS))
    client.headers["x-api-key"] = tenant.key
    return client


async def begin(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    made: dict[str, Any] = (await client.post(SESSIONS, json=body)).json()
    return made


async def send(client: httpx.AsyncClient, session: str, content: str, **headers: str) -> Any:
    return await client.post(
        f"{SESSIONS}/{session}/messages", json={"content": content}, headers=headers
    )


async def messages(client: httpx.AsyncClient, session: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = (await client.get(f"{SESSIONS}/{session}/messages")).json()[
        "items"
    ]
    return listed


async def test_a_chat_answers_and_goes_on_with_the_same_sources(
    writes: httpx.AsyncClient, model: Provider, company: UUID
) -> None:
    session = await begin(writes, company_id=str(company))
    assert session["capabilities"] == ["answer"]
    model.script = verified([SEARCH, says(GOOD)])
    first = await send(writes, session["id"], QUESTION)
    assert (first.status_code, first.headers["x-credits-charged"]) == (200, "1")
    assert first.json()["answer"] == "It operates 42 warehouses. [1]"
    # The next turn has the source before it looks anything up, and may cite it by the same id.
    where = {
        "text": "They are in Portugal and Spain.",
        "sources": [{"id": "S1", "quote": WORDS[0]}],
    }
    model.requests.clear()
    model.script = verified([says(where)])
    second = (await send(writes, session["id"], "And where are they?")).json()
    assert second["answer"] == "They are in Portugal and Spain. [1]"
    assert QUESTION in model.prompt(0)
    assert "S1 | " in model.prompt(0)
    assert WORDS[0] in model.prompt(0)
    # What is shown next is numbered on from there, and the same passage keeps its id.
    model.requests.clear()
    model.script = verified([SEARCH, says(GOOD)])
    await send(writes, session["id"], QUESTION)
    (heard,) = [m["content"] for m in model.requests[1]["messages"] if m["role"] == "tool"]
    assert "Already shown: S1" in heard
    kept = await messages(writes, session["id"])
    assert [each["role"] for each in kept] == ["user", "assistant"] * 3
    assert "sources" not in kept[1]["details"]


async def test_a_plan_is_steps_with_evidence(
    writes: httpx.AsyncClient, model: Provider, company: UUID
) -> None:
    session = await begin(writes, company_id=str(company), type="plan")
    named = {
        "text": "Marta Quell was named head of the Lisbon laboratory.",
        "sources": [{"id": "S1", "quote": WORDS[1]}],
    }
    model.script = verified(
        [
            Call({"queries": ["head of the laboratory"]}, tool="search"),
            Call(
                {
                    "answered": "fully",
                    "steps": [
                        {"action": "Write to Marta Quell.", "reason": named},
                        {"action": "Offer Peter Falk 99 cranes.", "reason": named},
                        {
                            "action": "Call them.",
                            "reason": {"text": "They lost money.", "sources": []},
                        },
                    ],
                }
            ),
        ]
    )
    planned = (await send(writes, session["id"], "How do I get in?")).json()
    (step,) = planned["steps"]
    assert step == {"action": "Write to Marta Quell.", "reason": named["text"], "citations": [1]}
    left_open = "Not answered: a part that could not be proven."
    assert planned["answer"] == f"1. Write to Marta Quell. {named['text']} [1]\n\n{left_open}"
    assert planned["citations"][0]["quote"] == WORDS[1]
    assert planned["evidence"] == "partial"
    assert (await messages(writes, session["id"]))[1]["details"]["steps"] == [step]


@pytest.mark.parametrize("kind", ["document", "email"])
async def test_documents_and_emails_become_content(
    kind: str,
    client: httpx.AsyncClient,
    writes: httpx.AsyncClient,
    model: Provider,
    database: Database,
    database_url: str,
    tenant: Tenant,
) -> None:
    company = await company_with_a_profile(database, database_url, tenant)
    session = await begin(writes, company_id=str(company), type=kind)
    assert session["capabilities"] == [kind]
    dry = await writes.post(
        f"{SESSIONS}/{session['id']}/messages?dry_run=true", json={"content": "Write."}
    )
    assert (dry.json()["credit"], dry.json()["amount"]) == ("content", 1)
    said = {"text": "Harbor wants to open ports in Norway.", "heading": None,
            "sources": [{"id": "E1", "quote": PORTS}]}  # fmt: skip
    model.script = verified([Call({"title": "Ports in Norway", "opening": "Hello,", "closing": "",
                          "offer": "", "statements": [said]})])  # fmt: skip
    made = await send(writes, session["id"], "Two lines on Norway, please.")
    item = made.json()["content"]
    assert (item["content_type"], item["title"]) == (kind, "Ports in Norway")
    assert said["text"] in item["content"]
    assert "Two lines on Norway, please." in model.prompt(0)
    assert made.headers["x-credits-charged"] == "1"
    assert (await writes.get(f"{BASE_PATH}/content/{item['content_id']}")).json() == item
    kept = await messages(writes, session["id"])
    assert kept[1]["details"]["content_id"] == item["content_id"]
    composed = (await send(client, session["id"], "And without a model?")).json()["content"]
    assert (composed["method"], PORTS in composed["content"]) == ("extractive", True)


async def test_a_canvas_settings_session_sets_how_content_is_written(
    writes: httpx.AsyncClient, model: Provider, company: UUID
) -> None:
    session = await begin(writes, company_id=str(company), type="canvas_settings")
    assert session["capabilities"] == ["setting"]
    made = await send(writes, session["id"], "name: Harbor mails\nTone: warm")
    setting = made.json()["setting"]
    assert (setting["name"], setting["tone"], setting["length"]) == (
        "Harbor mails",
        "warm",
        "short",
    )
    assert made.headers["x-credits-charged"] == "0"
    changed = (await send(writes, session["id"], "length: medium")).json()
    assert changed["setting"]["id"] == setting["id"]
    assert "tone warm" in changed["answer"]
    assert "length medium" in changed["answer"]
    kept = (await writes.get(f"{BASE_PATH}/content/settings/{setting['id']}")).json()
    assert (kept["tone"], kept["length"]) == ("warm", "medium")
    for wrong in ("length: endless", "Make it warmer, please.", "colour: blue"):
        assert (await send(writes, session["id"], wrong)).status_code == 400
    assert model.requests == []


async def test_a_workspace_session_asks_about_all_accounts(
    writes: httpx.AsyncClient, model: Provider, company: UUID
) -> None:
    session = await begin(writes, company_id=str(company), type="workspace")
    assert session["capabilities"] == ["answer"]
    model.script = verified([
        Call({"name": "harbor"}, tool="find_accounts"),
        Call({"queries": ["warehouses"], "company": "A1"}, tool="search"),
        says({"text": "Harbor Analytics operates 42 warehouses.",
              "sources": [{"id": "S1", "quote": WORDS[0]}]}),
    ])  # fmt: skip
    said = (await send(writes, session["id"], "Who has most warehouses?")).json()
    assert said["answer"] == "Harbor Analytics operates 42 warehouses. [1]"
    assert "the accounts of this organization" in model.prompt(0)


async def test_a_project_session_goes_on_with_its_plan(
    writes: httpx.AsyncClient, model: Provider, company: UUID
) -> None:
    session = await begin(writes, company_id=str(company), type="project")
    assert session["capabilities"] == ["plan"]
    named = {"text": "Marta Quell was named head of the Lisbon laboratory.",
             "sources": [{"id": "S1", "quote": WORDS[1]}]}  # fmt: skip
    step = {"action": "Write to Marta Quell.", "reason": named}
    look = Call({"queries": ["head of the laboratory"]}, tool="search")
    model.script = verified([look, Call({"answered": "fully", "steps": [step]})])
    first = (await send(writes, session["id"], "How do I get in?")).json()
    assert [each["action"] for each in first["steps"]] == ["Write to Marta Quell."]
    await send(writes, session["id"], "And after that?")
    asked = [n for n, each in enumerate(model.requests) if "And after that?" in str(each)]
    assert "1. Write to Marta Quell." in model.prompt(asked[0])


async def test_a_session_without_a_company_asks_about_accounts(
    writes: httpx.AsyncClient, client: httpx.AsyncClient, model: Provider, company: UUID
) -> None:
    session = await begin(writes)
    model.script = verified([
        Call({"queries": ["warehouses"]}, tool="search"),
        Call({"name": "harbor"}, tool="find_accounts"),
        Call({"queries": ["warehouses in Portugal"], "company": "A1"}, tool="search"),
        says({"text": "Harbor Analytics operates 42 warehouses.",
              "sources": [{"id": "S1", "quote": WORDS[0]}]}),
    ])  # fmt: skip
    said = (await send(writes, session["id"], "Who has most warehouses?")).json()
    assert said["answer"] == "Harbor Analytics operates 42 warehouses. [1]"
    heard = [m["content"] for m in model.requests[3]["messages"] if m["role"] == "tool"]
    assert heard[0].startswith("Say which company")
    assert heard[1].splitlines()[:1] == ["1 accounts:"]
    without = (await send(client, session["id"], "Who has most warehouses?")).json()
    assert (without["model"], without["evidence"]) == ("extractive", "none")
    document = await begin(writes, type="email")
    refused = await send(writes, document["id"], "Write to them.")
    assert refused.status_code == 400


async def test_a_plan_without_a_model_costs_nothing(
    client: httpx.AsyncClient, company: UUID, database: Database, tenant: Tenant
) -> None:
    session = await begin(client, company_id=str(company), type="plan")
    planned = await send(client, session["id"], "How do I get in?")
    assert (planned.json()["evidence"], planned.json()["steps"]) == ("none", [])
    async with database.tenant(tenant.organization_id) as connection:
        assert (await balances(connection))["content"] == 5


async def test_messages_are_for_the_owner_alone(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    session = await begin(client, type="workspace")
    async with database.tenant(tenant.organization_id) as connection:
        other = await create_user(connection, email="colleague@first.example", role="member")
        key = await create_key(connection, user_id=other, name="k", scopes=["*"])
    refused = await send(client, session["id"], "Mine?", **{"x-api-key": key.key})
    assert refused.status_code == 404
    assert (await send(client, str(uuid4()), "Mine?")).status_code == 404
    assert (await send(client, session["id"], "  ")).status_code == 400


async def test_a_chat_streams(writes: httpx.AsyncClient, model: Provider, company: UUID) -> None:
    session = await begin(writes, company_id=str(company))
    model.script = verified([SEARCH, says(GOOD)])
    answer = await send(writes, session["id"], QUESTION, accept="text/event-stream")
    events = read_events(answer.text)
    assert [name for name, _ in events][-4:] == ["token", "citation", "credits", "done"]
    assert events[-1][1]["session_id"] == session["id"]


async def company_with_a_profile(database: Database, database_url: str, tenant: Tenant) -> UUID:
    record = FULL_RECORD | {"company_name": "Harbor"}
    [added] = await add_accounts(database, tenant.organization_id, [record])
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="content", amount=5, reason="test")
    source = {
        "document_id": str(uuid4()), "url": "https://harbor.example/", "title": "Plans",
        "quote": PORTS, "published_at": None,
    }  # fmt: skip
    body = json.dumps([{"name": "Ports", "description": PORTS, "sources": [source]}])
    row = StoredSection(
        "strategic_priorities", "ready", "extractive", body, body, 1, b"x", None, None
    )
    worker = await open_database(database_url, role="sightline_worker", size=2)
    async with worker.connection() as connection:
        await profiles.write_sections(
            connection, added.company_id, [row], unchanged=(), checked_at=now()
        )
    await worker.close()
    return added.company_id
