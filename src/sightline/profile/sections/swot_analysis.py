"""SWOT: strengths and opportunities from the business and its figures, weaknesses and threats from its risks."""

import re
from typing import Final, Literal

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.money import money, newest_year, percent, signed_percent
from sightline.profile.sections.divisions import year_labels, yearly
from sightline.profile.sections.risks import risk_candidates
from sightline.profile.select import Candidate, choose, cues, find, under
from sightline.profile.sentences import Sentence

Side = Literal["STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"]
PER_SIDE: Final = 5

_STRENGTH: Final = cues(
    (r"\b(?:competitive (?:advantages?|strengths?|edge)|differentiat\w+)\b", 1.6),
    (r"\b(?:world’s|world's|nation’s|nation's|industry’s|global|market) (?:largest|leading|leader|most)\b", 1.5),
    (r"\b(?:is|are|as|became|been) (?:the|a|an|one of the|among the) (?:\w+[ -]){0,2}(?:largest|leading|leaders?|best)", 1.5),
    (r"\b(?:leading|leader(?:ship)?|pioneer\w*|market share|first[- ]mover|unmatched|unique(?:ly)?)\b", 1.2),
    (r"\b(?:strong|loyal|trusted|recogni[sz]ed|iconic|award[- ]winning|proven) (?:\w+ ){0,2}(?:brands?|balance sheet"
     r"|customer|relationships?|position|reputation|portfolio|culture|growth|track record)", 1.4),
    (r"\b(?:proprietary|patents? (?:portfolio)?|scale|network effects?|ecosystem|installed base)\b", 0.9),
    (r"\b(?:record|grew|increased|growth of)\b.{0,60}(?:\d+%|percent|billion)", 1.0),
)  # fmt: skip
_OPPORTUNITY: Final = cues(
    (r"\b(?:opportunit(?:y|ies))\b", 1.5),
    (r"\b(?:expand|enter|grow|extend|penetrat)\w* (?:our \w+ |into |in )?(?:\w+ ){0,3}(?:markets?|countries|regions|internationally|customers?|presence|footprint)", 1.4),
    (r"\b(?:growing|increasing|rising|expanding|accelerating) (?:demand|adoption|need|market|interest)", 1.4),
    (r"\baddressable market\b", 1.5),
    (r"\b(?:early (?:stages?|innings)|long[- ]term growth|untapped|underserved|potential (?:to|for|of))\b", 1.2),
)  # fmt: skip
_STRENGTHS_HEADING = re.compile(
    r"strengths?|advantages?|why customers|differentiat|what sets us", re.I
)
_BAD = re.compile(
    r"largest (?:single |\w+ )?customers?|customers? accounted|\b(?:could|might|may not|cannot|risk|adverse|harm|fail|unable|litigation|declin|decreas|loss(?:es)?|impair"
    r"|competitors|compete with|lease|tax|stock|no assurance|difficult|fluctuat|interest rates?|depreciat"
    r"|equity awards?|compensation|diversity|equal|employees? (?:have|are)|cost of)\b",
    re.I,
)
_OUTSIDE = re.compile(
    r"compet|regulat|law|legislat|government|econom|inflation|recession|tariff|trade|geopolit|war\b|terror"
    r"|pandemic|epidemic|climate|weather|natural (?:disaster|catastroph)|cyber|attack|tax|political|currenc|exchange rate"
    r"|interest rate|litigation|third[- ]part(?:y|ies) claim|infring|technological change|consumer (?:spending"
    r"|confidence|demand|preferences)|privacy|antitrust|sanction|industry|market conditions|counterfeit|fraud",
    re.I,
)
_INSIDE = re.compile(
    r"depend|rel(?:y|iance|ies)|concentrat|limited number|history of (?:net )?loss|net losses|indebted|leverage|debt"
    r"|key (?:personnel|employee)|attract|retain|our ability|unable|fail(?:ure)?|inability|manage (?:our )?growth|integrat"
    r"|acquisition|supplier|defect|quality|capacity|single|sole|inventory|limited operating|impairment|lose money"
    r"|profitab|fluctuat|not be able|restructur|reputation|brand|labor|union|pension|seasonal|execut",
    re.I,
)


def _said(evidence: Evidence, side: Side) -> list[Candidate]:
    def fits(sentence: Sentence) -> bool:
        return not _BAD.search(sentence.text)

    parts = {
        "business": 1.3,
        "review": 0.8,
        "release": 0.9,
        "about": 1.1,
        "home": 1.0,
        "products": 0.8,
    }
    parts |= {"news": 0.8, "feed_item": 0.8, "customers": 0.8}
    found = find(
        evidence, _STRENGTH if side == "STRENGTH" else _OPPORTUNITY, parts=parts, accept=fits
    )
    annual = evidence.annual
    if side == "STRENGTH" and annual is not None:
        headings = under(annual, "business", _STRENGTHS_HEADING)
        found += find(
            evidence,
            cues((r".", 1.9)),
            parts={"business": 1.3},
            accept=lambda s: fits(s) and (s.heading or "") in headings and s.start - s.line < 90,
            named_by_heading=True,
        )
    return found


