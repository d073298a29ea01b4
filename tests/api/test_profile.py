"""The profile over the API: which sections, how each stands, sources or none, seller context."""

from functools import partial
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.api.resources.profile import SECTIONS
from sightline.profile.refresh import refresh_organization_profile, refresh_profile
from sightline.queue.runner import Runner
from sightline.search import indexing
from sightline.store import profiles, work
from sightline.store.database import Database, open_database
from tests.api.accounts_data import add_accounts
from tests.conftest import Tenant
from tests.profile.company import store_company

TOP = {
    "company_id", "company_name", "website_domain", "hq_country_name", "industry", "revenue_range",
    "employee_count_range",
}  # fmt: skip


@pytest.fixture
async def worker(database_url: str) -> Any:
    opened = await open_database(database_url, role="sightline_worker", size=4)
    yield opened
    await opened.close()


@pytest.fixture
async def company_id(worker: Database) -> UUID:
    """A company with evidence; its sections wait to be made."""
    async with worker.connection() as connection, connection.transaction():
        word = f"larkspur-{uuid4().hex[:8]}"
        found = await store_company(connection, name=word, domain=f"{word}.example")
        await connection.execute("DELETE FROM work")
    return found


async def make_sections(worker: Database) -> None:
    handlers = {
        indexing.WORK_KIND: partial(indexing.index_passages, worker),
        profiles.REFRESH: partial(refresh_profile, worker),
        profiles.REFRESH_FOR: partial(refresh_organization_profile, worker),
    }
    await Runner(database=worker, handlers=handlers, slots=1, per_organization=4).run_all()


async def read(client: httpx.AsyncClient, company_id: UUID, **given: Any) -> dict[str, Any]:
    answer = await client.get(f"{BASE_PATH}/companies/{company_id}/profile", params=given)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def sources_in(value: Any) -> list[Any]:
    if isinstance(value, dict):
        own = [value["sources"]] if "sources" in value else []
        return own + [
            s for key, each in value.items() if key != "sources" for s in sources_in(each)
        ]
    if isinstance(value, list):
        return [s for each in value for s in sources_in(each)]
    return []


async def test_without_include_the_top_alone(client: httpx.AsyncClient, company_id: UUID) -> None:
    profile = await read(client, company_id)
    assert set(profile) == TOP | {"sections"}
    assert profile["sections"] == {}


async def test_reading_asks_for_what_is_missing_and_never_waits(
    client: httpx.AsyncClient, worker: Database, company_id: UUID
) -> None:
    first = await read(client, company_id, include="full")
    assert set(first) == TOP | set(SECTIONS) | {"sections"}
    states = {name: each["status"] for name, each in first["sections"].items()}
    assert states["risks"] == states["three_whys"] == "generating"
    assert states["content"] == states["territory_custom_scores"] == "insufficient_evidence"
    assert first["risks"] == []
    assert first["overview"] == {}
    await make_sections(worker)
    await read(client, company_id, include="full")
    await make_sections(worker)
    second = await read(client, company_id, include="full")
    reported = {name: each["status"] for name, each in second["sections"].items()}
    empty = {
        "content", "territory_custom_scores", "custom_insights", "industry_insights", "competitors",
        "value_pyramid",  # only a model writes it
        "discovery_questions",  # nothing that calls for an offering, and no offering
        # By classifiers over the vectors of an encoder, of which there is none here.
        "goals", "strategic_priorities", "digital_strategies",
    }  # fmt: skip
    assert {name for name in reported if reported[name] != "ready"} == empty
    assert second["sections"]["risks"]["method"] == "extractive"
    assert not any(each["stale"] for each in second["sections"].values())


async def test_sources_only_when_asked_for(
    client: httpx.AsyncClient, worker: Database, company_id: UUID
) -> None:
    await read(client, company_id, include="full")
    await make_sections(worker)
    plain = await read(client, company_id, include="full")
    assert sources_in(plain) == []
    cited = await read(client, company_id, include="risks,competitors,events", sources="true")
    found = sources_in(cited)
    assert found
    assert all(found)
    for source in (each for row in found for each in row):
        assert set(source) - {"pointer"} == {
            "document_id", "url", "title", "quote", "published_at",
        }  # fmt: skip
        assert source["quote"] or source["pointer"]


async def test_exclude_wins(client: httpx.AsyncClient, company_id: UUID) -> None:
    chosen = await read(client, company_id, include="full", exclude="events, risks")
    assert set(chosen["sections"]) == set(SECTIONS) - {"events", "risks"}
    none = await read(client, company_id, include="goals", exclude="goals")
    assert set(none) == TOP | {"sections"}


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"include": "risk"}, "include"),
        ({"exclude": "full"}, "exclude"),
        ({"sources": "maybe"}, "sources"),
    ],
)
async def test_unknown_names_are_refused(
    client: httpx.AsyncClient, company_id: UUID, given: dict[str, str], path: str
) -> None:
    answer = await client.get(f"{BASE_PATH}/companies/{company_id}/profile", params=given)
    assert answer.status_code == 400
    (field,) = answer.json()["error"]["details"]["fields"]
    assert field["path"] == path
    if path != "sources":
        assert "strategic_priorities" in answer.json()["error"]["message"]


