"""Revenue of a fiscal period as a press release says it, for companies whose figures are not tagged.

Pure: sentences in; period, amount, change and the proving sentence out.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from sightline.profile.sentences import Sentence

_SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_CURRENCIES: Final = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP"}
_MONTHS: Final = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
)
_REVENUE = re.compile(
    r"^(?:(?:total|net|consolidated|company) )*(?:revenues?|sales)\b(?P<between>[^$€£]{0,150}?)"
    r"(?P<sign>US\$|\$|€|£)\s?(?P<amount>\d[\d,]*(?:\.\d+)?)(?:\s(?P<scale>thousand|million|billion))?",
    re.I,
)
_ENDED = re.compile(
    r"\b(?:(?P<length>three|six|nine|twelve|13|26|39|52|53)[- ](?:months?|weeks?)(?: period)?"
    r"|(?P<quarter>quarter)|(?P<year>year))(?: that)? end(?:ed|ing)"
    rf" (?P<end>(?:{_MONTHS}) \d{{1,2}}, \d{{4}})",
    re.I,
)
_ORDINAL = re.compile(
    r"\b(?P<ordinal>first|second|third|fourth)[- ](?:fiscal )?quarter(?:[- ]of)? (?:fiscal )?(?:year )?"
    r"(?P<year>20\d\d|19\d\d)\b",
    re.I,
)
_FISCAL_YEAR = re.compile(r"\b(?:fiscal|full)(?:[- ]year)? (?P<year>20\d\d|19\d\d)\b", re.I)
_CHANGED = re.compile(
    r"\b(?:(?P<up>increas\w+|up|rose|grew|growth|higher)|(?P<down>decreas\w+|down|fell|declin\w+|lower))\b"
    r"[^%$]{0,30}?(?P<percent>\d+(?:\.\d+)?)\s?%"
    r"|(?P<first>\d+(?:\.\d+)?)\s?% (?:(?P<gain>increase|growth)|(?P<drop>decrease|decline))",
    re.I,
)
_QUARTERS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_OF_QUARTER: Final = ("three", "13")
_OF_YEAR: Final = ("twelve", "52", "53")


@dataclass(frozen=True, slots=True)
class ReleasedRevenue:
    """Revenue of a quarter or year, in whole units. `change` is a fraction of the year before."""

    label: str
    end: date
    amount: float
    currency: str
    change: float | None
    sentence: Sentence


def released_revenue(
    sentences: Iterable[Sentence], *, year_end: str | None
) -> Iterator[ReleasedRevenue]:
    """The revenue of each period that sentences state with its last day; the first of each counts.

    `year_end` is the last day of the company's fiscal year, MM-DD, where it is known.
    """
    seen: set[tuple[bool, date]] = set()
    for sentence in sentences:
        amount, ended = _REVENUE.search(sentence.text), _ENDED.search(sentence.text)
        if amount is None or ended is None or ended.start() > amount.end("between"):
            continue
        length = (ended["length"] or "").casefold()
        annual = bool(ended["year"]) or length in _OF_YEAR
        if not annual and not ended["quarter"] and length not in _OF_QUARTER:
            continue
        end = datetime.strptime(ended["end"].title(), "%B %d, %Y").date()
        if (annual, end) in seen:
            continue
        seen.add((annual, end))
        scale = _SCALES.get((amount["scale"] or "").casefold(), 1.0)
        yield ReleasedRevenue(
            label=_label(sentence.text, end, annual=annual, year_end=year_end),
            end=end,
            amount=float(amount["amount"].replace(",", "")) * scale,
            currency=_CURRENCIES[amount["sign"].upper()],
            change=_change(sentence.text[amount.end() :]),
            sentence=sentence,
        )


def _label(text: str, end: date, *, annual: bool, year_end: str | None) -> str:
    """ "Q3 FY2025" or "FY2025" by the company's own words, else by its fiscal year; else the day."""
    if annual and (said := _FISCAL_YEAR.search(text)):
        return f"FY{said['year']}"
    if not annual and (said := _ORDINAL.search(text)):
        return f"Q{_QUARTERS[said['ordinal'].casefold()]} FY{said['year']}"
    month = int(year_end[:2]) if year_end else (end.month if annual else None)
    if month is None:
        return f"Quarter ended {end:%B} {end.day}, {end.year}"
    # A year of weeks may close some days into the next month.
    close = end.month if end.day > _FEW_DAYS else (end.month - 2) % 12 + 1
    fiscal = end.year if close <= month else end.year + 1
    quarter = ((close - month - 1) % 12) // 3 + 1
    return f"FY{fiscal}" if annual else f"Q{quarter} FY{fiscal}"


_FEW_DAYS: Final = 7


def _change(text: str) -> float | None:
    found = _CHANGED.search(text)
    if found is None:
        return None
    size = float(found["percent"] or found["first"]) / 100
    return -size if found["down"] or found["drop"] else size
