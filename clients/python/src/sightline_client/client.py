"""The two clients."""

from types import TracebackType

import httpx

from sightline_client.generated.attached import AsyncResources, Resources
from sightline_client.transport import TIMEOUT, AsyncTransport, Server, Transport


class Sightline(Resources):
    """A client of the Sightline API.

    Without arguments it uses SIGHTLINE_URL and SIGHTLINE_API_KEY. A request that meets a busy or absent
    server is sent again up to `retries` times, after the pause that the server asks for. `http` is an own
    client of httpx, for proxies, certificates or tests.
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        retries: int = 4,
        http: httpx.Client | None = None,
    ) -> None:
        server = Server.named(url, api_key, retries)
        self.transport = Transport(server, http or httpx.Client(timeout=TIMEOUT))
        super().__init__(self.transport)

    def __enter__(self) -> "Sightline":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self.transport.http.close()


class AsyncSightline(AsyncResources):
    """The same for asynchronous programs."""

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        retries: int = 4,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        server = Server.named(url, api_key, retries)
        self.transport = AsyncTransport(server, http or httpx.AsyncClient(timeout=TIMEOUT))
        super().__init__(self.transport)

    async def __aenter__(self) -> "AsyncSightline":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self.transport.http.aclose()
