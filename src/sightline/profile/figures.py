"""What typed figures say of a company's years and divisions: one frame for amounts, one for changes.

Every row gives its year, its share of the revenue as a field of its own, and the facts that prove it.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final

from sightline.domain.amounts import up_or_down
from sightline.profile.contract import Statement
from sightline.profile.evidence import Evidence, FactSeen
from sightline.profile.money import money, percent, periods
from sightline.profile.segments import LEFT_OVER, Figure, add_up, year_label, yearly
from sightline.reading.money import sums_in

# Metric → (name, how its amount is worded).
_KEPT: Final = {
    "gross_profit": ("Gross profit", "Gross profit was"),
    "operating_income": ("Operating income", "Operating income was"),
    "operating_cash_flow": ("Cash from operations", "Operations brought in cash of"),
}
_SPENT: Final = {
    "cost_of_revenue": ("Cost of revenue", "Cost of revenue was"),
    "selling_general_and_administrative": (
        "Selling, general and administrative expenses",
        "Selling, general and administrative expenses were",
    ),
    "research_and_development": ("Research and development", "Research and development cost"),
    "capital_expenditure": ("Capital expenditure", "Capital expenditure was"),
    "interest_expense": ("Interest expense", "Interest expense was"),
}
_OPERATING: Final = ("selling_general_and_administrative", "research_and_development")
_OF_A_YEAR: Final = (
    "revenue", "net_income", "cash", "debt", "inventory", *_KEPT, *_SPENT,
)  # fmt: skip

# Fractions of the year before, or of the revenue, from which a change is worth a word.
_COST_ROSE: Final = 0.01
_OUTGREW: Final = 0.03
_CASH_MOVED: Final = 0.1
_MUCH: Final = 0.4  # of the revenue
_INVESTED: Final = ("research_and_development", "capital_expenditure")
_LEAST_SHARE: Final = 0.005
_MARGIN_MOVED: Final = 0.01
_OF_ITSELF: Final = 0.15  # of a margin, from which a small one moved too
_PROFITS: Final = 0.1
_INCOME_MOVED: Final = 0.1
_STOCKED: Final = 0.1
_MUCH_DEBT: Final = 4  # times the cash
_MOST_DIVISIONS: Final = 4
_DEBT_MOVED: Final = 0.15
_GREW, _SHRANK = 0.75, 0.25  # of the revenue over several years
_FEWEST_YEARS: Final = 3
_ROUNDED: Final = 0.004  # of an amount that a sentence rounds
_A_YEAR: Final = 400  # days, from the end of one to that of the next at most


@dataclass(frozen=True, slots=True)
class Year:
    """The figures of a fiscal year by metric."""

    label: str
    end: date
    facts: Mapping[str, FactSeen]

    def amount(self, metric: str) -> float | None:
        fact = self.facts.get(metric)
        return float(fact.value["amount"]) if fact is not None else None

    def share(self, metric: str) -> float | None:
        """The fraction of the revenue; None where either is not known."""
        amount, revenue = self.amount(metric), self.amount("revenue")
        return amount / revenue if amount is not None and revenue and revenue > 0 else None

    def change(self, metric: str) -> float | None:
        """The fraction on the year before."""
        fact = self.facts.get(metric)
        change = fact.value.get("change") if fact is not None else None
        return float(change) if change is not None else None

    @property
    def costs_add_up(self) -> bool:
        """Whether the cost of revenue is all that the revenue cost: with the gross profit, or with the other
        costs of operations and their income, it makes the revenue."""
        revenue, cost, gross, income = (
            self.amount(metric)
            for metric in ("revenue", "cost_of_revenue", "gross_profit", "operating_income")
        )
        if revenue is None or cost is None:
            return False
        others = sum(self.amount(metric) or 0.0 for metric in _OPERATING)
        rests = (gross, others + income if income is not None else None)
        return any(rest is not None and add_up(cost + rest, revenue) for rest in rests)

    def text(self, metric: str) -> str:
        """The size of an amount: "$3.1 billion"."""
        value = self.facts[metric].value
        return money(abs(value["amount"]), value.get("currency") or "USD")

    def row(self, name: str, text: str, *metrics: str, **more: object) -> Statement:
        """A statement of these figures."""
        proofs = tuple(self.facts[metric].proof for metric in metrics if metric in self.facts)
        return {"name": name, "description": text, **more, "sources": proofs}


def years(evidence: Evidence) -> list[Year]:
    """The fiscal years of which figures are known, the newest first."""
    found: dict[tuple[date, str], dict[str, FactSeen]] = defaultdict(dict)
    for metric in _OF_A_YEAR:
        for (label, end), fact in periods(evidence, metric).items():
            if label.startswith("FY"):
                found[end, label][metric] = fact
    return [Year(label, end, found[end, label]) for end, label in sorted(found, reverse=True)]


def kept(evidence: Evidence) -> Iterator[Statement]:
    """What was left of the last year's revenue, and what each division earned."""
    for year, before in _last(evidence):
        for metric, (name, phrase) in _KEPT.items():
            share = year.share(metric)
            if share is not None and share > 0 and _is_news(year, before, metric):
                yield _amount(year, metric, name, phrase, share)
    for name, rows in _results(evidence).items():
        if rows[0].amount > 0:
            yield _result(evidence, name, rows[0])