def _figures(evidence: Evidence) -> list[tuple[Side, Candidate]]:
    """What the figures of the last year say: growth or decline of the whole and its parts, cash, loss."""
    found: list[tuple[Side, Candidate]] = []

    def add(side: Side, name: str, text: str, proof: Quote, score: float) -> None:
        found.append((side, Candidate(name, text, (proof,), score)))

    revenue, income = newest_year(evidence, "revenue"), newest_year(evidence, "net_income")
    cash, debt = newest_year(evidence, "cash"), newest_year(evidence, "debt")
    if revenue is not None and (change := revenue.value.get("change")) is not None:
        label, amount = (
            revenue.value["label"],
            money(revenue.value["amount"], revenue.value["currency"]),
        )
        if change >= 0.05:
            text = f"Revenue was {amount} in {label}, {signed_percent(change)} on the year before."
            add(
                "STRENGTH",
                f"Revenue growth of {percent(change)} in {label}",
                text,
                revenue.proof,
                2.2,
            )
        elif change <= -0.02:
            text = f"Revenue was {amount} in {label}, {signed_percent(change)} on the year before."
            add("WEAKNESS", f"Revenue down {percent(-change)} in {label}", text, revenue.proof, 2.6)
    if income is not None and income.value["amount"] < 0:
        label, amount = (
            income.value["label"],
            money(-income.value["amount"], income.value["currency"]),
        )
        add(
            "WEAKNESS",
            f"Net loss in {label}",
            f"The net loss was {amount} in {label}.",
            income.proof,
            2.6,
        )
    if cash is not None and (debt is None or cash.value["amount"] > debt.value["amount"]):
        label, amount = cash.value["label"], money(cash.value["amount"], cash.value["currency"])
        beside = (
            f", more than its debt of {money(debt.value['amount'], debt.value['currency'])}"
            if debt
            else ""
        )
        text = f"Cash and cash equivalents were {amount} at the end of {label}{beside}."
        if debt is not None and debt.value["label"] == label:
            found.append(
                ("STRENGTH", Candidate("Cash exceeds debt", text, (cash.proof, debt.proof), 1.9))
            )
    labels = year_labels(evidence)
    for name, rows in yearly(evidence, "business").items():
        newest, label = rows[0], labels.get(rows[0].end) or f"FY{rows[0].end.year}"
        if newest.change is None or len(yearly(evidence, "business")) < 2:
            continue
        amount = money(newest.amount, newest.fact.value.get("currency") or "USD")
        text = f"{name} revenue was {amount} in {label}, {signed_percent(newest.change)} on the year before."
        if newest.change >= 0.15:
            add(
                "STRENGTH",
                f"{name} revenue up {percent(newest.change)}",
                text,
                newest.fact.proof,
                1.8,
            )
        elif newest.change <= -0.03:
            add(
                "WEAKNESS",
                f"{name} revenue down {percent(-newest.change)}",
                text,
                newest.fact.proof,
                2.2,
            )
    return found


def side_of_risk(text: str) -> Side:
    """A risk from outside is a threat, one of the company's own making a weakness."""
    outside, inside = len(_OUTSIDE.findall(text)), len(_INSIDE.findall(text))
    return "WEAKNESS" if inside > outside else "THREAT"


def build(evidence: Evidence) -> list[Statement]:
    pools: dict[Side, list[Candidate]] = {
        "STRENGTH": _said(evidence, "STRENGTH"),
        "WEAKNESS": [],
        "OPPORTUNITY": _said(evidence, "OPPORTUNITY"),
        "THREAT": [],
    }
    for risk in risk_candidates(evidence):
        caption = risk.quotes[0].text or risk.description
        pools[side_of_risk(caption)].append(risk)
    for side, figure in _figures(evidence):
        pools[side].append(figure)
    found: list[Statement] = []
    taken: list[Candidate] = []
    for side, pool in pools.items():
        fresh = [c for c in pool if all(c.description != t.description for t in taken)]
        for each in choose(fresh, most=PER_SIDE):
            each.extra["type"] = side
            taken.append(each)
            found.append(each.statement())
    return found


SECTION = Section("swot_analysis", ("filing", "data", "page", "feed_item", "news"), build)
