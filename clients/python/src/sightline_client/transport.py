"""Sends requests, and sends them again where that may help."""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote
from uuid import uuid4

import httpx

from sightline_client.errors import ApiError, NoAnswer, SightlineError
from sightline_client.generated.version import __version__

BASE: Final = "/public-api/v1"
# An answer of the assistant may wait for a language model.
TIMEOUT: Final = httpx.Timeout(330.0, connect=10.0)
_AGAIN: Final = frozenset({429, 500, 502, 503, 504})
_FIRST_WAIT: Final = 0.5  # seconds; each further wait is twice as long
_LONGEST_WAIT: Final = 60.0


@dataclass(frozen=True)
class Server:
    """Where the server is and how it is spoken to."""

    url: str
    key: str
    retries: int

    @classmethod
    def named(cls, url: str | None, key: str | None, retries: int) -> "Server":
        """What is given, or else what SIGHTLINE_URL and SIGHTLINE_API_KEY say."""
        url = url or os.environ.get("SIGHTLINE_URL")
        key = key or os.environ.get("SIGHTLINE_API_KEY")
        if not url or not key:
            raise SightlineError(
                "Give url and api_key, or set SIGHTLINE_URL and SIGHTLINE_API_KEY."
            )
        return cls(url.rstrip("/"), key, retries)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> httpx.Request:
        headers = {"x-api-key": self.key, "user-agent": f"sightline-client-python/{__version__}"}
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        content = httpx.Request("POST", self.url, json=body).content if body is not None else None
        if content is not None:
            headers["content-type"] = "application/json"
        return httpx.Request(
            method, f"{self.url}{BASE}{path}", params=given, headers=headers, content=content
        )

    def wait(self, attempt: int, answer: httpx.Response | None) -> float | None:
        """Seconds before the next try; None when there is none. Attempts count from 0.

        Every request may be sent again: writes carry an idempotency key, and deleting twice is
        deleting once.
        """
        if attempt >= self.retries:
            return None
        wished: str | None = None
        if answer is not None:
            wished = answer.headers.get("retry-after")
            # A conflict that passes says when to come back; others stay.
            if answer.status_code not in _AGAIN and (answer.status_code != 409 or wished is None):
                return None
        if wished is not None and wished.isdigit():
            return min(float(wished), _LONGEST_WAIT)
        # Spread, so that many clients do not come back at the same moment.
        spread = random.uniform(0.5, 1.0)  # noqa: S311
        return float(min(_FIRST_WAIT * 2**attempt, _LONGEST_WAIT)) * spread


class Transport:
    """The way of a synchronous client."""

    def __init__(
        self, server: Server, http: httpx.Client, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.server, self.http, self.sleep = server, http, sleep

    quote = staticmethod(lambda value: quote(str(value), safe=""))

    def write(self, *row: str, idempotency_key: str | None, **given: Any) -> Any:
        """A call that happens once, however often it is sent."""
        return self.call(*row, idempotency_key=idempotency_key or str(uuid4()), **given)

    def call(self, *row: str, **given: Any) -> Any:
        """The JSON of an answer. Raises ApiError and NoAnswer."""
        return self._send(self.server.request(*row, **given), stream=False).json()

    def stream(self, *row: str, **given: Any) -> Iterator[bytes]:
        """A file, piece by piece."""
        answer = self._send(self.server.request(*row, **given), stream=True)
        try:
            yield from answer.iter_bytes()
        finally:
            answer.close()

    def _send(self, request: httpx.Request, *, stream: bool) -> httpx.Response:
        attempt = 0
        while True:
            answer, failure = None, None
            try:
                answer = self.http.send(request, stream=stream)
                if answer.is_success:
                    return answer
                answer.read()
            except httpx.TransportError as error:
                failure = error
            wait = self.server.wait(attempt, answer)
            if wait is None:
                raise refusal(answer, failure) from failure
            self.sleep(wait)
            attempt += 1


class AsyncTransport:
    """The way of an asynchronous client."""

    def __init__(
        self,
        server: Server,
        http: httpx.AsyncClient,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.server, self.http, self.sleep = server, http, sleep

    quote = staticmethod(lambda value: quote(str(value), safe=""))

    async def write(self, *row: str, idempotency_key: str | None, **given: Any) -> Any:
        """A call that happens once, however often it is sent."""
        return await self.call(*row, idempotency_key=idempotency_key or str(uuid4()), **given)

    async def call(self, *row: str, **given: Any) -> Any:
        """The JSON of an answer. Raises ApiError and NoAnswer."""
        return (await self._send(self.server.request(*row, **given), stream=False)).json()

    async def stream(self, *row: str, **given: Any) -> AsyncIterator[bytes]:
        """A file, piece by piece."""
        answer = await self._send(self.server.request(*row, **given), stream=True)
        try:
            async for piece in answer.aiter_bytes():
                yield piece
        finally:
            await answer.aclose()

    async def _send(self, request: httpx.Request, *, stream: bool) -> httpx.Response:
        attempt = 0
        while True:
            answer, failure = None, None
            try:
                answer = await self.http.send(request, stream=stream)
                if answer.is_success:
                    return answer
                await answer.aread()
            except httpx.TransportError as error:
                failure = error
            wait = self.server.wait(attempt, answer)
            if wait is None:
                raise refusal(answer, failure) from failure
            await self.sleep(wait)
            attempt += 1


def refusal(answer: httpx.Response | None, failure: httpx.TransportError | None) -> SightlineError:
    """What to raise for an answer that is no success, or for none."""
    if answer is None:
        return NoAnswer(f"The server does not answer: {failure!r}")
    try:
        error = answer.json()["error"]
        return ApiError(answer.status_code, error if isinstance(error, dict) else answer.json())
    except (ValueError, KeyError, TypeError):
        text = f"The server answered {answer.status_code} without an error of the API."
        return ApiError(answer.status_code, {"code": "unknown", "message": text})


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return str(value)
