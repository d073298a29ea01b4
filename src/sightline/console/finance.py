"""Figures of a company as the financials tab shows them: facts in, rows and series out."""

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


@dataclass(frozen=True)
class Table:
    """Figures by period, oldest first. `rows` are (name, amounts, change on the period before); an amount
    that is not known is None."""

    periods: Sequence[str]
    rows: Sequence[tuple[str, Sequence[float | None], float | None]]
    currency: str
    sources: Sequence[Mapping[str, Any]] = ()


def statement(facts: Iterable[Fact], *, yearly: bool) -> Table | None:
    """The figures of the last years, or of the last quarters; None when there are none."""
    chosen: dict[tuple[str, str], Fact] = {}
    ends: dict[str, str] = {}
    for fact in facts:
        value = fact.value
        label = str(value.get("label") or "")
        if value.get("amount") is None or label.startswith("FY") is not yearly or not label:
            continue
        known = chosen.get((value["metric"], label))
        if known is None or fact.observed_at >= known.observed_at:
            chosen[value["metric"], label] = fact
            ends[label] = str(value["period_end"])
    periods = sorted(ends, key=ends.__getitem__)[-_MOST_PERIODS:]
    rows = []
    for metric, name in METRICS.items():
        found = [chosen.get((metric, period)) for period in periods]
        if any(found):
            amounts = [fact.value["amount"] if fact else None for fact in found]
            rows.append((name, amounts, _change(amounts)))
    return _table(periods, rows, chosen.values()) if rows else None


def parts(facts: Iterable[Fact], axis: str) -> Table | None:
    """Revenue by segment, product or place, the largest first; None when nothing is known of it."""
    chosen: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        value = fact.value
        if value.get("axis") == axis and value.get("metric") == "revenue" and value.get("amount"):
            chosen[value["name"], str(value["period_end"])] = fact
    periods = sorted({period for _, period in chosen})[-2:]
    rows = []
    for name in dict.fromkeys(name for name, _ in chosen):
        found = [chosen.get((name, period)) for period in periods]
        amounts = [fact.value["amount"] if fact else None for fact in found]
        if amounts[-1]:
            rows.append((name, amounts, _change(amounts)))
    rows.sort(key=lambda row: -(row[1][-1] or 0))
    return (
        _table([f"FY{period[:4]}" for period in periods], rows, chosen.values()) if rows else None
    )


def _table(
    periods: Sequence[str],
    rows: Sequence[tuple[str, Sequence[float | None], float | None]],
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
