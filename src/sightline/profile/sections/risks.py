"""Risks: what reports state under the captions of their risk factors: how many, how much, or when."""

from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.plans import Plan
from sightline.profile.risk_factors import risks

MOST: Final = 8


def build(evidence: Evidence) -> list[Statement]:
    """The most specific first; those that only say what could happen are left out."""
    return [{**each.row, "change": each.change} for each in risks(evidence) if each.states_fact][
        :MOST
    ]


SECTION = Section(
    "risks",
    "Risks",
    plan=Plan("Write the risks that it names, each as what could happen and what to."),
    kinds=("filing",),
    build=build,
    labels=("threat", "weakness"),
)
