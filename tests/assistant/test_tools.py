"""What each tool shows of a stored company, and what it says where there is nothing."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from sightline.assistant.claims import Candidate, Cited, Sentence, candidate
from sightline.assistant.composition import prove
from sightline.assistant.contract import Listener, Source
from sightline.assistant.shown import Shown, ShownSources
from sightline.assistant.tools.accounts import find_accounts, list_people
from sightline.assistant.tools.activity import list_postings, list_signals
from sightline.assistant.tools.calculate import CitedNumber, calculate
from sightline.assistant.tools.documents import list_documents, read_document
from sightline.assistant.tools.figures import financial_series, read_facts
from sightline.assistant.tools.search import search, without_tail
from sightline.assistant.tools.session import ENOUGH, ToolSession
from sightline.assistant.turn import open_turn
from sightline.domain.amounts import exact
from sightline.domain.evidence import Observation
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.search.retrieve import Match, Retrieved
from sightline.store.database import Database, open_database
from sightline.store.facts import mark_winners, store_facts
from sightline.store.facts import read_facts as stored_facts
from sightline.store.postings import store_pull
from sightline.store.profiles import StoredSection, write_sections
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.conftest import Tenant
from tests.eval.assistant import make_caller
from tests.search.stored import stored_passage
from tests.store.evidence_data import WHEN, add_document, add_signal, index

REPORT = [
    "Harbor Analytics had revenue of $90 million, of which $30 million came from Portugal.",
    "Table of sales (in thousands)\n2025 | 2024\nCranes | 12,500 | 10,000",
]
MARGINS = (
    "Harbor Analytics spends on research as the following table shows.",
    "\n\nCosts (in thousands)\n\n2025 | % of revenue | 2024\n"
    + "".join(f"Item {n} | {n},100 | 2.5 | {n},000\n" for n in range(1, 40))
    + "Research | 12,870 | 14.3 | 9,100",
)
COMPANYFACTS = "https://data.sec.gov/api/xbrl/companyfacts/1.json"
NEWS = "Harbor Analytics acquired Quay Systems for 40 million dollars in cash."
FACTS = """{"facts": {"us-gaap": {"PaymentsToAcquireProperty": {"label": "Property bought", "units": {"USD": [
  {"start": "2024-01-01", "end": "2024-12-31", "val": 700, "filed": "2025-02-01", "fp": "FY"},
  {"start": "2024-01-01", "end": "2024-12-31", "val": 750, "filed": "2026-02-01", "fp": "FY"},
  {"start": "2024-10-01", "end": "2024-12-31", "val": 200, "filed": "2025-02-01", "fp": "FY"}]}}}}}"""


@dataclass
class World:
    database: Database
    tenant: Tenant
    company: UUID
    url: str

    async def add(self, texts: list[str], **head: Any) -> UUID:
        """Store and index one more document."""
        workers = await open_database(self.url, role="sightline_worker", size=2)
        document = await add_document(workers, self.company, texts, **head)
        await index(workers, self.company)
        await workers.close()
        return document

    async def learn(self, document: UUID, *observed: Observation) -> None:
        """Store what a document says as data."""
        workers = await open_database(self.url, role="sightline_worker", size=2)
        async with workers.connection() as connection, connection.transaction():
            await store_facts(connection, self.company, document, source="website", observations=observed,
                              superseded=(), seen_at=WHEN)  # fmt: skip
            facts = await stored_facts(connection, self.company)
            await mark_winners(connection, self.company, [fact.fact_id for fact in facts])
        await workers.close()

    @asynccontextmanager
    async def session(
        self, *scopes: str, calls: int = 50, room: int = 100_000
    ) -> AsyncIterator[ToolSession]:
        caller = make_caller(self.tenant.organization_id, *scopes)
        reading = partial(self.database.tenant, self.tenant.organization_id)
        async with reading() as connection:
            turn = await open_turn(
                connection, caller, self.company, message="?", session_id=None, reading=reading
            )
        yield ToolSession(turn.evidence, Listener(), ShownSources(), calls, room)


def posting(number: str, title: str, text: str, city: str) -> ParsedPosting:
    place = PostingLocation(city=city, raw=city, country_code="NO" if city == "Oslo" else "PT")
    return ParsedPosting(
        external_id=number, title=title, url=f"https://jobs.example/{number}", description=text,
        locations=(place,),
    )  # fmt: skip


@pytest.fixture
async def world(tenant: Tenant, database: Database, database_url: str) -> World:
    record = FULL_RECORD | {"company_name": "Harbor Analytics"}
    other = FULL_RECORD | {"company_name": "Quay Systems", "country_code": "NO"}
    account, quay = await add_accounts(database, tenant.organization_id, [record, other])
    company = account.company_id
    workers = await open_database(database_url, role="sightline_worker", size=2)
    add = partial(add_document, workers, company)
    report = await add(
        REPORT,
        url="https://sec.example/10-K",
        kind="filing",
        title="10-K for 2025-12-31",
        heading="Sales",
    )
    news = await add([NEWS], published_at=datetime(2026, 4, 1, tzinfo=UTC))
    await add(
        [],
        url="https://data.sec.gov/api/xbrl/companyfacts/1.json",
        kind="data",
        content=FACTS.encode(),
    )
    await add_signal(workers, company, news, quote=NEWS, start=0)
    await add_document(
        workers, quay.company_id, ["Quay Systems has 7 ships."], url="https://quay.example/"
    )
    figures = [
        Observation("fiscal_period", figure | {"metric": "revenue", "currency": "USD", "derived": False},
                    "xbrl", 0.9, pointer=f"Revenues {figure['label']}")
        for figure in (
            {"label": "FY2025", "period_start": "2025-01-01", "period_end": "2025-12-31",
             "amount": 90_000_000},
            {"label": "FY2024", "period_start": "2024-01-01", "period_end": "2024-12-31",
             "amount": 60_000_000},
        )
    ]  # fmt: skip
    part = {"axis": "geography", "metric": "revenue", "currency": "USD", "member": "x",
            "period_start": "2025-01-01", "period_end": "2025-12-31"}  # fmt: skip
    figures += [
        Observation("segment", part | {"name": name, "amount": amount}, "xbrl", 0.9, pointer=name)
        for name, amount in (("Portugal", 30_000_000), ("Norway", 52_651_000))
    ]
    person = Observation("person", {"name": "Marta Quell", "title": "Chief Financial Officer"}, "text", 0.9,
                         quote=REPORT[0])  # fmt: skip
    postings = [
        posting("1", "Crane Engineer", "You keep cranes and Kubernetes running.", "Lisbon"),
        posting("2", "Account Manager", "You keep accounts.", "Oslo"),
        posting("3", "Dredge Pilot", "", "Setúbal"),
    ]
    async with workers.connection() as connection, connection.transaction():
        await store_facts(connection, company, report, source="sec_edgar", observations=[*figures, person],
                          superseded=(), seen_at=WHEN)  # fmt: skip
        await mark_winners(
            connection, company, [f.fact_id for f in await stored_facts(connection, company)]
        )
        await store_pull(connection, company, board="greenhouse/harbor", source="job_boards", listed=postings,
                         complete=True, document_id=report, pulled_at=WHEN)  # fmt: skip
    for each in (company, quay.company_id):
        await index(workers, each)
    await workers.close()
    return World(database, tenant, company, database_url)


async def test_search_takes_several_wordings_and_repeats_nothing(world: World) -> None:
    async with world.session() as session:
        found = await search(session, ["revenue from Portugal", "turnover by country", "zeppelins"])
        assert REPORT[0] in found
        assert "10-K for 2025-12-31" in found
        assert re.search(r"no passage of Harbor Analytics has: .*zeppelins", found)
        again = await search(session, ["revenue from Portugal"])
        assert REPORT[0] not in again
        assert "Already shown: S" in again
        only = await search(session, ["Quay Systems"], kinds=["news"], since=date(2026, 3, 15))
        assert NEWS in only
        assert "No passage" in await search(session, ["Quay Systems"], until=date(2020, 1, 1))


async def test_without_their_scope_postings_are_not_found(world: World) -> None:
    async with world.session("insights:read") as session:
        assert "Kubernetes" not in (await search(session, ["keep cranes and Kubernetes running"]))
        assert "may not read" in await list_postings(session)
        assert "may not read" in await find_accounts(session)


async def test_documents_are_listed_and_read_by_name(world: World) -> None:
    async with world.session() as session:
        listed = await list_documents(session)
        assert [line.split(" | ")[1:3] for line in listed.splitlines()] == [
            ["news", "News of the harbor"], ["filing", "10-K for 2025-12-31"]
        ]  # fmt: skip
        assert "Table of sales" in await read_document(session, "S2", "sales")
        assert (await read_document(session, "S2", "table of sales")).splitlines()[
            1
        ] == "Table of sales (in thousands)"
        for unknown in ("Zeppelins", "7A", "Portugal"):  # words within a sentence name no section
            nothing = await read_document(session, "S2", unknown)
            assert nothing.startswith(f"There is no section {unknown!r} in this document.")
            assert "Sales (" in nothing
        assert "no source 'S9'" in await read_document(session, "S9")
        none = await list_documents(session, "10-Q")
        assert "No document matches. 2 are stored, the newest first: " in none
        assert "filing 10-K for 2025-12-31" in none


async def test_a_section_is_found_by_its_title_before_its_words(world: World) -> None:
    risks = "We depend on others for content, and obligations may follow.\n" * 90
    notes = "Notes\nContent Obligations\n" + "The company owes 90 million for content.\n" * 200
    last = "Leases\nThe company leases ships.\n"
    texts = ["Content Obligations\nLeases\n", risks, notes + last]
    heads = ["Contents", "Risks of content and obligations", "Financial statements"]
    document = await world.add(
        texts, url="https://sec.example/10-K/2", kind="filing", title="10-K/A"
    )
    workers = await open_database(world.url, role="sightline_worker", size=2)
    async with workers.connection() as connection, connection.transaction():
        for text, heading in zip(texts, heads, strict=True):
            await connection.execute(
                "UPDATE passages SET heading = $3, section = CASE WHEN $3 = $4 THEN '8' END"
                " WHERE document_id = $1 AND start_at = $2", document,
                "\n\n".join(texts).index(text), heading, heads[2],
            )  # fmt: skip
    await workers.close()
    async with world.session() as session:
        name = (await list_documents(session, "10-K/A")).split(" | ")[0]
        found = await read_document(session, name, "Content obligations")
        assert "| Content obligations | " in found.splitlines()[0]
        assert found.splitlines()[0].endswith("page 1 of 2")
        assert found.splitlines()[1] == "Content Obligations"
        assert "continues on page 2 of 2. Titles on other pages: Leases (2)" in found
        item = await read_document(session, name, "Item 8")
        assert "Titles on other pages: Leases (2)" in item
        exact = await read_document(session, name, "Risks of content and obligations")
        assert "We depend on others" in exact


async def test_a_long_page_under_one_heading_is_read_at_once(world: World) -> None:
    text = "".join(f"The depot number {n} of the harbor opened in May.\n" for n in range(200))
    await world.add([text], url="https://harbor.example/long", kind="page", title="Depots")
    async with world.session() as session:
        name = (await list_documents(session, "Depots")).split(" | ")[0]
        page = await read_document(session, name)
        assert "The depot number 0 of the harbor" in page
        assert "continues on page 2 of 2" in page


async def test_series_come_from_facts_filed_data_or_passages(world: World) -> None:
    async with world.session() as session:
        lines = (await financial_series(session, "revenue")).splitlines()
        assert [line.split(": ")[1] for line in lines[:2]] == ["90 million USD", "60 million USD"]
        bought = await financial_series(session, "PaymentsToAcquireProperty")
        assert "750 USD (filed 2026-02-01)" in bought
        assert "200" not in bought
        quarter = await financial_series(session, "property bought", "quarterly")
        assert "200 USD" in quarter
        stated = await financial_series(session, "revenue by ship")
        assert "no data" in stated
        assert REPORT[0] in stated


async def test_a_series_has_one_unit_and_is_found_by_its_element(world: World) -> None:
    assert exact([754_000_000, 964_600_000, -1_200_000], "USD") == [
        "754 million USD", "964.6 million USD", "-1.2 million USD",
    ]  # fmt: skip
    assert exact([754_000, 1_234_567_890], "USD") == ["754,000 USD", "1,234,567,890 USD"]
    cash = {"metric": "operating_cash_flow", "currency": "USD", "derived": False, "label": "FY2025",
            "tag": "us-gaap:NetCashProvidedByUsedInOperatingActivities", "amount": 12_500_000,
            "period_start": "2025-01-01", "period_end": "2025-12-31"}  # fmt: skip
    observed = Observation("fiscal_period", cash, "xbrl", 0.9, pointer="cash flow FY2025")
    staff = Observation(
        "employees", 840, "xbrl", 0.9, pointer="employees", as_of=date(2025, 12, 31)
    )
    document = await world.add(["Cash."], url="https://sec.example/data")
    await world.learn(document, observed, staff)
    async with world.session() as session:
        for name in ("operating cash flow", "NetCashProvidedByUsedInOperatingActivities"):
            assert "12.5 million USD" in await financial_series(session, name)
        assert "840 (as of 2025-12-31)" in await financial_series(session, "employees")


async def test_parts_of_the_company_are_told_from_the_whole(world: World) -> None:
    async with world.session() as session:
        whole = (await financial_series(session, "revenue")).splitlines()
        assert "Parts of the company with figures: " in whole[-1]
        assert all("whole company" in line for line in whole[:-1])
        every = (await financial_series(session, "segments")).splitlines()
        of = "(geography, a part of the company) (2025-01-01 to 2025-12-31)"
        assert [line.split(" | ")[1] for line in every] == [
            f"revenue of Norway {of}: 52.651 million USD",
            f"revenue of Portugal {of}: 30 million USD",
        ]
        one = await financial_series(session, "revenue in Portugal")
        assert "30 million USD" in one
        assert "Norway" not in one


async def test_a_posting_without_a_description_is_found_by_title_and_place(world: World) -> None:
    async with world.session() as session:
        found = await search(session, ["Dredge Pilot in Portugal"])
        assert "Dredge Pilot · other · Setúbal; Portugal" in found
        name = next(line for line in found.splitlines() if " | job | " in line).split(" | ")[0]
        assert "| Setúbal | opened 2026" in await read_document(session, name)
        other = await list_postings(session, query="crane")
        name = next(line for line in other.splitlines() if "Crane Engineer" in line).split(" | ")[0]
        assert "Kubernetes running" in await read_document(session, name)


async def test_passages_say_what_they_have_of_the_queries(world: World) -> None:
    async with world.session() as session:
        found = await search(session, ["revenue that came from Portugal"])
        head = next(line for line in found.splitlines() if "10-K for 2025-12-31" in line)
        assert re.search(r"\| has (Portugal, .*revenue|revenue, .*Portugal)", head), head
        assert "the" not in head.partition("| has ")[2].split(", ")


async def test_what_an_item_of_data_is_called_need_not_be_known(world: World) -> None:
    async with world.session() as session:
        near = await financial_series(session, "buying of land")
        assert "PaymentsToAcquireProperty (Property bought)" in near


async def test_signals_are_listed_whatever_the_words(world: World) -> None:
    async with world.session() as session:
        assert (await list_signals(session, "Quay layoffs")).startswith("1 signals")
        assert (await list_signals(session, "layoffs")).startswith(
            "None has a word of 'layoffs'. 1 sig"
        )
    workers = await open_database(world.url, role="sightline_worker", size=2)
    async with workers.connection() as connection:
        await connection.execute(
            "UPDATE signals SET document_id = NULL, start_at = NULL, end_at = NULL WHERE company_id = $1",
            world.company,
        )
    await workers.close()
    async with world.session() as session:
        listed = await list_signals(session)
        assert "signal: Harbor acquires Quay Systems" in listed


async def test_what_is_like_no_series_surely_shows_the_nearest_ones(world: World) -> None:
    async with world.session() as session:
        near = await financial_series(session, "land bought")
        assert "no data of 'land bought'" in near
        assert "PaymentsToAcquireProperty (Property bought):\nS" in near
        assert "Property bought of the whole company, 2024-01-01 to 2024-12-31: 750 USD" in near
        part = await financial_series(session, "Norwegian part's revenue of Norway")
        assert "revenue of Norway" in part


async def test_a_field_is_found_by_what_it_means(world: World) -> None:
    document = await world.add(["Lisbon."], url="https://harbor.example/about")
    place = Observation("hq_city", "Lisbon", "text", 0.9, quote="Lisbon.")
    await world.learn(document, place)
    async with world.session() as session:
        found = await read_facts(session, "city of the head office")
        assert found.startswith("No field is called 'city of the head office'; the nearest:\nS")
        assert "city of its head office: Lisbon" in found


async def test_facts_of_an_unknown_field_name_those_there_are(world: World) -> None:
    async with world.session() as session:
        assert await read_facts(session, "zeppelins") == (
            "No facts for 'zeppelins'; fields with facts: fiscal_period (2), person (1), segment (2)."
        )
        assert "Marta Quell" in await read_facts(session, "person")
        assert "Marta Quell | Chief Financial Officer" in await list_people(session, "financial")
        assert "No such person" in await list_people(session, "zeppelins")


async def test_people_are_listed_once_with_the_executives_of_the_profile(world: World) -> None:
    named = [
        Observation("person", value, "text", 0.9, quote=quote)
        for value, quote in (
            ({"name": "Marta J. Quell", "title": "Director"}, "Marta J. Quell, Director"),
            ({"name": "Otto Brandt", "title": "Treasurer"}, "Otto Brandt, Treasurer"),
        )
    ]
    document = await world.add(
        [each.quote or "" for each in named], url="https://harbor.example/board"
    )
    sources = [{"document_id": str(document), "quote": "Otto Brandt, Treasurer"}]
    executives = [
        {"name": "Otto Brandt", "title": "Treasurer", "as_of": "2026-02-01", "sources": sources},
        {"name": "Ines Carvalho", "title": "Chief Operating Officer", "sources": sources},
    ]
    await world.learn(document, *named)
    workers = await open_database(world.url, role="sightline_worker", size=2)
    async with workers.connection() as connection, connection.transaction():
        section = StoredSection(
            "key_executives",
            "ready",
            "extractive",
            json.dumps(executives),
            "[]",
            2,
            b"1",
            None,
            None,
        )
        await write_sections(connection, world.company, [section], unchanged=(), checked_at=WHEN)
    await workers.close()
    async with world.session() as session:
        lines = (await list_people(session)).splitlines()
        assert sorted(line.split(" | ")[1] for line in lines) == [
            "Ines Carvalho", "Marta J. Quell", "Otto Brandt"
        ]  # fmt: skip
        quell = next(line for line in lines if "Quell" in line)
        assert set(quell.split(" “")[0].split(" | ")[2].split("; ")) == {
            "Chief Financial Officer", "Director",
        }  # fmt: skip
        assert "“Marta J. Quell, Director”" in quell


async def test_a_document_without_passages_is_read_whole(world: World) -> None:
    document = await world.add(["It has one page."], title="Plain page")
    workers = await open_database(world.url, role="sightline_worker", size=2)
    async with workers.connection() as connection:
        await connection.execute("DELETE FROM passages WHERE document_id = $1", document)
    await workers.close()
    async with world.session() as session:
        (line,) = (await list_documents(session, "plain page")).splitlines()
        assert "It has one page." in await read_document(session, line.split(" | ")[0])


async def test_signals_and_postings_have_filters_and_totals(world: World) -> None:
    async with world.session() as session:
        assert (await list_signals(session, "quay")).startswith("1 signals, page 1 of 1:")
        assert "No such signals. 1 are stored" in await list_signals(
            session, since=date(2030, 1, 1)
        )
        every = await list_postings(session)
        assert "3 open postings at Harbor Analytics" in every
        one = await list_postings(session, query="kubernetes", place="lisbon")
        assert "1 open postings that match kubernetes, lisbon" in one
        name = next(line for line in one.splitlines() if "Crane Engineer" in line).split(" | ")[0]
        assert "You keep cranes and Kubernetes running." in await list_postings(
            session, posting=name
        )
        narrow = await list_postings(session, query="zeppelins", place="oslo")
        assert narrow.startswith(
            "No open posting matches zeppelins, oslo: leave a filter out. Open by"
        )
        assert "no page has more" in await list_postings(session, page=7)


async def test_no_postings_says_whether_postings_are_read(world: World) -> None:
    async with world.session() as session:
        await find_accounts(session, name="Quay")
        unknown = await list_postings(session, company="A1")
        assert "no job board of it is known. Whether it hires is not known" in unknown
    workers = await open_database(world.url, role="sightline_worker", size=2)
    async with workers.connection() as connection, connection.transaction():
        company = session.companies["A1"].company_id
        await store_pull(connection, company, board="lever/quay", source="job_boards", listed=[],
                         complete=True, document_id=None, pulled_at=WHEN)  # fmt: skip
    await workers.close()
    async with world.session() as session:
        await find_accounts(session, name="Quay")
        empty = await list_postings(session, company="A1")
        assert f"last read on {WHEN.date()} and listed none" in empty


async def test_other_accounts_are_found_and_searched(world: World) -> None:
    async with world.session() as session:
        assert "Use find_accounts first" in await search(session, ["ships"], company="Quay Systems")
        found = await find_accounts(session, name="quay")
        assert found.splitlines()[1].startswith("A1 | Quay Systems")
        assert "Quay Systems has 7 ships." in await search(session, ["ships"], company="A1")
        assert "No accounts match" in await find_accounts(session, country="Atlantis")


async def test_a_calculation_may_be_said_with_its_numbers(world: World) -> None:
    async with world.session() as session:
        await search(session, ["revenue from Portugal"])
        name = next(n for n, one in session.shown.by_id.items() if REPORT[0] in one.text)
        numbers = [
            CitedNumber(id=name, number="$30 million"),
            CitedNumber(id=name, number="$90 million"),
        ]
        done = await calculate(session, "a / b * 100", numbers)
        assert done.endswith("$30 million / $90 million * 100 = 33.3333%")
        result = done.split(" | ")[0]
        said = Sentence(
            text="Portugal brought 33.3% of revenue.",
            sources=[
                Cited(id=name, quote="of which $30 million came from Portugal"),
                Cited(id=result),
            ],
        )
        judged = candidate(said, session.shown, company="Harbor Analytics", known="")
        assert isinstance(judged, Candidate)
        assert {source.quote for source in judged.statement.sources} >= {REPORT[0]}
        for expression, given, wrong in (
            ("a / b", [CitedNumber(id=name, number="31 million")] * 2, "does not show 31"),
            ("a / b", [CitedNumber(id=name, number="30 billion")] * 2, "does not show 30 billion"),
            ("a / b", [CitedNumber(id="S99", number="30")] * 2, "no source"),
            ("__import__('os')", numbers, "not allowed"),
            ("a / (b - b)", numbers, "cannot be calculated"),
            ("9 ** 9 ** 9", numbers, "not allowed"),
            ("1 + 1", numbers, "at least one cited number"),
        ):
            assert wrong in await calculate(session, expression, given), expression


async def test_a_calculation_has_the_unit_and_the_scale_of_its_numbers(world: World) -> None:
    async with world.session() as session:
        await list_documents(session)
        name = (await read_document(session, "S2")).split(" | ")[0]
        numbers = [CitedNumber(id=name, number=number) for number in ("12,500", "10,000")]
        more = await calculate(session, "a - b", numbers)
        assert more.endswith("12,500 - 10,000 = 2,500 (2,500,000)")
        grown = await calculate(session, "(a - b) / b", numbers)
        assert grown.endswith("= 0.25 (25%)")
        cited = [Cited(id=each.split(" | ")[0], quote="2,500") for each in (more, grown)]
        for text, source, holds in (
            (
                "Sales of cranes rose by 2.5 million, from 10 million in 2024 to 12.5 million in 2025.",
                0,
                True,
            ),
            ("Sales of cranes rose by 2.5 billion.", 0, False),
            ("Sales of cranes rose by 25% from 2024 to 2025.", 1, True),
            ("Sales of cranes rose by 26%.", 1, False),
        ):
            said = Sentence(text=text, sources=[cited[source]])
            judged = candidate(said, session.shown, company="Harbor", known="")
            assert isinstance(judged, Candidate) is holds, judged
            if isinstance(judged, Candidate):
                assert (
                    "2025 | 2024" in judged.claim.quotes[0].quote
                )  # the verifier sees the periods
                async with session.evidence.reading() as connection:
                    assert all(await prove(connection, [judged.statement]))


async def test_the_head_of_a_document_is_cited_by_its_title(world: World) -> None:
    async with world.session() as session:
        name = (await list_documents(session, "10-K")).split(" | ")[0]
        found = await search(
            session, ["Quay Systems acquired for 40 million dollars"], kinds=["news"]
        )
        news = found.split(" | ")[0]
        said = Sentence(
            text="By its news of 1 April 2026 it bought Quay Systems, after its 10-K of 1 March 2026.",
            sources=[
                Cited(id=news, quote="acquired Quay Systems"),
                Cited(id=news, quote="News of the harbor | 2026-04-01"),
                Cited(id=news, quote=f"{news} | news | News of the harbor | 2026-04-01"),
                Cited(id=name, quote="filing | 10-K for 2025-12-31 | 2026-03-01"),
            ],
        )
        judged = candidate(said, session.shown, company="Harbor Analytics", known="")
        assert isinstance(judged, Candidate), judged
        async with session.evidence.reading() as connection:
            (proven,) = await prove(connection, [judged.statement])
            assert proven is not None
        assert [(each.quote, each.title) for each in proven.sources] == [
            ("acquired Quay Systems", "News of the harbor"),
            (None, "News of the harbor"),
            (None, "10-K for 2025-12-31"),
        ]


async def test_numbers_of_a_table_carry_its_unit(world: World) -> None:
    async with world.session() as session:
        await list_documents(session)
        name = (await read_document(session, "S2")).split(" | ")[0]
        cited = [
            Cited(id=name, quote="Cranes | 12,500 | 10,000"),
            Cited(id=name, quote="2025 | 2024"),
        ]
        for text, holds in (
            ("Crane sales were $12.5 million in 2025.", True),
            ("Crane sales were $12.5 billion in 2025.", False),
        ):
            judged = candidate(
                Sentence(text=text, sources=cited), session.shown, company="Harbor", known=""
            )
            assert isinstance(judged, Candidate) is holds, judged


async def test_amounts_of_notes_carry_the_unit_of_their_heading(world: World) -> None:
    loan = "In May 2025 Brackwater Bank lent Harbor Analytics $25,000 for a dock, for 37 days."
    texts = ["NOTES TO FINANCIAL STATEMENTS\n(in thousands, except per share data)\nDebt", loan]
    await world.add(texts, url="https://sec.example/10-K/3", kind="filing", title="10-K/A")
    async with world.session() as session:
        found = await search(session, ["what Brackwater Bank lent for a dock"])
        line = next(line for line in found.splitlines() if line.startswith("Amounts of"))
        assert line == "Amounts of these notes are in thousands, except per share data"
        name = next(key for key, each in session.shown.by_id.items() if each.text == loan)
        page = await read_document(session, name)
        assert "$25,000" in page
        cited = [Cited(id=name, quote="lent Harbor Analytics $25,000 for a dock, for 37 days")]
        for text, holds in (
            ("It was lent $25 million.", True),
            ("It was lent $25 billion.", False),
            ("It was lent money for 37,000 days.", False),
        ):
            judged = candidate(Sentence(text=text, sources=cited), session.shown,
                               company="Harbor Analytics", known="")  # fmt: skip
            assert isinstance(judged, Candidate) is holds, judged
            if isinstance(judged, Candidate):
                assert line in judged.claim.quotes[0].context
        doubled = await calculate(session, "a * 2", [CitedNumber(id=name, number="$25,000")])
        assert "50 million USD" in doubled


async def test_a_share_that_only_the_column_names_may_be_said(world: World) -> None:
    shown = ShownSources()
    source = Source(None, None, "10-K for 2025-12-31", None, None, "contract")
    name = shown.put(Shown("\n\n".join(MARGINS), (source,), "filing"))
    cited = [Cited(id=name, quote="Research | 12,870 | 14.3 | 9,100")]
    for text, holds in (
        ("Research took 14.3% of revenue.", True),
        ("Research took 14.4% of revenue.", False),
        ("Research took $12.87 million.", True),
        ("Research took $14.3 million.", False),
    ):
        judged = candidate(Sentence(text=text, sources=cited), shown, company="Harbor", known="")
        assert isinstance(judged, Candidate) is holds, judged
        if isinstance(judged, Candidate):  # what the verifier reads has the head of the table
            context = judged.claim.quotes[0].context
            assert "2025 | % of revenue | 2024" in context
            assert "in thousands" in context
            assert len(context) < 2_400
    prose = Shown("Margins were 12 %. Then it sold 14 ships.", (source,), "filing")
    name = shown.put(prose)
    said = Sentence(text="It sold 14%.", sources=[Cited(id=name, quote="it sold 14 ships")])
    assert isinstance(candidate(said, shown, company="", known=""), str)


async def test_a_page_of_a_document_has_the_head_of_its_table(world: World) -> None:
    long = "".join(f"Depot number {n} | {n},100 | 2.5 | {n},000\n" for n in range(1, 400))
    text = f"Costs (in thousands)\n\n2025 | % of revenue | 2024\n{long}"
    await world.add(
        [text], url="https://sec.example/10-Q", kind="filing", title="10-Q", heading="Costs"
    )
    async with world.session() as session:
        name = (await list_documents(session, "10-Q")).split(" | ")[0]
        page = await read_document(session, name, "Costs", page=2)
        above = ["Costs (in thousands)", "2025 | % of revenue | 2024"]
        assert page.splitlines()[1:3] == above
        row = page.splitlines()[3]
        assert row.startswith("Depot number ")
        shown = page.split(" | ")[0]
        quote = "\n".join(
            [*above, row]
        )  # what stands above is quoted with the row, or line by line
        said = Sentence(text="Its costs are in thousands.", sources=[Cited(id=shown, quote=quote)])
        judged = candidate(said, session.shown, company="Harbor", known="")
        assert isinstance(judged, Candidate), judged
        async with session.evidence.reading() as connection:
            assert all(await prove(connection, [judged.statement]))
        assert "continues on page 3 of 4" in page
        assert "has 4 pages" in await read_document(session, name, "Costs", page=5)


async def test_a_passage_that_introduces_a_table_is_shown_with_it(world: World) -> None:
    await world.add([*MARGINS], url="https://sec.example/10-Q", kind="filing", title="10-Q")
    async with world.session() as session:
        found = await search(session, ["what the company spends on research"], kinds=["filing"])
        shown = next(each for each in session.shown.by_id.values() if "spends on" in each.text)
        assert "2025 | % of revenue | 2024\nItem 1 | 1,100 | 2.5 | 1,000" in shown.text
        assert shown.text in found


async def test_the_same_request_is_answered_once(world: World) -> None:
    async with world.session() as session:
        first = await search(session, ["revenue from Portugal"], kinds=["filing"])
        again = await search(session, ["Revenue from Portugal"], kinds=["filing"])
        assert first.startswith("S1 | ")
        assert again.startswith("You asked exactly this before; it showed S1")
        assert "exactly this" not in await search(session, ["revenue from Portugal"])


async def test_a_text_of_two_documents_is_shown_once_from_the_newer(world: World) -> None:
    text = "Larch Freight moves timber from the northern berth."
    for year in (2024, 2025):
        await world.add([text], url=f"https://larch.example/{year}", title=f"Report {year}",
                        published_at=datetime(year, 5, 1, tzinfo=UTC))  # fmt: skip
    async with world.session() as session:
        found = await search(session, ["timber from the northern berth"])
        assert found.count(text) == 1
        assert "Report 2025 | 2025-05-01" in found


async def test_what_two_axes_say_of_one_part_is_listed_once(world: World) -> None:
    part = {"metric": "revenue", "currency": "USD", "member": "x", "amount": 7_000_000,
            "period_start": "2025-01-01", "period_end": "2025-12-31"}  # fmt: skip
    observed = [
        Observation("segment", part | {"axis": axis, "name": name}, "xbrl", 0.9, pointer=name)
        for axis, name in (("business", "Greater Skane"), ("geography", "Skane"))
    ]
    document = await world.add(["Parts."], url="https://sec.example/parts")
    await world.learn(document, *observed)
    async with world.session() as session:
        every = await financial_series(session, "segments")
        assert every.count("7 million USD") == 1
        assert "30 million USD" in every


async def test_two_who_share_an_office_are_two_people(world: World) -> None:
    words = "Ada Vale and Otto Brandt, Co-Chief Executive Officers"
    document = await world.add([words], url="https://harbor.example/chiefs")
    await world.learn(
        document, Observation("ceo", "Ada Vale and Otto Brandt", "text", 0.9, quote=words)
    )
    async with world.session() as session:
        names = [line.split(" | ")[1] for line in (await list_people(session)).splitlines()]
        assert {"Ada Vale", "Otto Brandt"} <= set(names)
        assert not any(" and " in name for name in names)


async def test_a_search_shows_what_fits_and_says_what_it_leaves_out(world: World) -> None:
    for n in range(12):
        words = " ".join(f"Quay{n}x{m} moves cranes." for m in range(60))
        await world.add([f"Cranes of berth {n}: {words}"], url=f"https://n.example/{n}")
    async with world.session() as session:
        found = await search(session, ["cranes of the berth"])
        assert len(found) < 10_000
        assert re.search(r"Weaker passages left out: \d+\.", found)


def test_passages_without_a_word_of_the_queries_that_are_far_are_not_shown() -> None:
    def found(score: float, near: float | None, *matched: str) -> Match:
        terms, is_encoded = frozenset(["the", *matched]), near is not None
        return Match(stored_passage("x"), score, near or 0.0, terms, is_encoded)

    first = [found(0.4, 0.2), found(0.4, 0.2), found(0.4, 0.2)]
    kept = [found(0.3, 0.2, "crane"), found(0.3, 0.4)]
    dropped = [found(0.3, 0.2), found(0.3, None), found(0.1, 0.4, "crane")]
    words = {"the": 0.1, "crane": 3.0}
    every = Retrieved([*first, *kept, *dropped], words, {"crane": "cranes"})
    assert without_tail(every) == [*first, *kept]


async def test_tools_stop_at_their_limits(world: World) -> None:
    async with world.session(calls=1) as session:
        assert await list_documents(session) != ENOUGH
        assert await list_documents(session) == ENOUGH
    async with world.session(room=2_000) as session:
        answers = [
            await search(session, [query]) for query in ("revenue", "cranes", "Quay", "account")
        ]
        assert sum(map(len, answers)) < 6_000


def test_sources_outlive_their_turn() -> None:
    kept = json.loads(json.dumps(ShownSources().kept([])))
    assert ShownSources.restored([kept, {}], granted=()).last == 0
