"""`mcp`: Sightline's tools for an agent that starts this command and talks to it over pipes."""

import asyncio
from typing import TYPE_CHECKING

from sightline.cli.context import DataDir, read_settings
from sightline.cli.exits import UNAVAILABLE, CommandFailed, one_line_errors

if TYPE_CHECKING:
    from sightline.settings import Settings


def mcp(data_dir: DataDir = None) -> None:
    """Serve the Model Context Protocol over standard input and output, until the client disconnects.

    Uses the server at SIGHTLINE_URL with SIGHTLINE_API_KEY; without them, the server running on the
    data folder, with its first API key. Agents that speak HTTP need no command: the server answers at
    /mcp.
    """
    with one_line_errors():
        url, key = _server(read_settings(data_dir))
        asyncio.run(_serve(url, key))


def _server(settings: "Settings") -> tuple[str, str]:
    """Address and key of the server to use."""
    from sightline.cli.address import running_url
    from sightline.sample.load import KEY_FILE

    if settings.url is not None:
        if settings.api_key is None:
            raise CommandFailed(
                "SIGHTLINE_URL needs an API key of that server in SIGHTLINE_API_KEY."
            )
        return settings.url, settings.api_key.get_secret_value()
    url = running_url(settings)
    if url is None:
        raise CommandFailed(
            f"No Sightline runs on {settings.data_dir}: start `sightline up`, or set SIGHTLINE_URL and "
            "SIGHTLINE_API_KEY to use a remote server.",
            code=UNAVAILABLE,
        )
    if settings.api_key is not None:
        return url, settings.api_key.get_secret_value()
    try:
        return url, (settings.data_dir / "secrets" / KEY_FILE).read_text().strip()
    except OSError as error:
        raise CommandFailed(
            "The server's first API key is gone: set SIGHTLINE_API_KEY, or create a key with `sightline keys "
            "create --name NAME --scope '*'`."
        ) from error


async def _serve(url: str, key: str) -> None:
    from importlib.metadata import version

    from mcp.server.stdio import stdio_server

    from sightline.mcp.doors import OperationFailed
    from sightline.mcp.remote import open_remote
    from sightline.mcp.server import build_server

    try:
        async with open_remote(url, key) as door, stdio_server() as (reading, writing):
            server = build_server(door, version=version("sightline"))
            await server.run(reading, writing, server.create_initialization_options())
    except OperationFailed as failure:
        raise CommandFailed(str(failure), code=UNAVAILABLE) from failure
