"""Watches: the accounts that an organization monitors, and the events that trigger alerts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from sightline.domain.errors import NameIsTaken
from sightline.domain.filters import Filter
from sightline.kit.ids import new_id
from sightline.store.companies import ids_of
from sightline.store.database import Tenant
from sightline.store.filters import condition_of
from sightline.store.pages import Rows, utc

_JOINED = "accounts a JOIN account_records r USING (organization_id, account_id)"


@dataclass(frozen=True, slots=True)
class Watch:
    """A watch that fires now."""

    watch_id: UUID
    name: str
    kind: str
    filter: Mapping[str, Any] | None
    families: Sequence[str]
    types: Sequence[str]
    fields: Sequence[str]
    seniorities: Sequence[str]
    least_confidence: float
    baseline_at: datetime
    membership_at: datetime | None


async def store_watch(tenant: Tenant, watch_id: UUID | None, *, values: Mapping[str, Any]) -> UUID:
    """Make a watch (no id) or give one these values; returns its id. Raises NameIsTaken."""
    made = watch_id or new_id()
    columns = (
        "name", "kind", "filter", "families", "types", "fields", "least_confidence", "paused",
        "expires_at", "created_by", "seniorities",
    )  # fmt: skip
    insert = f"""
      INSERT INTO watches (organization_id, watch_id, {", ".join(columns)})
      VALUES ($1, $2, {", ".join(f"${n}" for n in range(3, 3 + len(columns)))})
    """
    # Resuming takes a new baseline: what happened during a pause alerts no one.
    update = f"""
      UPDATE watches SET updated_at = now(), baseline_at = CASE WHEN paused AND NOT $10
        THEN clock_timestamp() ELSE baseline_at END,
        membership_at = CASE WHEN filter IS DISTINCT FROM $5 THEN NULL ELSE membership_at END,
        {", ".join(f"{name} = ${n}" for n, name in enumerate(columns, start=3))}
      WHERE organization_id = $1 AND watch_id = $2
    """
    try:
        await tenant.run(
            update if watch_id else insert, made, *(values.get(name) for name in columns)
        )
    except asyncpg.UniqueViolationError as error:
        raise NameIsTaken(f"There is a watch named {values['name']!r} already.") from error
    return made


async def set_accounts(tenant: Tenant, watch_id: UUID, account_ids: Sequence[UUID]) -> None:
    """Make these the accounts of a watch; ids that are not accounts are ignored."""
    await tenant.run(
        "DELETE FROM watch_accounts WHERE organization_id = $1 AND watch_id = $2", watch_id
    )
    await tenant.run(
        """
        INSERT INTO watch_accounts (organization_id, watch_id, account_id)
        SELECT $1, $2, account_id FROM accounts
        WHERE organization_id = $1 AND account_id = ANY($3::uuid[])
        """,
        watch_id,
        list(account_ids),
    )


async def find_watch(tenant: Tenant, watch_id: UUID) -> dict[str, Any] | None:
    """The stored values of a watch, its accounts by name included; None if there is none."""
    row = await tenant.row(
        """
        SELECT name, kind, filter, families, types, fields, seniorities, least_confidence, paused, expires_at,
          created_by, ARRAY(SELECT account_id FROM watch_accounts w
            WHERE w.organization_id = $1 AND w.watch_id = $2 AND kind = 'accounts') AS account_ids
        FROM watches WHERE organization_id = $1 AND watch_id = $2
        """,
        watch_id,
    )
    return dict(row) if row else None


_OBJECT = f"""
  json_build_object('id', w.watch_id, 'name', w.name, 'kind', w.kind, 'filter', w.filter,
    'account_ids', (SELECT coalesce(json_agg(m.account_id ORDER BY m.account_id), '[]')
      FROM watch_accounts m WHERE m.organization_id = $1 AND m.watch_id = w.watch_id
        AND w.kind = 'accounts'),
    'account_count', (SELECT count(*) FROM watch_accounts m
      WHERE m.organization_id = $1 AND m.watch_id = w.watch_id),
    'families', w.families, 'types', w.types, 'fields', w.fields,
    'seniorities', w.seniorities,
    'least_confidence', round(w.least_confidence::numeric, 3), 'paused', w.paused,
    'expires_at', {utc("w.expires_at")},
    'status', CASE WHEN w.expires_at <= now() THEN 'expired' WHEN w.paused THEN 'paused'
      ELSE 'active' END,
    'created_at', {utc("w.created_at")},
    'updated_at', {utc("w.updated_at")})
