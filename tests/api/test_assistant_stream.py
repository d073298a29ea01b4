"""An answer as server-sent events over a real server: streamed, and undone when the client disconnects."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
import uvicorn

from sightline.api import event_stream
from sightline.api.endpoint import Services
from sightline.api.server import create_server
from sightline.assistant import turn
from sightline.store.credits import balances, grant
from sightline.store.database import Database
from tests.api.asking import (
    GOOD,
    SEARCH,
    SECOND,
    WORDS,
    ask,
    chat_path,
    read_events,
    says,
    store_company,
)
from tests.assistant.provider import Provider, Wait
from tests.conftest import PATIENCE_SECONDS, Tenant
from tests.reading.verdicts import supporting, verified
from tests.waiting import LONGEST_SECONDS, until

EVENTS = {"accept": "text/event-stream"}
QUESTION = {"message": "How many warehouses does it operate?"}


@pytest.fixture
async def company(tenant: Tenant, database: Database, database_url: str) -> UUID:
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="content", amount=3, reason="test")
    return await store_company(database, database_url, tenant.organization_id)


@asynccontextmanager
async def serving(services: Services, key: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a real server in this loop."""
    config = uvicorn.Config(
        create_server(services), host="127.0.0.1", port=0, log_level="critical", lifespan="off",
        ws="none", http="httptools", timeout_keep_alive=int(LONGEST_SECONDS),
    )  # fmt: skip
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())

    async def has_started() -> bool:
        return server.started

    await until(has_started)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}",
            headers={"x-api-key": key},
            trust_env=False,
            timeout=LONGEST_SECONDS,
        ) as client:
            yield client
    finally:
        server.should_exit = True
        await running


@pytest.fixture
async def reader(
    services: Services, tenant: Tenant, model: Provider
) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(
        replace(services, model=model.config(seconds=PATIENCE_SECONDS)), tenant.key
    ) as client:
        yield client


async def listen(
    client: httpx.AsyncClient, company: UUID, heard: Callable[[str], None] = lambda text: None
) -> str:
    """The text of a stream; `heard` is called with what has arrived so far."""
    text = ""
    async with client.stream("POST", chat_path(company), json=QUESTION, headers=EVENTS) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["x-credits-charged"] == "1"
        async for piece in answer.aiter_text():
            text += piece
            heard(text)
    return text


async def left(database: Database, tenant: Tenant) -> tuple[int, int]:
    async with database.tenant(tenant.organization_id) as connection:
        held = await connection.fetchval(
            "SELECT count(*) FROM credit_reservations WHERE organization_id = $1 AND state = 'reserved'",
            tenant.organization_id,
        )
        return (await balances(connection))["content"], held


async def messages(database: Database, tenant: Tenant) -> int:
    async with database.tenant(tenant.organization_id) as connection:
        count: int = await connection.fetchval(
            "SELECT count(*) FROM agent_messages WHERE organization_id = $1", tenant.organization_id
        )
    return count


async def test_steps_arrive_while_the_model_works_and_sentences_when_proven(
    reader: httpx.AsyncClient, model: Provider, company: UUID, database: Database, tenant: Tenant
) -> None:
    search, write, check = threading.Event(), threading.Event(), threading.Event()
    model.script = verified(
        [
            Wait(LONGEST_SECONDS, SEARCH, search),
            Wait(LONGEST_SECONDS, says(GOOD, SECOND), write),
        ],
        lambda asked: Wait(LONGEST_SECONDS, supporting(asked), check),
    )

    def heard(text: str) -> None:
        """The model goes on when we have received what it did before."""
        search.set()
        if "searching" in text:
            write.set()
        if "checking" in text:
            assert check.is_set() or "event: token" not in text
            check.set()

    async with asyncio.timeout(LONGEST_SECONDS / 2):
        events = read_events(await listen(reader, company, heard))
    names = [name for name, _ in events]
    assert names[0] == "status"
    assert names[-4:] == ["token", "citation", "credits", "done"] or names[-3:] == [
        "token", "credits", "done"
    ]  # fmt: skip
    done = events[-1][1]
    assert "".join(data["text"] for name, data in events if name == "token") == done["answer"]
    assert done["answer"] == "It operates 42 warehouses. [1] They are in Portugal and Spain. [1]"
    assert [data for name, data in events if name == "citation"] == done["citations"]
    assert [data["step"] for name, data in events if name == "status"] == [
        "started", "asking", "searching", "checking"
    ]  # fmt: skip
    assert events[-2] == ("credits", {"credit": "content", "charged": 1, "remaining": 2})
    assert done["usage"] == {
        "input_tokens": 200, "output_tokens": 40, "verifier_tokens": 120, "dropped_sentences": 0
    }  # fmt: skip
    assert await left(database, tenant) == (2, 0)
    assert await messages(database, tenant) == 2
    model.script = verified([SEARCH, says(GOOD, SECOND)])
    plain = (await ask(reader, company, QUESTION["message"])).json()
    assert plain.keys() == done.keys()
    changing = ("conversation_id", "message_id", "usage")
    same = {k: v for k, v in done.items() if k not in changing}
    assert same == {k: v for k, v in plain.items() if k not in changing}


