"""Sections are made from stored evidence, proven, and made again only when it changes."""

import json
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from sightline.domain.evidence import Parsed, Passage
from sightline.domain.postings import ParsedPosting
from sightline.profile import refresh
from sightline.profile.registry import SECTIONS
from sightline.profile.verify import verify
from sightline.queue.runner import Runner
from sightline.reading.encoder import Encoder
from sightline.search import indexing
from sightline.search.retrieve import retriever
from sightline.store import profiles, seller_context, work
from sightline.store.catalogue import make_company
from sightline.store.database import Connection, Database, open_database
from sightline.store.postings import store_pull
from tests.conftest import Tenant
from tests.profile.company import HOME, home, store, store_company
from tests.profile.heads import ScriptedEncoder, scripted

AT = datetime(2026, 4, 1, 12, tzinfo=UTC)
"""When the profiles are made: what is ahead then is ahead in these tests for ever."""


@pytest.fixture(autouse=True)
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh, "now", lambda: AT)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> ScriptedEncoder:
    return scripted(monkeypatch)


@pytest.fixture
async def worker(database_url: str) -> Any:
    opened = await open_database(database_url, role="sightline_worker", size=4)
    yield opened
    await opened.close()


async def _run(worker: Database, encoder: Encoder | None = None) -> int:
    refresh_for = partial(refresh.refresh_organization_profile, worker)
    runner = Runner(
        database=worker,
        handlers={
            indexing.WORK_KIND: partial(indexing.index_passages, worker),
            profiles.REFRESH: partial(refresh.refresh_profile, worker, encoder=encoder),
            profiles.REFRESH_FOR: refresh_for,
        },
        slots=1,
        per_organization=4,
    )
    return await runner.run_all()


@pytest.fixture
async def company_id(worker: Database, encoder: ScriptedEncoder) -> UUID:
    async with worker.connection() as connection:
        made = await store_company(connection)
    await _run(worker, encoder)
    return made


async def _bodies(connection: Connection, company_id: UUID) -> dict[str, Any]:
    stored = await profiles.stored_bodies(connection, company_id)
    return {name: json.loads(text) for name, text in stored.items()}


def _names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


async def test_every_section_is_made_and_proven(worker: Database, company_id: UUID) -> None:
    async with worker.connection() as connection:
        bodies = await _bodies(connection, company_id)
        verified = await verify(connection, company_id)
    assert set(bodies) == {each.name for each in SECTIONS}
    assert [name for name, body in bodies.items() if not body] == [
        "industry_insights",  # only a model writes them
    ]
    assert verified is not None
    assert verified.failures == ()
    assert verified.checked >= 25


async def test_every_statement_has_the_day_of_its_document(
    worker: Database, company_id: UUID
) -> None:
    async with worker.connection() as connection:
        bodies = await _bodies(connection, company_id)
    rows = [
        row
        for body in bodies.values()
        for row in ([body] if isinstance(body, dict) else body)
        if row.get("sources")
    ]
    assert rows
    assert [row for row in rows if not row.get("as_of")] == []
    assert {row["as_of"] for row in bodies["risks"]} == {"2026-02-20"}
    assert bodies["overview"]["facts_as_of"]["revenue"] == "2026-02-20"


async def test_what_was_ahead_is_history_once_it_is_over(
    worker: Database, company_id: UUID, encoder: ScriptedEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "now", lambda: AT.replace(year=2031))
    async with worker.connection() as connection:
        assert (await _bodies(connection, company_id))["goals"]
        await work.put(connection, profiles.REFRESH, str(company_id))
    await _run(worker, encoder)
    async with worker.connection() as connection:
        bodies = await _bodies(connection, company_id)
    assert bodies["goals"] == []
    assert bodies["strategic_priorities"] == [], (
        "five years old, whatever it says of the next three"
    )


async def test_without_the_bundled_encoder_nothing_is_guessed(worker: Database) -> None:
    async with worker.connection() as connection:
        company_id = await store_company(connection)
    await _run(worker)
    async with worker.connection() as connection:
        bodies = await _bodies(connection, company_id)
    for name in ("goals", "strategic_priorities", "digital_strategies"):
        assert bodies[name] == []
    assert bodies["overview"]["summary"].startswith("Larkspur Freight is a provider")


