"""Whether a passage tells of what happened lately: filings are full of what could happen, of what is
always so, of what was years ago, and of figures in rows."""

import re
from datetime import datetime
from typing import Final

ROWS: Final = 0.15
SUPPOSED: Final = 0.3
CAREER: Final = 0.4
LONG_AGO: Final = 0.4
NO_DAY: Final = 0.5
NOTES: Final = 0.6
UNPROVEN: Final = 0.8  # a passage in which nobody has found a happening, beside one that is proven

_TITLE = re.compile(
    r"\b(?:may|might|could|would|cannot|risks?|forward[- ]looking|uncertaint(?:y|ies)|if we)\b",
    re.I,
)
_POINT = re.compile(r"\s*[•·●▪◦‣*–-]\s")
_CAREER = re.compile(
    r"\b(?:(?:served|worked) (?:as|at|in|on|for|with)|[Pp]rior to (?:that|joining|his|her)|"
    r"[Bb]efore (?:that|joining)|previous positions|joined [A-Z]\w+ in (?:19|20)\d\d)\b"
)
_YEAR = re.compile(r"(?<![\d.,$])(?:19|20)\d\d(?!\d|,\d)")
_DAY = re.compile(
    r"\b(?:(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber) "
    r"(?:\d{1,2}(?:, (?:19|20)\d\d)?|(?:of )?(?:19|20)\d\d)\b|\b(?:first|second|third|fourth) quarter\b",
    re.I,
)
_YEARS_AGO = 2


def substance(title: str, text: str, *, section: str | None, published: datetime | None) -> float:
    """At most UNPROVEN, for a filing's passage that tells of something on a day; less for rows of
    figures, risks, lists of what could be, careers, notes to the statements, and what is always so or was
    years before it was published. `section` is the item of the filing."""
    found = [1.0]
    lines = [line for line in text.split("\n") if line.strip()]
    size = sum(map(len, lines)) or 1
    if sum(len(line) for line in lines if line.count("|") > 1) > 0.5 * size:
        found.append(ROWS)
    points = [line for line in lines if _POINT.match(line)]
    told = sum(any(sign.isdigit() for sign in line) for line in points)
    if sum(map(len, points)) > 0.6 * size and 3 * told < len(points):
        found.append(SUPPOSED)
    if section == "1A" or _TITLE.search(title):
        found.append(SUPPOSED)
    if section == "8":
        found.append(NOTES)
    if not _DAY.search(text):
        found.append(NO_DAY)
    if is_career(text):
        found.append(CAREER)
    years = [int(year) for year in _YEAR.findall(text)]
    if published is not None and years and max(years) <= published.year - _YEARS_AGO:
        found.append(LONG_AGO)
    return UNPROVEN * min(found)


def is_career(text: str) -> bool:
    """Whether a text tells where somebody worked before."""
    return len(_CAREER.findall(text)) > 1
