"""Times as feeds and job boards write them: RFC 822 and ISO 8601 with their mistakes, month names of
many languages, Unix seconds. What names no day gives None."""

import re
from datetime import UTC, datetime, timedelta, timezone

from sightline.domain.names import fold
from sightline.reading.months import MONTHS

_EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
_LATEST = datetime(2100, 1, 1, tzinfo=UTC)
_CLOCK = re.compile(
    r"(?<!\d)(?:(\d{1,2})[:h]|(?<=T)(\d\d))(\d{2})(?::?(\d{2}))?(?:[.,:]\d+)?\s*([ap]\.?m\b\.?)?",
    re.IGNORECASE,
)
_ZONE = re.compile(r"([+-])(\d{2})(?::?(\d{2}))?\b|\b([A-Z]{1,5})\b")
_NUMERIC = re.compile(
    r"\b(?P<year>\d{4})(?P<sign>[/.-])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})(?!\d)"
    r"|(?<!\d)(?P<year4>\d{4})(?P<month4>\d\d)(?P<day4>\d\d)(?!\d)"
    r"|(?P<year2>\d{4})\s*[年년]\s*(?P<month2>\d{1,2})\s*[月월]\s*(?P<day2>\d{1,2})\s*[日일]"
    r"|\b(?P<first>\d{1,2})(?P<sign3>[/.-])(?P<second>\d{1,2})(?P=sign3)(?P<year3>\d{4})\b"
)
_YEAR = re.compile(r"\b((?:19|20)\d{2})\b|[\s-](\d{2})(?=\s+\d{1,2}:\d{2})")
_WORD = re.compile(r"[^\W\d_]+")
_DAY = re.compile(r"(?<![\d:])(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?(?![\d:])")
# Hours from UTC of the zone names that occur; military letters were never used as meant.
_ZONES = {
    "UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "BST": 1, "IST": 5.5, "CET": 1, "MEZ": 1, "CEST": 2,
    "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7,
    "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10, "JST": 9, "KST": 9, "SGT": 8,
    "HKT": 8, "AEST": 10, "AEDT": 11, "ACST": 9.5, "AWST": 8, "NZST": 12, "NZDT": 13, "BRT": -3,
    "ET": -5, "CT": -6, "MT": -7, "PT": -8,
}  # fmt: skip


def parse_time(value: object, *, month_first: bool = True) -> datetime | None:
    """A time with its zone as UTC; without a zone it counts as UTC, without a clock as midnight.

    Numbers are Unix seconds or milliseconds. `month_first` decides "03/04/2026" alone; "03.04.2026"
    is always day first. Before 1990, after 2099 or not a day of the calendar: None.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _from_number(float(value))
    if not isinstance(value, str) or not (text := value.strip()) or len(text) > 120:
        return None
    if text.isdigit() and len(text) in {10, 13}:
        return _from_number(float(text))
    day = _calendar_day(text, month_first=month_first)
    return _at_clock(day, _CLOCK.search(text)) if day else None


def on_own_day(moment: datetime | None) -> datetime | None:
    """The moment, or where its day in UTC is another one, the beginning of the writer's own day in UTC.

    Offsets are not stored, and an evening's article would move to the next day.
    """
    if moment is None or moment.date() == moment.astimezone(UTC).date():
        return moment
    return datetime(moment.year, moment.month, moment.day, tzinfo=UTC)


def days_before(when: datetime, days: int) -> datetime:
    """Midnight UTC of the day so many days before a time."""
    return (when.astimezone(UTC) - timedelta(days=days)).replace(
        hour=0, minute=0, second=0, microsecond=0
    )


def _from_number(number: float) -> datetime | None:
    seconds = number / 1000 if abs(number) > 1e11 else number
    try:
        return _plausible(datetime.fromtimestamp(seconds, UTC))
    except (OverflowError, OSError, ValueError):
        return None


def _at_clock(day: tuple[int, int, int], clock: re.Match[str] | None) -> datetime | None:
    """The time of a day that a clock with what stands behind it says; midnight without one."""
    if clock is None:
        return _moment(day, (0, 0, 0), 0.0)
    hour = int(clock[1] or clock[2])
    if clock[5]:
        hour = hour % 12 + (12 if clock[5][0] in "pP" else 0)
    zone = _zone_hours(clock.string[clock.end() :])
    return _moment(day, (hour, int(clock[3]), int(clock[4] or 0)), zone)


def _calendar_day(text: str, *, month_first: bool) -> tuple[int, int, int] | None:
    if found := _NUMERIC.search(text):
        return _numeric_day(found, month_first=month_first)
    words = map(fold, _WORD.findall(text))
    month = next((MONTHS[word] for word in words if word in MONTHS), None)
    years = sorted(
        _YEAR.finditer(text), key=lambda found: found[1] is None
    )  # those of four digits first
    if month is None or not years:
        return None
    place = years[0]
    number = int(place[1] or place[2])
    if place[1] is None:
        number += 1900 if number > 80 else 2000
    else:
        text = text[: place.start()] + " " * len(place[0]) + text[place.end() :]
    day = _DAY.search(text)
    return (number, month, int(day[1])) if day else None


def _numeric_day(found: re.Match[str], *, month_first: bool) -> tuple[int, int, int]:
    if found["first"] is None:
        parts = (("year", "month", "day"), ("year2", "month2", "day2"), ("year4", "month4", "day4"))
        year, month, day = next(found.group(*names) for names in parts if found[names[0]])
        return int(year), int(month), int(day)
    first, second = int(found["first"]), int(found["second"])
    if (month_first and found["sign3"] != "." and first <= 12) or second > 12:
        first, second = second, first
    return int(found["year3"]), second, first


def _zone_hours(text: str) -> float:
    found = list(_ZONE.finditer(text))
    if offset := next((one for one in found if one[1]), None):
        hours = int(offset[2]) + int(offset[3] or 0) / 60
        return -hours if offset[1] == "-" else hours
    return next((_ZONES[one[4]] for one in found if one[4] in _ZONES), 0.0)


def _moment(
    day: tuple[int, int, int], clock: tuple[int, int, int], offset: float
) -> datetime | None:
    hour, minute, second = clock
    next_day = hour == 24
    try:
        zone = timezone(timedelta(hours=offset)) if abs(offset) < 24 else UTC
        moment = datetime(
            *day, 0 if next_day else hour, min(minute, 59), min(second, 59), tzinfo=zone
        )
        return _plausible((moment + timedelta(days=next_day)).astimezone(UTC))
    except (ValueError, OverflowError):
        return None


def _plausible(moment: datetime) -> datetime | None:
    return moment if _EARLIEST <= moment < _LATEST else None
