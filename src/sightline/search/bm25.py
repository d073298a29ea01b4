"""BM25 (Robertson), with the score of a perfect match, so that scores compare between queries."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.reading.terms import counted

K1 = 0.9  # how soon a further occurrence of a term adds nothing
B = 0.6  # how much a long passage must have more of them
TITLE = 0.5  # worth of an occurrence in a document's title, which all of its passages share
Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Weights:
    """What each term of a question is worth among `passages`, and the score of a passage full of them."""

    idf: Mapping[str, float]

    @classmethod
    def of(cls, question: Sequence[str], containing: Mapping[str, int], passages: int) -> "Weights":
        """`containing` says how many passages have a term."""
        have = {term: containing.get(term, 0) + 0.5 for term in question}
        rare = {term: math.log(1.0 + (passages - n + 1.0) / n) for term, n in have.items()}
        return cls({term: times * rare[term] for term, times in Counter(question).items()})

    @property
    def ideal(self) -> float:
        return (K1 + 1.0) * sum(self.idf.values())


def presence_scores(weights: Weights, postings: Mapping[str, Ints], lengths: Floats) -> Floats:
    """0-1 for every passage, each term counted once; `postings` has the places of the passages that have a
    term, `lengths` are relative to the mean."""
    saturated = (K1 + 1.0) / (1.0 + K1 * (1.0 - B + B * lengths))
    scores = np.zeros(len(lengths), np.float32)
    for term, idf in weights.idf.items():
        at = postings.get(term)
        if at is not None and len(at):
            scores[at] += idf * saturated[at]
    return scores / np.float32(weights.ideal) if weights.ideal > 0 else scores


def scores(
    weights: Weights, counts: Sequence[Mapping[str, float]], lengths: Sequence[float]
) -> Floats:
    """0-1 for passages by their counts of terms and lengths relative to the mean."""
    names = list(weights.idf)
    if not names or not counts or weights.ideal <= 0:
        return np.zeros(len(counts), np.float32)
    frequency = np.array([[count.get(name, 0.0) for name in names] for count in counts], np.float32)
    norm = K1 * (1.0 - B + B * np.asarray(lengths, np.float32))
    saturated = (K1 + 1.0) * frequency / (frequency + norm[:, None])
    idf = np.array(list(weights.idf.values()), np.float32)
    return np.asarray(saturated @ idf / np.float32(weights.ideal), np.float32)


def field_counts(
    title: str, heading: str, text: str, count: Callable[[str], Mapping[str, int]] = counted
) -> dict[str, float]:
    """How often a passage has each term, its fields weighed."""
    titled = {term: TITLE * times for term, times in count(title).items()}
    body = count(f"{heading}\n{text}")
    return titled | {term: times + titled.get(term, 0.0) for term, times in body.items()}
