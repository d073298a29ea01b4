"""Access to a remote server over HTTP."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

import httpx

from sightline.mcp.doors import OperationFailed, explained

_BASE: Final = "/public-api/v1"
# An answer of the assistant may wait for a model.
SECONDS: Final = 330.0


@dataclass(frozen=True)
class Remote:
    """The operations of a server, over HTTP. `routes` are method and path by name."""

    client: httpx.AsyncClient
    routes: Mapping[str, tuple[str, str]]

    async def run(
        self,
        name: str,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Any:
        method, template = self.routes[name]
        values = {key: quote(str(value), safe="") for key, value in (path or {}).items()}
        given = {key: value for key, value in (query or {}).items() if value is not None}
        try:
            answer = await self.client.request(
                method, _BASE + template.format(**values), params=given, json=body
            )
        except httpx.HTTPError as error:
            raise OperationFailed(
                "unavailable", f"The server is not responding: {error}."
            ) from error
        if answer.is_success:
            return answer.json()
        try:
            refused = answer.json()["error"]
            message = explained(refused["message"], refused["details"])
            raise OperationFailed(refused["code"], message)
        except (ValueError, KeyError, TypeError) as error:
            message = f"The server answered {answer.status_code}; is this address Sightline's?"
            raise OperationFailed("unavailable", message) from error


@asynccontextmanager
async def open_remote(url: str, key: str) -> AsyncIterator[Remote]:
    """A door to the server at `url`, which is asked for its operations. Raises OperationFailed."""
    headers = {"x-api-key": key}
    async with httpx.AsyncClient(
        base_url=url.rstrip("/"), headers=headers, timeout=SECONDS
    ) as client:
        try:
            described = await client.get("/openapi.json")
            described.raise_for_status()
            routes = _routes(described.json()["paths"])
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise OperationFailed(
                "unavailable", f"No Sightline answers at {url}: {error}."
            ) from error
        yield Remote(client, routes)


def _routes(paths: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, str]]:
    return {
        operation["operationId"]: (method.upper(), path.removeprefix(_BASE))
        for path, methods in paths.items()
        for method, operation in methods.items()
        if isinstance(operation, dict) and "operationId" in operation
    }
