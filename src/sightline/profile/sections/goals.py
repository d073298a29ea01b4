"""Goals: targets with a figure or a date."""

import re
from typing import Final

from sightline.profile import foreign
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.judging import (
    is_announcement,
    is_bookkeeping,
    is_formality,
    is_hedged,
    is_results,
)
from sightline.profile.patterns import words
from sightline.profile.select import Candidate, by_language, choose, cues, find, once, statements
from sightline.profile.sentences import Sentence

MOST: Final = 10
_CUES: Final = by_language(
    cues(
        (
            r"\b(?:goal|target|ambition|objective|commitment|pledge"
            r"|aspiration)s?\b(?: \w+){0,3}? (?:is to|are to"
            r"|of|to|that|is) (?P<what>.+)",
            1.5,
        ),
        (
            r"\b(?:we|our \w+|the company|[A-Z][\w&]+) (?:are |is |have "
            r"|has )?(?:also )?(?:committed"
            r"|aim|plan|intend|on track|target|seek|expect|pledged)s?"
            r"(?: to|:)(?: be| become)? (?P<what>.+)",
            1.3,
        ),
        (
            r"\b(?:we|the company) .{3,120}? and (?:plan|intend|aim|expect)s? to (?P<what>.+)",
            1.2,
        ),
        (r"\b(?:goals?|ambition|pledge)\b", 1.1),
        (r"\bby (?:the end of )?(?:fiscal (?:year )?)?20[2-9]\d\b", 1.1),
        (
            r"\b(?:we|the company) (?:anticipate|expect|project)s? (?P<what>(?:over|about"
            r"|approximately"
            r"|capital expenditures|net new|new|to (?:open|invest|spend|deliver|launch|achieve"
            r"|reach|hire))"
            r"\b.+)",
            1.2,
        ),
    ),
    foreign.GOALS,
)
_AHEAD = re.compile(
    r"\b(?:by|in|through|for|until|before|during|over) (?:the )?(?:end of |beginning of "
    r"|first half of "
    r"|second half of |course of )?"
    r"(?:calendar |fiscal )?(?:years? )?(?:20(?P<year>[2-9]\d)|(?:the )?next (?:year"
    r"|\w+(?: to \w+)? years))\b"
    r"|\bgoals?\b|\b20[2-9]\d (?:\w+ )?(?:goals?|targets?)",
    re.I,
)
_FIGURE = re.compile(
    r"\b(?:20[2-9]\d)\b|\d\s?%|percent|\$\s?\d|\b\d[\d,.]* (?:million|billion|stores|new"
    r"|locations|people|jobs|employees|branches|sites|plants|units|customers)",
    re.I,
)
_PAST = re.compile(r"\b(?:was|were|had|increased|decreased|grew|resulted)\b", re.I)
_NOT = words(
    r"\b(?:lease|matur(?:e|es|ity|ing)|pension|amortiz|depreciat|recogni[sz]e|interest|tax"
    r"|dividend|credit"
    r" (?:facility|agreement)|hedg|fair value|unrecogni[sz]ed|due in|expire|compensation"
    r"|performance (?:goals?|targets?)|contractual|purchase (?:commitments|obligations)"
    r"|senior notes|targeted (?:ads?|advertising)|settlement"
    r"|litigation|rulings?|judgment|demand for approximately|gross domestic|market availability"
    r"|legislation"
    r"|abnormal|incur|charges?|losses|payments?|headwinds?|remaining performance|deferred|goodwill"
    r"|plan assets|effective date|enacted|law)\b",
)
_OURS = re.compile(
    r"\b(?:we|our|us|its|the (?:company|bank|corporation|partnership|group)|[A-Z]\w+ (?:plans|aims"
    r"|expects|intends|targets))\b",
    re.I,
)
# Goals for the planet and the workplace: true, and rarely what a seller can help with.
_FOR_ALL = re.compile(
    r"\b(?:emissions?|carbon|greenhouse|net[- ]zero|renewable|recycl\w+|compost\w+|waste|water"
    r"|packaging|kWh|landfill|scope [123]|women-owned|minority-owned|diverse suppliers"
    r"|PFAS|science-based|diverse|diversity|youth|volunteer\w*|environmental|sustainab\w+)\b",
    re.I,
)
_PARTS: Final = {
    "business": 1.2,
    "review": 1.1,
    "release": 1.1,
    "about": 1.0,
    "news": 1.0,
    "home": 0.8,
    "page": 1.0,
    "feed_item": 0.9,
    "risks": 0.4,
    "investors": 1.0,
    "properties": 0.5,
    "products": 0.5,
}


def _is_goal(sentence: Sentence) -> bool:
    """Whether a sentence sets a target that had not passed when it was said."""
    text = sentence.text
    if not _OURS.search(text) and sentence.document.form is not None:
        return False
    if _NOT.search(text) or not _FIGURE.search(text) or not _AHEAD.search(text):
        return False
    if is_results(text) or is_bookkeeping(text) or is_formality(text) or is_announcement(text):
        return False
    if _PAST.search(text) and not re.search(r"goal|target|by 20", text):
        return False
    if sentence.part == "risks" and is_hedged(text):
        return False
    years = [int(y) for y in re.findall(r"\b(20[2-9]\d)\b", text)]
    return not years or max(years) >= sentence.document.said_at.year


def _is_ahead(sentence: Sentence) -> bool:
    return foreign.lies_ahead(sentence.text, sentence.document.said_at.year)


def chosen(evidence: Evidence) -> list[Candidate]:
    """The goals, those of the business first."""

    def make(evidence: Evidence) -> list[Candidate]:
        accept = foreign.speaks_or(_is_goal, _is_ahead)
        found = find(evidence, _CUES, parts=_PARTS, accept=accept, asides=True, own=True)
        for each in found:
            if _FOR_ALL.search(each.description):
                each.score *= 0.6
        return choose(found, most=MOST)

    return once(evidence, "goals", make)


def build(evidence: Evidence) -> list[Statement]:
    return statements(chosen(evidence))


SECTION = Section("goals", ("filing", "page", "feed_item", "news"), build)
