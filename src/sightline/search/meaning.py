"""Likeness in meaning without a model: the mean of public-domain vectors of the words of a text.

"Pollution liabilities" has no word in common with a passage on solvents in groundwater, yet their words
keep like company in ordinary writing. ``data/vectors.txt`` has a term and its rank by frequency a line,
``data/vectors.bin`` its vector in 64 signed bytes; both are made by ``tests/bench/make_word_vectors.py``.
"""

from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sightline.search.index import Index
from sightline.search.latent import Rows, unit
from sightline.search.postings import Floats
from sightline.search.query import Query

NAME: Final = "words:glove-6b"  # of kept vectors; those of another table cannot be compared
DIMENSIONS: Final = 64
_SHARE_OF_FIRST = 0.1  # a word's share of all words is about 0.1 / rank
_SMOOTH = 1e-3  # a word of this share counts half; the usual a / (a + share)


def document_vectors(index: Index) -> Floats:
    """A row of length 1 a document, zeros where no word is known. A repeated word counts a little more."""
    places, table = _table()
    rows = np.array([places.get(word, -1) for word in index.words], np.int64)
    terms: Floats = np.where(rows[:, None] >= 0, table[rows], np.float32(0))
    offsets, columns, counts = index.forward
    return unit(Rows(offsets, columns, (1.0 + np.log(counts)).astype(np.float32)).times(terms))


def query_vector(query: Query) -> Floats:
    """Of length 1; zeros where no word is known."""
    places, table = _table()
    vector = np.zeros(DIMENSIONS, np.float32)
    for term, weight in query.terms.items():
        if term in places:
            vector += weight * table[places[term]]
    row: Floats = unit(vector[None, :])[0]
    return row


@cache
def _table() -> tuple[dict[str, int], NDArray[np.float32]]:
    """Row of each term, and the vectors, those of frequent words shortened."""
    folder = files("sightline.search").joinpath("data")
    lines = folder.joinpath("vectors.txt").read_text(encoding="utf-8").splitlines()
    named = [line.rpartition(" ") for line in lines]
    ranks = np.array([int(rank) for _, _, rank in named], np.float32)
    raw = np.frombuffer(folder.joinpath("vectors.bin").read_bytes(), np.int8)
    weights = _SMOOTH / (_SMOOTH + _SHARE_OF_FIRST / ranks)
    table = raw.reshape(-1, DIMENSIONS).astype(np.float32) * weights[:, None]
    return {term: place for place, (term, _, _) in enumerate(named)}, table
