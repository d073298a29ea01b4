"""The monitoring timeline: signals and changes of an organization's accounts, each once."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.domain.event_types import POSITION_TYPES
from sightline.domain.titles import read_title
from sightline.kit.clock import now
from sightline.kit.ids import new_id
from sightline.store.companies import ids_of
from sightline.store.database import Tenant
from sightline.store.pages import (
    Pages,
    Rows,
    Slice,
    Where,
    joined_row,
    json_row,
    read_rows,
    utc,
    version_of,
)
from sightline.store.signals import AT, BACKGROUND


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event for the timeline. `story` identifies what it reports: each story appears once. What `is_over`
    raises no alert; what was so when it was reported is `background`."""

    story: str
    type: str
    family: str | None
    title: str
    company_id: UUID
    summary: str = ""
    source: Mapping[str, Any] | None = None
    occurred_at: datetime | None = None
    signal_id: UUID | None = None
    confidence: float | None = None
    changes: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    seniorities: Sequence[str] = ()
    is_over: bool = False
    background: bool = False


async def begin_monitoring(tenant: Tenant, company_id: UUID) -> bool:
    """Take the first baseline of a company; False when it was taken before."""
    taken: bool | None = await tenant.value(
        """
        INSERT INTO monitored_companies (organization_id, company_id) VALUES ($1, $2)
        ON CONFLICT DO NOTHING RETURNING true
        """,
        company_id,
    )
    return bool(taken)


async def is_monitored(tenant: Tenant, company_id: UUID) -> bool:
    """Whether the first baseline of a company was taken for an organization."""
    found: bool = await tenant.value(
        "SELECT EXISTS (SELECT FROM monitored_companies"
        " WHERE organization_id = $1 AND company_id = $2)",
        company_id,
    )
    return found


async def publish_events(tenant: Tenant, events: Sequence[NewEvent]) -> dict[str, UUID]:
    """Put events on the timeline; returns story -> event id of those that are new."""
    if not events:
        return {}
    values = [
        (
            new_id(), e.story, e.type, e.family, e.title, e.summary, e.company_id,
            None if e.source is None else dict(e.source), e.occurred_at, e.signal_id, e.confidence,
            json.dumps([dict(each) for each in e.changes]), "{" + ",".join(e.seniorities) + "}",
            e.background,
        )
        for e in events
    ]  # fmt: skip
    rows = await tenant.rows(
        """
        INSERT INTO events (organization_id, event_id, story, type, family, title, summary,
          company_id, source, occurred_at, signal_id, confidence, changes, seniorities,
          background)
        SELECT $1, w.event_id, w.story, w.type, w.family, w.title, w.summary, w.company_id, w.source,
          w.occurred_at, w.signal_id, w.confidence, w.changes::jsonb, w.seniorities::text[], w.background
        FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
          $8::uuid[], $9::jsonb[], $10::timestamptz[], $11::uuid[], $12::float4[], $13::text[],
          $14::text[], $15::boolean[])
          AS w (event_id, story, type, family, title, summary, company_id, source, occurred_at,
            signal_id, confidence, changes, seniorities, background)
        ON CONFLICT (organization_id, story) DO NOTHING RETURNING story, event_id
        """,
        *map(list, zip(*values, strict=True)),
    )
    return {row["story"]: row["event_id"] for row in rows}


async def unpublished_changes(tenant: Tenant, company_id: UUID) -> list[dict[str, Any]]:
    """Record changes of a company that the organization has not seen: version, time, changes. What
    it saw under another id of the company counts as seen."""
    rows = await tenant.rows(
        f"""
        SELECT record_version, changed_at, changes FROM company_changes c
        WHERE company_id = $2 AND NOT EXISTS (
          SELECT FROM unnest({ids_of("ARRAY[$2::uuid]")}) AS known (id) JOIN events e
            ON e.organization_id = $1 AND e.story = 'record:' || known.id || ':' || c.record_version)
        ORDER BY record_version
        """,
        company_id,
    )
    return [dict(row) for row in rows]


async def unpublished_signals(tenant: Tenant, company_id: UUID) -> list[dict[str, Any]]:
    """Signals of a company that the organization has not seen."""
    rows = await tenant.rows(
        f"""
        SELECT signal_id, family, type, title, summary, source_kind, source, occurred_at, confidence,
          parties, about, coalesce(expires_at <= $3, false) AS is_over,
          {BACKGROUND} AS background
        FROM signals s
        WHERE company_id = $2 AND NOT EXISTS (SELECT FROM events e WHERE e.organization_id = $1
          AND e.story = 'signal:' || s.signal_id)
        ORDER BY {AT}, signal_id
        """,
        company_id,
        now(),
    )
    return [dict(row) for row in rows]


