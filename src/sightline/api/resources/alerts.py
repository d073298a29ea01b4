"""Alerts: events that matched a watch and need attention."""

from functools import partial
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema, of_resource, one
from sightline.api.moments import Moment
from sightline.api.paging import PageParameters, filters_of, list_reply, page_of
from sightline.domain.errors import AlertDoesNotExist, RequestIsInvalid
from sightline.store import alerts as store
from sightline.store.alerts import AlertStatus

AnyStatus = Literal["new", "viewed", "acknowledged", "resolved", "dismissed"]


class AlertList(PageParameters):
    status: AnyStatus | None = Field(default=None, description="Only alerts of this status.")
    watch_id: UUID | None = Field(default=None, description="Only alerts of this watch.")
    company_id: UUID | None = Field(default=None, description="Only alerts of this company.")
    assignee: UUID | None = Field(default=None, description="A user.")
    include_snoozed: bool = Field(default=False, description="Show snoozed alerts as well.")
    since: Moment | None = Field(default=None, description="Created at or after.")


class AlertChange(Schema):
    """At least one field. Any change of status is allowed; setting the same status again changes
    nothing."""

    status: AlertStatus | None = Field(default=None, examples=["acknowledged"])
    note: str | None = Field(default=None, max_length=5000)
    assignee: UUID | None = Field(default=None, description="A user; null unassigns the alert.")
    snoozed_until: Moment | None = Field(default=None, description="Hidden until then.")


class Move(Schema):
    from_: str = Field(alias="from")
    to: str
    at: str
    by: str = Field(description="key:<id> or user:<id>.")


class Alert(Schema):
    id: UUID
    status: AnyStatus
    event: dict[str, Any]
    company: dict[str, Any]
    watch_id: UUID | None = Field(description="Null once the watch is deleted.")
    note: str | None
    assignee: UUID | None
    snoozed_until: str | None
    history: list[Move]
    created_at: str
    updated_at: str


async def list_alerts(call: Call) -> Reply:
    asked: AlertList = call.params
    wanted = filters_of(asked)
    page = partial(store.alerts_page, call.tenant, **wanted)
    return await list_reply(call, page, "alerts", wanted)


async def read(call: Call) -> Reply:
    return one(await store.alert_object(call.tenant, call.params.alert_id), AlertDoesNotExist)


async def change(call: Call) -> Reply:
    asked: AlertChange = call.body
    given = asked.model_dump(exclude_unset=True)
    if not given or given.get("status", "") is None:
        raise RequestIsInvalid.at("status", "A status is required.", "missing_field")
    given.pop("status", None)
    try:
        found = await store.update_alert(
            call.tenant,
            call.params.alert_id,
            status=asked.status,
            given=given,
            by=call.caller.actor,
        )
    except store.AssigneeDoesNotExist as error:
        raise RequestIsInvalid.at("assignee", str(error)) from error
    if not found:
        raise AlertDoesNotExist()
    return await read(call)


ENDPOINTS = of_resource(
    "Monitoring",
    ("insights:read", "insights:read"),
    Endpoint(
        method="GET",
        path="/alerts",
        name="list_alerts",
        summary="Your organization's alerts, newest first",
        params=AlertList,
        answer=page_of(Alert),
        handler=list_alerts,
    ),
    Endpoint(
        method="GET",
        path="/alerts/{alert_id}",
        name="read_alert",
        summary="Read one alert",
        answer=Alert,
        handler=read,
    ),
    Endpoint(
        method="PATCH",
        path="/alerts/{alert_id}",
        name="update_alert",
        summary="Change the status of an alert, add a note, assign or snooze it",
        scopes=("insights:write", "monitoring:write"),
        body=AlertChange,
        answer=Alert,
        handler=change,
    ),
)
