"""The part of a passage to show: the run of sentences that has most of what was asked, word for word."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sightline.reading.sentences import sentences
from sightline.reading.terms import terms

MAX_CHARACTERS = 320


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` up to `end` of the passage's text."""

    start: int
    end: int


def best_span(
    text: str, weights: Mapping[str, float], *, max_characters: int = MAX_CHARACTERS
) -> Span:
    """The run of whole sentences within the length that has the most weight of different terms, the earlier
    and shorter of equals. One sentence that is longer is cut at a space."""
    parts = [Span(start, end) for start, end in sentences(text)]
    if not parts:
        return Span(0, 0)
    worths = _runs(text, parts, weights, max_characters)
    # Of equals the shorter, then the earlier.
    best, worth = max(
        worths, key=lambda run: (run[1], run[0].start - run[0].end), default=(parts[0], 0)
    )
    return cut_span(text, best if worth else _opening(parts, max_characters), max_characters)


def _runs(
    text: str, parts: list[Span], weights: Mapping[str, float], max_characters: int
) -> Iterator[tuple[Span, float]]:
    """Runs of sentences within the length that begin with one that has a term, each with its worth."""
    have = [weights.keys() & set(terms(text[part.start : part.end])) for part in parts]
    for first, part in enumerate(parts):
        seen: set[str] = set()
        for last in range(first, len(parts)) if have[first] else ():
            run = Span(part.start, parts[last].end)
            if last > first and run.end - run.start > max_characters:
                break
            seen |= have[last]
            yield run, sum(weights[term] for term in seen)


def _opening(parts: list[Span], max_characters: int) -> Span:
    """As many first sentences as fit."""
    fitting = [part for part in parts if part.end - parts[0].start <= max_characters]
    return Span(parts[0].start, (fitting or parts)[len(fitting) - 1 if fitting else 0].end)


def cut_span(text: str, span: Span, max_characters: int) -> Span:
    """The span, cut at a space where it is too long."""
    if span.end - span.start <= max_characters:
        return span
    space = text.rfind(" ", span.start, span.start + max_characters)
    end = space if space > span.start else span.start + max_characters
    return Span(span.start, end)
