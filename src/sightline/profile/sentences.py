"""Whole sentences of a document's text, with their position and attributes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sightline.reading import prose
from sightline.reading.dates import days_in
from sightline.reading.periods import latest_day
from sightline.reading.sentences import sentences
from sightline.reading.stated import normalized

if TYPE_CHECKING:
    from sightline.profile.evidence import Document

_LONGEST_HEADING: Final = 90  # characters
_MOST_TOGETHER: Final = 480  # characters of a sentence and the one behind it


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
class Judged:
    """A sentence as the classifiers read it. `worth` is how probably it is of use to a seller and true of one
    company alone; `section` the one that it fits best, "" for none; `describes` how near it comes to saying
    what the company does (cosine)."""

    sentence: Sentence
    worth: float = 0.0
    section: str = ""
    describes: float = 0.0


@dataclass(frozen=True, slots=True)
class Scope:
    """Characters of a document about a part, below `heading`; `name` is None for what is left over."""

    start: int
    end: int
    name: str | None
    heading: str


def is_heading(line: str) -> bool:
    """Whether a line may be a heading: short, in words, no row of a table and no sentence."""
    text = line.strip()
    is_short = 0 < len(text) <= _LONGEST_HEADING and text[0].isalpha()
    is_open = text.endswith((":", ",", ";"))
    return is_short and not is_open and " | " not in text and not prose.has_sentence(text)


def sentences_of(
    document: "Document", start: int, end: int, part: str, heading: str | None
) -> Iterator[Sentence]:
    """The whole sentences between two offsets of a document."""
    place = start
    for raw in document.text[start:end].split("\n"):
        line, place = place, place + len(raw) + 1
        if part != "risks" and is_heading(raw):  # captions of risks are not in all reports short
            heading = raw.strip()
        if " | " in raw or len(raw) < prose.SHORTEST:  # a row of a table, a short line
            continue
        for first, last in sentences(raw):
            text = normalized(raw[first:last])
            if prose.is_whole(text):
                yield Sentence(document, line + first, line + last, text, part, heading, line)


def in_context(sentence: Sentence) -> str:
    """A sentence that names no time with what is before it in its paragraph from the last one that is named;
    and with the sentence behind it, which often says how it went on or ended."""
    text, before = sentence.document.text, ""
    if latest_day(sentence.text) is None:
        above = text[sentence.line : sentence.start]
        dated = [start for start, end in sentences(above) if latest_day(above[start:end])]
        before = normalized(above[dated[-1] :]) if dated else ""
    rest = text[sentence.end :].partition("\n")[0]
    more = normalized(rest[: next((end for _, end in sentences(rest)), 0)])
    more = more if prose.is_whole(more) else ""
    tries = ((before, sentence.text, more), (before, sentence.text), (sentence.text, more))
    texts = (" ".join(filter(None, each)) for each in tries)
    return next((each for each in texts if len(each) <= _MOST_TOGETHER), sentence.text)


def is_own(sentence: Sentence, company: str) -> bool:
    """Whether a sentence begins with the company, "we" or a name, at once or behind a short opening."""
    return prose.is_own(sentence.text, sentence.document.words, company)


def names_in(sentence: Sentence, company: str = "") -> list[str]:
    """Words of a sentence that are names, the company's own left out, in order."""
    return prose.names_in(sentence.text, sentence.document.words, company)


def is_specific(sentence: Sentence, company: str) -> bool:
    """Whether a sentence has a name beside the company's, a figure, date or sum in it."""
    has_figure = any(map(str.isdigit, sentence.text)) or bool(days_in(sentence.text))
    return has_figure or bool(names_in(sentence, company))
