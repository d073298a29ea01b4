"""Territories as the API returns them: one, or a page of them."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sightline.store.database import Tenant
from sightline.store.pages import Rows, utc

_HEAD = f"""
  jsonb_build_object('id', t.territory_id, 'name', t.name, 'description', t.description,
    'owner', (SELECT jsonb_build_object('id', u.user_id, 'email', u.email) FROM users u
              WHERE u.organization_id = $1 AND u.user_id = t.owner_id),
    'rules', t.rules, 'score_rules', t.score_rules, 'account_count', t.account_count,
    'include', (SELECT coalesce(jsonb_agg(account_id ORDER BY account_id), '[]')
       FROM territory_overrides o WHERE o.organization_id = $1
         AND o.territory_id = t.territory_id AND o.kind = 'include'),
    'exclude', (SELECT coalesce(jsonb_agg(account_id ORDER BY account_id), '[]')
       FROM territory_overrides o WHERE o.organization_id = $1
         AND o.territory_id = t.territory_id AND o.kind = 'exclude'),
    'computed_at', {utc("t.computed_at")},
    'created_at', {utc("t.created_at")},
    'updated_at', {utc("t.updated_at")})
"""
_TERRITORIES = Rows("territories t", _HEAD, "territory_id", key_kind='text COLLATE "C"')
territory_head = _TERRITORIES.one
delete_territory = _TERRITORIES.delete
territories_page = _TERRITORIES.page


async def territory_ids(tenant: Tenant) -> list[str]:
    """The ids of all territories of an organization."""
    rows = await tenant.rows(
        "SELECT territory_id FROM territories WHERE organization_id = $1 ORDER BY territory_id"
    )
    return [row["territory_id"] for row in rows]


async def territory_choices(tenant: Tenant) -> list[dict[str, str]]:
    """{id, name} of an organization's territories, by name; 200 at most."""
    rows = await tenant.rows(
        "SELECT territory_id, name FROM territories WHERE organization_id = $1"
        " ORDER BY lower(name), territory_id LIMIT 200"
    )
    return [{"id": row["territory_id"], "name": row["name"]} for row in rows]


async def member_scores(
    tenant: Tenant, territory_id: str, account_ids: Sequence[UUID]
) -> dict[UUID, dict[str, Any]]:
    """Account -> {score, why, by_hand} of those that are members."""
    rows = await tenant.rows(
        """
        SELECT account_id, score, why, by_hand FROM territory_members
        WHERE organization_id = $1 AND territory_id = $2 AND account_id = ANY($3::uuid[])
        """,
        territory_id,
        list(account_ids),
    )
    return {
        row["account_id"]: {"score": row["score"], "why": row["why"], "by_hand": row["by_hand"]}
        for row in rows
    }
