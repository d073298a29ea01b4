"""Figures on the financials tab: facts in, rows and series out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sightline.store.facts import Fact

# What is shown of the figures, in the order of a statement.
METRICS: Final = {
    "revenue": "Revenue",
    "cost_of_revenue": "Cost of revenue",
    "gross_profit": "Gross profit",
    "research_and_development": "Research and development",
    "selling_general_and_administrative": "Selling, general and administrative",
    "operating_income": "Operating income",
    "net_income": "Net income",
    "operating_cash_flow": "Operating cash flow",
    "capital_expenditure": "Capital expenditure",
    "cash": "Cash",
    "debt": "Debt",
    "total_assets": "Total assets",
    "equity": "Equity",
}
AXES: Final = {"business": "Segments", "product": "Products", "geography": "Geography"}
_MOST_PERIODS: Final = 5


# Name, amounts, change on the period before; an amount that is not known is None.
Row = tuple[str, Sequence[float | None], float | None]


@dataclass(frozen=True)
class Table:
    """Figures by period, oldest first."""

    periods: Sequence[str]
    rows: Sequence[Row]
    currency: str
    sources: Sequence[Mapping[str, Any]] = ()


def statement(facts: Iterable[Fact], *, yearly: bool) -> Table | None:
    """The figures of the last years, or of the last quarters; None when there are none."""
    chosen: dict[tuple[str, str], Fact] = {}
    ends: dict[str, str] = {}
    for fact in sorted(facts, key=lambda each: each.observed_at):
        label = str(fact.value.get("label") or "")
        if label and label.startswith("FY") is yearly and fact.value.get("amount") is not None:
            chosen[fact.value["metric"], label] = fact
            ends[label] = str(fact.value["period_end"])
    periods = sorted(ends, key=ends.__getitem__)[-_MOST_PERIODS:]
    rows = [
        (METRICS[metric], amounts, change)
        for metric, amounts, change in _rows(chosen, METRICS, periods)
    ]
    return _table(periods, rows, chosen.values()) if rows else None


def parts(facts: Iterable[Fact], axis: str) -> Table | None:
    """Revenue by segment, product or place, the largest first; None when nothing is known of it."""
    chosen: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        value = fact.value
        if value.get("axis") == axis and value.get("metric") == "revenue" and value.get("amount"):
            chosen[value["name"], str(value["period_end"])] = fact
    periods = sorted({period for _, period in chosen})[-2:]
    found = _rows(chosen, dict.fromkeys(name for name, _ in chosen), periods)
    rows = sorted((row for row in found if row[1][-1]), key=lambda row: -(row[1][-1] or 0))
    years = [f"FY{period[:4]}" for period in periods]
    return _table(years, rows, chosen.values()) if rows else None


def _rows(
    chosen: Mapping[tuple[str, str], Fact], names: Iterable[str], periods: Sequence[str]
) -> list[Row]:
    """Each name that has an amount, with those of the periods."""
    rows: list[Row] = []
    for name in names:
        found = [chosen.get((name, period)) for period in periods]
        if any(found):
            amounts = [fact.value["amount"] if fact else None for fact in found]
            rows.append((name, amounts, _change(amounts)))
    return rows


def _table(
    periods: Sequence[str],
    rows: Sequence[Row],
    facts: Iterable[Fact],
) -> Table:
    found = list(facts)
    sources = {
        fact.document_id: {"document_id": fact.document_id, "url": fact.url} for fact in found
    }
    currencies = [fact.value.get("currency") for fact in found if fact.value.get("currency")]
    return Table(periods, rows, currencies[0] if currencies else "", list(sources.values()))


def _change(amounts: Sequence[float | None]) -> float | None:
    """The last amount against the one before it; None where that says nothing."""
    if len(amounts) < 2 or not amounts[-1] or not amounts[-2] or amounts[-2] < 0:
        return None
    return amounts[-1] / amounts[-2] - 1
