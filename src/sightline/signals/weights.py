"""The linear part: features of a sentence, weighed for every signal type and for "nothing happened".

The weights are made by ``tests/bench/train_signals.py`` out of sentences written for this purpose.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sightline.domain.signals import SignalType
from sightline.signals.context import Context
from sightline.signals.patterns import Hit
from sightline.signals.tokens import NAMES, Sentence, read_data, stem
from sightline.signals.vectors import DIMENSIONS, group_of

NOTHING: Final = "none"
CLASSES: Final[tuple[str, ...]] = (*(str(each) for each in SignalType), NOTHING)
_COLUMN: Final = {name: column for column, name in enumerate(CLASSES)}

# Up to this many words and pairs of words count in full.
_WORD_ALLOWANCE: Final = 12
_AMOUNTS: Final = (("many", 2), ("most", 4))
# "It had bought", "once", "a decade ago": what a background clause tells.
_LONG_PAST: Final = re.compile(
    r"\b(?:had (?:(?:also|already|once|long|previously) )?"
    r"(?:been |gone |made |sold |bought |held |taken |\w+ed\b)"
    r"|used to |once |long ago|(?:years|decades?) (?:ago|earlier|before)|at the time|back (?:in|then)"
    r"|at (?:its|their) (?:peak|height)|in the (?:past|(?:19|20)\d0s)"
    r"|under (?:the |its )?(?:previous|former))",
    re.IGNORECASE,
)
# What others think will happen, or had thought.
_ONLOOKERS: Final = re.compile(
    r"\b(?:analysts?|economists?|traders?|investors|strategists?|forecasters|bankers?"
    r"|(?:wall|the) street|consensus)\b"
    r"[^,;]{0,40}\b(?:expect|look|forecast|predict|anticipat|see\b|saw\b|estimat|project|want|hop|bet|reckon|think"
    r"|thought|believ|warn|pencil|call|had\b|fear|worr|wonder|ask|speculat)",
    re.IGNORECASE,
)
_UNSEEN: Final = frozenset({",", ".", "'s"})


@dataclass(frozen=True, slots=True)
class Weights:
    """`rows[feature]` is the row of `matrix` (features x classes), `meaning` has a row for each number of
    a sentence's meaning; `bias` is always added."""

    rows: dict[str, int]
    matrix: NDArray[np.float32]
    meaning: NDArray[np.float32]
    bias: NDArray[np.float32]

    def probabilities(
        self, features: Mapping[str, float], meaning: NDArray[np.float32]
    ) -> dict[str, float]:
        """The probability of each class, summing to one."""
        known = [(self.rows[name], value) for name, value in features.items() if name in self.rows]
        scores = self.bias + meaning @ self.meaning
        if known:
            rows, values = zip(*known, strict=True)
            scores += np.array(values, dtype=np.float32) @ self.matrix[list(rows)]
        scores = np.exp(scores - scores.max())
        scores /= scores.sum()
        return dict(zip(CLASSES, scores.tolist(), strict=True))


def features_of(
    sentence: Sentence, hits: Sequence[Hit], contexts: Sequence[Context]
) -> dict[str, float]:
    """Named features with their values: whose patterns occur and how strongly, the words, the manner.

    Words share a fixed allowance, so that a long sentence is not decided by its many small words.
    """
    found: set[str] = set()
    counts: dict[str, int] = {}
    for hit, context in zip(hits, contexts, strict=True):
        kind = str(hit.pattern.type)
        if context.negated or context.background:
            found.add("negated" if context.negated else "background")
            continue
        found.add(f"hit:{kind}:{hit.pattern.strength}")
        if hit.pattern.strength > 1:
            counts[kind] = counts.get(kind, 0) + 1
        if hit.pattern.strength == 3 and hit.first <= 4:
            found.add(f"early:{kind}")
    for kind, count in counts.items():
        found.update(f"{word}:{kind}" for word, least in _AMOUNTS if count >= least)
    if not counts:
        found.add("quiet")
    elif len(counts) == 1:
        found.add(f"only:{next(iter(counts))}")
    found |= _manner(sentence) | _classes(sentence) | _groups(sentence)
    features = dict.fromkeys(sorted(found), 1.0)
    words = sorted(_words(sentence))
    share = min(1.0, (_WORD_ALLOWANCE / max(1, len(words))) ** 0.5)
    return features | dict.fromkeys(words, share)


