"""What is answered without a model: a look-up alone, a look-up with quotes, quotes, or nothing."""

from dataclasses import dataclass
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
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.conftest import Tenant
from tests.eval.assistant import somebody
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

    async def __call__(self, question: str) -> Draft:
        reading = partial(self.database.tenant, self.tenant.organization_id)
        caller = somebody(self.tenant.organization_id)
        async with reading() as connection:
            turn = await open_turn(
                connection, caller, self.company, message=question, session_id=None, reading=reading
            )
        router = router_for(self.encoder)
        return await extractive.read(turn.evidence, question, before=None, router=router)


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
    return Asking(database, tenant, company, encoder)


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
            "Marta Quellmann is",
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


async def test_a_figure_that_is_not_what_is_asked_does_not_open_the_answer(ask: Asking) -> None:
    said = await ask("how large is the sales force")
    assert said.evidence == "partial"
    assert "120 people" in said.statements[0].text
    assert "Revenue of Harbor Analytics" in said.statements[-1].text


async def test_a_misspelled_name_is_that_of_the_person(ask: Asking) -> None:
    said = await ask("Who is the finance chief? and what about Marta Quelmann")
    assert "Marta Quellmann is Chief Financial Officer" in " ".join(s.text for s in said.statements)


async def test_an_unknown_name_leaves_the_rest_of_a_question(ask: Asking) -> None:
    said = await ask("Who is the finance chief? is it Zebulon Trewhitt")
    assert said.evidence == "partial"
    assert "Marta Quellmann is Chief Financial Officer" in said.statements[0].text
    alone = await ask("Who is the finance chief of Zorblax Industries?")
    assert alone.missing is not None
    assert "mentions every name" in alone.missing