def _last(evidence: Evidence) -> list[tuple[Year, Year | None]]:
    """The last year with the one before."""
    known = years(evidence)
    return [(known[0], known[1] if len(known) > 1 else None)] if known else []


def _is_news(year: Year, before: Year | None, metric: str) -> bool:
    """Whether what was kept says more than its margin, its cash or its cost does elsewhere."""
    match metric:
        case "operating_income":
            return not list(_margin(year, before))
        case "operating_cash_flow":
            moved, invested = year.change(metric), year.amount("capital_expenditure") or 0.0
            is_enough = (year.amount(metric) or 0.0) >= invested
            return is_enough and moved is not None and abs(moved) >= _CASH_MOVED
        case _:
            return not _outgrew(year, "cost_of_revenue")


def _outgrew(year: Year, metric: str) -> bool:
    """Whether a cost grew by more than the revenue."""
    change, revenue = year.change(metric), year.change("revenue")
    if metric == "cost_of_revenue" and not year.costs_add_up:
        return False
    return change is not None and change - max(revenue or 0.0, 0.0) > _OUTGREW


def spent(evidence: Evidence) -> Iterator[Statement]:
    """What the last year lost, which divisions lost money, and costs that rose."""
    for name, rows in _results(evidence).items():
        if rows[0].amount < 0:
            yield _result(evidence, name, rows[0])
    for year, _ in _last(evidence):
        known = {metric: year.share(metric) or 0.0 for metric in _SPENT if metric in year.facts}
        chosen = [metric for metric, share in known.items() if _weighs(year, metric, share)]
        if not chosen and (year.amount("net_income") or 0.0) >= 0:
            chosen = sorted(known.keys() - {"cost_of_revenue"}, key=lambda each: -known[each])[:1]
        for metric in chosen:
            yield _amount(year, metric, *_SPENT[metric], known[metric] or None)


def _weighs(year: Year, metric: str, share: float) -> bool:
    """Whether a cost is worth a word: it outgrew the revenue, is much of it, or buys what is to come."""
    change = year.change(metric)
    if 0 < share < _LEAST_SHARE:
        return False
    if metric in _INVESTED:
        return change is None or change > _COST_ROSE
    is_much = share >= _MUCH and metric != "cost_of_revenue"
    return _outgrew(year, metric) or (is_much and (change is None or change > _COST_ROSE))


def _amount(year: Year, metric: str, name: str, phrase: str, share: float | None) -> Statement:
    text = f"{phrase} {year.text(metric)} in {year.label}"
    if share is not None:
        text += f", {percent(share)} of the revenue"
    text += on_year_before(year.change(metric))
    return year.row(name, f"{text}.", metric, "revenue", share=rounded(share))


def on_year_before(change: float | None) -> str:
    """ " (up 4% on the year before)"; "" where that is not known."""
    return f" ({up_or_down(change)} on the year before)" if change is not None else ""


