"""A company's figures by fiscal year and quarter, in their latest version."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from sightline.profile.contract import Statement
from sightline.profile.evidence import Evidence, FactSeen

ABOUT: Final = 0.02
"""Parts that differ from the whole by no more than this share of it make it."""

_OPERATING: Final = ("selling_general_and_administrative", "research_and_development")
_A_YEAR: Final = 400  # days, from the end of one to that of the next at most


@dataclass(frozen=True, slots=True)
class Year:
    """The figures of a fiscal year by metric."""

    label: str
    end: date
    facts: Mapping[str, FactSeen]

    def amount(self, metric: str) -> float | None:
        fact = self.facts.get(metric)
        return fact.amount if fact is not None else None

    def share(self, metric: str) -> float | None:
        """The fraction of the revenue; None where either is not known."""
        amount, revenue = self.amount(metric), self.amount("revenue")
        return amount / revenue if amount is not None and revenue and revenue > 0 else None

    def change(self, metric: str) -> float | None:
        """The fraction from the prior year."""
        fact = self.facts.get(metric)
        return fact.change if fact is not None else None

    def text(self, metric: str) -> str:
        """The size of an amount: "$3.1 billion"."""
        return self.facts[metric].size

    def follows(self, before: "Year") -> bool:
        """Whether it is the year after another."""
        return (self.end - before.end).days <= _A_YEAR

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

    def row(self, name: str, text: str, *metrics: str, **more: object) -> Statement:
        """A statement of these figures."""
        proofs = tuple(self.facts[metric].proof for metric in metrics if metric in self.facts)
        return {"name": name, "description": text, **more, "sources": proofs}


def add_up(parts: float, whole: float) -> bool:
    """Whether parts make the whole, about: only then is one of them a share of it."""
    return abs(parts - whole) <= ABOUT * abs(whole)


def periods(evidence: Evidence, metric: str) -> dict[tuple[str, date], FactSeen]:
    """The figures of a metric by (label, last day) of times that are over; one that knows the year before
    comes before others."""
    found: dict[tuple[str, date], FactSeen] = {}
    for fact in evidence.by_field.get("fiscal_period", ()):
        label, end = fact.value.get("label"), fact.end
        is_asked = fact.value.get("metric") == metric and fact.value.get("amount") is not None
        if not is_asked or end is None or end > evidence.today or not label:
            continue
        known = found.setdefault((label, end), fact)
        held = known.change is not None, known.observed_at
        if (fact.change is not None, fact.observed_at) > held:
            found[label, end] = fact
    return found


def years(evidence: Evidence) -> list[Year]:
    """The fiscal years of which figures are known, newest first."""
    found: dict[tuple[date, str], dict[str, FactSeen]] = defaultdict(dict)
    metrics = {fact.value.get("metric") for fact in evidence.by_field.get("fiscal_period", ())}
    for metric in filter(None, metrics):
        for (label, end), fact in periods(evidence, metric).items():
            if label.startswith("FY"):
                found[end, label][metric] = fact
    return [Year(label, end, found[end, label]) for end, label in sorted(found, reverse=True)]


def newest_year(evidence: Evidence, metric: str) -> FactSeen | None:
    """The figure of the last fiscal year in which it is known."""
    return next((y.facts[metric] for y in years(evidence) if metric in y.facts), None)


def newest_quarter(evidence: Evidence) -> FactSeen | None:
    """The revenue of the last quarter after the newest year with revenue; of all where none is known."""
    year = newest_year(evidence, "revenue")
    quarters = [f for (label, _), f in periods(evidence, "revenue").items() if label[:1] == "Q"]
    later = [f for f in quarters if f.end and not (year and year.end and f.end <= year.end)]
    return max(later, key=lambda fact: fact.end or date.min, default=None)
