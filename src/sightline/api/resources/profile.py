"""The profile of a company: stored sections; reading never waits for one to be built."""

import json
from functools import lru_cache
from typing import Any, Final, Literal
from uuid import UUID

from pydantic import Field, create_model

from sightline.api.endpoint import Call, Endpoint, Reply, Schema, of_resource
from sightline.domain.errors import CompanyDoesNotExist, RequestIsInvalid
from sightline.profile import registry
from sightline.profile.author import WritingCost, ask_for_writing, cost_of
from sightline.profile.sections import employee_groups
from sightline.reading.model_check import writer
from sightline.store import profiles, work
from sightline.store.profiles import ServedSection, Waiting

CATALOGUE_SECTIONS: Final = tuple(each.name for each in registry.SECTIONS)
ORGANIZATION_SECTIONS: Final = tuple(each.name for each in registry.ORGANIZATION_SECTIONS)
JOINED_SECTIONS: Final = tuple(each.name for each in registry.JOINED_SECTIONS)
SECTIONS: Final = tuple(each.name for each in registry.ALL)
_OBJECTS: Final = frozenset(each.name for each in registry.ALL if each.shape is None)
_MOST_CONTENT: Final = 50


class ProfileParameters(Schema):
    company_id: UUID = Field(description="Id of the company.")
    include: str | None = Field(
        default=None,
        max_length=1000,
        description=f"Comma-separated sections; `full` is all of them: {', '.join(SECTIONS)}.",
        examples=["overview,competitors"],
    )
    exclude: str | None = Field(
        default=None, max_length=1000, description="Sections to leave out; overrides `include`."
    )
    sources: bool = Field(
        default=False, description="Include the sources of each statement, with quotes."
    )


class SectionWriting(Schema):
    """The state of a section's writing by the model. Until it is `written`, the section is
    extractive."""

    outcome: Literal["waiting", "written", "too_little_proven", "failed", "over_budget"]
    model: str
    prompt_version: int
    at: str
    reason: str | None = Field(default=None, description="Why it failed.")
    tries: int | None = None
    tokens: int | None = Field(
        default=None, description="Tokens used to write the profile that it belongs to, in and out."
    )
    kept: int | None = Field(default=None, description="Statements written and proven.")
    dropped: int | None = Field(
        default=None, description="Statements written but not proven, and dropped."
    )


class AnnualSource(Schema):
    """The annual report behind the figures and plans of a profile. `outdated`: it is older than
    fifteen months."""

    published_at: str
    outdated: bool


class SectionState(Schema):
    """`generating`: the section is being built; try again in a few seconds."""

    status: Literal["ready", "insufficient_evidence", "generating"]
    generated_at: str | None
    method: str | None = Field(description="`extractive`, or the model that wrote it.")
    source_window: dict[str, str] | None = Field(
        description="`from` and `until`: the oldest and newest quoted documents."
    )
    stale: bool = Field(
        description="Newer evidence exists or a month has passed; it is being rebuilt."
    )
    annual_source: AnnualSource | None = Field(
        description="The company's newest annual report; null if none is known."
    )
    writing: SectionWriting | None = Field(
        description="Null if no model is configured or no model writes this section."
    )


class _ProfileHead(Schema):
    """The requested sections and the state of each."""

    company_id: UUID
    company_name: str = ""
    website_domain: str = ""
    hq_country_name: str | None
    industry: str | None
    revenue_range: str | None
    employee_count_range: str | None
    sections: dict[str, SectionState]


def _section_fields() -> dict[str, Any]:
    """A field of the answer for each declared section, typed by its rows."""
    found: dict[str, Any] = {}
    for each in registry.ALL:
        rows = dict[str, Any] if each.shape is None else list.__class_getitem__(each.shape)
        found[each.name] = (rows, Field(default={} if each.shape is None else [], title=each.title))
    return found


CompanyProfile = create_model("CompanyProfile", __base__=_ProfileHead, **_section_fields())
CompanyProfile.__doc__ = "The requested sections and the state of each."


async def read_profile(call: Call) -> Reply:
    asked: ProfileParameters = call.params
    wanted = wanted_sections(asked.include, asked.exclude)
    found = await profiles.read_profile(
        call.tenant, asked.company_id, sections=wanted, with_sources=asked.sources
    )
    if found is None:
        raise CompanyDoesNotExist()
    (company_id, head, waiting), rows = found
    stored = {row.section: row for row in rows}
    if wanted:
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


@lru_cache(maxsize=1_000)
def wanted_sections(include: str | None, exclude: str | None) -> tuple[str, ...]:
    """The sections that are asked for, in the order of the list. Raises RequestIsInvalid."""
    included = _names("include", include, ("full", *SECTIONS))
    excluded = _names("exclude", exclude, SECTIONS)
    chosen = set(SECTIONS) if "full" in included else included
    return tuple(name for name in SECTIONS if name in chosen - excluded)


