"""Industry insights: figures that the newest reports give under their headings about market and industry."""

import re
from typing import Final

from sightline.profile.choosing import chosen_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, Judged
from sightline.profile.sentences import is_own, states_fact
from sightline.profile.written_plans import Plan

_SPECIFIC: Final = 0.6
_HEADING: Final = re.compile(
    r"\b(?:industry|industries|markets?|marketplace|trends?|competition|competitive|seasonality"
    r"|demand|economic conditions)\b",
    re.I,
)


def _fits(judged: Judged, evidence: Evidence) -> float:
    sentence = judged.sentence
    is_told = sentence.part in ("business", "review") and judged.specific >= _SPECIFIC
    if not is_told or not _HEADING.search(sentence.heading or ""):
        return 0.0
    if is_own(sentence, evidence.name) or evidence.is_past_year(sentence):
        return 0.0
    # Where no classifier has read it a name will do.
    is_figure = states_fact(sentence) or not judged.probability
    return 0.5 * judged.specific if is_figure else 0.0


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
