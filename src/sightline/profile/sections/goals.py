"""Goals: targets that the company names and whose time has not passed."""

from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.insights import ahead
from sightline.profile.written_plans import AHEAD, Plan

MOST: Final = 8


def build(evidence: Evidence) -> list[Statement]:
    return ahead(evidence, "goal", most=MOST)


SECTION = Section(
    "goals",
    "Goals",
    plan=Plan(
        "Write its goals: targets that it names, with figure and date if it gives them, none whose"
        " time is over.",
        past_months=AHEAD,
    ),
    kinds=("filing", "page", "feed_item", "news"),
    build=build,
    labels=("goal",),
)
