"""The MCP server over streamable HTTP: each request has a key or token and is answered on its own."""

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Final

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic import AnyHttpUrl
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response

from sightline.domain.callers import Caller, RunOperation
from sightline.domain.errors import PathDoesNotExist, RateIsExceeded, Refusal, RequestIsInvalid
from sightline.domain.keys import PREFIX
from sightline.mcp.doors import Inside
from sightline.mcp.server import build_server
from sightline.mcp.sign_on import Resource, Tokens

MOST_BYTES: Final = 1_000_000
PATH: Final = "/mcp"
MOST_NEW_TOKENS: Final = 60  # a minute and address
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


@dataclass(frozen=True)
class McpAnswer:
    """Answers one request of a known caller."""

    manager: StreamableHTTPSessionManager

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        async with self.manager.run():
            await self.manager.handle_request(scope, receive, send)


@dataclass(frozen=True)
class Door:
    """What the paths of agents are answered with. `identify` finds the caller of a key; `origin` is scheme
    and host as the client has them; `throttle` counts tries of a name within a minute."""

    identify: Callable[[Request], Awaitable[Caller]]
    operation: RunOperation
    version: str
    origin: Callable[[Request], str]
    address: Callable[[Request], str]
    throttle: Callable[[str, int], Awaitable[bool]]
    issuer: str = ""
    tokens: Tokens | None = None  # None: callers have keys alone

    async def answer(self, request: Request) -> McpAnswer:
        """What answers a request to `/mcp`. The key travels in x-api-key or as a bearer token.

        Raises KeyIsMissing, KeyIsInvalid, RateIsExceeded, ServiceIsUnavailable.
        """
        request.state.operation = "mcp"
        token = _bearer(request)
        try:
            caller = await self._caller(request, token)
        except Refusal as refusal:
            if self.tokens is not None:
                refusal.challenge = self._resource(request).challenge(had_token=bool(token))
            raise
        request.state.caller = caller
        server = build_server(Inside(self.operation, caller), version=self.version)
        # Nothing is kept between requests, so any process may answer the next one.
        manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=MOST_BYTES
        )
        return McpAnswer(manager)

    async def describe(self, request: Request) -> Response:
        """Where clients get tokens. Raises PathDoesNotExist where there are none."""
        request.state.operation = "mcp_metadata"
        if self.tokens is None:
            raise PathDoesNotExist()
        return Response(self._resource(request).metadata(), media_type="application/json")

    async def _caller(self, request: Request, token: str | None) -> Caller:
        if token is None:
            return await self.identify(request)
        if self.tokens is None or token.startswith(PREFIX):
            return await self.identify(_with_key(request, token))
        sender = f"tokens of {self.address(request)}"
        if not self.tokens.is_known(token) and not await self.throttle(sender, MOST_NEW_TOKENS):
            refusal = RateIsExceeded(
                "Too many new tokens were sent from this address.", limit=MOST_NEW_TOKENS
            )
            refusal.retry_after = 60
            raise refusal
        return await self.tokens.caller(token)

    def _resource(self, request: Request) -> Resource:
        try:
            return Resource(AnyHttpUrl(self.origin(request) + PATH), self.issuer)
        except ValueError as error:
            raise RequestIsInvalid("Must name a host.", path="Host") from error


def _bearer(request: Request) -> str | None:
    """The bearer token of a request without x-api-key."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return None if "x-api-key" in request.headers or kind.lower() != "bearer" else token.strip()


def _with_key(request: Request, key: str) -> Request:
    """The request with a key in x-api-key."""
    headers = MutableHeaders(raw=[*Headers(scope=request.scope).raw])
    headers["x-api-key"] = key
    return Request({**request.scope, "headers": headers.raw}, request.receive)
