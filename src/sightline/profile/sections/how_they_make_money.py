"""How they make money: sources of revenue as they describe them, with the share of each part."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from sightline.profile import foreign
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Document, Evidence, Quote
from sightline.profile.judging import is_bookkeeping, is_broken, is_formality, is_results
from sightline.profile.money import money, newest_year, percent, signed_percent
from sightline.profile.names import heading_name
from sightline.profile.patterns import words
from sightline.profile.sections import goals, strategic_priorities
from sightline.profile.sections.divisions import (
    WHOLE,
    Figure,
    about,
    revenue_of,
    year_labels,
    yearly,
)
from sightline.profile.select import by_language, choose, cues, find, statements
from sightline.profile.sentences import Sentence, is_statement, spaced

MOST: Final = 10
_MOST_SHARES: Final = 6
_MOST_SAID: Final = 6
_MOST_OF_IT: Final = 0.75
_MOST_PRICES: Final = 4
_OFFER = re.compile(r"[A-ZÀ-Þ0-9][\w’'&+ -]{2,40}(?<! )")
_PRICED = re.compile(
    r"(?P<name>[A-ZÀ-Þ][\w’'&+ -]{1,40}): (?=.{0,40}[$€£]\s?\d)"
    r".{4,100}?\b(?:month|year|user|seat|week|hour)\b.{0,60}"
)
_SAYS_NOTHING: Final = re.compile(
    r"(?:(?:sales?|revenues?) of )?(?:products?|services?|goods|others?)(?: and services?)?"
    r"(?:,? (?:net|other|sales?|revenues?|and other))*",
    re.I,
)
_ANY_LINE = re.compile(r"(?:products?|services?|others?|sales|subscriptions?)", re.I)
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
    r"|copyright|entitled to|audiences|measure of|contribution margin|relative to the"
    r"|includes the impact|methodolog|individual customer|receivable)\w*\b",
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


def _lines(evidence: Evidence) -> dict[str, list[Figure]]:
    """Revenue by product line; by division where the lines are one, or leave out much that these tell."""
    products, divisions = yearly(evidence, "product"), yearly(evidence, "business")
    if len(products) < 2 or not divisions:
        return divisions or products
    revenue = revenue_of(evidence, next(iter(products.values()))[0].end)
    if all(_SAYS_NOTHING.fullmatch(name) for name in products):  # "Sales of products"
        return divisions
    told = [sum(rows[0].amount for rows in each.values()) for each in (products, divisions)]
    if revenue and told[0] < min(_MOST_OF_IT * revenue.value["amount"], told[1]):
        return divisions
    return products


def _shares(evidence: Evidence) -> list[Statement]:
    """Each part of the revenue with its amount, share and growth."""
    figures = _lines(evidence)
    if not figures:
        return []
    labels = year_labels(evidence)
    reported = sum(rows[0].amount for rows in figures.values() if rows[0].amount > 0)
    revenue = revenue_of(evidence, next(iter(figures.values()))[0].end)
    year = revenue if revenue and reported <= revenue.value["amount"] * WHOLE else None
    total = float(year.value["amount"]) if year else reported
    whole = "the company's revenue" if year else "the revenue reported by line"
    found = []
    for name, rows in list(figures.items())[:_MOST_SHARES]:
        newest = rows[0]
        if newest.amount <= 0 or total <= 0:
            continue
        label = labels.get(newest.end) or f"FY{newest.end.year}"
        amount = money(newest.amount, newest.fact.value.get("currency") or "USD")
        text = f"{name} brought in {amount} in {label}"
        if len(figures) > 1:
            text += f", {percent(newest.amount / total)} of {whole}"
        if newest.change is not None:
            text += f" ({signed_percent(newest.change)} on the year before)"
        tells = re.compile(rf"^(?:our |the )?{re.escape(name)}{_IS}", re.I)
        said = () if _ANY_LINE.fullmatch(name) else about(evidence, name, parts=("business",))
        fitting = [c for c in said if tells.match(c.description)]
        described = choose(fitting, most=1, named=False)
        text += f". {described[0].description}" if described else "."
        found.append(
            {
                "name": name,
                "description": text,
                "share": round(newest.amount / total, 4) if len(figures) > 1 else None,
                "sources": (
                    newest.fact.proof,
                    *((year.proof,) if year else ()),
                    *(described[0].quotes if described else ()),
                ),
            }
        )
    return found


def _products(evidence: Evidence) -> list[Statement]:
    """What is sold and at what price, from the web site, where no filing says how."""
    found = _prices(evidence)
    seen = {row["name"].casefold() for row in found}
    told = dict(_offers(evidence))
    for fact in evidence.members("product"):
        name, said = str(fact.value.get("name") or ""), fact.value.get("description")
        if not name or name.casefold() in seen:
            continue
        seen.add(name.casefold())
        quote = told[name.casefold()][1] if not said and name.casefold() in told else None
        text = quote.text if quote else str(said) if said else f"Offers {name}."
        sources = (fact.proof, quote) if quote else (fact.proof,)
        found.append({"name": name, "description": text, "sources": sources})
    for key, (name, below) in told.items():
        if key not in seen:
            found.append({"name": name, "description": below.text, "sources": (below,)})
    return found[:MOST]


def _offers(evidence: Evidence) -> Iterator[tuple[str, tuple[str, Quote]]]:
    """What pages about products list: a name on a line, and what it is on the next."""
    for line, below, document in _lines_of(evidence, "products"):
        named = _OFFER.fullmatch(line) and heading_name(line) == line
        if named and is_statement(below) and not is_broken(below):
            yield line.casefold(), (line, Quote(document.document_id, below))


def _prices(evidence: Evidence) -> list[Statement]:
    """Lines of the web site that name a price by the month, the year or the seat."""
    found: dict[str, Statement] = {}
    for line, _, document in _lines_of(evidence, "pricing", "products"):
        priced = _PRICED.fullmatch(line)
        if priced and priced["name"].casefold() not in found:
            found[priced["name"].casefold()] = {
                "name": priced["name"],
                "description": line,
                "sources": (Quote(document.document_id, line),),
            }
    return list(found.values())[:_MOST_PRICES]


def _lines_of(evidence: Evidence, *parts: str) -> Iterator[tuple[str, str, Document]]:
    """Lines of passages of the parts, each with the line below it."""
    for document in evidence.reading:
        if document.form is not None:
            continue
        for span, part in zip(document.spans, document.parts, strict=True):
            if part in parts:
                lines = [spaced(x) for x in document.text[span.start : span.end].split("\n")]
                yield from ((a, b, document) for a, b in pairwise([*filter(None, lines), ""]))


def _fits(sentence: Sentence) -> bool:
    text = sentence.text
    return not (_NOT.search(text) or is_results(text) or is_bookkeeping(text) or is_formality(text))


def build(evidence: Evidence) -> list[Statement]:
    accept = foreign.speaks_or(_fits)
    found = find(evidence, _CUES, parts=_PARTS, accept=accept, prefer_heading=False, own=True)
    found += find(evidence, _PRICES, parts=_SITE, accept=accept, prefer_heading=False)
    told = [*goals.chosen(evidence), *strategic_priorities.chosen(evidence)]
    said = statements(choose(found, most=_MOST_SAID, beside=told))
    return [*said, *_shares(evidence), *_left_over(evidence)] or _products(evidence)


def _left_over(evidence: Evidence) -> Iterator[Statement]:
    """What is left of the last year's revenue after the cost of what was sold, and after all costs
    of the business."""
    revenue = newest_year(evidence, "revenue")
    for metric, name in (
        ("gross_profit", "Gross profit"),
        ("operating_income", "Operating income"),
    ):
        fact = newest_year(evidence, metric)
        if revenue is None or fact is None or fact.value["amount"] <= 0:
            continue
        label, change = fact.value["label"], fact.value.get("change")
        if label != revenue.value["label"]:
            continue
        kept, whole = (money(f.value["amount"], f.value["currency"]) for f in (fact, revenue))
        moved = f" ({signed_percent(change)} on the year before)" if change is not None else ""
        text = f"{name} was {kept} in {label}{moved}, of {whole} revenue."
        yield {"name": name, "description": text, "sources": (fact.proof, revenue.proof)}


SECTION = Section("how_they_make_money", ("filing", "data", "page"), build)
