"""How they lose money: what their costs are, what drives them up, where they lose."""

import re
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.money import money, newest_year, signed_percent
from sightline.profile.select import choose, cues, find
from sightline.profile.sentences import Sentence

MOST: Final = 8
_CUES: Final = cues(
    (
        r"\b(?:cost of (?:revenues?|sales|goods sold|products|services)|cost of net"
        r" revenues?)\b.{0,40}\b(?:consists?|includes?|comprise|primarily)",
        1.8,
    ),
    (
        r"\b(?:operating|general and administrative|research and development|sales and marketing"
        r"|selling|marketing|technology|fulfillment|SG&A|R&D|demand creation"
        r"|overhead)\b.{0,60}\b(?:expenses?|costs?|spending)\b.{0,60}\b(?:consists?|includes?"
        r"|increased|rose|grew|higher)",
        1.5,
    ),
    (
        r"\b(?:expenses?|costs?)\b.{0,60}\b(?:increased|rose|grew|higher)\b.{0,80}\b(?:due to"
        r"|driven by|because|primarily|reflecting|as a result)",
        1.5,
    ),
    (
        r"\b(?:gross|operating|profit) margins?\b.{0,50}\b(?:decreased|declined|lower|contracted"
        r"|fell)\b",
        1.5,
    ),
    (r"\bnet loss(?:es)?\b|\boperating loss(?:es)?\b|\baccumulated deficit\b", 1.4),
    (
        r"\b(?:impairment|restructuring|write-?downs?|severance|inventory"
        r" provisions?)\b.{0,50}\b(?:charges?|costs?|of \$|million|billion)",
        1.2,
    ),
    (
        r"\b(?:decrease|decline) in (?:revenues?|net sales|sales|operating income|gross (?:profit"
        r"|margin))",
        1.2,
    ),
)
_NOT = re.compile(
    r"\b(?:could|might|may (?:not|be|result|have)|fair value|pension|per share|tax(?:es)?|hedg"
    r"|derivative|accounting"
    r"|unrecogni[sz]ed|plan assets|repurchase|dividends?|net operating loss|loss contingenc"
    r"|credit loss|loss carry"
    r"|defined as|we calculate|measure)\w*\b",
    re.I,
)


def _loss(evidence: Evidence) -> list[Statement]:
    income = newest_year(evidence, "net_income")
    if income is None or income.value["amount"] >= 0:
        return []
    value = income.value
    text = f"The net loss was {money(-value['amount'], value['currency'])} in {value['label']}."
    return [
        {"name": f"Net loss in {value['label']}", "description": text, "sources": (income.proof,)}
    ]


def _spending(evidence: Evidence) -> list[Statement]:
    spent = newest_year(evidence, "research_and_development")
    if spent is None:
        return []
    value = spent.value
    text = f"Research and development cost {money(value['amount'], value['currency'])} in {value['label']}"
    if value.get("change") is not None:
        text += f" ({signed_percent(value['change'])} on the year before)"
    return [
        {"name": "Research and development", "description": f"{text}.", "sources": (spent.proof,)}
    ]


def build(evidence: Evidence) -> list[Statement]:
    def fits(sentence: Sentence) -> bool:
        return not _NOT.search(sentence.text)

    parts = {"review": 1.3, "notes": 0.5, "business": 0.8, "release": 0.9}
    said = choose(
        find(evidence, _CUES, parts=parts, accept=fits, prefer_heading=True, asides=True), most=MOST
    )
    return [*_loss(evidence), *(c.statement() for c in said), *_spending(evidence)]


SECTION = Section("how_they_lose_money", ("filing", "data"), build)
