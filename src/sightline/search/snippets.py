"""The part of a passage to show: the run of sentences that says most of what was asked, word for word."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sightline.search.analysis import Analyser

MAX_CHARACTERS = 320
_SENTENCE = re.compile(r"\S(?:.*?)(?:[.!?][\"'”’)\]]*(?=\s)|(?=\n)|\Z)", re.DOTALL)
_ABBREVIATION = re.compile(r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|Inc|Corp|Co|Ltd|No|vs|St|Jr|approx))\.$")


NAMED = 0.5  # of the weight of words of headings, cells and references, which say nothing of what they name
_ENDS = tuple(".!?:;")
_LEAST_SPACES = 4  # of a sentence; a shorter one is a heading
_FIGURE = re.compile(r"\|\W*\d")
_REFERENCE = re.compile(
    r"\b(?:refer to|see (?:also )?(?:note|item|part|exhibit)|(?:additional|further|more) (?:information|"
    r"details?|discussion)|incorporated (?:herein )?by reference)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` up to `end` of the passage's text."""

    start: int
    end: int


def sentences(text: str) -> list[Span]:
    """Sentences and lines, without the white space around them. Abbreviations do not end one."""
    spans: list[Span] = []
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        end = start + len(text[start:end].rstrip())
        if spans and _ABBREVIATION.search(text[spans[-1].start : spans[-1].end]):
            gap = text[spans[-1].end : start]
            if "\n" not in gap:
                spans[-1] = Span(spans[-1].start, end)
                continue
        if end > start:
            spans.append(Span(start, end))
    return spans


def best_span(
    text: str,
    terms: Mapping[str, float],
    analyser: Analyser,
    *,
    max_characters: int = MAX_CHARACTERS,
) -> Span:
    """The run of whole sentences within the length that has the most weight of different `terms` (term to
    weight), the earlier and shorter of equals. One sentence that is longer is cut at a space."""
    parts = sentences(text)
    if not parts:
        return Span(0, 0)
    held = [analyser.heard(text[part.start : part.end], terms) for part in parts]
    told = [_is_told(text[part.start : part.end]) for part in parts]
    best, best_key = parts[0], (0.0, -max_characters - 1)
    for first, part in enumerate(parts):
        if not held[first]:
            continue  # a run that begins later says as much in fewer words
        seen: set[str] = set()
        tells = False
        for last in range(first, len(parts)):
            length = parts[last].end - part.start
            if last > first and length > max_characters:
                break
            if held[last] <= seen and (tells or not told[last]):
                continue  # longer, and says no more
            seen |= held[last]
            tells |= told[last]
            worth = (1.0 if tells else NAMED) * sum(terms[term] for term in seen)
            if worth > 0 and (worth, -length) > best_key:
                best, best_key = Span(part.start, parts[last].end), (worth, -length)
    if best_key[0] == 0:
        best = _opening(parts, max_characters)
    return cut_span(text, best, max_characters)


def _is_told(part: str) -> bool:
    """Whether a part of a text says something itself: a sentence, or a row with its figures."""
    if "|" in part:
        return _FIGURE.search(part) is not None
    ended = part.rstrip('"”’)]').endswith(_ENDS) and part.count(" ") >= _LEAST_SPACES
    return ended and _REFERENCE.search(part) is None


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
