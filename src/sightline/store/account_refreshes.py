"""How often an organization wants its accounts enriched again, and when each is due."""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.store.database import Connection

Tier = Literal["daily", "weekly", "monthly", "never"]
_DAYS = "CASE tier WHEN 'daily' THEN 1 WHEN 'weekly' THEN 7 WHEN 'monthly' THEN 30 END"
# Between 95 and 105 % of the interval.
_NEXT = f"now() + make_interval(secs => ({_DAYS}) * 86400 * (0.95 + 0.1 * random()))"


async def set_tier(
    connection: Connection,
    organization_id: OrganizationId,
    account_ids: Sequence[UUID],
    *,
    tier: Tier,
) -> int:
    """Give accounts a tier; the first refresh comes within one interval. Answers how many."""
    status = await connection.execute(
        """
        INSERT INTO account_refreshes (organization_id, account_id, tier, next_at)
        SELECT $1, a.account_id, $3, CASE WHEN $3 = 'never' THEN NULL ELSE
          now() + make_interval(secs => 86400 * random()
            * CASE $3 WHEN 'daily' THEN 1 WHEN 'weekly' THEN 7 ELSE 30 END) END
        FROM accounts a WHERE a.organization_id = $1 AND a.account_id = ANY($2::uuid[])
        ON CONFLICT (organization_id, account_id) DO UPDATE
          SET tier = excluded.tier, next_at = excluded.next_at
        """,
        organization_id,
        list(account_ids),
        tier,
    )
    return int(status.split()[-1])


async def take_due(
    connection: Connection, organization_id: OrganizationId, *, limit: int
) -> list[UUID]:
    """The companies of accounts that are due, each given its next time in the same transaction."""
    rows = await connection.fetch(
        f"""
        WITH due AS (
          SELECT account_id FROM account_refreshes
          WHERE organization_id = $1 AND next_at <= now()
          ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED),
        taken AS (
          UPDATE account_refreshes r SET next_at = {_NEXT}
          FROM due WHERE r.organization_id = $1 AND r.account_id = due.account_id
          RETURNING r.account_id)
        SELECT a.company_id FROM taken JOIN accounts a ON a.organization_id = $1
          AND a.account_id = taken.account_id
        """,
        organization_id,
        limit,
    )
    return [row["company_id"] for row in rows]
