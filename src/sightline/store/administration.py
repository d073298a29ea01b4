"""Data that administrators read and change: organization, users, audit log, usage."""

from collections.abc import Mapping
from datetime import date
from uuid import UUID

from sightline.domain.authority import UserRole
from sightline.domain.callers import OrganizationId, UserId
from sightline.domain.plans import Plan
from sightline.store.database import Database, Tenant
from sightline.store.pages import Pages, Rows, Slice, Where, read_page, read_rows, utc

# (organization, key, day, operation) -> (requests, failures)


class LastOwner(ValueError):
    """An organization needs at least one owner."""


async def organization_object(tenant: Tenant) -> str:
    """The organization as JSON text."""
    body: str = await tenant.value(
        f"""
        SELECT json_build_object('id', organization_id, 'slug', slug, 'name', name, 'plan', plan,
          'costs', costs, 'created_at', {utc("created_at")})::text
        FROM organizations WHERE organization_id = $1
        """
    )
    return body


async def rename_organization(tenant: Tenant, *, name: str) -> None:
    await tenant.run("UPDATE organizations SET name = $2 WHERE organization_id = $1", name)


async def set_terms(tenant: Tenant, *, plan: Plan | None, costs: Mapping[str, int] | None) -> None:
    """What the operator grants an organization; None changes nothing. `costs` are its own amounts over
    the defaults, and replace those before as a whole."""
    await tenant.run(
        """
        UPDATE organizations SET plan = coalesce($2, plan), costs = coalesce($3, costs)
        WHERE organization_id = $1
        """,
        plan,
        dict(costs) if costs is not None else None,
    )


_USER = f"""
  json_build_object('id', user_id, 'email', email, 'role', role,
    'disabled', disabled_at IS NOT NULL, 'has_password', password_hash IS NOT NULL,
    'created_at', {utc("created_at")})
"""
_USERS = Rows("users", _USER, "user_id", "lower(email)")
user_object = _USERS.one
users_page = _USERS.page


async def role_of(tenant: Tenant, user_id: UserId) -> UserRole | None:
    """The role of a user who is not disabled; None if there is none."""
    role: UserRole | None = await tenant.value(
        "SELECT role FROM users WHERE organization_id = $1 AND user_id = $2 AND disabled_at IS NULL",
        user_id,
    )
    return role


async def any_role_of(tenant: Tenant, user_id: UserId) -> UserRole | None:
    """The role of a user, disabled or not; None if there is none."""
    role: UserRole | None = await tenant.value(
        "SELECT role FROM users WHERE organization_id = $1 AND user_id = $2", user_id
    )
    return role


async def update_user(
    tenant: Tenant, user_id: UserId, *, role: UserRole | None, disabled: bool | None
) -> None:
    """Change role or access; a disabled user's keys are revoked. Raises LastOwner."""
    await tenant.run("SELECT FROM organizations WHERE organization_id = $1 FOR UPDATE")
    await tenant.run(
        """
        UPDATE users SET role = coalesce($3, role), disabled_at = CASE
          WHEN $4::boolean IS NULL THEN disabled_at
          WHEN $4::boolean THEN coalesce(disabled_at, now()) END
        WHERE organization_id = $1 AND user_id = $2
        """,
        user_id,
        role,
        disabled,
    )
    owners = await tenant.value(
        """
        SELECT count(*) FROM users
        WHERE organization_id = $1 AND role = 'owner' AND disabled_at IS NULL
        """
    )
    if not owners:
        raise LastOwner("An organization needs at least one owner.")
    if disabled:
        await tenant.run(
            """
            UPDATE api_keys SET revoked_at = now()
            WHERE organization_id = $1 AND user_id = $2 AND revoked_at IS NULL
            """,
            user_id,
        )


async def audit_page(
    tenant: Tenant, *, action: str | None, actor: str | None, part: Slice
) -> Pages:
    """Acts, newest first."""
    item = f"""
      json_build_object('id', audit_id, 'at', {utc("at")}, 'actor', actor,
        'action', action, 'subject', subject, 'details', details, 'request_id', request_id)
    """
    where = Where("organization_id = $1", [tenant.organization_id])
    where.add("action = {}", action)
    where.add("actor = {}", actor)
    return await read_rows(
        tenant,
        Rows("audit_log", item, "audit_id", "at", "timestamptz", descending=True),
        where,
        part=part,
    )


async def add_usage(
    database: Database,
    organization_id: OrganizationId,
    rows: list[tuple[UUID, date, str, int, int]],
) -> None:
    """Add counts to an organization's usage: [(key, day, operation, requests, failures)]."""
    async with database.tenant(organization_id) as connection:
        await connection.execute(
            """
            INSERT INTO usage_days AS u
              (organization_id, key_id, day, operation, requests, failures)
            SELECT $1, * FROM unnest($2::uuid[], $3::date[], $4::text[], $5::bigint[], $6::bigint[])
            ON CONFLICT (organization_id, key_id, day, operation) DO UPDATE
              SET requests = u.requests + excluded.requests,
                failures = u.failures + excluded.failures
            """,
            organization_id,
            *map(list, zip(*rows, strict=True)),
        )


async def usage_page(
    tenant: Tenant, *, since: date, until: date, key_id: UUID | None, part: Slice
) -> Pages:
    """Requests by day, key and operation, the newest day first."""
    condition = """
      u.organization_id = $1 AND u.day BETWEEN $2 AND $3 AND ($4::uuid IS NULL OR u.key_id = $4)
    """
    return await read_page(
        tenant,
        f"""
        WITH page AS (
          SELECT u.*, row_number() OVER (ORDER BY day DESC, key_id DESC, operation DESC) AS n
          FROM usage_days u WHERE {condition} AND ($5::text IS NULL
            OR (day, key_id, operation) < ($5::text::date, left($6, 36)::uuid, substr($6, 38)))
          ORDER BY day DESC, key_id DESC, operation DESC OFFSET $7 LIMIT $8)
        SELECT (SELECT count(*) FROM usage_days u WHERE {condition}) AS total,
          (SELECT coalesce(json_agg(json_build_object('day', p.day, 'key_id', p.key_id,
             'key_name', k.name, 'operation', p.operation, 'requests', p.requests,
             'failures', p.failures) ORDER BY n), '[]')::text
           FROM page p LEFT JOIN api_keys k
             ON k.organization_id = $1 AND k.key_id = p.key_id) AS items,
          (SELECT ARRAY[day::text, key_id || ' ' || operation] FROM page ORDER BY n DESC LIMIT 1)
            AS last
        """,
        tenant.organization_id,
        since,
        until,
        key_id,
        *part.parameters,
    )
