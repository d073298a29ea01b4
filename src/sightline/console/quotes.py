"""Marks a quote in a document's text: pure functions from text to pieces."""

import re
from dataclasses import dataclass
from typing import Final

AROUND: Final = 6_000  # characters shown before and after a quote of a long document


@dataclass(frozen=True)
class Marked:
    """A text around a quote. `quote` is "" where none was asked for or none is there; `cut` says that more
    text stands before or after what is shown."""

    before: str
    quote: str
    after: str
    cut: bool


def marked(text: str, quote: str, *, whole: bool) -> Marked:
    """The text with the first place of the quote, whatever the white space; near it alone unless `whole`."""
    span = find_quote(text, quote)
    start, end = span or (0, 0)
    first = 0 if whole else _paragraph_before(text, start - AROUND)
    last = len(text) if whole else min(len(text), end + (AROUND if span else 2 * AROUND))
    return Marked(
        text[first:start], text[start:end], text[end:last], cut=first > 0 or last < len(text)
    )


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, white space of any kind and length being alike."""
    words = quote.strip(" …").split()
    if not words:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.span() if found else None


def _paragraph_before(text: str, at: int) -> int:
    if at <= 0:
        return 0
    return max(0, text.rfind("\n", 0, at)) + (0 if at <= 0 else 1)