async def test_what_the_sections_say(worker: Database, company_id: UUID) -> None:
    async with worker.connection() as connection:
        bodies = await _bodies(connection, company_id)
    competitor, *beside = bodies["competitors"]
    assert competitor["name"] == "Osprey Cargo"
    # The catalogue does not know them; they stand in one list with a company that it knows.
    assert [(each["name"], "website" in each) for each in beside] == [
        ("Fernhill Logistics", False),
        ("Tundra Lines AG", False),
    ]
    assert competitor["website"] == "https://osprey.example"
    assert _names(bodies["risks"]) == [
        "We depend on a limited number of grocers for most of our revenue.",
    ]
    assert bodies["risks"][0]["description"].startswith("Three grocers accounted for 46%")
    (goal,) = bodies["goals"]
    assert goal["description"] == "Our goal is to run 40% of our kilometres without diesel by 2030."
    assert any("electric trucks" in row["description"] for row in bodies["strategic_priorities"])
    sides = {row["type"] for row in bodies["swot_analysis"]}
    assert sides == {"STRENGTH", "WEAKNESS"}  # a risk that is not new stands among the risks
    (chief,) = bodies["key_executives"]
    assert (chief["name"], chief["title"]) == ("Ingrid Vale", "Chief Executive Officer")
    assert bodies["overview"]["facts"]["revenue"]["text"] == "$230 million"
    groups = {row["value"]: row["open_postings"] for row in bodies["employee_groups"]}
    assert groups["engineering"] == 2
    technologies = {row["name"]: row["count"] for row in bodies["favourite_technologies_count"]}
    assert technologies["Postgres"] == 1
    assert technologies["Kubernetes"] == 3


async def test_postings_tell_what_a_company_without_a_site_does(
    worker: Database, encoder: ScriptedEncoder
) -> None:
    said = "We’re the marketplace where growers in 14 countries sell fruit to grocers!"
    async with worker.connection() as connection, connection.transaction():
        company_id = await make_company(connection, name="Tarn Fruit", domain="tarn.example")
        board = Parsed(kind="data", text="", title="Tarn Fruit board")
        board_id = await store(connection, company_id, "https://jobs.example/tarn", board)
        posting = ParsedPosting(
            external_id="1", title="Buyer", url="https://jobs.example/tarn/1",
            description=f"{said}\nYou will buy plums and pears from growers whom you know.",
        )  # fmt: skip
        await store_pull(
            connection, company_id, board="test/tarn", source="test", listed=[posting], complete=True,
            document_id=board_id, pulled_at=AT,
        )  # fmt: skip
        await work.put(connection, profiles.REFRESH, str(company_id))
    await _run(worker, encoder)
    async with worker.connection() as connection:
        overview = (await _bodies(connection, company_id))["overview"]
        verified = await verify(connection, company_id)
        assert overview["summary"].startswith(said)
        assert verified is not None
        assert verified.failures == ()
        false = said.replace("14 countries", "40 countries")
        await connection.execute(
            "UPDATE profile_sections SET body = replace(body::text, $2, $3)::json"
            " WHERE company_id = $1 AND section = 'overview'",
            company_id, said, false,
        )  # fmt: skip
        verified = await verify(connection, company_id)
    assert verified is not None
    assert "not in its posting" in verified.failures[0]


async def test_divisions_have_two_years(worker: Database, company_id: UUID) -> None:
    async with worker.connection() as connection:
        bodies = await _bodies(connection, company_id)
    transport, storage = bodies["divisions"]
    assert transport["division_name"] == "Transport"
    assert transport["last_year_label"] == "FY2025"
    assert transport["last_year_financial_year_end"] == "2025-12-31"
    assert transport["last_year_revenue_gross"] == 170_000_000
    assert transport["last_year_gross_revenue_change"] == "+19.7%"
    assert transport["year_before_label"] == "FY2024"
    assert transport["year_before_revenue_gross"] == 142_000_000
    assert storage["last_year_gross_revenue_change"] == "-4.8%"
    norway = next(row for row in bodies["geographical_operations"] if row["name"] == "Norway")
    assert norway["description"].startswith(
        "Revenue of $150 million in FY2025 (up 25% from the prior year)"
    )


