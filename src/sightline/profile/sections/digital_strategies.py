"""Digital strategies: what the company does with AI, cloud, automation, data and e-commerce."""

import re
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.select import Candidate, cues, find, statements
from sightline.profile.sentences import Sentence

MOST: Final = 10
TOPIC: Final = re.compile(
    r"\bAI\b|\b(?:artificial intelligence|machine learning|generative|large language models?|deep learning"
    r"|cloud(?:[- ](?:based|native|computing|services?|platforms?|infrastructure))?|automat(?:ion|ed|e|ing)"
    r"|digital(?:ly|i[sz]ation|i[sz]e)?|e-?commerce|omni-?channel|robotics|data (?:analytics"
    r"|science|platform"
    r"|driven|lake|warehouse|centers?)|analytics|internet of things|IoT|blockchain|cyber"
    r" ?security|mobile apps?"
    r"|online (?:store|ordering|platform|channel)|ERP|software[- ]as[- ]a[- ]service|SaaS|APIs?|telemetry"
    r"|self-service|virtual|augmented reality|autonomous|5G|edge computing|quantum|technology platform"
    r"|information technology|tech stack|modernization)\b",
    re.I,
)
_CUES: Final = cues(
    (r"\b(?:strategy|plan|aim|goal|priority|mission) is to (?P<what>.+)", 1.5),
    (
        r"\b(?:we|our \w+|the company) (?:plan|intend|aim|seek|continue|are (?:working|committed))s? to"
        r" (?P<what>(?:invest|build|expand|use|leverage|deploy|develop|integrate|modernize"
        r"|automate|accelerate"
        r"|adopt|enhance|embed|launch|scale|improve|transform|migrate)\b.+)",
        1.6,
    ),
    (
        r"\b(?:we|the company)(?: have| has| also| are)? (?:invest|us|leverag|deploy|develop"
        r"|integrat|moderniz"
        r"|automat|built|build|launch|introduc|migrat|adopt|implement|embed|utili[sz]|rolled out"
        r"|expand|offer)",
        1.3,
    ),
    (
        r"\b(?:digital|technology|AI|data|cloud|e-?commerce) (?:strategy|transformation"
        r"|initiatives?|roadmap|investments?)",
        1.4,
    ),
    (r"\b(?:investments?|investing) in\b", 1.1),
    (
        r"\b(?:you will|you’ll|looking for|join|experience (?:with|in)|responsible for|build(?:ing)?)\b",
        0.7,
    ),
    (r"\b(?:digital sales|online sales|e-?commerce sales|digital channels?)\b", 1.2),
)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_FRESH_YEARS: Final = 2
_NOT = re.compile(
    r"\b(?:could|might) (?:harm|adversely|negatively|result|expose|lead|cause)|may (?:not|harm"
    r"|adversely|be subject)"
    r"|unauthorized|breach(?:es)?|attack|amortiz|capitali[sz]ed|tax|depreciat|litigation|lawsuit|goodwill"
    r"|fair value|regulat|laws?\b|competitors|compete",
    re.I,
)


def digital_candidates(evidence: Evidence) -> list[Candidate]:
    """Sentences in which the company does something with digital technology."""

    def fits(sentence: Sentence) -> bool:
        return (
            bool(TOPIC.search(sentence.text))
            and not _NOT.search(sentence.text)
            and not _is_history(sentence)
        )

    parts = {"business": 1.2, "review": 1.0, "release": 1.0, "about": 1.0, "products": 0.9}
    parts |= {
        "news": 0.9,
        "feed_item": 0.9,
        "home": 0.8,
        "careers": 0.7,
        "posting": 0.6,
        "customers": 0.6,
    }
    return find(evidence, _CUES, parts=parts, accept=fits)


def _is_history(sentence: Sentence) -> bool:
    """Whether every year that a sentence names lay well back when it was said."""
    years = [int(year) for year in _YEAR.findall(sentence.text)]
    return bool(years) and max(years) < sentence.document.said_at.year - _FRESH_YEARS


def build(evidence: Evidence) -> list[Statement]:
    return statements(digital_candidates(evidence), most=MOST)


SECTION = Section("digital_strategies", ("filing", "page", "feed_item", "news", "posting"), build)
