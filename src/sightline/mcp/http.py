"""The server over streamable HTTP: each request carries its key and is answered on its own."""

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Final

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request

from sightline.domain.callers import Caller, RunOperation
from sightline.mcp.doors import Inside
from sightline.mcp.server import build_server

MOST_BYTES: Final = 1_000_000
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


@dataclass(frozen=True)
class McpAnswer:
    """Answers one request of a known caller."""

    manager: StreamableHTTPSessionManager

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        async with self.manager.run():
            await self.manager.handle_request(scope, receive, send)


async def answer(
    request: Request,
    identify: Callable[[Request], Awaitable[Caller]],
    operation: RunOperation,
    *,
    version: str,
) -> McpAnswer:
    """What answers a request to `/mcp`. The key travels in x-api-key or as a bearer token.

    Raises KeyIsMissing, KeyIsInvalid, RateIsExceeded.
    """
    request.state.operation = "mcp"
    caller = await identify(_with_key(request))
    request.state.caller = caller
    server = build_server(Inside(operation, caller), version=version)
    # Nothing is kept between requests, so any process may answer the next one.
    manager = StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, max_request_body_size=MOST_BYTES
    )
    return McpAnswer(manager)


def _with_key(request: Request) -> Request:
    """The request with a bearer token as its x-api-key, unless it has one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if "x-api-key" in request.headers or kind.lower() != "bearer":
        return request
    headers = MutableHeaders(raw=[*Headers(scope=request.scope).raw])
    headers["x-api-key"] = token.strip()
    return Request({**request.scope, "headers": headers.raw}, request.receive)
