"""What look-ups read out of a question, on invented postings and figures."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest

from sightline.assistant import lookups_activity as activity
from sightline.assistant import lookups_figures as figures
from sightline.assistant.extractive import _with_one_place
from sightline.store.facts import Fact

DOCUMENT = UUID(int=7)


def posting(title: str, city: str | None, country: str, department: str | None) -> dict[str, Any]:
    place = {"city": city, "country_code": country}
    return {"title": title, "locations": [place], "department": department, "document_id": DOCUMENT}


ROWS = [
    posting("Account Executive", "Berlin", "DE", "sales"),
    posting("Sales Engineer", "Munich", "DE", "sales"),
    posting("Backend Engineer", "Berlin", "DE", "engineering"),
    posting("Intern, People Team", "São Paulo", "BR", "hr"),
]


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("how many sales roles in berlin", ["Account Executive"]),
        ("any jobs in München", ["Sales Engineer"]),
        ("do they hire in Brazil", ["Intern, People Team"]),
        ("are they hiring engineers", ["Sales Engineer", "Backend Engineer"]),
        ("open backend roles", ["Backend Engineer"]),
        ("interns?", ["Intern, People Team"]),
        ("how many jobs are open", [row["title"] for row in ROWS]),
    ],
)
def test_postings_are_chosen_by_place_title_and_department(
    question: str, titles: list[str]
) -> None:
    assert [row["title"] for row in activity.chosen(question, ROWS)[0]] == titles


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("do they hire in Nairobi", ["Nairobi"]),
        ("jobs in Saudi Arabia", ["Saudi", "Arabia"]),
        ("openings in Berlin?", []),
        ("Is it hiring in Germany?", []),
        ("any IT jobs in Berlin", ["IT"]),
    ],
)
def test_words_that_no_posting_has_are_told(question: str, missing: list[str]) -> None:
    assert activity.chosen(question, ROWS)[2] == missing


def signal(day: int, quote: str) -> dict[str, Any]:
    when = datetime(2025, 3, day, tzinfo=UTC)
    return {"title": "", "quote": quote, "at": when, "precision": "day"}


def test_signals_that_share_words_with_the_question_come_first() -> None:
    rows = [signal(9, "It opened a depot."), signal(8, "Ada Lind left the board.")]
    assert activity.by_words("when did Lind leave", rows) == rows[::-1]
    assert activity.by_words("any news", rows) == rows


def figure(label: str, end: date, amount: float) -> Fact:
    value = {"metric": "revenue", "label": label, "period_end": end.isoformat(), "amount": amount}
    return Fact(
        UUID(int=1), "fiscal_period", label, value, "sec", DOCUMENT, "https://sec.example/", None,
        None, "data", 1.0, None, datetime(2025, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC),
        wins=True,
    )  # fmt: skip


SERIES = [figure(f"FY{year}", date(year, 12, 31), year) for year in range(2024, 2018, -1)]


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("what is their revenue", ["FY2024", "FY2023", "FY2022"]),
        ("revenue in 2021", ["FY2022", "FY2021", "FY2020"]),  # what it may be compared with
        ("compare 2022 and 2023", ["FY2024", "FY2023", "FY2022", "FY2021"]),
        ("revenue in 2031", []),
    ],
)
def test_years_of_the_question_are_chosen(question: str, labels: list[str]) -> None:
    assert [fact.value["label"] for fact in figures.chosen_periods(SERIES, question)] == labels


def test_names_are_read_as_one_place() -> None:
    assert _with_one_place("is there a job in Saudi Arabia?") == "is there a job in Chicago?"
    assert _with_one_place("who runs finance") == "who runs finance"
