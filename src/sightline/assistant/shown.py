"""The sources that a conversation has shown to the model, by ids that stay valid until its end."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from uuid import UUID

from pydantic import TypeAdapter

from sightline.assistant.contract import Source

_LONGEST_KEPT: Final = 4_000  # characters of a source that later turns still have
_PRIVATE: Final = "contact"  # the organization's own record of a person: never kept with a message
_PIECE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
SCOPES: Final = {"job": "jobs:read", "contact": "contacts:read"}
"""What the caller's key must grant for sources of a kind, beside what the assistant itself needs."""


@dataclass(frozen=True, slots=True)
class Shown:
    """`text` is what the model saw. `context` is beside it: a header, a unit.

    `sources` are cited for it: one, or those of the numbers that a `result` was computed from.
    """

    text: str
    sources: tuple[Source, ...]
    kind: str
    context: str = ""
    company: str = ""  # its name, where it is not the company that the conversation is about
    result: float | None = None

    @property
    def quotable(self) -> str:
        """What may be quoted: the text, what stands beside it, and the head of its document."""
        return "\n".join(filter(None, (self.text, self.context, self.head)))

    @property
    def head(self) -> str:
        """Title and day of its document."""
        source = self.sources[0]
        day = source.published_at.date().isoformat() if source.published_at else ""
        return f"{source.title or ''} | {day}"


_JSON: Final = TypeAdapter(Shown)


def pieces(text: str) -> list[str]:
    """The sentences and lines of a text, white space as single spaces."""
    return [
        piece for piece in (" ".join(each.split()) for each in _PIECE.split(text)) if len(piece) > 1
    ]


def cite(source: Source, quote: str, *, beside: bool = False) -> Source:
    """A source as it is cited for words of it; what is data has its place and its own quote. Words that
    stand `beside` its text, and not in the document itself, are cited by the document's title."""
    if source.document_id is None or source.quote is not None:
        return source
    pointer = source.pointer or (source.title if beside else None)
    return replace(source, quote=quote, pointer=pointer)


@dataclass
class ShownSources:
    """What has been shown, in the order of the ids S1, S2…"""

    by_id: dict[str, Shown] = field(default_factory=dict)
    last: int = 0
    _ids: dict[tuple[Any, ...], str] = field(default_factory=dict)

    def put(self, shown: Shown) -> tuple[str, bool]:
        """The id of a source, and whether it is new. What says the same has the id it had."""
        key = _key(shown)
        if key in self._ids:
            return self._ids[key], False
        self.last += 1
        name = f"S{self.last}"
        self.by_id[name] = shown
        self._ids[key] = name
        return name, True

    def holding(self, document_id: UUID | None, text: str) -> str | None:
        """The id of a source of the same document that has the words already."""
        words = " ".join(text.split())
        for name, shown in self.by_id.items():
            if shown.sources[0].document_id == document_id and words in " ".join(
                shown.text.split()
            ):
                return name
        return None

    def kept(self, cited: Iterable[str]) -> dict[str, Any]:
        """What is stored with an answer: the sources that it cites, and the last id."""
        chosen = {name: self.by_id[name] for name in cited}
        return {
            "last": self.last,
            "shown": {
                name: _JSON.dump_python(
                    replace(shown, text=shown.text[:_LONGEST_KEPT]), mode="json"
                )
                for name, shown in chosen.items()
                if shown.kind != _PRIVATE
            },
        }

    @classmethod
    def restored(
        cls, stored: Iterable[Mapping[str, Any]], *, granted: Iterable[str]
    ) -> "ShownSources":
        """What earlier answers kept, oldest first, without kinds that the caller may no longer read."""
        made, allowed = cls(), set(granted)
        for each in stored:
            made.last = max(made.last, int(each.get("last", 0)))
            for name, values in each.get("shown", {}).items():
                shown = _JSON.validate_python(values)
                if shown.kind in allowed or shown.kind not in SCOPES:
                    made.by_id[name] = shown
                    made._ids[_key(shown)] = name
        return made


def _key(shown: Shown) -> tuple[Any, ...]:
    return (shown.sources[0].document_id, " ".join(shown.text.split()))
