"""Lines of whole documents that speak of a question's terms: what a search by relevance ranks too low.

A filing says once how many customers there are and a thousand times something else about customers. Here
every line is looked at, by plain comparison; whether a line answers is decided elsewhere.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sightline.assistant.held import FoundPassage, HeldText
from sightline.assistant.words import other_words

_MOST_LINES: Final = 40
_SHORTEST_KIN: Final = 6
_SHORTEST_TAIL: Final = 8  # letters of a word that is looked for in compounds
_LONGEST_HEADING: Final = 90
_HEADING_WITHIN: Final = 12
_SCORE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a document by its number; `weight` grows with the rarity of the terms that it has."""

    document: "Lines"
    number: int
    weight: float
    terms: frozenset[str]

    @property
    def text(self) -> str:
        return self.document.line(self.number)


class Lines:
    """A document by its lines."""

    def __init__(self, held: HeldText) -> None:
        self.held = held
        self._starts = [0]
        at = held.text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = held.text.find("\n", at + 1)

    def __len__(self) -> int:
        return len(self._starts)

    def line(self, number: int) -> str:
        if number + 1 < len(self._starts):
            return self.held.text[self._starts[number] : self._starts[number + 1] - 1]
        return self.held.text[self._starts[number] :]

    def numbers_with(self, words: str) -> set[int]:
        """The lines that have a word which begins so; a long one may also end another."""
        low, found, inside = self.held.low, set(), len(words) >= _SHORTEST_TAIL
        at = low.find(words)
        while at >= 0:
            if inside or not at or not low[at - 1].isalnum():
                found.add(bisect_right(self._starts, at) - 1)
            at = low.find(words, at + len(words))
        return found

    def before(self, number: int) -> Iterator[str]:
        """The lines above, nearest first, empty ones left out."""
        for above in range(number - 1, -1, -1):
            if text := self.line(above).strip():
                yield text


def speaking(texts: Sequence[HeldText], terms: Sequence[str]) -> list[Line]:
    """The lines that have most of the terms, those of rare terms first; of equals the newest first."""
    documents = [Lines(text) for text in texts]
    total = sum(len(document) for document in documents)
    found: list[dict[str, set[int]]] = [
        {term: set().union(*map(document.numbers_with, _spelt(term))) for term in terms}
        for document in documents
    ]
    weights = {
        term: math.log(1 + total / (1 + sum(len(lines[term]) for lines in found))) for term in terms
    }
    lines: list[Line] = []
    for document, by_term in zip(documents, found, strict=True):
        for number in set().union(*by_term.values()):
            own = frozenset(term for term in terms if number in by_term[term])
            lines.append(Line(document, number, sum(weights[term] for term in own), own))
    order = {id(document): at for at, document in enumerate(documents)}
    lines.sort(key=lambda one: (-one.weight, order[id(one.document)], one.number))
    return lines[:_MOST_LINES]


def _spelt(term: str) -> list[str]:
    """How words of a stem, or other words for it, begin."""
    begins = [term.rstrip("i") if len(term) > _SHORTEST_KIN else term]
    if len(term) > _SHORTEST_KIN:
        begins.append(term[:-2])
    begins += [" ".join(phrase) for phrase in other_words(term)]
    return [each for each in dict.fromkeys(begins) if len(each) > 1]


def as_passages(lines: Sequence[Line]) -> list[FoundPassage]:
    """The lines as a search would have found them, with the line before them where it is prose."""
    most = max((line.weight for line in lines), default=1.0) or 1.0
    found = []
    for line in lines:
        if " | " in line.text:
            continue
        held = line.document.held
        found.append(
            FoundPassage(
                held.document_id,
                line.text,
                _heading(line),
                "web" if held.kind == "page" else held.kind,
                held.url,
                held.title,
                held.published_at,
                _SCORE * line.weight / most,
            )
        )
    return found


def _heading(line: Line) -> str:
    """The nearest short line above that is no sentence."""
    for near, text in enumerate(line.document.before(line.number)):
        if near == _HEADING_WITHIN:
            break
        if len(text) <= _LONGEST_HEADING and " | " not in text and text[-1] not in ".;:,":
            return text
    return ""
