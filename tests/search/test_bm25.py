"""BM25 and what it is measured against."""

import numpy as np
import pytest

from sightline.reading.vectors import cosines, pack_vectors
from sightline.search.bm25 import Weights, field_counts, presence_scores, scores


def test_rare_terms_weigh_more_and_none_is_lost() -> None:
    weights = Weights.of(["the", "quay"], {"the": 99, "quay": 1}, 100)
    assert weights.idf["quay"] > 10 * weights.idf["the"] > 0
    assert Weights.of(["nowhere"], {}, 100).idf["nowhere"] > weights.idf["quay"]


def test_a_score_is_the_share_of_a_perfect_match() -> None:
    weights = Weights.of(["quay", "dock"], {"quay": 3, "dock": 3}, 100)
    none, one, both, many = scores(
        weights, [{}, {"quay": 1}, {"quay": 1, "dock": 1}, {"quay": 500, "dock": 500}], [1.0] * 4
    )
    assert none == 0 < one < both < many < 1
    assert both == pytest.approx(2 * one)
    assert many > 0.99


def test_a_short_passage_beats_a_long_one() -> None:
    weights = Weights.of(["quay"], {"quay": 2}, 10)
    short, long = scores(weights, [{"quay": 1}, {"quay": 1}], [0.5, 2.0])
    assert short > long
    postings = {"quay": np.array([0, 1])}
    first = presence_scores(weights, postings, np.array([0.5, 2.0, 1.0], np.float32))
    assert first[:2].tolist() == pytest.approx([short, long])
    assert first[2] == 0


def test_a_title_counts_less_than_the_text() -> None:
    counts = field_counts("Quay report", "Docks", "Quays and docks.")
    assert (counts["quay"], counts["dock"], counts["report"]) == (1.5, 2.0, 0.5)


def test_vectors_keep_their_directions() -> None:
    rows = np.random.default_rng(3).normal(size=(50, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    packed = b"".join(pack_vectors(rows))
    assert np.abs(cosines(packed, [384] * 50, rows[7]) - rows @ rows[7]).max() < 0.01
    assert cosines(packed, [384] * 50, rows[7][:100]).tolist() == [0.0] * 50
    parts = cosines(packed, [384] * 4 + [4 * 384] + [384] * 42, rows[7])
    assert len(parts) == 47
    assert parts.argmax() == 4, "the nearest part of a passage counts"
