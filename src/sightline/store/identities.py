"""Users as known to identity providers."""

from sightline.domain.authority import may_act_for
from sightline.domain.callers import Caller, OrganizationId, UserId, person
from sightline.domain.sign_on import Identity, SignOnIsRefused
from sightline.store.administration import LastOwner, update_user
from sightline.store.database import Connection
from sightline.store.organizations import UserExists, create_user, record_audit


async def user_of(
    connection: Connection,
    organization_id: OrganizationId,
    identity: Identity,
    *,
    raises_role: bool = True,
) -> UserId:
    """The user behind an identity: known by it, else by the email address, else made now; with the role
    that the provider gives. Raises SignOnIsRefused for a disabled one.

    What is older than the last sign-in, as an access token may be, gives no higher role: not `raises_role`.
    """
    row = await connection.fetchrow(
        """
        SELECT u.user_id, u.disabled_at, u.role, i.subject IS NOT NULL AS is_known
        FROM users u LEFT JOIN user_identities i
          ON i.organization_id = $1 AND i.user_id = u.user_id AND i.issuer = $2
        WHERE u.organization_id = $1
          AND (i.subject = $3 OR i.subject IS NULL AND lower(u.email) = lower($4))
        ORDER BY is_known DESC LIMIT 1
        """,
        organization_id,
        identity.issuer,
        identity.subject,
        identity.email,
    )
    if row is None:
        user_id = await _make_user(connection, organization_id, identity)
    else:
        if row["disabled_at"] is not None:
            raise SignOnIsRefused("This user is disabled.")
        user_id = UserId(row["user_id"])
        role = identity.role
        is_new = role is not None and role != row["role"]
        if role is not None and is_new and (raises_role or may_act_for(row["role"], role)):
            await _change_role(connection, organization_id, user_id, identity)
        if row["is_known"]:
            return user_id
    await connection.execute(
        """
        INSERT INTO user_identities (organization_id, issuer, subject, user_id)
        VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
        """,
        organization_id,
        identity.issuer,
        identity.subject,
        user_id,
    )
    return user_id


async def caller_of(
    connection: Connection, organization_id: OrganizationId, identity: Identity
) -> Caller:
    """The user behind the identity in an access token, as operations know callers. Raises SignOnIsRefused."""
    user_id = await user_of(connection, organization_id, identity, raises_role=False)
    terms = await connection.fetchrow(
        "SELECT plan, costs FROM organizations WHERE organization_id = $1", organization_id
    )
    assert terms is not None
    return person(organization_id, user_id, plan=terms["plan"], costs=terms["costs"])


async def _make_user(
    connection: Connection, organization_id: OrganizationId, identity: Identity
) -> UserId:
    role = identity.role or "member"
    try:
        user_id = await create_user(connection, organization_id, email=identity.email, role=role)
    except UserExists as error:
        raise SignOnIsRefused("Another user already signs in with your email address.") from error
    await record_audit(
        connection,
        organization_id,
        action="create",
        subject=f"user:{identity.email}",
        actor=f"user:{user_id}",
        details={"role": role, "issuer": identity.issuer},
    )
    return user_id


async def _change_role(
    connection: Connection, organization_id: OrganizationId, user_id: UserId, identity: Identity
) -> None:
    await connection.execute("SAVEPOINT before_role")
    try:
        await update_user(connection, organization_id, user_id, role=identity.role, disabled=None)
    except LastOwner:  # someone has to own the workspace, whatever the provider says
        await connection.execute("ROLLBACK TO SAVEPOINT before_role")
        return
    await record_audit(
        connection,
        organization_id,
        action="update",
        subject=f"user:{user_id}",
        actor=f"user:{user_id}",
        details={"role": identity.role, "issuer": identity.issuer},
    )
