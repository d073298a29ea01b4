"""What typed figures say of a company's years and divisions, each in one place: how money
is made or lost, or what speaks for or against the company.

Every row gives its year, its share of the revenue as a field of its own, and the facts that prove it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal

from sightline.domain.amounts import percent, up_or_down
from sightline.profile.contract import Statement
from sightline.profile.evidence import Evidence, FactSeen
from sightline.profile.segments import (
    LEFT_OVER,
    Figures,
    exceed_whole,
    revenue_lines,
    revenue_of,
    year_label,
    yearly,
)
from sightline.profile.years import Year, years
from sightline.reading.money import sums_in

Place = Literal["makes", "loses", "for", "against"]
Placed = tuple[Place, Statement]
Shown = tuple[float, float | None]
"""An amount and its change from the prior year, as a fraction."""

# Metric → how its amount is worded; the name is what stands before the verb.
_WORDED: Final = {
    "gross_profit": "Gross profit was",
    "operating_income": "Operating income was",
    "operating_cash_flow": "Cash from operations was",
    "cost_of_revenue": "Cost of revenue was",
    "selling_general_and_administrative": "Selling, general and administrative expenses were",
    "research_and_development": "Research and development cost",
    "capital_expenditure": "Capital expenditure was",
    "interest_expense": "Interest expense was",
}
_COSTS: Final = list(_WORDED)[3:]
_VERBS: Final = (" was", " were", " cost")

# Fractions of the year before, or of the revenue, from which a figure or a change is worth a word.
_COST_ROSE: Final = 0.01
_OUTGREW: Final = 0.03
_MOVED: Final = 0.1
_DEBT_MOVED: Final = 0.15
_MUCH: Final = 0.4  # of the revenue
_LEAST_SHARE: Final = 0.005
_MARGIN_MOVED: Final = 0.01
_OF_ITSELF: Final = 0.15  # of a margin, from which a small one moved too
_PROFITS: Final = 0.1
_MIX_MOVED: Final = 0.02
_MUCH_DEBT: Final = 4  # times the cash
_MUCH_CASH: Final = 1.5  # times the debt
_GREW, _SHRANK = 0.75, 0.25  # of the revenue over several years
_FEWEST_YEARS: Final = 3
_MOST_DIVISIONS: Final = 4
_MOST_SHIFTS: Final = 3
_ROUNDED: Final = 0.004  # of an amount that a sentence rounds
_WITH_CHANGE: Final = 0.03  # the same, where it gives the change from the year before too
_HALF: Final = 0.5  # percent
PERCENT: Final = re.compile(r"(\d+(?:\.\d+)?) ?(?:%|percent)")


def kept(evidence: Evidence) -> list[Statement]:
    """What was left of the last year's revenue, what each division earned, and parts that gained or lost."""
    return [row for place, row in placed_rows(evidence) if place == "makes"]


def spent(evidence: Evidence) -> list[Statement]:
    """What the last year lost, which divisions lost money, and costs that rose."""
    return [row for place, row in placed_rows(evidence) if place == "loses"]


def standing(evidence: Evidence) -> list[tuple[bool, Statement]]:
    """What the last year's figures say for (True) or against the company."""
    return [
        (place == "for", row) for place, row in placed_rows(evidence) if place in ("for", "against")
    ]


def placed_rows(evidence: Evidence) -> Iterator[Placed]:
    """Everything that is worth a word, each figure in one place."""
    known = years(evidence)
    if known:
        year, before = known[0], next(iter(known[1:]), None)
        yield from _income(year)
        yield from _operations(year, before)
        yield from _cash(year)
        yield from _balance(year)
        yield from _over_years(known)
        yield from _stock(year)
    yield from _results(evidence)
    if known:
        yield from (("loses", row) for row in _costs(year))
    for axis in (revenue_lines(evidence), yearly(evidence, "geography")):
        yield from (("makes", row) for row in _shifts(evidence, axis))


def on_year_before(change: float | None) -> str:
    """ " (up 4% from the prior year)"; "" where that is not known."""
    return f" ({up_or_down(change)} from the prior year)" if change is not None else ""


