"""How they make money: sources of revenue as they describe them, with the share of each part."""

import re
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.money import money, percent, signed_percent
from sightline.profile.sections.divisions import about, year_labels, yearly
from sightline.profile.select import choose, cues, find
from sightline.profile.sentences import Sentence

MOST: Final = 10
_MOST_SHARES: Final = 6
_CUES: Final = cues(
    (
        r"\b(?:we|the company) (?:primarily |principally |mainly |currently |also )?(?:generates?"
        r"|derives?|earns?)\b.{0,80}\b(?:revenues?|sales|income|fees)",
        1.8,
    ),
    (
        r"\b(?:revenues?|net sales) (?:is|are|was|were)? ?(?:primarily |principally |mainly "
        r"|substantially )?(?:generated|derived|earned|comprised|composed|consists?|includes?)",
        1.7,
    ),
    (
        r"\b(?:substantially all|majority|most|significant (?:portion|amount)) of (?:our|its|the"
        r" company’s) (?:total |net )?(?:revenues?|sales)",
        1.5,
    ),
    (
        r"\b(?:subscriptions?|licens(?:es?|ing)|advertising|royalt(?:y|ies)|franchis\w+|membership"
        r"|commissions?|transaction fees|premiums|interest income|rent)\b.{0,70}\brevenues?\b",
        1.2,
    ),
    (r"\b(?:we|the company) (?:sells?|licenses?|charges?|leases?|distributes?|markets?)\b", 1.1),
    (
        r"\b(?:pricing|price|plans?) (?:starts?|begins?|from)\b|\bper (?:user|seat|month|year)\b"
        r"|\bfree trial\b",
        1.4,
    ),
    (r"\b(?:business model|revenue model|monetiz\w+)\b", 1.4),
)
_NOT = re.compile(
    r"\b(?:tax|hedg|currency|risk|adverse|harm|could|may not|litigation|warrant|allowance"
    r"|estimat|judgment|impair"
    r"|decreas|deferred|fluctuat|lease (?:liabilit|cost)|standalone selling price|variable"
    r" consideration|unbilled"
    r"|employees|research and development|seasonal|fail|collectab|collectib|derivative"
    r"|marketable securities|excludes?"
    r"|experienced periods|limited number of|concentrat|cost of (?:sales|revenue|goods)|provision|write-?down"
    r"|contingen|defined benefit|treasury|ASC|ASU|practical expedient|insider|stock-based)\w*\b",
    re.I,
)


def _shares(evidence: Evidence) -> list[Statement]:
    """Each part of the revenue with its amount, share and growth."""
    figures = yearly(evidence, "product") or yearly(evidence, "business")
    if len(figures) < 2:
        figures = yearly(evidence, "business") or figures
    labels = year_labels(evidence)
    total = sum(rows[0].amount for rows in figures.values() if rows[0].amount > 0)
    found = []
    for name, rows in list(figures.items())[:_MOST_SHARES]:
        newest = rows[0]
        if newest.amount <= 0 or total <= 0:
            continue
        label = labels.get(newest.end) or f"FY{newest.end.year}"
        amount = money(newest.amount, newest.fact.value.get("currency") or "USD")
        text = f"{name} brought in {amount} in {label}"
        if len(figures) > 1:
            text += f", {percent(newest.amount / total)} of the revenue reported by line"
        if newest.change is not None:
            text += f" ({signed_percent(newest.change)} on the year before)"
        described = choose(about(evidence, name, parts=("business",)), most=1)
        text += f". {described[0].description}" if described else "."
        found.append(
            {
                "name": name,
                "description": text,
                "sources": (newest.fact.proof, *(described[0].quotes if described else ())),
            }
        )
    return found


def _products(evidence: Evidence) -> list[Statement]:
    """What is sold, from the web site, where no filing says how."""
    found: list[Statement] = []
    seen: set[str] = set()
    for fact in evidence.members("product"):
        name, said = str(fact.value.get("name") or ""), fact.value.get("description")
        if name and name.casefold() not in seen and len(found) < MOST:
            seen.add(name.casefold())
            text = str(said) if said else f"Offers {name}."
            found.append({"name": name, "description": text, "sources": (fact.proof,)})
    return found


def build(evidence: Evidence) -> list[Statement]:
    def fits(sentence: Sentence) -> bool:
        return not _NOT.search(sentence.text)

    parts = {
        "business": 1.3,
        "notes": 0.9,
        "review": 1.0,
        "about": 1.1,
        "home": 1.0,
        "products": 1.2,
        "pricing": 1.4,
    }
    said = choose(find(evidence, _CUES, parts=parts, accept=fits, prefer_heading=False), most=6)
    found = [c.statement() for c in said] + _shares(evidence)
    return found or _products(evidence)


SECTION = Section("how_they_make_money", ("filing", "data", "page"), build)
