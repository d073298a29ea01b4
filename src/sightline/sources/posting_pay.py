"""Pay as postings state it: in fields, and in sentences of many languages."""

import re
from collections.abc import Iterable
from typing import Literal

from sightline.domain.names import fold
from sightline.domain.numbers import currency_of
from sightline.domain.postings import Salary

Period = Literal["year", "month", "week", "day", "hour"]

_PERIODS: tuple[tuple[Period, re.Pattern[str]], ...] = (
    (
        "hour",
        re.compile(
            r"\b(?:hour|hours|hourly|hr|hrs|stunde|stundlich|heure|horaire|hora|ora|uur|timme|time|h"
            r"|per hour rate|godz\w*)\b"
        ),
    ),
    ("day", re.compile(r"\b(?:day|daily|diem|tag|taglich|jour|dia|giorno|dag)\b")),
    ("week", re.compile(r"\b(?:week|weekly|wk|woche|wochentlich|semaine|semana|settimana)\b")),
    (
        "month",
        re.compile(
            r"\b(?:month|monthly|mo|mth|monat|monatlich|mois|mensuel\w*|mes|mensual\w*|mensal|mese|mensile"
            r"|maand|manad|mies\w*|pm)\b"
        ),
    ),
    (
        "year",
        re.compile(
            r"\b(?:year|years|yearly|annual\w*|annum|yr|pa|jahr|jahrlich|jahresgehalt|brutto jahr|an|annee"
            r"|annuel\w*|ano|anual\w*|anno|annuo|annui|annua|jaar|ar|rok|lpa|ctc)\b"
        ),
    ),
)
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
_PAY_PER: tuple[tuple[Period, re.Pattern[str]], ...] = (
    (
        "hour",
        re.compile(r"\bstunden(?:lohn|vergütung)|\btaux horaire|\bhourly rate", re.IGNORECASE),
    ),
    ("month", re.compile(r"monats(?:brutto)?(?:gehalt|lohn|entgelt)", re.IGNORECASE)),
    ("year", re.compile(r"jahres(?:brutto|ziel)?(?:gehalt|lohn|entgelt|brutto)", re.IGNORECASE)),
)
_PA = re.compile(r"\bp\.\s?a\b\.?|\bp\.a\.", re.IGNORECASE)
_ALIASES = {"kr": "SEK", "kr.": "SEK", "fr": "CHF", "fr.": "CHF", "rs": "INR", "rs.": "INR", "zł": "PLN",
            "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD", "pounds": "GBP"}  # fmt: skip
_DOLLARS = {
    "US": "USD",
    "CA": "CAD",
    "AU": "AUD",
    "NZ": "NZD",
    "SG": "SGD",
    "HK": "HKD",
    "TW": "TWD",
}
_KRONOR = {"SE": "SEK", "NO": "NOK", "DK": "DKK", "CZ": "CZK", "IS": "ISK"}
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
    low, high = minimum or None, maximum or None
    if low is None and high is None:
        return None
    if low is not None and high is not None and low > high:
        low, high = high, low
    if (low or 0) < 0 or (high or 0) < 0:
        return None
    code = (currency or "").strip().upper()
    known = code if len(code) == 3 and code.isalpha() else currency_of(currency or "")
    return Salary(low, high, known, period_of(period))


def period_of(words: str | None) -> Period | None:
    """The period that words name: "per-year-salary", "HOUR", "pro Jahr", "p.a."."""
    folded = fold(_PA.sub(" pa ", words or ""))
    return next((period for period, pattern in _PERIODS if pattern.search(folded)), None)


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
    places = [code for code in countries if code]
    for line in text.split("\n"):
        if not any(letter.isdigit() for letter in line) or len(line) > _MAX_LINE:
            continue
        for found in _RANGE.finditer(line):
            spoken = about_pay or _heading_speaks(text, line)
            if (salary := _from_range(line, found, places, spoken=spoken)) is not None:
                return salary
    for line in text.split("\n"):
        if len(line) > _MAX_LINE or not any(letter.isdigit() for letter in line):
            continue
        if not about_pay and not _PAY_WORDS.search(line) and len(line) > _SHORT_LINE:
            continue
        for found in _SINGLE.finditer(line):
            if (salary := _from_single(line, found, places, spoken=about_pay)) is not None:
                return salary
    return None


