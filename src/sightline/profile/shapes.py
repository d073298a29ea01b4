"""The row types of a profile's sections in the API; additional fields may be present."""

from datetime import date
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field


class ProfileSource(BaseModel):
    """Where a statement is proven. `quote` appears verbatim in the document; `pointer` names
    the place in its data."""

    document_id: UUID
    url: str | None
    title: str | None
    quote: str | None
    published_at: str | None
    pointer: str | None = None


class Row(BaseModel):
    """An element of a section; there may be fields beside those of the reference."""

    model_config = ConfigDict(extra="allow")

    as_of: date | None = Field(default=None, description="The day of the newest document cited.")
    sources: list[ProfileSource] = Field(default=[], description="Only with `sources=true`.")
    method: str | None = Field(
        default=None, description="The model that wrote it; else extractive."
    )


class Open(Row):
    """A row whose fields are open."""


class Statement(Row):
    name: str = Field(examples=["Expanding into new markets"])
    description: str


class DivisionPerson(Row):
    name: str
    source: str
    description: str


class Division(Row):
    """Revenue is in whole units of `currency`; changes are from the prior year."""

    division_name: str
    division_summary: str | None = None
    last_year_label: str | None = Field(default=None, examples=["FY2025"])
    last_year_financial_year_end: str | None = None
    last_year_revenue_gross: float | None = None
    last_year_gross_revenue_change: str | None = Field(default=None, examples=["+12.5%"])
    year_before_label: str | None = None
    year_before_financial_year_end: str | None = None
    year_before_revenue_gross: float | None = None
    year_before_gross_revenue_change: str | None = None
    priorities: list[Statement] = []
    challenges: list[Statement] = []
    digital_strategies: list[Statement] = []
    key_people: list[DivisionPerson] = []


class Executive(Row):
    name: str
    title: str | None = None


class SwotEntry(Row):
    name: str
    type: Literal["STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"]
    description: str


class Competitor(Row):
    name: str
    website: str | None = Field(default=None, json_schema_extra={"format": "uri"})
    description: str


class FiscalEvent(Row):
    """Revenue is in whole units of `currency`; the change is from the prior year."""

    id: UUID
    event_title: str
    fiscal_label: str
    period_end_date: date
    gross_revenue: float
    gross_revenue_change: str | None = Field(default=None, examples=["-3%"])
    earnings_call_new_strategies: list[Statement] = []
    earnings_call_summary: list[Statement] = []
    earnings_call_quotes: list[Statement] = []
    event_new_strategies: list[Statement] = []
    earnings_call_challenges: list[Statement] = []
    digital_strategies: list[Statement] = []


class TechnologyCount(Row):
    name: str
    category: str | None = None
    count: int