def rounded(share: float | None) -> float | None:
    return round(share, 4) if share is not None else None


def _place(speaks_for: bool) -> Place:
    return "for" if speaks_for else "against"


def _amount(year: Year, metric: str) -> Statement:
    """ "Gross profit was $3 million in FY2025, 40% of the revenue (up 4% from the prior year)." """
    phrase, share = _WORDED[metric], year.share(metric) or None
    text = f"{phrase} {year.text(metric)} in {year.label}"
    text += f", {percent(share)} of the revenue" if share is not None else ""
    name = next((phrase.removesuffix(verb) for verb in _VERBS if phrase.endswith(verb)), phrase)
    text += on_year_before(year.change(metric))
    return year.row(name, f"{text}.", metric, "revenue", share=rounded(share))


def _income(year: Year) -> Iterator[Placed]:
    """Net income that is much of the revenue, or moved; a loss is one of `changes.figures`."""
    share, change = year.share("net_income"), year.change("net_income") or 0.0
    if share is None or share <= 0 or (share < _PROFITS and abs(change) < _MOVED):
        return
    has_fallen = change < -_MOVED
    name = f"Net income of {year.text('net_income')} in {year.label}"
    name = f"Net income fell {percent(-change)} in {year.label}" if has_fallen else name
    text = (
        f"Net income was {year.text('net_income')} in {year.label}, {percent(share)} of the revenue"
    )
    text += f"{on_year_before(year.change('net_income'))}."
    row = year.row(name, text, "net_income", "revenue", share=rounded(share))
    yield _place(not has_fallen), row


def _operations(year: Year, before: Year | None) -> Iterator[Placed]:
    """The gross profit, unless its cost stands elsewhere, and operating income."""
    if (year.share("gross_profit") or 0.0) > 0 and not _outgrew(year, "cost_of_revenue"):
        yield "makes", _amount(year, "gross_profit")
    now = year.share("operating_income") or 0.0
    if now <= 0:
        return
    then = before.share("operating_income") if before is not None else None
    if before is None or then is None or not year.follows(before):
        yield "makes", _amount(year, "operating_income")
    else:
        yield _margin(year, before, now, then)


def _margin(year: Year, before: Year, now: float, then: float) -> Placed:
    """Operating income, by its margin where that moved."""
    if abs(now - then) < min(_MARGIN_MOVED, _OF_ITSELF * abs(then)):
        return "makes", _amount(year, "operating_income")
    moved = "widened" if now > then else "narrowed"
    row = year.row(
        f"Operating margin {moved} to {percent(now)} in {year.label}",
        f"Operating income was {percent(now)} of the revenue in {year.label}, after {percent(then)} in"
        f" {before.label}.",
        "operating_income", "revenue", share=rounded(now), share_before=rounded(then),
    )  # fmt: skip
    proofs = tuple(before.facts[metric].proof for metric in ("operating_income", "revenue"))
    return _place(now > then), row | {"sources": (*row["sources"], *proofs)}


def _cash(year: Year) -> Iterator[Placed]:
    """Cash from operations: less than property and equipment take, well over it, or much moved."""
    cash, invested = year.amount("operating_cash_flow"), year.amount("capital_expenditure")
    share, change = year.share("operating_cash_flow"), year.change("operating_cash_flow")
    if cash is None or share is None:
        return
    if cash > (invested or 0.0) and change is not None and abs(change) >= _MOVED:
        yield "makes", _amount(year, "operating_cash_flow")
    elif invested is not None and (cash < invested or (cash - invested) / cash * share >= _PROFITS):
        verb = "brought in" if cash >= 0 else "used up"
        text = (
            f"Operations {verb} {year.text('operating_cash_flow')} in cash in {year.label}; property and"
            f" equipment took {year.text('capital_expenditure')}."
        )
        is_less = cash < invested
        than = "Less cash from operations than" if is_less else "Cash from operations well over"
        name = f"{than} capital spending in {year.label}"
        row = year.row(name, text, "operating_cash_flow", "capital_expenditure")
        yield _place(not is_less), row


