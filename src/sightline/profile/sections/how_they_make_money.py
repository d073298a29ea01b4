"""How they make money: revenue by line with share and growth, what is left of it, and the sentences
that give a share of the revenue."""

import re
from collections.abc import Iterator
from typing import Final

from sightline.domain.amounts import up_or_down
from sightline.profile.choosing import statement_of, without_repeats
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.money import money, newest_year, percent
from sightline.profile.segments import Figure, exceed_whole, revenue_of, year_label, yearly
from sightline.profile.sentences import stands_alone
from sightline.profile.written_plans import Plan

_MOST_SHARES: Final = 6
_MOST_SENTENCES: Final = 4
_MOST_PRODUCTS: Final = 10
_MOST_OF_IT: Final = 0.75
_SHARE_OF_REVENUE: Final = re.compile(
    r"\b(?:\d+(?:\.\d+)?%|\d+ percent) of (?:\w+[’']?s? ){0,5}?(?:revenues?|sales)\b", re.I
)


def _lines(evidence: Evidence) -> dict[str, list[Figure]]:
    """Revenue by product line; by division where the lines leave out much that these have."""
    products, divisions = yearly(evidence, "product"), yearly(evidence, "business")
    if len(products) < 2 or not divisions:
        return divisions or products
    revenue = revenue_of(evidence, next(iter(products.values()))[0].end)
    sums = [sum(rows[0].amount for rows in each.values()) for each in (products, divisions)]
    if revenue and sums[0] < min(_MOST_OF_IT * revenue.value["amount"], sums[1]):
        return divisions
    return products


def _shares(evidence: Evidence) -> Iterator[Statement]:
    """Each part of the revenue with its amount, share and growth."""
    figures = _lines(evidence)
    if not figures:
        return
    reported = sum(rows[0].amount for rows in figures.values() if rows[0].amount > 0)
    revenue = revenue_of(evidence, next(iter(figures.values()))[0].end)
    year = revenue if revenue and not exceed_whole(evidence, figures) else None
    total = float(year.value["amount"]) if year else reported
    whole = "the company's revenue" if year else "the revenue reported by line"
    for name, rows in list(figures.items())[:_MOST_SHARES]:
        newest = rows[0]
        if newest.amount <= 0 or total <= 0:
            continue
        amount = money(newest.amount, newest.fact.value.get("currency") or "USD")
        text = f"{name} brought in {amount} in {year_label(evidence, newest.end)}"
        if len(figures) > 1:
            text += f", {percent(newest.amount / total)} of {whole}"
        if newest.change is not None:
            text += f" ({up_or_down(newest.change)} on the year before)"
        yield {
            "name": name,
            "description": f"{text}.",
            "share": round(newest.amount / total, 4) if len(figures) > 1 else None,
            "sources": (newest.fact.proof, *((year.proof,) if year else ())),
        }


def _left_over(evidence: Evidence) -> Iterator[Statement]:
    """What is left of the last year's revenue after the cost of sales, and after all costs."""
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
        moved = f" ({up_or_down(change)} on the year before)" if change is not None else ""
        text = f"{name} was {kept} in {label}{moved}, of {whole} revenue."
        yield {"name": name, "description": text, "sources": (fact.proof, revenue.proof)}


def _said(evidence: Evidence) -> list[Statement]:
    found = [
        sentence
        for document in evidence.reading
        for sentence in document.sentences
        if sentence.part in ("business", "review")
        and _SHARE_OF_REVENUE.search(sentence.text)
        and stands_alone(sentence.text)
    ]
    return [
        statement_of(each)
        for each in without_repeats(found, lambda s: s.text, most=_MOST_SENTENCES)
    ]


def _products(evidence: Evidence) -> Iterator[Statement]:
    """What the web site offers, where no report says how money is made."""
    seen: set[str] = set()
    for fact in evidence.members("product"):
        name, said = str(fact.value.get("name") or ""), fact.value.get("description")
        if name and name.casefold() not in seen and len(seen) < _MOST_PRODUCTS:
            seen.add(name.casefold())
            text = str(said) if said else f"Offers {name}."
            yield {"name": name, "description": text, "sources": (fact.proof,)}


def build(evidence: Evidence) -> list[Statement]:
    found = [*_shares(evidence), *_left_over(evidence), *_said(evidence)]
    return found or list(_products(evidence))


SECTION = Section(
    "how_they_make_money",
    "How they make money",
    plan=Plan("Write how it earns its money."),
    kinds=("filing", "data", "page"),
    build=build,
)
