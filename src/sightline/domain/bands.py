"""Employee and revenue bands: the two size vocabularies of the API.

A range in other people's words that straddles several of our bands goes to the band that holds its
geometric middle; an open range ("10000+") to the band just above its lower bound; "less than" to
the band just below its upper bound.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Sequence

from rapidfuzz import fuzz, process

from sightline.domain.names import fold
from sightline.domain.numbers import BILLION, MILLION, Money, parse_count, parse_money

EMPLOYEE_BANDS = (
    "1-10", "11-50", "51-200", "201-500", "501-1000", "1001-5000", "5001-10000", "10001+",
)  # fmt: skip
"""By number of employees, both bounds included."""

REVENUE_BANDS = (
    "0-1M", "1M-10M", "10M-50M", "50M-100M", "100M-500M", "500M-1B", "1B-10B", "10B+",
)  # fmt: skip
"""By yearly revenue in US dollars, lower bound included, upper bound not."""

_EMPLOYEE_FLOORS = (1, 11, 51, 201, 501, 1001, 5001, 10001)
_REVENUE_FLOORS = (
    0, MILLION, 10 * MILLION, 50 * MILLION, 100 * MILLION, 500 * MILLION, BILLION, 10 * BILLION,
)  # fmt: skip

_SEPARATOR = re.compile(
    r"(?<=[\d\w.+])\s*(?:-|–|—|−|‒|~|\bto\b|\bthrough\b|\band\b|\.\.+)\s*(?=[\d.$€£¥]|usd|eur|gbp)",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_TAIL = re.compile(
    r"\b(?:employees?|people|staff|workers?|persons?|fte|ftes|members?|per (?:year|annum)|a year"
    r"|annually|yearly|in revenues?|revenues?|turnover|sales|headcount|between|from|size)\b",
    re.IGNORECASE,
)
_OPEN_ABOVE = re.compile(
    r"\+|\b(?:or more|or above|and (?:more|above|over|up)|plus|more than|over|above|greater than"
    r"|at least)\b|^\s*(?:>=?|≥)",
    re.IGNORECASE,
)
_OPEN_BELOW = re.compile(
    r"\b(?:less than|under|below|up to|fewer than|at most|or (?:less|fewer|under))\b|^\s*(?:<=?|≤)",
    re.IGNORECASE,
)
_ONE_PERSON = frozenset(
    {"self employed", "selfemployed", "sole proprietor", "sole trader", "just me", "freelancer"}
)
# A lower bound written under this, without unit, shares the unit of its upper bound.
_SHARED_UNIT_BELOW = 1000
_LONGEST = 200  # characters that are looked at
_NOT_A_LETTER = re.compile(r"[^a-zA-Z]|USD")


def employee_band(count: int | None) -> str | None:
    """The band of a number of employees; None for none or fewer."""
    if count is None or count < 1:
        return None
    return EMPLOYEE_BANDS[bisect_right(_EMPLOYEE_FLOORS, count) - 1]


def revenue_band(usd: float | None) -> str | None:
    """The band of a yearly revenue in US dollars; None below zero or for what is not a number."""
    if usd is None or math.isnan(usd) or usd < 0:
        return None
    return REVENUE_BANDS[bisect_right(_REVENUE_FLOORS, usd) - 1]


def employee_band_from_text(text: str | None) -> str | None:
    """The band that a size in words falls in: "5001 to 10000 employees", "51-200", "Self-employed".

    A plain number is taken for a count. "Unknown" and anything unreadable: None.
    """
    if not text:
        return None
    text = text[:_LONGEST]
    if fold(text) in _ONE_PERSON:
        return EMPLOYEE_BANDS[0]
    bare = _TAIL.sub(" ", text).strip()
    bounds = _split(bare)
    if bounds:
        low, high = parse_count(bounds[0]), parse_count(bounds[1])
        if low is None or high is None or low > high:
            return None
        # A range from 0 or 1 has its middle by its upper bound; LinkedIn's "0-1" is one person.
        return employee_band(max(1, _middle(max(low, 1), max(high, 1))))
    count = parse_count(_strip_open(bare))
    return None if count is None else _open_band(bare, count)


def _open_band(bare: str, count: int) -> str | None:
    """The band of a count, or of what lies above or below it."""
    if _OPEN_ABOVE.search(bare):
        return employee_band(count if count in _EMPLOYEE_FLOORS else count + 1)
    if _OPEN_BELOW.search(bare):
        return employee_band(max(1, count if "<=" in bare or "≤" in bare else count - 1))
    return employee_band(count)


def revenue_band_from_text(text: str | None, unit_multiplier: int = 1) -> str | None:
    """The band that a revenue in words falls in: "$500 million to $1 billion (USD) per year".

    Only US dollars, or amounts that name no currency, are read: nothing is converted.
    ``unit_multiplier`` is for bare numbers of a column in thousands or millions.
    """
    if not text:
        return None
    bare = _TAIL.sub(" ", _BRACKETS.sub(" ", text[:_LONGEST])).strip()
    bounds = _split(bare)
    if bounds:
        return _revenue_range(bounds, unit_multiplier)
    money = parse_money(_strip_open(bare), unit_multiplier)
    if money is None or not _in_dollars(money):
        return None
    if _OPEN_BELOW.search(bare):
        return revenue_band(max(0.0, math.nextafter(money.amount, 0)))
    return revenue_band(money.amount)


def closest_bands(text: str, bands: Sequence[str]) -> list[str]:
    """The bands a caller may have meant by an unknown filter value, nearest first, at most three.

    ``bands`` is EMPLOYEE_BANDS or REVENUE_BANDS.
    """
    read = (
        employee_band_from_text(text)
        if tuple(bands) == EMPLOYEE_BANDS
        else revenue_band_from_text(text)
    )
    found = [str(band) for band, _, _ in process.extract(text, bands, scorer=fuzz.ratio, limit=3)]
    return list(dict.fromkeys([read, *found] if read else found))[:3]


def _revenue_range(bounds: tuple[str, str], unit_multiplier: int) -> str | None:
    low, high = (parse_money(bound, unit_multiplier) for bound in bounds)
    if low is None or high is None or not (_in_dollars(low) and _in_dollars(high)):
        return None
    floor = low.amount
    unit = parse_money("1" + _NOT_A_LETTER.sub("", bounds[1]))
    if unit is not None and bounds[0].strip(" $").isdigit() and floor < _SHARED_UNIT_BELOW:
        floor *= unit.amount
    if not 0 <= floor <= high.amount:
        return None
    # A range from zero has no geometric middle, so its arithmetic one serves.
    return revenue_band(math.sqrt(floor * high.amount) if floor else high.amount / 2)


def _split(text: str) -> tuple[str, str] | None:
    parts = _SEPARATOR.split(text)
    return (parts[0], parts[1]) if len(parts) == 2 and any(map(str.isdecimal, parts[0])) else None


def _strip_open(text: str) -> str:
    return _OPEN_BELOW.sub(" ", _OPEN_ABOVE.sub(" ", text)).strip()


def _middle(low: int, high: int) -> int:
    return round(math.sqrt(low * high))


def _in_dollars(money: Money) -> bool:
    return money.currency in {None, "USD"}
