"""What is answered without a model: a look-up alone, a look-up with quotes, quotes, or nothing."""

import json
from dataclasses import dataclass
from datetime import date
from functools import partial
from uuid import UUID

import pytest

from sightline.assistant import extractive
from sightline.assistant.contract import Draft
from sightline.assistant.routing import router_for
from sightline.assistant.turn import open_turn
from sightline.domain.evidence import Observation
from sightline.reading.encoder import Encoder
from sightline.store.database import Database, open_database
from sightline.store.facts import mark_winners, read_facts, store_facts
from sightline.store.profiles import StoredSection, write_sections
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.conftest import Tenant
from tests.eval.assistant import make_caller
from tests.store.evidence_data import WHEN, add_document, index

CAREER = (
    "Marta Quellmann, Chief Financial Officer since 2022. Before she joined Harbor Analytics, Ms. Quellmann"
    " worked at Tidewater Foundry as treasurer."
)
STAFF = "As of December 31, 2025, Harbor Analytics had 940 employees, of whom 310 worked outside Portugal."
LOAN = (
    "Brackwater Bank lent Harbor Analytics the cash to pay off the loan of Tidewater Foundry, at an interest"
    " rate of 6.5%."
)
SELLING = (
    "Our sales force of 120 people sells cranes to ports; the sales force is as large as in 2024."
)
VOTES = "Ada Overbeek, our founder, controls 61% of the votes of Harbor Analytics by her Class B shares."


@dataclass
class Asking:
    database: Database
    tenant: Tenant
    company: UUID
    encoder: Encoder
    url: str

    async def learn(self, *observed: Observation) -> None:
        """Store what one more document says as data."""
        workers = await open_database(self.url, role="sightline_worker", size=2)
        url = f"https://sec.example/{observed[0].as_of}"
        document = await add_document(workers, self.company, ["Data."], url=url)
        async with workers.connection() as connection, connection.transaction():
            await store_facts(connection, self.company, document, source="sec_edgar", observations=observed,
                              superseded=(), seen_at=WHEN)  # fmt: skip
            stored = await read_facts(connection, self.company)
            stored.sort(key=lambda fact: str(fact.as_of or ""))
            newest = {(fact.field, fact.member): fact.fact_id for fact in stored}
            await mark_winners(connection, self.company, [*newest.values()])
        await workers.close()

    async def __call__(self, question: str, *, before: str | None = None) -> Draft:
        reading = partial(self.database.tenant, self.tenant.organization_id)
        caller = make_caller(self.tenant.organization_id)
        async with reading() as connection:
            turn = await open_turn(
                connection, caller, self.company, message=question, session_id=None, reading=reading
            )
        router = router_for(self.encoder)
        return await extractive.read(turn.evidence, question, before=before, router=router)


@pytest.fixture
async def ask(tenant: Tenant, database: Database, database_url: str, encoder: Encoder) -> Asking:
    record = FULL_RECORD | {"company_name": "Harbor Analytics"}
    (account,) = await add_accounts(database, tenant.organization_id, [record])
    company = account.company_id
    workers = await open_database(database_url, role="sightline_worker", size=2)
    report = await add_document(
        workers,
        company,
        [CAREER, STAFF, LOAN, SELLING, VOTES],
        url="https://sec.example/10-K",
        kind="filing",
    )
    person = {"name": "Marta Quellmann", "title": "Chief Financial Officer"}
    revenue = {"label": "FY2025", "metric": "revenue", "tag": "Revenues", "amount": 90_000_000,
               "currency": "USD", "derived": False,
               "period_start": "2025-01-01", "period_end": "2025-12-31"}  # fmt: skip
    observed = [
        Observation("person", person, "text", 0.9, quote=CAREER[:51]),
        Observation("employees", 940, "text", 0.9, quote=STAFF),
        Observation("fiscal_period", revenue, "xbrl", 0.9, pointer="Revenues FY2025"),
    ]
    async with workers.connection() as connection, connection.transaction():
        await store_facts(connection, company, report, source="sec_edgar", observations=observed,
                          superseded=(), seen_at=WHEN)  # fmt: skip
        stored = await read_facts(connection, company)
        await mark_winners(connection, company, [fact.fact_id for fact in stored])
    await index(workers, company)
    await workers.close()
    return Asking(database, tenant, company, encoder, database_url)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who lent them the cash to pay off Tidewater Foundry and at what interest", "6.5%"),
        ("who really controls the votes there, is it still Ada Overbeek?", "61%"),
    ],
)
async def test_a_name_in_a_question_makes_it_no_question_about_private_life(
    ask: Asking, question: str, answer: str
) -> None:
    said = await ask(question)
    assert answer in " ".join(one.text for one in said.statements)


@pytest.mark.parametrize("question", ["is the CEO married", "what is the name of the CEO's wife"])
async def test_private_life_is_refused(ask: Asking, question: str) -> None:
    said = await ask(question)
    assert (said.statements, said.missing) == (
        (),
        "Sightline does not answer questions about people's private lives.",
    )


@pytest.mark.parametrize(
    "question", ["Who is the CFO?", "how many people work for Harbor Analytics"]
)
async def test_a_look_up_that_is_all_that_is_asked_stands_alone(ask: Asking, question: str) -> None:
    said = await ask(question)
    assert (len(said.statements), said.evidence) == (1, "sufficient")


@pytest.mark.parametrize(
    ("question", "found", "more"),
    [
        (
            "who's the CFO and where did she work",
            "Marta Quellmann",
            "worked at Tidewater Foundry",
        ),
        ("How many people work there and how many of them sit abroad?", "had 940 employees", "310"),
    ],
)
async def test_what_is_asked_beside_a_look_up_is_quoted(
    ask: Asking, question: str, found: str, more: str
) -> None:
    said = await ask(question)
    assert said.evidence == "partial"
    text = " ".join(one.text for one in said.statements)
    assert found in text
    assert more in text


