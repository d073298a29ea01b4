"""An API process to be killed."""

import os
import socket
from functools import cache
from importlib.metadata import version

import pydantic_ai.models.openai
import pydantic_ai.providers.openai  # noqa: F401
import uvicorn

import sightline.console.site  # noqa: F401  here once, so that forks start at once
from sightline.api import server
from sightline.app import create_api
from tests.assistant import provider

# The document takes a second of a core to make, longer than a process is let live under kills.
server.openapi_bytes = cache(server.openapi_bytes)
server.openapi_bytes(version("sightline"))


MODEL_SECONDS = 3.0


def main(url: str, data_dir: str, model_url: str, port: int) -> None:
    """Serve the whole application on a port of this machine until killed, with the model at `model_url`."""
    os.environ |= {
        "SIGHTLINE_DATABASE_URL": url,
        "SIGHTLINE_DATA_DIR": data_dir,
        "SIGHTLINE_LOG_LEVEL": "error",
        "SIGHTLINE_POOL_SIZE": "8",
        "SIGHTLINE_MODEL": provider.NAME,
        "SIGHTLINE_MODEL_BASE_URL": model_url,
        "SIGHTLINE_MODEL_API_KEY": "invented",
        "SIGHTLINE_MODEL_SECONDS": str(MODEL_SECONDS),
    }
    config = uvicorn.Config(create_api(), port=port, log_level="critical", access_log=False)
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    uvicorn.Server(config).run(sockets=[listening])
