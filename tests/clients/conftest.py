"""The clients against the real application."""

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.api.server import create_server
from sightline_client import AsyncSightline, Sightline
from tests.conftest import Tenant
from tests.serving import served


@pytest.fixture
async def url(services: Services) -> AsyncIterator[str]:
    async with served(services) as address:
        yield address


@pytest.fixture
async def sightline(services: Services, tenant: Tenant) -> AsyncIterator[AsyncSightline]:
    """The asynchronous client, with the application in process."""
    http = httpx.AsyncClient(transport=httpx.ASGITransport(app=create_server(services)))
    async with AsyncSightline("http://sightline.test", tenant.key, http=http) as client:
        yield client


@pytest.fixture
def blocking(url: str, tenant: Tenant) -> Iterator[Sightline]:
    """The synchronous client, over a socket: call it in another thread."""
    with Sightline(url, tenant.key) as client:
        yield client
