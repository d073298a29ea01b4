"""Users as known to identity providers."""

from sightline.domain.authority import may_act_for
from sightline.domain.callers import Caller, UserId, person
from sightline.domain.sign_on import Identity, SignOnIsRefused
from sightline.store.administration import LastOwner, update_user
from sightline.store.database import Tenant
from sightline.store.organizations import UserExists, create_user, record_audit


async def user_of(tenant: Tenant, identity: Identity, *, raises_role: bool = True) -> UserId:
    """The user behind an identity: known by it, else by the email address, else made now; with the role
    that the provider gives. Raises SignOnIsRefused for a disabled one.

    What is older than the last sign-in, as an access token may be, gives no higher role: not `raises_role`.
    """
    row = await tenant.row(
        """
        SELECT u.user_id, u.disabled_at, u.role, i.subject IS NOT NULL AS is_known
        FROM users u LEFT JOIN user_identities i
          ON i.organization_id = $1 AND i.user_id = u.user_id AND i.issuer = $2
        WHERE u.organization_id = $1
          AND (i.subject = $3 OR i.subject IS NULL AND lower(u.email) = lower($4))
        ORDER BY is_known DESC LIMIT 1
        """,
        identity.issuer,
        identity.subject,
        identity.email,
    )
    if row is None:
        user_id = await _make_user(tenant, identity)
    else:
        if row["disabled_at"] is not None:
            raise SignOnIsRefused("This user is disabled.")
        user_id = UserId(row["user_id"])
        role = identity.role
        is_new = role is not None and role != row["role"]
        if role is not None and is_new and (raises_role or may_act_for(row["role"], role)):
            await _change_role(tenant, user_id, identity)
        if row["is_known"]:
            return user_id
    await tenant.run(
        """
        INSERT INTO user_identities (organization_id, issuer, subject, user_id)
        VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
        """,
        identity.issuer,
        identity.subject,
        user_id,
    )
    return user_id


async def caller_of(tenant: Tenant, identity: Identity) -> Caller:
    """The user behind the identity in an access token, as operations know callers. Raises SignOnIsRefused."""
    user_id = await user_of(tenant, identity, raises_role=False)
    terms = await tenant.row("SELECT plan, costs FROM organizations WHERE organization_id = $1")
    assert terms is not None
    return person(tenant.organization_id, user_id, plan=terms["plan"], costs=terms["costs"])


async def _make_user(tenant: Tenant, identity: Identity) -> UserId:
    role = identity.role or "member"
    try:
        user_id = await create_user(tenant, email=identity.email, role=role)
    except UserExists as error:
        raise SignOnIsRefused("Another user already signs in with your email address.") from error
    await record_audit(
        tenant,
        action="create",
        subject=f"user:{identity.email}",
        actor=f"user:{user_id}",
        details={"role": role, "issuer": identity.issuer},
    )
    return user_id


async def _change_role(tenant: Tenant, user_id: UserId, identity: Identity) -> None:
    await tenant.execute("SAVEPOINT before_role")
    try:
        await update_user(tenant, user_id, role=identity.role, disabled=None)
    except LastOwner:  # someone has to own the workspace, whatever the provider says
        await tenant.execute("ROLLBACK TO SAVEPOINT before_role")
        return
    await record_audit(
        tenant,
        action="update",
        subject=f"user:{user_id}",
        actor=f"user:{user_id}",
        details={"role": identity.role, "issuer": identity.issuer},
    )
