"""Texts of documents that were read lately, ready to be looked through: one conversation reads the
same few filings again and again.

A row of a document is a version of it: what `version` says changes when it is read anew, and who may
read it is decided by the rows that are asked for, never here.
"""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

MOST_CHARACTERS: Final = 8_000_000  # of all texts kept; twice that in memory, of wide letters more


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text; `low` is the same in lower case, `starts` where each of its lines begins."""

    text: str
    low: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "ReadText":
        low = text.lower()
        if len(low) != len(text):  # a capital that becomes two letters: places would differ
            low = text
        starts, at = [0], text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        return cls(text, low, tuple(starts))


class Shelf:
    """The texts read last, up to `most` characters."""

    def __init__(self, most: int = MOST_CHARACTERS) -> None:
        self._most = most
        self._size = 0
        self._texts: OrderedDict[Hashable, ReadText] = OrderedDict()

    def get(self, version: Hashable) -> ReadText | None:
        """The text of a version, if it is still there."""
        if version in self._texts:
            self._texts.move_to_end(version)
        return self._texts.get(version)

    def put(self, version: Hashable, text: str) -> ReadText:
        """Keep a text; those not read for longest make room."""
        read = ReadText.of(text)
        old = self._texts.pop(version, None)
        self._size += len(text) - (len(old.text) if old else 0)
        self._texts[version] = read
        while self._size > self._most and len(self._texts) > 1:
            _, gone = self._texts.popitem(last=False)
            self._size -= len(gone.text)
        return read
