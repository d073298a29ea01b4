"""Real HTTP servers on loopback, and a network on which they have public addresses."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any

import httpcore

from sightline.kit.fetch.addresses import IPAddress
from sightline.kit.fetch.bounds import Limits
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.kit.fetch.errors import HostIsUnknown
from sightline.kit.fetch.live import LiveWeb
from sightline.kit.fetch.politeness import Pace, ProcessPace, Unhurried

PUBLIC = "93.184.216.34"
# Sites of the test answer, however late.
PATIENT = Limits(connect_seconds=300, total_seconds=300)


@dataclass(frozen=True)
class Heard:
    """A request as a site got it."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


Respond = Callable[[Heard], bytes | AsyncGenerator[bytes, None]]


def response(body: bytes | str = b"", status: str = "200 OK", **headers: str) -> bytes:
    """An HTTP/1.1 response; underscores in header names become hyphens."""
    content = body.encode() if isinstance(body, str) else body
    named = {"content_length": str(len(content))} | headers
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + content


@dataclass
class Site:
    """A server on loopback. `pages` maps a target to its response, or to a function of the request."""

    pages: dict[str, bytes | Respond] = field(default_factory=dict)
    heard: list[Heard] = field(default_factory=list)
    connections: int = 0
    most_at_once: int = 0
    port: int = 0
    _open: int = 0
    _ended: bool = False
    _serving: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def targets(self) -> list[str]:
        return [heard.target for heard in self.heard]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        serving = asyncio.current_task()
        assert serving is not None
        self._serving.add(serving)
        try:
            while True:
                await self._answer(reader, writer)
        except (asyncio.IncompleteReadError, OSError, asyncio.CancelledError):
            pass
        finally:
            if self._ended:
                writer.transport.abort()
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
            self._serving.discard(serving)

    async def end(self) -> None:
        """Leave no connection open behind a test."""
        self._ended = True
        serving = list(self._serving)
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        await asyncio.sleep(0)  # transports end in the loop's next round

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ")
        headers = {
            name.lower(): value
            for name, value in (line.split(": ", 1) for line in head[1:] if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        heard = Heard(method, target, headers, body)
        self.heard.append(heard)
        self._open += 1
        self.most_at_once = max(self.most_at_once, self._open)
        try:
            found = self.pages.get(target, response("nothing here", "404 Not Found"))
            made = found if isinstance(found, bytes) else found(heard)
            if isinstance(made, bytes):
                writer.write(made)
                await writer.drain()
            else:
                async with contextlib.aclosing(made) as pieces:
                    async for piece in pieces:
                        writer.write(piece)
                        await writer.drain()
                raise ConnectionAbortedError
        finally:
            self._open -= 1


@contextlib.asynccontextmanager
async def running(
    pages: Mapping[str, bytes | Respond] | None = None, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Site]:
    site = Site(dict(pages or {}))
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0, ssl=tls)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
        await site.end()


class Names:
    """A resolver with a fixed book; each lookup takes the next of a name's answers, the last stays."""

    def __init__(self, book: Mapping[str, Sequence[str] | Sequence[Sequence[str]]]) -> None:
        self._book = {
            host: [[each] if isinstance(each, str) else list(each) for each in answers]
            for host, answers in book.items()
        }
        self.lookups: list[str] = []

    async def __call__(self, host: str) -> Sequence[IPAddress]:
        self.lookups.append(host)
        answers = self._book.get(host)
        if answers is None:
            raise HostIsUnknown(f"//{host}")
        now = answers.pop(0) if len(answers) > 1 else answers[0]
        return tuple(ip_address(text) for text in now)


class Network(httpcore.AsyncNetworkBackend):
    """Connects as asked, except that some public addresses are sites of the test."""

    def __init__(self, routes: Mapping[str, Site]) -> None:
        self._routes = routes
        self._real = httpcore.AnyIOBackend()
        self.dialled: list[str] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the base class says so
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.dialled.append(host)
        site = self._routes.get(host)
        if site is None:
            raise httpcore.ConnectError(f"no server at {host}")
        return await self._real.connect_tcp("127.0.0.1", site.port, timeout)


class Witness(ProcessPace):
    """Notes the turns that it is asked for, and when they begin and end."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, float, int]] = []
        self.diary: list[str] = []

    @contextlib.asynccontextmanager
    async def turn(
        self, host: str, *, interval_seconds: float, connections: int
    ) -> AsyncIterator[None]:
        self.asked.append((host, interval_seconds, connections))
        async with super().turn(host, interval_seconds=0, connections=connections):
            self.diary.append("begin")
            try:
                yield
            finally:
                self.diary.append("end")


def fetcher(
    *,
    names: Names | None = None,
    network: Network | None = None,
    tls: ssl.SSLContext | None = None,
    pace: Pace | None = None,
    **config: Any,
) -> Fetcher:
    """A live fetcher on the test's network, in no hurry to wait."""
    settings = FetcherConfig(**({"limits": PATIENT} | config))
    live = LiveWeb(
        allow=settings.allow,
        resolver=names or Names({}),
        network=network,
        # Trusts no one, and is made in no time.
        ssl_context=tls or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
    )
    return Fetcher(settings, pace=pace or Unhurried(), live=live)


@contextlib.asynccontextmanager
async def shop(
    pages: Mapping[str, bytes | Respond], **options: object
) -> AsyncIterator[tuple[Site, Fetcher]]:
    """A site at http://shop.test/ and a fetcher that reaches it there."""
    async with (
        running(pages) as site,
        fetcher(
            names=Names({"shop.test": [PUBLIC]}),
            network=Network({PUBLIC: site}),
            **options,  # type: ignore[arg-type]
        ) as made,
    ):
        yield site, made


def words(text: str) -> list[str]:
    return text.split()
