"""What was made before, by key, within a number of bytes: the least recently used goes first."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Remembered:
    """Values of at most `most` bytes together; one of more than a sixteenth of that is not kept."""

    most: int
    _held: OrderedDict[Hashable, tuple[Any, int]] = field(default_factory=OrderedDict)
    _size: int = 0

    def get(self, key: Hashable) -> Any:
        """The value of a key; None when there is none."""
        found = self._held.get(key)
        if found is None:
            return None
        self._held.move_to_end(key)
        return found[0]

    def put(self, key: Hashable, value: Any, *, size: int) -> None:
        """Keep a value of so many bytes, key included."""
        self._size -= self._held.pop(key, (None, 0))[1]
        if size > self.most // 16:
            return
        self._held[key] = value, size
        self._size += size
        while self._size > self.most:
            self._size -= self._held.popitem(last=False)[1][1]
