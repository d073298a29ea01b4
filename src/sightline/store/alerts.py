"""Alerts: events that matched a watch and need attention. One signal is one alert."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import asyncpg

from sightline.kit.ids import new_id
from sightline.store.companies import ids_of
from sightline.store.database import Tenant
from sightline.store.events import EVENT_VERSIONS, event_of
from sightline.store.pages import Pages, Rows, Slice, Where, joined_row, read_rows, utc, version_of

AlertStatus = Literal["viewed", "acknowledged", "resolved", "dismissed"]


class AssigneeDoesNotExist(LookupError):
    """The organization has no such user."""


async def raise_alert(
    tenant: Tenant, *, event_id: UUID, company_id: UUID, watch_id: UUID
) -> UUID | None:
    """Create an alert of an event and note the watch on it; None when there is an alert already."""
    await tenant.run(
        """
        UPDATE events SET watch_ids = array_append(watch_ids, $3)
        WHERE organization_id = $1 AND event_id = $2 AND NOT $3 = ANY(watch_ids)
        """,
        event_id,
        watch_id,
    )
    made: UUID | None = await tenant.value(
        """
        INSERT INTO alerts (organization_id, alert_id, event_id, watch_id, company_id)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT (organization_id, event_id) DO NOTHING
        RETURNING alert_id
        """,
        new_id(),
        event_id,
        watch_id,
        company_id,
    )
    return made


async def update_alert(
    tenant: Tenant, alert_id: UUID, *, status: AlertStatus | None, given: dict[str, Any], by: str
) -> bool:
    """Move an alert, and set what is given of note, assignee and snoozed_until. False: no such alert.

    A status that it has already changes nothing. Raises AssigneeDoesNotExist.
    """
    try:
        done = await tenant.run(
            f"""
            UPDATE alerts SET
              history = CASE WHEN $3::text IS NULL OR $3 = status THEN history
                ELSE history || jsonb_build_object('from', status, 'to', $3, 'by', $4::text,
                  'at', {utc("clock_timestamp()")}) END,
              updated_at = CASE WHEN ($3::text IS NULL OR $3 = status) AND NOT ($5 OR $7 OR $9)
                THEN updated_at ELSE clock_timestamp() END,
              status = coalesce($3, status),
              note = CASE WHEN $5 THEN $6 ELSE note END,
              assignee = CASE WHEN $7 THEN $8 ELSE assignee END,
              snoozed_until = CASE WHEN $9 THEN $10 ELSE snoozed_until END
            WHERE organization_id = $1 AND alert_id = $2
            """,
            alert_id,
            status,
            by,
            "note" in given,
            given.get("note"),
            "assignee" in given,
            given.get("assignee"),
            "snoozed_until" in given,
            given.get("snoozed_until"),
        )
    except asyncpg.ForeignKeyViolationError as error:
        raise AssigneeDoesNotExist("There is no such user.") from error
    return done == "UPDATE 1"


_ALERT = f"""
  x.alert_id AS id, x.status, event, company, x.watch_id, x.note,
  x.assignee, {utc("x.snoozed_until")} AS snoozed_until, x.history,
  {utc("x.created_at")} AS created_at,
  {utc("x.updated_at")} AS updated_at
"""
_ALERTS = Rows(
    "alerts x",
    "row_to_json(alert)",
    "alert_id",
    "created_at",
    "timestamptz",
    descending=True,
    joins=f"""
      JOIN LATERAL (SELECT *, xmin FROM events WHERE organization_id = x.organization_id
        AND event_id = x.event_id LIMIT 1) e ON true
      {event_of("x")} {joined_row("alert", _ALERT)}
    """,
    versions=f"uuid_send(x.alert_id) || {version_of('x')} || {EVENT_VERSIONS}",
)
alert_object = _ALERTS.one


async def count_new_alerts(tenant: Tenant, *, among: int) -> int:
    """How many of the latest `among` alerts no one has touched; snoozed ones are left out."""
    found: int = await tenant.value(
        """
        SELECT count(*) FROM (
          SELECT status, snoozed_until FROM alerts WHERE organization_id = $1
          ORDER BY created_at DESC, alert_id DESC LIMIT $2) latest
        WHERE status = 'new' AND (snoozed_until IS NULL OR snoozed_until <= now())
        """,
        among,
    )
    return found


async def alerts_page(
    tenant: Tenant,
    *,
    status: str | None = None,
    watch_id: UUID | None = None,
    company_id: UUID | None = None,
    assignee: UUID | None = None,
    include_snoozed: bool = False,
    since: datetime | None = None,
    part: Slice,
) -> Pages:
    """Alerts, newest first; snoozed ones only when they are asked for."""
    where = Where("organization_id = $1", [tenant.organization_id])
    where.add("status = {}", status)
    where.add("watch_id = {}", watch_id)
    where.add(f"company_id = ANY({ids_of('ARRAY[{}::uuid]')})", company_id)
    where.add("assignee = {}", assignee)
    where.add("created_at >= {}", since)
    if not include_snoozed:
        where.text += " AND (snoozed_until IS NULL OR snoozed_until <= now())"
    return await read_rows(tenant, _ALERTS, where, part=part)
