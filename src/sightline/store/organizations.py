"""Organizations (tenants), their users and the audit log of administrative actions."""

from typing import Any
from uuid import UUID

import asyncpg

from sightline.domain.authority import UserRole
from sightline.domain.callers import OrganizationId, UserId
from sightline.domain.plans import Plan
from sightline.kit.ids import new_id
from sightline.store.database import Connection, Database, Tenant


class OrganizationDoesNotExist(LookupError):
    """No organization has this slug."""


class OrganizationExists(ValueError):
    """The slug is taken."""


class UserDoesNotExist(LookupError):
    """The organization has no user with this email."""


class UserExists(ValueError):
    """The organization has a user with this email already."""


async def create_organization(
    database: Database, slug: str, *, name: str, plan: Plan = "team"
) -> OrganizationId:
    """Create an organization. Needs the owner's connection."""
    organization_id = OrganizationId(new_id())
    try:
        async with database.tenant(organization_id) as connection:
            await connection.execute(
                """
                INSERT INTO organizations (organization_id, slug, name, plan)
                VALUES ($1, $2, $3, $4)
                """,
                organization_id,
                slug,
                name,
                plan,
            )
            await record_audit(connection, action="create", subject=f"org:{slug}")
    except asyncpg.UniqueViolationError as error:
        raise OrganizationExists(f"The organization {slug!r} exists already.") from error
    return organization_id


async def list_organizations(database: Database) -> list[dict[str, Any]]:
    """All organizations, by slug. Needs the owner's connection."""
    async with database.connection() as connection:
        rows = await connection.fetch(
            "SELECT organization_id AS id, slug, name, plan, created_at FROM organizations ORDER BY slug"
        )
    return [dict(row) for row in rows]


async def all_organizations(connection: Connection) -> list[OrganizationId]:
    """The ids of all organizations; the worker's and the owner's connections may ask."""
    rows = await connection.fetch("SELECT organization_id FROM organizations ORDER BY 1")
    return [OrganizationId(row["organization_id"]) for row in rows]


async def slug_of(tenant: Tenant) -> str:
    """The slug of an organization that there is."""
    slug: str = await tenant.value("SELECT slug FROM organizations WHERE organization_id = $1")
    return slug


async def find_organization(database: Database, slug: str) -> OrganizationId:
    """The id behind a slug. Needs the owner's connection. Raises OrganizationDoesNotExist."""
    async with database.connection() as connection:
        found: UUID | None = await connection.fetchval(
            "SELECT organization_id FROM organizations WHERE slug = $1", slug
        )
    if found is None:
        raise OrganizationDoesNotExist(
            f"There is no organization {slug!r}; `sightline org list` shows them."
        )
    return OrganizationId(found)


async def create_user(
    tenant: Tenant, *, email: str, role: UserRole, password_hash: str | None = None
) -> UserId:
    """Add a user. Raises UserExists."""
    user_id = UserId(new_id())
    added = await tenant.value(
        """
        INSERT INTO users (organization_id, user_id, email, role, password_hash)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (organization_id, lower(email)) DO NOTHING RETURNING user_id
        """,
        user_id,
        email,
        role,
        password_hash,
    )
    if added is None:
        raise UserExists(f"The organization has a user {email} already.")
    return user_id


async def find_user(tenant: Tenant, *, email: str | None = None) -> UserId:
    """The user with this email; without one, the organization's first owner."""
    found: UUID | None = await tenant.value(
        """
        SELECT user_id FROM users
        WHERE organization_id = $1 AND CASE WHEN $2::text IS NULL THEN role = 'owner'
          ELSE lower(email) = lower($2) END
        ORDER BY user_id LIMIT 1
        """,
        email,
    )
    if found is None:
        raise UserDoesNotExist(f"There is no user {email or 'with the role owner'}.")
    return UserId(found)


async def email_of(tenant: Tenant, user_id: UserId) -> str:
    """The email of a user. Raises UserDoesNotExist."""
    found: str | None = await tenant.value(
        "SELECT email FROM users WHERE organization_id = $1 AND user_id = $2", user_id
    )
    if found is None:
        raise UserDoesNotExist(f"There is no user {user_id}.")
    return found


async def record_audit(
    tenant: Tenant,
    *,
    action: str,
    subject: str,
    actor: str = "cli",
    details: dict[str, Any] | None = None,
    request_id: str | None = None,
) -> None:
    """Write an administrative act to the audit log, in the transaction of the act itself."""
    await tenant.run(
        """
        INSERT INTO audit_log (organization_id, audit_id, actor, action, subject, details, request_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        new_id(),
        actor,
        action,
        subject,
        details or {},
        request_id,
    )


async def read_organization(tenant: Tenant) -> dict[str, Any]:
    """Slug, name and plan of the transaction's own organization."""
    row = await tenant.row("SELECT slug, name, plan FROM organizations WHERE organization_id = $1")
    if row is None:
        raise OrganizationDoesNotExist(f"There is no organization {tenant.organization_id}.")
    return dict(row)


async def read_costs(tenant: Tenant) -> dict[str, Any]:
    """The organization's own amounts over the default prices, by operation."""
    costs: dict[str, Any] | None = await tenant.value(
        "SELECT costs FROM organizations WHERE organization_id = $1"
    )
    return costs or {}
