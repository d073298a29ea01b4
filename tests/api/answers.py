"""What is true of every error answer."""

from typing import Any
from uuid import UUID

import httpx

from sightline.api.errors import STATUSES

# Bits of a stack trace, of SQL and of our own modules.
LEAKS = ("Traceback", 'File "', "sightline.", "asyncpg", "SELECT ", "INSERT ")


def refused(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Check an error in the structured shape; answers its details."""
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert set(error) == {"type", "code", "message", "details"}
    assert error["code"] == code, response.text
    assert STATUSES[error["type"]] == status
    assert isinstance(error["message"], str)
    assert error["message"]
    check_details(response, error["details"])
    return dict(error["details"])


def refused_flat(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Check an error in the flat shape; answers its details."""
    assert response.status_code == status, response.text
    body = response.json()
    assert set(body) == {"error", "message", "details"}
    assert body["error"] == code
    check_details(response, body["details"])
    return dict(body["details"])


def check_details(response: httpx.Response, details: dict[str, Any]) -> None:
    """Check what the details of every error have, and that nothing of our inside shows."""
    assert response.headers["content-type"] == "application/json"
    assert details["request_id"] == response.headers["x-request-id"]
    assert UUID(details["request_id"]).version == 7
    assert isinstance(details["retryable"], bool)
    assert details["docs"].startswith("/docs#")
    assert not [leak for leak in LEAKS if leak in response.text]
    if "retry-after" in response.headers:
        assert details["retry_after"] == int(response.headers["retry-after"]) >= 1


def field_codes(details: dict[str, Any]) -> dict[str, str]:
    """Path -> code of the field errors."""
    for field in details["fields"]:
        assert set(field) == {"path", "message", "code"}
        assert field["message"]
    return {field["path"]: field["code"] for field in details["fields"]}
