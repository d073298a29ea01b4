"""Technologies over the API: evidence of pages and of postings as one list."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.domain.evidence import Observation, Parsed
from sightline.domain.postings import ParsedPosting
from sightline.kit.ids import new_id
from sightline.store import documents, facts
from sightline.store.database import Database
from tests.api.test_jobs import add_company, pull

NOW = datetime.now(UTC)


async def add_facts(
    owner: Database, company_id: UUID, *values: tuple[dict[str, str], str, float]
) -> None:
    url = f"https://{company_id}.example/"
    fetched = documents.Fetched(
        url=url, final_url=url, status=200, headers={}, media_type="text/html",
        content=url.encode(), fetched_at=NOW - timedelta(days=3),
    )  # fmt: skip
    found = tuple(
        Observation("technology", value, "markup", sure, quote=quote)
        for value, quote, sure in values
    )
    async with owner.connection() as connection, connection.transaction():
        document_id = await documents.store_document(
            connection, fetched, Parsed("page", " ".join(q for _, q, _ in values), observations=found),
            source="website", parser=1,
        )  # fmt: skip
        await documents.tie_to_company(connection, company_id, document_id, passages=())
        await facts.store_facts(
            connection, company_id, document_id, source="website", observations=found,
            superseded=(), seen_at=NOW - timedelta(days=3),
        )  # fmt: skip


@pytest.fixture
async def company_id(owner: Database) -> UUID:
    company_id = await add_company(owner)
    value = {
        "name": "Kubernetes",
        "vendor": "CNCF",
        "category": "orchestration",
        "evidence_kind": "header",
    }
    await add_facts(
        owner, company_id,
        (value, "server: kubernetes-ingress", 0.9),
        ({"name": "Marketo", "category": "marketing", "evidence_kind": "script"}, "munchkin.js", 0.8),
    )  # fmt: skip
    listed = [
        ParsedPosting(
            "1",
            "Engineer",
            "https://jobs.example/1",
            description="Good.\nYou run Kubernetes and C++.",
        ),
        ParsedPosting("2", "Developer", "https://jobs.example/2", description="We write C++ here."),
    ]
    await pull(owner, company_id, listed, at=NOW - timedelta(days=1))
    await pull(owner, company_id, listed[:1], at=NOW)
    return company_id


async def ask(client: httpx.AsyncClient, company_id: UUID, **params: Any) -> dict[str, Any]:
    answer = await client.get(f"{BASE_PATH}/companies/{company_id}/technologies", params=params)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_evidence_of_all_kinds_is_one_list(
    client: httpx.AsyncClient, company_id: UUID
) -> None:
    found = await ask(client, company_id)
    items = {item["product"]: item for item in found["items"]}
    assert [item["product"] for item in found["items"]] == ["Kubernetes", "Marketo", "C++"]
    assert found["pagination"]["total"] == 3
    both = items["Kubernetes"]
    assert (both["vendor"], both["category"], both["evidence_kind"]) == (
        "CNCF",
        "orchestration",
        "header",
    )
    assert both["quote"] == "server: kubernetes-ingress"
    assert both["confidence"] > 0.9
    assert [each["evidence_kind"] for each in both["sources"]] == ["header", "job_posting"]
    assert both["sources"][1]["quote"] == "You run Kubernetes and C++."
    assert both["first_seen_at"] < both["last_seen_at"]
    wanted = items["C++"]
    assert (wanted["category"], wanted["postings"], wanted["active"]) == (
        "programming_language",
        2,
        True,
    )
    assert wanted["quote"] == "You run Kubernetes and C++."


async def test_filters_and_pages(client: httpx.AsyncClient, company_id: UUID) -> None:
    found = await ask(client, company_id, category="Marketing")
    assert [item["product"] for item in found["items"]] == ["Marketo"]
    assert (await ask(client, company_id, active=False))["items"] == []
    first = await ask(client, company_id, per_page=2)
    rest = await ask(client, company_id, per_page=2, cursor=first["pagination"]["next_cursor"])
    assert [item["product"] for item in rest["items"]] == ["C++"]


async def test_what_is_gone_stays_inactive(
    client: httpx.AsyncClient, company_id: UUID, owner: Database
) -> None:
    await pull(owner, company_id, [], at=NOW + timedelta(hours=1))
    async with owner.connection() as connection:
        await connection.execute(
            "UPDATE facts SET withdrawn_at = now() WHERE company_id = $1 AND value ->> 'name' = 'Marketo'",
            company_id,
        )
    found = await ask(client, company_id, active=False)
    assert {item["product"] for item in found["items"]} == {"Marketo", "C++"}


async def test_unknown_company(client: httpx.AsyncClient) -> None:
    answer = await client.get(f"{BASE_PATH}/companies/{new_id()}/technologies")
    assert answer.status_code == 404
