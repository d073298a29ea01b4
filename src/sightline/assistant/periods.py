"""Which fiscal periods a question is about."""

import re
from dataclasses import dataclass
from typing import Final

_QUARTERS: Final = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
}  # fmt: skip
_YEAR: Final = r"(?:19|20)\d\d"
_PERIODS: Final = (
    re.compile(
        rf"\bq(?P<q>[1-4])\s*(?:of\s+)?(?:(?:fy|fiscal(?:\s+year)?)?\s*'?(?P<y>{_YEAR})"
        r"|(?:fy|fiscal(?:\s+year)?)\s*'?(?P<s>\d\d)(?!\d))?\b",
        re.I,
    ),
    re.compile(
        rf"\b(?P<qw>{'|'.join(_QUARTERS)})\s+(?:fiscal\s+)?quarter(?:\s+(?:of\s+)?(?:the\s+)?"
        rf"(?:fy|fiscal(?:\s+year)?|year)?\s*(?P<y>{_YEAR}))?",
        re.I,
    ),
    re.compile(rf"\b(?:fy|fiscal(?:\s+year)?)\s*'?(?P<y>{_YEAR})\b", re.I),
    re.compile(r"\bfy\s*'?(?P<short>\d\d)\b", re.I),
    re.compile(rf"\b(?P<y>{_YEAR})\b"),
)
_ONE_YEAR = re.compile(rf"\b(?:fy|fiscal(?:\s+year)?)?\s*'?({_YEAR})\b|\bfy\s*'?(\d\d)\b", re.I)
_PREVIOUS = re.compile(
    r"\b(?:the\s+|a\s+)?(?:(?:one\s+)?year\s+(?:before|earlier|ago)|previous\s+(?:fiscal\s+)?year"
    r"|prior\s+year|last\s+but\s+one)\b",
    re.I,
)
_LATEST_QUARTER = re.compile(
    r"\b(?:last|latest|(?:most\s+)?recent|this|past|same)\s+(?:(?:reported|completed|fiscal)\s+)*"
    r"quarter\b",
    re.I,
)
_SAME_QUARTER = re.compile(
    r"\b(?:versus|and|or)\s+(?:the\s+)?(?:same\s+(?:quarter|period)\s+)?(?:of\s+|in\s+|a\s+)?(?:the\s+)?"
    r"(?:(?:one\s+)?year\s+(?:before|earlier|ago)|(?:previous|prior|last)\s+year)\b",
    re.I,
)
_SOME_YEARS = re.compile(
    r"\b(?:over\s+|in\s+|for\s+)?(?:the\s+)?(?:last|past|previous)\s+"
    r"(?P<n>\d|two|three|four|five|few|several)\s+(?:fiscal\s+)?years\b",
    re.I,
)
_BOTH = re.compile(
    r"\b(?:this|last)\s+(?:fiscal\s+)?year\s+(?:and|versus|or)\s+(?:the\s+)?(?:year\s+before"
    r"|previous(?:\s+year)?|prior(?:\s+year)?|last(?:\s+year)?)\b",
    re.I,
)
_NUMBERS: Final = {"two": 2, "three": 3, "four": 4, "five": 5}
_HISTORY = re.compile(
    r"\bhistory|trend(?:s|ed|ing)?\b|\bover\s+(?:time|the\s+years)\b|\beach\s+year\b"
    r"|\byear\s+by\s+year\b|\bhistorical(?:ly)?\b|\bdevelop(?:ed|ment)\s+of\b",
    re.I,
)
_GROWTH = re.compile(
    r"\b(?:growth|compared|versus|over|than|(?:up|down|chang\w+|increas\w+)\s+from)\b.*\b(?:year\s+before|prior\s+year|previous\s+year)",
    re.I,
)
_MOST_YEARS: Final = 5


