"""A StreamReply as an HTTP response."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack
from typing import Any

from starlette.responses import StreamingResponse

from sightline.api.endpoint import StreamReply

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Streamed(StreamingResponse):
    """Sends a StreamReply inside its transaction, if it has one, which ends with it, however it ends."""

    def __init__(self, reply: StreamReply) -> None:
        super().__init__(reply.chunks, 200, reply.headers, media_type=reply.media_type)
        self._open = reply.open or AsyncExitStack()
        self._chunks = reply.chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._open:
            # Whatever is wrong with the query shows here, while it can still be a refusal.
            first = await anext(self._chunks, b"")
            self.body_iterator = self._led_by(first)
            try:
                await super().__call__(scope, receive, send)
            finally:
                # A reader that hangs up may leave them half read, still at work on the connection.
                if isinstance(self._chunks, AsyncGenerator):
                    await self._chunks.aclose()

    async def _led_by(self, first: bytes) -> AsyncIterator[bytes]:
        yield first
        async for chunk in self._chunks:
            yield chunk
        # Before the reader learns that this is all: it may ask for the next one at once.
        await self._open.aclose()