async def test_a_silent_model_is_covered_by_heartbeats(
    reader: httpx.AsyncClient, model: Provider, company: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "HEARTBEAT_SECONDS", 0.1)
    go_on = threading.Event()
    model.script = verified([SEARCH, Wait(LONGEST_SECONDS, says(GOOD), go_on)])

    def heard(text: str) -> None:
        if text.count(": still at it") >= 4:
            go_on.set()

    async with asyncio.timeout(LONGEST_SECONDS / 2):
        text = await listen(reader, company, heard)
    assert read_events(text)[-1][1]["model"] == "openai:invented-1"


async def test_who_hangs_up_stops_the_model_and_pays_nothing(
    reader: httpx.AsyncClient, model: Provider, company: UUID, database: Database, tenant: Tenant
) -> None:
    model.script = [SEARCH, Wait(LONGEST_SECONDS, says(GOOD), threading.Event())]
    async with reader.stream("POST", chat_path(company), json=QUESTION, headers=EVENTS) as answer:
        async for piece in answer.aiter_text():
            if len(model.requests) == 2:
                assert await left(database, tenant) == (2, 1)
                break
            del piece

    async def is_given_back() -> bool:
        return model.left == 1 and await left(database, tenant) == (3, 0)

    await until(is_given_back)
    assert model.left == 1
    assert await messages(database, tenant) == 0
    # The connection went back whole.
    model.script = [SEARCH, says()]
    assert (await ask(reader, company, QUESTION["message"])).status_code == 200


async def test_a_failure_after_the_first_event_is_an_event(
    reader: httpx.AsyncClient,
    model: Provider,
    company: UUID,
    database: Database,
    tenant: Tenant,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret of the inside")

    model.script = verified([SEARCH, says(GOOD)])
    monkeypatch.setattr(turn, "add_message", broken)
    text = await listen(reader, company)
    name, data = read_events(text)[-1]
    assert (name, data["error"]["code"]) == ("error", "internal_error")
    assert data["error"]["details"]["request_id"]
    assert "secret" not in text
    assert await left(database, tenant) == (3, 0)
    assert await messages(database, tenant) == 0


async def test_before_the_first_event_failures_are_ordinary(
    reader: httpx.AsyncClient, company: UUID
) -> None:
    missing = await reader.post(chat_path(uuid4()), json=QUESTION, headers=EVENTS)
    assert (missing.status_code, missing.headers["content-type"]) == (404, "application/json")
    bad = await reader.post(chat_path(company), json={"message": ""}, headers=EVENTS)
    assert bad.status_code == 400


async def test_a_repetition_gets_the_same_events(
    reader: httpx.AsyncClient, model: Provider, company: UUID, database: Database, tenant: Tenant
) -> None:
    model.script = verified([SEARCH, says(GOOD)])
    headers = EVENTS | {"idempotency-key": uuid4().hex}
    first = await reader.post(chat_path(company), json=QUESTION, headers=headers)
    again = await reader.post(chat_path(company), json=QUESTION, headers=headers)
    assert first.text == again.text
    assert again.headers["content-type"].startswith("text/event-stream")
    events = read_events(first.text)
    assert [name for name, _ in events][-4:] == ["token", "citation", "credits", "done"]
    assert len(model.requests) == 3
    assert await left(database, tenant) == (2, 0)


@pytest.mark.usefixtures("encoder")
async def test_without_a_model_it_streams_too(
    services: Services, tenant: Tenant, company: UUID
) -> None:
    async with serving(services, tenant.key) as client:
        answer = await client.post(chat_path(company), json=QUESTION, headers=EVENTS)
    events = read_events(answer.text)
    assert answer.headers["x-credits-charged"] == "0"
    assert [name for name, _ in events[:4]] == ["status", "status", "token", "citation"]
    assert [name for name, _ in events[-2:]] == ["credits", "done"]
    assert f"“{WORDS[0]}” [1]" in events[2][1]["text"]
    assert events[-1][1]["answer"].startswith(events[2][1]["text"])
