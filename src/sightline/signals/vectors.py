"""The meaning of a sentence as 64 numbers: the mean of the vectors of its plain words.

``data/vectors.txt`` has a stem and its rank by frequency a line, ``data/vectors.bin`` its vector in 64
signed bytes. They are made by ``tests/bench/make_word_vectors.py`` out of the public-domain GloVe
vectors. Words that mean much the same lie close together, so the weights learn from one about the other.
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
    ranks, table = _table()
    rows = [ranks[token.norm] for token in sentence.tokens if token.norm in ranks]
    if not rows:
        return np.zeros(DIMENSIONS, dtype=np.float32)
    places, weights = zip(*rows, strict=True)
    mean = np.array(weights, dtype=np.float32) @ table[list(places)]
    length = float(np.linalg.norm(mean))
    return (mean / max(length, 1e-9)).astype(np.float32)


@cache
def _table() -> tuple[dict[str, tuple[int, float]], NDArray[np.float32]]:
    """Row and weight of each stem, and the vectors."""
    rows = {}
    for place, line in enumerate(read_data("vectors.txt").splitlines()):
        name, _, rank = line.partition(" ")
        # A word's share of all words is about 0.1 / rank; the weight is the usual a / (a + share).
        rows[name] = (place, 1e-3 / (1e-3 + 0.1 / int(rank)))
    raw = files("sightline.signals").joinpath("data", "vectors.bin").read_bytes()
    table = np.frombuffer(raw, dtype=np.int8).reshape(-1, DIMENSIONS).astype(np.float32)
    return rows, table
