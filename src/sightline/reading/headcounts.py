"""The number of employees, where a text states it as a number.

Of all numbers of people the ones count that a sentence gives as what the company has or is. Parts of
the workforce are stated in the same way, so the largest of the likeliest is the whole.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from sightline.reading.dates import first_day
from sightline.reading.sentences import sentence_at
from sightline.reading.tokens import tokens

_PEOPLE: Final = (
    r"(?:employees|associates|people|persons|individuals|colleagues|workers|crewmembers|partners"
    r"|staff|personnel|teammates|team\s+members|full-time\s+equivalents|ftes)"
)
_COUNT: Final = r"(?P<count>\d{1,3}(?:,\d{3})+|\d{1,7}(?:\.\d+)?(?:\s+(?:million|thousand))?)"
_ABOUT: Final = (
    r"(?:(?:an?\s+)?(?:approximately|about|roughly|nearly|over|more\s+than|almost|around|some"
    r"|total\s+of|estimated|aggregate\s+of|average\s+of)\s+)*"
)
# Both are of texts in lower case.
# "we had approximately 5,100 full-time equivalent employees", "employed 812 people"
_HAD: Final = re.compile(
    r"\b(?:our|had|have|has|employ(?:ed|s|ing)?|(?:workforce|headcount|team|consist(?:ed|s)|comprised) of)"
    rf"\s+{_ABOUT}{_COUNT}\s+"
    rf"(?P<kind>(?:(?!to\b|by\b|who\b|at\b|shares\b|in\b)[\w“”()/,-]+\s+){{0,8}}?){_PEOPLE}\b"
)
# "our total workforce was approximately 14,000", "Employees, those in shops included, totaled over 15,000"
_WERE: Final = re.compile(
    r"\b(?P<kind>employees|workforce|headcount)\b[^.;\n]{0,240}?\b(?:was|were|totaled|totaling|totals|is)\s+"
    rf"{_ABOUT}{_COUNT}(?![\d.,]*\s*(?:%|million\b|hours\b))"
)
_SPEAKER: Final = frozenset(
    "we our company registrant corporation worldwide globally consolidated".split()
)
_YEAR_END: Final = re.compile(
    r"\byear[- ]end\b|\bend\s+of\s+(?:the\s+)?(?:fiscal|year|\d{4})\b", re.IGNORECASE
)
# What speaks of a part of the people, or of other people.
_PART: Final = re.compile(
    r"\b(?:in\s+(?:our|the|its)|of\s+(?:whom|which|these|those)|represented|unions?|covered|segment|division"
    r"|contractors?|hired|acquired|reduc\w+|eliminat\w+|layoffs?|from|facility)\b",
    re.IGNORECASE,
)
_PART_KIND: Final = ("part-time", "part time", "parttime", "seasonal", "temporary", "union")
_HEADING: Final = re.compile(
    r"^[^\w\n]*+"
    r"(?:human\s+capital|employees|our\s+(?:people|workforce|employees)|workforce|personnel)"
    r"[^\n]{0,60}(?=\n)",
    re.IGNORECASE | re.MULTILINE,
)
_BELOW_HEADING: Final = 2_500  # characters
_BEFORE: Final = 90
_AFTER: Final = 45
_BEST: Final = 0.95
_ENOUGH: Final = 0.66  # more than a day alone, or a heading alone
_ALIKE: Final = 0.1
_YEARS: Final = range(1900, 2101)


@dataclass(frozen=True, slots=True)
class Headcount:
    """A stated number of employees with the sentence that states it. `score` is 0-1."""

    count: int
    quote: str
    as_of: date | None
    score: float


def read_headcount(text: str) -> Headcount | None:
    """The number of all employees that a report gives; None when it gives parts only."""
    found = list(_candidates(text))
    best = max((one.score for one in found), default=0.0)
    if best < _ENOUGH:
        return None
    return max((one for one in found if best - one.score < _ALIKE), key=lambda one: one.count)


def _candidates(text: str) -> Iterator[Headcount]:
    headings = [found.end() for found in _HEADING.finditer(text)]
    # Half the time of looking for capitals too. No other letter becomes two in lower case.
    lowered = text.replace("\u0130", "i").lower()
    for pattern in (_HAD, _WERE):
        for found in pattern.finditer(lowered):
            count = _number(found["count"])
            if count < 1 or (count in _YEARS and "," not in found["count"]):
                continue
            start, end = sentence_at(text, found.start(), found.end())
            is_headed = any(0 <= found.start() - at < _BELOW_HEADING for at in headings)
            quote = " ".join(text[start:end].split())
            day = first_day(quote, slashes=True)
            score = _score(text, found, start, quote, is_dated=day is not None) + 0.15 * is_headed
            yield Headcount(count, quote, day, max(0.0, min(_BEST, score)))


def _score(text: str, found: re.Match[str], start: int, sentence: str, *, is_dated: bool) -> float:
    """How sure a sentence speaks of all employees: who, when, and no word of a part near the number."""
    before = text[max(start, found.start() - _BEFORE) : found.start("count")]
    after = text[found.end() : found.end() + _AFTER].replace(";", ",").partition(",")[0]
    score = 0.4
    score += 0.25 * (is_dated or _YEAR_END.search(sentence) is not None)
    score += 0.3 * any(token.text.lower() in _SPEAKER for token in tokens(before))
    kind = found["kind"] or ""
    if any(part in kind for part in _PART_KIND) and "full" not in kind:
        score -= 0.35
    score -= 0.35 * (_PART.search(before) is not None) + 0.35 * (_PART.search(after) is not None)
    return score


def _number(text: str) -> int:
    amount, *scale = text.split()
    factor = {"million": 1_000_000, "thousand": 1_000}[scale[0]] if scale else 1
    return round(float(amount.replace(",", "")) * factor)
