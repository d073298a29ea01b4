"""API keys: list, create, rotate, revoke. No key can grant more than it has itself."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Literal
from uuid import UUID

from pydantic import Field

from sightline.api.administering import administer, administration_endpoint, check_role, role_of
from sightline.api.endpoint import Call, Reply, Schema, json_reply
from sightline.api.moments import Moment
from sightline.api.paging import PageParameters, listing, page_of
from sightline.domain.authority import Bounds, excess
from sightline.domain.callers import Caller, KeyId, UserId
from sightline.domain.errors import (
    AuthorityIsExceeded,
    KeyDoesNotExist,
    RequestIsInvalid,
    ScopeIsMissing,
)
from sightline.domain.plans import RATE_LIMITS
from sightline.domain.scopes import grantable_scopes, is_granted
from sightline.store import keys


class NewKey(Schema):
    name: str = Field(min_length=1, max_length=200, examples=["CRM sync"])
    scopes: list[str] = Field(
        min_length=1,
        max_length=50,
        examples=[["accounts:read"]],
        json_schema_extra={"items": {"type": "string", "enum": list(grantable_scopes())}},
    )
    user_id: UUID | None = Field(default=None, description="User it acts for; default: you.")
    expires_at: Moment | None = Field(
        default=None, description="No later than the expiry of your own key, which is the default."
    )
    allowed_networks: list[str] = Field(
        default=[],
        max_length=50,
        description="CIDR ranges within those of your own key, which are the default; empty allows any.",
    )
    rate_limit: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="Requests per minute, at most the limits of your plan and your own key.",
    )
    flat_errors: bool = False


class KeyRotation(Schema):
    overlap_seconds: int = Field(
        default=86_400, ge=0, le=2_592_000, description="How long the old key stays valid."
    )


class ApiKey(Schema):
    id: UUID
    name: str
    prefix: str = Field(description="First 14 characters of the key.")
    scopes: list[str]
    owner: str = Field(description="Email address of the user it acts for.")
    user_id: UUID
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None
    allowed_networks: list[str]
    rate_limit: int | None = Field(description="The key's own limit; null uses the plan's.")
    flat_errors: bool


class MadeKey(Schema):
    id: UUID
    key: str | None = Field(description="Shown only once; null in a replayed response.")


class Revoked(Schema):
    id: UUID
    revoked: Literal[True]


list_keys = listing(keys.keys_page, "keys")


async def create_key(call: Call) -> Reply:
    asked: NewKey = call.body
    role = await administer(call, "create", f"key:{asked.name}", {"scopes": asked.scopes})
    _check_key(call, asked)
    user_id = UserId(asked.user_id) if asked.user_id else call.caller.user_id
    if asked.user_id is not None:
        other = await role_of(call, user_id)
        if other is None:
            raise RequestIsInvalid.at("user_id", "There is no such user.")
        check_role(role, other)
    bounds = _bounds(call.caller, asked)
    made = await keys.create_key(
        call.tenant,
        user_id=user_id,
        name=asked.name,
        scopes=asked.scopes,
        expires_at=bounds.expires_at,
        allowed_networks=list(bounds.networks),
        rate_limit=None
        if bounds.rate_limit == RATE_LIMITS[call.caller.plan]
        else bounds.rate_limit,
        flat_errors=asked.flat_errors,
    )
    return _made(made, status=201)


async def revoke_key(call: Call) -> Reply:
    key_id = KeyId(call.params.key_id)
    role = await administer(call, "revoke", f"key:{key_id}", {})
    check_role(role, (await _find(call, key_id)).role)
    await keys.revoke_key(call.tenant, key_id)
    return json_reply({"id": str(key_id), "revoked": True})


async def rotate_key(call: Call) -> Reply:
    key_id = KeyId(call.params.key_id)
    role = await administer(call, "rotate", f"key:{key_id}", {})
    held = await _find(call, key_id)
    check_role(role, held.role)
    _check_scopes(call, held.scopes)
    bounds = Bounds(held.networks, held.expires_at, held.rate_limit)
    if (over := excess(bounds, _reach(call.caller))) is not None:
        raise AuthorityIsExceeded(over[1], field=over[0])
    try:
        made = await keys.rotate_key(
            call.tenant, key_id, overlap=timedelta(seconds=call.body.overlap_seconds)
        )
    except keys.KeyDoesNotExist as error:
        raise KeyDoesNotExist() from error
    return _made(made, status=201)


async def _find(call: Call, key_id: KeyId) -> keys.HeldKey:
    held = await keys.find_key(call.tenant, key_id)
    if held is None:
        raise KeyDoesNotExist()
    return held


def _reach(caller: Caller) -> Bounds:
    return Bounds(caller.allowed_networks, caller.expires_at, caller.rate_limit)


def _bounds(caller: Caller, asked: NewKey) -> Bounds:
    """Those of a new key: what was asked for, else the caller's own. Raises RequestIsInvalid when it
    would outreach the caller, or make more requests than the plan has."""
    own = _reach(caller)
    most = replace(own, rate_limit=min(own.rate_limit, RATE_LIMITS[caller.plan]))
    wanted = Bounds(
        tuple(asked.allowed_networks) or own.networks,
        asked.expires_at or own.expires_at,
        asked.rate_limit or most.rate_limit,
    )
    if (over := excess(wanted, most)) is not None:
        raise RequestIsInvalid.at(*over)
    return wanted


def _check_key(call: Call, asked: NewKey) -> None:
    unknown = [scope for scope in asked.scopes if scope not in grantable_scopes()]
    if unknown:
        raise RequestIsInvalid.at("scopes", f"There is no scope {unknown[0]!r}.")
    _check_scopes(call, asked.scopes)
    for n, network in enumerate(asked.allowed_networks):
        try:
            ip_network(network)
        except ValueError as error:
            raise RequestIsInvalid.at(f"allowed_networks.{n}", str(error), "invalid") from error


def _check_scopes(call: Call, scopes: list[str]) -> None:
    """No key gives another what it may not do itself."""
    for scope in scopes:
        if scope == "*" or scope.endswith(":*"):
            covered = scope in call.caller.scopes or "*" in call.caller.scopes
        else:
            covered = is_granted(scope, call.caller.scopes)
        if not covered:
            raise ScopeIsMissing(
                f"The key lacks {scope} itself and cannot grant it.", required_scope=scope
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
        params=PageParameters, answer=page_of(ApiKey),
        snapshot=True, handler=list_keys,
    ),
    administration_endpoint(
        "POST", "/keys", "create_key", "Create an API key; it is shown only once",
        body=NewKey, answer=MadeKey, status=201, handler=create_key,
    ),
    administration_endpoint(
        "DELETE", "/keys/{key_id}", "revoke_key", "Revoke an API key, on every node within a second",
        answer=Revoked, handler=revoke_key,
    ),
    administration_endpoint(
        "POST", "/keys/{key_id}/rotate", "rotate_key",
        "Rotate an API key; the old one expires after the overlap",
        body=KeyRotation, body_optional=True, answer=MadeKey, status=201,
        errors=(AuthorityIsExceeded,), handler=rotate_key,
    ),
)  # fmt: skip
