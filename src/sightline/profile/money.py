"""Amounts as people say them, and the figures of fiscal periods."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from sightline.domain.amounts import signed_percent
from sightline.profile.evidence import Evidence, FactSeen

_SCALES = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"), (1e3, "thousand"))
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}


def money(amount: float, currency: str = "USD") -> str:
    """ "$60.9 billion", "€412 million", "CHF 3.1 million"."""
    sign = _SIGNS.get(currency, f"{currency} ")
    minus = "-" if amount < 0 else ""
    size = abs(amount)
    for scale, word in _SCALES:
        if size >= scale:
            shown = f"{size / scale:.1f}".removesuffix(".0")
            return f"{minus}{sign}{shown} {word}"
    return f"{minus}{sign}{size:,.0f}"


def percent(fraction: float) -> str:
    """ "12.5%" of 0.125."""
    return f"{fraction * 100:.1f}".removesuffix(".0") + "%"


def change_of(fraction: Any) -> str | None:
    """A change as profiles give it: "+12.5%", "-3%"; None when it is not known."""
    return signed_percent(fraction) if isinstance(fraction, int | float) else None


def periods(evidence: Evidence, metric: str) -> dict[tuple[str, date], FactSeen]:
    """The figures of a metric by (label, last day), each as last said."""
    found: dict[tuple[str, date], FactSeen] = {}
    for fact in evidence.by_field.get("fiscal_period", ()):
        value = fact.value
        if not isinstance(value, Mapping) or value.get("metric") != metric:
            continue
        end, label = day(value.get("period_end")), value.get("label")
        if end is None or not label or value.get("amount") is None:
            continue
        known = found.get((label, end))
        better = known is None or (fact.value.get("change") is not None, fact.observed_at) > (
            known.value.get("change") is not None,
            known.observed_at,
        )
        if better:
            found[(label, end)] = fact
    return found


def newest_year(evidence: Evidence, metric: str) -> FactSeen | None:
    """The figure of the last fiscal year."""
    years = {
        key: fact for key, fact in periods(evidence, metric).items() if key[0].startswith("FY")
    }
    return years[max(years, key=lambda key: key[1])] if years else None


def day(value: Any) -> date | None:
    """A date of a fact's value; None when it is missing or broken."""
    try:
        return date.fromisoformat(value) if value else None
    except (TypeError, ValueError):
        return None
