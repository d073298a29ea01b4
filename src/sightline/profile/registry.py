"""THE LISTS: every section of a profile, and who makes it."""

from typing import Final

from sightline.profile.contract import OrganizationSection, Section
from sightline.profile.sections import (
    competitors,
    custom_insights,
    digital_strategies,
    discovery_questions,
    divisions,
    employee_groups,
    events,
    favourite_technologies_count,
    geographical_operations,
    goals,
    how_they_lose_money,
    how_they_make_money,
    industry_insights,
    insights_scores,
    key_executives,
    overview,
    risks,
    strategic_priorities,
    swot_analysis,
    three_whys,
    value_pyramid,
)

SECTIONS: Final[tuple[Section, ...]] = (
    overview.SECTION,
    key_executives.SECTION,
    divisions.SECTION,
    geographical_operations.SECTION,
    swot_analysis.SECTION,
    competitors.SECTION,
    industry_insights.SECTION,
    strategic_priorities.SECTION,
    digital_strategies.SECTION,
    risks.SECTION,
    goals.SECTION,
    events.SECTION,
    how_they_make_money.SECTION,
    how_they_lose_money.SECTION,
    employee_groups.SECTION,
    favourite_technologies_count.SECTION,
)
# In an order in which each can use what the ones before have.
ORGANIZATION_SECTIONS: Final[tuple[OrganizationSection, ...]] = (
    OrganizationSection("insights_scores", insights_scores.build),
    OrganizationSection("custom_insights", custom_insights.build),
    OrganizationSection("value_pyramid", value_pyramid.build),
    OrganizationSection("three_whys", three_whys.build),
    OrganizationSection("discovery_questions", discovery_questions.build),
)
