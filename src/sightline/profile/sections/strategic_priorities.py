"""Strategic priorities: what the company sets out to do, in its own whole sentences."""

from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.insights import ahead
from sightline.profile.written_plans import AHEAD, Plan

MOST: Final = 8


def build(evidence: Evidence) -> list[Statement]:
    return ahead(evidence, "priority", most=MOST)


SECTION = Section(
    "strategic_priorities",
    "Strategic priorities",
    plan=Plan(
        "Write what it sets out to do: its strategic priorities, none whose time is over.",
        past_months=AHEAD,
    ),
    kinds=("filing", "page", "feed_item", "news"),
    build=build,
    labels=("priority",),
)
