"""What one process serves: the console at `/` and `/console`, tools for agents at `/mcp`, else the API."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from importlib import import_module
from typing import Any

from starlette.requests import Request

from sightline.api.endpoint import Services
from sightline.api.gate import Gate
from sightline.api.inside import Operations
from sightline.api.server import create_server
from sightline.console.page import ConsoleServices
from sightline.console.responses import origin
from sightline.console.site import create_console, is_ours, secured

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Callable[[], Awaitable[Message]], Send], Awaitable[None]]

METADATA = "/.well-known/oauth-protected-resource"  # RFC 9728


def create_site(services: Services) -> Application:
    """The application of one process."""
    gate = Gate(services)
    operations = Operations(gate)

    async def throttle(key: str, limit: int) -> bool:
        return (await services.limiter.hit(key, limit)).allowed

    agents = _agents(services, gate, operations, throttle)

    async def answer_mcp(request: Request) -> Application:
        answer: Application = await (await agents()).answer(request)
        return answer

    async def describe_mcp(request: Request) -> Application:
        described: Application = await (await agents()).describe(request)
        return described

    further = {("POST", "/mcp"): answer_mcp, ("GET", METADATA): describe_mcp}
    api = create_server(
        services, gate, further=further | {("GET", f"{METADATA}/mcp"): describe_mcp}
    )
    console = create_console(
        ConsoleServices(
            services.database,
            throttle,
            operations.run,
            operations.respond,
            services.secrets,
            provider=services.identity_provider,
            allowed_networks=services.allowed_networks,
            model=services.model_name,
            trust_proxy=services.trust_proxy,
            indexes=services.indexes,
        )
    )

    async def site(scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
        served = console if scope["type"] == "http" and is_ours(scope["path"]) else api
        await served(scope, receive, secured(scope, send, trust_proxy=services.trust_proxy))

    return site


def _agents(
    services: Services,
    gate: Gate,
    operations: Operations,
    throttle: Callable[[str, int], Awaitable[bool]],
) -> Callable[[], Awaitable[Any]]:
    """Makes what answers agents, when the first of them comes: its libraries take a second to load."""
    made: list[Any] = []

    async def agents() -> Any:
        http = await asyncio.to_thread(import_module, "sightline.mcp.http")
        if not made:
            provider, tokens = services.identity_provider, None
            if provider is not None and provider.audience:
                tokens = http.Tokens(provider, services.database, allow=services.allowed_networks)
            made.append(
                http.Door(
                    gate.identify,
                    operations.run,
                    services.version,
                    partial(origin, trust_proxy=services.trust_proxy),
                    gate.address,
                    throttle,
                    issuer=provider.issuer if provider else "",
                    tokens=tokens,
                )
            )
        return made[0]

    return agents
