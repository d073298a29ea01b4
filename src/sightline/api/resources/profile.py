"""The profile of a company: its sections as they stand, never waiting for their making."""

import json
from datetime import date
from typing import Any, Final, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema
from sightline.domain.errors import CompanyDoesNotExist, RequestIsInvalid
from sightline.profile.sections import employee_groups
from sightline.store import profiles, work
from sightline.store.profiles import ServedSection, Waiting

# The same for every organization.
CATALOGUE_SECTIONS: Final = (
    "overview", "key_executives", "divisions", "geographical_operations", "swot_analysis",
    "competitors", "industry_insights", "strategic_priorities", "digital_strategies", "risks",
    "goals", "events", "how_they_make_money", "how_they_lose_money", "employee_groups",
    "favourite_technologies_count",
)  # fmt: skip
# Made for each organization.
ORGANIZATION_SECTIONS: Final = (
    "insights_scores", "custom_insights", "value_pyramid", "three_whys", "discovery_questions",
)  # fmt: skip
# Read where they are kept.
JOINED_SECTIONS: Final = ("territory_custom_scores", "content")
SECTIONS: Final = (*CATALOGUE_SECTIONS, *ORGANIZATION_SECTIONS, *JOINED_SECTIONS)
_OBJECTS: Final = frozenset({"overview"})
_MOST_CONTENT: Final = 50


class ProfileParameters(Schema):
    company_id: UUID = Field(description="Id of the company.")
    include: str | None = Field(
        default=None,
        max_length=1000,
        description=f"Sections, parted by commas; `full` is all of them: {', '.join(SECTIONS)}.",
        examples=["overview,competitors"],
    )
    exclude: str | None = Field(
        default=None, max_length=1000, description="Sections to leave out; wins over `include`."
    )
    sources: bool = Field(
        default=False, description="Give every statement's sources with their quotes."
    )


