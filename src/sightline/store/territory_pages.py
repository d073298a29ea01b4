"""Territories as the API answers them: one, or a page of them."""

from sightline.domain.callers import OrganizationId
from sightline.store.database import Connection
from sightline.store.pages import Pages, read_page

_TIME = """'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'"""
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
    'computed_at', to_char(t.computed_at AT TIME ZONE 'UTC', {_TIME}),
    'created_at', to_char(t.created_at AT TIME ZONE 'UTC', {_TIME}),
    'updated_at', to_char(t.updated_at AT TIME ZONE 'UTC', {_TIME}))
"""


async def territory_head(
    connection: Connection, organization_id: OrganizationId, territory_id: str
) -> str | None:
    """A territory without its companies, as JSON text; None when there is no such one."""
    body: str | None = await connection.fetchval(
        f"SELECT {_HEAD}::text FROM territories t WHERE organization_id = $1 AND territory_id = $2",
        organization_id,
        territory_id,
    )
    return body


async def territories_page(
    connection: Connection,
    organization_id: OrganizationId,
    *,
    before: tuple[str, str] | None,
    offset: int,
    limit: int,
) -> Pages:
    """Territories by name, without their companies."""
    return await read_page(
        connection,
        f"""
        WITH page AS (
          SELECT *, row_number() OVER (ORDER BY lower(name), territory_id) AS n FROM territories
          WHERE organization_id = $1
            AND ($2::text IS NULL OR (lower(name), territory_id) > ($2, $3::text COLLATE "C"))
          ORDER BY lower(name), territory_id OFFSET $4 LIMIT $5)
        SELECT (SELECT count(*) FROM territories WHERE organization_id = $1) AS total,
          (SELECT coalesce(jsonb_agg({_HEAD} ORDER BY n), '[]')::text FROM page t) AS items,
          (SELECT ARRAY[lower(name), territory_id] FROM page ORDER BY n DESC LIMIT 1) AS last
        """,
        organization_id,
        before[0] if before else None,
        before[1] if before else None,
        offset,
        limit,
    )
