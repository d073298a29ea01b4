"""How they lose money: a loss, costs that rose, and what reports say of them with a figure."""

from sightline.profile.choosing import chosen_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.figures import rows_of
from sightline.profile.plans import Plan


def build(evidence: Evidence) -> list[Statement]:
    return [*rows_of(evidence, "loses"), *chosen_of(evidence, "how_they_lose_money")]


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
    like=(
        "We recorded charges for restructuring, impairment and losses.",
        "Costs and expenses increased because of higher spending.",
        "Gross margin decreased because of inflation, and net sales declined.",
        "Customers cancelled orders, and demand decreased.",
    ),
)
