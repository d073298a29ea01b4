"""Writes src/sightline/signals/data/vectors.txt and vectors.bin out of vectors of single words.

    python tests/bench/signal_vectors.py WORDS.txt MODEL

WORDS.txt has a word a line, the most frequent first (those of GloVe 6B); MODEL is a folder with the
sentence model all-MiniLM-L6-v2 (Apache-2.0), which is asked for the vector of each word alone; this needs
the package sentence-transformers. Words of one stem become one vector of 64 dimensions and length 127, in
bytes. Stems that mean much the same share a group, found by k-means.

The shipped tables were computed with an approximate GELU, which differs from the package's by less than
0.001 in any number; that moves one stem in eight to another group, and single sets of sentences by up to
0.04 after training anew, on the average of all by less than 0.01.
"""

import importlib
import re
import sys
from pathlib import Path

import numpy as np

from sightline.signals.tokens import stem

DATA = Path(__file__).resolve().parent.parent.parent / "src/sightline/signals/data"
MOST_WORDS = 36_000
FITTED = 15_000  # so many stems, the most frequent ones, decide on axes and groups
DIMENSIONS = 64
GROUPS = 150
ROUNDS = 25
SEED = 3


def table_of(words: np.ndarray, vectors: np.ndarray) -> tuple[dict[str, int], np.ndarray]:
    """The rank of each stem, and its vector: averaged, centred, turned to the main axes but the first,
    which all words share."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        if re.fullmatch("[a-z]+", str(word)):
            places.setdefault(stem(str(word)), []).append(place)
    table = np.stack(
        [
            np.average(vectors[own], axis=0, weights=[1 / (place + 10) for place in own])
            for own in places.values()
        ]
    )
    table -= table[:FITTED].mean(0)
    axes = np.linalg.svd(table[:FITTED], full_matrices=False)[2][1 : 1 + DIMENSIONS]
    table = table @ axes.T
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    return {name: min(own) + 1 for name, own in places.items()}, table


def groups_of(table: np.ndarray) -> np.ndarray:
    """The number of the group of each row."""
    dice = np.random.default_rng(SEED)
    fitted = table[:FITTED]
    centres = fitted[dice.choice(FITTED, GROUPS, replace=False)]
    for _ in range(ROUNDS):
        nearest = (fitted @ centres.T).argmax(1)
        centres = np.stack(
            [
                fitted[nearest == group].mean(0) if (nearest == group).any() else centres[group]
                for group in range(GROUPS)
            ]
        )
        centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    nearest: np.ndarray = (table @ centres.T).argmax(1)
    return nearest


def main() -> None:
    """Read, ask, reduce, group and write."""
    words = Path(sys.argv[1]).read_text(encoding="utf-8").split()[:MOST_WORDS]
    model = importlib.import_module("sentence_transformers").SentenceTransformer(sys.argv[2])
    vectors = model.encode(words, batch_size=256, normalize_embeddings=True)
    ranks, table = table_of(np.array(words), np.asarray(vectors))
    lines = [
        f"{name} {rank} {group}\n"
        for (name, rank), group in zip(ranks.items(), groups_of(table), strict=True)
    ]
    (DATA / "vectors.txt").write_text("".join(lines), encoding="utf-8")
    (DATA / "vectors.bin").write_bytes(np.round(table * 127).astype(np.int8).tobytes())
    print(f"{len(lines)} stems")


if __name__ == "__main__":
    main()