async def test_an_event_quotes_its_release(worker: Database, company_id: UUID) -> None:
    async with worker.connection() as connection:
        bodies = await _bodies(connection, company_id)
    newest = bodies["events"][0]
    assert newest["fiscal_label"] == "FY2025"
    assert newest["gross_revenue"] == 230_000_000
    (quote,) = newest["earnings_call_quotes"]
    assert quote["name"] == "Ingrid Vale, Chief Executive Officer of Larkspur Freight"
    assert quote["description"] == "Our electric trucks have earned their place on the road,"
    (result,) = newest["earnings_call_summary"]
    assert result["description"].startswith("Total revenue was $230 million")


async def _generated(connection: Connection, company_id: UUID) -> dict[str, Any]:
    rows = await connection.fetch(
        "SELECT section, generated_at FROM profile_sections WHERE company_id = $1", company_id
    )
    return {row["section"]: row["generated_at"] for row in rows}


async def test_only_what_changed_is_made_again(
    worker: Database, company_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "now", lambda: AT + timedelta(hours=1))
    async with worker.connection() as connection:
        before = await _generated(connection, company_id)
        await work.put(connection, profiles.REFRESH, str(company_id))
    await _run(worker)
    async with worker.connection() as connection:
        assert await _generated(connection, company_id) == before
        text = home().text + "\nWe are proud to keep lettuce crisp in every season of the year."
        changed = Parsed(kind="page", text=text, passages=(Passage(0, len(text), "home"),))
        await store(connection, company_id, HOME, changed)
        await work.put(connection, profiles.REFRESH, str(company_id))
    await _run(worker)
    async with worker.connection() as connection:
        after = await _generated(connection, company_id)
    untouched = {each.name for each in SECTIONS if "page" not in each.kinds}
    assert {name for name in after if after[name] == before[name]} == untouched


async def test_an_organization_has_its_own_answers(
    worker: Database,
    database: Database,
    tenant: Tenant,
    company_id: UUID,
    encoder: ScriptedEncoder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        retriever(), "encoder", None
    )  # words decide; another test may have left one
    organization_id = tenant.organization_id
    async with database.tenant(organization_id) as connection:
        await seller_context.change_context(
            connection,
            {
                "offerings": [
                    {
                        "name": "ColdPilot",
                        "value_propositions": ["Robotics for cold stores in 6 weeks"],
                        "keywords": ["electric trucks"],
                    }
                ],
                "ideal_profile": {"countries": ["NO"]},
            },
        )
        for name, asked in (
            ("Electric", "What are their plans for electric trucks?"),
            ("Moon", "Does it fly rockets to Saturn?"),
        ):
            values = {"name": name, "question": asked, "keywords": []}
            await seller_context.add_question(connection, values)
        subject = profiles.organization_subject(organization_id, company_id)
        await work.put(connection, profiles.REFRESH_FOR, subject, organization_id=organization_id)
    await _run(worker, encoder)
    async with database.tenant(organization_id) as connection:
        rows = await profiles.read_sections(
            connection,
            company_id,
            sections=["custom_insights", "insights_scores", "value_pyramid", "three_whys",
                      "discovery_questions"],
            with_sources=True
        )  # fmt: skip
    read = {row.section: json.loads(row.body) for row in rows}
    electric, moon = read["custom_insights"]
    assert "electric trucks" in electric["answer"]
    assert electric["sources"][0]["url"]
    assert (moon["state"], moon["answer"]) == ("insufficient_evidence", None)
    scores = {row["name"]: row for row in read["insights_scores"]}
    assert scores["growth"]["score"] == 74
    assert scores["hiring_momentum"]["score"] is None
    assert scores["hiring_momentum"]["reasons"]
    assert read["value_pyramid"] == []  # only a model says what an offering adds
    assert read["three_whys"] == []  # nothing of late calls for the offering
    assert read["discovery_questions"] == []
