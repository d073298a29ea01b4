"""Streams a JSON text value by value, with at most one value in memory."""

import json
import re
from collections.abc import Iterator
from typing import TextIO

_CHUNK = 1 << 16
_LARGEST_VALUE = 1 << 24  # characters; a single record this large is no row of a list
_BLANK = re.compile(r"[ \t\r\n]*")


class JsonIsBroken(Exception):
    """The text is no JSON from some character on."""


class JsonStream:
    """A cursor over a JSON text. Values are decoded by the standard library, one at a time."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._decoder = json.JSONDecoder()
        self._buffer = ""
        self._at = 0
        self._before = 0  # characters dropped from the buffer
        self._ended = False

    @property
    def position(self) -> int:
        """Characters read so far."""
        return self._before + self._at

    def peek(self) -> str:
        """The next character that is not blank; "" at the end."""
        while True:
            found = _BLANK.match(self._buffer, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._more():
                return ""

    def take(self, expected: str) -> None:
        """Go past one character, which must be the expected one."""
        found = self.peek()
        if found != expected:
            what = f"{found!r}" if found else "the end of the file"
            raise JsonIsBroken(
                f"{expected!r} expected at character {self.position + 1}, not {what}"
            )
        self._at += 1

    def value(self) -> object:
        """Decode the next value whole."""
        self.peek()
        while True:
            try:
                decoded, end = self._decoder.raw_decode(self._buffer, self._at)
            except RecursionError as error:
                raise JsonIsBroken("values are nested too deeply") from error
            except ValueError as error:
                if self._ended or len(self._buffer) - self._at > _LARGEST_VALUE:
                    raise JsonIsBroken(f"{error}, character {self.position + 1}") from error
            else:
                # A number at the end of the buffer may go on in the next part.
                if end < len(self._buffer) or self._ended:
                    self._at = end
                    return decoded
            self._more(at_least=len(self._buffer) - self._at)

    def _more(self, at_least: int = 0) -> bool:
        if self._ended:
            return False
        part = self._stream.read(max(_CHUNK, at_least))
        if not part:
            self._ended = True
            return False
        self._before += self._at
        self._buffer = self._buffer[self._at :] + part
        self._at = 0
        return True

    def elements(self) -> Iterator[object]:
        """The elements of the array that begins here."""
        self.take("[")
        if self.peek() == "]":
            self.take("]")
            return
        while True:
            yield self.value()
            if self.peek() == "]":
                self.take("]")
                return
            self.take(",")

    def members(self) -> Iterator[str]:
        """The keys of the object that begins here; the caller reads each value before the next."""
        self.take("{")
        if self.peek() == "}":
            self.take("}")
            return
        while True:
            key = self.value() if self.peek() == '"' else None
            if not isinstance(key, str):
                raise JsonIsBroken(f"a key expected at character {self.position + 1}")
            self.take(":")
            yield key
            if self.peek() == "}":
                self.take("}")
                return
            self.take(",")
