"""How they lose money: what their costs are, what drives them up, where they lose."""

import re
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.judging import is_announcement, is_good_news, is_of_the_past
from sightline.profile.money import money, newest_year, signed_percent
from sightline.profile.patterns import words
from sightline.profile.select import choose, cues, find, statements
from sightline.profile.sentences import Sentence

MOST: Final = 8
_NET_LOSS = re.compile(r"^net loss\b", re.I)
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
_NOT = words(
    r"\b(?:could|might|may (?:not|be|result|have)|fair value|pension|per share|tax(?:es)?|hedg"
    r"|derivative|accounting|cash (?:flows?|provided|used)|antidilutive|dilutive|analyses"
    r"|stock market"
    r"|unrecogni[sz]ed|plan assets|repurchase|dividends?|net operating loss|loss contingenc"
    r"|other comprehensive"
    r"|credit loss|loss carry|unallocated|deferred compensation|remained (?:largely )?consistent"
    r"|remain consistent|were consistent|was consistent|we define|non-cash|held for sale"
    r"|defined as|we calculate|measure)\w*\b",
)
# Profits told beside losses, and how a figure is made up.
_NO_COST = re.compile(
    r"\bnet income\b(?!.{0,60}\b(?:decreas|declin|fell|lower))|\bnet gains\b|\b(?:is|are) to be excluded\b"
    r"|^excludes?\b|\bexpense item\b|\baccumulated deficit (?:de|in)creased\b|\bwe review\b"
    r"|\bdebt, net\b|\bgoodwill on the\b|\baccruals?\b|\bliabilit(?:y|ies) (?:for|related)\b|\bvaluation of\b"
    r"|\bclassified (?:as|within|in)\b|\bare (?:probable|estimable)\b|\bimmaterial\b"
    r"|\beffectiveness testing\b|\buseful li(?:fe|ves)\b|\baccumulated impairment\b|\bnormal capacity\b"
    r"|\bcharges? (?:is|are) recognized\b"
    r"|^amounts (?:in|ex)cluded\b|^if\b"
    r"|\bcosts? to obtain\b|\bnot (?:material|recognize)\b|\bno (?:\w+ )?impairment"
    r"|\bas a percent(?:age)? of\b.{0,60}\b(?:same|flat|unchanged|for 20\d\d and 20\d\d)\b|\bpress release\b"
    r"|^(?:of|the (?:\$\S+ \w+ )?(?:\w+-on-\w+|increase|decrease|decline|improvement)) ",
    re.I,
)
_LIST = re.compile(r"\$[\d,.]+(?: [mb]illion)?,(?: and)? \$")  # "were $4, $7 and $3": no news
# Costs that fell, margins that rose: how they save money.
_SAVES = re.compile(
    r"\b(?:expenses?|costs?|SG&A|spending)\b[^,;.]{0,60}\b(?:decreased|declined|were lower|fell"
    r"|improved)\b"
    r"|\bmargins?\b[^,;.]{0,40}\b(?:increased|improved|expanded|rose)\b"
    r"|\b(?:decrease|decline|reduction) in (?:\w+ )?(?:expenses?|costs?)\b|\bimproved gross\b"
    r"|\bgains? (?:on|of)\b",
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


def _fits(sentence: Sentence) -> bool:
    """Whether a sentence tells of costs and losses of the year reported, not of one before."""
    text = sentence.text
    if _LIST.search(text) or _NO_COST.search(text) or is_announcement(text) or is_good_news(text):
        return False
    return not (
        _NOT.search(text) or _SAVES.search(text) or is_of_the_past(text, sentence.document.year)
    )


def build(evidence: Evidence) -> list[Statement]:
    parts = {"review": 1.3, "notes": 0.4, "business": 0.8, "release": 0.9}
    found = find(evidence, _CUES, parts=parts, accept=_fits, asides=True)
    loss, spending = _loss(evidence), _spending(evidence)
    if loss:  # said by the figure already
        found = [c for c in found if not _NET_LOSS.search(c.name)]
    return [*loss, *statements(choose(found, most=MOST)), *spending]


SECTION = Section("how_they_lose_money", ("filing", "data"), build)
