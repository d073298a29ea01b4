"""Pay as postings state it: in fields, and in sentences of many languages."""

import re
from collections.abc import Iterable
from itertools import chain
from typing import Final, Literal

from sightline.domain.names import fold
from sightline.domain.numbers import currency_of
from sightline.domain.postings import Salary
from sightline.sources.vocabulary import names_one_of

Period = Literal["year", "month", "week", "day", "hour"]

_PERIODS: Final[tuple[Period, ...]] = ("hour", "day", "week", "month", "year")
_CURRENCY = (
    r"(?:US\$|CA\$|C\$|AU\$|A\$|NZ\$|HK\$|S\$|R\$|MX\$|NT\$|[$€£¥₹₩₪₺₽₱₫₦円元]|zł|kr\.?|Fr\.?"
    r"|USD|EUR|GBP|CAD|AUD|NZD|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|INR|JPY|SGD|HKD|BRL|MXN|ILS|ZAR|AED|SAR|KRW"
    r"|TRY|PHP|MYR|THB|IDR|NGN|KES|CNY|RMB|TWD|UAH|BGN|Rs\.?|[Ee]uros?|[Dd]ollars?|[Pp]ounds)"
)
_NUMBER = r"\d{1,3}(?:[.,'’ \u00a0\u202f]\d{2,3}){1,4}(?:[.,]\d{1,2})?(?!\d)|\d{1,9}(?:[.,]\d{1,2})?(?!\d)"
_UNIT = r"(?:\s?(?:k|K|tsd\.?|LPA|lpa|lakhs?|Lakhs?|L|mil)(?![\w])|000)?"
_AMOUNT = (
    rf"(?:(?P<c#>{_CURRENCY})\s?(?:(?<=\w\s)\$\s?)?)?(?P<a#>{_NUMBER})(?P<u#>{_UNIT})(?:[.,][-–]+(?!\w))?"
    rf"(?:\s?(?P<d#>{_CURRENCY})(?!\w))?"
)
_JOIN = (
    r"\s*(?:(?:/|per )\s?(?:year|yr|annum|hour|hr|month))?\s*(?:-|–|—|‑|−|~|to|and|und|et|y|bis|à|a|hasta"
    r"|al|até|tot|do|till)"
    r"\s*(?:up to\s+)?"
)
_FIRST, _SECOND = _AMOUNT.replace("#", "1"), _AMOUNT.replace("#", "2")
_RANGE = re.compile(rf"(?<![\w.,]){_FIRST}{_JOIN}{_SECOND}")
_SINGLE = re.compile(rf"(?<![\w.,]){_FIRST}")
_PAY_WORDS = re.compile(
    r"\b(?:salar(?:y|ies)|pay|compensation|remuneration|wages?|base|ote|on-target|earnings?|hourly rate|rate"
    r"|\w*(?:gehalt|vergütung|lohn|entgelt)\w*|brutto|salaire|taux horaire|rémunération|salario|sueldo"
    r"|remuneración|salário|remuneração|stipendio|retribuzione|ral|salaris|lön|løn|lønn"
    r"|wynagrodzenie|mzda|plat"
    r"|package|ctc|stipend)\b",
    re.IGNORECASE,
)
_NOT_PAY = re.compile(
    r"\b(?:million|billion|mn|bn|revenue|funding|raised|valuation|arr|aum|assets|budget"
    r"|customers|users|employees"
    r"|bonus|sign[\s-]?on|signing|referral|stipend of|reimburse\w*|allowance|relocation|401"
    r"|equity|stock|rsus?"
    r"|quota|deal|deals|pipeline|portfolio|savings|discount|tuition|donat\w*|matching|insurance|contribution"
    r"|fertility|wellness|learning budget|credit)\b",
    re.IGNORECASE,
)
_UP_TO = re.compile(
    r"\b(?:up to|bis zu|jusqu'à|hasta|até|max(?:imum)?\.?|fino a|tot)\s*$", re.IGNORECASE
)
_FROM = re.compile(
    r"\b(?:from|starting at|starts at|at least|ab|min(?:imum)?\.?|à partir de|desde|a partir de"
    r"|vanaf|mindestens)\s*$",
    re.IGNORECASE,
)
_PERIOD_NEAR = re.compile(
    r"\b(?:an?|per|pro|par|por|al|all'|all|each|every|im|je|brut|brutto|gross|bruto|lordi|br)\b"
    r"|/|\bp\.?\s?a\b|\b(?:hourly|annual(?:ly)?|yearly|monthly|weekly|daily|jährlich|monatlich|annuel\w*"
    r"|mensuel\w*|anual\w*|mensual\w*|lpa|ctc|annum)\b",
    re.IGNORECASE,
)
_PERIOD_BEFORE = re.compile(
    r"\b(hourly|annual|yearly|monthly|weekly|daily|jährlich\w*|monatlich\w*"
    r"|annuel\w*|mensuel\w*|anual|mensual)\b",
    re.IGNORECASE,
)
# Words of pay that say the period as well, in front of the amount.
_PAY_PER = re.compile(
    r"(?P<hour>\bstunden(?:lohn|vergütung)|\btaux horaire|\bhourly rate)"
    r"|(?P<month>monats(?:brutto)?(?:gehalt|lohn|entgelt))"
    r"|(?P<year>jahres(?:brutto|ziel)?(?:gehalt|lohn|entgelt|brutto))",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(r"\s?(?:%|percent|million|billion|[MmBb]\b|[MB]n\b|mm\b)")
_RUPEES = re.compile(r"\b(?:lpa|lakhs?)\b", re.IGNORECASE)
_BEHIND = re.compile(rf"\s*\(?({_CURRENCY})(?!\w)")
_CUT = re.compile(r"[;.]\s|\n")
_DECIMALS = re.compile(r"[.,](\d{1,2})$")
_WHOLE = re.compile(r"\d+(?:[.,]\d{2,3})*")
_LEAST_YEARLY = 12_000  # of a range that no word gives a period
_PA = re.compile(r"\bp\.\s?a\b\.?|\bp\.a\.", re.IGNORECASE)
_ALIASES = {"fr": "CHF", "fr.": "CHF", "rs": "INR", "rs.": "INR", "zł": "PLN",
            "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD", "pounds": "GBP"}  # fmt: skip
_DOLLARS = {
    "US": "USD", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "SG": "SGD", "HK": "HKD", "TW": "TWD",
}  # fmt: skip
_KRONOR = {"SE": "SEK", "NO": "NOK", "DK": "DKK", "CZ": "CZK", "IS": "ISK"}
# Signs that several countries use: their currencies, and the one that is meant for want of a country.
_OF_MANY: dict[str, tuple[dict[str, str], str | None]] = {
    "$": (_DOLLARS, "USD"), "dollar": (_DOLLARS, "USD"), "dollars": (_DOLLARS, "USD"), "kr": (_KRONOR, None),
}  # fmt: skip
_UNITS = {
    "k": 1000, "tsd": 1000, "mil": 1000, "000": 1000,
    "lpa": 100_000, "l": 100_000, "lakh": 100_000, "lakhs": 100_000,
}  # fmt: skip
_NO_GAPS = str.maketrans("", "", "'’ \u00a0\u202f")
_SHORT_LINE = 40
_MAX_LINE = 10_000
# What a plausible full rate is, per period, in a currency of dollar size.
_BOUNDS: dict[Period, tuple[float, float]] = {
    "hour": (3, 1_000), "day": (25, 8_000), "week": (100, 30_000), "month": (300, 120_000),
    "year": (5_000, 3_000_000),
}  # fmt: skip
_SMALL_UNITS = {
    "JPY": 100, "KRW": 1000, "INR": 40, "HUF": 250, "IDR": 10_000, "VND": 20_000, "NGN": 500, "PHP": 30,
    "THB": 25, "CZK": 15, "RUB": 50, "TWD": 20, "SEK": 7, "NOK": 7, "DKK": 5, "ZAR": 10, "MXN": 10,
    "TRY": 20, "UAH": 20, "KES": 60, "PLN": 2, "BRL": 2, "CNY": 4,
}  # fmt: skip


def salary_from_parts(
    minimum: float | None, maximum: float | None, currency: str | None, period: str | None
) -> Salary | None:
    """Pay from fields. None when both amounts are missing or zero; a wrong order is put right."""
    amounts = sorted(amount for amount in (minimum, maximum) if amount)
    if not amounts or amounts[0] < 0:
        return None
    code = (currency or "").strip().upper()
    known = code if len(code) == 3 and code.isalpha() else currency_of(currency or "")
    low = amounts[0] if minimum else None
    return Salary(low, amounts[-1] if maximum else None, known, period_of(period))


def period_of(words: str | None) -> Period | None:
    """The period that words name: "per-year-salary", "HOUR", "pro Jahr", "p.a."."""
    folded = fold(_PA.sub(" pa ", words or ""))
    return next((each for each in _PERIODS if names_one_of(folded, f"period_{each}")), None)


def salary_from_text(
    text: str | None, countries: Iterable[str | None] = (), *, about_pay: bool = False
) -> Salary | None:
    """The first pay that a text states; None when it states none for sure.

    A range needs a currency; an amount alone needs a word of pay before it and a period. `countries`
    of the job decide which dollar or krone is meant. Without a stated period a range of yearly size
    beside a word of pay is a year's. `about_pay`: the text is a field for pay.
    """
    if not text:
        return None
    places = list(filter(None, countries))
    lines = [line for line in text.split("\n") if _may_pay(line)]
    ranges = (
        _from_range(line, found, places, is_named=about_pay or _heading_speaks(text, line))
        for line in lines
        for found in _RANGE.finditer(line)
    )
    singles = (
        _from_single(line, found, places, is_named=about_pay)
        for line in lines
        if about_pay or len(line) <= _SHORT_LINE or _PAY_WORDS.search(line)
        for found in _SINGLE.finditer(line)
    )
    return next(filter(None, chain(ranges, singles)), None)


def _may_pay(line: str) -> bool:
    return len(line) <= _MAX_LINE and any(map(str.isdigit, line))


def _from_range(
    line: str, found: re.Match[str], places: list[str], *, is_named: bool
) -> Salary | None:
    before = line[max(0, found.start() - 90) : found.start()]
    after = line[found.end() : found.end() + 40]
    currency = _currency(found, ("c1", "d1", "c2", "d2"), line, places)
    bounds = _ends(found)
    near = _PAY_WORDS.search(before) is not None
    other = not near and _NOT_PAY.search(f"{before[-40:]} | {after[:25]}")
    if currency is None or bounds is None or other or _TOO_LARGE.match(after):
        return None
    named = is_named or near or _PAY_WORDS.search(after) is not None
    is_yearly = "lpa" in found[0].lower() or _is_yearly(bounds, before, named=named)
    period = _period_near(after, before) or ("year" if is_yearly else None)
    return Salary(*bounds, currency, period) if _fits(*bounds, currency, period) else None


def _is_yearly(bounds: tuple[float, float], before: str, *, named: bool) -> bool:
    """Whether a range without a period is a year's by its size, beside a word of pay or a label."""
    low, high = bounds
    labelled = not before.strip() or before.rstrip().endswith((":", "("))
    return low >= _LEAST_YEARLY and (named or (labelled and high <= low * 3))


def _ends(found: re.Match[str]) -> tuple[float, float] | None:
    """Both ends of a range; None where they cannot be those of one pay."""
    low_unit, high_unit = found["u1"].strip(), found["u2"].strip()
    if not low_unit and high_unit and (_value(found["a1"], "") or 0) < 1000:
        low_unit = high_unit  # "120-150k"
    low, high = _value(found["a1"], low_unit), _value(found["a2"], high_unit)
    if not low or high is None or not low <= high <= low * 12:
        return None
    return low, high


def _from_single(
    line: str, found: re.Match[str], places: list[str], *, is_named: bool
) -> Salary | None:
    before = line[max(0, found.start() - 60) : found.start()]
    after = line[found.end() : found.end() + 25]
    alone = not before.strip() and len(line) <= _SHORT_LINE
    is_pay = is_named or alone or _PAY_WORDS.search(before)
    if not is_pay or _NOT_PAY.search(f"{before[-35:]} | {after}") or _TOO_LARGE.match(after):
        return None
    currency = _currency(found, ("c1", "d1"), line, places)
    amount = _value(found["a1"], found["u1"].strip())
    period = _period_said(before) or _period_near(after, "")
    if currency is None or amount is None or not _fits(amount, amount, currency, period):
        return None
    return Salary(*_single_bounds(amount, before, after), currency, period)


def _single_bounds(amount: float, before: str, after: str) -> tuple[float | None, float | None]:
    """Lowest and highest pay; one of them is open beside "up to", "from" or "+"."""
    if _UP_TO.search(before):
        return None, amount
    return amount, None if _FROM.search(before) or after.startswith("+") else amount


def _heading_speaks(text: str, line: str) -> bool:
    """Whether the line before is about pay: "Annual Salary:" above the range."""
    at = text.find(line)
    above = text[max(0, at - 200) : at].strip().rsplit("\n", 1)[-1]
    return _PAY_WORDS.search(above) is not None


def _period_near(after: str, before: str) -> Period | None:
    if said := _period_said(before):
        return said
    window = _CUT.split(after, maxsplit=1)[0][:32]
    if _PERIOD_NEAR.search(window) and (period := period_of(window)) is not None:
        return period
    found = _PERIOD_BEFORE.search(before)
    return period_of(found[1]) if found else None


def _period_said(before: str) -> Period | None:
    groups = [found.lastgroup for found in _PAY_PER.finditer(before)]
    return next((period for period in _PERIODS if period in groups), None)


def _currency(
    found: re.Match[str], groups: tuple[str, ...], line: str, places: list[str]
) -> str | None:
    """The code of a currency beside an amount; one in letters counts before a sign."""
    behind = _BEHIND.match(line, found.end())
    marks = [found[group] for group in groups if found[group]] + ([behind[1]] if behind else [])
    codes = [mark for mark in marks if mark.isalpha() and mark.isupper()]
    mark = next(iter(codes or marks), None)
    if mark is None:
        return "INR" if _RUPEES.search(found[0]) else None
    low = mark.lower()
    table, usual = _OF_MANY.get(low.rstrip("."), ({}, None))
    if table:
        nations = {table[code] for code in places if code in table}
        return nations.pop() if len(nations) == 1 else usual
    return _ALIASES.get(low) or currency_of(mark)


def _value(digits: str, unit: str) -> float | None:
    """A number in either style: 120,000.50, 60.000, 120'000, 15 000, 20,00,000."""
    compact = digits.translate(_NO_GAPS)
    decimals = _DECIMALS.search(compact)
    whole = compact[: decimals.start()] if decimals else compact
    if not _WHOLE.fullmatch(whole):
        return None
    joined = whole.replace(",", "").replace(".", "")
    amount = float(f"{joined}.{decimals[1]}" if decimals else joined)
    return amount * _UNITS.get(unit.lower().rstrip("."), 1)


def _fits(low: float, high: float, currency: str, period: Period | None) -> bool:
    """Whether pay of that size is plausible; without a period none is."""
    if period is None:
        return False
    scale = _SMALL_UNITS.get(currency, 1)
    least, most = _BOUNDS[period]
    return low >= least * min(scale, 1e9) * (1 if scale == 1 else 0.5) and high <= most * scale
