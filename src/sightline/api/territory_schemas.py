"""Requests and responses of the territory operations."""

from typing import Any
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import PricedParameters, Schema
from sightline.api.paging import PageParameters, Pagination
from sightline.api.schemas import AccountItem, never_null

MOST_BY_HAND = 5_000
MOST_SCORE_RULES = 20
# What a territory always has: a change leaves it out, or gives another value.
KEPT = ("name", "description", "rules", "score_rules")


class TerritoryPath(Schema):
    territory_id: str = Field(max_length=100, description="Id of the territory.", examples=["dach"])


class TerritoryParameters(PageParameters, TerritoryPath):
    """Paging applies to the territory's companies."""


class RecomputeParameters(PricedParameters, TerritoryPath):
    pass


class ScoreRuleBody(Schema):
    filter: dict[str, Any] = Field(description="Which accounts get the points.")
    points: int = Field(ge=-100, le=100, examples=[30])
    why: str = Field(min_length=1, max_length=200, examples=["More than 1,000 employees"])


class TerritoryBody(Schema):
    """Rules are a filter. Accounts excluded by hand stay out, and those included by hand are
    added."""

    name: str = Field(min_length=1, max_length=200, examples=["DACH Enterprise"])
    description: str = Field(default="", max_length=2000)
    owner_id: UUID | None = Field(default=None, description="User who owns it.")
    rules: dict[str, Any] = Field(
        examples=[{"field": "country", "op": "in", "value": ["DE", "AT", "CH"]}]
    )
    include: list[UUID] = Field(default=[], max_length=MOST_BY_HAND, description="Account ids.")
    exclude: list[UUID] = Field(default=[], max_length=MOST_BY_HAND, description="Account ids.")
    score_rules: list[ScoreRuleBody] = Field(default=[], max_length=MOST_SCORE_RULES)


class NewTerritory(TerritoryBody):
    id: str | None = Field(
        default=None,
        max_length=80,
        description="Your own id for it; default: derived from the name.",
        json_schema_extra={"pattern": "^[a-z0-9][a-z0-9-]*$"},
    )


class TerritoryChange(Schema):
    model_config = never_null(*KEPT)

    name: str | None = Field(default=None, min_length=1, max_length=200)
    description: str | None = Field(default=None, max_length=2000)
    owner_id: UUID | None = None
    rules: dict[str, Any] | None = None
    include: list[UUID] | None = Field(default=None, max_length=MOST_BY_HAND)
    exclude: list[UUID] | None = Field(default=None, max_length=MOST_BY_HAND)
    score_rules: list[ScoreRuleBody] | None = Field(default=None, max_length=MOST_SCORE_RULES)


class Simulation(TerritoryBody):
    name: str = Field(default="simulation", max_length=200)
    compared_with: str | None = Field(default=None, description="A territory to compare with.")


class Owner(Schema):
    id: UUID
    email: str


class TerritorySummary(Schema):
    id: str = Field(examples=["dach-enterprise"])
    name: str
    description: str
    owner: Owner | None
    rules: dict[str, Any]
    score_rules: list[dict[str, Any]]
    include: list[UUID]
    exclude: list[UUID]
    account_count: int
    computed_at: str | None
    created_at: str
    updated_at: str


class Companies(Schema):
    items: list[AccountItem]
    pagination: Pagination


class TerritoryScore(Schema):
    """`why` lists the reasons with their points, or that the account was included by hand."""

    company_id: UUID
    score: int = Field(description="0-100; 50 where the territory has no score rules.")
    why: list[dict[str, Any]]


class Territory(TerritorySummary):
    """A territory with a page of its companies, best score first."""

    companies: Companies
    scores: list[TerritoryScore]


class SimulationResult(Schema):
    account_count: int
    entering: int = Field(description="Accounts that would be added.")
    leaving: int = Field(description="Accounts that would be removed.")
    sample: list[dict[str, Any]]


class Overlap(Schema):
    first: str
    second: str
    account_count: int
    company_ids: list[UUID] = Field(description="At most ten, best score first.")


class Recomputed(Schema):
    id: str
    account_count: int
