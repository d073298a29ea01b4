"""Administration: the organization, its users and keys, the audit log and usage.

A key may only do here what its user may: owners and admins administer, members read. No key can give
another more than it has itself.
"""

import json
from datetime import UTC, date, datetime, timedelta
from functools import partial
from ipaddress import ip_network
from typing import Any, Literal
from uuid import UUID

from pydantic import Field, field_validator

from sightline.api.endpoint import Call, Endpoint, Reply, Schema
from sightline.api.paging import PageParameters, Pagination, read_list, with_pagination
from sightline.domain.callers import KeyId, UserId
from sightline.domain.credits import DEFAULT_PRICES
from sightline.domain.errors import (
    CursorIsInvalid,
    KeyDoesNotExist,
    NameIsTaken,
    PaginationConflicts,
    RequestIsInvalid,
    RoleIsMissing,
    ScopeIsMissing,
    UserDoesNotExist,
)
from sightline.domain.plans import Plan
from sightline.domain.scopes import grantable_scopes, is_granted
from sightline.store import administration as store
from sightline.store import keys
from sightline.store import organizations as directory
from sightline.store.organizations import UserRole

MOST_USAGE_DAYS = 366


class UserPath(Schema):
    user_id: UUID = Field(description="Id of the user.")


class KeyPath(Schema):
    key_id: UUID = Field(description="Id of the key.")


class OrganizationChange(Schema):
    name: str | None = Field(default=None, min_length=1, max_length=200)
    plan: Plan | None = None
    costs: dict[str, int] | None = Field(
        default=None,
        description=f"Own amounts over the defaults, by operation: {', '.join(DEFAULT_PRICES)}.",
        examples=[{"company_enrichment": 2}],
    )

    @field_validator("costs")
    @classmethod
    def _costs_are_of_operations(cls, value: dict[str, int] | None) -> dict[str, int] | None:
        for name, amount in (value or {}).items():
            if name not in DEFAULT_PRICES:
                raise ValueError(f"there is no operation {name!r}: {', '.join(DEFAULT_PRICES)}")
            if not 0 <= amount <= 1_000_000:
                raise ValueError("an amount is 0 to 1000000 credits")
        return value


class Organization(Schema):
    id: UUID
    slug: str = Field(examples=["default"])
    name: str = Field(examples=["Northwind Advisory"])
    plan: Plan
    costs: dict[str, int]
    created_at: str


class NewUser(Schema):
    email: str = Field(min_length=3, max_length=254, examples=["ada@northwind.example"])
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


class UserPage(Schema):
    items: list[User]
    pagination: Pagination


class NewKey(Schema):
    name: str = Field(min_length=1, max_length=200, examples=["CRM sync"])
    scopes: list[str] = Field(min_length=1, max_length=50, examples=[["accounts:read"]])
    user_id: UUID | None = Field(default=None, description="Whom it acts for; you, if left out.")
    expires_at: datetime | None = None
    allowed_networks: list[str] = Field(default=[], max_length=50, description="CIDR; empty: any.")
    rate_limit: int | None = Field(
        default=None, ge=1, le=1_000_000, description="Requests a minute."
    )
    flat_errors: bool = False


class Rotation(Schema):
    overlap_seconds: int = Field(
        default=86_400, ge=0, le=2_592_000, description="How long the old key stays valid."
    )


class ApiKey(Schema):
    id: UUID
    name: str
    prefix: str = Field(description="Its first 14 characters.")
    scopes: list[str]
    owner: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None
    allowed_networks: list[str]
    rate_limit: int | None


class ApiKeys(Schema):
    items: list[ApiKey]


class MadeKey(Schema):
    id: UUID
    key: str | None = Field(description="Shown this once; a replayed request answers null.")


class Revoked(Schema):
    id: UUID
    revoked: Literal[True]


class AuditParameters(PageParameters):
    action: str | None = Field(default=None, max_length=100)
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


class AuditPage(Schema):
    items: list[Act]
    pagination: Pagination


class UsageParameters(Schema):
    since: date | None = Field(default=None, description="First day; 30 days ago if left out.")
    until: date | None = Field(default=None, description="Last day; today if left out.")
    key_id: UUID | None = None


class UsageRow(Schema):
    day: date
    key_id: UUID
    key_name: str | None
    operation: str
    requests: int
    failures: int = Field(description="Answers of 400 and above.")


class Usage(Schema):
    items: list[UsageRow]


async def read_organization(call: Call) -> Reply:
    body = await store.organization_object(call.connection, call.caller.organization_id)
    return Reply(body.encode())


async def update_organization(call: Call) -> Reply:
    await _administer(call, "update", "organization", call.body.model_dump(exclude_unset=True))
    asked: OrganizationChange = call.body
    await store.update_organization(
        call.connection,
        call.caller.organization_id,
        name=asked.name,
        plan=asked.plan,
        costs=asked.costs,
    )
    return await read_organization(call)


async def list_users(call: Call) -> Reply:
    page = partial(store.users_page, call.connection, call.caller.organization_id)
    items, described = await read_list(call.caller, call.params, page, bound_to=("users",))
    return Reply(with_pagination(items, described))


