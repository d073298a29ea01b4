"""An organization's spending, for its charts."""

from typing import Any

from sightline.store.database import Tenant


async def spent_by_day(tenant: Tenant, *, days: int) -> list[dict[str, Any]]:
    """Credits settled on each of the last `days` (UTC), today included, oldest first: day, spent.

    A settlement is counted on its day with the amount that was reserved for it.
    """
    rows = await tenant.rows(
        """
        WITH settled AS (
          SELECT (l.created_at AT TIME ZONE 'UTC')::date AS day, sum(r.amount)::bigint AS spent
          FROM credit_ledger l JOIN credit_reservations r USING (organization_id, operation, credit)
          WHERE l.organization_id = $1 AND l.kind = 'settle'
            AND l.created_at > now() - make_interval(days => $2 + 1)
          GROUP BY 1)
        SELECT d.day::date AS day, coalesce(s.spent, 0) AS spent
        FROM generate_series((now() AT TIME ZONE 'UTC')::date - ($2 - 1),
          (now() AT TIME ZONE 'UTC')::date, interval '1 day') AS d (day)
        LEFT JOIN settled s ON s.day = d.day::date ORDER BY 1
        """,
        days,
    )
    return [dict(row) for row in rows]
