"""Strategic priorities: what the company says it sets out to do."""

import re
from typing import Final

from sightline.profile import foreign
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.judging import TECHNOLOGY, is_business, is_hedged, is_of_the_past
from sightline.profile.patterns import words
from sightline.profile.sections import goals
from sightline.profile.select import (
    Candidate,
    by_language,
    choose,
    cues,
    find,
    once,
    shares_a_word,
    statements,
    under,
)
from sightline.profile.sentences import Sentence

MOST: Final = 10
_FEWEST: Final = 3
_PLENTY: Final = 6
_TO = (
    r"(?:expand|grow|invest|accelerate|increase|strengthen|extend|drive|deliver|build|advance"
    r"|improve"
    r"|leverage|enhance|deepen|broaden|develop|launch|open|scale|transform|pursue|focus|innovate"
    r"|attract"
    r"|optimi[sz]e|simplify|diversify|introduce|add|capture|create|become|moderni[sz]e"
    r"|streamline|reduce"
    r"|automate|enter(?! into)|reach|unlock|gain|win|execute|integrate|restructure|reposition)"
)
CUES: Final = by_language(
    cues(
        (
            r"\b(?:our|the company’s|the company's|key|growth|business|corporate|long-term|core)"
            r"(?: \w+){0,2} (?:strateg(?:y|ies)|priorit(?:y|ies)|strategic (?:objectives?|pillars?"
            r"|initiatives?)|growth (?:drivers?|pillars?))"
            r" (?:is|are|includes?|calls? for|remains?)(?: to| on| centered on)? (?P<what>(?!not\b).+)",
            1.6,
        ),
        (
            r"(?<!that )(?<!which )(?<!as )\b(?:we|the company) (?:also )?(?:plan|intend|aim"
            r"|seek|continue|expect|want|strive"
            r"|(?:are|is) (?:committed|working|continuing|seeking|looking))s?"
            rf"(?: to continue)? to (?P<what>{_TO}\b.+)",
            1.35,
        ),
        (
            r"\b(?:we|the company) (?:will )?(?:are|is|remain"
            r"|be) (?:also )?focused on (?P<what>.+)",
            1.3,
        ),
        (
            r"\b(?:we|the company) (?:(?:are|is) )?(?P<what>(?:continue to )?invest(?:ing|s)?"
            r" (?:heavily |significantly )?in .+)",
            1.1,
        ),
        (r"\bour (?:mission|vision|purpose|goal|aim) (?:as a company )?is to (?P<what>.+)", 1.0),
        (
            r"\b(?:key|central|critical|core|important) (?:to|part of|element of|component of) our"
            r" (?:\w+ )?strategy",
            1.2,
        ),
        (
            r"\bwe (?:will )?(?:focus|concentrate|center)(?:es|s)? (?:our \w+ )?on"
            r" (?P<what>.+)",
            1.1,
        ),
        (
            r"\b(?:we|the company) (?:have |has |are |is )?(?:also )?(?:began|begun|launch\w*"
            r"|implement\w*"
            r"|initiated|announced|execut\w*|follow\w*|undert\w+)\b.{0,60}\b(?:multi-year"
            r"|restructuring"
            r"|transformation|turnaround|efficiency|growth|strategic|cost)"
            r" (?:\w+ )?(?:plan|program|strategy|initiatives?)\b",
            1.2,
        ),
        (
            r"\b(?:the company|we) (?:will|expects? to) (?:continue to )?"
            r"(?P<what>(?:expand|accelerate|invest|open|grow|launch|strengthen|build)\b.+)",
            1.2,
        ),
        (
            r"\b(?:we|the company) (?:will|(?:plan|intend|expect)s? to) use"
            r" (?:it|(?:the|this|these) \w+(?: \w+)?) to (?P<what>.+)",
            1.2,
        ),
    ),
    foreign.STRATEGY,
)
_STRATEGY = re.compile(
    r"strateg|priorit|growth (?:plan|driver|opportunit|pillar)|how we (?:grow|win)", re.I
)
# What sets something out, for sentences under a heading about strategy.
_STATES = cues(
    (
        r"\b(?:strateg|priorit|focus|pillar|commit|ambition|(?:we|the company) (?:are|is|will"
        r"|aim|plan|seek"
        r"|intend)s?\b)",
        1.1,
    )
)
# "Expanding our platform", "Grow our customer base": headings that are priorities themselves.
_SETS_OUT = re.compile(
    r"^(?:advanc|expand|grow|extend|accelerat|deepen|strengthen|broaden|driv|invest|increas"
    r"|leverag|innovat"
    r"|deliver|build|develop|enhanc|pursu|scal|capitali[sz]|transform|optimi[sz]|improv"
    r"|attract|acquir|penetrat"
    r"|simplif|creat|launch|open|unlock|win|elevat|moderni[sz]|focus)(?:e|ing|y|ning|ting)?\b",
    re.I,
)
_OURS = re.compile(r"\b(?:we|our|the company)\b", re.I)
_BULLET: Final = 5  # characters before the first word of a paragraph
_NOT = words(
    r"\b(?:dividends?|repurchas|tax(?:es)?|litigation|lease|pension|hedg|goodwill|impairment"
    r"|audit|internal"
    r" control|no assurance|may not|might not|could (?:harm|adversely|negatively)|unable"
    r"|fail(?:ure)?"
    r"|indefinitely reinvest|subsidiary earnings|repatriat|foreign subsidiar"
    r"|credit facility|commitment letter|purchase price|cannot|senior notes"
    r"|proceeds|vigorously|employee (?:survey"
    r"|engagement)"
    r"|engagement strategy|competition from|competitors|not aligned|segments? (?:faces?|includes?)"
    r"|continue to (?:evaluate|monitor|assess|review)|nature and extent|historically"
    r"|absolute dollars|expenses? (?:to|will|may) (?:increase|decrease|remain)|new competition"
    r"|reporting segments|operating expenses|capital expenditures increased|conversion|waste)\b",
)
PARTS: Final = {
    "business": 1.2,
    "review": 1.0,
    "release": 1.0,
    "about": 1.0,
    "news": 0.9,
    "home": 0.7,
    "page": 0.9,
    "feed_item": 0.8,
    "products": 0.5,
    "careers": 0.5,
    "investors": 1.0,
}


