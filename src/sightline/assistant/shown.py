"""Sources that the model was shown in a conversation, under ids that stay valid until it ends."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic import TypeAdapter

from sightline.assistant.contract import Source
from sightline.assistant.units import NOTES
from sightline.reading.sentences import sentences
from sightline.reading.stated import normalized
from sightline.reading.tables import CELL, scale_of, table_context

_LONGEST_KEPT: Final = 4_000  # characters of a source that later turns still have
CALCULATION: Final = "calculation"
_PRIVATE: Final = "contact"  # the organization's own record of a person: never kept with a message
SCOPES: Final = {"job": "jobs:read", "contact": "contacts:read"}
"""What the caller's key must grant for sources of a kind, beside what the assistant itself needs."""


@dataclass(frozen=True, slots=True)
class Shown:
    """`text` is what the model saw, below its `context`: headings, a unit, column heads.

    `sources` are cited for it: one, or those of the numbers of a calculation, whose context are the lines
    that have them and whose `results` are all that may be said of it, in whole units or as written.
    """

    text: str
    sources: tuple[Source, ...]
    kind: str
    context: str = ""
    company: str = ""  # its name, where it is not the company that the conversation is about
    results: tuple[float, ...] = ()

    @property
    def quotable(self) -> str:
        """What may be quoted: the head of its document, what stands above the text, and the text."""
        return "\n".join(filter(None, (self.head, self.context, self.text)))

    def row(self, quote: str) -> tuple[int, int]:
        """Where the lines begin and end that a quote stands in; the end of the text where it has it not."""
        words = re.escape(normalized(quote)).replace(r"\ ", r"\s+")
        found = re.search(words, self.text)
        if found is None:
            return len(self.text), len(self.text)
        end = self.text.find("\n", found.end())
        return self.text.rfind("\n", 0, found.start()) + 1, end if end >= 0 else len(self.text)

    def table(self, quote: str) -> str:
        """Caption, unit and column heads of the table that a quote stands in; "" outside of tables."""
        start, end = self.row(quote)
        return table_context(self.text[:start], self.text[start:end])

    def scale(self, quote: str) -> float | None:
        """What the figures of a quoted row are in: 1e3 in a table "in thousands"."""
        start, end = self.row(quote)
        is_row = CELL in self.text[start:end]
        return scale_of(f"{self.context}\n{self.text[:end]}") if is_row else None

    @property
    def notes_scale(self) -> float | None:
        """What its sums that give no scale are in, where a heading above them says so."""
        line = next((each for each in self.context.split("\n") if each.startswith(NOTES)), "")
        return scale_of(line)

    @property
    def head(self) -> str:
        """Title and day of its document."""
        source = self.sources[0]
        day = source.published_at.date().isoformat() if source.published_at else ""
        return f"{source.title or ''} | {day}"


_JSON: Final = TypeAdapter(dict[str, Shown])


def pieces(text: str) -> list[str]:
    """The sentences of a text and the rows of its tables, white space as single spaces."""
    found = (normalized(text[start:end]) for start, end in sentences(text))
    return [piece for piece in found if len(piece) > 1]


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

    def put(self, shown: Shown) -> str:
        """The id of a source; what says the same has the id it had."""
        key = _key(shown)
        if key not in self._ids:
            self.last += 1
            self._ids[key] = f"S{self.last}"
            self.by_id[f"S{self.last}"] = shown
        return self._ids[key]

    def holding(self, text: str, company: str, address: str | None) -> str | None:
        """The id of a source of the company, or of one address of it, that has the words already."""
        words = normalized(text)
        for name, each in self.by_id.items():
            is_of_it = address in (None, each.sources[0].url)
            if is_of_it and each.company == company and words in normalized(each.text):
                return name
        return None

    def kept(self, cited: Iterable[str]) -> dict[str, Any]:
        """What is stored with an answer: the sources that it cites, and the last id."""
        chosen = [(name, self.by_id[name]) for name in cited]
        kept = {name: replace(shown, text=shown.text[:_LONGEST_KEPT])
                for name, shown in chosen if shown.kind != _PRIVATE}  # fmt: skip
        return {"last": self.last, "shown": _JSON.dump_python(kept, mode="json")}

    @classmethod
    def restored(
        cls, stored: Iterable[Mapping[str, Any]], *, granted: Iterable[str]
    ) -> "ShownSources":
        """What earlier answers kept, oldest first, without kinds that the caller may no longer read."""
        made, allowed = cls(), set(granted)
        for each in stored:
            made.last = max(made.last, int(each.get("last", 0)))
            for name, shown in _JSON.validate_python(each.get("shown", {})).items():
                if shown.kind in allowed or shown.kind not in SCOPES:
                    made.by_id[name] = shown
                    made._ids[_key(shown)] = name
        return made


def _key(shown: Shown) -> tuple[Any, ...]:
    return (shown.sources[0].document_id, normalized(shown.text))
