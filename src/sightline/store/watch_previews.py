"""The events that would have triggered a watch, from the existing timeline."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.domain.event_types import POSITION_TYPES
from sightline.domain.filters import Filter
from sightline.store.companies import ids_of
from sightline.store.database import Tenant
from sightline.store.events import event_of
from sightline.store.filters import condition_of
from sightline.store.pages import only_row

_RECENT = "ARRAY(SELECT DISTINCT present FROM recent)"


async def preview(
    tenant: Tenant,
    *,
    wanted: Filter | None,
    account_ids: Sequence[UUID],
    families: Sequence[str],
    types: Sequence[str],
    fields: Sequence[str],
    seniorities: Sequence[str],
    least_confidence: float,
    since: datetime,
    limit: int,
) -> dict[str, Any]:
    """event_count and the newest matching events since a time. Costs as much as there are events of these
    kinds since, of whichever accounts."""
    values: list[Any] = [
        tenant.organization_id, list(families), list(types), list(fields), least_confidence, since, limit,
        list(seniorities), list(POSITION_TYPES),
    ]  # fmt: skip
    if wanted is None:
        values.append(list(account_ids))
        member = f"a.account_id = ANY(${len(values)}::uuid[])"
    else:
        member = condition_of(wanted, values)
    row = await only_row(
        tenant,
        f"""
        WITH recent AS MATERIALIZED (
          SELECT e.*, coalesce(m.merged_into, e.company_id) AS present FROM events e
          LEFT JOIN companies m ON m.company_id = e.company_id AND m.merged_into IS NOT NULL
          WHERE e.organization_id = $1 AND e.detected_at >= $6 AND NOT e.background
            AND (e.confidence IS NULL OR e.confidence >= $5)
            AND (cardinality($8::text[]) = 0 OR e.type <> ALL($9::text[]) OR e.seniorities && $8)
            AND (e.family = ANY($2::text[]) OR e.type = ANY($3::text[]) OR EXISTS (
              SELECT FROM jsonb_array_elements(e.changes) c WHERE c ->> 'field' = ANY($4::text[])))),
        watched AS (
          SELECT coalesce((SELECT p.merged_into FROM companies p WHERE p.company_id = a.company_id),
            a.company_id) AS company_id
          FROM accounts a JOIN account_records r USING (organization_id, account_id)
          WHERE a.organization_id = $1 AND a.company_id = ANY({ids_of(_RECENT)}) AND {member}),
        fired AS (SELECT * FROM recent WHERE present IN (SELECT company_id FROM watched)),
        newest AS (SELECT * FROM fired ORDER BY detected_at DESC, event_id DESC LIMIT $7)
        SELECT (SELECT count(*) FROM fired) AS event_count,
          (SELECT coalesce(json_agg(row_to_json(event)
             ORDER BY e.detected_at DESC, e.event_id DESC), '[]')::text
           FROM newest e {event_of("e")}) AS items
        """,
        *values,
    )
    return {"event_count": row["event_count"], "items": json.loads(row["items"])}