async def create_user(call: Call) -> Reply:
    asked: NewUser = call.body
    role = await _administer(call, "create", f"user:{asked.email}", {"role": asked.role})
    _only_owners_make_owners(role, asked.role)
    if asked.email.count("@") != 1 or any(c.isspace() for c in asked.email):
        field = {"path": "email", "message": "It is not an e-mail address.", "code": "invalid"}
        raise RequestIsInvalid("email: It is not an e-mail address.", fields=[field])
    try:
        user_id = await directory.create_user(
            call.connection, call.caller.organization_id, email=asked.email, role=asked.role
        )
    except directory.UserExists as error:
        raise NameIsTaken(str(error)) from error
    return await _user(call, user_id, status=201)


async def update_user(call: Call) -> Reply:
    asked: UserChange = call.body
    user_id = UserId(call.params.user_id)
    await _user(call, user_id)
    details = asked.model_dump(exclude_unset=True)
    role = await _administer(call, "update", f"user:{user_id}", details)
    _only_owners_make_owners(role, asked.role)
    present = await store.role_of(call.connection, call.caller.organization_id, user_id)
    _only_owners_make_owners(role, present)
    try:
        await store.update_user(
            call.connection,
            call.caller.organization_id,
            user_id,
            role=asked.role,
            disabled=asked.disabled,
        )
    except store.LastOwner as error:
        raise RequestIsInvalid(str(error)) from error
    return await _user(call, user_id)


async def list_keys(call: Call) -> Reply:
    rows = await keys.list_keys(call.connection, call.caller.organization_id)
    return Reply(json.dumps({"items": rows}, default=_plain, ensure_ascii=False).encode())


async def create_key(call: Call) -> Reply:
    asked: NewKey = call.body
    await _administer(call, "create", f"key:{asked.name}", {"scopes": asked.scopes})
    _check_key(call, asked)
    user_id = UserId(asked.user_id) if asked.user_id else call.caller.user_id
    if asked.user_id is not None and await _role(call, user_id) is None:
        field = {"path": "user_id", "message": "There is no such user.", "code": "not_allowed"}
        raise RequestIsInvalid("user_id: There is no such user.", fields=[field])
    made = await keys.create_key(
        call.connection,
        call.caller.organization_id,
        user_id=user_id,
        name=asked.name,
        scopes=asked.scopes,
        expires_at=asked.expires_at,
        allowed_networks=asked.allowed_networks,
        rate_limit=asked.rate_limit,
        flat_errors=asked.flat_errors,
    )
    return _made(made, status=201)


async def revoke_key(call: Call) -> Reply:
    key_id = KeyId(call.params.key_id)
    await _administer(call, "revoke", f"key:{key_id}", {})
    try:
        await keys.revoke_key(call.connection, call.caller.organization_id, key_id)
    except keys.KeyDoesNotExist as error:
        raise KeyDoesNotExist() from error
    return Reply(json.dumps({"id": str(key_id), "revoked": True}).encode())


async def rotate_key(call: Call) -> Reply:
    key_id = KeyId(call.params.key_id)
    await _administer(call, "rotate", f"key:{key_id}", {})
    for row in await keys.list_keys(call.connection, call.caller.organization_id):
        if row["id"] == key_id:
            _check_scopes(call, row["scopes"])
    try:
        made = await keys.rotate_key(
            call.connection,
            call.caller.organization_id,
            key_id,
            overlap=timedelta(seconds=call.body.overlap_seconds),
        )
    except keys.KeyDoesNotExist as error:
        raise KeyDoesNotExist() from error
    return _made(made, status=201)


async def list_audit(call: Call) -> Reply:
    asked: AuditParameters = call.params
    page = partial(
        store.audit_page,
        call.connection,
        call.caller.organization_id,
        action=asked.action,
        actor=asked.actor,
    )
    items, described = await read_list(
        call.caller, asked, page, bound_to=("audit", asked.action, asked.actor)
    )
    return Reply(with_pagination(items, described))


async def read_usage(call: Call) -> Reply:
    asked: UsageParameters = call.params
    until = asked.until or datetime.now(UTC).date()
    since = asked.since or until - timedelta(days=30)
    if not 0 <= (until - since).days <= MOST_USAGE_DAYS:
        raise RequestIsInvalid(f"until must be 0 to {MOST_USAGE_DAYS} days after since.")
    items = await store.usage_between(
        call.connection,
        call.caller.organization_id,
        since=since,
        until=until,
        key_id=asked.key_id,
    )
    return Reply(f'{{"items":{items}}}'.encode())


async def _administer(call: Call, action: str, subject: str, details: dict[str, Any]) -> UserRole:
    """Write the act to the audit log; answers the caller's role. Raises RoleIsMissing."""
    role = await _role(call, call.caller.user_id)
    if role not in ("owner", "admin"):
        raise RoleIsMissing()
    await directory.record_act(
        call.connection,
        call.caller.organization_id,
        action=action,
        subject=subject,
        actor=f"key:{call.caller.key_id}",
        details=details,
        request_id=call.request_id,
    )
    return role


