"""Industry insights: what the company says about its markets, demand, rules and seasons."""

import re
from typing import Final

from sightline.profile import foreign
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.judging import is_business, is_hedged
from sightline.profile.patterns import words
from sightline.profile.sections import digital_strategies, goals, strategic_priorities
from sightline.profile.select import Candidate, by_language, choose, cues, find, once, statements
from sightline.profile.sentences import Sentence

MOST: Final = 10
_MARKET = (
    r"(?:industry|industries|markets?|sectors?|marketplace|landscape|demand|competition|consumers?"
    r"|(?:buying|operating|competitive|regulatory|economic|macroeconomic|retail"
    r"|business) environment"
    r"|economy|trends?|supply|adoption)"
)
_CUES: Final = by_language(
    cues(
        (
            rf"^.{{0,70}}\b{_MARKET}\b.{{0,60}}\b(?:is|are|has|have|continues?|remains?|will"
            rf"|grows?|demand"
            r"|expects?|depends?|requires?|evolves?|faces?|shifts?)\b",
            1.4,
        ),
        (
            r"\b(?:growing|rising|increasing|shifting|strong|declining|weak\w*"
            r"|slow\w*) (?:\w+ )?(?:demand"
            r"|adoption|need)\b|\bdemand for\b|\badoption of\b|\bshift (?:to|towards?|from)\b"
            r"|\btrends? (?:in|toward)",
            1.25,
        ),
        (
            r"\b(?:total addressable market|market (?:size|share|opportunity)|addressable"
            r"|(?:industry|market) (?:is|are) (?:estimated|expected|projected|forecast))\b",
            1.4,
        ),
        (
            r"\b(?:consumer|customer|enterprise|advertiser|buyer|patient|shopper|guest)s?(?:’|')? "
            r"(?:preferences?|behaviou?rs?|spending|demand|expectations)",
            1.1,
        ),
        (
            r"\b(?:highly|intensely|extremely|rapidly|increasingly) (?:competitive|fragmented"
            r"|regulated"
            r"|evolving|changing|dynamic|concentrated)\b",
            1.3,
        ),
        (r"\b(?:seasonal|seasonality|cyclical)\b", 1.0),
        (
            r"\b(?:regulations?|legislation|tariffs?|export controls?|inflation|supply chains?"
            r"|interest rates|(?:state|federal) governments?|laws)\b",
            0.6,
        ),
    ),
    foreign.INDUSTRY,
)
_INDUSTRY = words(
    r"\b(?:industry|industries|markets?|marketplace|sector|demand|consumers?|customers|trends?"
    r"|seasonal|cyclical|landscape|environment|competition|competitive"
    r"|economy|economic|regulat\w+|tariffs?|inflation|adoption)\b",
)
_NOT = re.compile(
    r"\b(?:months ended|market (?:price|value|risk|rates?|makers?|conditions? of|multiples?|data|research)"
    r"|common stock"
    r"|marketable|dividend|shareholders?|stockholders?"
    r"|securities|money market|foreign currency|stock market|capital markets|credit markets|hedg"
    r"|amortiz"
    r"|market share|tax laws|professionals|real estate|job market|labor market|central banks"
    r"|income tax|marketing expense|sales and marketing|nasdaq|new york stock|trading market"
    r"|lease|audit"
    r"|litigation|plaintiff|court|gross (?:margin|profit)|impairment|financial (?:results"
    r"|statements"
    r"|forecasts|condition)|our (?:\w+ ){0,2}(?:stores|facilit\w+|plants?)|results of operations"
    r"|our (?:business|revenues?|sales|results) (?:\w+ )?(?:depends?|would|could)"
    r"|each of our|our industry|subsidiar\w+|merchandise costs?|go[- ]to[- ]market"
    r"|target markets|trend factors|(?:the|our) strategy|enable (?:us|the company)|year-on-year"
    r"|eligible|drove our|outstanding|qualified (?:personnel|people)|software engineers"
    r"|competitive factors include)\b",
    re.I,
)
# What lawyers write: laws as such, who enforces them, what complying with them asks.
_LAWS = re.compile(
    r"\b(?:laws?|regulations?|legislation|statutes?|rules?|regulators?|directives?|Act|GDPR|CCPA|HIPAA|IRS"
    r"|DOJ|FTC|DEA|SEC|privacy|data protection|compliance|sanctions?|jurisdictions?|[Bb]ylaws|licen[cs]es?"
    r"|treat(?:y|ies)|taxation|taxpayers|OECD|enforcement|authorities|provisions|reserving|personnel)\b",
)
_OF_MARKETS = re.compile(
    r"\b(?:industry|industries|markets?|marketplace|sector|demand|consumers?|customers|tariffs?|adoption"
    r"|competition|highly regulated|heavily regulated)\b",
    re.I,
)
_SUBJECT: Final = 70
_ELSEWHERE = re.compile(
    r"common stock|stock price|shareholders|executive officers|human capital|recruit|retention"
    r"|compensation|employees|talent|climate|sustainab"
    r"|culture|available information|legal proceedings|accounting|liquidity|cash|manufacturing",
    re.I,
)
_TRADE = re.compile(r"(?<!on the )\b(?:industry|market(?:place)?|sector|demand)s?\b", re.I)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|continues?|remains?|will|depends?|expects?|requires?|tends?"
    r"|increases?|imposes?|results?|characterized)\b",
    re.I,
)
_EARLY: Final = 110  # characters within which a sentence names its market
# The company as subject: "We sell …", "Our platform is …". What it believes of the market stays.
_OWN = re.compile(
    r"^(?:(?:[A-Z][^,]{3,60}, )?(?:we(?! (?:\w+ )?(?:believe|expect|operate in|compete in|see|face)\b)"
    r"|our(?! (?:\w+ )?(?:industry|markets?)\b)|us)\b)|^\S+ is our\b",
    re.I,
)
_PARTS: Final = {
    "business": 1.3,
    "review": 1.0,
    "release": 0.8,
    "risks": 0.7,
    "about": 0.9,
    "news": 0.7,
    "feed_item": 0.7,
    "products": 0.6,
    "home": 0.6,
    "page": 0.7,
}


