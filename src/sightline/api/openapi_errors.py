"""Errors and headers of the OpenAPI document: the responses of each operation besides success."""

import json
from typing import Any

from pydantic import BaseModel

from sightline.api.endpoint import Endpoint
from sightline.api.errors import STATUSES, error_reply
from sightline.api.openapi_examples import REQUEST_ID, sample_refusal
from sightline.domain.credits import CREDITS
from sightline.domain.errors import (
    REFUSALS,
    BodyIsTooLarge,
    ContentDoesNotExist,
    ContentTypeIsUnsupported,
    CreditsAreExhausted,
    CursorIsInvalid,
    IdempotencyKeyIsInvalid,
    IdempotencyKeyIsReused,
    JsonIsMalformed,
    KeyIsInvalid,
    KeyIsMissing,
    OperationDoesNotExist,
    PaginationConflicts,
    ParameterIsUnknown,
    RateIsExceeded,
    Refusal,
    RequestIsInvalid,
    RequestIsStillRunning,
    ScopeIsMissing,
    ServiceIsUnavailable,
    SomethingFailed,
    StorageIsFull,
    UuidIsInvalid,
)
from sightline.domain.plans import WINDOW_SECONDS

REF = "#/components/schemas/{model}"

# Errors that the gate and the server may answer to every operation with a key.
COMMON_ERRORS: tuple[type[Refusal], ...] = (
    RequestIsInvalid,
    ParameterIsUnknown,
    KeyIsMissing,
    KeyIsInvalid,
    ScopeIsMissing,
    RateIsExceeded,
    SomethingFailed,
    ServiceIsUnavailable,
    StorageIsFull,
)
BODY_ERRORS: tuple[type[Refusal], ...] = (JsonIsMalformed, ContentTypeIsUnsupported, BodyIsTooLarge)
RETRIED_METHODS = ("POST", "PATCH")
IDEMPOTENCY_ERRORS: tuple[type[Refusal], ...] = (
    IdempotencyKeyIsInvalid,
    RequestIsStillRunning,
    IdempotencyKeyIsReused,
)

# What may be wrong with a parameter of the query or the body beside its form.
_PAGING: dict[str, type[Refusal]] = {"page": PaginationConflicts, "cursor": CursorIsInvalid}
# Id in a path -> what is answered where there is no such thing.
_MISSING = {
    f"{kind.code.removesuffix('_not_found')}_id": kind
    for kind in REFUSALS
    if kind.type == "not_found"
} | {
    "public_operation_id": OperationDoesNotExist,
    "template_id": ContentDoesNotExist,
    "setting_id": ContentDoesNotExist,
}


def _header(description: str, kind: str = "string", **schema: Any) -> dict[str, Any]:
    return {"description": description, "schema": {"type": kind, **schema}}


HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": {
        "description": "Id of this request; quote it when you report a problem.",
        "required": True,
        "schema": {"type": "string", "format": "uuid"},
    },
    "X-Client-Request-Id": _header("The X-Request-Id that you sent, its first 128 characters."),
    "X-RateLimit-Limit": _header(
        f"Requests the key may make per window of {WINDOW_SECONDS} seconds.", "integer"
    ),
    "X-RateLimit-Remaining": _header("Requests left in the current window.", "integer"),
    "X-RateLimit-Reset": _header("When the window resets, in Unix seconds.", "integer"),
    "Retry-After": _header("Seconds to wait before retrying.", "integer"),
    "WWW-Authenticate": _header("The authentication scheme."),
    "Idempotent-Replayed": _header(
        "`true` if the response was stored earlier for this Idempotency-Key.",
        "string",
        enum=["true"],
    ),
    "X-Credits-Charged": _header("Credits this request charged or reserved.", "integer"),
    "X-Credits-Type": {"description": "The kind of credit.", "schema": {"enum": list(CREDITS)}},
    "X-Credits-Remaining": _header("Credits of that kind left.", "integer"),
}
CREDIT_HEADERS = ("X-Credits-Charged", "X-Credits-Type", "X-Credits-Remaining")
EVERYWHERE = ("X-Request-Id", "X-Client-Request-Id")
RATE_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def errors_of(endpoint: Endpoint) -> tuple[type[Refusal], ...]:
    """Every error that the operation may return, in the order of the reference."""
    found = {*COMMON_ERRORS, *endpoint.errors}
    given = {*endpoint.params.model_fields, *(endpoint.body.model_fields if endpoint.body else ())}
    found |= {kind for name, kind in _PAGING.items() if name in given}
    found |= {kind for name, kind in _MISSING.items() if f"{{{name}}}" in endpoint.path}
    if _has_uuid(endpoint.params) or (endpoint.body and _has_uuid(endpoint.body)):
        found.add(UuidIsInvalid)
    if endpoint.body is not None:
        found.update(BODY_ERRORS)
    if endpoint.price is not None:
        found.add(CreditsAreExhausted)
    if endpoint.method in RETRIED_METHODS:
        found.update(IDEMPOTENCY_ERRORS)
    return tuple(kind for kind in REFUSALS if kind in found)