def event_of_signal(company_id: UUID, row: Mapping[str, Any]) -> NewEvent:
    """The event that tells of a signal, as `unpublished_signals` gives it."""
    return NewEvent(
        story=f"signal:{row['signal_id']}",
        type=row["type"],
        family=row["family"],
        title=row["title"],
        summary=row["summary"] or "",
        company_id=company_id,
        source={"kind": row["source_kind"], **(row["source"] or {})},
        occurred_at=row["occurred_at"],
        signal_id=row["signal_id"],
        confidence=row["confidence"],
        seniorities=_seniorities(row),
        is_over=row["is_over"],
        background=row["background"],
    )


def _seniorities(signal: Mapping[str, Any]) -> list[str]:
    """The levels of the positions that a signal is about: of its people, or of the opened role."""
    if signal["type"] not in POSITION_TYPES:
        return []
    titles = [party.get("title") for party in signal["parties"]]
    if signal["type"] == "senior_role_opened":
        titles.append(signal["about"])
    return sorted({str(level) for each in titles if each and (level := read_title(each).seniority)})


def event_of_change(company_id: UUID, name: str, row: Mapping[str, Any]) -> NewEvent:
    """The event that tells of a changed record, as `unpublished_changes` gives it."""
    fields = ", ".join(change["field"] for change in row["changes"])
    return NewEvent(
        story=f"record:{company_id}:{row['record_version']}",
        type="field_changed",
        family=None,
        title=f"{name}: {fields} changed",
        company_id=company_id,
        source={"kind": "insight", "name": "record"},
        occurred_at=row["changed_at"],
        changes=row["changes"],
    )


# Every event has all of them, null where nothing is known.
_SOURCE = json_row(
    ", ".join(
        f"e.source -> '{name}' AS {name}"
        for name in ("kind", "name", "url", "title", "publisher", "published_at")
    )
)


def event_of(alias: str) -> str:
    """SQL that joins the `event` of a row as it is served, and its `company`: the organization's account, or
    the catalogue's. `e` is the row of the event, `alias` one of the same organization and company.

    A look-up for each row: when PostgreSQL plans, it does not know the organization, takes its accounts for
    few, and would read all of them.
    """
    company = f"""
      {alias}.company_id AS id, coalesce(a.company_name, c.company_name) AS name,
      coalesce(a.website_domain, c.website_domain) AS domain
    """
    return f"""
      LEFT JOIN LATERAL (SELECT *, xmin FROM accounts WHERE organization_id = {alias}.organization_id
        AND company_id = {alias}.company_id LIMIT 1) a ON true
      LEFT JOIN LATERAL (
        SELECT *, xmin FROM companies WHERE company_id = {alias}.company_id LIMIT 1) c ON true
      {joined_row("company", company)} {joined_row("event", _EVENT)}
    """


# Of all that `event_of` joins, which account of the company it is included.
EVENT_VERSIONS = f"{version_of('e', 'c', 'a')} || coalesce(uuid_send(a.account_id), '')"
_EVENT = f"""
  e.event_id AS id, e.type, e.family, e.title, e.summary, company,
  CASE WHEN e.source IS NOT NULL THEN {_SOURCE} END AS source,
  {utc("e.occurred_at")} AS occurred_at,
  {utc("e.detected_at")} AS detected_at, e.signal_id, e.changes, e.watch_ids,
  e.background
"""
_EVENTS = Rows(
    "events e",
    "row_to_json(event)",
    "event_id",
    "detected_at",
    "timestamptz",
    descending=True,
    joins=event_of("e"),
    versions=f"uuid_send(e.event_id) || {EVENT_VERSIONS}",
)


async def events_page(
    tenant: Tenant,
    *,
    type: str | None = None,
    source: str | None = None,
    company_id: UUID | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    background: bool | None = None,
    part: Slice,
) -> Pages:
    """Events, the newest detected first. `type` is a type or a family, `source` a source's kind or
    name; `since` and `until` bound when they were detected."""
    where = Where("organization_id = $1", [tenant.organization_id])
    where.add("(type = {} OR family = {})", type)
    where.add("(source ->> 'kind' = {} OR source ->> 'name' = {})", source)
    where.add(f"company_id = ANY({ids_of('ARRAY[{}::uuid]')})", company_id)
    where.add("detected_at >= {}", since)
    where.add("detected_at <= {}", until)
    where.add("background = {}", background)
    return await read_rows(tenant, _EVENTS, where, part=part)


async def read_events(tenant: Tenant, event_ids: Sequence[UUID]) -> list[dict[str, Any]]:
    """Events by id, as they are served."""
    rows = await tenant.rows(
        f"""
        SELECT row_to_json(event)::text AS body FROM {_EVENTS.table} {_EVENTS.joins}
        WHERE e.organization_id = $1 AND e.event_id = ANY($2::uuid[]) ORDER BY e.event_id
        """,
        list(event_ids),
    )
    return [json.loads(row["body"]) for row in rows]
