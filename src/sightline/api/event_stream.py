"""An answer streamed as server-sent events."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import anyio

from sightline.api.endpoint import Call, Finish, StreamReply
from sightline.api.errors import as_refusal, error_reply
from sightline.assistant.contract import Listener

EVENT_STREAM = "text/event-stream"
HEARTBEAT_SECONDS = 10.0
# Shows proxies and readers that the connection lives; readers skip it.
_HEARTBEAT = b": still at it\n\n"


class EventQueue(Listener):
    """A listener that keeps what it receives as events, in order."""

    def __init__(self) -> None:
        self.events: list[bytes] = []
        self._has_said = False
        self._news = asyncio.Event()

    async def step(self, name: str, **details: str) -> None:
        self._add("status", {"step": name, **details})

    async def say(self, text: str, citations: Sequence[dict[str, Any]]) -> None:
        self._has_said = True
        self._add("token", {"text": text})
        for citation in citations:
            self._add("citation", citation)

    async def withdraw(self) -> None:
        if self._has_said:
            self._add("reset", {})
        self._has_said = False

    def end(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> bytes:
        """All that was not sent yet: the last is what it cost, by the headers of credits, and the whole
        answer."""
        charged = {
            "credit": headers["X-Credits-Type"],
            "charged": int(headers["X-Credits-Charged"]),
            "remaining": int(headers["X-Credits-Remaining"]),
        }
        self._add("credits", charged)
        self._add("done", body)
        return self.take()

    def fail(self, error: Exception, call: Call) -> None:
        """The same body as an ordinary answer would have."""
        reply = error_reply(
            as_refusal(error), request_id=call.request_id, flat=call.caller.flat_errors
        )
        self._add("error", json.loads(reply.body))

    async def wait(self, seconds: float) -> bool:
        """Wait for something new; False when nothing came in time."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True

    def wake(self) -> None:
        """Have `wait` look again."""
        self._news.set()

    def take(self) -> bytes:
        """What is new, as it is sent."""
        events, self.events = self.events, []
        return b"".join(events)

    def _add(self, name: str, data: Mapping[str, Any]) -> None:
        text = json.dumps(data, ensure_ascii=False)
        self.events.append(f"event: {name}\ndata: {text}\n\n".encode())
        self._news.set()


def stream(
    listener: EventQueue, call: Call, finish: Finish, *, headers: dict[str, str]
) -> StreamReply:
    """The events of an answer while `finish` makes it; its own body is the last of them, which say what
    it came to when that is committed."""
    return StreamReply(_events(listener, call, finish), EVENT_STREAM, headers)


async def _events(listener: EventQueue, call: Call, finish: Finish) -> AsyncIterator[bytes]:
    """A client that disconnects ends the work: what is held is released and nothing is written, unless the
    answer was finished before."""
    making = asyncio.ensure_future(finish())
    making.add_done_callback(lambda _: listener.wake())
    try:
        while not making.done():
            if listener.events:
                yield listener.take()
            elif not await listener.wait(HEARTBEAT_SECONDS):
                yield _HEARTBEAT
    finally:
        # Starlette cancels again at every wait of a reader that is gone.
        with anyio.CancelScope(shield=True):
            making.cancel()
            await asyncio.wait({making})
    try:
        yield making.result().body
    except Exception as error:  # the status is sent already: the failure goes into the stream
        listener.fail(error, call)
        yield listener.take()
