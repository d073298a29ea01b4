"""One message over a socket: eight bytes of length, then a pickle. Both ends are our own code."""

import pickle
import socket
import struct
import time
from typing import Any

_LENGTH = struct.Struct(">Q")


class FrameIsCutOff(EOFError):
    """The other end closed before a whole message was there."""


class FrameIsTooLarge(ValueError):
    """The message has more bytes than the receiver takes."""


def packed(message: Any) -> bytes:
    """Raises what pickle raises for what cannot be pickled."""
    return pickle.dumps(message, protocol=5)


def send(connection: socket.socket, data: bytes) -> None:
    """Send one packed message. Blocks for as long as the socket's time limit."""
    connection.sendall(_LENGTH.pack(len(data)))
    connection.sendall(data)


def receive(
    connection: socket.socket, *, most_bytes: int | None = None, deadline: float | None = None
) -> Any:
    """The next message. `deadline` is by `time.monotonic`; raises TimeoutError past it."""
    return unpacked(receive_packed(connection, most_bytes=most_bytes, deadline=deadline))


def receive_packed(
    connection: socket.socket, *, most_bytes: int | None = None, deadline: float | None = None
) -> bytearray:
    """The next message as it was sent."""
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size, deadline))
    if most_bytes is not None and length > most_bytes:
        raise FrameIsTooLarge(f"{length} bytes")
    return _exactly(connection, length, deadline)


def unpacked(data: bytearray) -> Any:
    """The message of `packed`."""
    return pickle.loads(data)  # noqa: S301 - see the module


def _exactly(connection: socket.socket, length: int, deadline: float | None) -> bytearray:
    data = bytearray(length)
    view, at = memoryview(data), 0
    while at < length:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            connection.settimeout(left)
        got = connection.recv_into(view[at:], min(length - at, 1 << 20))
        if got == 0:
            raise FrameIsCutOff
        at += got
    return data