def _fits(sentence: Sentence) -> bool:
    text = sentence.text
    if _ELSEWHERE.search(sentence.heading or "") or _NOT.search(text):
        return False
    if _is_law(text):
        return False
    wanted = _INDUSTRY if sentence.document.form else _TRADE
    if not wanted.search(text[:_EARLY]) or not is_business(text):
        return False
    if sentence.part == "risks" and not _FINITE.search(text):  # an item of a list of fears
        return False
    # Among the risks a market is described where nothing is feared of it.
    if text.startswith("If ") or (
        is_hedged(text) and (sentence.part == "risks" or not text.startswith("The "))
    ):
        return False
    own = len(re.findall(r"\b(?:we|our|us)\b", text, re.I))
    return own <= 2 and not _OWN.match(text)


def _is_law(text: str) -> bool:
    """Whether a sentence has a law for its subject, and not the market that the law is for."""
    subject = text[:_SUBJECT]
    if not _LAWS.search(subject) or "tariff" in subject.casefold():
        return False
    return not _OF_MARKETS.search(subject) or text.startswith(
        ("Compliance", "Government contracts")
    )


def chosen(evidence: Evidence) -> list[Candidate]:
    """What is said of the industry and not yet told as a goal or strategy."""

    def make(evidence: Evidence) -> list[Candidate]:
        accept = foreign.speaks_or(_fits)
        found = find(evidence, _CUES, parts=_PARTS, accept=accept, prefer_heading=False)
        first = re.escape(re.split(r"[\s,.]+", evidence.name)[0])
        named = re.compile(
            rf"(?:[A-Z][^,]{{3,60}}, )?{first}(?:[’']s)?\b"
            r"(?! (?:expects|believes|industry|market))",
            re.I,
        )
        found = [c for c in found if not named.match(c.description)]
        told = [
            *goals.chosen(evidence),
            *strategic_priorities.chosen(evidence),
            *digital_strategies.chosen(evidence),
        ]
        return choose(found, most=MOST, beside=told)

    return once(evidence, "industry_insights", make)


def build(evidence: Evidence) -> list[Statement]:
    return statements(chosen(evidence))


SECTION = Section("industry_insights", ("filing", "page", "feed_item", "news"), build)
