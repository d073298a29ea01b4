"""Taxonomy elements for each metric, in order of preference.

Each choice is a tuple of elements whose sum is meant, so that what one company tags as a whole and
another only in parts is found alike: banks tag contract revenue for their fees alone, and what they call
revenue is a sum. The elements are of us-gaap and ifrs-full; their names differ enough to be searched in
one list.
"""

from functools import cache
from importlib.resources import files
from typing import Final, Literal

Choice = tuple[str, ...]

# Each of these is some company's total; one much below another is a part of it, not the total.
WHOLE_REVENUE: Final = frozenset(
    """
    Revenues RevenueFromContractWithCustomerExcludingAssessedTax SalesRevenueNet
    RevenuesNetOfInterestExpense
    """.split()
)


@cache
def concepts(kind: Literal["flow", "balance"]) -> dict[str, tuple[Choice, ...]]:
    """Metric -> its choices: of figures of a period (income, cash flow), or of a day (balance sheet)."""
    table = files("sightline.sources.sec_edgar").joinpath("concepts.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines() if line.startswith(f"{kind}\t"))
    return {
        metric: tuple(tuple(one.split(" + ")) for one in choices.split(", "))
        for _, metric, choices in rows
    }
