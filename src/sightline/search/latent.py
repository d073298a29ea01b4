"""Meaning learnt from the corpus itself: latent semantic analysis by a randomised, truncated SVD.

Words that occur in like company come near each other, so a document can be found that uses none of
the words of the query. No model is downloaded; numpy alone does the work. Build time grows with
the number of postings: about 2 s for 5,000 passages.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.search.index import Index
from sightline.search.postings import Floats
from sightline.search.query import Query

_SAMPLE = 20_000  # documents that the axes are learnt from
_CHUNK = 400_000  # postings multiplied at a time; bounds memory to _CHUNK * dimensions * 4 bytes
_SEEDS = 5  # documents of a first search whose neighbours are sought
_ROUNDS = 2  # power iterations; more change the axes that matter by little


@dataclass(frozen=True, slots=True)
class Rows:
    """A sparse matrix by rows."""

    offsets: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: Floats

    def times(self, dense: Floats) -> Floats:
        """This matrix times a dense one."""
        rows = len(self.offsets) - 1
        out = np.zeros((rows, dense.shape[1]), np.float32)
        start = 0
        while start < rows:
            limit = self.offsets[start] + _CHUNK
            end = max(start + 1, int(np.searchsorted(self.offsets, limit, "right")) - 1)
            low, high = self.offsets[start], self.offsets[end]
            if high > low:
                part = dense[self.columns[low:high]] * self.values[low:high, None]
                bounds = self.offsets[start:end] - low
                filled = np.flatnonzero(np.diff(self.offsets[start : end + 1]))
                out[start + filled] = np.add.reduceat(part, bounds[filled], axis=0)
            start = end
        return out

    def take(self, rows: NDArray[np.int64]) -> "Rows":
        sizes = np.diff(self.offsets)[rows]
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        at = np.repeat(self.offsets[rows] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Rows(offsets, self.columns[at], self.values[at])

    def transposed(self, columns: int) -> "Rows":
        order = np.argsort(self.columns, kind="stable")
        rows = np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), np.diff(self.offsets))
        offsets = np.searchsorted(self.columns[order], np.arange(columns + 1))
        return Rows(offsets, rows[order], self.values[order])


class LatentSpace:
    """Vectors of terms and documents of one index."""

    def __init__(self, index: Index, *, dimensions: int | None = None, seed: int = 20) -> None:
        """`dimensions` default to 256, and 128 above 50,000 documents, to bound memory."""
        self._index = index
        dimensions = dimensions or (256 if len(index) <= 50_000 else 128)
        frequencies = index.document_frequencies
        documents = len(index)
        # A term of one document joins nothing; one of most documents tells nothing.
        useful = (frequencies >= 2) & (frequencies <= max(2, documents * 0.3))
        self._columns = np.where(useful, np.cumsum(useful) - 1, -1)
        width = int(useful.sum())
        rarity = np.log(documents / np.maximum(frequencies, 1)).astype(np.float32)
        offsets, terms, counts = index.forward
        kept = useful[terms]
        owners = np.repeat(np.arange(documents), np.diff(offsets))[kept]
        values = ((1.0 + np.log(counts[kept])) * rarity[terms[kept]]).astype(np.float32)
        norms = np.sqrt(np.bincount(owners, values.astype(np.float64) ** 2, documents))
        values /= np.maximum(norms, 1e-9)[owners].astype(np.float32)
        rows = Rows(
            np.searchsorted(owners, np.arange(documents + 1)),
            self._columns[terms[kept]].astype(np.int32),
            values,
        )
        self._rarity = rarity
        self.axes, self.strengths = _axes(rows, width, dimensions, seed)
        self.documents = unit(rows.times(self.axes))

    def query(self, query: Query) -> Floats:
        """The query's vector, of length 1; zeros when no term is known."""
        vector = np.zeros(self.axes.shape[1], np.float32)
        for term, weight in query.terms.items():
            number = self._index.vocabulary.get(term, -1)
            if number >= 0 and self._columns[number] >= 0:
                vector += weight * self._rarity[number] * self.axes[self._columns[number]]
        row: Floats = unit(vector[None, :])[0]
        return row

    def score(self, query: Query) -> Floats:
        """Likeness of every document to the query: the cosine, 0 where it is negative."""
        return _positive(self.documents @ self.query(query))

    def neighbours(self, scores: Floats) -> Floats:
        """Likeness of every document to the best ones of a first search, the better the more: 0-1."""
        best = np.argsort(-scores, kind="stable")[:_SEEDS]
        if not len(best) or scores[best[0]] <= 0:
            return np.zeros(len(scores), np.float32)
        trust = (np.maximum(scores[best], 0.0) / scores[best[0]]) ** 2
        centre: Floats = unit((trust @ self.documents[best])[None, :])[0]
        return _positive(self.documents @ centre)


def _axes(rows: Rows, width: int, dimensions: int, seed: int) -> tuple[Floats, Floats]:
    """(terms x dimensions, singular values): the strongest axes of the matrix."""
    generator = np.random.default_rng(seed)
    count = len(rows.offsets) - 1
    if count > _SAMPLE:
        rows = rows.take(np.sort(generator.choice(count, _SAMPLE, replace=False)))
    rank = max(1, min(dimensions, width, len(rows.offsets) - 1))
    spare = min(width, rank + 16)
    by_term = rows.transposed(width)
    basis = generator.standard_normal((width, spare)).astype(np.float32)
    for _ in range(_ROUNDS):
        basis = np.linalg.qr(by_term.times(np.linalg.qr(rows.times(basis))[0]))[0]
    left, strengths, turned = np.linalg.svd(rows.times(basis), full_matrices=False)
    del left
    return (basis @ turned.T)[:, :rank].astype(np.float32), strengths[:rank].astype(np.float32)


def _positive(cosines: Floats) -> Floats:
    return np.asarray(np.maximum(cosines, 0.0), np.float32)


def unit(vectors: Floats) -> Floats:
    """The same directions, each of length 1; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), np.float32)