async def test_a_career_is_told_in_the_words_of_the_biography(ask: Asking) -> None:
    said = await ask("Where did Marta Quellmann work before she joined the company?")
    assert said.evidence == "partial"
    assert "worked at Tidewater Foundry as treasurer" in said.statements[0].text


def year(number: int, amount: int) -> Observation:
    value = {"label": f"FY{number}", "metric": "revenue", "tag": "Revenues", "amount": amount,
             "currency": "USD", "derived": False,
             "period_start": f"{number}-01-01", "period_end": f"{number}-12-31"}  # fmt: skip
    return Observation("fiscal_period", value, "xbrl", 0.9, pointer=f"Revenues FY{number}")


@pytest.mark.parametrize(
    "question",
    [
        "How did revenue change from 2023 to 2025?",
        "did sales rise or fall between 2023 and 2025",
        "is revenue going up",
    ],
)
async def test_a_change_is_shown_by_the_figures_of_the_years(ask: Asking, question: str) -> None:
    await ask.learn(year(2024, 60_000_000), year(2023, 40_000_000))
    said = await ask(question)
    assert said.evidence == "sufficient"
    assert [each.text[29:35] for each in said.statements[:3]] == ["FY2025", "FY2024", "FY2023"]


async def test_the_year_before_what_was_asked_is_answered(ask: Asking) -> None:
    await ask.learn(year(2024, 60_000_000))
    said = await ask("and the year before?", before="what was revenue in 2025?")
    assert (
        "Revenue of the whole company FY2024 (2024-01-01 to 2024-12-31): 60 million USD."
        in [each.text for each in said.statements]
    )  # fmt: skip


async def test_what_worries_them_are_the_risks_of_the_profile(ask: Asking) -> None:
    async with ask.database.tenant(ask.tenant.organization_id) as connection:
        document = await connection.fetchval(
            "SELECT document_id FROM documents WHERE url = 'https://sec.example/10-K'"
        )
    source = {"document_id": str(document), "url": "https://sec.example/10-K", "title": "10-K",
              "quote": LOAN, "published_at": "2026-03-01T12:00:00Z"}  # fmt: skip
    rows = [{"as_of": "2026-03-01", "name": LOAN, "description": "", "sources": [source]}]
    workers = await open_database(ask.url, role="sightline_worker", size=2)
    async with workers.connection() as connection, connection.transaction():
        section = StoredSection(
            "risks", "ready", "extractive", json.dumps(rows), "[]", 1, b"", None, None
        )
        await write_sections(connection, ask.company, [section], unchanged=(), checked_at=WHEN)
    await workers.close()
    said = await ask("what keeps them up at night?")
    assert (said.evidence, [one.text for one in said.statements]) == (
        "partial",
        [f"2026-03-01: “{LOAN}”"],
    )


async def test_a_figure_that_is_not_what_is_asked_does_not_open_the_answer(ask: Asking) -> None:
    said = await ask("how large is the sales force")
    assert said.evidence == "partial"
    assert "120 people" in said.statements[0].text
    assert "Revenue of the whole company FY2025" in said.statements[-1].text


async def test_quotes_of_notes_and_rows_say_their_unit(ask: Asking) -> None:
    texts = [
        "NOTES TO CONSOLIDATED FINANCIAL STATEMENTS (in thousands, except per share data)",
        "In May 2025 Fernhill Bank lent Harbor Analytics $25,000 for a floating dock in Porto.",
    ]
    workers = await open_database(ask.url, role="sightline_worker", size=2)
    await add_document(workers, ask.company, texts, url="https://sec.example/old", kind="filing")
    await index(workers, ask.company)
    await workers.close()
    said = await ask("who lent them money for a floating dock in 2025")
    assert " (in thousands, except per share data): “" in said.statements[0].text


@pytest.mark.parametrize(
    "question",
    ["Who is the trust officer?", "who is the chief data officer", "Who is the treasurer?"],
)
async def test_an_officer_whom_no_document_names_is_no_other_officer(
    ask: Asking, question: str
) -> None:
    said = await ask(question)
    assert "Chief Financial Officer of Harbor" not in " ".join(one.text for one in said.statements)


async def test_an_officer_is_found_by_the_title_that_is_written_out(ask: Asking) -> None:
    title = "Senior Vice President, Chief Accounting Officer and Treasurer"
    person = {"name": "Otto Brandt", "title": title}
    await ask.learn(Observation("person", person, "text", 0.9, pointer="Otto Brandt"))
    for question in ("who is the chief accounting officer", "Who is the treasurer?"):
        said = await ask(question)
        assert "Otto Brandt is Senior" in " ".join(one.text for one in said.statements)


async def test_who_had_an_office_before_is_not_said_to_have_it(ask: Asking) -> None:
    old = {"name": "Lena Ost", "title": "Chief Financial Officer"}
    for day, more in ((date(2020, 3, 1), {}), (date(2022, 3, 1), {"until": "2022"})):
        await ask.learn(Observation("person", old | more, "text", 0.9, pointer="Ost", as_of=day))
    said = await ask("Who is the CFO?")
    assert [each.text.split(" is ")[0] for each in said.statements] == ["Marta Quellmann"]


async def test_what_is_asked_of_an_unknown_name_is_not_answered(ask: Asking) -> None:
    said = await ask("Who is the finance chief of Zorblax Industries?")
    assert said.evidence == "none"
    assert "mentions every name" in str(said.missing)
