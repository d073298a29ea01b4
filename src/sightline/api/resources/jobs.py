"""Job postings of a company, live on request, and hiring trends."""

import json
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.asked_company import asked_company, list_of_company
from sightline.api.endpoint import (
    Call,
    Endpoint,
    PricedParameters,
    Reply,
    Schema,
    Services,
    of_resource,
)
from sightline.api.filtering import vocabulary_warning
from sightline.api.job_places import places_wanted
from sightline.api.moments import Moment
from sightline.api.paging import PageParameters, Pagination
from sightline.api.pricing import dry_run_reply, headers_of
from sightline.domain.callers import Caller
from sightline.domain.credits import Price, price_of
from sightline.domain.errors import CompanyDoesNotExist, CreditsAreExhausted
from sightline.domain.names import fold
from sightline.domain.postings import EmploymentType, RemotePolicy
from sightline.domain.title_words import DEPARTMENTS, Department, Seniority
from sightline.enrich.refresh_jobs import Reason, Refreshed, refresh_and_wait
from sightline.kit.clock import rfc3339
from sightline.store import credits
from sightline.store.companies import present_company
from sightline.store.jobs import (
    SOURCE,
    JobFilter,
    is_charged_to,
    job_trends,
    jobs_and_pull,
    pull_state,
)
from sightline.store.pages import Pages
from sightline.store.source_states import disabled_sources

PRICE = "live_jobs_refresh"
MOST_MONTHS = 60


class JobParameters(PageParameters, PricedParameters):
    company_id: UUID = Field(description="Id of the company.")
    live: bool = Field(
        default=False,
        description="Pull the company's job boards first; waits a few seconds at most.",
    )
    active: bool | None = Field(
        default=None, description="Only open postings, or only closed ones."
    )
    department: str | None = Field(
        default=None, max_length=100, description=f"One of: {', '.join(DEPARTMENTS)}."
    )
    location: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description=(
            "A city, a state, a country (also by its ISO 3166 code), a part of the world (Europe, "
            "APAC, DACH) or `remote`, also together: `Toronto, Canada`, `remote, Germany`."
        ),
    )
    title: str | None = Field(
        default=None, min_length=1, max_length=200, description="Words of the title."
    )
    posted_since: Moment | None = Field(
        default=None,
        description="Posted at or after this time, if known; UTC by default.",
    )


class JobLocation(Schema):
    city: str | None
    region: str | None
    country_code: str | None
    raw: str = Field(description="As the job board words it.")


class JobSalary(Schema):
    min: float | None
    max: float | None
    currency: str | None = Field(examples=["EUR"])
    period: Literal["year", "month", "week", "day", "hour"] | None


class Job(Schema):
    """One posting. A job that is listed several times or reposted appears once."""

    id: UUID
    company_id: UUID
    title: str
    normalized_title: str | None
    department: Department | None
    seniority: Seniority | None
    employment_type: EmploymentType | None
    remote: RemotePolicy | None
    locations: list[JobLocation]
    salary: JobSalary | None
    skills: list[str]
    technologies: list[str]
    description: str
    url: str
    source: str
    first_seen_at: datetime
    posted_at: datetime | None = Field(description="The employer's date; null if unknown.")
    last_seen_at: datetime
    closed_at: datetime | None
    active: bool = Field(
        description="Not closed, and present in the last complete pull of its board."
    )
    openings: int | None


class JobsMeta(Schema):
    """Outcome of `live`: `fetched` and `unchanged` are refreshes; `fresh` postings were pulled
    minutes ago. With the others, stored postings are returned: `nothing_found` (no board lists
    postings), `unreachable` (a board or page did not respond), `timed_out`, `disabled` (your
    organization or the operator turned the source off)."""

    live_requested: bool
    refreshed: bool
    refreshed_at: datetime | None = Field(description="When the boards were last pulled.")
    reason: Reason | None


class JobPage(Schema):
    items: list[Job]
    pagination: Pagination
    meta: JobsMeta


class TrendParameters(Schema):
    company_id: UUID = Field(description="Id of the company.")
    months: int = Field(
        default=12, ge=1, le=MOST_MONTHS, description="Calendar months back, including this one."
    )


class Counts(Schema):
    opened: int
    closed: int
    active: int


class MonthCounts(Counts):
    """`active` is at the end of the month."""

    month: str = Field(examples=["2026-05"])


class DepartmentCounts(Counts):
    department: Department | None


class LocationCounts(Counts):
    """`raw` is set only if the place could not be parsed."""

    city: str | None
    region: str | None
    country_code: str | None
    raw: str | None


class JobTrends(Schema):
    company_id: UUID
    observed_since: datetime | None = Field(
        description="Date of the first pull. Earlier months count only postings still open then."
    )
    months: list[MonthCounts]
    departments: list[DepartmentCounts]
    locations: list[LocationCounts]


