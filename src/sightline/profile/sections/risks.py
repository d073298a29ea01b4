"""Risks: the captions of the risk factors with a sentence that is true of this company alone."""

from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.risk_factors import risks
from sightline.profile.written_plans import Plan

MOST: Final = 12


def build(evidence: Evidence) -> list[Statement]:
    """New and changed ones first; those that could stand in any report are left out."""
    return [
        {
            "name": each.name,
            "change": each.change,
            "description": each.description,
            "sources": each.quotes,
        }
        for each in risks(evidence)
        if each.is_specific
    ][:MOST]


SECTION = Section(
    "risks",
    "Risks",
    plan=Plan("Write the risks that it names, each as what could happen and what to."),
    kinds=("filing",),
    build=build,
)
