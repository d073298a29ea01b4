"""What the administration resources share: role checks, audit entries and scopes."""

from typing import Any

from sightline.api.endpoint import Call, Endpoint
from sightline.domain.authority import UserRole, may_act_for
from sightline.domain.callers import UserId
from sightline.domain.errors import RoleIsMissing
from sightline.store import administration as store
from sightline.store.organizations import record_audit

_READ, _WRITE = ("org_settings:read",), ("org_settings:write",)


def administration_endpoint(
    method: Any, path: str, name: str, summary: str, **more: Any
) -> Endpoint:
    return Endpoint(
        method=method,
        path=path,
        name=name,
        summary=summary,
        tag="Administration",
        scopes=_READ if method == "GET" else _WRITE,
        errors=(*more.pop("errors", ()), *(() if method == "GET" else (RoleIsMissing,))),
        **more,
    )


async def administer(call: Call, action: str, subject: str, details: dict[str, Any]) -> UserRole:
    """Write the act to the audit log; returns the caller's role. Raises RoleIsMissing."""
    role = await role_of(call, call.caller.user_id)
    if role not in ("owner", "admin"):
        raise RoleIsMissing(required_role="admin")
    await audit(call, action, subject, details)
    return role


async def audit(
    call: Call, action: str, subject: str, details: dict[str, Any] | None = None
) -> None:
    """Write to the audit log what the caller did."""
    await record_audit(
        call.tenant, action=action, subject=subject, actor=call.caller.actor, details=details,
        request_id=call.request_id,
    )  # fmt: skip


def check_role(role: UserRole, other: UserRole) -> None:
    """Raise RoleIsMissing unless one with the first role may act on what acts with the second."""
    if not may_act_for(role, other):
        raise RoleIsMissing(
            f"Only a user with the role {other} can change this.",
            required_role=other,
        )


async def role_of(call: Call, user_id: UserId) -> UserRole | None:
    return await store.role_of(call.tenant, user_id)
