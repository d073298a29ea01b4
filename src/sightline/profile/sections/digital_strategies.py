"""Digital strategies: what the company does with AI, cloud, automation, data and e-commerce."""

import re
from itertools import islice
from typing import Final

from sightline.profile import foreign
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.judging import TECHNOLOGY, is_business, is_hedged
from sightline.profile.patterns import words
from sightline.profile.sections import strategic_priorities
from sightline.profile.select import Candidate, by_language, choose, cues, find, once, statements
from sightline.profile.sentences import Sentence

MOST: Final = 10
TOPIC: Final = TECHNOLOGY
_DO = (
    r"(?:invest|build|expand|use|leverage|deploy|develop|integrate|moderni[sz]e|automate"
    r"|accelerate|adopt"
    r"|enhance|embed|launch|scale|improve|transform|migrate|digiti[sz]e|implement|introduce"
    r"|innovate|upgrade"
    r"|become|be|lead|grow|increase|create|deliver|offer|provide|generate)"
)
_CUES: Final = by_language(
    cues(
        (
            r"\b(?:strategy|plan|aim|goal|priority|mission) (?:is|includes?)(?: to)? (?P<what>.+)",
            1.5,
        ),
        (
            r"\b(?:we|our \w+|the company) (?:also )?(?:plan|intend|aim|seek|continue|expect"
            r"|(?:are|is)"
            rf" (?:working|committed|continuing))s? to (?:continue to )?(?P<what>{_DO}\b.+)",
            1.6,
        ),
        (
            r"\b(?:we|the company) (?:also )?(?:(?:are|is|have|has) (?:also |been )?)?(?:invest"
            r"|deploy"
            r"|moderni[sz]|automat|migrat|adopt|implement|embed|roll(?:ed|ing) out|digiti[sz]"
            r"|upgrad"
            r"|leverag|utili[sz])(?:e|es|ed|ing|s)?\b",
            1.35,
        ),
        (
            r"\b(?:we|the company) (?:also )?(?:(?:are|is|have|has) (?:also |been )?)?(?:us"
            r"|develop|integrat"
            r"|built|build|launch|introduc|expand)(?:e|es|ed|ing|s)?\b",
            1.1,
        ),
        (r"\b(?:investments?|investing) (?:in|to)\b", 1.1),
        (
            r"\b(?:digital|technology|AI|data|cloud|e-?commerce) (?:strategy|transformation"
            r"|initiatives?|roadmap|investments?)",
            1.4,
        ),
        (
            r"\b(?:we|our|the company)\b.{0,90}\b(?:apply|applying|utiliz(?:e|ing)|leverag(?:e"
            r"|ing)|using"
            r"|powered by|enabled by|based on|through|focused on) (?:\w+[ -]){0,4}?"
            r"(?:AI|artificial|data|analytics|digital|machine|cloud|automat\w+|e-?commerce"
            r"|technolog\w+)\b",
            0.9,
        ),
        (r"\b(?:we|the company) (?:also )?(?:offer|provide|operate|deliver)s?\b", 0.6),
        (r"\b(?:you will|you’ll|join|responsible for)\b.{0,80}\bour\b", 0.7),
    ),
    foreign.DIGITAL,
)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_FRESH_YEARS: Final = 2
_OURS = re.compile(r"\b(?:we|our|us|the company)\b", re.I)
_NOT = words(
    r"\b(?:could|might) (?:harm|adversely|negatively|result|expose|lead|cause)|may (?:not|harm"
    r"|adversely|be subject)"
    r"|unauthorized|breach(?:es)?|attack|amortiz|capitali[sz]ed|tax|depreciat|litigation|lawsuit"
    r"|goodwill"
    r"|regulat|laws?\b|competitors|compet(?:e|ition)\b|\b(?:sale"
    r"|disposal) of (?:the )?digital assets?"
    r"|marketable securities|investments? in companies|invest in companies|(?:portfolio of"
    r"|strategic) investments"
    r"|expenses? (?:will|may|as)|research and development expenses|net sales|revenues? (?:in"
    r"|de)creased"
    r"|contributed approximately|(?:many|some|most) of our customers have|sales force"
    r"|land and buildings|highly competitive|in a number of ways|digital (?:delivery|media content|video)"
    r"|accelerated attribution",
)
# What a seller of technology says of its products, and what it says of its plans.
_PRODUCT = re.compile(
    r"\b(?:we|our|the company)\b.{0,60}?\b(?:offer|provide|sell|market|licen[cs]e|deliver|enabl|allow|help"
    r"|empower|design|introduc|launch)\w*\b"
    r"|^(?:[A-Z][\w’'.®™-]* ){1,5}(?:offers?|provides?|sells?|enables?|allows?|helps?|uses?|is|are)\b"
    r"|\b(?:help|enabl|allow|empower)\w* (?:our |the |its )?(?:\w+ )?(?:customers|clients|users"
    r"|organi[sz]ations"
    r"|companies|enterprises|businesses|developers|people|marketers|teams|partners)\b"
    r"|\bfor (?:our )?(?:customers|clients|users|enterprises) to\b|\bsales force\b",
    re.I,
)
_LAUNCHED = re.compile(r"\b(?:launched|introduced|announced|unveiled|released)\b", re.I)
_PLANS = re.compile(
    r"\b(?:strateg|priorit|invest|goal|roadmap|focus|initiative|transform|migrat|moderni[sz])\w*\b"
    r"|\b(?:we|the company) (?:\w+ ){0,2}(?:plan|intend|aim)s?\b",
    re.I,
)
_READ: Final = 150  # sentences
_MUCH: Final = 0.3  # of them speak of technology
_PARTS: Final = {
    "business": 1.2,
    "review": 1.0,
    "release": 1.0,
    "about": 1.0,
    "products": 0.9,
    "page": 0.9,
    "news": 0.9,
    "feed_item": 0.9,
    "home": 0.8,
    "careers": 0.7,
    "posting": 0.6,
    "customers": 0.6,
}


