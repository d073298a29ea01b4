"""What the resources of administration share: who may, what is written down, and their scopes."""

from typing import Any

from sightline.api.endpoint import Call, Endpoint
from sightline.domain.callers import UserId
from sightline.domain.errors import RoleIsMissing
from sightline.store import administration as store
from sightline.store.organizations import UserRole, record_act

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
    """Write the act to the audit log; answers the caller's role. Raises RoleIsMissing."""
    role = await role_of(call, call.caller.user_id)
    if role not in ("owner", "admin"):
        raise RoleIsMissing(required_role="admin")
    await record_act(
        call.connection,
        call.caller.organization_id,
        action=action,
        subject=subject,
        actor=f"key:{call.caller.key_id}",
        details=details,
        request_id=call.request_id,
    )
    return role


async def role_of(call: Call, user_id: UserId) -> UserRole | None:
    return await store.role_of(call.connection, call.caller.organization_id, user_id)