@dataclass(frozen=True, slots=True)
class Period:
    """A fiscal period asked for: a year, a quarter (0: the latest), or both.

    `step` -1 is the year before; `years` are several years that are compared, newest first; `quarters`
    are several quarters that are compared, (quarter, year) as they are named, (0, None) the latest and
    (0, -1) the same of the year before; `history` asks for the last `limit` years.
    """

    year: int | None = None
    quarter: int | None = None
    step: int = 0
    history: bool = False
    years: tuple[int, ...] = ()
    quarters: tuple[tuple[int, int | None], ...] = ()
    limit: int = _MOST_YEARS

    @property
    def compares(self) -> bool:
        """Whether several periods are asked for."""
        return self.history or bool(self.years) or bool(self.quarters)

    @property
    def label(self) -> str:
        parts = [f"Q{self.quarter}" if self.quarter else "", f"FY{self.year}" if self.year else ""]
        return " ".join(part for part in parts if part) or "that period"


def read_period(text: str) -> tuple[Period | None, str]:
    """The fiscal period that a text names, and the text without it."""
    text = _BOTH.sub(" last two years ", text)
    some = _SOME_YEARS.search(text)
    if some or _HISTORY.search(text):
        number = (some["n"] if some else "").lower()
        limit = int(number) if number.isdigit() else _NUMBERS.get(number, _MOST_YEARS)
        rest = _HISTORY.sub(" ", _SOME_YEARS.sub(" ", text))
        return Period(history=True, limit=max(2, limit)), rest
    quarters = _quarters(text)
    if len(quarters) > 1:
        rest = _PERIODS[1].sub(" ", _PERIODS[0].sub(" ", _SAME_QUARTER.sub(" ", text)))
        return Period(quarters=quarters), _ONE_YEAR.sub(" ", _LATEST_QUARTER.sub(" ", rest))
    years = sorted({_number(found) for found in _ONE_YEAR.finditer(text)}, reverse=True)
    if len(years) > 1:
        return Period(years=tuple(years)), _ONE_YEAR.sub(" ", text)
    for pattern in _PERIODS:
        found = pattern.search(text)
        if not found:
            continue
        named = found.groupdict()
        year = int(named["y"]) if named.get("y") else None
        if named.get("s"):
            year = 2000 + int(named["s"])
        if named.get("short"):
            year = 2000 + int(named["short"])
        quarter = (
            int(named["q"]) if named.get("q") else _QUARTERS.get((named.get("qw") or "").lower())
        )
        return Period(year, quarter), text[: found.start()] + " " + text[found.end() :]
    before = _PREVIOUS.search(text) is not None and not _GROWTH.search(text)
    if _LATEST_QUARTER.search(text):
        rest = _PREVIOUS.sub(" ", _LATEST_QUARTER.sub(" ", text))
        return Period(quarter=0, step=-1 if before else 0), rest
    if before:
        return Period(step=-1), _PREVIOUS.sub(" ", text)
    return None, _PREVIOUS.sub(" ", text) if _GROWTH.search(text) else text


def _quarters(text: str) -> tuple[tuple[int, int | None], ...]:
    """The quarters that a text compares; one without a year is of the year that another has."""
    latest = _LATEST_QUARTER.search(text)
    if latest and _SAME_QUARTER.search(text, latest.end()):
        return ((0, None), (0, -1))
    named: list[tuple[int, int | None]] = []
    for pattern in _PERIODS[:2]:
        for found in pattern.finditer(text):
            part = found.groupdict()
            quarter = int(part["q"]) if part.get("q") else _QUARTERS[part["qw"].lower()]
            year = part.get("y") or part.get("s")
            named.append((quarter, int(year) % 100 + 2000 if year else None))
    years = [year for _, year in named if year]
    given = years[0] if years else next((_number(one) for one in _ONE_YEAR.finditer(text)), None)
    return tuple(dict.fromkeys((quarter, year or given) for quarter, year in named))


def _number(found: re.Match[str]) -> int:
    return int(found[1]) if found[1] else 2000 + int(found[2])