def _words(sentence: Sentence) -> set[str]:
    norms = [token.norm for token in sentence.tokens if token.norm not in _UNSEEN]
    return {f"w:{norm}" for norm in norms} | {
        f"b:{left} {right}" for left, right in pairwise(norms)
    }


def _classes(sentence: Sentence) -> set[str]:
    """The classes of its words, and which follows which with nothing but plain words between."""
    table = word_classes()
    line = [table.get(token.norm) or _shape(token.norm) for token in sentence.tokens]
    known = [each for each in line if each]
    found = {f"k:{name}" for each in known for name in each}
    for left, right in pairwise(known):
        found |= {f"kk:{a} {b}" for a in left for b in right if a != b}
    return found


def _groups(sentence: Sentence) -> set[str]:
    """The groups of its words by meaning, and which follows which."""
    known = [group for token in sentence.tokens if (group := group_of(token.norm))]
    return {f"g:{group}" for group in known} | {
        f"gg:{left} {right}" for left, right in pairwise(known)
    }


def _shape(norm: str) -> tuple[str, ...]:
    if norm in NAMES - {"PERSON", "PLACE"}:
        return ("NAME",)
    return (norm,) if norm in {"PERSON", "PLACE", "ROLE", "MONEY", "PCT", "NUM", ";", "."} else ()


@cache
def word_classes() -> dict[str, tuple[str, ...]]:
    """The classes of every stem of ``data/classes.toml``."""
    found: dict[str, list[str]] = {}
    for name, words in tomllib.loads(read_data("classes.toml")).items():
        for word in str(words).split():
            found.setdefault(stem(word), []).append(name)
    return {word: tuple(dict.fromkeys(names)) for word, names in found.items()}


def _manner(sentence: Sentence) -> set[str]:
    found = set()
    if sentence.tokens:
        found.add(f"first:{sentence.tokens[0].norm}")
    if sentence.title_case or sentence.text[-1:] not in {".", "!", "?", '"', "”"}:
        found.add("headline")
    if sentence.text.rstrip().endswith("?"):
        found.add("question")
    if sentence.text[:1] in {'"', "“"}:
        found.add("opens with a quotation")
    if _LONG_PAST.search(sentence.text):
        found.add("long past")
    if _ONLOOKERS.search(sentence.text):
        found.add("onlookers")
    return found


@cache
def weights() -> Weights:
    """``data/weights.tsv``, read once."""
    rows: dict[str, int] = {}
    values: list[NDArray[np.float32]] = []
    meaning = np.zeros((DIMENSIONS, len(CLASSES)), dtype=np.float32)
    bias = np.zeros(len(CLASSES), dtype=np.float32)
    header, *lines = read_data("weights.tsv").splitlines()
    columns = [_COLUMN[name] for name in header.split("\t")[1:]]
    for line in lines:
        name, _, cells = line.partition("\t")
        row: NDArray[Any] = np.zeros(len(CLASSES), dtype=np.float32)
        for cell in cells.split():
            column, _, weight = cell.rpartition(":")
            row[columns[int(column)]] = float(weight)
        if name == "bias":
            bias = row
        elif name.startswith("v:"):
            meaning[int(name[2:])] = row
        else:
            rows[name] = len(values)
            values.append(row)
    matrix = np.array(values, dtype=np.float32).reshape(len(values), len(CLASSES))
    return Weights(rows, matrix, meaning, bias)
