"""A network between the programs and the database that is slow, cuts connections, or swallows bytes."""

import asyncio
import random
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_CHUNK = 65_536
# A peer that is gone without a word is noticed after so long; until then its locks stay.
_FORGOTTEN_SECONDS = 15.0


@dataclass(eq=False)
class _Pair:
    """One connection: both of its ends, and whether what they say is lost on the way."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter
    is_frozen: bool = False


class Proxy:
    """Passes connections to a port of this machine on to a Unix socket."""

    def __init__(self, socket_path: Path, chance: random.Random) -> None:
        self._socket_path, self._chance = socket_path, chance
        self._pairs: set[_Pair] = set()
        self._server: asyncio.Server | None = None
        self.latency_seconds = 0.0  # the longest, of each chunk
        self.port = 0

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def reset(self) -> int:
        """Cut about half of the connections by RST; answers how many."""
        return len([self._cut(pair) for pair in self._some()])

    def freeze(self) -> int:
        """Let about half of the connections swallow everything from now on, both ends staying open."""
        chosen = self._some()
        for pair in chosen:
            pair.is_frozen = True
        return len(chosen)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for pair in list(self._pairs):
            self._cut(pair)
        await asyncio.sleep(0)

    def _some(self) -> list[_Pair]:
        return [pair for pair in self._pairs if self._chance.random() < 0.5]

    def _cut(self, pair: _Pair) -> None:
        for end in (pair.client, pair.server):
            handle = end.get_extra_info("socket")
            if handle.family != socket.AF_UNIX:
                with suppress(OSError):
                    handle.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            end.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            inner, server = await asyncio.open_unix_connection(str(self._socket_path))
        except OSError:
            writer.transport.abort()
            return
        pair = _Pair(writer, server)
        self._pairs.add(pair)
        try:
            await asyncio.gather(
                self._pass_on(pair, reader, server), self._pass_on(pair, inner, writer)
            )
        except asyncio.CancelledError:
            self._cut(pair)
        finally:
            self._pairs.discard(pair)

    async def _pass_on(
        self, pair: _Pair, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(_CHUNK):
                if pair.is_frozen:
                    continue
                if self.latency_seconds:
                    await asyncio.sleep(self._chance.uniform(0, self.latency_seconds))
                writer.write(data)
                await writer.drain()
        if pair.is_frozen:
            await asyncio.sleep(_FORGOTTEN_SECONDS)
        writer.close()
