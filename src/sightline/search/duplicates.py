"""Near-duplicates: texts with nearly the same words, or with the same figures in other words.

A passage's fingerprint is a 64-bit simhash (Charikar) of its terms and pairs of terms, and a small Bloom
filter of its numbers. Texts that differ in a few words differ in a few bits; texts made from one
template with other figures agree in words and differ by their numbers. Vectors tell that two
texts say one thing in other words; as they also bring together what is merely of one kind, such texts
must share their figures.
"""

from collections.abc import Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sightline.reading.vectors import Vectors

MAX_DISTANCE = 10  # bits; like texts (cosine 0.92) differ in 8 on average, cosine 0.6 in 19
SAME_FACT = 0.86  # cosine from which texts of the same figures say one thing in other words
MIN_SHARED_NUMBERS = 0.5  # of the bits that either filter has
_ROWS = 256  # texts compared with all others at a time
_MIN_TERMS = 5  # a shorter text has no fingerprint
_LONG_ENOUGH = 4  # letters; shorter words are nearly all function words, alike in all texts


class Fingerprint(NamedTuple):
    """64 bits of words and 32 of numbers, as signed integers. 0 words: the text has none."""

    words: int = 0
    numbers: int = 0


def fingerprint(terms: Sequence[str]) -> Fingerprint:
    """Of a text's terms in order; none of fewer than five that are neither short words nor numbers."""
    terms = [t for t in terms if len(t) >= _LONG_ENOUGH or any(map(str.isdigit, t))]
    if len(terms) < _MIN_TERMS:
        return Fingerprint()
    features = [*terms, *(f"{a} {b}" for a, b in pairwise(terms))]
    hashes = np.fromiter((_hash(feature) for feature in features), np.uint64, len(features))
    bits = (hashes[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    ones = bits.sum(0) * 2 > len(features)
    words = int(np.packbits(ones, bitorder="little").view("<i8")[0])
    numbers = {1 << (_hash(term) & 31) for term in terms if term[0].isdigit()}
    return Fingerprint(words, int(np.uint32(sum(numbers)).view(np.int32)))


def fold(fingerprints: Sequence[Fingerprint], vectors: Sequence[Vectors | None] = ()) -> list[int]:
    """For each text the place of the text it repeats: the first one like it, itself if there is none. So
    the order of the texts says which of several like ones stands for all. `vectors` are of length 1."""
    words, numbers = np.array(fingerprints, np.int64).reshape(-1, 2).T.astype(np.uint64)
    numbers &= np.uint64(2**32 - 1)
    known = next((each for each in vectors if each is not None), None)
    matrix = None  # zeros for a text without a vector
    if known is not None:
        matrix = np.stack([np.zeros_like(known) if v is None else v for v in vectors])
    folded = list(range(len(fingerprints)))
    for start in range(0, len(fingerprints), _ROWS):
        rows = slice(start, start + _ROWS)
        like = np.bitwise_count(words[rows, None] ^ words) <= MAX_DISTANCE
        like &= (words[rows, None] != 0) & (words != 0)
        if matrix is not None:
            like |= (matrix[rows] @ matrix.T >= SAME_FACT) & (numbers[rows, None] & numbers != 0)
        row, earlier = np.nonzero(like)
        either = np.bitwise_count(numbers[start + row] | numbers[earlier])
        both = np.bitwise_count(numbers[start + row] & numbers[earlier])
        same = both >= MIN_SHARED_NUMBERS * either
        for place, first in zip((start + row[same]).tolist(), earlier[same].tolist(), strict=True):
            if first < place and folded[place] == place and folded[first] == first:
                folded[place] = first
    return folded


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