def rounded(share: float | None) -> float | None:
    return round(share, 4) if share is not None else None


def _results(evidence: Evidence) -> dict[str, list[Figure]]:
    """What divisions earned or lost, the largest first; nothing of what is left over."""
    found = yearly(evidence, "business", metric="operating_income")
    named = {name: rows for name, rows in found.items() if not LEFT_OVER.search(name)}
    return dict(list(named.items())[:_MOST_DIVISIONS]) if len(named) > 1 else {}


def _result(evidence: Evidence, name: str, newest: Figure) -> Statement:
    """ "Rail made a segment profit of $3 million in FY2025, 4% of its revenue." """
    noun = "profit" if newest.amount > 0 else "loss"
    text = f"{name} made a segment {noun} of {newest.text} in {year_label(evidence, newest.end)}"
    whole = next(
        (f for f in yearly(evidence, "business").get(name, ()) if f.end == newest.end), None
    )
    share = newest.amount / whole.amount if whole is not None and whole.amount > 0 else None
    if share is not None and 0 < share < 1:
        text += f", {percent(share)} of its revenue"
    text += on_year_before(newest.change if newest.amount > 0 else None)
    proofs = tuple(each.fact.proof for each in (newest, whole) if each is not None)
    row = {"name": f"{name}: segment {noun}", "description": f"{text}.", "share": rounded(share)}
    return row | {"sources": proofs}


def standing(evidence: Evidence) -> Iterator[tuple[bool, Statement]]:
    """What the last year's figures say for (True) or against the company."""
    known = years(evidence)
    if not known:
        return
    year = known[0]
    yield from _income(year)
    yield from _margin(year, known[1] if len(known) > 1 else None)
    yield from _free_cash(year)
    yield from _balance(year)
    yield from _over_years(known)
    change, sales = year.change("inventory"), year.change("revenue")
    if change is not None and sales is not None and change - sales > _STOCKED:
        text = (
            f"Inventories were {year.text('inventory')} at the end of {year.label},"
            f" {up_or_down(change)} on the year before; revenue was {up_or_down(sales)}."
        )
        yield (
            False,
            year.row(f"Inventories outgrew revenue in {year.label}", text, "inventory", "revenue"),
        )


def _income(year: Year) -> Iterator[tuple[bool, Statement]]:
    share, change = year.share("net_income"), year.change("net_income")
    if share is None or share <= 0:
        return  # of a loss `changes.figures` tells
    text = (
        f"Net income was {year.text('net_income')} in {year.label}, {percent(share)} of the revenue"
    )
    moved = on_year_before(change)
    if change is not None and change < -_INCOME_MOVED:
        name = f"Net income fell {percent(-change)} in {year.label}"
        yield (
            False,
            year.row(name, f"{text}{moved}.", "net_income", "revenue", share=rounded(share)),
        )
    elif share >= _PROFITS or (change is not None and change >= _INCOME_MOVED):
        name = f"Net income of {year.text('net_income')} in {year.label}"
        yield True, year.row(name, f"{text}{moved}.", "net_income", "revenue", share=rounded(share))


def _margin(year: Year, before: Year | None) -> Iterator[tuple[bool, Statement]]:
    """By how much of the revenue operating income moved."""
    if before is None or (year.end - before.end).days > _A_YEAR:
        return
    now, then = year.share("operating_income"), before.share("operating_income")
    if now is None or then is None or now <= 0:
        return
    if abs(now - then) < min(_MARGIN_MOVED, _OF_ITSELF * abs(then)):
        return
    moved = "widened" if now > then else "narrowed"
    text = (
        f"Operating income was {percent(now)} of the revenue in {year.label}, after"
        f" {percent(then)} in {before.label}."
    )
    row = year.row(
        f"Operating margin {moved} to {percent(now)} in {year.label}", text,
        "operating_income", "revenue", share=rounded(now), share_before=rounded(then),
    )  # fmt: skip
    proofs = tuple(before.facts[metric].proof for metric in ("operating_income", "revenue"))
    yield now > then, row | {"sources": (*row["sources"], *proofs)}


