"""Goals: targets with a figure or a date."""

import re
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.select import cues, find, statements
from sightline.profile.sentences import Sentence

MOST: Final = 10
_CUES: Final = cues(
    (
        r"\b(?:goal|target|ambition|objective|commitment|pledge)s?\b.{0,40}\b(?:of|is|are|to) (?P<what>.+)",
        1.5,
    ),
    (r"\b(?:goal|target|ambition|pledge)s?\b", 1.2),
    (
        r"\b(?:committed|aim|aims|aiming|plan|plans|intend|intends|on track|expects?|seeks?) to"
        r" (?P<what>.+)",
        1.1,
    ),
    (r"\bby (?:the end of )?(?:fiscal (?:year )?)?20[2-9]\d\b", 1.2),
    (r"\b(?:we|the company) (?:anticipates?|expects?|projects?)\b", 0.8),
)
_AHEAD = re.compile(
    r"\b(?:by|in|through|for|until|before|during|over) (?:the )?(?:end of |first half of |second half of )?"
    r"(?:calendar |fiscal )?(?:years? )?(?:20(?P<year>[2-9]\d)|next (?:year|\w+ years))\b"
    r"|\bgoals?\b|\btargets?\b",
    re.I,
)
_FIGURE = re.compile(
    r"\b(?:20[2-9]\d)\b|\d\s?%|percent|\$\s?\d|\b\d[\d,.]* (?:million|billion|stores|new|locations)",
    re.I,
)
_PAST = re.compile(r"\b(?:was|were|had|increased|decreased|grew|resulted)\b", re.I)
_NOT = re.compile(
    r"\b(?:lease|matur(?:e|es|ity|ing)|pension|amortiz|depreciat|recogni[sz]e|interest|tax|dividend|credit"
    r" (?:facility|agreement)|hedg|fair value|accounting|unrecogni[sz]ed|due in|expire|ASU"
    r"|FASB|restricted stock"
    r"|vest|compensation|performance (?:goals?|targets?)|covenant|contractual|purchase"
    r" (?:commitments|obligations)"
    r"|senior notes|targeted (?:ads?|advertising)|actuarial|effective date|settlement"
    r"|litigation|rulings?|judgment"
    r"|remaining performance|deferred|goodwill|no assurance|fail|may not|plan assets)\b",
    re.I,
)


def build(evidence: Evidence) -> list[Statement]:
    year = evidence.now.year
    newest = evidence.annual.said_at.year if evidence.annual else year

    def ahead(sentence: Sentence) -> bool:
        if _NOT.search(sentence.text) or not _FIGURE.search(sentence.text):
            return False
        if _PAST.search(sentence.text) and not re.search(r"goal|target|by 20", sentence.text):
            return False
        found = _AHEAD.search(sentence.text)
        if found is None:
            return False
        years = [int(y) for y in re.findall(r"\b(20[2-9]\d)\b", sentence.text)]
        return not years or max(years) >= min(newest, year)

    parts = {"business": 1.2, "review": 1.1, "release": 1.1, "about": 1.0, "news": 1.0, "home": 0.8}
    parts |= {"feed_item": 0.9, "risks": 0.4, "investors": 1.0, "properties": 0.5}
    return statements(find(evidence, _CUES, parts=parts, accept=ahead, asides=True), most=MOST)


SECTION = Section("goals", ("filing", "page", "feed_item", "news"), build)
