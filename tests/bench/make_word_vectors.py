"""Writes the tables of word vectors of `signals` and of `search` out of public-domain GloVe vectors.

    python tests/bench/make_word_vectors.py FILE.npz signals
    python tests/bench/make_word_vectors.py FILE.npz search

FILE.npz holds `words` (the most frequent first) and `m` (their vectors, 100 numbers each), taken from
"GloVe 6B", which its authors gave to the public domain (PDDL 1.0). Words of one stem, as the part of the
product stems them, become one vector of 64 dimensions and length 127, in bytes.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from sightline.search.analysis import Analyser
from sightline.signals.tokens import stem

SOURCE = Path(__file__).resolve().parent.parent.parent / "src/sightline"
# Stems, and how many of the most frequent words are read.
TABLES: dict[str, tuple[Callable[[str], str], int]] = {
    "signals": (stem, 22_000),
    "search": (Analyser().term, 40_000),
}
DIMENSIONS = 64


def main() -> None:
    """Average by stem, centre, drop the direction all words share, turn to the main axes."""
    loaded, room = np.load(sys.argv[1]), sys.argv[2]
    stemmed, most = TABLES[room]
    words, vectors = loaded["words"][:most], loaded["m"][:most]
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        if re.fullmatch("[a-z]+", str(word)):
            places.setdefault(stemmed(str(word)), []).append(place)
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
    data = SOURCE / room / "data"
    (data / "vectors.txt").write_text(
        "".join(f"{name} {min(own) + 1}\n" for name, own in places.items()), encoding="utf-8"
    )
    (data / "vectors.bin").write_bytes(np.round(table * 127).astype(np.int8).tobytes())
    print(f"{len(places)} stems")


if __name__ == "__main__":
    main()
