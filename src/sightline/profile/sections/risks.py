"""Risks: the captions of the risk factors under which a fact stands, with the sentence that states it."""

from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.risk_factors import risks
from sightline.profile.written_plans import Plan

MOST: Final = 12


def build(evidence: Evidence) -> list[Statement]:
    """New and changed ones first; those that only say what could happen are left out."""
    return [
        {
            "name": each.name,
            "change": each.change,
            "description": each.description,
            "sources": each.quotes,
        }
        for each in risks(evidence)
        if each.states_fact
    ][:MOST]


SECTION = Section(
    "risks",
    "Risks",
    plan=Plan("Write the risks that it names, each as what could happen and what to."),
    kinds=("filing",),
    build=build,
)
