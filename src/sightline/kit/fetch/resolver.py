"""Resolves names to addresses, and is the only door to the network: it connects to what it has checked."""

import asyncio
import socket
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from typing import Protocol

import httpcore

from sightline.kit.fetch.addresses import IPAddress, IPNetwork, why_forbidden
from sightline.kit.fetch.errors import (
    AddressIsForbidden,
    HostIsUnknown,
    HostIsUnreachable,
    NameLookupFailed,
    TimedOut,
)

MOST_ADDRESSES_TRIED = 4
_NO_SUCH_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


class Resolver(Protocol):
    """All addresses of a host name, best first. Raises HostIsUnknown or NameLookupFailed."""

    async def __call__(self, host: str) -> Sequence[IPAddress]: ...


class SystemResolver:
    """What this machine's own resolver says, asked in threads of its own: lookups that hang, which
    cannot be stopped, then hold up nothing but other lookups."""

    def __init__(self, *, threads: int = 32) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="resolver")

    async def __call__(self, host: str) -> Sequence[IPAddress]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, look_up, host)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def look_up(host: str) -> Sequence[IPAddress]:
    """All addresses of a host name, by this machine's resolver; blocking."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno in _NO_SUCH_NAME:
            raise HostIsUnknown(f"//{host}") from error
        raise NameLookupFailed(f"//{host}", error.strerror or "") from error
    except UnicodeError as error:
        raise HostIsUnknown(f"//{host}") from error
    return tuple(dict.fromkeys(ip_address(str(entry[4][0])) for entry in found))


def judged(
    host: str, addresses: Sequence[IPAddress], allow: Sequence[IPNetwork]
) -> Sequence[IPAddress]:
    """The addresses of `host` that are tried; one forbidden address forbids the host."""
    if not addresses:
        raise HostIsUnknown(f"//{host}")
    for address in addresses:
        if why := why_forbidden(address, allow):
            raise AddressIsForbidden(f"//{host}", why)
    return addresses[:MOST_ADDRESSES_TRIED]


def connect(
    host: str, port: int, *, seconds: float, allow: Sequence[IPNetwork] = ()
) -> socket.socket:
    """A connected socket to an address that was judged in the same call; blocking, for what is no HTTP.

    Raises FetchFailed.
    """
    deadline = time.monotonic() + seconds
    try:
        found: Sequence[IPAddress] = (ip_address(host),)
    except ValueError:
        found = look_up(host)
    addresses = judged(host, found, allow)
    last: OSError | None = None
    for left, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
        share = (deadline - time.monotonic()) / left
        if share <= 0:
            break
        try:
            return socket.create_connection((str(address), port), timeout=share)
        except OSError as error:
            last = error
    raise HostIsUnreachable(f"//{host}", f"port {port}") from last


class JudgingBackend(httpcore.AsyncNetworkBackend):
    """Connects to addresses that were judged in the same call, so a name that changes its answer
    between two lookups (DNS rebinding) gains nothing: there is no second lookup."""

    def __init__(
        self,
        resolver: Resolver,
        *,
        allow: Sequence[IPNetwork] = (),
        network: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._resolver = resolver
        self._allow = tuple(allow)
        self._network = network or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the base class says so
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Resolve, judge and connect within `timeout` seconds altogether."""
        deadline = None if timeout is None else time.monotonic() + timeout
        try:
            async with asyncio.timeout(timeout):
                addresses = await self._judged(host)
        except TimeoutError as error:
            raise TimedOut(f"//{host}", "name lookup") from error
        last: Exception | None = None
        for left, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
            # The first address may not use up the time of those behind it.
            share = None if deadline is None else (deadline - time.monotonic()) / left
            if share is not None and share <= 0:
                break
            try:
                return await self._network.connect_tcp(
                    str(address), port, share, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout, OSError) as error:
                last = error
        if isinstance(last, httpcore.ConnectTimeout) or last is None:
            raise TimedOut(f"//{host}", "connecting") from last
        raise HostIsUnreachable(f"//{host}", f"port {port}") from last

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _judged(self, host: str) -> Sequence[IPAddress]:
        try:
            addresses: Sequence[IPAddress] = (ip_address(host),)
        except ValueError:
            addresses = await self._resolver(host)
        return judged(host, addresses, self._allow)