async def refresh(caller: Caller, asked: JobParameters, services: Services) -> Refreshed | None:
    """Pull the boards before the request's transaction begins. None when nothing is to be done."""
    if not asked.live or asked.dry_run:
        return None
    price = price_of(PRICE, caller.costs)
    async with services.database.tenant(caller.organization_id) as connection:
        company_id = await present_company(connection, asked.company_id)
        left = (await credits.balances(connection)).get(price.credit, 0)
        disabled = await disabled_sources(connection, caller.organization_id)
    if company_id is None:
        raise CompanyDoesNotExist()
    if SOURCE in disabled:
        async with services.database.tenant(caller.organization_id) as connection:
            return Refreshed("disabled", (await pull_state(connection, company_id)).pulled_at)
    if left < price.amount:
        raise CreditsAreExhausted(
            f"The operation needs {price.amount} {price.credit} credit(s); {left} are left.",
            credit=price.credit,
            needed=price.amount,
            remaining=left,
        )
    return await refresh_and_wait(
        services.database,
        caller.organization_id,
        company_id,
        seconds=services.live_refresh_seconds,
    )


async def list_jobs(call: Call) -> Reply:
    asked: JobParameters = call.params
    price = price_of(PRICE, call.caller.costs)
    if asked.dry_run:
        await asked_company(call)
        return await dry_run_reply(call, price if asked.live else Price(price.credit, 0))
    refreshed: Refreshed | None = call.prepared
    charged = await _charge(call, refreshed, price)
    wanted, warning = _filter(asked)
    pulled_at, left = None, 0

    async def page(*asked_for: Any, **position: Any) -> Pages:
        nonlocal pulled_at, left
        found, pulled_at, left = await jobs_and_pull(
            *asked_for, wanted=wanted, credit=charged.credit, **position
        )
        return found

    items, described = await list_of_company(call, page, bound_to=("jobs", wanted))
    if refreshed is not None:
        pulled_at = refreshed.pulled_at
    meta = {
        "live_requested": asked.live,
        "refreshed": refreshed is not None and refreshed.refreshed,
        "refreshed_at": rfc3339(pulled_at) if pulled_at else None,
        "reason": refreshed.reason if refreshed else None,
    }
    body = f'{{"items":{items},"pagination":{json.dumps(described)},"meta":{json.dumps(meta)}}}'
    return Reply(body.encode(), headers=headers_of(charged, left) | warning)


async def read_trends(call: Call) -> Reply:
    company_id = await asked_company(call)
    found = await job_trends(call.tenant, company_id, months=call.params.months)
    return Reply(found.encode())


async def _charge(call: Call, refreshed: Refreshed | None, price: Price) -> Price:
    """Charge a refresh that fetched something; two requests that waited for one pull pay once."""
    if refreshed is None or refreshed.reason != "fetched" or price.amount == 0:
        return Price(price.credit, 0)
    company_id = await asked_company(call)
    reference = f"{PRICE}:{company_id}:{refreshed.pulled_at}"
    await credits.reserve(
        call.tenant,
        credit=price.credit,
        amount=price.amount,
        operation=reference,
        reason="live job postings",
        key_id=call.caller.used_key,
        request_id=call.request_id,
    )
    await credits.settle(call.tenant, credit=price.credit, operation=reference)
    own = await is_charged_to(call.tenant, operation=reference, request_id=call.request_id)
    return Price(price.credit, price.amount if own else 0)


def _filter(asked: JobParameters) -> tuple[JobFilter, dict[str, str]]:
    """What the store looks for, and the header that warns of a department that does not exist."""
    department = asked.department and "_".join(fold(asked.department).split())
    warning = vocabulary_warning("department", department, DEPARTMENTS)
    return (
        JobFilter(
            active=asked.active,
            department=department,
            title=asked.title,
            places=places_wanted(asked.location),
            posted_since=asked.posted_since,
        ),
        warning,
    )


ENDPOINTS = of_resource(
    "Jobs",
    ("jobs:read", "jobs:read"),
    Endpoint(
        method="GET",
        path="/companies/{company_id}/jobs",
        name="list_jobs",
        summary="Job postings of a company, newest first",
        description=(
            "`live=true` pulls the company's job boards first and waits a few seconds; `meta` "
            "has the outcome, and a credit is charged only if something new was fetched. A "
            "longer pull continues in the background, free of charge."
        ),
        params=JobParameters,
        answer=JobPage,
        errors=(CreditsAreExhausted,),
        headers={"X-Warning": "An unknown department."},
        price=PRICE,
        before=refresh,
        handler=list_jobs,
    ),
    Endpoint(
        method="GET",
        path="/companies/{company_id}/jobs/trends",
        name="read_job_trends",
        summary="Postings opened, closed and active, by month, department and location",
        params=TrendParameters,
        answer=JobTrends,
        handler=read_trends,
    ),
)
