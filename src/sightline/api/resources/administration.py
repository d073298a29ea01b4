"""Administration: the organization, its users and keys, the audit log and usage.

A key may only do here what its user may: owners and admins administer, members read. No key can give
another more than it has itself.
"""

from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from sightline.api.administering import administer, administration_endpoint, check_role
from sightline.api.endpoint import Call, Reply, Schema, one
from sightline.api.paging import PageParameters, list_reply, listing, page_of
from sightline.domain.authority import UserRole
from sightline.domain.callers import UserId
from sightline.domain.errors import NameIsTaken, OperatorDecides, RequestIsInvalid, UserDoesNotExist
from sightline.domain.plans import Plan
from sightline.store import administration as store
from sightline.store import organizations as directory

MOST_USAGE_DAYS = 366


class OrganizationChange(Schema):
    name: str | None = Field(default=None, min_length=1, max_length=200)
    # The operator's. Taken here to be refused with a reason.
    plan: SkipJsonSchema[Any] = None
    costs: SkipJsonSchema[Any] = None


class Organization(Schema):
    id: UUID
    slug: str = Field(examples=["default"])
    name: str = Field(examples=["Northwind Advisory"])
    plan: Plan
    costs: dict[str, int]
    created_at: str


class NewUser(Schema):
    email: str = Field(
        min_length=3,
        max_length=254,
        examples=["ada@northwind.example"],
        json_schema_extra={"pattern": r"^[^@\s\x1c-\x1f\x85]+@[^@\s\x1c-\x1f\x85]+$"},
    )
    role: UserRole = "member"


class UserChange(Schema):
    role: UserRole | None = None
    disabled: bool | None = Field(default=None, description="A disabled user's keys are revoked.")


class User(Schema):
    id: UUID
    email: str = Field(examples=["ada@northwind.example"])
    role: UserRole
    disabled: bool
    has_password: bool
    created_at: str


class AuditParameters(PageParameters):
    action: str | None = Field(
        default=None, max_length=100, description="Only actions of this kind.", examples=["create"]
    )
    actor: str | None = Field(
        default=None, max_length=100, description="key:<id>, user:<id> or cli."
    )


class Act(Schema):
    id: UUID
    at: str
    actor: str
    action: str
    subject: str
    details: dict[str, Any]
    request_id: str | None


class UsageParameters(PageParameters):
    since: date | None = Field(default=None, description="First day; default: 30 days ago.")
    until: date | None = Field(default=None, description="Last day; default: today.")
    key_id: UUID | None = Field(default=None, description="Only requests of this key.")


class UsageRow(Schema):
    day: date
    key_id: UUID
    key_name: str | None
    operation: str
    requests: int
    failures: int = Field(description="Responses with status 400 and above.")


async def read_organization(call: Call) -> Reply:
    body = await store.organization_object(call.tenant)
    return Reply(body.encode())


async def update_organization(call: Call) -> Reply:
    asked: OrganizationChange = call.body
    if {"plan", "costs"} & asked.model_fields_set:
        raise OperatorDecides(
            "Plan and costs are set by the operator of the installation: `sightline org set`."
        )
    await administer(call, "update", "organization", asked.model_dump(exclude_unset=True))
    if asked.name is not None:
        await store.rename_organization(call.tenant, name=asked.name)
    return await read_organization(call)


list_users = listing(store.users_page, "users")


async def create_user(call: Call) -> Reply:
    asked: NewUser = call.body
    role = await administer(call, "create", f"user:{asked.email}", {"role": asked.role})
    check_role(role, asked.role)
    if asked.email.count("@") != 1 or any(c.isspace() for c in asked.email):
        raise RequestIsInvalid.at("email", "Must be an email address.", "invalid")
    try:
        user_id = await directory.create_user(call.tenant, email=asked.email, role=asked.role)
    except directory.UserExists as error:
        raise NameIsTaken(str(error), path="email") from error
    return await _user(call, user_id, status=201)


async def update_user(call: Call) -> Reply:
    asked: UserChange = call.body
    user_id = UserId(call.params.user_id)
    await _user(call, user_id)
    details = asked.model_dump(exclude_unset=True)
    role = await administer(call, "update", f"user:{user_id}", details)
    for other in (
        asked.role,
        await store.any_role_of(call.tenant, user_id),
    ):
        if other is not None:
            check_role(role, other)
    try:
        await store.update_user(call.tenant, user_id, role=asked.role, disabled=asked.disabled)
    except store.LastOwner as error:
        raise RequestIsInvalid(str(error), path="role") from error
    return await _user(call, user_id)


async def list_audit(call: Call) -> Reply:
    asked: AuditParameters = call.params
    page = partial(store.audit_page, call.tenant, action=asked.action, actor=asked.actor)
    return await list_reply(call, page, "audit", asked.action, asked.actor)


async def read_usage(call: Call) -> Reply:
    asked: UsageParameters = call.params
    until = asked.until or datetime.now(UTC).date()
    since = asked.since or until - timedelta(days=30)
    if not 0 <= (until - since).days <= MOST_USAGE_DAYS:
        raise RequestIsInvalid(
            f"until must be 0 to {MOST_USAGE_DAYS} days after since.", path="until"
        )
    wanted: dict[str, Any] = {"since": since, "until": until, "key_id": asked.key_id}
    page = partial(store.usage_page, call.tenant, **wanted)
    return await list_reply(call, page, "usage", wanted)


async def _user(call: Call, user_id: UserId, *, status: int = 200) -> Reply:
    return one(await store.user_object(call.tenant, user_id), UserDoesNotExist, status=status)


ENDPOINTS = (
    administration_endpoint(
        "GET", "/organization", "read_organization", "Your organization, its plan and costs",
        answer=Organization, handler=read_organization,
    ),
    administration_endpoint(
        "PATCH", "/organization", "update_organization", "Rename your organization",
        body=OrganizationChange, answer=Organization,
        errors=(OperatorDecides,), handler=update_organization,
        description="The operator sets plan and costs: `sightline org set`.",
    ),
    administration_endpoint(
        "GET", "/users", "list_users", "Users of your organization, by email",
        params=PageParameters, answer=page_of(User), snapshot=True,
        handler=list_users,
    ),
    administration_endpoint(
        "POST", "/users", "create_user", "Add a user", body=NewUser,
        answer=User, status=201, errors=(NameIsTaken,), handler=create_user,
    ),
    administration_endpoint(
        "PATCH", "/users/{user_id}", "update_user", "Change a user's role, or disable the user",
        body=UserChange, answer=User,
        handler=update_user,
    ),
    administration_endpoint(
        "GET", "/audit-log", "list_audit_log", "Administrative actions, newest first",
        params=AuditParameters, answer=page_of(Act, "AuditPage"), snapshot=True,
        handler=list_audit,
    ),
    administration_endpoint(
        "GET", "/usage", "read_usage", "Requests by day, key and operation",
        params=UsageParameters, answer=page_of(UsageRow, "UsagePage"), snapshot=True,
        handler=read_usage,
    ),
)  # fmt: skip
