"""Kinds of credit and what operations cost by default."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

Credit = Literal["company", "content", "territory", "contact"]
CREDITS: tuple[Credit, ...] = get_args(Credit)
EntryKind = Literal["grant", "reserve", "settle", "release"]

# A balance above this would come from a mistake; it also keeps sums far inside a bigint.
MOST_CREDITS = 1_000_000_000_000

MOST_COST = 1_000_000  # of one operation


@dataclass(frozen=True)
class Price:
    """What an operation costs: an amount of one kind of credit."""

    credit: Credit
    amount: int


# Operations that are not listed cost nothing.
DEFAULT_PRICES: dict[str, Price] = {
    "company_enrichment": Price("company", 1),
    "live_jobs_refresh": Price("company", 1),
    "contact_discovery": Price("contact", 1),
    "content_generation": Price("content", 1),
    "assistant_answer": Price("content", 1),
    "territory_recompute": Price("territory", 1),
}


def price_of(operation: str, costs: Mapping[str, Any]) -> Price:
    """What an operation costs an organization; `costs` are its own amounts over the defaults."""
    price = DEFAULT_PRICES[operation]
    amount = costs.get(operation, price.amount)
    return Price(price.credit, int(amount))
