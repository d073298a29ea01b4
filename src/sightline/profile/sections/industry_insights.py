"""Industry insights: what a report says of its market and competitors, with a number or names, and nothing of
the company's own."""

from typing import Final

from sightline.profile.choosing import chosen_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, Judged
from sightline.profile.plans import Plan
from sightline.profile.sentences import names_in, speaks_of
from sightline.reading.dates import without_days
from sightline.reading.stated import has_number

_OF_MARKET: Final = 0.12  # how much nearer a sentence is to a market than to a company's own
_FEWEST_NAMES: Final = 2


def _fits(judged: Judged, evidence: Evidence) -> float:
    sentence, market = judged.sentence, judged.near.market
    if sentence.part not in ("business", "review") or market < _OF_MARKET:
        return 0.0
    if speaks_of(sentence.text, evidence.name) or evidence.is_past_year(sentence):
        return 0.0
    is_named = len(names_in(sentence, evidence.name)) >= _FEWEST_NAMES
    return 2.0 + market if is_named or has_number(without_days(sentence.text)) else 0.0


def build(evidence: Evidence) -> list[Statement]:
    return chosen_of(evidence, "industry_insights")


SECTION = Section(
    "industry_insights",
    "Industry insights",
    plan=Plan(
        "Write what the passages say of its industry and market, and nothing of its own results."
    ),
    kinds=("filing", "page", "feed_item", "news"),
    build=build,
    labels=("opportunity", "threat"),
    fits=_fits,
    most=4,
)
