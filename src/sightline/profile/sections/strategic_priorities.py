"""Strategic priorities: what the company says it sets out to do."""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.select import Candidate, cues, find, statements, under
from sightline.profile.sentences import Sentence

MOST: Final = 10
CUES: Final = cues(
    (
        r"\b(?:our|the company’s|the company's|key|growth|business|corporate|long-term|core)"
        r"(?: \w+){0,2} (?:strateg(?:y|ies)|priorit(?:y|ies)|strategic (?:objectives?|pillars?"
        r"|initiatives?))"
        r" (?:is|are|includes?|calls? for|remains?)(?: to| on)? (?P<what>.+)",
        1.6,
    ),
    (
        r"\b(?:strategic(?:ally)?|growth) (?:priorit|focus|initiative|investment|imperative|pillar"
        r"|objective)",
        1.4,
    ),
    (
        r"\bwe (?:plan|intend|aim|seek|are (?:committed|working|continuing)|continue|expect)"
        r"(?: to continue)? to (?P<what>(?:expand|grow|invest|accelerate|increase|strengthen"
        r"|extend|drive|deliver"
        r"|build|advance|improve|leverage|enhance|deepen|broaden|develop|launch|open|scale|transform|pursue"
        r"|focus|innovate|attract|optimi[sz]e|simplify|diversify|introduce)\b.+)",
        1.35,
    ),
    (r"\bwe (?:are|remain) focused on (?P<what>.+)", 1.3),
    (r"\bwe (?:are )?invest(?:ing)? (?:heavily |significantly )?in (?P<what>.+)", 1.1),
    (r"\bour (?:mission|vision|purpose) is to (?P<what>.+)", 1.0),
    (
        r"\b(?:key|central|critical|core|important) (?:to|part of|element of|component of) our"
        r" (?:\w+ )?strategy",
        1.2,
    ),
    (
        r"\b(?:we|our) (?:will )?(?:focus|concentrate|center)(?:es|s)? (?:our \w+ )?on (?P<what>.+)",
        1.1,
    ),
    (
        r"\b(?:multi-year|restructuring|transformation|turnaround|efficiency|growth) (?:plan"
        r"|program|strategy)\b",
        1.0,
    ),
)
_STRATEGY = re.compile(
    r"strateg|priorit|growth (?:plan|driver|opportunit)|how we (?:grow|win)", re.I
)
# "Expanding our platform", "Grow our customer base": headings that are priorities themselves.
_SETS_OUT = re.compile(
    r"^(?:advanc|expand|grow|extend|accelerat|deepen|strengthen|broaden|driv|invest|increas|leverag|innovat"
    r"|deliver|build|develop|enhanc|pursu|scal|capitali[sz]|transform|optimi[sz]|improv"
    r"|attract|acquir|penetrat"
    r"|simplif|creat|launch|open|unlock|win|elevat|moderni[sz]|focus)(?:e|ing|y|ning|ting)?\b",
    re.I,
)
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
    "investors": 1.0,
}


def fits(sentence: Sentence) -> bool:
    return not _NOT.search(sentence.text)


def strategy_candidates(evidence: Evidence) -> list[Candidate]:
    """Sentences that state a strategy, those under a heading about strategy first."""
    headings: set[tuple[object, str]] = set()
    for document in evidence.reading:
        for part in ("business", "review"):
            for heading in under(document, part, _STRATEGY):
                headings.add((document.document_id, heading))

    def stands_under(sentence: Sentence) -> bool:
        heading = sentence.heading or ""
        inside = (sentence.document.document_id, heading) in headings
        return inside or (sentence.part == "business" and bool(_SETS_OUT.match(heading)))

    # Under such a heading every sentence that begins a paragraph states one.
    below = [
        find(
            evidence,
            cues((r".", 1.7 if sets_out else 1.1)),
            parts={"business": 1.2, "review": 1.0},
            accept=partial(_begins_below, stands_under, sets_out),
            named_by_heading=sets_out,
        )
        for sets_out in (True, False)
    ]
    return find(evidence, CUES, parts=PARTS, accept=fits) + below[0] + below[1]


def _begins_below(
    stands_under: Callable[[Sentence], bool], sets_out: bool, sentence: Sentence
) -> bool:
    if not fits(sentence) or not stands_under(sentence):
        return False
    heading = sentence.heading or ""
    if sets_out:
        return bool(_SETS_OUT.match(heading)) and sentence.start - sentence.line < len(heading) + 5
    return sentence.start - sentence.line < 5


def build(evidence: Evidence) -> list[Statement]:
    return statements(strategy_candidates(evidence), most=MOST, per_group=1)


SECTION = Section("strategic_priorities", ("filing", "page", "feed_item", "news"), build)
