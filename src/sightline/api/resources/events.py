"""The monitoring timeline."""

from functools import partial
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema
from sightline.api.filtering import vocabulary_warning
from sightline.api.moments import Moment
from sightline.api.paging import PageParameters, filters_of, page_of, read_list, with_pagination
from sightline.domain.event_types import FAMILIES, SOURCE_KINDS, TYPES
from sightline.store.events import events_page


class EventList(PageParameters):
    type: str | None = Field(default=None, max_length=100, description="A type or a family.")
    source: str | None = Field(default=None, max_length=100, description="Kind of source, or name.")
    company_id: UUID | None = Field(default=None, description="Only this company.")
    since: Moment | None = Field(default=None, description="Detected at or after.")
    until: Moment | None = Field(default=None, description="Detected at or before.")
    background: bool | None = Field(default=None, description="Only background, or only news.")


class EventCompany(Schema):
    id: UUID
    name: str | None = Field(examples=["Harbor Analytics"])
    domain: str | None = Field(examples=["harbor-analytics.example"])


class Change(Schema):
    field: str = Field(examples=["ceo"])
    before: Any
    after: Any


class EventSource(Schema):
    """The source of the event. All fields are present, and null if unknown."""

    kind: Literal["insight", "filing", "news", "web", "job", "technology"] | None = Field(
        description="`insight` is a finding of Sightline itself, such as a changed value."
    )
    name: str | None = Field(description="The source that found it.", examples=["sec_edgar"])
    url: str | None
    title: str | None
    publisher: str | None = Field(examples=["sec.gov"])
    published_at: str | None


class Event(Schema):
    """A signal or a data change."""

    id: UUID
    type: str = Field(examples=["hires"])
    family: str | None = Field(examples=["leadership_moves"])
    title: str = Field(examples=["Harbor Analytics hires a chief revenue officer"])
    summary: str
    company: EventCompany
    source: EventSource | None
    occurred_at: str | None = Field(
        description="When it happened; null if no day is given. Reported at `source.published_at`."
    )
    detected_at: str
    signal_id: UUID | None
    changes: list[Change]
    watch_ids: list[UUID]
    background: bool = Field(description="No news any more when it was reported; raises no alert.")


async def list_events(call: Call) -> Reply:
    asked: EventList = call.params
    wanted = filters_of(asked)
    page = partial(events_page, call.tenant, **wanted)
    items, described = await read_list(call.caller, asked, page, bound_to=("events", wanted))
    headers = vocabulary_warning("type", asked.type, (*TYPES, *FAMILIES))
    if not headers and described["total"] == 0:  # names of sources are anybody's
        headers = vocabulary_warning("source", asked.source, SOURCE_KINDS)
    return Reply(with_pagination(items, described), headers=headers)


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/events",
        name="list_events",
        summary="Events at your accounts, newest first",
        tag="Monitoring",
        scopes=("monitoring:read",),
        params=EventList,
        answer=page_of(Event),
        headers={"X-Warning": "An unknown type or source."},
        handler=list_events,
    ),
)
