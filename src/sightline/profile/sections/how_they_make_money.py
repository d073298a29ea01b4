"""How they make money: revenue by line with share and growth, what is left of it, and the sentences
that give a share of the revenue."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from sightline.domain.amounts import percent
from sightline.profile.choosing import chosen_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote
from sightline.profile.figures import kept, on_year_before, rounded
from sightline.profile.plans import Plan
from sightline.profile.segments import (
    LEFT_OVER,
    divisions,
    revenue_lines,
    revenue_of,
    year_label,
)
from sightline.profile.sentences import Judged, is_own
from sightline.profile.years import add_up, newest_year
from sightline.reading.money import sums_in

_MOST_SHARES: Final = 6
_LEAST_SHARE: Final = 0.01
_LEAST_PERCENT: Final = 5  # of the revenue, in a sentence
# "Net sales for fiscal 1999 were …", "Gross profit …": a sentence about them from its beginning.
_SALES: Final = re.compile(r"(?:\w+ ){0,2}(?:revenues?|sales|(?:gross|operating) profit)\b", re.I)
_SPENT: Final = re.compile(r"\b(?:costs?|expenses?)\b", re.I)
_OFFERS: Final = ("home", "products", "pricing", "customers")
_OFFERED: Final = 0.25  # how specific an offer is at least
_MOST_PRODUCTS: Final = 10
_SHARE_OF_REVENUE: Final = re.compile(
    r"\b(\d+(?:\.\d+)?)(?:%| percent) of (?:[\w.’'-]+ ){0,5}?(?:revenues?|sales)\b", re.I
)


def _shares(evidence: Evidence) -> Iterator[Statement]:
    """Each part of the revenue with its amount and growth, and its share where the parts add up to it; of
    divisions, whose amounts stand with them, only the shares."""
    lines = [rows[0] for rows in revenue_lines(evidence).values()]
    total = sum(max(each.amount, 0.0) for each in lines)
    parts = [each for each in lines[:_MOST_SHARES] if _is_part(each, total)]
    whole = _whole(evidence, lines, total)
    apart = {rows[0].key for rows in divisions(evidence).values()}
    divided = [each for each in parts if each.key in apart]
    for part in (each for each in parts if each.key not in apart):
        yield _part(evidence, part, whole if len(lines) > 1 else None)
    if whole is not None and len(divided) > 1:
        yield _split(evidence, divided, whole)


def _whole(evidence: Evidence, lines: Sequence[FactSeen], total: float) -> FactSeen | None:
    """The company's revenue, where these lines add up to it."""
    revenue = revenue_of(evidence, lines[0].end) if total > 0 else None
    return revenue if revenue is not None and add_up(total, revenue.amount) else None


def _is_part(figure: FactSeen, total: float) -> bool:
    return 0 < total * _LEAST_SHARE <= figure.amount and not LEFT_OVER.search(figure.name)


def _part(evidence: Evidence, part: FactSeen, whole: FactSeen | None) -> Statement:
    share = part.amount / whole.amount if whole is not None else None
    text = f"{part.name} brought in {part.size} in {year_label(evidence, part.end)}"
    text += f", {percent(share)} of the company's revenue" if share is not None else ""
    text += f"{on_year_before(part.change)}."
    proofs = tuple(each.proof for each in (part, whole) if each is not None)
    row = {"name": part.name, "description": text, "share": rounded(share)}
    return row | {"sources": proofs}


def _split(evidence: Evidence, parts: Sequence[FactSeen], whole: FactSeen) -> Statement:
    """The shares of divisions, whose amounts stand with them."""
    shares = {each.name: each.amount / whole.amount for each in parts}
    text = "; ".join(f"{name} {percent(share)}" for name, share in shares.items())
    label = year_label(evidence, parts[0].end)
    return {
        "name": f"Where the revenue of {label} came from",
        "description": f"Shares of the company's revenue in {label}: {text}.",
        "shares": {name: rounded(share) for name, share in shares.items()},
        "sources": (*(each.proof for each in parts), whole.proof),
    }


def _fits(judged: Judged, evidence: Evidence) -> float:
    """A share of the revenue that a report gives; without reports what the site says that it offers."""
    sentence = judged.sentence
    if evidence.annual is None:
        is_offer = sentence.part in _OFFERS and is_own(sentence, evidence.name)
        return judged.specific if is_offer and judged.specific >= _OFFERED else 0.0
    if newest_year(evidence, "revenue") is None and _is_of_sales(judged, evidence):
        return 2.0
    shares = [float(each[1]) for each in _SHARE_OF_REVENUE.finditer(sentence.text)]
    is_told = sentence.part in ("business", "review") and max(shares, default=0.0) >= _LEAST_PERCENT
    is_cost = bool(_SPENT.search(sentence.text))
    if not is_told or is_cost or evidence.is_past_year(sentence):
        return 0.0
    return 0.0 if set(map(round, shares)) <= _shares_shown(evidence) else 3.0


def _shares_shown(evidence: Evidence) -> set[int]:
    """The percentages of the revenue that its parts make."""
    lines = [rows[0] for rows in revenue_lines(evidence).values()]
    whole = _whole(evidence, lines, sum(max(each.amount, 0.0) for each in lines))
    return {round(100 * each.amount / whole.amount) for each in lines} if whole else set()


def _is_of_sales(judged: Judged, evidence: Evidence) -> bool:
    """Whether a report without tagged figures says what its last year's sales or profit were, and beside what
    or by how much they moved."""
    sentence = judged.sentence
    sums = sums_in(sentence.text)
    is_compared = len(sums) > 1 or (bool(sums) and "%" in sentence.text)
    is_told = is_compared and sentence.part == "review" and bool(_SALES.match(sentence.text))
    return is_told and evidence.is_of_newest_year(sentence)


def _products(evidence: Evidence) -> list[Statement]:
    """What the website offers, where no report says how money is made: each product that it describes, and
    the names of the others at once."""
    rows: list[Statement] = []
    others: dict[str, Quote] = {}
    for fact in evidence.members("product"):
        name, said = str(fact.value.get("name") or ""), fact.value.get("description")
        if said and len(rows) < _MOST_PRODUCTS:
            rows.append({"name": name, "description": str(said), "sources": (fact.proof,)})
        elif name:
            others.setdefault(name, fact.proof)
    if others:
        named = list(others)[:_MOST_PRODUCTS]
        text = f"The site offers: {'; '.join(named)}."
        proofs = tuple(dict.fromkeys(others[name] for name in named))
        rows.append({"name": "Products and services", "description": text, "sources": proofs})
    return rows


def build(evidence: Evidence) -> list[Statement]:
    found = [*_shares(evidence), *kept(evidence)] or _products(evidence)
    return [*found, *chosen_of(evidence, "how_they_make_money")]


SECTION = Section(
    "how_they_make_money",
    "How they make money",
    plan=Plan(
        "Where its revenue and profit come from: what it sells to whom, each line with sum, share or growth.",
    ),
    kinds=("filing", "data", "page", "feed_item", "news"),
    build=build,
    fits=_fits,
    most=5,
)
