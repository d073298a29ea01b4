"""Whether a text refers to the past: its latest day, period or year."""

import re
from datetime import date
from typing import Final

from sightline.reading.dates import days_in, periods_in

FRESH_DAYS: Final = 365
"""What happened longer ago is no reason to act now."""

_YEAR: Final = re.compile(r"(?<![\d.,$€£])(?:19|20)\d\d(?![\d%]|[.,]\d)")


def latest_day(text: str) -> date | None:
    """The last day of what a text names: days, fiscal periods by the calendar, years; None for none."""
    written, periods = days_in(text), periods_in(text)
    days = [each.day for each in written]
    for period in periods:
        if period.last_day is not None:
            days.append(period.last_day)
        elif period.year is not None:
            days.append(_end_of(period.year, period.quarter))
    spans = [(each.start, each.end) for each in written]
    spans += [(each.start, each.end) for each in periods]
    taken = {at for start, end in spans for at in range(start, end)}
    for year in _YEAR.finditer(text):  # those that stand by themselves
        if year.start() not in taken:
            days.append(date(int(year[0]), 12, 31))
    return max(days, default=None)


def years_in(text: str) -> frozenset[int]:
    """The years that a text names."""
    return frozenset(int(year[0]) for year in _YEAR.finditer(text))


def is_over(text: str, today: date) -> bool:
    """Whether every day, period and year that a text names has passed; False where it names none."""
    last = latest_day(text)
    return last is not None and last < today


def _end_of(year: int, quarter: int | None) -> date:
    return date(year, 12, 31) if quarter is None else date(year, 3 * quarter, 28)


def fiscal_years_written_out(text: str) -> str:
    """The text with FY24 and its kind as documents write it: fiscal 2024."""
    for each in reversed(periods_in(text)):
        if each.quarter is None and text[each.start : each.start + 2].upper() == "FY":
            text = f"{text[: each.start]}fiscal {each.year}{text[each.end :]}"
    return text
