"""Users of the organization: invite, change role, disable."""

from typing import Any, Final

from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit, answered_page
from sightline.domain.authority import UserRole, may_act_for
from sightline.domain.callers import UserId
from sightline.domain.errors import Refusal, RoleIsMissing
from sightline.store.administration import role_of
from sightline.store.console_sessions import make_link
from sightline.store.organizations import record_audit

HERE: Final = "/console/settings/users"
ROLES: Final[tuple[UserRole, ...]] = ("member", "admin", "owner")


async def invite(visit: Visit) -> Shown:
    """Add a user, and show the link that signs the user in once."""
    body = {"email": visit.form.get("email", "").strip(), "role": visit.form.get("role", "member")}
    try:
        made = await visit.run("create_user", body=body)
        link = await _link(visit, made["id"])
    except Refusal as refusal:
        return await show(visit, error=refusal.message)
    return await show(visit, link=link, email=made["email"])


async def change(visit: Visit) -> Shown | Moved:
    """Give a user another role, a new link, or no access any more."""
    user_id = str(visit.path_id("user_id"))
    action = visit.form.get("action", "")
    bodies: dict[str, dict[str, Any]] = {
        "role": {"role": visit.form.get("role", "")},
        "disable": {"disabled": True},
        "enable": {"disabled": False},
    }
    body = bodies.get(action)
    try:
        if action == "link":
            link = await _link(visit, user_id)
            return await show(visit, link=link, email=visit.form.get("email", ""))
        if body is None:
            raise FormIsInvalid
        await visit.run("update_user", path={"user_id": user_id}, body=body)
    except Refusal as refusal:
        return await show(visit, error=refusal.message)
    return Moved(HERE, notice="user_changed")


async def _link(visit: Visit, user_id: str) -> str:
    """An address that signs the user in once, within a day. Raises RoleIsMissing."""
    session = visit.session
    async with visit.writing() as connection:
        role = await role_of(connection, UserId(visit.as_id(user_id)))
        if role is None:
            raise NothingHere
        if not visit.is_admin or not may_act_for(session.role, role):
            raise RoleIsMissing(required_role=role)
        token = await make_link(connection, UserId(visit.as_id(user_id)))
        await record_audit(
            connection,
            action="create",
            subject=f"sign_in_link:{user_id}",
            actor=session.caller.actor,
        )
    return f"{visit.origin}/console/link/{token}"


async def show(
    visit: Visit, *, error: str | None = None, link: str | None = None, email: str = ""
) -> Shown:
    users, pager = await answered_page(visit, "list_users")
    return Shown(
        "users.html",
        {
            "users": users,
            "pager": pager,
            "roles": [role for role in ROLES if may_act_for(visit.session.role, role)],
            "may_change": lambda role: visit.is_admin and may_act_for(visit.session.role, role),
            "link": link,
            "email": email,
            "error": error,
        },
    )
