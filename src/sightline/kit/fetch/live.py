"""The live web: one request, one response, over connections to checked addresses only."""

import asyncio
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Protocol

import httpcore

from sightline.kit.fetch.addresses import IPNetwork, Url
from sightline.kit.fetch.answer import Reply, Request
from sightline.kit.fetch.bounds import BodyReader, Limits, read_headers
from sightline.kit.fetch.errors import (
    AnswerIsMalformed,
    ConnectionBroke,
    FetchFailed,
    HeadersAreTooLarge,
    HostIsUnreachable,
    TimedOut,
    TlsFailed,
    without_query,
)
from sightline.kit.fetch.resolver import JudgingBackend, Resolver, SystemResolver

# Without a body, or with one that no one reads.
_NO_BODY = {204, 301, 302, 303, 304, 307, 308}


class Web(Protocol):
    """Where replies come from."""

    async def exchange(
        self, url: Url, request: Request, *, limits: Limits, seconds: float
    ) -> Reply:
        """One reply within `seconds`, redirects not followed. Raises FetchFailed."""
        ...

    async def close(self) -> None: ...


class LiveWeb:
    """HTTP/1.1 without proxies, cookies or the environment's settings."""

    def __init__(
        self,
        *,
        allow: Sequence[IPNetwork] = (),
        resolver: Resolver | None = None,
        network: httpcore.AsyncNetworkBackend | None = None,
        ssl_context: ssl.SSLContext | None = None,
        connections: int = 100,
    ) -> None:
        self._system = SystemResolver()  # its threads start with its first lookup
        self._backend = JudgingBackend(resolver or self._system, allow=allow, network=network)
        self._ssl_context = ssl_context
        self._connections = connections
        self._pool: httpcore.AsyncConnectionPool | None = None

    async def exchange(
        self, url: Url, request: Request, *, limits: Limits, seconds: float
    ) -> Reply:
        pool = self._open_pool()
        try:
            # Of the whole exchange: a server that sends a byte now and then never times out by read.
            async with asyncio.timeout(seconds):
                return await _exchange(pool, url, request, limits)
        except FetchFailed as error:
            error.url = without_query(str(url))  # the door knows only the host
            raise
        except (TimeoutError, httpcore.TimeoutException) as error:
            raise TimedOut(str(url)) from error
        except (httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
            raise _malformed(str(error), str(url)) from error
        except (httpcore.NetworkError, OSError) as error:
            raise _broken(error, str(url)) from error

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.aclose()
            self._pool = None
        self._system.close()

    def _open_pool(self) -> httpcore.AsyncConnectionPool:
        """Made at first use: reading the certificates takes some 20 ms."""
        if self._pool is None:
            self._pool = httpcore.AsyncConnectionPool(
                ssl_context=self._ssl_context or httpcore.default_ssl_context(),
                max_connections=self._connections,
                max_keepalive_connections=self._connections // 2,
                keepalive_expiry=15.0,
                network_backend=self._backend,
            )
        return self._pool


async def _exchange(
    pool: httpcore.AsyncConnectionPool, url: Url, request: Request, limits: Limits
) -> Reply:
    headers = [(b"Host", url.authority.encode("ascii"))]
    headers += [(name.encode(), value.encode()) for name, value in request.headers.items()]
    if request.body is not None:
        headers.append((b"Content-Length", str(len(request.body)).encode()))
    async with pool.stream(
        request.method,
        httpcore.URL(
            scheme=url.scheme.encode(),
            host=url.host.encode(),
            port=url.port,
            target=url.target.encode(),
        ),
        headers=headers,
        content=request.body,
        extensions={"timeout": {"connect": limits.connect_seconds}},
    ) as response:
        answered = read_headers(response.headers, limits=limits, url=str(url))
        content = b""
        if response.status not in _NO_BODY:
            reader = BodyReader(
                answered,
                max_bytes=request.max_bytes,
                limits=limits,
                url=str(url),
                truncate=request.truncate,
            )
            async for piece in response.aiter_stream():
                reader.feed(piece)
                if reader.full:
                    break
            content = reader.finish()
        return Reply(response.status, answered, content, datetime.now(UTC))


def _malformed(said: str, url: str) -> FetchFailed:
    """What an answer that is no HTTP comes to, by what httpcore says of it."""
    if "buffer too long" in said:
        return HeadersAreTooLarge(url)
    if "disconnected" in said or "closed connection" in said:
        return ConnectionBroke(url)
    return AnswerIsMalformed(url, said[:100])


def _broken(error: Exception, url: str) -> FetchFailed:
    """What an error of the network comes to."""
    if isinstance(error, httpcore.ConnectError | ssl.SSLError):
        reason = _tls_reason(error)
        return HostIsUnreachable(url) if reason is None else TlsFailed(url, reason)
    return ConnectionBroke(url, getattr(error, "strerror", None) or "")


def _tls_reason(error: BaseException | None) -> str | None:
    """What OpenSSL said, if it is behind this error."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return str(error.verify_message)
        if isinstance(error, ssl.SSLError):
            return (error.reason or "handshake").replace("_", " ").lower()
        error = error.__cause__ or error.__context__
    return None
