"""Days written in running text."""

import re
from datetime import date
from typing import Final

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
_NAMES: Final = "|".join(name.capitalize() for name in _MONTHS)
_DAY: Final = re.compile(
    rf"\b(?P<month>{_NAMES}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?\s+(?P<day>\d{{1,2}}),?\s+"
    r"(?P<year>(?:19|20)\d\d)\b"
    rf"|\b(?P<day2>\d{{1,2}})\s+(?P<month2>{_NAMES})\s+(?P<year2>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_PERIOD_END: Final = re.compile(
    rf"\b(?:year|quarter|months|period|weeks)\s+(?:ended|ending)\s+(?:{_DAY.pattern})",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")


def days_in(text: str) -> list[date]:
    """Every full day that a text names, in order; impossible ones are passed over."""
    found = []
    for match in _DAY.finditer(text):
        month = (match["month"] or match["month2"]).lower()[:3]
        number = next(n for n, name in enumerate(_MONTHS, start=1) if name.startswith(month))
        try:
            found.append(
                date(
                    int(match["year"] or match["year2"]), number, int(match["day"] or match["day2"])
                )
            )
        except ValueError:
            continue
    return found


def day_of(text: str, *, said: date, within: int = 100) -> date | None:
    """The day a sentence says that something happened: the first one of the `within` days before it
    was said. The end of a period is not meant."""
    days = days_in(_PERIOD_END.sub("", text))
    return next((day for day in days if 0 <= (said - day).days <= within), None)


def is_old(text: str, *, said: date) -> bool:
    """Whether a sentence dates itself, and only to years before last year: background, not news."""
    years = [int(year) for year in _YEAR.findall(text)]
    return bool(years) and max(years) < said.year - 1


# "effective upon consummation of the Separation": a day that nobody knows yet.
_WHEN_SOMETHING_IS_DONE: Final = re.compile(
    r"\beffective\s+(?:and\s+contingent\s+)?(?:(?:up)?on|as\s+of)\s+(?:the\s+)?"
    r"(?:closing|completion|consummation|occurrence)\b",
    re.IGNORECASE,
)
_AT_ONCE: Final = re.compile(
    r"\beffective\s+immediately\b|\bwith\s+immediate\s+effect\b", re.IGNORECASE
)
_WILL: Final = re.compile(r"\b(?:will|intends?|intention|intent|plans?|to\s+retire)\b", re.I)


def is_ahead(sentence: str, verb: tuple[int, int], *, said: date) -> bool:
    """Whether what the verb at a span of the sentence says lies ahead of the day it was said."""
    after = sentence[verb[0] :]
    if _AT_ONCE.search(after):
        return False
    if _WHEN_SOMETHING_IS_DONE.search(after):
        return True
    if days := days_in(after):
        return max(days) > said
    return _WILL.search(sentence[max(0, verb[0] - 40) : verb[1]]) is not None
