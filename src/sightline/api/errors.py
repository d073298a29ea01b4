"""Refusals and failures as statuses and bodies. Only this module writes error bodies."""

import json
from typing import Any

import structlog
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import Headers

from sightline.api.endpoint import Reply
from sightline.domain.errors import (
    ErrorType,
    Refusal,
    ServiceIsUnavailable,
    SomethingFailed,
    StorageIsFull,
)
from sightline.store.database import DatabaseIsBusy, DatabaseIsFull

log = structlog.get_logger()

STATUSES: dict[ErrorType, int] = {
    "validation_error": 400,
    "authentication_error": 401,
    "payment_required": 402,
    "permission_error": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "timeout": 408,
    "conflict": 409,
    "gone": 410,
    "payload_too_large": 413,
    "unprocessable": 422,
    "rate_limited": 429,
    "internal_error": 500,
    "unavailable": 503,
}
RETRYABLE: frozenset[ErrorType] = frozenset(
    {"timeout", "conflict", "rate_limited", "internal_error", "unavailable"}
)


class ErrorDetails(BaseModel):
    """Details of every error; some errors have more."""

    model_config = ConfigDict(extra="allow")

    request_id: str = Field(description="The same as the X-Request-Id header.")
    retryable: bool = Field(description="Whether the same request may succeed later.")
    docs: str = Field(description="Documentation of the error.")


class ErrorObject(BaseModel):
    type: str = Field(description="The class of error; it determines the status.")
    code: str = Field(description="The error code, for programs.")
    message: str = Field(description="The error message, for people.")
    details: ErrorDetails


class StructuredError(BaseModel):
    """The default shape."""

    error: ErrorObject


class FlatError(BaseModel):
    """The shape for callers with `X-Error-Format: flat` or this setting on their key."""

    error: str = Field(description="The code.")
    message: str
    details: ErrorDetails


def as_refusal(error: Exception) -> Refusal:
    """The answer for an exception; an unexpected one is logged and its text withheld."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, DatabaseIsFull):
        return StorageIsFull()
    if isinstance(error, DatabaseIsBusy):
        return ServiceIsUnavailable()
    log.error("request_failed", exc_info=error)
    return SomethingFailed()


def error_reply(refusal: Refusal, *, request_id: str, flat: bool) -> Reply:
    """The answer to a refused request."""
    details: dict[str, Any] = {
        **refusal.details,
        "request_id": request_id,
        "retryable": refusal.type in RETRYABLE,
        "docs": f"/docs#{refusal.code}",
    }
    headers: dict[str, str] = {}
    if refusal.retry_after is not None:
        details["retry_after"] = refusal.retry_after
        headers["Retry-After"] = str(refusal.retry_after)
    if refusal.type == "payment_required":
        headers["X-Credits-Charged"] = "0"
        headers["X-Credits-Type"] = str(refusal.details.get("credit", ""))
        headers["X-Credits-Remaining"] = str(refusal.details.get("remaining", 0))
    if refusal.type == "method_not_allowed":
        headers["Allow"] = ", ".join(refusal.details.get("allowed", ()))
    if refusal.type == "authentication_error":
        headers["WWW-Authenticate"] = refusal.challenge
    body: dict[str, Any]
    if flat:
        body = {"error": refusal.code, "message": refusal.message, "details": details}
    else:
        body = {
            "error": {
                "type": refusal.type,
                "code": refusal.code,
                "message": refusal.message,
                "details": details,
            }
        }
    return Reply(json.dumps(body).encode(), STATUSES[refusal.type], headers)


def wants_flat(headers: Headers, *, by_default: bool) -> bool:
    """Whether the request, or else its key, asks for the flat shape."""
    asked = headers.get("x-error-format", "").strip().lower()
    return asked == "flat" if asked in ("flat", "structured") else by_default
