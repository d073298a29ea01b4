"""The brief of a company: what is current, each line with its sources, as JSON and as Markdown."""

from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.kit.clock import now
from sightline.profile.brief_markdown import markdown
from sightline.profile.refresh import refresh_profile
from sightline.queue.runner import Runner
from sightline.store import profiles, work
from sightline.store.database import Database, open_database
from tests.api.accounts_data import add_accounts
from tests.conftest import Tenant
from tests.profile.company import REPORT, store_company
from tests.store.evidence_data import add_document, add_signal

BUYS = "Harbor Analytics buys Quay Systems for $40 million."


@pytest.fixture
async def worker(database_url: str) -> Any:
    opened = await open_database(database_url, role="sightline_worker", size=4)
    yield opened
    await opened.close()


@pytest.fixture
async def company_id(worker: Database) -> UUID:
    """A company whose profile is made."""
    async with worker.connection() as connection, connection.transaction():
        word = f"larkspur-{uuid4().hex[:8]}"
        found = await store_company(connection, name=word, domain=f"{word}.example")
        await work.put(connection, profiles.REFRESH, str(found))
    handlers = {profiles.REFRESH: partial(refresh_profile, worker)}
    await Runner(database=worker, handlers=handlers, slots=1, per_organization=4).run_all()
    return found


async def read(client: httpx.AsyncClient, company_id: UUID) -> dict[str, Any]:
    answer = await client.get(f"{BASE_PATH}/companies/{company_id}/brief")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_every_line_has_its_sources(client: httpx.AsyncClient, company_id: UUID) -> None:
    brief = await read(client, company_id)
    numbers = {row["n"] for row in brief["sources"]}
    lines = [
        row
        for part in ("summary", "figures", "changes", "why_now", "people", "questions")
        for row in brief[part]
    ]
    assert lines
    for row in lines:
        assert row["sources"], row
        assert {each["n"] for each in row["sources"]} <= numbers
    revenue = next(row for row in brief["figures"] if row["label"] == "Revenue")
    assert revenue["trend"][0] == {"period": revenue["period"], "amount": revenue["amount"]}
    ends = [row["period"] for row in revenue["trend"]]
    assert ends == sorted(ends, reverse=True)
    assert brief["people"][0]["title"]
    report = next(row for row in brief["sources"] if row["url"] == REPORT)
    assert (report["title"], report["published_at"][:10]) == ("10-K for 2025-12-31", "2026-02-20")


async def test_what_has_expired_is_no_change(
    client: httpx.AsyncClient, worker: Database, company_id: UUID
) -> None:
    document_id = await add_document(worker, company_id, [BUYS])
    signal_id = await add_signal(worker, company_id, document_id, quote=BUYS, start=0)

    async def expire(moment: Any) -> list[str]:
        async with worker.connection() as connection:
            await connection.execute(
                "UPDATE signals SET expires_at = $2 WHERE company_id = $1", company_id, moment
            )
        return [row["signal_id"] for row in (await read(client, company_id))["changes"]]

    assert str(signal_id) in await expire(now() + timedelta(days=1))
    assert await expire(now() - timedelta(days=1)) == []


async def test_it_is_a_page_of_markdown_on_request(
    client: httpx.AsyncClient, company_id: UUID
) -> None:
    path = f"{BASE_PATH}/companies/{company_id}/brief"
    answer = await client.get(path, headers={"accept": "text/markdown"})
    assert answer.headers["content-type"].startswith("text/markdown")
    assert answer.text.startswith("# larkspur-")
    assert "## Figures" in answer.text
    assert "[1]" in answer.text
    assert "\n1. " in answer.text


async def test_a_company_that_nothing_is_known_of_says_so(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    (added,) = await add_accounts(
        database, tenant.organization_id, [{"company_name": "Empty *Shell* Ltd"}]
    )
    brief = await read(client, added.company_id)
    assert (brief["figures"], brief["changes"], brief["sources"]) == ([], [], [])
    text = markdown(brief)
    assert text.startswith(r"# Empty \*Shell\* Ltd")
    assert "Nothing is known yet for: figures, what changed, why now" in text


async def test_an_unknown_company_is_not_found(client: httpx.AsyncClient) -> None:
    answer = await client.get(f"{BASE_PATH}/companies/{uuid4()}/brief")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "company_not_found")
