"""Chats and content while a model thinks: no connection held, one effect, nothing lost by who dies."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest

from sightline.api import idempotency, turns
from sightline.api.endpoints import BASE_PATH
from sightline.kit.clock import now
from sightline.store import profiles
from sightline.store.credits import balances, grant
from sightline.store.database import Connection, Database, DatabaseIsBusy, open_database
from sightline.store.profiles import StoredSection
from tests.api.asking import GOOD, SEARCH, says, store_company
from tests.api.conftest import Connect
from tests.assistant.provider import Call, Provider, Wait
from tests.conftest import Tenant
from tests.reading.verdicts import is_verification, supporting
from tests.waiting import LONGEST_SECONDS, until

PLAN = "Harbor Analytics plans to open three ports in Norway by 2027."
RISK = "Harbor Analytics depends on two crane makers."
CREDITS = 20
KINDS = ("chat", "content")
Asking = tuple[str, dict[str, Any]]


@pytest.fixture
async def company(tenant: Tenant, database: Database, database_url: str) -> UUID:
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="content", amount=CREDITS, reason="test")
    company_id = await store_company(database, database_url, tenant.organization_id)
    workers = await open_database(database_url, role="sightline_worker", size=1)
    async with workers.connection() as connection:
        rows = [_section("strategic_priorities", PLAN), _section("risks", RISK)]
        await profiles.write_sections(connection, company_id, rows, unchanged=(), checked_at=now())
    await workers.close()
    return company_id


def _section(name: str, said: str) -> StoredSection:
    source = {"document_id": str(uuid4()), "url": None, "title": None, "quote": said,
              "published_at": None}  # fmt: skip
    body = json.dumps([{"name": "Plan", "description": said, "sources": [source]}])
    return StoredSection(name, "ready", "extractive", body, body, 1, b"x", None, None)


class Thinker:
    """Answers both kinds of questions; what is asked for after `think` waits for its `go_on`."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.go_on.set()

    def think(self) -> threading.Event:
        self.go_on = threading.Event()
        return self.go_on

    def think_no_more(self) -> None:
        """Answer at once what is asked from now on."""
        self.think().set()

    def __call__(self, asked: dict[str, Any]) -> Any:
        if is_verification(asked):
            return supporting(asked)
        if all(tool["function"]["name"] != "search" for tool in asked["tools"]):
            sources = [[{"id": "E1", "quote": PLAN}], [{"id": "E2", "quote": RISK}]]
            statements = [
                {"text": text, "heading": None, "sources": source}
                for text, source in zip((PLAN, RISK), sources, strict=True)
            ]
            return self._late(Call({"title": "Ports", "statements": statements}))
        if not any(message["role"] == "tool" for message in asked["messages"]):
            return SEARCH
        return self._late(says(GOOD))

    def _late(self, act: Call) -> Wait:
        return Wait(LONGEST_SECONDS, act, self.go_on)


@pytest.fixture
def thinker(model: Provider) -> Thinker:
    model.script = thinker = Thinker()
    return thinker


@pytest.fixture
async def small(database_url: str) -> AsyncIterator[Database]:
    """Two connections, one of which is for keys alone."""
    small = await open_database(database_url, size=2)
    yield small
    await small.close()


@pytest.fixture
def writes(
    connect: Connect, tenant: Tenant, model: Provider, thinker: Thinker, small: Database
) -> httpx.AsyncClient:
    client = connect(model=model.config(seconds=LONGEST_SECONDS), database=small)
    client.headers["x-api-key"] = tenant.key
    return client


def asking(kind: str, company: UUID) -> Asking:
    path = f"{BASE_PATH}/companies/{company}"
    if kind == "chat":
        return f"{path}/assistant/chat", {"message": "How many warehouses does it operate?"}
    return f"{path}/content", {"content_type": "notes"}


async def ask(client: httpx.AsyncClient, asked: Asking, key: str | None = None) -> httpx.Response:
    headers = {"idempotency-key": key} if key else {}
    return await client.post(asked[0], json=asked[1], headers=headers)


