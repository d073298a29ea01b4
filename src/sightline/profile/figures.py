"""What typed figures say of a company's last year and of its divisions, each in one place: how money is made
or lost, or what speaks for or against the company. Every row gives its period, and the facts that prove it.
"""

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final, Literal

from sightline.domain.amounts import percent, up_or_down
from sightline.profile.contract import Statement
from sightline.profile.evidence import Evidence, FactSeen
from sightline.profile.segments import LEFT_OVER, divisions, year_label, yearly
from sightline.profile.years import Year, newest_quarter, years
from sightline.reading.money import sums_in

Place = Literal["makes", "loses", "for", "against"]
Placed = tuple[Place, Statement]
Shown = tuple[float, float | None]
"""An amount and its change from the prior year, as a fraction."""

# Metric → how its amount is worded; the name is what stands before the verb.
_WORDED: Final = {
    "operating_income": "Operating income was",
    "cost_of_revenue": "Cost of revenue was",
    "selling_general_and_administrative": "Selling, general and administrative expenses were",
    "research_and_development": "Research and development cost",
    "capital_expenditure": "Capital expenditure was",
    "interest_expense": "Interest expense was",
}
_COSTS: Final = list(_WORDED)[1:]
_CHARGES: Final = {
    "restructuring": "Restructuring charges",
    "impairment": "Impairments",
    "inventory_write_down": "Write-downs of inventories",
    "litigation": "Charges for litigation",
}
_VERBS: Final = (" was", " were", " cost")

# Fractions of the year before, or of the revenue, from which a figure or a change is worth a word.
_GROWS, _SHRINKS = 0.05, 0.02
_COST_ROSE: Final = 0.01
_OUTGREW: Final = 0.03
_MOVED, _FELL = 0.1, 0.05
_DEBT_MOVED: Final = 0.15
_MUCH: Final = 0.4  # of the revenue
_LEAST_SHARE: Final = 0.005
_LEAST_CHARGE: Final = 0.002  # of the revenue
_MARGIN_MOVED: Final = 0.01
_OF_ITSELF: Final = 0.15  # of a margin, from which a small one moved too
_PROFITS: Final = 0.1
_MOST_DIVISIONS: Final = 4
_ROUNDED: Final = 0.004  # of an amount that a sentence rounds
_WITH_CHANGE: Final = 0.012  # the same, where it gives the change from the year before too
_HALF: Final = 0.5  # percent
PERCENT: Final = re.compile(r"(\d+(?:\.\d+)?) ?(?:%|percent)")


def rows_of(evidence: Evidence, *places: Place) -> list[Statement]:
    """The rows of some places: "makes" and "loses" money, or speaks "for" and "against" the company."""
    return [row for place, row in placed_rows(evidence) if place in places]


def placed_rows(evidence: Evidence) -> Iterator[Placed]:
    """Everything that is worth a word, each figure in one place."""
    year, before, *_ = (*years(evidence), None, None)
    yield from _revenue(evidence, year)
    yield from _segments(evidence)
    if year is not None:
        yield from _income(year)
        yield from _operations(year, before)
        yield from _cash_and_debt(year)
        yield from _stock(year)
    yield from _results(evidence)
    if year is not None:
        yield from _charges(year, before)
        yield from (("loses", _amount(year, metric)) for metric in _costs(year))


def on_year_before(change: float | None) -> str:
    """ " (up 4% from the prior year)"; "" where that is not known."""
    return f" ({up_or_down(change)} from the prior year)" if change is not None else ""


def rounded(share: float | None) -> float | None:
    return round(share, 4) if share is not None else None


def _place(speaks_for: bool) -> Place:
    return "for" if speaks_for else "against"


def _amount(year: Year, metric: str) -> Statement:
    """ "Operating income was $3 million in FY2025, 40% of the revenue (up 4% from the prior year)." """
    phrase, share = _WORDED[metric], year.share(metric) or None
    text = f"{phrase} {year.text(metric)} in {year.label}"
    text += f", {percent(share)} of the revenue" if share is not None else ""
    name = next((phrase.removesuffix(verb) for verb in _VERBS if phrase.endswith(verb)), phrase)
    text += on_year_before(year.change(metric))
    return year.row(name, f"{text}.", metric, "revenue", share=rounded(share))


