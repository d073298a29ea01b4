"""Yearly revenue by division, product line or region, as tagged in reports. Pure."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from sightline.profile.evidence import Evidence, FactSeen
from sightline.profile.years import add_up, periods
from sightline.reading.dates import iso_day

WHOLE: Final = 1.005
"""Parts that exceed the company's revenue by more than this sell to each other."""

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

Figures = dict[str, list[FactSeen]]
"""By the name of a part its figures of whole years, the newest first."""


def yearly(evidence: Evidence, axis: str, *, metric: str = "revenue") -> Figures:
    """Yearly revenue, or another metric, along an axis by member name, the largest first; only members that
    the newest annual report has. A standard member counts where the company has words for it."""
    found: dict[str, dict[date, FactSeen]] = defaultdict(dict)
    for fact in evidence.by_field.get("segment", ()):
        end = fact.end
        if end is None or not _is_asked(evidence, fact, axis, metric):
            continue
        known = found[fact.name].setdefault(end, fact)
        if fact.observed_at > known.observed_at:
            found[fact.name][end] = fact
    newest = max((end for years in found.values() for end in years), default=None)
    shown = {name: years for name, years in found.items() if newest in years}
    kept = {
        name: [years[end] for end in sorted(years, reverse=True)] for name, years in shown.items()
    }
    return dict(sorted(kept.items(), key=lambda item: -item[1][0].amount))


def _is_asked(evidence: Evidence, fact: FactSeen, axis: str, metric: str) -> bool:
    """Whether it is of a whole year that is over, of the axis and metric, and has a name."""
    value = fact.value
    start, end = iso_day(value.get("period_start")), fact.end
    is_year = start is not None and end is not None and (end - start).days in _YEAR
    is_asked = value.get("axis") == axis and value.get("metric") == metric
    if end is None or end > evidence.today or not (is_year and is_asked):
        return False
    return axis == "geography" or _is_named(evidence, value)


def _is_named(evidence: Evidence, value: Mapping[str, str]) -> bool:
    """Whether the name of a member is the company's: its own member, or words of its reports."""
    is_standard = str(value.get("member") or "").startswith(_STANDARD)
    return not (is_standard and evidence.annuals) or any(
        value["name"].casefold() in report.folded for report in evidence.annuals
    )


def divisions(evidence: Evidence) -> Figures:
    """The business segments, else the product lines; none where one is the whole company."""
    figures = yearly(evidence, "business") or yearly(evidence, "product")
    named = {name: rows for name, rows in figures.items() if not LEFT_OVER.search(name)} or figures
    if len(figures) == 1:
        (rows,) = figures.values()
        revenue = revenue_of(evidence, rows[0].end)
        if revenue is not None and add_up(rows[0].amount, revenue.amount):
            return {}
    return named


def revenue_lines(evidence: Evidence) -> Figures:
    """Revenue by product line; by division where the lines leave out much that these have."""
    products, divisions = yearly(evidence, "product"), yearly(evidence, "business")
    if len(products) < 2 or not divisions or len(products) == 2 < len(divisions):
        return divisions or products
    revenue = revenue_of(evidence, next(iter(products.values()))[0].end)
    sums = [sum(rows[0].amount for rows in each.values()) for each in (products, divisions)]
    if revenue and sums[0] < min(_MOST_OF_IT * revenue.amount, sums[1]):
        return divisions
    return products


def year_label(evidence: Evidence, end: date | None) -> str:
    """The company's own label ("FY2025") of the year that ends on a day, else one by the calendar."""
    facts = evidence.by_field.get("fiscal_period", ())
    labels = (each.label for each in facts if each.end == end and each.label.startswith("FY"))
    return next(labels, f"FY{end.year}" if end is not None else "")


def revenue_of(evidence: Evidence, end: date | None) -> FactSeen | None:
    """The company's revenue of the fiscal year that ends on a day; None when it is not known."""
    years = periods(evidence, "revenue").items()
    return next((f for (label, last), f in years if last == end and label.startswith("FY")), None)


def exceed_whole(evidence: Evidence, figures: Mapping[str, Sequence[FactSeen]]) -> bool:
    """Whether the parts together exceed the company's revenue of their year."""
    total = revenue_of(evidence, next(iter(figures.values()))[0].end)
    whole = sum(rows[0].amount for rows in figures.values())
    return total is not None and whole > total.amount * WHOLE


def short_name(name: str) -> str:
    """A name without "revenue" or "sales" at its end."""
    return _LINE_OF.sub("", name)


def whole_number(amount: float) -> float | int:
    """An integer where it is one, as JSON shows it."""
    return int(amount) if amount == int(amount) else amount
