"""Files about many companies: each version is read once per process."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from sightline.domain.evidence import Body, Parsed
from sightline.sources.contract import RecordIsUnusable

Key = tuple[str, UUID, str]  # address, version, reader


class Kept:
    """What was read last, of so many files."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[Key, Any] = OrderedDict()

    def __contains__(self, key: Key) -> bool:
        return key in self._held

    def keep(self, key: Key, value: Any) -> None:
        self._held[key] = value
        while len(self._held) > self._most:
            self._held.popitem(last=False)

    def take(self, key: Key) -> Any:
        """Raises KeyError."""
        self._held.move_to_end(key)
        return self._held[key]


DATASETS: Final = Kept(48)


def parse_dataset(read: Callable[[bytes], Any], url: str, body: Body) -> Parsed:
    """The file as a document that has no text; its `extra` is what the reader made of it. Raises
    RecordIsUnusable, naming the file, where the reader cannot make sense of it."""
    try:
        return Parsed(kind="data", text="", extra=read(body.content))
    except ValueError as error:
        name = f"{urlsplit(url).hostname}/…/{urlsplit(url).path.rpartition('/')[2]}"
        raise RecordIsUnusable(f"{name} is not what it should be. {error}") from error
