"""Territories whose members must be decided again, and for which accounts."""

from typing import Any, NamedTuple
from uuid import UUID

from sightline.store.database import Tenant
from sightline.store.work import put

# Work: decide the members of a territory.
WORK_KIND = "fill_territory"
# Accounts from which on that is left to the worker.
MOST_AT_ONCE = 20_000


async def is_large(tenant: Tenant) -> bool:
    """Whether deciding on all accounts takes longer than a request should."""
    found: bool | None = await tenant.value(
        "SELECT true FROM accounts WHERE organization_id = $1 OFFSET $2 LIMIT 1", MOST_AT_ONCE
    )
    return found is not None


async def leave_to_worker(tenant: Tenant, territory_id: str) -> None:
    """Have the members decided on the queue; until then those there are stay."""
    await tenant.run(
        "UPDATE territories SET seen = NULL, computed_at = NULL"
        " WHERE organization_id = $1 AND territory_id = $2",
        territory_id,
    )
    await put(
        tenant,
        WORK_KIND,
        f"{tenant.organization_id}/{territory_id}",
        organization_id=tenant.organization_id,
        payload={"territory_id": territory_id},
    )


class Followers(NamedTuple):
    """What has members by a filter: the table, its key, when they were decided, the filters' text, and
    which are looked at."""

    table: str
    key: str
    at: str
    filters: str
    wanted: str = "true"


TERRITORIES = Followers(
    "territories", "territory_id", "computed_at", "t.rules::text || t.score_rules::text"
)
SEARCHES = Followers(
    "watches",
    "watch_id",
    "membership_at",
    "t.filter::text",
    "kind = 'search' AND NOT paused AND (expires_at IS NULL OR expires_at > now())",
)
# With more changed accounts, all are looked at: a list of ids is no cheaper then.
MOST_CHANGED = 50_000


class Outdated(NamedTuple):
    """A territory or watch, and the accounts that changed since its members were decided; None: all."""

    key: Any
    accounts: list[UUID] | None


async def outdated(tenant: Tenant, of: Followers) -> list[Outdated]:
    """Those whose accounts changed since; and, if their filters name lists or territories, members of any."""
    names_groups = f"({of.filters}) ~ '\"(list|territory)\"'"
    rows = await tenant.rows(
        f"""
        SELECT t.{of.key} AS key, s.is_whole, s.accounts FROM {of.table} t CROSS JOIN LATERAL (
          SELECT coalesce(bool_or(c.lists <> '{{}}' OR c.territories <> '{{}}') AND {names_groups}, false)
              OR t.seen IS NULL OR t.{of.at} IS NULL OR t.{of.at} < now() - interval '20 hours'
              -- of another server: the database was restored
              OR pg_snapshot_xmax(t.seen::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
              AS is_whole,
            (SELECT array_agg(DISTINCT id) FROM account_changes d, unnest(d.account_ids) id
             WHERE d.organization_id = $1 AND d.transaction >= pg_snapshot_xmin(t.seen::pg_snapshot)
               AND NOT pg_visible_in_snapshot(d.transaction, t.seen::pg_snapshot)) AS accounts
          FROM account_changes c WHERE c.organization_id = $1
            AND c.transaction >= pg_snapshot_xmin(t.seen::pg_snapshot)
            AND NOT pg_visible_in_snapshot(c.transaction, t.seen::pg_snapshot)) s
        WHERE t.organization_id = $1 AND {of.wanted} AND (s.is_whole OR s.accounts IS NOT NULL)
        ORDER BY t.{of.key}
        """
    )
    return [
        Outdated(
            row["key"],
            None if row["is_whole"] or len(row["accounts"]) > MOST_CHANGED else row["accounts"],
        )
        for row in rows
    ]
