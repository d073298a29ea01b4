"""Detects texts that repeat each other by shared word pairs, and which risks of a report are new."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from sightline.reading.tokens import stems

_LEAST_OVERLAP: Final = 200  # characters that two stretches of one text share
_ALIKE: Final = 0.45  # of the pairs of words of the shorter one
_FEWEST_WORDS: Final = 6
_SAME_CAPTION: Final = 0.5  # of the stems of both
_SAME_TEXT: Final = 0.5  # of the pairs of words of the shorter text

Change = Literal["new", "changed"]


def shingles(text: str) -> frozenset[tuple[str, str]]:
    """Pairs of stems that follow each other."""
    return frozenset(pairwise(stems(text)))


def overlap(left: frozenset[tuple[str, str]], right: frozenset[tuple[str, str]]) -> float:
    """The share of the shorter text that the other repeats."""
    smaller = min(len(left), len(right))
    return len(left & right) / smaller if smaller else 0.0


def alike(left: frozenset[tuple[str, str]], right: frozenset[tuple[str, str]]) -> bool:
    """Whether one text repeats most of the shorter other."""
    return overlap(left, right) > _ALIKE


@dataclass(frozen=True, slots=True)
class Factor:
    """A risk factor of a report: its caption, and all its text."""

    words: frozenset[str]
    text: frozenset[tuple[str, str]]


def factor(caption: str, text: str) -> Factor:
    """A risk factor as it is compared."""
    return Factor(frozenset(stems(caption)), shingles(text))


def is_caption(heading: str) -> bool:
    """Whether a heading is a risk in words, and not the name of a group of them."""
    words = heading.split()
    small = sum(word[:1].islower() for word in words)
    return len(words) >= _FEWEST_WORDS and small * 2 > len(words)


def changes_of(own: Sequence[Factor], before: Sequence[Factor]) -> list[Change | None]:
    """Of each risk whether it is new against those of the report before, or changed; the same text under
    another caption is neither. Words of a third of the captions before tell none from others."""
    counts = Counter(word for each in before for word in each.words)
    shared = {w for w, count in counts.items() if count > 1 and 3 * count > len(before)}
    return [_change(each, before, shared) for each in own]


def _change(own: Factor, before: Sequence[Factor], shared: Set[str]) -> Change | None:
    words = own.words - shared

    def likeness(other: Factor) -> float:
        return len(words & other.words) / max(1, len(words | (other.words - shared)))

    best = max(before, key=likeness)
    if likeness(best) >= _SAME_CAPTION:
        return "changed" if overlap(own.text, best.text) < _SAME_TEXT else None
    return None if any(overlap(own.text, each.text) > _SAME_TEXT for each in before) else "new"


def joined(text: str, following: str) -> str | None:
    """Two stretches of one text as one; None where they do not overlap."""
    for one, other in ((text, following), (following, text)):
        if other in one:
            return one
        at = one.find(other[:_LEAST_OVERLAP])
        if at >= 0 and other.startswith(one[at:]):
            return one[:at] + other
    return None
