"""What one process serves: the console at `/` and `/console`, tools for agents at `/mcp`, else the API."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from importlib import import_module
from typing import Any

from starlette.requests import Request

from sightline.api.endpoint import Services
from sightline.api.gate import Gate
from sightline.api.inside import Operations
from sightline.api.server import create_server
from sightline.console.page import ConsoleServices
from sightline.console.site import create_console, is_ours, secured

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Callable[[], Awaitable[Message]], Send], Awaitable[None]]


def create_site(services: Services) -> Application:
    """The application of one process."""
    gate = Gate(services)
    operations = Operations(gate)

    async def throttle(key: str, limit: int) -> bool:
        return (await services.limiter.hit(key, limit)).allowed

    async def answer_mcp(request: Request) -> Application:
        # Its library takes a second to load, the first time.
        mcp = await asyncio.to_thread(import_module, "sightline.mcp.http")
        answer: Application = await mcp.answer(
            request, gate.identify, operations.run, version=services.version
        )
        return answer

    api = create_server(services, gate, posts={"/mcp": answer_mcp})
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
        )
    )

    async def site(scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
        served = console if scope["type"] == "http" and is_ours(scope["path"]) else api
        await served(scope, receive, secured(scope, send, trust_proxy=services.trust_proxy))

    return site