def _names(parameter: str, given: str | None, valid: tuple[str, ...]) -> set[str]:
    names = {name.strip() for name in (given or "").split(",")} - {""}
    unknown = sorted(names - set(valid))
    if unknown:
        message = f"Unknown: {', '.join(unknown)[:200]}. Valid names: {', '.join(valid)}."
        raise RequestIsInvalid.at(parameter, message)
    return names


async def _ask_for_missing(
    call: Call,
    company_id: UUID,
    wanted: tuple[str, ...],
    stored: dict[str, ServedSection],
    waiting: Waiting,
) -> None:
    """Put the making of what is missing or stale on the queue, unless it is there already."""

    def is_due(names: tuple[str, ...]) -> bool:
        asked = [stored.get(name) for name in names if name in wanted]
        return any(section is None or section.is_stale for section in asked)

    if waiting.has_evidence and not waiting.refreshing and is_due(CATALOGUE_SECTIONS):
        await work.put(call.tenant, profiles.REFRESH, str(company_id))
    if waiting.has_evidence and not waiting.refreshing_for and is_due(ORGANIZATION_SECTIONS):
        organization_id = call.caller.organization_id
        subject = profiles.organization_subject(organization_id, company_id)
        await work.put(call.tenant, profiles.REFRESH_FOR, subject, organization_id=organization_id)


def _served(name: str, section: ServedSection | None, waiting: Waiting) -> tuple[str, str]:
    if section is not None:
        return section.body, section.described
    status = "generating" if waiting.has_evidence else "insufficient_evidence"
    return "{}" if name in _OBJECTS else "[]", _state(status)


async def _with_own_contacts(
    call: Call, company_id: UUID, body: str, state: str
) -> tuple[str, str]:
    """Employee groups with the caller's contacts: they are its own, and stand in no one's store."""
    contacts = await profiles.contact_groups(call.tenant, company_id)
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
    if name == "content":
        body = await profiles.content_items(
            call.tenant, company_id, limit=_MOST_CONTENT, with_sources=call.params.sources
        )
    else:
        body = await profiles.territory_scores(call.tenant, company_id)
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
            "annual_source": None,
        }
    )


class WritingParameters(Schema):
    company_id: UUID = Field(description="Id of the company.")
    dry_run: bool = Field(default=False, description="Return the cost without doing anything.")


class ProfileWriting(Schema):
    """The maximum cost of writing the sections that the model has not written yet."""

    company_id: UUID
    status: Literal["queued", "dry_run", "no_model"]
    model: str | None
    sections: int = Field(description="Public sections to write.")
    tokens: int = Field(description="At most, input and output together, including verification.")


async def write_profile(call: Call) -> Reply:
    asked: WritingParameters = call.params
    organization_id = call.caller.organization_id
    found = await profiles.profile_head(call.tenant, asked.company_id)
    if found is None:
        raise CompanyDoesNotExist()
    company_id = found[0]
    status: Literal["queued", "dry_run", "no_model"] = "no_model"
    model = await writer(call.tenant, call.services.model)
    cost = WritingCost(0, 0, 0)
    if model is not None:
        cost = await cost_of(call.tenant, [company_id], model=model.name)
        status = "dry_run" if asked.dry_run else "queued"
    if status == "queued":
        await ask_for_writing(call.tenant, [company_id])
        subject = profiles.organization_subject(organization_id, company_id)
        await work.put(call.tenant, profiles.REFRESH_FOR, subject, organization_id=organization_id)
    answer = ProfileWriting(
        company_id=company_id,
        status=status,
        model=model.name if model else None,
        sections=cost.sections,
        tokens=cost.tokens,
    )
    return Reply(answer.model_dump_json().encode(), status=202 if status == "queued" else 200)


ENDPOINTS = of_resource(
    "Companies",
    ("insights:read", "insights:write"),
    Endpoint(
        method="GET",
        path="/companies/{company_id}/profile",
        name="read_profile",
        summary="Read the profile of a company, section by section",
        description=(
            "Without `include`, only the top-level fields. A section not built yet is "
            "`generating` and is built in the background; one without evidence is empty. Every "
            "statement is proven: `sources=true` adds the quotes that prove it."
        ),
        params=ProfileParameters,
        answer=CompanyProfile,
        handler=read_profile,
    ),
    Endpoint(
        method="POST",
        path="/companies/{company_id}/profile",
        name="write_profile",
        summary="Have the language model write the profile of a company",
        description=(
            "Queues the sections that the model has not written yet; sections already written from the same "
            "evidence cost nothing. `dry_run=true` returns the maximum cost. Without a model the answer is "
            "`no_model` and the profile stays extractive."
        ),
        params=WritingParameters,
        answer=ProfileWriting,
        also={202: "Writing is queued."},
        handler=write_profile,
    ),
)
