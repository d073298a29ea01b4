"""Publishes signals and changes to an organization's timeline, alerts and webhooks."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog

from sightline.domain.callers import OrganizationId
from sightline.domain.errors import RulesAreCircular
from sightline.domain.event_types import POSITION_TYPES
from sightline.domain.filters import Filter, FilterIsWrong, read_filter
from sightline.kit.clock import now
from sightline.monitor.chat import chat_message
from sightline.monitor.webhooks import message
from sightline.store import alerts, channels, events, watches, webhooks
from sightline.store.companies import account_name, all_ids
from sightline.store.database import Database, Tenant
from sightline.store.events import NewEvent
from sightline.store.lists import ListIsMissing, resolve
from sightline.store.membership_refreshes import SEARCHES, outdated
from sightline.store.passes import each_organization, organizations_with, visit_all
from sightline.store.sample import is_of_sample
from sightline.store.watches import Watch
from sightline.store.work import Work, finish, hold

log = structlog.get_logger()

WORK_KIND = "publish_events"
MOST_AT_ONCE = 500


async def publish(database: Database, item: Work) -> None:
    """Work: tell every organization that has a company as an account what is new about it."""
    company_id = UUID(item.subject)
    async with database.connection() as connection:
        concerned = await organizations_with(connection, await all_ids(connection, company_id))

    async def tell(organization_id: OrganizationId) -> None:
        async with database.tenant(organization_id) as connection:
            await hold(connection, item)
            await publish_to(connection, company_id)

    if failures := await visit_all(database, WORK_KIND, concerned, tell):
        raise failures[0]  # the queue tries again; no one is notified twice
    async with database.connection() as connection, connection.transaction():
        await finish(connection, item)


async def publish_to(tenant: Tenant, company_id: UUID) -> int:
    """Tell one organization; returns how many events are new. Nothing if it has no such account."""
    name = await account_name(tenant, company_id)
    if name is None:
        return 0
    is_baseline = await events.begin_monitoring(tenant, company_id)
    if is_baseline and await is_of_sample(tenant, company_id):
        is_baseline = False  # invented companies never change again: their alerts show at once
    unpublished = [
        events.event_of_signal(company_id, row)
        for row in await events.unpublished_signals(tenant, company_id)
    ]
    unpublished += [
        events.event_of_change(company_id, name, row)
        for row in await events.unpublished_changes(tenant, company_id)
    ]
    return await tell_and_alert(tenant, unpublished[-MOST_AT_ONCE:], silent=is_baseline)


async def tell_and_alert(
    tenant: Tenant,
    unpublished: Sequence[NewEvent],
    *,
    silent: bool = False,
    watch: UUID | None = None,
) -> int:
    """Put events on the timeline, and unless `silent` raise the alerts of the watches that they match.

    With `watch` the events are of that watch's own making and match it.
    """
    if not unpublished:
        return 0
    recorded = await events.publish_events(tenant, unpublished)
    raised: list[UUID] = []
    if not silent:
        live = await watches.live_watches(tenant)
        for event in unpublished:
            if event.story in recorded and not event.is_over:
                raised += await _alert(
                    tenant, recorded[event.story], event, live=live, made_by=watch
                )
        await _queue_webhooks(tenant, list(recorded.values()), raised)
    return len(recorded)


async def look_at_searches(database: Database) -> None:
    """Schedule: which accounts entered or left the searches that organizations watch. Of those that
    changed since the last look, and of all only where what a search names changed."""

    async def look(organization_id: OrganizationId) -> None:
        async with database.tenant(organization_id) as connection:
            found = await outdated(connection, SEARCHES)
            live = await watches.live_watches(connection) if found else []
        by_id = {watch.watch_id: watch for watch in live}
        for watch_id, among in found:
            if watch_id in by_id:
                async with database.tenant(organization_id) as connection:
                    await _look_at(connection, by_id[watch_id], among)

    await each_organization(database, "look_at_searches", look)


def matches_event(watch: Watch, event: NewEvent, *, made_by: UUID | None = None) -> bool:
    """Whether a watch fires on an event, members aside."""
    if made_by is not None:
        return watch.watch_id == made_by
    if event.confidence is not None and event.confidence < watch.least_confidence:
        return False
    about_position = watch.seniorities and event.type in POSITION_TYPES
    if about_position and not set(watch.seniorities) & set(event.seniorities):
        return False
    if event.type == "field_changed":
        changed = {change["field"] for change in event.changes}
        return "field_changed" in watch.types or bool(changed & set(watch.fields))
    return event.family in watch.families or event.type in watch.types


async def usable_search(tenant: Tenant, watch: Watch) -> Filter | None:
    """The filter of a search watch; None when its rules can no longer be used."""
    try:
        wanted = read_filter(dict(watch.filter or {})).filter
        return await resolve(tenant, wanted)
    except (FilterIsWrong, ListIsMissing, RulesAreCircular) as error:
        log.warning("watch_rules_unusable", watch=str(watch.watch_id), reason=str(error))
        return None


async def _alert(
    tenant: Tenant, event_id: UUID, event: NewEvent, *, live: Sequence[Watch], made_by: UUID | None
) -> list[UUID]:
    raised = []
    for watch in live:
        if not matches_event(watch, event, made_by=made_by):
            continue
        if made_by is None and not await _looks_at(tenant, watch, event.company_id):
            continue
        alert_id = await alerts.raise_alert(
            tenant, event_id=event_id, company_id=event.company_id, watch_id=watch.watch_id
        )
        if alert_id is not None:
            raised.append(alert_id)
    return raised


async def _looks_at(tenant: Tenant, watch: Watch, company_id: UUID) -> bool:
    wanted = None
    if watch.kind == "search":
        wanted = await usable_search(tenant, watch)
        if wanted is None:
            return False
    return await watches.is_member(tenant, watch.watch_id, company_id, wanted=wanted)


async def _look_at(tenant: Tenant, watch: Watch, among: list[UUID] | None) -> None:
    wanted = await usable_search(tenant, watch)
    if wanted is None:
        return
    entered, left = await watches.update_membership(tenant, watch, wanted=wanted, among=among)
    at = now()
    unpublished = [
        _of_membership(watch, company_id, name, kind=kind, at=at)
        for kind, moved in (("entered_list", entered), ("left_list", left))
        for company_id, name in moved
    ]
    fires = {"entered_list", "left_list"} & set(watch.types)
    await tell_and_alert(
        tenant,
        [e for e in unpublished if not fires or e.type in fires],
        silent=not fires,
        watch=watch.watch_id,
    )


async def _queue_webhooks(
    tenant: Tenant, event_ids: Sequence[UUID], alert_ids: Sequence[UUID]
) -> None:
    recorded = await events.read_events(tenant, event_ids)
    await webhooks.queue_deliveries(
        tenant,
        topic="event",
        messages=[
            (f"event:{event['id']}", message("event.created", event["detected_at"], event))
            for event in recorded
        ],
    )
    for event in recorded:
        await _queue_channels(tenant, event)
    bodies = []
    for alert_id in alert_ids:
        body = await alerts.alert_object(tenant, alert_id)
        if body is not None:
            alert: dict[str, Any] = json.loads(body)
            bodies.append(
                (f"alert:{alert_id}", message("alert.created", alert["created_at"], alert))
            )
    await webhooks.queue_deliveries(tenant, topic="alert", messages=bodies)


async def _queue_channels(tenant: Tenant, event: dict[str, Any]) -> None:
    """One message for each channel of the watches that the event matched; one a signal."""
    watch_ids = [UUID(each) for each in event["watch_ids"]]
    if not watch_ids:
        return
    subject = f"signal:{event['signal_id']}" if event["signal_id"] else f"event:{event['id']}"
    for channel_id, kind in await channels.channels_for(tenant, watch_ids):
        await webhooks.queue_deliveries(
            tenant,
            topic=channels.TOPIC,
            messages=[(subject, chat_message(kind, event))],
            only=channel_id,
        )


def _of_membership(
    watch: Watch, company_id: UUID, name: str, *, kind: str, at: datetime
) -> NewEvent:
    verb = "now matches" if kind == "entered_list" else "no longer matches"
    return NewEvent(
        story=f"{kind}:{watch.watch_id}:{company_id}:{at.isoformat()}",
        type=kind,
        family=None,
        title=f"{name} {verb} {watch.name}",
        company_id=company_id,
        source={"kind": "insight", "name": watch.name},
        occurred_at=at,
    )
