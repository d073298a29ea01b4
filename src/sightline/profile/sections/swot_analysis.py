"""SWOT: strengths and opportunities from the business, weaknesses and threats from its risks."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Literal

from sightline.profile import foreign
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, FactSeen
from sightline.profile.first_person import speaks_of
from sightline.profile.judging import is_business, is_hedged
from sightline.profile.money import money, newest_year, percent, signed_percent
from sightline.profile.sections import digital_strategies, strategic_priorities
from sightline.profile.sections.divisions import LEFT_OVER, year_labels, yearly
from sightline.profile.sections.risks import risk_candidates
from sightline.profile.select import Candidate, by_language, choose, cues, find, under
from sightline.profile.sentences import Sentence

Side = Literal["STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"]
PER_SIDE: Final = 5
_TOLD: Final = 0.5
# Fractions of the year before from which growth or decline is worth a word.
_GROWS: Final = 0.05
_SHRINKS: Final = 0.02
_PROFITS: Final = 0.1
_MUCH_DEBT: Final = 4  # times the cash
_DIVISION_GROWS: Final = 0.15
_DIVISION_SHRINKS: Final = 0.03

_STRENGTH: Final = by_language(
    cues(
        (
            r"\b(?:we|our|us)\b.{0,120}\b(?:competitive (?:advantages?|strengths?|edge)"
            r"|differentiat\w+)\b"
            r"|\b(?:competitive (?:advantages?|strengths?|edge)|differentiat\w+)\b.{0,80}\b(?:we"
            r"|our|us)\b",
            1.6,
        ),
        (
            r"\b(?:we|our|the company)\b.{0,80}\b(?:world’s|world's|nation’s|nation's|industry’s"
            r"|global"
            r"|market) (?:largest|leading|leader|most)\b",
            1.5,
        ),
        (
            r"^(?:we|the company|our [\w ]{3,40}) (?:is|are|became|have been|has been) (?:the|a"
            r"|an|one of"
            r" the|among the) (?:\w+[ -]){0,2}(?:largest|leading|leaders?|best|only|first)\b",
            1.7,
        ),
        (
            r"\b(?:our|we (?:are|have|hold))\b.{0,60}\b(?:leading|leader(?:ship)?|pioneer\w*"
            r"|market share"
            r"|first[- ]mover|unmatched|unique(?:ly)?)\b",
            1.2,
        ),
        (
            r"\b(?:strong|loyal|trusted|recogni[sz]ed|iconic|award[- ]winning"
            r"|proven) (?:\w+ ){0,2}(?:brands?"
            r"|balance sheet|customer|relationships?|position|reputation|portfolio|growth"
            r"|track record)",
            1.4,
        ),
        (
            r"\bour (?:\w+ ){0,3}(?:proprietary|patents?|patent portfolio|scale|network effects?"
            r"|ecosystem"
            r"|installed base)\b",
            0.9,
        ),
        (r"\b(?:record)\b.{0,60}(?:\d+%|percent|billion|million)", 1.0),
    ),
    foreign.STRENGTH,
)
_OPPORTUNITY: Final = by_language(
    cues(
        (
            r"\b(?:growth|market|significant|large|substantial|new|additional|untapped|sales"
            r"|expansion"
            r"|long-term|attractive|revenue|international|compelling"
            r"|promising) (?:\w+ )?opportunit(?:y|ies)\b",
            1.5,
        ),
        (
            r"\bopportunit(?:y|ies) (?:to|for|in) (?:\w+ )?(?:expand|grow|increas|deepen|captur"
            r"|gain|penetrat"
            r"|accelerat|develop|improv|sell|serv|cross|extend|enter)",
            1.5,
        ),
        (
            r"\b(?:expand|enter|grow|extend|penetrat)(?:ing|s)? (?:our \w+ |into "
            r"|in )?(?:\w+ ){0,3}"
            r"(?:markets?|countries|regions|internationally|customer base|presence|footprint)",
            1.4,
        ),
        (
            r"\b(?:growing|increasing|rising|expanding|accelerating) (?:demand|adoption|need"
            r"|market"
            r"|interest)",
            1.4,
        ),
        (r"\baddressable market\b", 1.5),
        (r"\b(?:early (?:stages?|innings)|long[- ]term growth|untapped|underserved)\b", 1.2),
    ),
    foreign.OPPORTUNITY,
)
_STRENGTHS_HEADING = re.compile(
    r"strengths?\b|(?<!medicare )\badvantages?\b|why customers|differentiat|what sets us", re.I
)
_BAD = re.compile(
    r"(?:expect|change)\w* (?:our )?competition|\bcompetition\b|largest (?:single "
    r"|\w+ )?customers?|customers? accounted|equal opportunit\w*|equitable|with (?:an?|the)"
    r" opportunit|offer (?:our )?\w+ the opportunit|leading (?:suppliers|providers|competitors) of"
    r"|combination of (?:\w+ )?(?:patents?|intellectual)|trade secrets?|copyrights?|in all years presented"
    r"|we believe we (?:\w+ )?compete|licensed brands|conflict|marketing activities"
    r"|marketing objectives|stakeholders|social impact|united nations"
    r"|seeks to confirm|potential acquisition|associates"
    r"|legacy|single largest individual|legal and regulatory|announced|expanding number|enforc\w+"
    r"|(?:employees|associates) the opportunit\w*"
    r"|development opportunit\w*|(?:could|might|may not|cannot|competitive(?! (?:advantage"
    r"|strength|edge|position))"
    r"|risk|adverse|harm|fail|unable|litigation|declin|decreas|loss(?:es)?|impair"
    r"|competitors|compete with|lease|tax|stock|no assurance|difficult|fluctuat|interest rates?"
    r"|depreciat"
    r"|equity awards?|compensation|diversity|equal|employees? (?:have|are)|cost of)\b",
    re.I,
)
_FIRST: Final = 90  # characters of a paragraph
_CONDITION = re.compile(r"(?:if|in the event|unless|should)\b", re.I)
_OUTSIDE = re.compile(
    r"compet|regulat|law|legislat|government|econom|inflation|recession|tariff|trade|geopolit"
    r"|war\b|terror"
    r"|pandemic|epidemic|climate|weather|natural (?:disaster|catastroph)|cyber|attack|tax"
    r"|political|currenc|exchange rate"
    r"|interest rate|litigation|third[- ]part(?:y|ies) claim|infring|technological change"
    r"|consumer (?:spending"
    r"|confidence|demand|preferences)|privacy|antitrust|sanction|industry|market conditions"
    r"|counterfeit|fraud",
    re.I,
)
_INSIDE = re.compile(
    r"depend|rel(?:y|iance|ies)|concentrat|limited number|history of (?:net )?loss|net losses"
    r"|indebted|leverage|debt"
    r"|key (?:personnel|employee)|attract|retain|our ability|unable|fail(?:ure)?|inability"
    r"|manage (?:our )?growth|integrat"
    r"|acquisition|supplier|defect|quality|capacity|single|sole|inventory|limited operating"
    r"|impairment|lose money"
    r"|profitab|fluctuat|not be able|restructur|reputation|brand|labor|union|pension|seasonal"
    r"|execut",
    re.I,
)


def _said(evidence: Evidence, side: Side) -> list[Candidate]:
    def fits(sentence: Sentence) -> bool:
        text = sentence.text
        if _BAD.search(text) or _CONDITION.match(text) or not is_business(text):
            return False
        return side == "OPPORTUNITY" or not is_hedged(text)

    parts = {
        "business": 1.3,
        "review": 0.8,
        "release": 0.9,
        "about": 1.1,
        "home": 1.0,
        "products": 0.8,
    }
    parts |= {"news": 0.8, "feed_item": 0.8, "customers": 0.8, "page": 0.7}
    wanted = _STRENGTH if side == "STRENGTH" else _OPPORTUNITY
    found = find(
        evidence,
        wanted,
        parts=parts,
        accept=foreign.speaks_or(fits),
        own=True,
        prefer_heading=False,
    )
    annual = evidence.annual
    if side == "STRENGTH" and annual is not None:
        headings, speaks = under(annual, "business", _STRENGTHS_HEADING), speaks_of(evidence.name)
        found += find(
            evidence,
            cues((r".", 1.9)),
            parts={"business": 1.3},
            accept=lambda s: (
                fits(s)
                and (s.heading or "") in headings
                and s.start - s.line < _FIRST
                and speaks.search(s.text) is not None
            ),
            named_by_heading=True,
        )
    return found


def _figures(evidence: Evidence) -> list[tuple[Side, Candidate]]:
    """What the figures of the last year say of the whole and its parts."""
    return [*_of_the_whole(evidence), *_of_the_parts(evidence)]


def _of_the_whole(evidence: Evidence) -> Iterator[tuple[Side, Candidate]]:
    """Growth or decline of the revenue, a loss, more cash than debt."""
    revenue, income = newest_year(evidence, "revenue"), newest_year(evidence, "net_income")
    cash, debt = newest_year(evidence, "cash"), newest_year(evidence, "debt")
    change = revenue.value.get("change") if revenue is not None else None
    if revenue is not None and change is not None and not -_SHRINKS < change < _GROWS:
        label = revenue.value["label"]
        text = f"Revenue was {_amount(revenue)} in {label}, {signed_percent(change)} on the year before."
        grows = change > 0
        moved = "growth of" if grows else "down"
        name = f"Revenue {moved} {percent(abs(change))} in {label}"
        side: Side = "STRENGTH" if grows else "WEAKNESS"
        yield side, Candidate(name, text, (revenue.proof,), 2.2 if grows else 2.6)
    if income is not None and income.value["amount"] < 0:
        label = income.value["label"]
        lost = money(-income.value["amount"], income.value["currency"])
        text = f"The net loss was {lost} in {label}."
        yield "WEAKNESS", Candidate(f"Net loss in {label}", text, (income.proof,), 2.6)
    if revenue is not None and income is not None and _is_profitable(revenue, income):
        label = income.value["label"]
        text = f"Net income was {_amount(income)} in {label}, of {_amount(revenue)} revenue."
        proofs = (income.proof, revenue.proof)
        yield (
            "STRENGTH",
            Candidate(f"Net income of {_amount(income)} in {label}", text, proofs, 1.7),
        )
    if cash is not None and debt is not None and cash.value["label"] == debt.value["label"]:
        text = (
            f"Cash and cash equivalents were {_amount(cash)} at the end of {cash.value['label']},"
            f" more than its debt of {_amount(debt)}."
        )
        proofs = (cash.proof, debt.proof)
        if cash.value["amount"] > debt.value["amount"]:
            yield "STRENGTH", Candidate("Cash exceeds debt", text, proofs, 1.9)
        elif debt.value["amount"] > _MUCH_DEBT * cash.value["amount"]:
            text = (
                f"Debt was {_amount(debt)} at the end of {debt.value['label']}, and cash and cash"
                f" equivalents {_amount(cash)}."
            )
            yield "WEAKNESS", Candidate("Debt well over cash", text, proofs, 1.6)


def _is_profitable(revenue: FactSeen, income: FactSeen) -> bool:
    """Whether a tenth or more of the year's revenue was left as income."""
    same = revenue.value["label"] == income.value["label"]
    amount: float = revenue.value["amount"]
    return bool(same and amount > 0 and income.value["amount"] >= _PROFITS * amount)


