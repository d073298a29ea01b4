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
    owner: Database,
    company_id: UUID,
    *values: tuple[dict[str, str], str, float],
    observations: tuple[Observation, ...] = (),
) -> None:
    url = f"https://{company_id}.example/"
    fetched = documents.Fetched(
        url=url, final_url=url, status=200, headers={}, media_type="text/html",
        content=url.encode(), fetched_at=NOW - timedelta(days=3),
    )  # fmt: skip
    found = observations + tuple(
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
        "programming language",
        2,
        True,
    )
    assert wanted["quote"] == "You run Kubernetes and C++."


async def test_quotes_show_what_is_named_otherwise(
    client: httpx.AsyncClient, owner: Database
) -> None:
    """Postings name products by other names, first of others' use; pages by what they load."""
    company_id = await add_company(owner)
    text = "We compete with Datadog.\nYou run K8s and write Golang.\nK8s, Datadog and AWS are ours."
    posting = ParsedPosting("1", "SRE (GCP)", "https://jobs.example/1", description=text)
    await pull(owner, company_id, [posting], at=NOW - timedelta(days=9))
    found = await ask(client, company_id)
    items = {item["product"]: item for item in found["items"]}
    assert {name: item["quote"] for name, item in items.items()} == {
        "Kubernetes": "You run K8s and write Golang.",
        "Go": "You run K8s and write Golang.",
        "Datadog": "K8s, Datadog and AWS are ours.",
        "Amazon Web Services": "K8s, Datadog and AWS are ours.",
        "Google Cloud": "SRE (GCP)",
    }
    assert items["Amazon Web Services"]["vendor"] == "Amazon"
    assert all("job_id" not in source for item in items.values() for source in item["sources"])


async def test_what_a_page_loads_is_its_quote(client: httpx.AsyncClient, owner: Database) -> None:
    company_id = await add_company(owner)
    value = {
        "name": "Stripe",
        "vendor": "Stripe",
        "category": "payments",
        "evidence_kind": "script",
    }
    observation = Observation(
        "technology", value, "script", 0.95, pointer="script: https://js.stripe.com/v3/"
    )
    await add_facts(owner, company_id, observations=(observation,))
    (item,) = (await ask(client, company_id))["items"]
    assert item["quote"] == item["sources"][0]["quote"] == "https://js.stripe.com/v3/"


async def test_own_products_are_not_used(client: httpx.AsyncClient, owner: Database) -> None:
    company_id = await add_company(owner)
    async with owner.connection() as connection:
        await connection.execute(
            "UPDATE companies SET company_name = 'Snowflake Inc.' WHERE company_id = $1", company_id
        )
    text = "Explain Snowflake and Streamlit to data teams. You know Tableau and SQL."
    posting = ParsedPosting("1", "Engineer", "https://jobs.example/1", description=text)
    await pull(owner, company_id, [posting], at=NOW)
    found = await ask(client, company_id)
    assert {item["product"] for item in found["items"]} == {"Streamlit", "Tableau", "SQL"}


async def test_what_is_gone_was_seen_last_when_it_was_there(
    client: httpx.AsyncClient, owner: Database
) -> None:
    company_id = await add_company(owner)
    posting = ParsedPosting(
        "1", "Go engineer", "https://jobs.example/1", description="We use Redis."
    )
    for days in (9, 5):
        await pull(owner, company_id, [posting], at=NOW - timedelta(days=days))
    await pull(owner, company_id, [], at=NOW)
    (item,) = (await ask(client, company_id, category="database"))["items"]
    assert not item["active"]
    assert datetime.fromisoformat(item["first_seen_at"]) == NOW - timedelta(days=9)
    assert datetime.fromisoformat(item["last_seen_at"]) == NOW - timedelta(days=5)


async def test_filters_and_pages(client: httpx.AsyncClient, company_id: UUID) -> None:
    found = await ask(client, company_id, category="Marketing")
    answer = await client.get(f"{BASE_PATH}/companies/{company_id}/technologies?category=crm")
    assert "x-warning" not in answer.headers
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
