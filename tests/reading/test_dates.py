"""Days and fiscal periods in running text, with their places."""

import time
from datetime import date

import pytest

from sightline.reading.dates import (
    days_in,
    earlier_day,
    first_day,
    meant_by,
    names_day,
    names_month,
    periods_in,
    without_days,
)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("On March 3, 2024 and Sept. 14 2023", [(2024, 3, 3), (2023, 9, 14)]),
        ("DATED JUNE 30, 2021", [(2021, 6, 30)]),
        ("the 5th of May 2020 or 6 May, 2020", [(2020, 5, 5), (2020, 5, 6)]),
        ("as of 2024-02-29.", [(2024, 2, 29)]),
        ("February 30, 2024", []),
        ("May 2024, March 5", []),
        ("3/14/24", []),
    ],
)
def test_days(text: str, days: list[tuple[int, int, int]]) -> None:
    assert [each.day for each in days_in(text)] == [date(*day) for day in days]


def test_a_day_has_its_place_and_slashes_are_read_where_the_text_is_american() -> None:
    text = "Signed 3/14/24, filed 12/1/2023; see 1/2/3/4."
    found = days_in(text, slashes=True)
    assert [text[each.start : each.end] for each in found] == ["3/14/24", "12/1/2023"]
    assert first_day(text, slashes=True) == date(2024, 3, 14)
    assert first_day(text) is None
    assert without_days("Ada Vale, May 4, 2021") == "Ada Vale, "


@pytest.mark.parametrize(
    ("text", "year", "quarter", "last_day", "months"),
    [
        ("Q3 2024", 2024, 3, None, 3),
        ("Q3 FY25", 2025, 3, None, 3),
        ("Q1’24", 2024, 1, None, 3),
        ("3Q24", 2024, 3, None, 3),
        ("2024 Q2", 2024, 2, None, 3),
        ("third quarter of fiscal 2024", 2024, 3, None, 3),
        ("second-quarter 2023", 2023, 2, None, 3),
        ("fourth quarter of our fiscal year 2024", 2024, 4, None, 3),
        ("fiscal year 2024", 2024, None, None, 12),
        ("full-year 2024", 2024, None, None, 12),
        ("FY2025", 2025, None, None, 12),
        ("year ended June 30, 2024", None, None, date(2024, 6, 30), 12),
        ("quarter ended March 31, 2024", None, None, date(2024, 3, 31), 3),
        ("nine months ended September 30, 2024", None, None, date(2024, 9, 30), 9),
        ("three and nine months ended May 31, 2024", None, None, date(2024, 5, 31), 3),
        ("13 weeks ended May 4, 2024", None, None, date(2024, 5, 4), 3),
    ],
)
def test_periods(
    text: str, year: int | None, quarter: int | None, last_day: date | None, months: int
) -> None:
    sentence = f"Revenue of the {text}, rose."
    (found,) = periods_in(sentence)
    assert sentence[found.start : found.end] == text
    assert (found.year, found.quarter, found.last_day, found.months) == (
        year, quarter, last_day, months,
    )  # fmt: skip


def test_what_is_no_period_is_not_read_as_one() -> None:
    assert periods_in("The first quarter was good, Q5 2024 is none, see FY2024.5 and H1") == []


@pytest.mark.parametrize(
    "unit", ["1", " ", "Jan ", "Q1 ", "fiscal ", "1/", "May 1, ", "year ended "]
)
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    began = time.process_time()
    days_in(text, slashes=True)
    periods_in(text)
    assert time.process_time() - began < 5.0


@pytest.mark.parametrize(
    ("text", "day", "is_named"),
    [
        ("On August 14, 2026 the mill closes.", date(2026, 8, 14), True),
        ("By August 14 the mill will close.", date(2026, 8, 14), True),
        ("By August 14 the mill will close.", date(2020, 8, 14), False),
        ("By August 14 the mill will close.", date(2026, 8, 1), False),
        ("It closed on Aug. 7, as the union said.", date(2026, 8, 7), True),
        ("Since Sept. 30 it has been closed.", date(2025, 9, 30), True),
        ("It told employees on Monday.", date(2026, 8, 10), True),
        ("It told employees on Monday.", date(2026, 7, 6), False),
        ("It closes this summer.", date(2026, 8, 14), False),
        ("It closed yesterday.", date(2026, 8, 11), True),
        ("It closed yesterday.", date(2026, 8, 10), False),
    ],
)
def test_a_day_is_named_with_or_without_its_year(text: str, day: date, is_named: bool) -> None:
    assert names_day(text, day, said=date(2026, 8, 12)) is is_named


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("In March 2026 the Company settled.", True),
        ("It closed the plant in March, the union said.", True),
        ("The plan of March of 2026 failed.", True),
        ("In March 2025 the Company settled.", False),
        ("On March 4, 2026, the Company settled.", False),
        ("They march on.", False),
    ],
)
def test_a_month_is_named_with_its_year_or_within_one(text: str, is_named: bool) -> None:
    assert names_month(text, date(2026, 3, 1), said=date(2026, 8, 12)) is is_named


@pytest.mark.parametrize(
    ("month", "is_named"),
    [(date(2025, 12, 1), True), (date(2025, 11, 1), False), (date(2026, 1, 1), False)],
)
def test_last_month_is_the_one_before(month: date, is_named: bool) -> None:
    said = date(2026, 1, 9)
    assert names_month("It left the venture last month.", month, said=said) is is_named


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("It last month won a contract.", ["July 2025"]),
        ("It earned more than last\nyear, it said today.", ["August 21, 2025", "2024"]),
        ("It closed yesterday.", ["August 20, 2025"]),
        ("It won in June.", []),
    ],
)
def test_what_words_for_days_mean(text: str, meant: list[str]) -> None:
    assert meant_by(text, said=date(2025, 8, 21)) == meant


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("She joined as chief revenue officer on March 2.", (2026, 3, 2)),
        ("On Tuesday it said that it had bought a depot.", (2026, 3, 17)),
        ("The plan of March 2, 2019 ends.", None),
        ("It opened on March 2 and closed on March 9.", None),
        ("She leaves on June 5.", None),
        ("Today it announced the purchase.", None),
        ("On Friday it said that it had bought a depot.", None),  # it was said on a Friday
    ],
)
def test_an_earlier_day(text: str, day: tuple[int, int, int] | None) -> None:
    found = earlier_day(text, said=date(2026, 3, 20), within=100)
    assert found == (date(*day) if day else None)
