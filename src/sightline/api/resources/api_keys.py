"""API keys: listed, made, rotated, revoked. No key can give another more than it has itself."""

import json
from datetime import datetime, timedelta
from functools import partial
from ipaddress import ip_network
from typing import Literal
from uuid import UUID

from pydantic import Field

from sightline.api.administering import administer, administration_endpoint, role_of
from sightline.api.endpoint import Call, Reply, Schema
from sightline.api.moments import Moment
from sightline.api.paging import PageParameters, Pagination, read_list, with_pagination
from sightline.domain.callers import KeyId, UserId
from sightline.domain.errors import (
    CursorIsInvalid,
    KeyDoesNotExist,
    PaginationConflicts,
    RequestIsInvalid,
    ScopeIsMissing,
)
from sightline.domain.scopes import grantable_scopes, is_granted
from sightline.store import keys


class KeyPath(Schema):
    key_id: UUID = Field(description="Id of the key.")


class NewKey(Schema):
    name: str = Field(min_length=1, max_length=200, examples=["CRM sync"])
    scopes: list[str] = Field(
        min_length=1,
        max_length=50,
        examples=[["accounts:read"]],
        json_schema_extra={"items": {"type": "string", "enum": list(grantable_scopes())}},
    )
    user_id: UUID | None = Field(default=None, description="Whom it acts for; you, if left out.")
    expires_at: Moment | None = None
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
    owner: str = Field(description="E-mail address of the user whom it acts for.")
    user_id: UUID
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None
    allowed_networks: list[str]
    rate_limit: int | None = Field(description="Its own limit; null: that of the plan.")
    flat_errors: bool


class ApiKeyPage(Schema):
    items: list[ApiKey]
    pagination: Pagination


class MadeKey(Schema):
    id: UUID
    key: str | None = Field(description="Shown this once; a replayed request answers null.")


class Revoked(Schema):
    id: UUID
    revoked: Literal[True]


async def list_keys(call: Call) -> Reply:
    page = partial(keys.keys_page, call.connection, call.caller.organization_id)
    items, described = await read_list(call.caller, call.params, page, bound_to=("keys",))
    return Reply(with_pagination(items, described))


async def create_key(call: Call) -> Reply:
    asked: NewKey = call.body
    await administer(call, "create", f"key:{asked.name}", {"scopes": asked.scopes})
    _check_key(call, asked)
    user_id = UserId(asked.user_id) if asked.user_id else call.caller.user_id
    if asked.user_id is not None and await role_of(call, user_id) is None:
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
    await administer(call, "revoke", f"key:{key_id}", {})
    try:
        await keys.revoke_key(call.connection, call.caller.organization_id, key_id)
    except keys.KeyDoesNotExist as error:
        raise KeyDoesNotExist() from error
    return Reply(json.dumps({"id": str(key_id), "revoked": True}).encode())


async def rotate_key(call: Call) -> Reply:
    key_id = KeyId(call.params.key_id)
    await administer(call, "rotate", f"key:{key_id}", {})
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


ENDPOINTS = (
    administration_endpoint(
        "GET", "/keys", "list_keys", "API keys of your organization, newest first",
        params=PageParameters, answer=ApiKeyPage, errors=(PaginationConflicts, CursorIsInvalid),
        snapshot=True, handler=list_keys,
    ),
    administration_endpoint(
        "POST", "/keys", "create_key", "Create an API key; it is shown this once",
        body=NewKey, body_required=True, answer=MadeKey, status=201, handler=create_key,
    ),
    administration_endpoint(
        "DELETE", "/keys/{key_id}", "revoke_key", "Revoke an API key, on every node within a second",
        params=KeyPath, answer=Revoked, errors=(KeyDoesNotExist,), handler=revoke_key,
    ),
    administration_endpoint(
        "POST", "/keys/{key_id}/rotate", "rotate_key",
        "Make a second key beside the first, which ends after the overlap",
        params=KeyPath, body=Rotation, answer=MadeKey, status=201, errors=(KeyDoesNotExist,),
        handler=rotate_key,
    ),
)  # fmt: skip