def digital_candidates(evidence: Evidence) -> list[Candidate]:
    """Sentences in which the company does something with digital technology."""

    sells_it = _sells_technology(evidence)

    def fits(sentence: Sentence) -> bool:
        text = sentence.text
        return (
            bool(TOPIC.search(text))
            and not (sells_it and _is_product(text))
            and _OURS.search(text) is not None
            and not _NOT.search(text)
            and not (is_hedged(text) and sentence.part != "business")
            and is_business(text)
            and not _is_history(sentence)
        )

    accept = foreign.speaks_or(fits, lambda s: foreign.about_technology(s.text))
    return find(evidence, _CUES, parts=_PARTS, accept=accept, own=True, prefer_heading=False)


def _is_product(text: str) -> bool:
    """Whether a seller of technology speaks of what it sells rather than of its plans."""
    return bool(_LAUNCHED.search(text) or (_PRODUCT.search(text) and not _PLANS.search(text)))


def _sells_technology(evidence: Evidence) -> bool:
    """Whether technology is what a company sells: what it says of itself is full of it."""
    if "sells_technology" not in evidence.memo:
        parts = ("business", "products", "home", "about")
        said = [s.text for s in islice(evidence.sentences(*parts), _READ)]
        share = sum(TOPIC.search(text) is not None for text in said) / max(1, len(said))
        evidence.memo["sells_technology"] = share > _MUCH
    sells: bool = evidence.memo["sells_technology"]
    return sells


def _is_history(sentence: Sentence) -> bool:
    """Whether every year that a sentence names lay well back when it was said."""
    years = [int(year) for year in _YEAR.findall(sentence.text)]
    return bool(years) and max(years) < sentence.document.said_at.year - _FRESH_YEARS


def chosen(evidence: Evidence) -> list[Candidate]:
    """Digital strategies that are not told as strategies already."""

    def make(evidence: Evidence) -> list[Candidate]:
        told = strategic_priorities.chosen(evidence)
        return choose(digital_candidates(evidence), most=MOST, beside=told)

    return once(evidence, "digital_strategies", make)


def build(evidence: Evidence) -> list[Statement]:
    return statements(chosen(evidence))


SECTION = Section("digital_strategies", ("filing", "page", "feed_item", "news", "posting"), build)
