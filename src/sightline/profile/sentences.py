"""Whole sentences of a document's text, with their position and attributes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sightline.reading import prose
from sightline.reading.dates import days_in
from sightline.reading.sentences import sentences
from sightline.reading.stated import normalized

if TYPE_CHECKING:
    from sightline.profile.evidence import Document


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: characters `start` up to `end` of the document's text; `text` has single spaces.
    `line` is where its paragraph begins."""

    document: "Document"
    start: int
    end: int
    text: str
    part: str
    heading: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Near:
    """Cosines of a sentence: to what says what a company does; to costs that fell, less those to costs that
    rose; to what got better, less those to what got worse; of a risk to its caption; and of either to
    holding the company's shares."""

    describes: float = 0.0
    lower: float = 0.0
    better: float = 0.0
    caption: float = 0.0
    shares: float = 0.0


@dataclass(frozen=True, slots=True)
class Judged:
    """A sentence as the classifiers read it. `label` is what it most probably is: goal, priority, digital,
    strength, weakness, opportunity, threat or none; `is_sure` where that may be said of it alone.
    `specific` is the probability that it is true of this company alone, `useful` that it is of use to a
    seller."""

    sentence: Sentence
    label: str = "none"
    probability: float = 0.0
    specific: float = 0.0
    useful: float = 0.0
    is_sure: bool = False
    near: Near = Near()


def sentences_of(
    document: "Document", start: int, end: int, part: str, heading: str | None
) -> Iterator[Sentence]:
    """The whole sentences between two offsets of a document."""
    place = start
    for raw in document.text[start:end].split("\n"):
        line, place = place, place + len(raw) + 1
        if " | " in raw or len(raw) < prose.SHORTEST:  # a row of a table, a heading
            continue
        for first, last in sentences(raw):
            text = normalized(raw[first:last])
            if prose.is_whole(text):
                yield Sentence(document, line + first, line + last, text, part, heading, line)


def is_own(sentence: Sentence, company: str) -> bool:
    """Whether a sentence begins with the company, "we" or a name, at once or behind a short opening."""
    return prose.is_own(sentence.text, sentence.document.words, company)


def names_in(sentence: Sentence, company: str = "") -> list[str]:
    """Words of a sentence that are names, the company's own left out, in order."""
    return prose.names_in(sentence.text, sentence.document.words, company)


def is_specific(sentence: Sentence, company: str) -> bool:
    """Whether a sentence has a name, figure, date or sum in it."""
    text = sentence.text
    has_figure = any(map(str.isdigit, text)) or bool(days_in(text))
    return has_figure or bool(names_in(sentence, company))