def _balance(year: Year) -> Iterator[Placed]:
    """More cash than debt or far less, and debt that moved."""
    cash, debt, moved = year.amount("cash"), year.amount("debt"), year.change("debt")
    if cash is None or debt is None:
        return
    # What is due within a year, such as commercial paper, may stand apart.
    kind = "Long-term debt" if "LongTerm" in (year.facts["debt"].pointer or "") else "Debt"
    if cash > _MUCH_CASH * debt or debt > _MUCH_DEBT * cash:
        more = f"More cash than {kind.lower()}" if cash > debt else f"{kind} well over cash"
        name = f"{more} in {year.label}"
        text = (
            f"Cash and cash equivalents were {year.text('cash')} and {kind.lower()} {year.text('debt')} at"
            f" the end of {year.label}."
        )
        yield _place(cash > debt), year.row(name, text, "cash", "debt")
    if moved is not None and abs(moved) >= _DEBT_MOVED:
        name = f"{kind} {'rose' if moved > 0 else 'fell'} {percent(abs(moved))} in {year.label}"
        text = f"{kind} was {year.text('debt')} at the end of {year.label}{on_year_before(moved)}."
        yield _place(moved < 0), year.row(name, text, "debt")


def _over_years(known: Sequence[Year]) -> Iterator[Placed]:
    """How much the revenue moved over all years that are known without a gap, three at least."""
    with_revenue = [each for each in known if each.amount("revenue") is not None]
    gaps = (at for at, (a, b) in enumerate(pairwise(with_revenue), start=1) if not a.follows(b))
    row = with_revenue[: next(gaps, None)]
    then = row[-1].amount("revenue") or 0.0 if len(row) >= _FEWEST_YEARS else 0.0
    if then <= 0:
        return
    newest, oldest = row[0], row[-1]
    moved = (newest.facts["revenue"].amount - then) / then
    if -_SHRANK < moved < _GREW:
        return
    step = f"{'Revenue grew' if moved > 0 else 'Revenue fell'} {percent(abs(moved))} from"
    text = (
        f"Revenue was {newest.text('revenue')} in {newest.label}, after {oldest.text('revenue')} in"
        f" {oldest.label}: {up_or_down(moved)}."
    )
    name = f"{step} {oldest.label} to {newest.label}"
    found = oldest.row(name, text, "revenue", change=rounded(moved))
    proof = newest.facts["revenue"].proof
    yield _place(moved > 0), found | {"sources": (*found["sources"], proof)}


def _stock(year: Year) -> Iterator[Placed]:
    """Inventories that grew faster than the revenue."""
    change, sales = year.change("inventory"), year.change("revenue")
    if change is not None and sales is not None and change - sales > _MOVED:
        name = f"Inventories outgrew revenue in {year.label}"
        text = (
            f"Inventories were {year.text('inventory')} at the end of {year.label},"
            f" {up_or_down(change)} from the prior year; revenue was {up_or_down(sales)}."
        )
        yield "against", year.row(name, text, "inventory", "revenue")


def _costs(year: Year) -> list[Statement]:
    """Costs that outgrew the revenue or are much of it; without a loss the largest that rose at least."""
    known = {metric: year.share(metric) or 0.0 for metric in _COSTS if metric in year.facts}
    chosen = [metric for metric, share in known.items() if _weighs(year, metric, share)]
    if not chosen and (year.amount("net_income") or 0.0) >= 0:
        rose = [each for each in known if (year.change(each) or 0.0) > _COST_ROSE]
        others = (each for each in rose if each != "cost_of_revenue")
        chosen = sorted(others, key=lambda each: -known[each])[:1]
    return [_amount(year, metric) for metric in chosen]


def _weighs(year: Year, metric: str, share: float) -> bool:
    change = year.change(metric)
    if 0 < share < _LEAST_SHARE:
        return False
    has_risen = change is None or change > _COST_ROSE
    is_much = share >= _MUCH and metric != "cost_of_revenue"
    return has_risen if is_much else _outgrew(year, metric)


def _outgrew(year: Year, metric: str) -> bool:
    """Whether a cost grew by more than the revenue."""
    change, revenue = year.change(metric), year.change("revenue")
    if metric == "cost_of_revenue" and not year.costs_add_up:
        return False
    return change is not None and change - max(revenue or 0.0, 0.0) > _OUTGREW


