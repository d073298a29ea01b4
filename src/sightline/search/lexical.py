"""Matching words: BM25F over title and body, nearness of neighbouring query words, coverage.

All functions answer one value for every document of the source, computed with array operations.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.search.postings import Floats, Ints, Lengths, Postings, frequency_ratio
from sightline.search.query import Query


@dataclass(frozen=True, slots=True)
class Parameters:
    """`k1` and the norms as usual for BM25F; the weights of nearness and coverage are small shares of the
    whole: pairs are rarer than their words, so that more of them drowns the words in long documents.
    Settled on nine unlike sets of texts (`tests/eval/ranking.py` measures any other)."""

    k1: float = 2.0
    body_norm: float = 0.7
    title_norm: float = 0.5
    title_weight: float = 2.0
    phrase_weight: float = 0.15
    window: int = 8  # words between which two query words count as near each other
    coverage_weight: float = 0.1


STANDARD = Parameters()
# Paragraphs of like length, sought by short requests: a word said again tells less there, words that stand
# together more.
PARAGRAPHS = Parameters(k1=1.2, phrase_weight=0.3, coverage_weight=0.3)


class Matcher:
    """Scores documents of known lengths; keeps the length norms between queries."""

    def __init__(self, lengths: Lengths, parameters: Parameters = STANDARD) -> None:
        self.parameters = parameters
        self.documents = len(lengths)
        self._title_norm = _norm(lengths.title, parameters.title_norm)
        self._body_norm = _norm(lengths.body, parameters.body_norm)

    def saturated(self, postings: Postings) -> Floats:
        """Term frequency of each posting, title and body weighted and normed, saturated below 1."""
        p = self.parameters
        documents = postings.documents
        titled = postings.in_title
        frequency = p.title_weight * titled / self._title_norm[documents]
        frequency += (postings.counts - titled) / self._body_norm[documents]
        return (frequency / (frequency + p.k1)).astype(np.float32)

    def bm25(self, weights: Mapping[str, float], found: Mapping[str, Postings]) -> Floats:
        """BM25F of every document for weighted terms."""
        scores = np.zeros(self.documents, np.float32)
        for term, weight in weights.items():
            postings = found.get(term)
            if postings is not None and weight > 0:
                rarity = frequency_ratio(len(postings), self.documents)
                scores[postings.documents] += weight * rarity * self.saturated(postings)
        return scores

    def phrases(self, query: Query, found: Mapping[str, Postings]) -> Floats:
        """Sequential dependence: neighbouring query words side by side, or near, in the document."""
        p = self.parameters
        scores = np.zeros(self.documents, np.float32)
        for left, right, distance in query.phrases:
            if left not in found or right not in found:
                continue
            exact, near = self._pairs(found[left], found[right], min(distance, 3))
            for (documents, counts), share in ((exact, 0.6), (near, 0.4)):
                if len(documents):
                    rarity = frequency_ratio(len(documents), self.documents)
                    weight = min(query.terms.get(left, 0.0), query.terms.get(right, 0.0))
                    norm = self._body_norm[documents]
                    scores[documents] += share * weight * rarity * counts / (counts + p.k1 * norm)
        return scores

    def _pairs(
        self, left: Postings, right: Postings, distance: int
    ) -> tuple[tuple[Ints, Floats], tuple[Ints, Floats]]:
        """(documents, counts) of the exact pair and of the pair within the window, any order."""
        here, there = _addresses(left), _addresses(right)
        swapped = len(here) > len(there)
        if swapped:
            here, there = there, here
        step = -distance if swapped else distance
        exact = here[_contains(there, here + step)]
        after = np.searchsorted(there, here)
        gap_after = there[np.minimum(after, len(there) - 1)] - here
        gap_before = here - there[np.maximum(after - 1, 0)]
        window = self.parameters.window
        near = here[
            ((gap_after >= 0) & (gap_after <= window))
            | ((gap_before >= 0) & (gap_before <= window))
        ]
        return _per_document(exact), _per_document(near)

    def coverage(self, query: Query, found: Mapping[str, Postings]) -> Floats:
        """Share of the query's weight, by rarity, that a document has at least once: 0-1."""
        scores = np.zeros(self.documents, np.float32)
        total = 0.0
        for term, weight in query.terms.items():
            postings = found.get(term)
            matching = len(postings) if postings is not None else 0
            if postings is None or not matching:
                continue
            worth = weight * frequency_ratio(matching, self.documents)
            total += worth
            scores[postings.documents] += worth
        return scores / total if total else scores

    def score(self, query: Query, found: Mapping[str, Postings]) -> Floats:
        """BM25F raised by nearness and by coverage."""
        p = self.parameters
        base = self.bm25(query.terms, found)
        if p.phrase_weight:
            base += p.phrase_weight * self.phrases(query, found)
        if p.coverage_weight:
            base *= 1.0 - p.coverage_weight + p.coverage_weight * self.coverage(query, found)
        return base


def _norm(lengths: Floats, share: float) -> Floats:
    occupied = lengths[lengths > 0]
    mean = float(occupied.mean()) if len(occupied) else 1.0
    return (1.0 - share + share * lengths / mean).astype(np.float32)


def _addresses(postings: Postings) -> NDArray[np.int64]:
    """Every occurrence as one number: document and position, documents far apart."""
    return (
        np.repeat(postings.documents.astype(np.int64), postings.counts) << 32
    ) + postings.positions


def _contains(sorted_values: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.bool_]:
    at = np.minimum(np.searchsorted(sorted_values, wanted), len(sorted_values) - 1)
    return np.asarray(sorted_values[at] == wanted)


def _per_document(addresses: NDArray[np.int64]) -> tuple[Ints, Floats]:
    documents, counts = np.unique(addresses >> 32, return_counts=True)
    return documents.astype(np.int32), counts.astype(np.float32)