async def books(database: Database, tenant: Tenant) -> tuple[int, int, int]:
    """Content credits left, reservations open, and effects: answers and pieces of content."""
    async with database.tenant(tenant.organization_id) as connection:
        held = await connection.fetchval(
            "SELECT count(*) FROM credit_reservations WHERE organization_id = $1 AND state = 'reserved'",
            tenant.organization_id,
        )
        effects = await connection.fetchval(
            """
            SELECT (SELECT count(*) FROM agent_messages WHERE organization_id = $1 AND role = 'user')
              + (SELECT count(*) FROM content WHERE organization_id = $1)
            """,
            tenant.organization_id,
        )
        left = (await balances(connection))["content"]
    return left, held, effects


async def until_held(database: Database, tenant: Tenant) -> None:
    async def is_held() -> bool:
        return (await books(database, tenant))[1] > 0

    await until(is_held)


async def until_thought(model: Provider, *, late: int) -> None:
    """Wait until so many requests have come to the model, the last of which it thinks about."""

    async def is_asked() -> bool:
        return len(model.requests) >= late

    await until(is_asked)


async def lapse(database: Database, tenant: Tenant) -> None:
    """Let an hour pass for the one who is at work."""
    async with database.tenant(tenant.organization_id) as connection:
        for table in ("idempotency_keys", "credit_reservations"):
            await connection.execute(
                f"UPDATE {table} SET created_at = created_at - interval '1 hour'"
                " WHERE organization_id = $1",
                tenant.organization_id,
            )


