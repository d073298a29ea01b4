"""Writes src/sightline/search/data/vectors.txt and vectors.bin out of public-domain GloVe vectors.

    python tests/bench/search_vectors.py FILE.npz

FILE.npz holds `words` (the most frequent first) and `m` (their vectors, 100 numbers each), taken from
"GloVe 6B", which its authors gave to the public domain (PDDL 1.0). Words of one stem become
one vector of 64 dimensions and length 127, in bytes.
"""

import re
import sys
from pathlib import Path

import numpy as np

from sightline.search.analysis import Analyser

DATA = Path(__file__).resolve().parent.parent.parent / "src/sightline/search/data"
MOST_WORDS = 40_000
DIMENSIONS = 64


def main() -> None:
    """Average by stem, centre, drop the direction all words share, turn to the main axes."""
    loaded, stem = np.load(sys.argv[1]), Analyser().term
    words, vectors = loaded["words"][:MOST_WORDS], loaded["m"][:MOST_WORDS]
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        if re.fullmatch("[a-z]+", str(word)):
            places.setdefault(stem(str(word)), []).append(place)
    table = np.stack(
        [
            np.average(vectors[own], axis=0, weights=[1 / (n + 10) for n in own])
            for own in places.values()
        ]
    )
    table -= table.mean(0)
    axes = np.linalg.svd(table, full_matrices=False)[2][1 : 1 + DIMENSIONS]
    table = table @ axes.T
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    (DATA / "vectors.txt").write_text(
        "".join(f"{name} {min(own) + 1}\n" for name, own in places.items()), encoding="utf-8"
    )
    (DATA / "vectors.bin").write_bytes(np.round(table * 127).astype(np.int8).tobytes())
    print(f"{len(places)} stems")


if __name__ == "__main__":
    main()
