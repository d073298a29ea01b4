"""The date of the event that a sentence reports."""

import re
from datetime import date, timedelta
from typing import Final

from sightline.reading.dates import DAY, days_in, earlier_day
from sightline.reading.periods import years_in

_PERIOD_END: Final = re.compile(
    rf"\b(?:year|quarter|months|period|weeks)\s+end(?:ed|ing)\s+(?:{DAY}|\w+\s+\d\d?\b)", re.I
)


def day_of(text: str, *, said: date, within: int = 100) -> date | None:
    """The day, within so many before it was said, on which a sentence says that something happened: the first
    that is written in full, else the only other one. The end of a period is not meant."""
    plain = _PERIOD_END.sub("", text)
    full = (each.day for each in days_in(plain) if 0 <= (said - each.day).days <= within)
    return next(full, None) or earlier_day(plain, said=said, within=within)


def month_of(text: str, *, said: date) -> date | None:
    """The first of a month of the year before the month of `said`, in which a sentence says that something
    happened: "in March 2026", and within eleven months "in March"."""
    line, month = " ".join(text.split()), said.replace(day=1)
    for back in range(1, 13):
        month = (month - timedelta(1)).replace(day=1)
        for _, found, rest in (line.partition(f"{word} {month:%B}") for word in ("in", "In")):
            behind = rest.lstrip(" ,")
            is_without_year = back < 12 and not behind[:1].isdigit() and not rest[:1].isalpha()
            if found and (behind.startswith(str(month.year)) or is_without_year):
                return month
    return None


def is_old(text: str, *, said: date) -> bool:
    """Whether a sentence dates itself, and only to years before last year: background, not news."""
    years = years_in(text)
    return bool(years) and max(years) < said.year - 1


def is_past(text: str, *, said: date) -> bool:
    """Whether the last day that a sentence names is more than a year before it was said."""
    return bool(days := [each.day for each in days_in(text)]) and (said - max(days)).days > 366
