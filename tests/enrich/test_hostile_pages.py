"""A page that ends its parser: others go on, the lease is kept, and the page is left alone after that."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from sightline.domain.callers import OrganizationId
from sightline.kit.sandbox.pool import Sandbox
from sightline.queue import runner
from sightline.sources import parsing
from sightline.store import quarantine
from sightline.store.credits import grant
from sightline.store.database import Database
from tests.enrich.conftest import RecordedWeb, make_runner
from tests.enrich.hostile_sites import HOSTILE
from tests.waiting import until

V1 = "/public-api/v1"
ABOUT = "https://harbor.example/about"


@pytest.fixture(autouse=True)
async def credits(
    database: Database, organization: OrganizationId, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with database.tenant(organization) as connection:
        await grant(connection, credit="company", amount=20, reason="test")
    monkeypatch.setattr(parsing, "_SECONDS", 1.0)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    made = Sandbox(size=2, modules=("tests.enrich.hostile_sites",), memory_bytes=300_000_000)
    yield made
    made.close()


@asynccontextmanager
async def working(database: Database, web: RecordedWeb, sandbox: Sandbox) -> AsyncIterator[None]:
    """A worker with two slots."""
    stop = asyncio.Event()
    made = make_runner(database, web, sources=HOSTILE, parsers=sandbox)
    async with asyncio.TaskGroup() as group:
        group.create_task(made.run(stop))
        try:
            yield
        finally:
            stop.set()


async def submit(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await client.post(f"{V1}/companies", json=body)
    assert answer.status_code == 202, answer.text
    return answer.json()


async def read(client: httpx.AsyncClient, operation: dict[str, Any]) -> dict[str, Any]:
    return (await client.get(operation["status_url"])).json()


async def done(client: httpx.AsyncClient, operation: dict[str, Any]) -> dict[str, Any]:
    async def finished() -> bool:
        status = (await read(client, operation))["status"]
        await asyncio.sleep(0.1)
        return status not in ("queued", "running")

    await until(finished)
    return await read(client, operation)


async def deaths(database: Database) -> list[tuple[str, int, str]]:
    async with database.connection() as connection:
        rows = await connection.fetch("SELECT url, deaths, reason FROM parser_deaths ORDER BY url")
    return [(row["url"], row["deaths"], row["reason"]) for row in rows]


async def test_a_page_that_spins_holds_up_nobody_and_is_quarantined(
    client: httpx.AsyncClient,
    worker_database: Database,
    web: RecordedWeb,
    sandbox: Sandbox,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner, "LEASE", timedelta(seconds=1.5))
    monkeypatch.setattr(runner, "RENEW_SECONDS", 0.3)
    web.answer(ABOUT, "does: spin", media_type="text/plain")
    web.answer("https://meadow.example/", 'company_name: "Meadow"', media_type="text/plain")
    web.answer("https://meadow.example/about", "employees: 7", media_type="text/plain")
    async with working(worker_database, web, sandbox):
        poisoned = await submit(client, domain="harbor.example")

        async def under_way() -> bool:
            await asyncio.sleep(0.1)  # as often as the plan's rate allows
            now = await read(client, poisoned)
            at_work = "running" in {step["status"] for step in now["steps"][1:]}
            return at_work or now["status"] not in ("queued", "running")

        await until(under_way)
        other = await done(client, await submit(client, domain="meadow.example"))
        assert other["status"] == "succeeded", other
        found = await done(client, poisoned)
    # Two tries take longer than the lease: had it lapsed, another claim would have tried again.
    assert await deaths(worker_database) == [(ABOUT, 2, "time")]
    assert found["status"] == "partial"
    pages = next(step for step in found["steps"] if step["source"] == "pages")
    assert pages["status"] == "failed"
    assert pages["error"].startswith(f"{ABOUT} was not read: its parser was ended 2 times because")
    assert pages["found"]["quarantined"] == 1
    company = (await client.get(f"{V1}/companies/{found['company_id']}")).json()
    assert company["full_time_employees"] == 420, "the rest of the enrichment went on"


@pytest.mark.parametrize("reason", ["memory", "crash", "killed"])
async def test_what_is_quarantined_costs_nothing_until_it_is_freed_or_changes(
    client: httpx.AsyncClient,
    worker_database: Database,
    database: Database,
    web: RecordedWeb,
    sandbox: Sandbox,
    reason: str,
) -> None:
    does = {"memory": "eat", "crash": "crash", "killed": "kill"}[reason]
    web.answer(ABOUT, f"does: {does}", media_type="text/plain")
    async with working(worker_database, web, sandbox):
        first = await done(client, await submit(client, domain="harbor.example"))
        assert first["status"] == "partial"
        again = await done(client, await submit(client, domain="harbor.example"))
        assert again["status"] == "partial"
        assert await deaths(worker_database) == [(ABOUT, 2, reason)]
        async with worker_database.connection() as connection:
            (listed,) = await quarantine.quarantined(connection, source="pages")
            assert (listed.url, listed.reason) == (ABOUT, reason)
            assert await quarantine.release(connection, url=ABOUT) == 1
        await done(client, await submit(client, domain="harbor.example"))
        assert await deaths(worker_database) == [(ABOUT, 2, reason)], "it was tried again"
        web.answer(ABOUT, 'hq_city: "Salem"', media_type="text/plain")
        changed = await submit(client, domain="harbor.example")
        assert (await done(client, changed))["status"] == "succeeded"


async def test_an_address_that_gives_another_such_page_each_time_is_left_alone(
    worker_database: Database,
) -> None:
    async with worker_database.connection() as connection:
        for body in (b"1", b"2", b"3"):
            assert await quarantine.deaths_of(connection, ABOUT, b"new", parser=1) == (0, None)
            for count in (1, 2):
                assert count == await quarantine.note_death(
                    connection, ABOUT, body, parser=1, source="pages", reason="time"
                )
        assert await quarantine.deaths_of(connection, ABOUT, b"new", parser=1) == (0, "time")
        assert await quarantine.deaths_of(connection, ABOUT, b"new", parser=2) == (0, None)


async def test_a_parser_that_is_killed_under_its_work_loses_nothing(
    client: httpx.AsyncClient,
    worker_database: Database,
    web: RecordedWeb,
    sandbox: Sandbox,
    tmp_path: Path,
) -> None:
    note = tmp_path / "pid"
    web.answer(ABOUT, f'hq_city: "Salem"\ndoes: {note}', media_type="text/plain")

    async def parsing_now() -> bool:
        return note.exists() and note.read_text() != ""

    async with working(worker_database, web, sandbox):
        operation = await submit(client, domain="harbor.example")
        await until(parsing_now)
        os.kill(int(note.read_text()), signal.SIGKILL)
        found = await done(client, operation)
    assert found["status"] == "succeeded"
    assert {step["source"]: step["status"] for step in found["steps"]}["pages"] == "succeeded"
    assert await deaths(worker_database) == [], "what was read after all is forgotten"
