"""What of a passage tells of a happening: its best sentence, and what the passage is worth by where it
stands. Reports repeat risks, policies, rows of figures and forms; those tell of nothing."""

import re
from datetime import datetime
from typing import Final

from sightline.search.analysis import Analyser
from sightline.search.snippets import Span
from sightline.search.telling import Telling, is_career, is_row, tell

UNPROVEN: Final = 0.85  # where no happening was found, beside one that is proven
AGAIN: Final = 0.25  # what a second sentence that tells something adds, of what is missing
NO_ITEM: Final = 0.85
CAREERS: Final = 0.5
RISKY: Final = 0.35
SOCIAL: Final = 0.4
FORMAL: Final = 0.3
ROWS: Final = 0.3

_FORM_TITLE = re.compile(
    r"^\W*(?:section \d|signatures?|exhibits?\b|index\b|table of contents|part [ivx]+\b|cover page|"
    r"(?:power|forward)\b|"
    r"financial statements and exhibits|.*(?:accounting (?:polic|pronounc|estimat|standard)|non-gaap|"
    r"critical audit|(?:disclosure )?controls and procedures|report of independent|internal control|"
    r"forward[- ]looking|safe harbor|"
    r"stock[- ]based|share[- ]based|equity awards?|compensation|beneficial owner|glossary|"
    r"awards?|stock plan|stock units?|pay ratio|incentive|dividend equivalents|executive officers?|"
    r"fair value|income tax|leases|earnings per share|per share data|seasonality|"
    r"mine safety|unregistered sales|legal matters and)\b.*)",
)
# How an employer cares for people and planet: proud, and seldom a change of the business.
_SOCIAL = re.compile(
    r"\b(?:diversity|inclusion|inclusive|belonging|culture|communit(?:y|ies)|well-?(?:ness|being)|benefits|"
    r"philanthrop\w+|volunteer\w*|sustainab\w+|climate|environmental|human (?:capital|rights)|workplace|"
    r"talent|learning|training|education\w*|responsib\w+|social|(?:employee|people|leadership|technical|"
    r"development) (?:development|engagement|programs?)|health and safety|our (?:people|values|employees))\b",
)
_EXHIBIT = re.compile(r"\(?\d{1,3}\.\d{1,2}\b|(?:EX|Exhibit)[- ]\d")
_RISKY = re.compile(
    r"\b(?:may(?! \d)|might|could|would|cannot|risks?|forward[- ]looking|uncertaint(?:y|ies)|if we|inability|"
    r"failure to|unable)\b",
)
# The item of a report that a passage stands in: what it is for. Those of current reports (two numbers
# and a point) tell of one happening each.
_ITEMS: Final[dict[str, float]] = {
    "1A": 0.3, "1B": 0.2, "1C": 0.35, "2": 0.6, "3": 0.8, "4": 0.3, "5": 0.55, "6": 0.4, "7A": 0.2,
    "8": 0.6, "9": 0.4, "9A": 0.15, "9C": 0.1, "10": 0.4, "11": 0.2, "12": 0.15, "13": 0.3, "14": 0.15,
    "15": 0.3, "16": 0.1, "part1item1": 0.55, "part1item3": 0.2, "part1item4": 0.15,
    "part2item1": 0.8, "part2item1a": 0.3, "part2item2": 0.4, "part2item6": 0.1, "9.01": 0.1,
    "5.07": 0.5, "5.03": 0.6,
}  # fmt: skip
_CURRENT_ITEM = re.compile(r"\d\.\d\d")
# Of a profile: what speaks of what is always so, or of what could be.
_STATED: Final[dict[str, float]] = {
    "risks": 0.35, "how_they_lose_money": 0.4, "competitors": 0.4, "industry_insights": 0.5,
    "how_they_make_money": 0.5, "key_executives": 0.7, "swot_analysis": 0.6, "divisions": 0.7,
    "geographical_operations": 0.7,
}  # fmt: skip


def substance(
    title: str,
    text: str,
    analyser: Analyser,
    *,
    kind: str = "filing",
    section: str | None = None,
    published: datetime | None = None,
) -> Telling:
    """`kind` is that of the document or "statement", `section` the item of a filing or the section of a
    profile."""
    best, rest = Telling(Span(0, 0), None, 0.0), 0.0
    for one in tell(title, text, analyser, kind=kind, published=published):
        if one.strength > best.strength:
            best, rest = one, max(rest, best.strength)
        else:
            rest = max(rest, one.strength)
    strength = best.strength + AGAIN * rest * (1.0 - best.strength)
    standing = _standing(title, text, kind, section)
    return Telling(best.span, best.family, UNPROVEN * strength * standing)


def _standing(title: str, text: str, kind: str, section: str | None) -> float:
    """What a passage is worth by its place in the document."""
    worth = 1.0
    if kind == "statement":
        worth = _STATED.get(section or "", 1.0)
    elif kind == "filing" and section:
        worth = _ITEMS.get(section, 1.0)
    elif kind == "filing":
        worth = NO_ITEM
    if is_career(text) and not _CURRENT_ITEM.fullmatch(section or ""):
        worth *= CAREERS
    if _FORM_TITLE.search(title.lower()):
        worth = min(worth, FORMAL)
    elif _RISKY.search(title.lower()):
        worth = min(worth, RISKY)
    elif kind == "filing" and _SOCIAL.search(title.lower()):
        worth = min(worth, SOCIAL)
    rows = sum(len(line) for line in text.split("\n") if is_row(line) or _EXHIBIT.match(line))
    return min(worth, ROWS) if rows > 0.5 * max(1, len(text)) else worth
