"""How questions are read: kinds, periods, what is left over, what is refused."""

import pytest

from sightline.assistant.periods import Period
from sightline.assistant.question import read_question

NAMES = ["Harbor Analytics", "HRBA"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Who is the CFO?", "role"),
        ("who runs harbor analytics", "role"),
        ("Where is the head office?", "place"),
        ("How many people work there?", "employees"),
        ("What was net income in 2023?", "money"),
        ("How does revenue break down by region?", "segments"),
        ("Who do they compete with?", "competitors"),
        ("Which jobs are open in Lisbon?", "postings"),
        ("What is the ticker?", "identity"),
        ("What's new?", "news"),
        ("What does Harbor Analytics do?", "overview"),
        ("How do they make money?", "money_made"),
    ],
)
def test_the_kind_is_told(text: str, kind: str) -> None:
    question = read_question(text, NAMES)
    assert kind in question.kinds
    assert question.refused is None


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("revenue in fiscal 2024", Period(2024)),
        ("revenue in FY24", Period(2024)),
        ("revenue in Q3 FY2025", Period(2025, 3)),
        ("revenue in the second quarter of fiscal 2026", Period(2026, 2)),
        ("revenue of the latest quarter", Period(quarter=0)),
        ("revenue of the year before", Period(step=-1)),
        ("revenue over the last five years", Period(history=True)),
        ("revenue in FY24 vs FY23", Period(years=(2024, 2023))),
        ("revenue over the last 3 years", Period(history=True, limit=3)),
        ("revenue last year and the year before", Period(history=True, limit=2)),
        ("revenue in the last reported quarter", Period(quarter=0)),
        ("the same quarter a year before", Period(quarter=0, step=-1)),
        ("how did revenue change compared with the year before", None),
        ("revenue", None),
    ],
)
def test_the_period_is_told(text: str, period: Period | None) -> None:
    assert read_question(text, NAMES).period == period


def test_what_no_kind_accounts_for_is_left_over() -> None:
    assert read_question("Who is the CEO of Harbor Analytics?", NAMES).terms("role") == ()
    assert read_question("Who is the CEO of Tidewater?", NAMES).terms("role") == ("tidewat",)


@pytest.mark.parametrize(
    "text",
    [
        "Should we buy the shares?",
        "What will the share price be next year?",
        "What is the price target?",
        "What is her home address?",
        "Is the CEO married?",
        "Do you think it is a good investment?",
    ],
)
def test_opinions_predictions_and_private_lives_are_refused(text: str) -> None:
    assert read_question(text, NAMES).refused is not None


def test_a_question_that_follows_another_takes_what_it_does_not_say() -> None:
    after = read_question("And the year before?", NAMES, before="What was revenue?")
    assert ("money" in after.kinds, after.period) == (True, Period(step=-1))
    after = read_question("And net income?", NAMES, before="What was revenue in fiscal 2024?")
    assert (after.asks("net income"), after.period) == (True, Period(2024))
    fresh = read_question("Who is the CFO?", NAMES, before="What was revenue in fiscal 2024?")
    assert (fresh.kinds[0], fresh.period) == ("role", None)


def test_a_following_question_may_change_the_subject_or_the_year() -> None:
    after = read_question("and LatAm?", NAMES, before="revenue in EMEA?")
    assert (after.kinds[0], after.terms("money")) == ("money", ("latin", "america"))
    after = read_question("and last year?", NAMES, before="What was revenue in fiscal 2024?")
    assert ("money" in after.kinds, after.period) == (True, Period(2023))
    after = read_question("and the year before?", NAMES, before="revenue from boats?")
    assert (after.period, after.terms("money")) == (Period(step=-1), ("boat",))


def test_ordinary_words_are_no_private_matters() -> None:
    for text in ("What are its medical costs?", "Do they make shoes for kids?", "children's books"):
        assert read_question(text, NAMES).refused is None


@pytest.mark.parametrize(
    ("asked", "quarters"),
    [
        ("Q2 FY26 vs Q1 FY26 revenue", ((2, 2026), (1, 2026))),
        ("revenue Q3 versus Q4 of 2031", ((3, 2031), (4, 2031))),
        ("total assets, last quarter vs same quarter a year earlier", ((0, None), (0, -1))),
    ],
)
def test_quarters_are_compared(asked: str, quarters: tuple[tuple[int, int | None], ...]) -> None:
    period = read_question(asked, ["Northquay"]).period
    assert period is not None
    assert period.quarters == quarters
    assert period.compares


@pytest.mark.parametrize(
    "asked", ["Northquay stock price today", "share price?", "latest stock price"]
)
def test_prices_of_the_day_are_refused(asked: str) -> None:
    assert read_question(asked, ["Northquay"]).refused is not None
