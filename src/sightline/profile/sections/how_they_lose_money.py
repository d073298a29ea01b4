"""How they lose money: losses, charges and costs that rose, as figures and in the words of reports."""

from sightline.profile.choosing import chosen_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.figures import risen_cost, rows_of
from sightline.profile.plans import Plan


def build(evidence: Evidence) -> list[Statement]:
    """Where no cost outgrew the revenue and nothing was lost, the cost that rose most."""
    found = [*rows_of(evidence, "loses"), *chosen_of(evidence, "how_they_lose_money")]
    return found or risen_cost(evidence)


SECTION = Section(
    "how_they_lose_money",
    "How they lose money",
    plan=Plan(
        "What it loses money on or what weighs on its profit: a loss, a charge, a cost that grew, a business"
        " that shrank, each with sum, year and cause. Dividends, purchases of its own shares, investments and"
        " acquisitions are no losses.",
    ),
    kinds=("filing", "data", "page", "feed_item", "news"),
    build=build,
    holds=("loses",),
)
