"""Industry insights: figures that the newest reports give under their headings about market and industry."""

import re
from typing import Final

from sightline.profile.choosing import chosen_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, Judged
from sightline.profile.sentences import speaks_of, states_fact
from sightline.profile.written_plans import Plan

_SPECIFIC: Final = 0.5
_UNDER_HEADING, _OF_MARKET = (
    0.01,
    0.1,
)  # how much nearer a sentence is to its market than to own results
_HEADING: Final = re.compile(
    r"\b(?:industry|industries|markets?|marketplace|trends?|competition|competitive|seasonality"
    r"|demand|economic conditions)\b",
    re.I,
)


def _fits(judged: Judged, evidence: Evidence) -> float:
    sentence = judged.sentence
    is_told = sentence.part in ("business", "review") and judged.specific >= _SPECIFIC
    if not is_told or speaks_of(sentence.text, evidence.name) or evidence.is_past_year(sentence):
        return 0.0
    is_headed = _HEADING.search(sentence.heading or "") is not None
    if not judged.near.market:  # where no classifier has read it a heading and a name will do
        return 0.5 * judged.specific if is_headed else 0.0
    is_market = judged.near.market >= (_UNDER_HEADING if is_headed else _OF_MARKET)
    return 0.5 * judged.specific if is_market and states_fact(sentence) else 0.0


def build(evidence: Evidence) -> list[Statement]:
    return chosen_of(evidence, "industry_insights")


SECTION = Section(
    "industry_insights",
    "Industry insights",
    plan=Plan("Write what the passages say of its industry and market."),
    kinds=("filing", "page", "feed_item", "news"),
    build=build,
    labels=("opportunity", "threat"),
    fits=_fits,
    most=5,
)
