"""Risks: what reports state under the captions of their risk factors: how many, how much, or when."""

from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.plans import Plan
from sightline.profile.risk_factors import risks

MOST: Final = 8
_MOST_NEW: Final = 3


def build(evidence: Evidence) -> list[Statement]:
    """The most specific first, then those that the newest report names for the first time with
    a name or number; what every company could say is left out."""
    found = risks(evidence)
    shown = [each for each in found if each.states_fact]
    shown += [each for each in found if each.is_named and not each.states_fact][:_MOST_NEW]
    return [{**each.row, "change": each.change} for each in shown[:MOST]]


SECTION = Section(
    "risks",
    "Risks",
    plan=Plan(
        "Exposures of this company alone: a case, customer, supplier, country, debt or deadline that it"
        " names, with its figure or day; first what is new or changed in the newest report. What has already"
        " happened is a weakness or threat.",
    ),
    kinds=("filing",),
    build=build,
    labels=("threat", "weakness"),
)