def _free_cash(year: Year) -> Iterator[tuple[bool, Statement]]:
    """Whether operations bring in the cash that property and equipment take."""
    cash, invested = year.amount("operating_cash_flow"), year.amount("capital_expenditure")
    share = year.share("operating_cash_flow")
    if cash is None or invested is None or share is None:
        return
    verb = "brought in" if cash >= 0 else "used up"
    text = (
        f"Operations {verb} {year.text('operating_cash_flow')} in cash in {year.label}; property and"
        f" equipment took {year.text('capital_expenditure')}."
    )
    if cash < invested:
        name = f"Less cash from operations than capital spending in {year.label}"
        yield False, year.row(name, text, "operating_cash_flow", "capital_expenditure")
    elif (cash - invested) / cash * share >= _PROFITS:
        name = f"Cash from operations well over capital spending in {year.label}"
        yield True, year.row(name, text, "operating_cash_flow", "capital_expenditure")


def _balance(year: Year) -> Iterator[tuple[bool, Statement]]:
    """More cash than debt or far less, and debt that moved."""
    cash, debt = year.amount("cash"), year.amount("debt")
    if cash is None or debt is None:
        return
    text = (
        f"Cash and cash equivalents were {year.text('cash')} and debt {year.text('debt')} at the end"
        f" of {year.label}."
    )
    if cash > debt:
        yield True, year.row(f"More cash than debt in {year.label}", text, "cash", "debt")
    elif debt > _MUCH_DEBT * cash:
        yield False, year.row(f"Debt well over cash in {year.label}", text, "cash", "debt")

    moved = year.change("debt")
    if moved is not None and abs(moved) >= _DEBT_MOVED:
        name = f"Debt {'rose' if moved > 0 else 'fell'} {percent(abs(moved))} in {year.label}"
        text = f"Debt was {year.text('debt')} at the end of {year.label}{on_year_before(moved)}."
        yield moved < 0, year.row(name, text, "debt")


def _over_years(known: Sequence[Year]) -> Iterator[tuple[bool, Statement]]:
    """How much the revenue moved over all years that are known without a gap, three at least."""
    years = [each for each in known if each.amount("revenue") is not None]
    row = [
        earlier
        for at, earlier in enumerate(years)
        if at == 0 or all((a.end - b.end).days <= _A_YEAR for a, b in pairwise(years[: at + 1]))
    ]
    if len(row) < _FEWEST_YEARS:
        return
    newest, oldest = row[0], row[-1]
    then, now = oldest.amount("revenue") or 0.0, newest.amount("revenue") or 0.0
    moved = (now - then) / then if then > 0 else 0.0
    if -_SHRANK < moved < _GREW:
        return
    step = f"{'Revenue grew' if moved > 0 else 'Revenue fell'} {percent(abs(moved))} from"
    text = (
        f"Revenue was {newest.text('revenue')} in {newest.label}, after {oldest.text('revenue')} in"
        f" {oldest.label}: {up_or_down(moved)}."
    )
    found = oldest.row(f"{step} {oldest.label} to {newest.label}", text, "revenue")
    found["change"] = rounded(moved)
    yield moved > 0, found | {"sources": (*found["sources"], newest.facts["revenue"].proof)}


def shown_amounts(evidence: Evidence) -> list[float]:
    """The amounts of the last year that rows of figures show, and by how much each changed."""
    facts = [fact for year in years(evidence)[:1] for fact in year.facts.values()]
    for axis in ("business", "product", "geography"):
        facts += [rows[0].fact for rows in yearly(evidence, axis).values()]
    found: list[float] = []
    for fact in facts:
        amount, change = abs(float(fact.value["amount"])), fact.value.get("change")
        found.append(amount)
        if change is not None and change > -1:
            found.append(abs(amount - amount / (1 + change)))
    return found


def repeats_amount(text: str, shown: Sequence[float]) -> bool:
    """Whether a sentence gives an amount that stands among the figures, as sentences round it."""
    sums = [each.amount for each in sums_in(text)]
    return any(abs(each - known) < _ROUNDED * known for each in sums for known in shown)
