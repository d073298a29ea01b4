"""Strategic priorities: what the company says it sets out to do."""

import re
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.select import Candidate, cues, find, statements
from sightline.profile.sentences import Sentence

MOST: Final = 10
CUES: Final = cues(
    (
        r"\b(?:our|the company’s|the company's|key|growth|business|corporate|long-term|core)"
        r"(?: \w+){0,2} (?:strateg(?:y|ies)|priorit(?:y|ies)|strategic (?:objectives?|pillars?|initiatives?))"
        r" (?:is|are|includes?|calls? for|remains?)(?: to| on)? (?P<what>.+)",
        1.6,
    ),
    (r"\b(?:strategic(?:ally)?|growth) (?:priorit|focus|initiative|investment|imperative|pillar|objective)", 1.4),
    (
        r"\bwe (?:plan|intend|aim|seek|are (?:committed|working|continuing)|continue|expect)"
        r"(?: to continue)? to (?P<what>(?:expand|grow|invest|accelerate|increase|strengthen|extend|drive|deliver"
        r"|build|advance|improve|leverage|enhance|deepen|broaden|develop|launch|open|scale|transform|pursue"
        r"|focus|innovate|attract|optimi[sz]e|simplify|diversify|introduce)\b.+)",
        1.35,
    ),
    (r"\bwe (?:are|remain) focused on (?P<what>.+)", 1.3),
    (r"\bwe (?:are )?invest(?:ing)? (?:heavily |significantly )?in (?P<what>.+)", 1.1),
    (r"\bour (?:mission|vision|purpose) is to (?P<what>.+)", 1.0),
    (r"\b(?:key|central|critical|core|important) (?:to|part of|element of|component of) our (?:\w+ )?strategy", 1.2),
    (
        r"\b(?:we|our) (?:will )?(?:focus|concentrate|center)(?:es|s)? (?:our \w+ )?on (?P<what>.+)",
        1.1,
    ),
    (r"\b(?:multi-year|restructuring|transformation|turnaround|efficiency|growth) (?:plan|program|strategy)\b", 1.0),
)
_UNDER_STRATEGY = re.compile(r"strateg|priorit|growth (?:plan|driver|opportunit)|our approach", re.I)
_NOT = re.compile(
    r"\b(?:dividends?|repurchas|tax(?:es)?|litigation|lease|pension|hedg|goodwill|impairment|audit|internal"
    r" control|no assurance|may not|might not|could (?:harm|adversely|negatively)|unable|fail(?:ure)?"
    r"|fair value|accounting|indefinitely reinvest|credit facility|senior notes|proceeds|vigorously)\b",
    re.I,
)
PARTS: Final = {
    "business": 1.2,
    "review": 1.0,
    "release": 1.0,
    "about": 1.0,
    "news": 0.9,
    "home": 0.7,
    "feed_item": 0.8,
    "products": 0.5,
    "careers": 0.5,
    "other": 0.0,
    "investors": 1.0,
}


def fits(sentence: Sentence) -> bool:
    return not _NOT.search(sentence.text)


def strategy_candidates(evidence: Evidence) -> list[Candidate]:
    """Sentences that state a strategy, those under a heading about strategy first."""
    parts = {part: weight for part, weight in PARTS.items() if weight}
    found = find(evidence, CUES, parts=parts, accept=fits)
    under = cues((r".", 1.25))
    # Under such a heading every leading sentence of a paragraph states one.
    found += find(
        evidence,
        under,
        parts={"business": 1.0, "review": 0.9},
        accept=lambda s: fits(s) and _leads(s) and bool(_UNDER_STRATEGY.search(s.heading or "")),
        prefer_heading=False,
    )
    return found


def _leads(sentence: Sentence) -> bool:
    return sentence.start - sentence.line < 5


def build(evidence: Evidence) -> list[Statement]:
    return statements(strategy_candidates(evidence), most=MOST)


SECTION = Section("strategic_priorities", ("filing", "page", "feed_item", "news"), build)
