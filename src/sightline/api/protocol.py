"""HTTP on the wire: time limits for clients, and JSON errors for invalid HTTP."""

from asyncio import BaseTransport, TimerHandle, Transport
from typing import ClassVar, cast

import structlog
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from sightline.api.errors import STATUSES, error_reply
from sightline.domain.errors import HttpIsMalformed, Refusal, RequestIsTooSlow
from sightline.kit.ids import new_id

log = structlog.get_logger()


class ApiProtocol(HttpToolsProtocol):
    """Closes a connection whose client does not finish its headers or body; idle ones end by uvicorn's
    own limit. Times are in seconds."""

    head_seconds: ClassVar[float] = (
        15.0  # from the first byte, or the connection, to the last header
    )
    quiet_seconds: ClassVar[float] = 20.0  # between two pieces of a body
    body_seconds: ClassVar[float] = 300.0  # for a whole body; 8 MB at 250 kbit/s

    _timer: TimerHandle | None = None
    _body_until: float | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(cast("Transport", transport))
        self._wait(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._body_until is not None:
            self._wait_for_body()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait(self.head_seconds)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._body_until = self.loop.time() + self.body_seconds
        self._wait_for_body()

    def on_message_complete(self) -> None:
        self._stop_waiting()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        del msg
        self._refuse(HttpIsMalformed())

    def _wait(self, seconds: float) -> None:
        self._cancel()
        self._timer = self.loop.call_later(seconds, self._compensate)

    def _wait_for_body(self) -> None:
        assert self._body_until is not None
        self._wait(min(self.quiet_seconds, max(0.0, self._body_until - self.loop.time())))

    def _stop_waiting(self) -> None:
        self._cancel()
        self._body_until = None

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _compensate(self) -> None:
        self._timer = None
        if self.transport.is_closing():
            return
        reading = self._body_until is not None
        if reading and self.flow.read_paused:
            self._wait(self.quiet_seconds)  # we are the slow side
            return
        if self.cycle is not None and not self.cycle.response_complete:
            answered = self.cycle.response_started or not reading
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if answered:  # an answer is under way, and another would run into it
                self.transport.close()
                return
        self._refuse(RequestIsTooSlow())

    def _refuse(self, refusal: Refusal) -> None:
        """Answer with JSON outside of any application, and close."""
        self._stop_waiting()
        request_id = str(new_id())
        reply = error_reply(refusal, request_id=request_id, flat=False)
        status = STATUSES[refusal.type]
        log.info("request_not_read", request_id=request_id, status=status, code=refusal.code)
        head = [
            *self.server_state.default_headers,
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(reply.body)),
            (b"x-request-id", request_id.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"cache-control", b"no-store"),
            (b"connection", b"close"),
        ]
        lines = b"".join(b"%s: %s\r\n" % pair for pair in head)
        self.transport.write(STATUS_LINE[status] + lines + b"\r\n" + bytes(reply.body))
        self.transport.close()
