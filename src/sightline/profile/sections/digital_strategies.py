"""Digital strategies: what the company does with software, data and automation."""

from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.insights import ahead
from sightline.profile.written_plans import AHEAD, Plan

MOST: Final = 8


def build(evidence: Evidence) -> list[Statement]:
    return ahead(evidence, "digital", most=MOST)


SECTION = Section(
    "digital_strategies",
    "Digital strategies",
    plan=Plan("Write what it does with software, data and automation.", past_months=AHEAD),
    kinds=("filing", "page", "feed_item", "news"),
    build=build,
    labels=("digital",),
)
