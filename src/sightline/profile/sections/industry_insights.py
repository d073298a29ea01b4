"""Industry insights: what the company says about its markets, demand, rules and seasons."""

import re
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.select import cues, find, statements
from sightline.profile.sentences import Sentence

MOST: Final = 10
_CUES: Final = cues(
    (
        r"\b(?:industry|market|sector|marketplace)\b.{0,60}\b(?:is|are|has|have|continues?"
        r"|remains?|was|will)\b",
        1.3,
    ),
    (
        r"\b(?:demand for|adoption of|shift (?:to|towards?|from)|trends? (?:in|toward)|growth"
        r" (?:in|of) the)\b",
        1.25,
    ),
    (r"\b(?:total addressable market|market (?:size|share|opportunity)|addressable)\b", 1.4),
    (
        r"\b(?:consumer|customer|enterprise|advertiser|buyer)s?(?:’|')? (?:preferences?"
        r"|behaviou?rs?|spending|demand)",
        1.1,
    ),
    (
        r"\b(?:highly|intensely|extremely|rapidly) (?:competitive|fragmented|regulated|evolving"
        r"|changing)\b",
        1.2,
    ),
    (r"\b(?:seasonal|seasonality|cyclical)\b", 1.0),
    (
        r"\b(?:regulation|legislation|tariffs?|export controls?|inflation|supply chain|interest rates)\b",
        0.9,
    ),
)
_INDUSTRY = re.compile(
    r"\b(?:industry|industries|markets?|marketplace|sector|demand|consumers?|customers|trends?"
    r"|seasonal|cyclical"
    r"|economy|economic|regulat\w+|tariffs?|inflation|adoption)\b",
    re.I,
)
_NOT = re.compile(
    r"\b(?:market (?:price|value|risk|rates?|makers?|conditions? of)|fair value|common stock"
    r"|marketable|dividend"
    r"|securities|money market|foreign currency|stock market|capital markets|credit markets|hedg|amortiz"
    r"|income tax|marketing expense|sales and marketing|nasdaq|new york stock|trading market|lease|audit"
    r"|litigation|plaintiff|court|performance obligation|transaction price|gross margin (?:was"
    r"|in)|impairment)\b",
    re.I,
)
_ELSEWHERE = re.compile(
    r"executive officers|human capital|recruit|retention|compensation|employees|talent|climate|sustainab"
    r"|culture|available information|legal proceedings|accounting|liquidity|cash|manufacturing",
    re.I,
)
_OWN = re.compile(r"^(?:we (?:believe|offer|sell|provide|have|are|will|generate|also)\b)", re.I)


def build(evidence: Evidence) -> list[Statement]:
    def fits(sentence: Sentence) -> bool:
        text = sentence.text
        if (
            _ELSEWHERE.search(sentence.heading or "")
            or _NOT.search(text)
            or not _INDUSTRY.search(text)
        ):
            return False
        own = len(re.findall(r"\b(?:we|our|us)\b", text, re.I))
        return own <= 2 and (not _OWN.match(text) or "industry" in text.casefold())

    parts = {
        "business": 1.3,
        "review": 1.0,
        "release": 0.8,
        "risks": 0.6,
        "about": 0.9,
        "news": 0.7,
    }
    parts |= {"feed_item": 0.7, "products": 0.6, "home": 0.6}
    return statements(find(evidence, _CUES, parts=parts, accept=fits), most=MOST)


SECTION = Section("industry_insights", ("filing", "page", "feed_item", "news"), build)
