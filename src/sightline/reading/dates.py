"""Dates and fiscal periods in English text, with their positions."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from sightline.reading.months import MONTHS, NAMES

_MONTH: Final = rf"(?:{NAMES}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
_GAP: Final = r"[^\S\n]{1,9}"
_TH: Final = r"(?:st|nd|rd|th)?"
DAY: Final = (
    rf"(?:{_MONTH}\.?{_GAP}\d{{1,2}}{_TH}(?:[^\S\n]?,)?\s{{1,9}}(?:19|20)\d\d"
    rf"|\d{{1,2}}{_TH}{_GAP}(?:of{_GAP})?{_MONTH}\.?,?{_GAP}(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d)(?!\d)"
)
"""A pattern of a full day with the month in letters, or as ISO 8601; without groups, for either case."""

_DAYS: Final = re.compile(
    rf"\b{DAY}|(?<![\d/])\d{{1,2}}/\d{{1,2}}/(?:\d{{4}}|\d\d)(?![\d/])", re.IGNORECASE
)
_PARTS: Final = re.compile(r"\d+|[^\W\d_]{3,}")
_LENGTHS: Final = {
    "three": 3, "six": 6, "nine": 9, "twelve": 12, "3": 3, "6": 6, "9": 9, "12": 12, "13": 3, "14": 3,
    "26": 6, "39": 9, "52": 12, "53": 12, "quarter": 3, "year": 12,
}  # fmt: skip
_QUARTERS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_YEAR: Final = r"(?:19|20)\d\d"
_SHORT_YEAR: Final = rf"(?:{_YEAR}|[’']?\d\d)"
_PERIODS: Final = re.compile(
    rf"\b(?:(?:(?:(?P<shorter>three|six|nine){_GAP}(?:months{_GAP})?and{_GAP})?(?P<length>three|six|nine|twelve|3|6|9|12|1[34]|26|39|5[23])(?:-|{_GAP})(?:months?|weeks?)"
    rf"|quarter|year)(?:{_GAP}period)?(?:{_GAP}that)?{_GAP}end(?:ed|ing){_GAP}(?P<day>{DAY})"
    rf"|(?P<word>first|second|third|fourth|[1-4](?:st|nd|rd|th))(?:-|{_GAP})(?:fiscal{_GAP})?quarter"
    rf"(?:{_GAP}(?:of|in|for)(?:{_GAP}the)?)?(?:{_GAP}(?:our{_GAP})?(?:fiscal|calendar|full))?(?:{_GAP}year)?"
    rf"(?:,|{_GAP}(?:of{_GAP})?)?(?:{_GAP})?(?P<year1>{_YEAR})"
    rf"|Q(?P<q1>[1-4])(?:-|{_GAP}|[^\S\n]?(?=FY|[’']))?(?:FY[^\S\n]?|fiscal{_GAP})?(?P<year2>{_SHORT_YEAR})"
    rf"|(?P<q2>[1-4])Q[’']?(?P<year3>{_SHORT_YEAR})"
    rf"|(?P<year4>{_YEAR}){_GAP}Q(?P<q3>[1-4])"
    rf"|(?:(?:fiscal|full)(?:-|{_GAP})(?:year{_GAP})?(?:of{_GAP})?|FY[^\S\n]?)(?P<year5>{_SHORT_YEAR}))(?!\w|[.,]\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WrittenDay:
    """A day of the calendar and the characters `start` up to `end` that name it."""

    start: int
    end: int
    day: date


@dataclass(frozen=True, slots=True)
class WrittenPeriod:
    """A fiscal period and the characters that name it.

    It is named by a fiscal year with or without a quarter, or by its last day and its length in months.
    """

    start: int
    end: int
    year: int | None = None
    quarter: int | None = None
    last_day: date | None = None
    months: int = 12


def days_in(text: str, *, slashes: bool = False) -> list[WrittenDay]:
    """Every full day that a text names, in order; impossible ones are ignored.

    `slashes` reads "3/14/24" too, month first as in American filings, years from 2000 on.
    """
    return [
        WrittenDay(match.start(), match.end(), day)
        for match in _DAYS.finditer(text)
        if (slashes or "/" not in match[0]) and (day := _day(match[0]))
    ]


def first_day(text: str, *, slashes: bool = False) -> date | None:
    """The first full day that a text names."""
    found = days_in(text, slashes=slashes)
    return found[0].day if found else None


def names_day(text: str, day: date, *, said: date) -> bool:
    """Whether a text that was said on one day names another: in full, without its year within a year, as
    a day of the week within a week, or as "yesterday"."""
    apart, name = abs((said - day).days), _name_of(day)
    without_year = (
        rf"\b(?:{name}\s{{1,9}}{day.day}(?!\d)|{day.day}{_TH}\s{{1,9}}(?:of\s)?{name}(?!\w))"
    )
    return (
        bool(apart <= 366 and re.search(without_year, text))
        or (f"{day:%A}" in text and apart < 7)
        or f"{day:%B %-d, %Y}" in meant_by(text, said=said)
        or any(each.day == day for each in days_in(text))
    )


def earlier_day(text: str, *, said: date, within: int) -> date | None:
    """The only day, of so many before it was said, that a text names in other ways than in full."""
    rest, before = without_days(text), (said - timedelta(back) for back in range(1, within + 1))
    named = [day for day in before if names_day(rest, day, said=said)]
    return named[0] if len(named) == 1 else None


def meant_by(text: str, *, said: date) -> list[str]:
    """What "yesterday", "last month" and the like of a text mean that was said on some day, written out."""
    before = said.replace(day=1) - timedelta(1)
    meant = {
        "today": f"{said:%B %-d, %Y}",
        "yesterday": f"{said - timedelta(1):%B %-d, %Y}",
        "this month": f"{said:%B %Y}",
        "last month": f"{before:%B %Y}",
        "this year": f"{said.year}",
        "last year": f"{said.year - 1}",
    }
    words = " ".join(text.split()).lower()
    return [written for phrase, written in meant.items() if phrase in words]


def _name_of(day: date) -> str:
    """A pattern of the name of a day's month, whole or cut as news do: "September", "Sept.", "Sep"."""
    name = f"{day:%B}"
    return rf"(?:{name}|{name[:4]}|{name[:3]})\.?"


