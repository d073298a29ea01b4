"""The real application behind a port of this machine."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn

from sightline.api.endpoint import Services
from sightline.api.server import create_server


@asynccontextmanager
async def served(services: Services, wrap: Any = None) -> AsyncIterator[str]:
    """The address of a server; `wrap` makes another application of it, one that fails for instance."""
    application = create_server(services)
    config = uvicorn.Config(
        wrap(application) if wrap else application, port=0, lifespan="off", log_level="error"
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await running
