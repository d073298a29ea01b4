"""What questions ask for, which sentences answer them, and which questions facts answer."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from sightline.profile.evidence import Evidence
from sightline.profile.sections import custom_insights
from sightline.profile.seller import Question, Seller
from tests.profile.test_fact_sections import (
    FILING,
    NOW,
    document,
    evidence,
    fact,
    job,
    period,
    proven,
)

TEXT = (
    "We run our booking system on servers of Nimbus Web and Stratus Cloud. Our cloud portal helps"
    " growers book refrigerated trucks. We moved our warehouse planning to the cloud in 2025. Our chief"
    " information officer, who reports to our president, leads the team for information security. Our"
    " data centers are in Bergen and Aarhus. In 2025, 38% of our revenue came from customers outside the"
    " United States. Our three largest customers accounted for 46% of our revenue. New tariffs on steel"
    " could increase the cost of our trailers. We acquired Tundra Lines in May 2025 for its depots."
    " Ms. Vale joined the company in 2019, when it was acquired by its founders."
)


def told(of: Evidence, question: str, *keywords: str) -> str | None:
    """The answer, every figure and name of which is proven."""
    asked = Question(UUID(int=7), "Asked", question, keywords)
    body = proven(of, list(custom_insights.build(of, {}, replace(Seller(), questions=(asked,)))))
    answer: str | None = body[0]["answer"]
    return answer


@pytest.mark.parametrize(
    ("question", "keywords", "answer"),
    [
        ("Which workloads are they moving to the cloud?", ("cloud",), "warehouse planning"),
        ("Which workloads are they selling to rivals?", ("cloud",), None),
        ("Who is responsible for information security?", (), "chief information officer"),
        ("Where are their data centers located?", (), "Bergen"),
        ("Where are their call centers located?", (), None),
        ("What share of revenue comes from outside the US?", (), "38%"),
        ("Do they depend on a single customer?", (), "46%"),
        ("How are they affected by tariffs?", (), "tariffs on steel"),
        ("Which acquisitions did they make recently?", (), "Tundra Lines"),
        ("What is their customer churn rate?", (), None),
        ("Which ERP system do they use?", ("ERP",), None),
        ("How many trucks do they own?", (), None),
    ],
)
def test_an_answer_answers(question: str, keywords: tuple[str, ...], answer: str | None) -> None:
    of = evidence((), [document(FILING, TEXT, title="10-K for 2025-12-31", section="1")])
    found = told(of, question, *keywords)
    assert found is None if answer is None else answer in str(found)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many employees do they have?", "Larkspur Freight has 1,200 employees."),
        ("Where is their head office?", "Larkspur Freight is based in Oslo."),
        ("When was the company founded?", "Larkspur Freight was founded in 1987."),
        ("Who is their CEO?", "Ingrid Vale is the chief executive of Larkspur Freight."),
        (
            "When does their fiscal year end?",
            "The fiscal year of Larkspur Freight ends on 30 September.",
        ),
        (
            "How much do they spend on R&D?",
            "Research and development cost $12 million in FY2025, +8% on the year before.",
        ),
        (
            "Which cloud do they use?",
            "Pages and postings of Larkspur Freight name Amazon Web Services.",
        ),
        ("How many employees work in Norway?", None),
    ],
)
def test_facts_answer_what_they_say(question: str, answer: str | None) -> None:
    facts: list[Any] = [
        fact("employees", 1200, "/employees"),
        fact("hq_city", "Oslo", "/city"),
        fact("founded_year", 1987, "/founded"),
        fact("ceo", "Ingrid Vale", "/ceo"),
        fact("fiscal_year_end", "09-30", "/fiscalYearEnd"),
        period("FY2025", "2025-09-30", 12_000_000, metric="research_and_development", change=0.08),
    ]
    of = evidence(facts, (), jobs=[job(1, opened=10)])
    assert told(of, question) == answer


def test_what_is_long_past_is_not_recent() -> None:
    text = "We acquired Fernhill Logistics in 2009. We acquired Osprey Cargo for its ships."
    old = document(FILING, text, title="10-K for 2025-12-31", section="1", at=NOW - timedelta(1))
    answer = told(evidence((), [old]), "Which acquisitions did they make recently?")
    assert answer == "We acquired Osprey Cargo for its ships."


YES_NO = (
    "We run our booking system on servers of Stratus Cloud. No customer accounted for more than 10% of our"
    " revenue in 2025. We sell our services directly and through freight brokers. Most of our drivers are"
    " not represented by unions, except for those in Denmark. Our trailers are manufactured by independent"
    " contract manufacturers in Poland. A data breach could harm our reputation. We have not experienced a"
    " material cyber-attack. Our competitors operate depots in Spain. We acquired Tundra Lines in May 2025."
)


@pytest.mark.parametrize(
    ("question", "verdict", "words"),
    [
        ("Do they use Stratus Cloud?", "yes", "booking system"),
        ("Do they depend on a single customer?", "no", "No customer"),
        ("Do they sell through freight brokers?", "yes", "brokers"),
        ("Are their drivers represented by unions?", "partly", "except"),
        ("Do they manufacture their own trailers?", "no", "independent"),
        ("Do they use contract manufacturers?", "yes", "Poland"),
        ("Have they had a data breach?", None, None),
        ("Do they operate depots in Spain?", None, None),
        ("Did they acquire Tundra Lines?", "yes", "Tundra"),
        ("Do they use robots in their depots?", None, None),
    ],
)
def test_yes_or_no_with_its_proof_or_no_answer(
    question: str, verdict: str | None, words: str | None
) -> None:
    of = evidence((), [document(FILING, YES_NO, title="10-K for 2025-12-31", section="1")])
    asked = Question(UUID(int=7), "Asked", question)
    (row,) = proven(of, list(custom_insights.build(of, {}, replace(Seller(), questions=(asked,)))))
    assert (row["verdict"], row["state"] == "ready") == (verdict, verdict is not None)
    if verdict is not None and words is not None:
        assert row["answer"].startswith(f"{verdict.capitalize()}. ")
        assert words in row["answer"]


def test_facts_say_yes_or_no() -> None:
    facts: list[Any] = [
        period("FY2025", "2025-09-30", -3_000_000, metric="net_income"),
        period("FY2025", "2025-09-30", 12_000_000, change=0.08),
        fact("stock_ticker", "LKS", "/ticker"),
    ]
    of = evidence(facts, (), jobs=[job(1, opened=10, title="Driver"), job(2, opened=3, code="DK")])
    for question, answer in (
        ("Is the company profitable?", "No. Net income was -$3 million in FY2025."),
        ("Are they losing money?", "Yes. Net income was -$3 million in FY2025."),
        ("Are sales growing?", "Yes. Revenue changed by +8% in FY2025."),
        ("Are they publicly listed?", "Yes. Larkspur Freight is listed as LKS."),
        ("Are they hiring in Denmark?", "Yes. Open postings: "),
        ("Are they hiring in Spain?", "None"),
    ):
        assert str(told(of, question)).startswith(answer), question
