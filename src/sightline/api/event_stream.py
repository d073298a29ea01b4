"""An answer told while it is made, as server-sent events."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

import anyio

from sightline.api.endpoint import Call, StreamReply
from sightline.api.errors import as_refusal, error_reply
from sightline.api.pricing import credit_headers
from sightline.api.reserving import Hold
from sightline.assistant.contract import Listener
from sightline.domain.credits import Price

EVENT_STREAM = "text/event-stream"
HEARTBEAT_SECONDS = 10.0
# Shows proxies and readers that the connection lives; readers skip it.
_HEARTBEAT = b": still at it\n\n"

Make = Callable[[Listener], Awaitable[tuple[dict[str, Any], Price]]]


class Told:
    """A listener that keeps what it is told as events, in their order."""

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

    async def end(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        """What it cost, by the headers of credits, and the whole answer."""
        charged = {
            "credit": headers["X-Credits-Type"],
            "charged": int(headers["X-Credits-Charged"]),
            "remaining": int(headers["X-Credits-Remaining"]),
        }
        self._add("credits", charged)
        self._add("done", body)

    def fail(self, error: Exception, call: Call) -> None:
        """The same body as an ordinary answer would have."""
        reply = error_reply(
            as_refusal(error), request_id=call.request_id, flat=call.caller.flat_errors
        )
        self._add("error", json.loads(reply.body))

    async def wait(self, seconds: float) -> bool:
        """Wait for something new; False when nothing came in time."""
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return False
        self._news.clear()
        return True

    def wake(self) -> None:
        """Have `wait` look again."""
        self._news.set()

    def last(self, call: Call, failure: Exception | None) -> bytes:
        """What is new once the transaction has ended; that it failed, if it did."""
        if failure is not None:
            self.events.clear()
            self.fail(failure, call)
        return self.take()

    def take(self) -> bytes:
        """What is new, as it is sent."""
        events, self.events = self.events, []
        return b"".join(events)

    def _add(self, name: str, data: Mapping[str, Any]) -> None:
        text = json.dumps(data, ensure_ascii=False)
        self.events.append(f"event: {name}\ndata: {text}\n\n".encode())
        self._news.set()


def stream(make: Make, call: Call, held: Hold, *, headers: dict[str, str]) -> StreamReply:
    """The events of an answer that `make` makes in the call's transaction; the last of them, which say
    what it came to, when that is committed."""
    listener = Told()
    chunks = _told(make, call, held, listener)
    return StreamReply(chunks, EVENT_STREAM, headers, last=partial(listener.last, call))


async def _told(make: Make, call: Call, held: Hold, listener: Told) -> AsyncIterator[bytes]:
    """The events up to the last ones, which stay with the listener.

    Whoever hangs up ends the making: what is held is released then, and nothing is written, unless the
    answer was finished before.
    """
    await listener.step("started")
    making = asyncio.create_task(_made(make, call, listener))
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
            await _end(making, call, held)


async def _made(make: Make, call: Call, listener: Told) -> None:
    try:
        body, charged = await make(listener)
        await listener.end(body, await credit_headers(call, charged))
    except Exception as error:  # the status is sent already: the failure is told in the stream
        listener.fail(error, call)
        raise _AnswerFailed from error


class _AnswerFailed(Exception):
    """The reader has been told; what was written must not stay."""


async def _end(making: "asyncio.Task[None]", call: Call, held: Hold) -> None:
    """Stop what is still being made, and undo what is not finished."""
    making.cancel()
    await asyncio.wait({making})
    if making.cancelled() or making.exception() is not None:
        await call.connection.execute("ROLLBACK")
        await held.release()
