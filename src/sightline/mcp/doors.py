"""How tools reach the operations of the API: in this process, or on a remote server."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from sightline.domain.callers import Caller, RunOperation
from sightline.domain.errors import Refusal


class OperationFailed(Exception):
    """An operation was refused. `code` is the API's error code; the message says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Door(Protocol):
    """Runs an operation by its name in the endpoint table and answers its JSON.

    Raises OperationFailed.
    """

    async def run(
        self,
        name: str,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Any: ...


@dataclass(frozen=True)
class Inside:
    """The operations of this process, for one caller."""

    operation: RunOperation
    caller: Caller

    async def run(
        self,
        name: str,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Any:
        try:
            return await self.operation(name, self.caller, path=path, query=query, body=body)
        except Refusal as refusal:
            raise OperationFailed(
                refusal.code, explained(refusal.message, refusal.details)
            ) from refusal


def explained(message: str, details: Mapping[str, Any]) -> str:
    """The message with each field that is at fault, as a model can act on it."""
    fields = details.get("fields") or ()
    named = "; ".join(
        f"{each['path']}: {each['message']}" for each in fields if each["path"] != "body"
    )
    return f"{message} ({named})" if named and named not in message else message