@pytest.mark.parametrize("kind", KINDS)
async def test_no_connection_waits_with_them(
    kind: str,
    writes: httpx.AsyncClient,
    thinker: Thinker,
    company: UUID,
    small: Database,
    database: Database,
    tenant: Tenant,
    model: Provider,
) -> None:
    go_on = thinker.think()
    several = [asyncio.create_task(ask(writes, asking(kind, company))) for _ in range(6)]
    await until_thought(model, late=6 if kind == "content" else 12)
    # All six are thought about at once, over two connections, which others can use meanwhile.
    assert small.pool.get_idle_size() == small.pool.get_size()
    assert (await books(database, tenant))[1] == 6
    read = await writes.get(f"{BASE_PATH}/companies/{company}")
    assert read.status_code == 200
    go_on.set()
    for answer in await asyncio.gather(*several):
        assert answer.is_success, answer.text
        made = answer.json()
        assert (made.get("model") or made["method"]) == "openai:invented-1"
    assert await books(database, tenant) == (CREDITS - 6, 0, 6)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_repetition_meanwhile_is_told_to_wait(
    kind: str,
    writes: httpx.AsyncClient,
    thinker: Thinker,
    company: UUID,
    database: Database,
    tenant: Tenant,
) -> None:
    go_on = thinker.think()
    asked = asking(kind, company)
    first = asyncio.create_task(ask(writes, asked, "a"))
    await until_held(database, tenant)
    meanwhile = await ask(writes, asked, "a")
    assert (meanwhile.status_code, meanwhile.headers["retry-after"]) == (409, "1")
    assert meanwhile.json()["error"]["code"] == "idempotency_in_progress"
    async with database.tenant(tenant.organization_id) as connection:
        row = await connection.fetchrow("SELECT status, headers, body FROM idempotency_keys")
    assert row is not None
    # A node of the release before, during an upgrade, takes it for the answer: this one is harmless.
    assert (row["status"], row["headers"]["Retry-After"], row["body"]) == (409, "1", b"")
    other = await ask(writes, (asked[0], asked[1] | {"content_type": "email"}), "a")
    assert other.status_code == (422 if kind == "content" else 400)
    go_on.set()
    answer = await first
    again = await ask(writes, asked, "a")
    assert again.headers["idempotent-replayed"] == "true"
    assert again.content == answer.content
    assert again.headers["x-credits-charged"] == answer.headers["x-credits-charged"] == "1"
    assert await books(database, tenant) == (CREDITS - 1, 0, 1)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_death_gives_back_what_was_held_and_doubles_nothing(
    kind: str,
    writes: httpx.AsyncClient,
    thinker: Thinker,
    company: UUID,
    database: Database,
    tenant: Tenant,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def dies(*_: Any) -> None:
        """A killed process gives nothing back itself."""

    thinker.think()
    asked = asking(kind, company)
    dying = asyncio.create_task(ask(writes, asked, "a"))
    await until_held(database, tenant)
    with monkeypatch.context() as patched:
        patched.setattr(idempotency, "_compensate", dies)
        dying.cancel()
        await asyncio.wait({dying})
    assert await books(database, tenant) == (CREDITS - 1, 1, 0)
    thinker.think_no_more()
    assert (await ask(writes, asked, "a")).status_code == 409
    await lapse(database, tenant)
    answer = await ask(writes, asked, "a")
    assert answer.is_success, answer.text
    assert "idempotent-replayed" not in answer.headers
    assert await books(database, tenant) == (CREDITS - 1, 0, 1)
    assert (await ask(writes, asked, "a")).content == answer.content


@pytest.mark.parametrize("key", ["a", None])
@pytest.mark.parametrize("kind", KINDS)
async def test_who_comes_back_from_the_dead_writes_nothing(
    kind: str,
    key: str | None,
    writes: httpx.AsyncClient,
    thinker: Thinker,
    company: UUID,
    database: Database,
    tenant: Tenant,
    model: Provider,
) -> None:
    go_on = thinker.think()
    asked = asking(kind, company)
    late = asyncio.create_task(ask(writes, asked, key))
    await until_thought(model, late=1 if kind == "content" else 2)
    await lapse(database, tenant)
    thinker.think_no_more()
    answer = await ask(writes, asked, key)
    assert answer.is_success, answer.text
    go_on.set()
    refused = await late
    assert refused.status_code == (409 if key else 503), refused.text
    assert await books(database, tenant) == (CREDITS - 1, 0, 1)
    if key:
        assert (await ask(writes, asked, key)).content == answer.content


@pytest.mark.parametrize("kind", KINDS)
async def test_what_fails_at_the_end_can_be_sent_again_at_once(
    kind: str,
    writes: httpx.AsyncClient,
    company: UUID,
    database: Database,
    tenant: Tenant,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fails(*_: Any, **__: Any) -> None:
        raise asyncpg.QueryCanceledError("too slow")

    asked = asking(kind, company)
    with monkeypatch.context() as patched:
        patched.setattr("sightline.store.credits.settle_held", fails)
        failed = await ask(writes, asked, "a")
    assert failed.status_code == 503, failed.text
    assert await books(database, tenant) == (CREDITS, 0, 0)
    assert (await ask(writes, asked, "a")).is_success
    assert await books(database, tenant) == (CREDITS - 1, 0, 1)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_made_waits_longer_for_its_turn(
    kind: str,
    connect: Connect,
    company: UUID,
    database: Database,
    tenant: Tenant,
    model: Provider,
    thinker: Thinker,
    small: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refused: list[str] = []
    is_busy = asyncio.Event()

    @dataclass(frozen=True)
    class Busy(Database):
        """Refuses while others have all of its connections."""

        @asynccontextmanager
        async def connection(self) -> AsyncIterator[Connection]:
            if is_busy.is_set():
                refused.append(kind)
                raise DatabaseIsBusy
            async with super().connection() as connection:
                yield connection

    monkeypatch.setattr(turns, "PATIENCE_SECONDS", LONGEST_SECONDS)
    client = connect(
        model=model.config(seconds=LONGEST_SECONDS), database=Busy(small.pool, small.wait_seconds)
    )
    client.headers["x-api-key"] = tenant.key
    go_on = thinker.think()
    asked = asyncio.create_task(ask(client, asking(kind, company)))
    await until_thought(model, late=len(KINDS) - KINDS.index(kind))
    is_busy.set()
    go_on.set()

    async def has_tried() -> bool:
        return len(refused) >= 3

    await until(has_tried)
    is_busy.clear()
    answer = await asked
    assert answer.is_success, answer.text
    assert await books(database, tenant) == (CREDITS - 1, 0, 1)


async def test_a_setting_that_goes_while_a_text_is_written_does_not_cost_the_text(
    writes: httpx.AsyncClient, thinker: Thinker, company: UUID, database: Database, tenant: Tenant
) -> None:
    made = await writes.post(f"{BASE_PATH}/content/settings", json={"name": "Brisk"})
    setting_id = made.json()["id"]
    go_on = thinker.think()
    path, body = asking("content", company)
    writing = asyncio.create_task(ask(writes, (path, body | {"content_setting_id": setting_id})))
    await until_held(database, tenant)
    gone = await writes.delete(f"{BASE_PATH}/content/settings/{setting_id}")
    assert gone.status_code == 200
    go_on.set()
    answer = await writing
    assert answer.status_code == 201, answer.text
    assert answer.json()["content_setting_id"] is None
    assert await books(database, tenant) == (CREDITS - 1, 0, 1)
