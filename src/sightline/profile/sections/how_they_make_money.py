"""How they make money: sources of revenue as they describe them, with the share of each part."""

import re
from typing import Final

from sightline.profile import foreign
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.judging import is_bookkeeping, is_formality, is_results
from sightline.profile.money import money, percent, signed_percent
from sightline.profile.patterns import words
from sightline.profile.sections import goals, strategic_priorities
from sightline.profile.sections.divisions import about, year_labels, yearly
from sightline.profile.select import by_language, choose, cues, find, statements
from sightline.profile.sentences import Sentence

MOST: Final = 10
_MOST_SHARES: Final = 6
_MOST_SAID: Final = 6
_CUES: Final = by_language(
    cues(
        (
            r"\b(?:we|the company) (?:primarily |principally |mainly |currently "
            r"|also )?(?:generates?"
            r"|derives?|earns?)\b.{0,80}\b(?:revenues?|sales|income|fees)",
            1.8,
        ),
        (
            r"\b(?:revenues?|net sales|sales) (?:is|are|was|were)? ?(?:primarily |principally "
            r"|mainly "
            r"|substantially )?(?:generated|derived|earned|comprised|composed|consists?"
            r"|includes?)\b",
            1.7,
        ),
        (
            r"\b(?:substantially all|majority|most|significant (?:portion|amount)|\d+(?:%"
            r"| percent))"
            r" of (?:our|its|the company’s) (?:total |net |consolidated )?(?:revenues?|sales)",
            1.5,
        ),
        (
            r"\b(?:subscriptions?|licens(?:es?|ing)|advertising|royalt(?:y|ies)|franchis\w+"
            r"|membership"
            r"|commissions?|transaction fees|premiums|interest income|rent)\b.{0,70}\brevenues?\b",
            1.2,
        ),
        (
            r"\b(?:we|the company) (?:also |primarily |principally )?(?P<what>(?:sells?"
            r"|licenses?|charges?"
            r"|distributes?|markets?)\b.+)",
            1.2,
        ),
        (
            r"\b(?:our|its) (?:products|services|solutions|offerings|customers)\b.{0,60}\b(?:are"
            r"|is) sold\b"
            r"|\bsold (?:primarily |directly |mainly )?(?:to|through)\b",
            1.1,
        ),
        (r"\b(?:business model|revenue model|monetiz\w+ (?:our|through|via|by))\b", 1.4),
    ),
    foreign.MONEY,
)
# How a site tells of its prices.
_PRICES: Final = cues(
    (
        r"\b(?:pricing|price|plans?) (?:starts?|begins?|from)\b|\bper (?:user|seat|month|year)\b"
        r"|\bfree trial\b",
        1.4,
    ),
)
_NOT = words(
    r"\b(?:tax|hedg|currency|risk|adverse|harm|could|may not|litigation|warrant|allowance"
    r"|estimat|judgment|impair|decreas|fluctuat|lease(?:s|d)? (?:facilit|equipment|liabilit|cost"
    r"|approx)"
    r"|standalone selling price|variable consideration|unbilled|suspended|supplier|vendors?"
    r"|purchase from"
    r"|employees|research and development|seasonal|fail|collectab|collectib|derivative"
    r"|marketable securities|excludes?|cost(?:s)? of|we (?:typically )?pay|(?:rail ?)?cars"
    r"|acquisition"
    r"|experienced periods|limited number of|concentrat|provision|write-?down|nft|patents?"
    r"|contingen|defined benefit|treasury|practical expedient|insider|stock-based|trend factors"
    r"|compared to other|constant (?:currency )?rates|average revenue|deferred revenue|macroeconomic"
    r"|which the"
    r" company (?:sells|markets)|service levels|no other customer|denominated|similar individual"
    r"|includes the impact)\w*\b",
)
_PARTS: Final = {
    "business": 1.3,
    "notes": 0.9,
    "review": 1.0,
    "about": 1.1,
    "home": 1.0,
    "products": 1.2,
    "pricing": 1.4,
    "page": 0.9,
}
_SITE: Final = {"home": 1.0, "products": 1.2, "pricing": 1.4, "page": 0.9, "about": 0.9}
# "Services include …", "Our Services segment provides …": what a line is.
_IS: Final = (
    r"(?:\W+(?:\w+\W+){0,6}?)(?:includes?|consists?|compris\w+|is|are|offers?|provides?|sells?"
    r"|designs?"
    r"|develops?|makes?|delivers?|enables?|helps?)\b"
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
        tells = re.compile(rf"^(?:our |the )?{re.escape(name)}{_IS}", re.I)
        fitting = [
            c for c in about(evidence, name, parts=("business",)) if tells.match(c.description)
        ]
        described = choose(fitting, most=1)
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


def _fits(sentence: Sentence) -> bool:
    text = sentence.text
    return not (_NOT.search(text) or is_results(text) or is_bookkeeping(text) or is_formality(text))


def build(evidence: Evidence) -> list[Statement]:
    accept = foreign.speaks_or(_fits)
    found = find(evidence, _CUES, parts=_PARTS, accept=accept, prefer_heading=False, own=True)
    found += find(evidence, _PRICES, parts=_SITE, accept=accept, prefer_heading=False)
    told = [*goals.chosen(evidence), *strategic_priorities.chosen(evidence)]
    said = statements(choose(found, most=_MOST_SAID, beside=told))
    return said + _shares(evidence) or _products(evidence)


SECTION = Section("how_they_make_money", ("filing", "data", "page"), build)
