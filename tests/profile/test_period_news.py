"""What sentences tell of a fiscal period: results, news and challenges, and what they are called."""

from datetime import UTC, date, datetime
from uuid import uuid4

import pytest

from sightline.profile.evidence import Document, Span
from sightline.profile.period_news import Told, result_name
from sightline.profile.sentences import Sentence

YEAR = Told(
    "FY2025",
    date(2026, 1, 31),
    {"operating_income": (40e6, 0.1)},
    ("Cold Storage", "Transport"),
)
QUARTER = Told("Q2 FY2025", date(2025, 7, 31), {})


def sentences(text: str, *, heading: str | None = None, form: str = "10-K") -> tuple[Sentence, ...]:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    document = Document(
        uuid4(), "filing", "test", "https://filings.example/x", f"{form} for 2026-01-31", at, at,
        text, (Span(0, len(text), "7" if form == "10-K" else "2.02", heading),),
    )  # fmt: skip
    return document.sentences


def only(text: str, *, heading: str | None = None, form: str = "10-K") -> Sentence:
    """The last sentence of a text."""
    return sentences(text, heading=heading, form=form)[-1]


@pytest.mark.parametrize(
    ("text", "heading", "told"),
    [
        ("Sales of Transport rose 4% in fiscal 2025.", None, True),
        ("Sales of Transport rose 4% in fiscal 2024.", None, False),
        ("Sales of Transport rose 4% on January 31, 2026 in all ports.", None, True),
        ("Sales fell 3% in 2024 compared with 2023. Transport sales fell 9% on fewer runs.", None, False),
        ("Transport sales fell 9% because of fewer runs.", "The years 2013-2015", False),
        ("We plan to run 40% of our kilometres without diesel by 2030.", None, True),
    ],
)  # fmt: skip
def test_the_years_around_a_sentence_tell_its_period(
    text: str, heading: str | None, told: bool
) -> None:
    assert YEAR.has(only(text, heading=heading)) is told


@pytest.mark.parametrize(
    ("text", "heading", "is_result"),
    [
        ("Total net sales increased 12% to $230 million in fiscal 2025.", None, True),
        ("Operating income was $40 million in fiscal 2025, up 10%.", None, True),
        ("Operating income was $12 million in fiscal 2025, up 10%.", None, False),  # a division's
        ("Selling expenses increased 9% to $30 million in fiscal 2025.", None, False),
        ("Direct sales decreased 14% as two ports were closed.", "Cold Storage", False),
        ("Cold Storage sales decreased 14% as two ports were closed.", "Cold Storage", True),
        ("The increases were due to sales growth of 5.9% in all our ports.", None, False),
        ("Cash flow from operations is a source of liquidity for our plans.", None, False),
    ],
)
def test_results_are_the_company_s_own_and_have_figures(
    text: str, heading: str | None, is_result: bool
) -> None:
    assert bool(YEAR.result(only(text, heading=heading))) is is_result


def test_half_a_year_is_no_result_of_a_quarter() -> None:
    text = "Total revenue for the {} months ended July 31, 2025 was $90 million, up 4%."
    assert QUARTER.result(only(text.format("three")))
    assert not QUARTER.result(only(text.format("six")))


@pytest.mark.parametrize(
    ("text", "is_challenge"),
    [
        ("Cold Storage revenue decreased 4% as two sites were closed.", True),
        ("We experienced supply chain disruptions in our northern ports in 2025.", True),
        ("Prices increased 10% in 2025, as compared with a decrease of 9% in 2024.", False),
        ("Marketing spend is expected to decline as a percent of total revenue.", False),
        ("Loss from operations decreased by $12 million compared with 2024.", False),
        ("The outcome of these matters is inherently uncertain for us.", False),
        ("The decrease was driven by lower charges, offset by lower volumes.", False),
    ],
)
def test_a_challenge_went_against_the_company(text: str, is_challenge: bool) -> None:
    assert bool(YEAR.challenge(only(text))) is is_challenge


@pytest.mark.parametrize(
    ("text", "form", "is_news"),
    [
        ("During fiscal 2025, we opened eight depots in Norway and two in Denmark.", "10-K", True),
        ("We opened eight depots in Norway and two in Denmark for growers.", "10-K", False),
        ("We opened eight depots in Norway and two in Denmark for growers.", "8-K", True),
        ("We are focused on expanding our fleet of electric trucks in Norway.", "10-K", True),
        ("As we continue to evolve our business, the number of runs is subject to change.", "10-K", False),
        ("We have entered into lease commitments with vendors in fiscal 2025.", "10-K", False),
    ],
)  # fmt: skip
def test_news_is_dated_or_a_plan(text: str, form: str, is_news: bool) -> None:
    sentence = only(text, form=form)
    assert bool(YEAR.news(sentence, sentence.text)) is is_news


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "Net sales for the second quarter of fiscal 2022 were $31.4 billion, a decrease of 3.5% from"
            " $32.5 billion for the second quarter of fiscal 2021.",
            "Net sales were $31.4 billion, a decrease of 3.5%",
        ),
        (
            "Net sales for the Harbour segment increased $2.6 billion or 3.1% and $9.4 billion or 12.8%"
            " for fiscal 2024 and 2023, respectively.",
            "Net sales for the Harbour segment increased $2.6 billion or 3.1%",
        ),
        (
            "Revenues for the three months ended June 30, 2023, were $14,310,000, an increase of 41%.",
            "Revenues were $14,310,000",
        ),
        ("Revenue: For fiscal 2025, revenue was $26.2 billion.", "Revenue was $26.2 billion"),
        (
            "Rail revenue for fiscal year 2025 was up 17% from a year ago.",
            "Rail revenue was up 17% from a year ago",
        ),
    ],
)  # fmt: skip
def test_a_result_is_called_by_what_moved_and_how_far(text: str, name: str) -> None:
    assert result_name(text) == name