def _has_uuid(model: type[BaseModel]) -> bool:
    return '"format": "uuid"' in json.dumps(model.model_json_schema())


def _by_status(errors: tuple[type[Refusal], ...]) -> dict[int, tuple[type[Refusal], ...]]:
    found: dict[int, tuple[type[Refusal], ...]] = {}
    for kind in errors:
        status = STATUSES[kind.type]
        found[status] = (*found.get(status, ()), kind)
    return dict(sorted(found.items()))


def common_groups() -> tuple[tuple[type[Refusal], ...], ...]:
    """Error answers that are the same in many operations, and so are components."""
    common = (*COMMON_ERRORS, BodyIsTooLarge, RequestIsStillRunning, IdempotencyKeyIsReused)
    return tuple(group for status, group in _by_status(common).items() if status not in (400, 403))


def response_name(kind: type[Refusal]) -> str:
    return "".join(word.capitalize() for word in kind.type.split("_"))


def error_responses(errors: tuple[type[Refusal], ...], scope: str) -> dict[str, Any]:
    shared = common_groups()
    found: dict[str, Any] = {}
    for status, group in _by_status(errors).items():
        if group in shared:
            found[str(status)] = {"$ref": f"#/components/responses/{response_name(group[0])}"}
        else:
            found[str(status)] = error_response(group, scope=scope)
    return found


def error_response(
    group: tuple[type[Refusal], ...], *, rated: bool = True, scope: str | None = None
) -> dict[str, Any]:
    """The answer for one status; their codes tell its errors apart."""
    status = STATUSES[group[0].type]
    names = list(EVERYWHERE)
    if rated and status != 401:
        names += RATE_HEADERS
    if status in (409, 429, 503):
        names.append("Retry-After")
    if status == 401:
        names.append("WWW-Authenticate")
    if status == 402:
        names += CREDIT_HEADERS
    examples: dict[str, Any] = {}
    for kind in group:
        if kind is ScopeIsMissing:
            examples[kind.code] = {"value": _error_body(kind, flat=False, scope=scope)}
        else:
            examples[kind.code] = {"$ref": f"#/components/examples/{kind.code}"}
    examples["flat"] = {"$ref": f"#/components/examples/{group[0].code}.flat"}
    return {
        "description": "\n".join(f"`{kind.code}`: {kind().message}" for kind in group),
        "headers": header_refs(*names),
        "content": {
            "application/json": {
                "schema": {
                    "oneOf": [
                        {"$ref": REF.format(model="StructuredError")},
                        {"$ref": REF.format(model="FlatError")},
                    ]
                },
                "examples": examples,
            }
        },
    }


def error_examples() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in REFUSALS:
        for name, flat in ((kind.code, False), (f"{kind.code}.flat", True)):
            found[name] = {"summary": kind().message, "value": _error_body(kind, flat=flat)}
    return found


def _error_body(kind: type[Refusal], *, flat: bool, scope: str | None = None) -> Any:
    refusal = sample_refusal(kind, scope=scope)
    return json.loads(error_reply(refusal, request_id=REQUEST_ID, flat=flat).body)


def header_refs(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
