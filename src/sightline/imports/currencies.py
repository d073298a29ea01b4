"""Approximate exchange rates to US dollars, good enough for revenue bands.

``domain/data/currencies.tsv`` has the rates with their year and source; training/tables.py makes it. What
is converted by them is never shown: only its band is, with the rate.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from sightline.domain.bands import revenue_band
from sightline.domain.tables import rows_of


class Rate(NamedTuple):
    """US dollars a unit; ``period`` is the year that the rate is the mean of, or "peg"."""

    dollars: float
    period: str
    source: str


@cache
def rates() -> Mapping[str, Rate]:
    """By ISO 4217 code."""
    return {
        row["code"]: Rate(float(row["dollars"]), row["period"], row["source"])
        for row in rows_of("currencies.tsv")
    }


def revenue_band_of(amount: float, currency: str) -> str | None:
    """The revenue band of a yearly amount; None in a currency that is not in the table."""
    rate = rates().get(currency)
    return None if rate is None else revenue_band(amount * rate.dollars)


def rate_in_words(currency: str) -> str:
    """ "1 EUR = 1.13 USD, the mean of 2025 (European Central Bank)"."""
    rate = rates()[currency]
    when = "the peg" if rate.period == "peg" else f"the mean of {rate.period}"
    return f"1 {currency} = {rate.dollars:g} USD, {when} ({rate.source})"