def fits(sentence: Sentence) -> bool:
    """Whether a sentence may state a strategy: no result, rule, formality, or plan of a year gone."""
    text = sentence.text
    return (
        not _NOT.search(text)
        and is_business(text)
        and not is_of_the_past(text, sentence.document.year)
    )


def strategy_candidates(evidence: Evidence) -> list[Candidate]:
    """Sentences that state a strategy, those under a heading about strategy first."""
    headings: set[tuple[object, str]] = set()
    for document in evidence.reading:
        for part in ("business", "review"):
            for heading in under(document, part, _STRATEGY):
                headings.add((document.document_id, heading))

    def begins_below(sentence: Sentence) -> bool:
        inside = (sentence.document.document_id, sentence.heading or "") in headings
        first = sentence.start - sentence.line < _BULLET
        ours = _OURS.search(sentence.text) is not None and not is_hedged(sentence.text)
        return inside and first and ours and fits(sentence)

    def explains_heading(sentence: Sentence) -> bool:
        heading = sentence.heading or ""
        inside = sentence.part == "business" or (sentence.document.document_id, heading) in headings
        first = sentence.start - sentence.line < len(heading) + 5
        told = inside and first and bool(_SETS_OUT.match(heading)) and fits(sentence)
        return told and shares_a_word(heading, sentence.text)

    parts = {"business": 1.2, "review": 1.0}
    said = find(evidence, CUES, parts=PARTS, accept=foreign.speaks_or(fits), own=True)
    named = find(
        evidence, cues((r".", 1.7)), parts=parts, accept=explains_heading, named_by_heading=True
    )
    return said + named + find(evidence, _STATES, parts=parts, accept=begins_below)


def _is_digital(name: str) -> bool:
    return bool(TECHNOLOGY.search(name)) or foreign.about_technology(name)


def chosen(evidence: Evidence) -> list[Candidate]:
    """The strategies, goals left out."""

    def make(evidence: Evidence) -> list[Candidate]:
        told, pool = goals.chosen(evidence), strategy_candidates(evidence)
        # What is named after a technology is told as a digital strategy, unless there is little else.
        others = [c for c in pool if not _is_digital(c.name)]
        found = choose(others, most=MOST, per_group=1, beside=told)
        if len(found) >= _FEWEST or len(pool) - len(others) < _PLENTY:
            return found
        return choose(pool, most=_FEWEST, per_group=1, beside=told)

    return once(evidence, "strategic_priorities", make)


def build(evidence: Evidence) -> list[Statement]:
    return statements(chosen(evidence))


SECTION = Section("strategic_priorities", ("filing", "page", "feed_item", "news"), build)