async def _role(call: Call, user_id: UserId) -> UserRole | None:
    return await store.role_of(call.connection, call.caller.organization_id, user_id)


def _only_owners_make_owners(role: UserRole, wanted: UserRole | None) -> None:
    if wanted == "owner" and role != "owner":
        raise RoleIsMissing("Only an owner changes owners.")


def _check_key(call: Call, asked: NewKey) -> None:
    unknown = [scope for scope in asked.scopes if scope not in grantable_scopes()]
    if unknown:
        field = {
            "path": "scopes",
            "message": f"There is no scope {unknown[0]!r}.",
            "code": "not_allowed",
        }
        raise RequestIsInvalid(f"scopes: There is no scope {unknown[0]!r}.", fields=[field])
    _check_scopes(call, asked.scopes)
    for n, network in enumerate(asked.allowed_networks):
        try:
            ip_network(network)
        except ValueError as error:
            field = {"path": f"allowed_networks.{n}", "message": str(error), "code": "invalid"}
            raise RequestIsInvalid(f"allowed_networks.{n}: {error}", fields=[field]) from error
    if asked.expires_at is not None and asked.expires_at.tzinfo is None:
        field = {"path": "expires_at", "message": "It must have a time zone.", "code": "invalid"}
        raise RequestIsInvalid("expires_at: It must have a time zone.", fields=[field])


def _check_scopes(call: Call, scopes: list[str]) -> None:
    """No key gives another what it may not do itself."""
    for scope in scopes:
        if scope == "*" or scope.endswith(":*"):
            covered = scope in call.caller.scopes or "*" in call.caller.scopes
        else:
            covered = is_granted(scope, call.caller.scopes)
        if not covered:
            raise ScopeIsMissing(
                f"The key lacks {scope} itself and cannot give it.", required_scope=scope
            )


def _made(made: keys.NewKey, *, status: int) -> Reply:
    """The new key, shown once: what is kept for a replay leaves it out."""
    body = {"id": str(made.key_id), "key": made.key}
    return Reply(
        json.dumps(body).encode(),
        status=status,
        kept=json.dumps(body | {"key": None}).encode(),
    )


async def _user(call: Call, user_id: UserId, *, status: int = 200) -> Reply:
    body = await store.user_object(call.connection, call.caller.organization_id, user_id)
    if body is None:
        raise UserDoesNotExist()
    return Reply(body.encode(), status=status)


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return str(value)


_READ, _WRITE = ("org_settings:read",), ("org_settings:write",)
_LIST_ERRORS = (PaginationConflicts, CursorIsInvalid)


def _endpoint(method: Any, path: str, name: str, summary: str, **more: Any) -> Endpoint:
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


ENDPOINTS = (
    _endpoint(
        "GET", "/organization", "read_organization", "Your organization, its plan and costs",
        answer=Organization, handler=read_organization,
    ),
    _endpoint(
        "PATCH", "/organization", "update_organization", "Change name, plan or the cost table",
        body=OrganizationChange, body_required=True, answer=Organization,
        handler=update_organization,
    ),
    _endpoint(
        "GET", "/users", "list_users", "Users of your organization, by e-mail",
        params=PageParameters, answer=UserPage, errors=_LIST_ERRORS, snapshot=True,
        handler=list_users,
    ),
    _endpoint(
        "POST", "/users", "create_user", "Add a user", body=NewUser, body_required=True,
        answer=User, status=201, errors=(NameIsTaken,), handler=create_user,
    ),
    _endpoint(
        "PATCH", "/users/{user_id}", "update_user", "Change a user's role, or disable the user",
        params=UserPath, body=UserChange, body_required=True, answer=User,
        errors=(UserDoesNotExist,), handler=update_user,
    ),
    _endpoint(
        "GET", "/keys", "list_keys", "API keys of your organization, newest first",
        answer=ApiKeys, handler=list_keys,
    ),
    _endpoint(
        "POST", "/keys", "create_key", "Create an API key; it is shown this once",
        body=NewKey, body_required=True, answer=MadeKey, status=201, handler=create_key,
    ),
    _endpoint(
        "DELETE", "/keys/{key_id}", "revoke_key", "Revoke an API key, on every node within a second",
        params=KeyPath, answer=Revoked, errors=(KeyDoesNotExist,), handler=revoke_key,
    ),
    _endpoint(
        "POST", "/keys/{key_id}/rotate", "rotate_key",
        "Make a second key beside the first, which ends after the overlap",
        params=KeyPath, body=Rotation, answer=MadeKey, status=201, errors=(KeyDoesNotExist,),
        handler=rotate_key,
    ),
    _endpoint(
        "GET", "/audit-log", "list_audit_log", "Administrative acts, newest first",
        params=AuditParameters, answer=AuditPage, errors=_LIST_ERRORS, snapshot=True,
        handler=list_audit,
    ),
    _endpoint(
        "GET", "/usage", "read_usage", "Requests by day, key and operation",
        params=UsageParameters, answer=Usage, handler=read_usage,
    ),
)  # fmt: skip
