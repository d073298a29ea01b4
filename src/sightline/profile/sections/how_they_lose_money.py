"""How they lose money: a loss, costs that rose, and what reports say under their own
headings about costs, with a figure."""

import re
from typing import Final

from sightline.profile.changes import figures
from sightline.profile.choosing import chosen_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.figures import spent
from sightline.profile.plans import Plan
from sightline.profile.sentences import Judged, Sentence
from sightline.profile.years import newest_year
from sightline.reading.money import sums_in
from sightline.reading.periods import latest_day, years_in
from sightline.reading.prose import states_fact

_SPECIFIC: Final = 0.8
_LEAST_SHARE: Final = 0.002  # of the revenue, that a cost is at least
_BEGINNING: Final = 45  # characters
_FELL: Final = 0.06  # how much nearer a sentence is to costs that fell than to costs that rose
_COSTS: Final = re.compile(
    r"\b(?:costs?|expenses?|restructuring|impairments?|charges|loss(?:es)?|margins?"
    r"|research and development)\b",
    re.I,
)
# "by $5 million", "$5 million, or 7%": a change, of which the figures do not say the direction.
_MOVED: Final = re.compile(r"\bby \S{0,3}[$€£¥]|, or \d[\d.]*(?:%| percent)", re.I)


def _is_spent(judged: Judged) -> bool:
    """Whether a sentence gives a cost, and not only by how much one moved or what made it fall: the amount
    of one year, or one that is more than the year before's, the newest year named first."""
    text = judged.sentence.text
    sums = [each.amount for each in sums_in(text)]
    if not sums or judged.near.lower >= _FELL or _MOVED.search(text):
        return False
    if len(years_in(text)) < 2:
        return True
    first = min(years_in(text), key=lambda year: text.index(str(year)))
    return first == max(years_in(text)) and len(sums) > 1 and sums[0] > sums[1]


def _fits(judged: Judged, evidence: Evidence) -> float:
    """A sentence on costs under a heading about them, with a figure of the newest year."""
    sentence = judged.sentence
    if sentence.part not in ("review", "release") or judged.specific < _SPECIFIC:
        return 0.0
    revenue = newest_year(evidence, "revenue")
    if not _is_about_costs(sentence, has_figures=revenue is not None):
        return 0.0
    is_new = latest_day(sentence.text) is not None and not evidence.is_past_year(sentence)
    least = _LEAST_SHARE * revenue.amount if revenue is not None else 0.0
    is_large = max((each.amount for each in sums_in(sentence.text)), default=0.0) >= least
    fits = is_new and is_large and states_fact(sentence.text) and _is_spent(judged)
    return 1.0 + judged.specific if fits else 0.0


def _is_about_costs(sentence: Sentence, *, has_figures: bool) -> bool:
    """Whether costs stand in a sentence and above it. Without tagged figures one that begins with a cost is
    about it, whatever stands above."""
    beginning = "" if has_figures else sentence.text[:_BEGINNING]
    above = f"{sentence.heading or ''} {beginning}"
    return bool(_COSTS.search(above) and _COSTS.search(sentence.text))


def build(evidence: Evidence) -> list[Statement]:
    lost = [c.statement() for c in figures(evidence) if c.kind == "loss"]
    return [*lost, *spent(evidence), *chosen_of(evidence, "how_they_lose_money")]


SECTION = Section(
    "how_they_lose_money",
    "How they lose money",
    plan=Plan(
        "What it loses money on or what weighs on its profit: a loss, a charge, a cost that grew, a business"
        " that shrank, each with sum, year and cause. Dividends, purchases of its own shares, investments and"
        " acquisitions are no losses.",
    ),
    kinds=("filing", "data", "page", "feed_item", "news"),
    build=build,
    fits=_fits,
    most=6,
)
