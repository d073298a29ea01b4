"""Industry insights: only a model writes them, for no classifier tells an industry from a company in it."""

from sightline.profile.contract import Section, by_model
from sightline.profile.plans import Plan

SECTION = Section(
    "industry_insights",
    "Industry insights",
    plan=Plan(
        "What the passages state as a fact of its market: a size, growth, price, rule or date with its"
        " figure or name, and nothing of its own results, products or opinions, nor rules for accounts or"
        " taxes. Often none.",
        most=3,
    ),
    kinds=("filing", "page", "feed_item", "news"),
    build=by_model,
)