def names_month(text: str, month: date, *, said: date) -> bool:
    """Whether a text that was said on some day names the month of another, with its year or within a year, or
    as the last one."""
    name = _name_of(month)
    if f"{month:%B %Y}" in meant_by(text, said=said):
        return True
    if re.search(rf"\b{name}(?!\w),?\s{{1,9}}(?:of\s)?{month.year}\b", text):
        return True
    without_year = re.search(rf"\b{name}(?!\w)(?!,?\s{{1,9}}\d)", text)
    return bool(without_year) and abs((said - month).days) <= 366


def iso_day(value: object) -> date | None:
    """The day that a text begins with as ISO 8601 has it; None for none."""
    try:
        return date.fromisoformat(str(value or "").strip()[:10])
    except ValueError:
        return None


def without_days(text: str) -> str:
    """A text without the full days it names."""
    return _DAYS.sub("", text)


def periods_in(text: str) -> list[WrittenPeriod]:
    """Fiscal years and quarters that a text names, in order: "Q3 2024", "year ended June 30, 2024"."""
    found = []
    for match in _PERIODS.finditer(text):
        written = match["day"]
        if written is None:
            year = next(match[name] for name in _YEAR_GROUPS if match[name])
            quarter = next((match[name] for name in _QUARTER_GROUPS if match[name]), None)
            number = _QUARTERS.get(quarter.lower()) or int(quarter[0]) if quarter else None
            months = 3 if number else 12
            full = int(("20" + year.lstrip("’'"))[-4:])
            found.append(WrittenPeriod(*match.span(), full, number, months=months))
        elif day := _day(written):
            length = match["shorter"] or match["length"]
            length = length or ("quarter" if match[0][:1] in "qQ" else "year")
            months = _LENGTHS[length.lower()]
            found.append(WrittenPeriod(*match.span(), last_day=day, months=months))
    return found


_YEAR_GROUPS: Final = ("year1", "year2", "year3", "year4", "year5")
_QUARTER_GROUPS: Final = ("word", "q1", "q2", "q3")


def _day(written: str) -> date | None:
    if "/" in written:
        month, day, year = written.split("/")
        return _of_calendar(year, int(month), day)
    if written[4:5] == "-":
        return _of_calendar(written[:4], int(written[5:7]), written[8:])
    parts = _PARTS.findall(written)
    numbers = [part for part in parts if part.isdigit()]
    month_name = next(part.lower() for part in parts if part.lower()[:3] in _SHORT)
    return _of_calendar(numbers[1], MONTHS[month_name[:3]], numbers[0])


_SHORT: Final = frozenset(name.lower()[:3] for name in NAMES.split("|"))


def _of_calendar(year: str, month: int, day: str) -> date | None:
    try:
        return date(int(year) if len(year) == 4 else 2000 + int(year), month, int(day))
    except ValueError:
        return None