def _moved(
    fact: FactSeen,
    noun: str,
    *,
    label: str,
    verb: str = "grew",
    when: str = "in",
    is_good: bool = True,
) -> Placed:
    """A figure that rose or fell: "Revenue was $3 million in FY2025 (up 4% from the prior year)." """
    change = fact.change or 0.0
    name = f"{noun} {verb if change > 0 else 'fell'} {percent(abs(change))} in {label}"
    text = f"{noun} was {fact.size} {when} {label}{on_year_before(change)}."
    row: Statement = {"name": name, "description": text, "sources": (fact.proof,)}
    return _place((change > 0) is is_good), row


def _revenue(evidence: Evidence, year: Year | None) -> Iterator[Placed]:
    """Revenue that grew or fell, in a quarter after the last year and in that year."""
    of_year = year.facts.get("revenue") if year is not None else None
    for fact in filter(None, (newest_quarter(evidence), of_year)):
        if not -_SHRINKS < (fact.change or 0.0) < _GROWS:
            yield _moved(fact, "Revenue", label=fact.label)


def of_divisions(evidence: Evidence) -> list[tuple[float, Placed]]:
    """The changes of the revenue of large divisions with what is told of each, what fell most first."""
    parts = [newest for newest, *_ in divisions(evidence).values()][:_MOST_DIVISIONS]
    known = [(part.change, part) for part in parts if part.change is not None]
    return [
        (change, _moved(part, f"Revenue of {part.name}", label=year_label(evidence, part.end)))
        for change, part in sorted(known, key=itemgetter(0))
    ]


def _segments(evidence: Evidence) -> Iterator[Placed]:
    """Of the large divisions those whose revenue grew most and fell most."""
    parts = of_divisions(evidence)
    ends = [*parts[-1:], *parts[:1]] if len(parts) > 1 else []
    for (change, told), is_good in zip(ends, (True, False), strict=False):
        if change >= _MOVED if is_good else change <= -_FELL:
            yield told


def _income(year: Year) -> Iterator[Placed]:
    """A loss, and net income that is much of the revenue, or moved."""
    income, share = year.amount("net_income"), year.share("net_income")
    if income is not None and income < 0:
        said = f"et loss of {year.text('net_income')} in {year.label}"
        yield "loses", year.row(f"N{said}", f"It made a n{said}.", "net_income")
    change = year.change("net_income") or 0.0
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
    """Operating income, by its margin where that moved."""
    now = year.share("operating_income") or 0.0
    is_next = before is not None and year.follows(before)
    then = before.share("operating_income") if before is not None and is_next else None
    if now <= 0:
        return
    if (
        before is None
        or then is None
        or abs(now - then) < min(_MARGIN_MOVED, _OF_ITSELF * abs(then))
    ):
        yield "makes", _amount(year, "operating_income")
        return
    moved = "widened" if now > then else "narrowed"
    row = year.row(
        f"Operating margin {moved} to {percent(now)} in {year.label}",
        f"Operating income was {percent(now)} of the revenue in {year.label}, after {percent(then)} in"
        f" {before.label}.",
        "operating_income", "revenue", margin=rounded(now), margin_before=rounded(then),
    )  # fmt: skip
    proofs = tuple(before.facts[metric].proof for metric in ("operating_income", "revenue"))
    yield _place(now > then), row | {"sources": (*row["sources"], *proofs)}


def _cash_and_debt(year: Year) -> Iterator[Placed]:
    """What operations brought in, and debt, where they moved. What is due within a year, such as commercial
    paper, may stand apart from the debt."""
    cash, debt = year.facts.get("operating_cash_flow"), year.facts.get("debt")
    if cash is not None and cash.amount > 0 and abs(cash.change or 0.0) >= _MOVED:
        yield _moved(cash, "Operating cash flow", label=year.label)
    if debt is not None and abs(debt.change or 0.0) >= _DEBT_MOVED:
        noun = "Long-term debt" if "LongTerm" in (debt.pointer or "") else "Debt"
        when = "at the end of"
        yield _moved(debt, noun, label=year.label, verb="rose", when=when, is_good=False)


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


