"""What words mean: a vector of 64 numbers for each, whose mean stands for the sentence, and its group.

``data/vectors.txt`` has a stem, its rank by frequency and the number of its group a line,
``data/vectors.bin`` its vector in 64 signed bytes. They are made by ``tests/bench/signal_vectors.py``.
Words that mean much the same lie close together and share a group, so the weights learn from one about
the other.
"""

from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sightline.signals.tokens import Sentence, read_data

DIMENSIONS: Final = 64


def meaning_of(sentence: Sentence) -> NDArray[np.float32]:
    """A vector of length one, or of zeros where no word is known. Frequent words count less."""
    words, table = _words(), _table()
    rows = [words[token.norm] for token in sentence.tokens if token.norm in words]
    if not rows:
        return np.zeros(DIMENSIONS, dtype=np.float32)
    places, weights, _ = zip(*rows, strict=True)
    mean = np.array(weights, dtype=np.float32) @ table[list(places)]
    length = float(np.linalg.norm(mean))
    return (mean / max(length, 1e-9)).astype(np.float32)


def group_of(norm: str) -> str | None:
    """The group of a stem; an upper-case class is its own group; None for an unknown word."""
    if norm.isupper():
        return norm
    row = _words().get(norm)
    return row[2] if row else None


@cache
def _words() -> dict[str, tuple[int, float, str]]:
    """Row, weight and group of each stem."""
    rows = {}
    for place, line in enumerate(read_data("vectors.txt").splitlines()):
        name, rank, group = line.split(" ")
        # A word's share of all words is about 0.1 / rank; the weight is the usual a / (a + share).
        rows[name] = (place, 1e-3 / (1e-3 + 0.1 / int(rank)), group)
    return rows


@cache
def _table() -> NDArray[np.float32]:
    """The vectors."""
    raw = files("sightline.signals").joinpath("data", "vectors.bin").read_bytes()
    return np.frombuffer(raw, dtype=np.int8).reshape(-1, DIMENSIONS).astype(np.float32)
