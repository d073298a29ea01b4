"""The prerequisite of everything else: an organization with a first owner."""

from typing import Final

from sightline.domain.callers import OrganizationId, UserId
from sightline.domain.credits import CREDITS
from sightline.store.credits import grant
from sightline.store.database import Connection, Database
from sightline.store.organizations import (
    OrganizationDoesNotExist,
    OrganizationExists,
    UserDoesNotExist,
    UserExists,
    create_organization,
    create_user,
    find_organization,
    find_user,
    record_audit,
)

DEFAULT_SLUG: Final = "default"
DEFAULT_OWNER: Final = "owner@localhost"


async def ensure_default_organization(owner: Database, app: Database, *, credits: int) -> None:
    """Create the organization `default` with an owner, unless it is there: two queries if so."""
    await ensure_organization(
        owner, app, slug=DEFAULT_SLUG, name="Default", email=DEFAULT_OWNER, credits=credits
    )


async def ensure_organization(
    owner: Database,
    app: Database,
    *,
    slug: str,
    name: str,
    email: str,
    credits: int,
) -> tuple[OrganizationId, UserId]:
    """The organization with this slug and its first owner; makes what is missing of them.

    `credits` of each kind are granted with the owner.

    Safe from several nodes at once, and whatever a node that was killed half-way has left is
    completed. Needs the owner's connections and the application's.
    """
    try:
        organization_id = await find_organization(owner, slug)
    except OrganizationDoesNotExist:
        try:
            organization_id = await create_organization(owner, slug, name=name, plan="team")
        except OrganizationExists:  # another node was faster
            organization_id = await find_organization(owner, slug)
    return organization_id, await _ensure_owner(app, organization_id, email, credits)


async def _ensure_owner(
    app: Database, organization_id: OrganizationId, email: str, credits: int
) -> UserId:
    try:
        async with app.tenant(organization_id) as connection:
            try:
                return await find_user(connection)
            except UserDoesNotExist:
                user_id = await create_user(connection, email=email, role="owner")
            await record_audit(
                connection, action="create", subject=f"user:{email}", details={"role": "owner"}
            )
            for credit in CREDITS if credits else ():
                await grant(
                    connection,
                    credit=credit,
                    amount=credits,
                    reason="Initial credits",
                    operation="initial",
                )
            return user_id
    except UserExists:  # made by another node, or there in another role
        async with app.tenant(organization_id) as connection:
            return await find_user(connection, email=email)


async def wait_for_turn(connection: Connection, name: str) -> None:
    """Hold `name` until the transaction ends; everyone else who asks for it waits so long."""
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)
