"""Models of one's own machine: without tools, without JSON, with a small context, or out of hand."""

import json
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.assistant.tools.session import ENOUGH
from sightline.store.credits import grant
from sightline.store.database import Database
from tests.api.asking import GOOD, QUESTION, SEARCH, WORDS, ask, says, store_company
from tests.api.conftest import Connect
from tests.assistant.provider import Act, Call, Fail, Provider, Say
from tests.conftest import PATIENCE_SECONDS, Tenant
from tests.reading.verdicts import is_verification, supporting, verified

ANSWER = "It operates 42 warehouses. [1]"
REFUSALS = [
    Fail(400, body='{"error": {"message": "registry.example/small does not support tools"}}'),
    Fail(500, body='{"error": {"message": "tools param requires --jinja flag"}}'),
    Fail(
        400,
        body='{"error": {"message": "\\"auto\\" tool choice requires --enable-auto-tool-choice"}}',
    ),
]


@pytest.fixture
async def company(tenant: Tenant, database: Database, database_url: str) -> UUID:
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="content", amount=2, reason="test")
    return await store_company(database, database_url, tenant.organization_id)


def client_of(
    connect: Connect, tenant: Tenant, model: Provider, **options: Any
) -> httpx.AsyncClient:
    client = connect(model=model.config(seconds=PATIENCE_SECONDS, **options))
    client.headers["x-api-key"] = tenant.key
    return client


def plain(answer: str, refusal: Act | None = None) -> Any:
    """A model that cannot call tools: it writes an answer, then verdicts as text."""
    said = iter((Say(answer),))

    def act(asked: dict[str, Any]) -> Act:
        if asked.get("tools"):
            return refusal or Fail(400, body='{"error": "no tools here"}')
        if is_verification(asked):
            return Say(json.dumps(supporting(asked).arguments))
        return next(said)

    return act


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_a_server_that_refuses_tools_is_shown_passages(
    refusal: Fail, connect: Connect, tenant: Tenant, model: Provider, company: UUID
) -> None:
    model.script = plain(json.dumps({"answered": "fully", "sentences": [GOOD]}), refusal)
    said = (await ask(client_of(connect, tenant, model), company, QUESTION)).json()
    assert (said["answer"], said["evidence"]) == (ANSWER, "sufficient")


@pytest.mark.parametrize(
    "answer",
    [
        f"Here is the JSON:\n```json\n{json.dumps({'sentences': [GOOD]})}\n```\nI hope it helps.",
        json.dumps({"sentences": [GOOD]}),
    ],
)
async def test_an_answer_without_a_call_is_read(
    answer: str, connect: Connect, tenant: Tenant, model: Provider, company: UUID
) -> None:
    model.script = plain(answer)
    client = client_of(connect, tenant, model, calls_tools=False)
    said = (await ask(client, company, QUESTION)).json()
    assert said["answer"] == ANSWER
    assert said["citations"][0]["quote"] == WORDS[0]
    assert "tools" not in model.requests[0]
    assert "warehouses" in model.prompt(0)
    model.script = verified([SEARCH, Say(answer)])
    with_tools = (await ask(client_of(connect, tenant, model), company, QUESTION)).json()
    assert with_tools["answer"] == ANSWER


async def test_a_model_that_looks_nothing_up_is_shown_passages(
    connect: Connect, tenant: Tenant, model: Provider, company: UUID
) -> None:
    said = iter((says(), says(GOOD)))
    model.script = verified(lambda asked: next(said))
    answer = (await ask(client_of(connect, tenant, model), company, QUESTION)).json()
    assert (answer["answer"], answer["evidence"]) == (ANSWER, "sufficient")


async def test_what_it_is_shown_fits_a_small_context(
    connect: Connect, tenant: Tenant, model: Provider, company: UUID
) -> None:
    model.script = verified([SEARCH, Call({}, tool="list_documents"), SEARCH, says(GOOD)])
    client = client_of(connect, tenant, model, context_tokens=4_000)
    assert (await ask(client, company, QUESTION)).json()["answer"] == ANSWER
    shown = [m["content"] for m in model.requests[-2]["messages"] if m["role"] == "tool"]
    assert sum(map(len, shown)) < 4_000 * 3.5 * 0.6


async def test_a_flood_of_calls_ends(
    connect: Connect, tenant: Tenant, model: Provider, company: UUID
) -> None:
    model.script = verified([SEARCH] * 3 + [says(GOOD)])
    client = client_of(connect, tenant, model, tool_calls=2, requests=6)
    assert (await ask(client, company, QUESTION)).json()["answer"] == ANSWER
    heard = [m["content"] for m in model.requests[3]["messages"] if m["role"] == "tool"]
    assert heard[2] == ENOUGH
    # In its last requests it is offered nothing but to answer.
    model.requests.clear()
    model.script = verified([SEARCH] * 4 + [says(GOOD)])
    await ask(client_of(connect, tenant, model, requests=6), company, QUESTION)
    offered = [
        [tool["function"]["name"] for tool in asked["tools"]] for asked in model.requests[:5]
    ]
    assert "search" in offered[3]
    assert offered[4] == ["final_result"]