class ProfileSource(BaseModel):
    """Where a statement is proven. `quote` stands word for word in the document; `pointer` names
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

    sources: list[ProfileSource] = Field(default=[], description="Only with `sources=true`.")
    method: str | None = Field(
        default=None, description="The model that wrote it; else extractive."
    )


class Statement(Row):
    name: str = Field(examples=["Expanding into new markets"])
    description: str


class DivisionPerson(Row):
    name: str
    source: str
    description: str


class Division(Row):
    """Revenue is in whole units of `currency`; changes are on the year before."""

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
    """Revenue is in whole units of `currency`; the change is on the year before."""

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


class SectionWriting(Schema):
    """How the writing of a section by a model stands. Until it is `written` the section is extractive."""

    outcome: Literal["waiting", "written", "too_little_proven", "failed", "over_budget"]
    model: str
    prompt_version: int
    at: str
    reason: str | None = Field(default=None, description="Why it failed.")
    tries: int | None = None
    tokens: int | None = Field(default=None, description="In and out, that writing it took.")
    kept: int | None = Field(default=None, description="Written statements that are proven.")
    dropped: int | None = Field(default=None, description="Written statements that were not.")


class SectionState(Schema):
    """`generating` is a section that is being made; ask again in a few seconds."""

    status: Literal["ready", "insufficient_evidence", "generating"]
    generated_at: str | None
    method: str | None = Field(description="`extractive`, or the model that wrote it.")
    source_window: dict[str, str] | None = Field(
        description="`from` and `until`: the oldest and the newest document that is quoted."
    )
    stale: bool = Field(description="There is newer evidence; it is being made anew.")
    writing: SectionWriting | None = Field(
        description="Null where no model is configured, or none writes this section."
    )


class CompanyProfile(Schema):
    """The sections that were asked for, and how each stands."""

    company_id: UUID
    company_name: str = ""
    website_domain: str = ""
    hq_country_name: str | None
    industry: str | None
    revenue_range: str | None
    employee_count_range: str | None
    overview: dict[str, Any] = Field(default={})
    key_executives: list[Executive] = Field(default=[])
    divisions: list[Division] = Field(default=[])
    geographical_operations: list[Statement] = Field(default=[])
    swot_analysis: list[SwotEntry] = Field(default=[])
    competitors: list[Competitor] = Field(default=[])
    industry_insights: list[Statement] = Field(default=[])
    strategic_priorities: list[Statement] = Field(default=[])
    digital_strategies: list[Statement] = Field(default=[])
    risks: list[Statement] = Field(default=[])
    goals: list[Statement] = Field(default=[])
    events: list[FiscalEvent] = Field(default=[])
    how_they_make_money: list[Statement] = Field(default=[])
    how_they_lose_money: list[Statement] = Field(default=[])
    employee_groups: list[Statement] = Field(default=[])
    favourite_technologies_count: list[TechnologyCount] = Field(default=[])
    insights_scores: list[dict[str, Any]] = Field(default=[])
    custom_insights: list[dict[str, Any]] = Field(default=[])
    value_pyramid: list[Statement] = Field(default=[])
    three_whys: list[Statement] = Field(default=[])
    discovery_questions: list[Statement] = Field(default=[])
    territory_custom_scores: list[dict[str, Any]] = Field(default=[])
    content: list[dict[str, Any]] = Field(default=[])
    sections: dict[str, SectionState]


async def read_profile(call: Call) -> Reply:
    asked: ProfileParameters = call.params
    wanted = wanted_sections(asked.include, asked.exclude)
    organization_id = call.caller.organization_id
    found = await profiles.profile_head(call.connection, organization_id, asked.company_id)
    if found is None:
        raise CompanyDoesNotExist()
    company_id, head, waiting = found
    stored: dict[str, ServedSection] = {}
    if wanted:
        rows = await profiles.read_sections(
            call.connection,
            organization_id,
            company_id,
            sections=wanted,
            with_sources=asked.sources,
        )
        stored = {row.section: row for row in rows}
        await _ask_for_missing(call, company_id, wanted, stored, waiting)
    bodies, states = [], []
    for name in wanted:
        if name in JOINED_SECTIONS:
            body, state = await _joined(call, company_id, name)
        else:
            body, state = _served(name, stored.get(name), waiting)
        if name == "employee_groups":
            body, state = await _with_own_contacts(call, company_id, body, state)
        bodies.append(f'"{name}":{body}')
        states.append(f'"{name}":{state}')
    parts = [head[:-1], *bodies, f'"sections":{{{",".join(states)}}}}}']
    return Reply(",".join(parts).encode())


def wanted_sections(include: str | None, exclude: str | None) -> list[str]:
    """The sections that are asked for, in the order of the list. Raises RequestIsInvalid."""
    included = _names("include", include, ("full", *SECTIONS))
    excluded = _names("exclude", exclude, SECTIONS)
    chosen = set(SECTIONS) if "full" in included else included
    return [name for name in SECTIONS if name in chosen - excluded]


def _names(parameter: str, given: str | None, valid: tuple[str, ...]) -> set[str]:
    names = {name.strip() for name in (given or "").split(",")} - {""}
    unknown = sorted(names - set(valid))
    if unknown:
        message = f"Unknown: {', '.join(unknown)[:200]}. Valid names: {', '.join(valid)}."
        fields = [{"path": parameter, "message": message, "code": "not_allowed"}]
        raise RequestIsInvalid(f"{parameter}: {message}", fields=fields)
    return names


async def _ask_for_missing(
    call: Call,
    company_id: UUID,
    wanted: list[str],
    stored: dict[str, ServedSection],
    waiting: Waiting,
) -> None:
    """Put the making of what is missing or stale on the queue, unless it is there already."""

    def is_due(names: tuple[str, ...]) -> bool:
        asked = [stored.get(name) for name in names if name in wanted]
        return any(section is None or section.is_stale for section in asked)

    if waiting.has_evidence and not waiting.refreshing and is_due(CATALOGUE_SECTIONS):
        await work.put(call.connection, profiles.REFRESH, str(company_id))
    if waiting.has_evidence and not waiting.refreshing_for and is_due(ORGANIZATION_SECTIONS):
        organization_id = call.caller.organization_id
        subject = profiles.organization_subject(organization_id, company_id)
        await work.put(
            call.connection, profiles.REFRESH_FOR, subject, organization_id=organization_id
        )


def _served(name: str, section: ServedSection | None, waiting: Waiting) -> tuple[str, str]:
    if section is not None:
        return section.body, section.described
    status = "generating" if waiting.has_evidence else "insufficient_evidence"
    return "{}" if name in _OBJECTS else "[]", _state(status)


async def _with_own_contacts(
    call: Call, company_id: UUID, body: str, state: str
) -> tuple[str, str]:
    """Employee groups with the caller's contacts: they are its own, and stand in nobody's store."""
    contacts = await profiles.contact_groups(
        call.connection, call.caller.organization_id, company_id
    )
    if not contacts:
        return body, state
    groups = employee_groups.with_contacts(json.loads(body), contacts)
    described = json.loads(state)
    if described["status"] == "insufficient_evidence":
        described["status"] = "ready"
    if call.params.sources:
        groups = [{"sources": [], **group} for group in groups]
    return json.dumps(groups, ensure_ascii=False), json.dumps(described)


async def _joined(call: Call, company_id: UUID, name: str) -> tuple[str, str]:
    organization_id = call.caller.organization_id
    if name == "content":
        body = await profiles.content_items(
            call.connection,
            organization_id,
            company_id,
            limit=_MOST_CONTENT,
            with_sources=call.params.sources,
        )
    else:
        body = await profiles.territory_scores(call.connection, organization_id, company_id)
    return body, _state("ready" if body != "[]" else "insufficient_evidence")


def _state(status: str) -> str:
    return json.dumps(
        {
            "status": status,
            "generated_at": None,
            "method": None,
            "source_window": None,
            "stale": False,
            "writing": None,
        }
    )


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/companies/{company_id}/profile",
        name="read_profile",
        summary="Read the profile of a company, section by section",
        description=(
            "Without `include`: the top-level fields alone. A section that is not made yet is "
            "`generating` and is made in the background; one without evidence is empty. Every "
            "statement is proven: with `sources=true` it comes with the words that prove it."
        ),
        tag="Companies",
        scopes=("insights:read",),
        params=ProfileParameters,
        answer=CompanyProfile,
        errors=(CompanyDoesNotExist,),
        handler=read_profile,
    ),
)
