"""THE LISTS of profile sections. API, console, documents and tests use these declarations."""

from typing import Final

from sightline.profile.contract import Declared, OrganizationSection, Section
from sightline.profile.plans import Plan
from sightline.profile.sections import (
    competitors,
    custom_insights,
    discovery_questions,
    divisions,
    employee_groups,
    events,
    favourite_technologies_count,
    geographical_operations,
    how_they_lose_money,
    how_they_make_money,
    industry_insights,
    insights_scores,
    key_executives,
    overview,
    plans,
    risks,
    swot_analysis,
    three_whys,
    value_pyramid,
)
from sightline.profile.shapes import Open

SECTIONS: Final[tuple[Section, ...]] = (
    overview.SECTION,
    key_executives.SECTION,
    divisions.SECTION,
    geographical_operations.SECTION,
    swot_analysis.SECTION,
    competitors.SECTION,
    industry_insights.SECTION,
    plans.PRIORITIES,
    plans.DIGITAL,
    risks.SECTION,
    plans.GOALS,
    events.SECTION,
    how_they_make_money.SECTION,
    how_they_lose_money.SECTION,
    employee_groups.SECTION,
    favourite_technologies_count.SECTION,
)
# In an order in which each can use what the ones before have.
ORGANIZATION_SECTIONS: Final[tuple[OrganizationSection, ...]] = (
    insights_scores.SECTION,
    custom_insights.SECTION,
    three_whys.SECTION,
    value_pyramid.SECTION,
    discovery_questions.SECTION,
)
# Read where they are kept.
JOINED_SECTIONS: Final[tuple[Declared, ...]] = (
    Declared("territory_custom_scores", "Territories", Open),
    Declared("content", "Content", Open),
)
ALL: Final[tuple[Declared, ...]] = (*SECTIONS, *ORGANIZATION_SECTIONS, *JOINED_SECTIONS)
PLANS: Final[dict[str, Plan]] = {each.name: each.plan for each in ALL if each.plan is not None}