def _of_the_parts(evidence: Evidence) -> Iterator[tuple[Side, Candidate]]:
    """Divisions that grow fast or shrink."""
    labels, divisions = year_labels(evidence), yearly(evidence, "business")
    named = {name: rows for name, rows in divisions.items() if not LEFT_OVER.search(name)}
    for name, rows in named.items() if len(divisions) > 1 else ():
        newest, change = rows[0], rows[0].change
        if change is None or -_DIVISION_SHRINKS < change < _DIVISION_GROWS:
            continue
        label = labels.get(newest.end) or f"FY{newest.end.year}"
        text = (
            f"{name} revenue was {_amount(newest.fact)} in {label},"
            f" {signed_percent(change)} on the year before."
        )
        proof = (newest.fact.proof,)
        if change > 0:
            yield "STRENGTH", Candidate(f"{name} revenue up {percent(change)}", text, proof, 2.0)
        else:
            yield "WEAKNESS", Candidate(f"{name} revenue down {percent(-change)}", text, proof, 2.2)


def _amount(fact: FactSeen) -> str:
    return money(fact.value["amount"], fact.value.get("currency") or "USD")


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
    # What is told elsewhere stands here only where nothing else does.
    told = [*strategic_priorities.chosen(evidence), *digital_strategies.chosen(evidence)]
    known = {quote for each in told for quote in each.quotes}
    for each in (*pools["STRENGTH"], *pools["OPPORTUNITY"]):
        each.score *= _TOLD if known & set(each.quotes) else 1.0
    found: list[Statement] = []
    taken: list[Candidate] = []
    for side, pool in pools.items():
        for each in choose(pool, most=PER_SIDE, beside=taken):
            taken.append(each)
            # The risks among them are also a section of their own, which has no sides.
            found.append(replace(each, extra={"type": side}).statement())
    return found


SECTION = Section("swot_analysis", ("filing", "data", "page", "feed_item", "news"), build)
