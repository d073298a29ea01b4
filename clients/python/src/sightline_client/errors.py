"""What a call may fail with."""

from collections.abc import Mapping
from typing import Any


class SightlineError(Exception):
    """Everything that this package raises by itself."""


class NoAnswer(SightlineError):
    """No server answered, however often it was tried; the cause is the error of httpx."""


class WebhookIsInvalid(SightlineError):
    """A message is not signed with the secret, or is too old."""


class ApiError(SightlineError):
    """The server refused a request.

    `code` names the error for programs, as the reference lists them; `details["fields"]` has each fault of
    the input; `request_id` is what to quote in a report.
    """

    def __init__(self, status: int, error: Mapping[str, Any]) -> None:
        self.status = status
        self.type = str(error.get("type", ""))
        self.code = str(error.get("code", ""))
        self.message = str(error.get("message", ""))
        self.details: Mapping[str, Any] = error.get("details") or {}
        self.request_id = self.details.get("request_id")
        faults = "; ".join(
            f"{each.get('path')}: {each.get('message')}" for each in self.details.get("fields", ())
        )
        super().__init__(f"{self.code} ({status}): {self.message}{f' {faults}' if faults else ''}")
