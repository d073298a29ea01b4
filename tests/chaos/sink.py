"""A server on this machine that takes webhooks, not always well, and that hangs when asked to."""

import asyncio
import random
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

_HANGS_SECONDS = 60.0


@dataclass(frozen=True)
class Message:
    """One sending of a webhook."""

    headers: Mapping[str, str]
    body: str
    answer: int | None  # None: the connection was cut


@dataclass
class Sink:
    """Listens on `port` once it is started; `messages` are what came, by webhook-id."""

    chance: random.Random
    messages: dict[str, list[Message]] = field(default_factory=lambda: defaultdict(list))
    port: int = 0
    _server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            pairs = [line.partition(":") for line in head[1:] if line]
            headers = {name.lower(): value.strip() for name, _, value in pairs}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            if " /hang " in head[0]:
                await asyncio.sleep(_HANGS_SECONDS)
            else:
                answer = 404  # there is no robots.txt
                if head[0].startswith("POST "):
                    answer = self.chance.choices((200, 500, None), (92, 4, 4))[0]
                    self.messages[headers.get("webhook-id", "")].append(
                        Message(headers, body.decode(), answer)
                    )
                if answer is not None:
                    text = f"HTTP/1.1 {answer} -\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    writer.write(text.encode())
                    await writer.drain()
        writer.close()