"""
_WATCHES = Rows("watches w", _OBJECT, "watch_id")
watch_object = _WATCHES.one
delete_watch = _WATCHES.delete
watches_page = _WATCHES.page


async def live_watches(tenant: Tenant) -> list[Watch]:
    """The watches that are neither paused nor expired."""
    rows = await tenant.rows(
        """
        SELECT watch_id, name, kind, filter, families, types, fields, seniorities, least_confidence,
          baseline_at, membership_at
        FROM watches WHERE organization_id = $1 AND NOT paused
          AND (expires_at IS NULL OR expires_at > now()) ORDER BY watch_id
        """
    )
    return [Watch(**dict(row)) for row in rows]


async def is_member(
    tenant: Tenant, watch_id: UUID, company_id: UUID, *, wanted: Filter | None
) -> bool:
    """Whether a watch looks at a company: by its accounts, or by its search (`wanted`) as it is now."""
    values: list[Any] = [tenant.organization_id, company_id]
    if wanted is None:
        values.append(watch_id)
        condition = """
          EXISTS (SELECT FROM watch_accounts m WHERE m.organization_id = $1 AND m.watch_id = $3
            AND m.account_id = a.account_id)
        """
    else:
        condition = condition_of(wanted, values)
    found: bool = await tenant.fetchval(
        f"""
        SELECT EXISTS (SELECT FROM {_JOINED}
          WHERE a.organization_id = $1
            AND a.company_id = ANY({ids_of("ARRAY[$2::uuid]")}) AND {condition})
        """,
        *values,
    )
    return found


async def update_membership(
    tenant: Tenant, watch: Watch, *, wanted: Filter, among: Sequence[UUID] | None
) -> tuple[list[tuple[UUID, str]], list[tuple[UUID, str]]]:
    """Look at a search's members again: (entered, left) as (company id, name). Of these accounts alone,
    if they are given: costs as much as they are.

    The first look is the baseline: it enters no one.
    """
    # What commits while this runs is looked at again.
    seen = await tenant.fetchval("SELECT pg_current_snapshot()::text")
    values: list[Any] = [
        tenant.organization_id,
        watch.watch_id,
        None if among is None else list(among),
    ]
    of = "$3::uuid[] IS NULL" if among is None else "{}account_id = ANY($3::uuid[])"
    condition = condition_of(wanted, values)
    rows = await tenant.fetch(
        f"""
        WITH held AS (
          SELECT a.account_id FROM {_JOINED} WHERE a.organization_id = $1 AND {of.format("a.")}
            AND {condition}),
        gone AS (
          DELETE FROM watch_accounts m WHERE m.organization_id = $1 AND m.watch_id = $2
            AND {of.format("m.")} AND NOT EXISTS (
              SELECT FROM held WHERE held.account_id = m.account_id) RETURNING m.account_id),
        came AS (
          INSERT INTO watch_accounts (organization_id, watch_id, account_id)
          SELECT $1, $2, account_id FROM held ON CONFLICT DO NOTHING RETURNING account_id)
        SELECT x.entered, a.company_id, a.company_name
        FROM (SELECT true AS entered, account_id FROM came
              UNION ALL SELECT false, account_id FROM gone) x
        JOIN accounts a ON a.organization_id = $1 AND a.account_id = x.account_id
        """,
        *values,
    )
    await tenant.run(
        "UPDATE watches SET membership_at = clock_timestamp(), seen = $3"
        " WHERE organization_id = $1 AND watch_id = $2",
        watch.watch_id,
        seen,
    )
    if watch.membership_at is None:
        return [], []
    pairs = [(row["entered"], (row["company_id"], row["company_name"])) for row in rows]
    return [p for entered, p in pairs if entered], [p for entered, p in pairs if not entered]
