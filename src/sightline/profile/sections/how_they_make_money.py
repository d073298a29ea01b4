"""How they make money: revenue by line with share and growth, what is left of it, and what reports say of
sales, orders and customers."""

from collections.abc import Iterator, Sequence
from typing import Final

from sightline.domain.amounts import percent
from sightline.profile.choosing import chosen_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote
from sightline.profile.figures import on_year_before, rounded, rows_of
from sightline.profile.plans import Plan
from sightline.profile.segments import LEFT_OVER, divisions, revenue_lines, revenue_of, year_label
from sightline.profile.years import add_up

_MOST_SHARES: Final = 6
_LEAST_SHARE: Final = 0.01
_MOST_PRODUCTS: Final = 10


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
    of = part.value.get("of")  # the one division that a report gives the line of
    name = f"{of}: {part.name}" if of else part.name
    text = f"{name} brought in {part.size} in {year_label(evidence, part.end)}"
    text += f", {percent(share)} of the company's revenue" if share is not None else ""
    text += f"{on_year_before(part.change)}."
    proofs = tuple(each.proof for each in (part, whole) if each is not None)
    row = {"name": name, "description": text, "share": rounded(share)}
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
    found = [*_shares(evidence), *rows_of(evidence, "makes")] or _products(evidence)
    return [*found, *chosen_of(evidence, "how_they_make_money")]


SECTION = Section(
    "how_they_make_money",
    "How they make money",
    plan=Plan(
        "What its revenue tells, no list of its lines: one statement on their shape (the largest with share"
        " and change, beside it which grew or shrank most), then what drove sales, prices, margins or profit,"
        " and what is ordered or contracted; each with figure and cause."
    ),
    kinds=("filing", "data", "page", "feed_item", "news"),
    build=build,
    holds=("makes",),
)
