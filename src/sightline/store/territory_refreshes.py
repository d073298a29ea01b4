"""Which territories have to be decided again, and for which accounts."""

from typing import NamedTuple
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.store.database import Connection
from sightline.store.work import put

# Work: decide the members of a territory.
WORK_KIND = "fill_territory"
# Accounts from which on that is left to the worker.
MOST_AT_ONCE = 20_000


async def is_large(connection: Connection, organization_id: OrganizationId) -> bool:
    """Whether deciding on all accounts takes longer than a request should."""
    found: bool | None = await connection.fetchval(
        "SELECT true FROM accounts WHERE organization_id = $1 OFFSET $2 LIMIT 1",
        organization_id,
        MOST_AT_ONCE,
    )
    return found is not None


async def leave_to_worker(
    connection: Connection, organization_id: OrganizationId, territory_id: str
) -> None:
    """Have the members decided on the queue; until then those there are stay."""
    await connection.execute(
        "UPDATE territories SET seen = NULL, computed_at = NULL"
        " WHERE organization_id = $1 AND territory_id = $2",
        organization_id,
        territory_id,
    )
    await put(
        connection,
        WORK_KIND,
        f"{organization_id}/{territory_id}",
        organization_id=organization_id,
        payload={"territory_id": territory_id},
    )


class Outdated(NamedTuple):
    """A territory, and the accounts that changed since its members were decided; None: all of them."""

    territory_id: str
    accounts: list[UUID] | None


async def outdated(connection: Connection, organization_id: OrganizationId) -> list[Outdated]:
    """Territories whose accounts, or the lists that their rules may name, changed since."""
    rows = await connection.fetch(
        """
        SELECT t.territory_id, s.is_whole, s.accounts FROM territories t CROSS JOIN LATERAL (
          SELECT coalesce(bool_or(c.lists <> '{}'), false)
              OR t.seen IS NULL OR t.computed_at IS NULL OR t.computed_at < now() - interval '20 hours'
              -- of another server: the database was restored
              OR pg_snapshot_xmax(t.seen::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
              AS is_whole,
            (SELECT array_agg(DISTINCT id) FROM account_changes d, unnest(d.account_ids) id
             WHERE d.organization_id = $1 AND d.transaction >= pg_snapshot_xmin(t.seen::pg_snapshot)
               AND NOT pg_visible_in_snapshot(d.transaction, t.seen::pg_snapshot)) AS accounts
          FROM account_changes c WHERE c.organization_id = $1
            AND c.transaction >= pg_snapshot_xmin(t.seen::pg_snapshot)
            AND NOT pg_visible_in_snapshot(c.transaction, t.seen::pg_snapshot)) s
        WHERE t.organization_id = $1 AND (s.is_whole OR s.accounts IS NOT NULL)
        ORDER BY t.territory_id
        """,
        organization_id,
    )
    return [Outdated(r["territory_id"], None if r["is_whole"] else r["accounts"]) for r in rows]
