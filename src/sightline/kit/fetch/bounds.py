"""Limits on a response: headers, bytes on the wire, decoded bytes, and their ratio."""

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import zstandard

from sightline.kit.fetch.errors import (
    AnswerIsMalformed,
    BodyIsTooLarge,
    CompressionBomb,
    ConnectionBroke,
    EncodingIsUnknown,
    HeadersAreTooLarge,
)

# Only what can be decoded a bounded piece at a time is offered.
ACCEPT_ENCODING = "gzip, deflate, zstd"
_PLAIN = {"", "identity", "none"}
_ZLIB = {"gzip": zlib.MAX_WBITS | 16, "x-gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}
_GZIP_MAGIC = b"\x1f\x8b"
_PIECE = 64 * 1024
_MOST_MEMBERS = 1_000  # thousands of empty gzip members would cost time without adding a byte
# A block of four bytes may stand for 128 KiB, and all of a slice is decoded at once: at most 8 MiB.
_ZSTD_SLICE = 256
_ZSTD_WINDOW = 8 << 20  # bytes; what RFC 9659 allows on the web


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one fetch. Times in seconds, sizes in bytes.

    `total_seconds` is for all redirects together and does not count waiting for the host's turn.
    Bodies below `ratio_ignored_below` decoded bytes may compress as well as they like.
    """

    connect_seconds: float = 5.0
    total_seconds: float = 20.0
    redirects: int = 5
    ratio: float = 100.0
    ratio_ignored_below: int = 100_000
    headers: int = 200
    header_bytes: int = 64_000


def read_headers(raw: Iterable[tuple[bytes, bytes]], *, limits: Limits, url: str) -> dict[str, str]:
    """Lower-case name → value; repeated ones joined by a comma, cookies by a line
    end. Raises HeadersAreTooLarge."""
    headers: dict[str, str] = {}
    size = 0
    for count, (name, value) in enumerate(raw, 1):
        size += len(name) + len(value)
        if count > limits.headers or size > limits.header_bytes:
            raise HeadersAreTooLarge(url)
        key = name.decode("latin-1").lower()
        try:
            text = value.decode("utf-8")
        except UnicodeDecodeError:
            text = value.decode("latin-1")
        # Cookies have commas inside, so they are the one kind that a comma cannot join.
        between = "\n" if key == "set-cookie" else ", "
        headers[key] = f"{headers[key]}{between}{text}" if key in headers else text
    return headers


class BodyReader:
    """Takes a body as it arrives and gives its decoded bytes, never holding more than allowed.

    With `truncate` a body that is too large is cut instead of refused; `full` says when to stop.
    """

    def __init__(
        self,
        headers: Mapping[str, str],
        *,
        max_bytes: int,
        limits: Limits,
        url: str,
        truncate: bool = False,
    ) -> None:
        length = headers.get("content-length", "")
        if length.isascii() and length.isdigit() and int(length) > max_bytes and not truncate:
            raise BodyIsTooLarge(url, f"over {max_bytes} bytes")
        self._decoder = _decoder(headers.get("content-encoding", "").strip().lower(), url)
        self._decoded = bytearray()
        self._wire = 0
        self._max_bytes = max_bytes
        self._limits = limits
        self._url = url
        self._truncate = truncate

    @property
    def full(self) -> bool:
        return self._truncate and len(self._decoded) >= self._max_bytes

    def feed(self, piece: bytes) -> None:
        """Raises BodyIsTooLarge, CompressionBomb or AnswerIsMalformed."""
        self._wire += len(piece)
        if self._wire > self._max_bytes and not self._truncate:
            raise BodyIsTooLarge(self._url, f"over {self._max_bytes} bytes")
        if self._decoder is None:
            self._keep(piece)
            return
        for decoded in self._decoder.feed(piece):
            self._keep(decoded)
            size = len(self._decoded)
            if size > self._limits.ratio_ignored_below and size > self._limits.ratio * self._wire:
                raise CompressionBomb(self._url, f"over {self._limits.ratio:g}:1")
            if self.full:
                return

    def finish(self) -> bytes:
        """The decoded body. Raises ConnectionBroke if its compressed form ends too soon."""
        if self._decoder is not None and self._wire and not self.full:
            self._decoder.finish()
        return bytes(self._decoded[: self._max_bytes])

    def _keep(self, piece: bytes) -> None:
        self._decoded += piece
        if len(self._decoded) > self._max_bytes and not self._truncate:
            raise BodyIsTooLarge(self._url, f"over {self._max_bytes} bytes")


class _Decoder(Protocol):
    """Takes packed pieces, gives bounded decoded ones; `finish` complains of a body cut short."""

    def feed(self, piece: bytes) -> Iterable[bytes]: ...

    def finish(self) -> None: ...


def _decoder(coding: str, url: str) -> _Decoder | None:
    """None for a body that is not packed. Raises EncodingIsUnknown."""
    if coding in _PLAIN:
        return None
    if coding in _ZLIB:
        return Inflater(_ZLIB[coding], url=url)
    if coding == "zstd":
        return _ZstdReader(url)
    raise EncodingIsUnknown(url, coding[:40])


class _ZstdReader:
    """zstd frames one after the other, at most 8 MiB decoded at a time."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._codec = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        self._frame = self._codec.decompressobj()
        self._frames = 1

    def feed(self, piece: bytes) -> Iterable[bytes]:
        """Decoded pieces. Raises AnswerIsMalformed or CompressionBomb."""
        for start in range(0, len(piece), _ZSTD_SLICE):
            rest = piece[start : start + _ZSTD_SLICE]
            while rest:
                if self._frame.eof:
                    self._next_frame()
                try:
                    decoded = self._frame.decompress(rest)
                except zstandard.ZstdError as error:
                    raise AnswerIsMalformed(self._url, "compressed body") from error
                for at in range(0, len(decoded), _PIECE):
                    yield decoded[at : at + _PIECE]
                rest = self._frame.unused_data if self._frame.eof else b""

    def finish(self) -> None:
        if not self._frame.eof:
            raise ConnectionBroke(self._url, "compressed body")

    def _next_frame(self) -> None:
        self._frames += 1
        if self._frames > _MOST_MEMBERS:
            raise CompressionBomb(self._url, "zstd frames")
        self._frame = self._codec.decompressobj()


class Inflater:
    """gzip (several members too), zlib and bare deflate, at most 64 KiB decoded at a time."""

    def __init__(self, window_bits: int, *, url: str) -> None:
        self._window_bits = window_bits
        self._zlib = zlib.decompressobj(window_bits)
        self._url = url
        self._members = 1
        self._started = False
        self._done = False

    def feed(self, piece: bytes) -> Iterable[bytes]:
        """Decoded pieces; bytes after the last gzip member are ignored, as browsers do."""
        while piece and not self._done:
            try:
                inflated = self._zlib.decompress(piece, _PIECE)
            except zlib.error as error:
                if self._started or self._window_bits != zlib.MAX_WBITS:
                    raise AnswerIsMalformed(self._url, "compressed body") from error
                # "deflate" means zlib, but some servers send it without zlib's header.
                self._window_bits = -zlib.MAX_WBITS
                self._zlib = zlib.decompressobj(self._window_bits)
                continue
            self._started = True
            if inflated:
                yield inflated
            piece = self._zlib.unconsumed_tail
            if self._zlib.eof:
                piece = self._zlib.unused_data
                self._done = not piece.startswith(_GZIP_MAGIC) and bool(piece)
                if not self._done and piece:
                    self._members += 1
                    if self._members > _MOST_MEMBERS:
                        raise CompressionBomb(self._url, "gzip members")
                    self._zlib = zlib.decompressobj(self._window_bits)

    def finish(self) -> None:
        if not self._zlib.eof:
            raise ConnectionBroke(self._url, "compressed body")
