"""Industry insights: what the newest report says under its own headings about market and industry."""

import re
from datetime import date
from typing import Final

from sightline.profile.choosing import statement_of, without_repeats
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.sentences import Sentence, is_own, is_specific, stands_alone
from sightline.profile.written_plans import Plan
from sightline.reading.periods import is_over

MOST: Final = 8
_PARTS: Final = ("business", "review")
_HEADING: Final = re.compile(
    r"\b(?:industry|industries|markets?|marketplace|trends?|competition|competitive|seasonality"
    r"|demand|economic conditions)\b",
    re.I,
)


def _fits(sentence: Sentence, company: str, today: date) -> bool:
    return (
        sentence.part in _PARTS
        and _HEADING.search(sentence.heading or "") is not None
        and stands_alone(sentence.text)
        and is_specific(sentence, company)
        and not is_own(sentence, company)
        and not is_over(sentence.text, today)
    )


def build(evidence: Evidence) -> list[Statement]:
    found = [
        sentence
        for document in evidence.reading
        if document.form is not None
        for sentence in document.sentences
        if _fits(sentence, evidence.name, evidence.today)
    ]
    return [statement_of(each) for each in without_repeats(found, lambda s: s.text, most=MOST)]


SECTION = Section(
    "industry_insights",
    "Industry insights",
    plan=Plan("Write what the passages say of its industry and market."),
    kinds=("filing",),
    build=build,
)
