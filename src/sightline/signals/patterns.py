"""The hand-written patterns: how news says things, compiled from ``data/patterns.toml``.

A pattern is tried only on sentences that hold one of its anchor words, so that hundreds of patterns cost
no more than a few dozen.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from sightline.domain.signals import SignalType
from sightline.signals.tokens import Sentence, listed, read_data, stem

STRENGTHS: Final = {"strong": 3, "normal": 2, "weak": 1}


class PatternIsInvalid(ValueError):
    """A line of patterns.toml cannot be read; the message names it."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of patterns.toml. `strength` is 3 strong, 2 normal, 1 weak."""

    type: SignalType
    strength: int
    source: str
    regex: re.Pattern[str]
    anchors: frozenset[str]


@dataclass(frozen=True, slots=True)
class Hit:
    """A pattern found in a sentence, from token `first` to token `last`, both included."""

    pattern: Pattern
    first: int
    last: int


def find_hits(sentence: Sentence) -> list[Hit]:
    """Every pattern that occurs, each once at its first place, in the order of the table."""
    index = _by_anchor()
    wanted: set[int] = set()
    for token in sentence.tokens:
        wanted |= index.get(token.norm, _NO_PATTERNS)
    starts = _token_starts(sentence)
    table = patterns()
    hits: list[Hit] = []
    for number in sorted(wanted):
        match = table[number].regex.search(sentence.line)
        if match:
            first = bisect_right(starts, match.start() + 1) - 1
            last = bisect_right(starts, match.end() - 2) - 1
            hits.append(Hit(table[number], first, last))
    return hits


_NO_PATTERNS: Final[frozenset[int]] = frozenset()


def _token_starts(sentence: Sentence) -> list[int]:
    starts, position = [], 1
    for token in sentence.tokens:
        starts.append(position)
        position += len(token.norm) + 1
    return starts


@cache
def patterns() -> tuple[Pattern, ...]:
    """All patterns, read and compiled once."""
    table = tomllib.loads(read_data("patterns.toml"))
    macros = {name: _split(alternatives) for name, alternatives in table.pop("macros").items()}
    found: list[Pattern] = []
    for type_name, strengths in table.items():
        kind = SignalType(type_name)
        for name, lines in strengths.items():
            for line in filter(None, map(str.strip, lines.splitlines())):
                regex, anchors = _compile(line, macros)
                found.append(Pattern(kind, STRENGTHS[name], line, regex, anchors))
    return tuple(found)


@cache
def _by_anchor() -> dict[str, frozenset[int]]:
    index: dict[str, set[int]] = {}
    for number, pattern in enumerate(patterns()):
        for anchor in pattern.anchors:
            index.setdefault(anchor, set()).add(number)
    return {anchor: frozenset(numbers) for anchor, numbers in index.items()}


def _compile(
    line: str, macros: dict[str, tuple[str, ...]]
) -> tuple[re.Pattern[str], frozenset[str]]:
    parts = [" "]
    candidates: list[tuple[str, ...]] = []
    for element in line.split():
        if element.startswith(".."):
            parts.append(rf"(?:[^\s;]+ ){{0,{int(element[2:] or 4)}}}?")
            continue
        body = element.lstrip("?!")
        words = tuple(dict.fromkeys(_norms(body, macros, line)))
        choice = "(?:" + "|".join(re.escape(word) for word in words) + ") "
        if element.startswith("?"):
            parts.append(f"(?:{choice})?")
        elif element.startswith("!"):
            parts.append(f"(?!{choice})")
        else:
            parts.append(choice)
            candidates.append(words)
    if not candidates:
        raise PatternIsInvalid(f"The pattern {line!r} has no word that must occur.")
    return re.compile("".join(parts)), frozenset(sorted(candidates, key=_commonness)[0])


def _norms(body: str, macros: dict[str, tuple[str, ...]], line: str) -> Iterator[str]:
    for word in body.split("|"):
        if word.startswith("@"):
            if word[1:] not in macros:
                raise PatternIsInvalid(f"The pattern {line!r} names an unknown list {word}.")
            yield from _norms("|".join(macros[word[1:]]), macros, line)
        elif word:
            yield word if word.isupper() else stem(word.lower())


def _commonness(words: tuple[str, ...]) -> tuple[int, int]:
    function = listed("function")
    common = sum(1 + word.isupper() for word in words if word.isupper() or word in function)
    return common, len(words)


def _split(alternatives: str) -> tuple[str, ...]:
    return tuple(alternatives.split("|"))
