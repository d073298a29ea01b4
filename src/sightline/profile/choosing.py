"""Statements of whole sentences: their names, and those that repeat others removed."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from sightline.domain.casing import title_words
from sightline.profile.contract import Statement
from sightline.profile.evidence import Evidence
from sightline.profile.parts import mentions, part_of
from sightline.profile.sentences import Sentence, in_context
from sightline.reading.periods import latest_day
from sightline.reading.repeats import alike, shingles

T = TypeVar("T")


def without_repeats(items: Iterable[T], text_of: Callable[[T], str], *, most: int) -> list[T]:
    """The first `most` that do not repeat an earlier one."""
    chosen: list[T] = []
    seen: list[frozenset[tuple[str, str]]] = []
    for each in items:
        if len(chosen) == most:
            break
        own = shingles(text_of(each))
        if not any(alike(own, other) for other in seen):
            seen.append(own)
            chosen.append(each)
    return chosen


def statement_of(sentence: Sentence, evidence: Evidence) -> Statement:
    """A sentence in its context as a statement. One below the heading of a part of the company names that
    first; one of long ago that names no time says when it was said, or is named by the heading that does."""
    document, text = sentence.document, in_context(sentence)
    name, said, headings = sentence.text, document.said_at, []
    is_dated = latest_day(text) is not None
    if not is_dated and latest_day(sentence.heading or "") is not None:  # it dates the sentence
        name = sentence.heading or ""
        headings.append(name)
    quoted = document.quote(text)
    past = evidence.is_history(document) and not (is_dated or headings)
    text = f"As of {said:%B %Y}: {text}" if past else text
    part = part_of(evidence, document.document_id, sentence.start)
    if part is not None and part.name and not mentions(part.name).search(text):
        label = title_words(part.name) if part.name.isupper() else part.name
        name = f"{label}: {name}" if name == sentence.text else name
        text = f"{label}: {text}"
        headings.append(part.heading)
    row = {"name": name, "as_of": said.date().isoformat(), "description": text}
    return row | {"sources": (quoted, *map(document.quote, headings))}


def chosen_of(
    evidence: Evidence, *sections: str, fits: Callable[[Sentence], bool] | None = None
) -> list[Statement]:
    """The sentences of sections as statements, best first; those that fit."""
    found = [each.sentence for section in sections for each in evidence.chosen.get(section, ())]
    return [statement_of(each, evidence) for each in found if fits is None or fits(each)]