def _from_range(
    line: str, found: re.Match[str], places: list[str], *, spoken: bool
) -> Salary | None:
    currency = _currency(found, ("c1", "d1", "c2", "d2"), line, places)
    before, after = (
        line[max(0, found.start() - 90) : found.start()],
        line[found.end() : found.end() + 40],
    )
    if currency is None and re.search(r"\b(?:lpa|lakhs?)\b", found[0], re.IGNORECASE):
        currency = "INR"
    if currency is None or re.match(
        r"\s?(?:%|percent|million|billion|[MmBb]\b|[MB]n\b|mm\b)", after
    ):
        return None
    low_unit, high_unit = found["u1"].strip(), found["u2"].strip()
    if not low_unit and high_unit and _plain(found["a1"]) < 1000:
        low_unit = high_unit  # "120-150k"
    low, high = _value(found["a1"], low_unit), _value(found["a2"], high_unit)
    if low is None or high is None or low > high or high > low * 12 or low == 0:
        return None
    near = _PAY_WORDS.search(before) is not None
    if _NOT_PAY.search(before[-40:] + " | " + after[:25]) and not near:
        return None
    period = _period_near(after, before) or ("year" if "lpa" in found[0].lower() else None)
    if period is None:
        spoken = spoken or near or _PAY_WORDS.search(after) is not None
        labelled = (not before.strip() or before.rstrip().endswith((":", "("))) and high <= low * 3
        yearly = _fits(low, high, currency, "year") and low >= 12_000
        return Salary(low, high, currency, "year") if yearly and (spoken or labelled) else None
    return Salary(low, high, currency, period) if _fits(low, high, currency, period) else None


def _from_single(
    line: str, found: re.Match[str], places: list[str], *, spoken: bool
) -> Salary | None:
    currency = _currency(found, ("c1", "d1"), line, places)
    before, after = (
        line[max(0, found.start() - 60) : found.start()],
        line[found.end() : found.end() + 25],
    )
    if currency is None or re.match(r"\s?(?:%|percent|million|billion|[MmBb]\b)", after):
        return None
    alone = not before.strip() and len(line) <= _SHORT_LINE
    if not (spoken or alone or _PAY_WORDS.search(before)) or _NOT_PAY.search(
        before[-35:] + " | " + after
    ):
        return None
    amount = _value(found["a1"], found["u1"].strip())
    period = _period_said(before) or _period_near(after, "")
    if amount is None or period is None or not _fits(amount, amount, currency, period):
        return None
    if _UP_TO.search(before):
        return Salary(None, amount, currency, period)
    if _FROM.search(before) or after.startswith("+"):
        return Salary(amount, None, currency, period)
    return Salary(amount, amount, currency, period)


def _heading_speaks(text: str, line: str) -> bool:
    """Whether the line before is about pay: "Annual Salary:" above the range."""
    at = text.find(line)
    above = text[max(0, at - 200) : at].strip().rsplit("\n", 1)[-1]
    return _PAY_WORDS.search(above) is not None


def _period_near(after: str, before: str) -> Period | None:
    if said := _period_said(before):
        return said
    window = re.split(r"[;.]\s|\n", after)[0][:32]
    if _PERIOD_NEAR.search(window) and (period := period_of(window)) is not None:
        return period
    found = _PERIOD_BEFORE.search(before)
    return period_of(fold(found[1])) if found else None


def _period_said(before: str) -> Period | None:
    return next((period for period, pattern in _PAY_PER if pattern.search(before)), None)


def _currency(
    found: re.Match[str], groups: tuple[str, ...], line: str, places: list[str]
) -> str | None:
    marks = [found[group] for group in groups if found[group]]
    after = re.match(rf"\s*\(?({_CURRENCY})(?!\w)", line[found.end() :])
    if after:
        marks.append(after[1])
    codes = [mark for mark in marks if len(mark) == 3 and mark.isalpha() and mark.isupper()]
    for mark in (*codes, *marks):
        low = mark.lower()
        if mark == "$" or low in {"dollar", "dollars"}:
            nations = {_DOLLARS[code] for code in places if code in _DOLLARS}
            return nations.pop() if len(nations) == 1 else "USD"
        if low.rstrip(".") == "kr":
            nations = {_KRONOR[code] for code in places if code in _KRONOR}
            return nations.pop() if len(nations) == 1 else None
        return _ALIASES.get(low) or currency_of(mark)
    return None


def _plain(digits: str) -> float:
    return _value(digits, "") or 0


def _value(digits: str, unit: str) -> float | None:
    """A number in either style: 120,000.50, 60.000, 120'000, 15 000, 20,00,000."""
    compact = re.sub(r"['’ \u00a0\u202f]", "", digits)
    decimals = re.search(r"[.,](\d{1,2})$", compact)
    whole = compact[: decimals.start()] if decimals else compact
    if not re.fullmatch(r"\d+(?:[.,]\d{2,3})*", whole):
        return None
    amount = float(re.sub(r"[.,]", "", whole) + ("." + decimals[1] if decimals else ""))
    word = unit.lower().rstrip(".")
    if word in {"k", "tsd", "mil", "000"}:
        return amount * 1000
    return amount * 100_000 if word in {"lpa", "l", "lakh", "lakhs"} else amount


def _fits(low: float, high: float, currency: str, period: Period) -> bool:
    scale = _SMALL_UNITS.get(currency, 1)
    least, most = _BOUNDS[period]
    return low >= least * min(scale, 1e9) * (1 if scale == 1 else 0.5) and high <= most * scale