def _charges(year: Year, before: Year | None) -> Iterator[Placed]:
    """What was charged against the income of a year, with the same of the year before."""
    for metric, noun in _CHARGES.items():
        if (year.share(metric) or 0.0) >= _LEAST_CHARGE:
            text, facts = f"{noun} were {year.text(metric)} in {year.label}", [year.facts[metric]]
            earlier = before.facts.get(metric) if before and year.follows(before) else None
            if before and earlier and earlier.element == facts[0].element:
                text += f", after {before.text(metric)} in {before.label}"
                facts.append(earlier)
            proofs = tuple(each.proof for each in facts)
            yield "loses", {"name": noun, "description": f"{text}.", "sources": proofs}


def _costs(year: Year) -> list[str]:
    """Costs that outgrew the revenue or are much of it."""
    known = {metric: year.share(metric) or 0.0 for metric in _COSTS if metric in year.facts}
    return [metric for metric, share in known.items() if _weighs(year, metric, share)]


def risen_cost(evidence: Evidence) -> list[Statement]:
    """Of the last year the cost that rose most, with its share of the revenue."""
    year = next(iter(years(evidence)), None)
    risen = {m: c for m in _COSTS if year and (c := year.change(m)) is not None and c > _COST_ROSE}
    most = max(risen, key=risen.__getitem__, default=None)
    return [_amount(year, most)] if year is not None and most is not None else []


def _weighs(year: Year, metric: str, share: float) -> bool:
    change, revenue = year.change(metric), year.change("revenue")
    if 0 < share < _LEAST_SHARE or (metric == "cost_of_revenue" and not year.costs_add_up):
        return False
    if share >= _MUCH and metric != "cost_of_revenue":
        return change is None or change > _COST_ROSE
    return change is not None and change - max(revenue or 0.0, 0.0) > _OUTGREW


def _results(evidence: Evidence) -> Iterator[Placed]:
    """What divisions earned or lost, the largest first; nothing of what is left over."""
    found = yearly(evidence, "business", metric="operating_income")
    named = [rows for name, rows in found.items() if not LEFT_OVER.search(name)]
    revenues = yearly(evidence, "business")
    for newest, *earlier in named[:_MOST_DIVISIONS] if len(named) > 1 else ():
        of = next((f for f in revenues.get(newest.name, ()) if f.end == newest.end), None)
        if newest.amount:
            row = _result(evidence, newest, of, earlier[0] if earlier else None)
            yield "makes" if newest.amount > 0 else "loses", row


def _result(
    evidence: Evidence, newest: FactSeen, revenue: FactSeen | None, before: FactSeen | None
) -> Statement:
    """ "Rail made a segment profit of $3 million in FY2025, 4% of its revenue."; a loss with the year before,
    as it may be a small one after a large one."""
    noun = "profit" if newest.amount > 0 else "loss"
    label = year_label(evidence, newest.end)
    text = f"{newest.name} made a segment {noun} of {newest.size} in {label}"
    margin = newest.amount / revenue.amount if revenue is not None and revenue.amount > 0 else None
    if margin is not None and 0 < margin < 1:
        text += f", {percent(margin)} of its revenue"
    text += on_year_before(newest.change if newest.amount > 0 else None)
    is_shown = newest.amount < 0 and before is not None
    if is_shown and before is not None:
        then = "profit" if before.amount > 0 else "loss"
        text += f", after a {then} of {before.size} in {year_label(evidence, before.end)}"
    shown = (newest, revenue, before if is_shown else None)
    proofs = tuple(each.proof for each in shown if each is not None)
    row = {"name": f"{newest.name}: segment {noun}", "description": f"{text}."}
    return row | {"margin": rounded(margin), "sources": proofs}


def shown_amounts(evidence: Evidence) -> list[Shown]:
    """The amounts of the last year that rows of figures show, and by how much each changed."""
    facts = [fact for year in years(evidence)[:1] for fact in year.facts.values()]
    for axis in ("business", "product", "geography"):
        facts += [rows[0] for rows in yearly(evidence, axis).values()]
    facts += [rows[0] for rows in yearly(evidence, "business", metric="operating_income").values()]
    return [(abs(fact.amount), fact.change) for fact in facts]


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
