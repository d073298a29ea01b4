"""Risks: what reports state under the captions of their risk factors: how many, how much, or when."""

from datetime import date, timedelta
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.plans import Plan
from sightline.profile.risk_factors import Risk, risks
from sightline.reading.dates import days_in
from sightline.reading.money import sums_in

MOST: Final = 6
_MOST_LIGHT: Final = 4


def build(evidence: Evidence) -> list[Statement]:
    """Those that the newest report adds or rewords, and that give a sum or the day of an event, first; of
    others, such as a share of sales abroad, which any report gives, only the most specific."""
    ends = {fact.end for fact in evidence.by_field.get("fiscal_period", ())}
    found = [(each, _weight(each, ends)) for each in risks(evidence)]
    heavy = [(each, weight) for each, weight in found if weight]
    heavy.sort(key=lambda pair: -pair[1])
    light = [each for each, weight in found if each.states_fact and not weight]
    shown = [*(each for each, _ in heavy), *light[:_MOST_LIGHT]]
    return [{**each.row, "change": each.change} for each in shown[:MOST]]


def _weight(risk: Risk, ends: set[date | None]) -> int:
    """How much a risk tells a seller beside its kind; 0 for nothing out of the ordinary."""
    if not risk.states_fact:
        return int(risk.is_named)
    said = str(risk.row["description"])
    days = {each.day for each in days_in(said)} - ends
    is_event = any((day + timedelta(days=1)).day > 1 for day in days)  # no end of a month
    return 2 * (risk.change is not None) + bool(sums_in(said)) + 2 * is_event


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
)
