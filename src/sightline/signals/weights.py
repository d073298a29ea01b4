"""The linear part: features of a sentence, weighed for every signal type and for "nothing happened".

The weights are made by ``tests/bench/train_signals.py`` out of sentences written for this purpose.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sightline.domain.signals import SignalType
from sightline.signals.context import Context
from sightline.signals.patterns import Hit
from sightline.signals.tokens import Sentence, read_data

NOTHING: Final = "none"
CLASSES: Final[tuple[str, ...]] = (*(str(each) for each in SignalType), NOTHING)
_COLUMN: Final = {name: column for column, name in enumerate(CLASSES)}

_UNSEEN: Final = frozenset({",", ".", "'s"})


@dataclass(frozen=True, slots=True)
class Weights:
    """`rows[feature]` is the row of `matrix` (features x classes); `bias` is always added."""

    rows: dict[str, int]
    matrix: NDArray[np.float32]
    bias: NDArray[np.float32]

    def probabilities(self, features: Iterable[str]) -> dict[str, float]:
        """The probability of each class, summing to one."""
        known = [self.rows[each] for each in features if each in self.rows]
        scores = self.bias + self.matrix[known].sum(axis=0)
        scores = np.exp(scores - scores.max())
        scores /= scores.sum()
        return dict(zip(CLASSES, scores.tolist(), strict=True))


def features_of(
    sentence: Sentence, hits: Sequence[Hit], contexts: Sequence[Context]
) -> list[str]:
    """Named binary features: which types' patterns occur how strongly, the words, and the manner."""
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
        if count > 1:
            found.add(f"many:{kind}")
        if count > 3:
            found.add(f"most:{kind}")
    if not counts:
        found.add("quiet")
    elif len(counts) == 1:
        found.add(f"only:{next(iter(counts))}")
    _add_words(found, sentence)
    return sorted(found)


def _add_words(found: set[str], sentence: Sentence) -> None:
    norms = [token.norm for token in sentence.tokens if token.norm not in _UNSEEN]
    found.update(f"w:{norm}" for norm in norms)
    found.update(f"b:{left} {right}" for left, right in zip(norms, norms[1:], strict=False))
    if norms:
        found.add(f"first:{norms[0]}")
    if sentence.title_case or sentence.text[-1:] not in ".!?\"”":
        found.add("headline")
    if sentence.text.rstrip().endswith("?"):
        found.add("question")
    if sentence.text[:1] in "\"“":
        found.add("opens with a quotation")


@cache
def weights() -> Weights:
    """``data/weights.tsv``, read once."""
    rows: dict[str, int] = {}
    values: list[NDArray[np.float32]] = []
    bias = np.zeros(len(CLASSES), dtype=np.float32)
    for line in read_data("weights.tsv").splitlines():
        name, _, cells = line.partition("\t")
        row: NDArray[Any] = np.zeros(len(CLASSES), dtype=np.float32)
        for cell in cells.split():
            column, _, weight = cell.rpartition(":")
            row[_COLUMN[column]] = float(weight)
        if name == "bias":
            bias = row
        else:
            rows[name] = len(values)
            values.append(row)
    matrix = np.array(values, dtype=np.float32).reshape(len(values), len(CLASSES))
    return Weights(rows, matrix, bias)