def _results(evidence: Evidence) -> Iterator[Placed]:
    """What divisions earned or lost, the largest first; nothing of what is left over."""
    found = yearly(evidence, "business", metric="operating_income")
    named = [rows[0] for name, rows in found.items() if not LEFT_OVER.search(name)]
    revenues = yearly(evidence, "business")
    for newest in named[:_MOST_DIVISIONS] if len(named) > 1 else ():
        of = next((f for f in revenues.get(newest.name, ()) if f.end == newest.end), None)
        if newest.amount:
            yield "makes" if newest.amount > 0 else "loses", _result(evidence, newest, of)


def _result(evidence: Evidence, newest: FactSeen, revenue: FactSeen | None) -> Statement:
    """ "Rail made a segment profit of $3 million in FY2025, 4% of its revenue." """
    noun = "profit" if newest.amount > 0 else "loss"
    label = year_label(evidence, newest.end)
    text = f"{newest.name} made a segment {noun} of {newest.size} in {label}"
    share = newest.amount / revenue.amount if revenue is not None and revenue.amount > 0 else None
    if share is not None and 0 < share < 1:
        text += f", {percent(share)} of its revenue"
    text += on_year_before(newest.change if newest.amount > 0 else None)
    proofs = tuple(each.proof for each in (newest, revenue) if each is not None)
    row = {"name": f"{newest.name}: segment {noun}", "description": f"{text}."}
    return row | {"share": rounded(share), "sources": proofs}


def _shifts(evidence: Evidence, figures: Figures) -> list[Statement]:
    """The parts whose share of the revenue moved most from the prior year, where parts do not overlap."""
    if len(figures) < 2 or exceed_whole(evidence, figures):
        return []
    found: list[tuple[float, Statement]] = []
    for name, (now, *earlier) in figures.items():
        wholes = [revenue_of(evidence, each.end) for each in (now, *earlier[:1])]
        if LEFT_OVER.search(name) or len(wholes) < 2 or wholes[0] is None or wholes[1] is None:
            continue
        before, whole, whole_before = earlier[0], wholes[0], wholes[1]
        share, then = now.amount / whole.amount, before.amount / whole_before.amount
        text = (
            f"{name} made {percent(share)} of the company's revenue in {year_label(evidence, now.end)},"
            f" after {percent(then)} in {year_label(evidence, before.end)}."
        )
        title = f"{name}: {percent(share)} of the revenue, after {percent(then)}"
        row: Statement = {"name": title, "description": text}
        row |= {"share": rounded(share), "share_before": rounded(then)}
        row["sources"] = tuple(each.proof for each in (before, now, whole, whole_before))
        found += [(abs(share - then), row)] if abs(share - then) >= _MIX_MOVED else []
    found.sort(key=lambda pair: -pair[0])
    return [row for _, row in found[:_MOST_SHIFTS]]


def shown_amounts(evidence: Evidence) -> list[Shown]:
    """The amounts of the last year that rows of figures show, and by how much each changed."""
    facts = [fact for year in years(evidence)[:1] for fact in year.facts.values()]
    for axis in ("business", "product", "geography"):
        facts += [rows[0] for rows in yearly(evidence, axis).values()]
    found: list[Shown] = []
    for fact in facts:
        amount, change = abs(fact.amount), fact.change
        found.append((amount, change))
        if change is not None and change > -1:
            found.append((abs(amount - amount / (1 + change)), None))
    return found


def repeats_amount(text: str, shown: Sequence[Shown]) -> bool:
    """Whether a sentence gives an amount that stands among the figures, as sentences round it; more
    roughly where it gives its change too."""
    sums = [each.amount for each in sums_in(text)]
    shares = [float(each) for each in PERCENT.findall(text)]

    def repeats(amount: float, change: float | None) -> bool:
        off = min((abs(each - amount) for each in sums), default=amount)
        moved = 100 * abs(change) if change is not None else -1.0
        is_moved = any(abs(each - moved) <= _HALF for each in shares)
        return off < (_WITH_CHANGE if is_moved else _ROUNDED) * amount

    return any(repeats(*each) for each in shown)