async def test_nothing_known_is_said_to_be_so(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    (added,) = await add_accounts(database, tenant.organization_id, [{"company_name": "Bare"}])
    profile = await read(client, added.company_id, include="full")
    assert {each["status"] for each in profile["sections"].values()} == {"insufficient_evidence"}
    missing = await client.get(f"{BASE_PATH}/companies/{uuid4()}/profile")
    assert missing.status_code == 404


async def test_newer_evidence_makes_a_section_stale(
    client: httpx.AsyncClient, worker: Database, company_id: UUID
) -> None:
    await read(client, company_id, include="risks")
    await make_sections(worker)
    async with worker.connection() as connection:
        await connection.execute(
            "UPDATE company_documents SET added_at = now() + interval '1 minute' WHERE company_id = $1",
            company_id,
        )
    profile = await read(client, company_id, include="risks")
    assert profile["sections"]["risks"]["stale"] is True
    assert profile["sections"]["risks"]["status"] == "ready"
    async with worker.connection() as connection:
        waiting = await connection.fetchval(
            "SELECT count(*) FROM work WHERE kind = $1 AND subject = $2",
            profiles.REFRESH,
            str(company_id),
        )
    assert waiting == 1


async def test_seller_context_is_changed_in_parts(client: httpx.AsyncClient) -> None:
    path = f"{BASE_PATH}/seller-context"
    empty = (await client.get(path)).json()
    assert empty["offerings"] == []
    offering = {"name": "ColdPilot", "description": "Plans cold routes"}
    await client.patch(path, json={"offerings": [offering], "personas": ["Head of fleet"]})
    after = (await client.patch(path, json={"competitors": ["Fernhill"]})).json()
    assert after["offerings"][0]["name"] == "ColdPilot"
    assert after["personas"] == ["Head of fleet"]
    assert after == (await client.get(path)).json()
    refused = await client.patch(path, json={"offering": []})
    assert refused.json()["error"]["code"] == "unknown_parameter"


@pytest.mark.usefixtures("encoder")
async def test_questions_are_asked_changed_and_dropped(
    client: httpx.AsyncClient, worker: Database, company_id: UUID
) -> None:
    path = f"{BASE_PATH}/custom-questions"
    asked = {"name": "Trucks", "question": "What are the goals for diesel?"}
    made = await client.post(path, json=asked)
    assert made.status_code == 201
    again = await client.post(path, json=asked)
    assert again.json()["error"]["code"] == "name_taken"
    async with worker.connection() as connection:
        await work.put(connection, indexing.WORK_KIND, str(company_id))
    await make_sections(worker)
    await read(client, company_id, include="custom_insights")
    await make_sections(worker)
    (answer,) = (await read(client, company_id, include="custom_insights", sources="true"))[
        "custom_insights"
    ]
    assert "without diesel by 2030" in answer["answer"]
    assert "without diesel by 2030" in answer["sources"][0]["quote"]
    one = f"{path}/{made.json()['id']}"
    changed = await client.patch(one, json={"question": "Does it fly to Saturn?"})
    assert changed.json()["name"] == "Trucks"
    stale = await read(client, company_id, include="custom_insights")
    assert stale["sections"]["custom_insights"]["stale"] is True
    assert (await client.get(path)).json()["pagination"]["total"] == 1
    assert (await client.delete(one)).status_code == 200
    assert (await client.get(one)).status_code == 404


async def test_writing_says_its_cost_first(
    client: httpx.AsyncClient, worker: Database, company_id: UUID
) -> None:
    path = f"{BASE_PATH}/companies/{company_id}/profile"
    answer = await client.post(path, params={"dry_run": "true"})
    assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "company_id": str(company_id),
        "status": "no_model",
        "model": None,
        "sections": 0,
        "tokens": 0,
    }


async def test_a_profile_says_how_old_its_annual_report_is(
    client: httpx.AsyncClient, worker: Database, company_id: UUID
) -> None:
    await read(client, company_id, include="full")
    await make_sections(worker)
    async with worker.connection() as connection:
        for days, outdated in ((30, False), (600, True)):
            await connection.execute(
                "UPDATE documents SET published_at = now() - make_interval(days => $1)"
                " WHERE title LIKE '10-K%'",
                days,
            )
            found = await read(client, company_id, include="risks")
            assert found["sections"]["risks"]["annual_source"]["outdated"] is outdated
