"""Yearly revenue by division, product line or region, as reports tag it. Pure."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from sightline.profile.evidence import Evidence, FactSeen
from sightline.profile.money import day, money, periods

WHOLE: Final = 1.005
"""Parts that exceed the company's revenue by more than this sell to each other."""

_ABOUT: Final = 0.02
_MOST_OF_IT: Final = 0.75  # of the revenue, from which lines say where it comes from
_YEAR: Final = range(340, 385)  # days
# What is left over or reconciles; "Other Bets" and "Corporate & Investment Bank" are divisions.
LEFT_OVER: Final = re.compile(
    r"^(?:(?:all )?others?(?: (?:segments?|business(?:es)?|operations|activities|revenues?|items"
    r"|net|and .*|products?.*|services?.*|categories))?"
    r"|corporate(?:,? (?:and|&) (?:all )?(?:other|eliminations|unallocated).*"
    r"| (?:items|expenses?|other))?|.*\b(?:unallocated|eliminations?"
    r"|inter-?segment|reconcil\w+).*)$",
    re.I,
)
_STANDARD: Final = ("us-gaap:", "srt:")  # members that are no company's own
_LINE_OF: Final = re.compile(r"(?<=\w) (?:net )?(?:revenues?|sales)$", re.I)


@dataclass(frozen=True, slots=True)
class Figure:
    """Revenue of a member in a fiscal year."""

    name: str
    amount: float
    end: date
    change: float | None
    fact: FactSeen

    @property
    def key(self) -> tuple[float, date]:
        """The fact that it is, whichever axis tags it."""
        return self.amount, self.end

    @property
    def text(self) -> str:
        """The size of the amount: "$3.1 billion"."""
        return money(abs(self.amount), self.fact.value.get("currency") or "USD")


def yearly(evidence: Evidence, axis: str, *, metric: str = "revenue") -> dict[str, list[Figure]]:
    """Yearly revenue, or another metric, along an axis by member name, the newest year first; only members
    that the newest annual report has. A standard member counts where the company has words for it."""
    found: dict[str, dict[date, Figure]] = defaultdict(dict)
    for fact in evidence.by_field.get("segment", ()):
        figure = _figure(evidence, fact, axis, metric)
        if figure is None:
            continue
        known = found[figure.name].get(figure.end)
        if known is None or fact.observed_at > known.fact.observed_at:
            found[figure.name][figure.end] = figure
    newest = max((end for years in found.values() for end in years), default=None)
    kept = {
        name: [years[end] for end in sorted(years, reverse=True)]
        for name, years in found.items()
        if newest in years
    }
    return dict(sorted(kept.items(), key=lambda item: -item[1][0].amount))


def _figure(evidence: Evidence, fact: FactSeen, axis: str, metric: str) -> Figure | None:
    """A fact as a figure of a whole year; None where it is of another axis or metric, or has no name."""
    value = fact.value
    start, end = day(value.get("period_start")), day(value.get("period_end"))
    is_asked = value.get("axis") == axis and value.get("metric") == metric
    if not is_asked or start is None or end is None or (end - start).days not in _YEAR:
        return None
    if axis != "geography" and not _is_named(evidence, value):
        return None
    return Figure(value["name"], float(value["amount"]), end, value.get("change"), fact)


def _is_named(evidence: Evidence, value: Mapping[str, str]) -> bool:
    """Whether the name of a member is the company's: its own member, or words of its reports."""
    is_standard = str(value.get("member") or "").startswith(_STANDARD)
    return not (is_standard and evidence.annuals) or any(
        value["name"].casefold() in report.folded for report in evidence.annuals
    )


def divisions(evidence: Evidence) -> dict[str, list[Figure]]:
    """The business segments, else the product lines; none where one is the whole company."""
    figures = yearly(evidence, "business") or yearly(evidence, "product")
    named = {name: rows for name, rows in figures.items() if not LEFT_OVER.search(name)} or figures
    if len(figures) == 1:
        (rows,) = figures.values()
        revenue = revenue_of(evidence, rows[0].end)
        if revenue is not None and add_up(rows[0].amount, float(revenue.value["amount"])):
            return {}
    return named


def revenue_lines(evidence: Evidence) -> dict[str, list[Figure]]:
    """Revenue by product line; by division where the lines leave out much that these have."""
    products, divisions = yearly(evidence, "product"), yearly(evidence, "business")
    if len(products) < 2 or not divisions or len(products) == 2 < len(divisions):
        return divisions or products
    revenue = revenue_of(evidence, next(iter(products.values()))[0].end)
    sums = [sum(rows[0].amount for rows in each.values()) for each in (products, divisions)]
    if revenue and sums[0] < min(_MOST_OF_IT * revenue.value["amount"], sums[1]):
        return divisions
    return products


def year_label(evidence: Evidence, end: date) -> str:
    """The company's own label ("FY2025") of the year that ends on a day, else one by the calendar."""
    for fact in evidence.by_field.get("fiscal_period", ()):
        label = str(fact.value.get("label") or "")
        if label.startswith("FY") and day(fact.value.get("period_end")) == end:
            return label
    return f"FY{end.year}"


def revenue_of(evidence: Evidence, end: date) -> FactSeen | None:
    """The company's revenue of the fiscal year that ends on a day; None when it is not known."""
    years = periods(evidence, "revenue").items()
    return next((f for (label, last), f in years if last == end and label.startswith("FY")), None)


def add_up(parts: float, whole: float) -> bool:
    """Whether parts make the whole, about: only then is one of them a share of it."""
    return abs(parts - whole) <= _ABOUT * abs(whole)


def exceed_whole(evidence: Evidence, figures: Mapping[str, Sequence[Figure]]) -> bool:
    """Whether the parts together exceed the company's revenue of their year."""
    total = revenue_of(evidence, next(iter(figures.values()))[0].end)
    whole = sum(rows[0].amount for rows in figures.values())
    return total is not None and whole > total.value["amount"] * WHOLE


def short_names(figures: Mapping[str, Sequence[Figure]]) -> dict[str, str]:
    """Names without words that the tags of all share, where a table shows that one goes without:
    of "Rail Lines North", "Rail Lines South" and "West", tagged RailLinesWest, "North" and "South"."""
    names = list(figures)
    tagged = {
        n: str(rows[0].fact.value.get("member") or "").split(":")[-1] for n, rows in figures.items()
    }
    for name in names:
        words = name.split()
        for size in range(len(words) - 1, 1, -1):
            shared, squeezed = " ".join(words[:size]) + " ", "".join(words[:size]).casefold()
            without = [n for n in names if not n.startswith(shared)]
            if len(without) < len(names) - 1 and any(
                tagged[n].casefold().startswith(squeezed) for n in without
            ):
                return {n: n.removeprefix(shared) for n in names}
    return {n: _LINE_OF.sub("", n) for n in names}


def whole_number(amount: float) -> float | int:
    """An integer where it is one, as JSON shows it."""
    return int(amount) if amount == int(amount) else amount
