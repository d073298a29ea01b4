"""Near-duplicates: texts with nearly the same words, or with the same figures in other words.

A passage's fingerprint is a 64-bit simhash (Charikar) of its terms and pairs of terms, and a small Bloom
filter of its numbers. Texts that differ in a few words differ in a few bits; texts made from one
template with other figures agree in words and differ by their numbers. Vectors tell that two
texts say one thing in other words; as they also bring together what is merely of one kind, such texts
must share their figures.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sightline.search.evidence import Floats

MAX_DISTANCE = 10  # bits; like texts (cosine 0.92) differ in 8 on average, cosine 0.6 in 19
SAME_FACT = 0.86  # cosine from which texts of the same figures say one thing in other words
MIN_SHARED_NUMBERS = 0.5  # of the bits that either filter has
_ROWS = 256  # texts compared with all others at a time
_MIN_TERMS = 5  # a shorter text has no fingerprint
_LONG_ENOUGH = 4  # letters; shorter words are nearly all function words, alike in all texts


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """64 bits of words, 32 of numbers."""

    words: int
    numbers: int


def fingerprint(terms: Sequence[str]) -> Fingerprint | None:
    """Of a text's terms in order; None for fewer than five that are neither short words nor numbers."""
    terms = [t for t in terms if len(t) >= _LONG_ENOUGH or any(map(str.isdigit, t))]
    if len(terms) < _MIN_TERMS:
        return None
    features = [*terms, *(f"{a} {b}" for a, b in pairwise(terms))]
    hashes = np.fromiter((_hash(feature) for feature in features), np.uint64, len(features))
    bits = (hashes[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    ones = bits.sum(0) * 2 > len(features)
    words = int(np.packbits(ones, bitorder="little").view("<u8")[0])
    numbers = 0
    for term in terms:
        if term[0].isdigit():
            numbers |= 1 << (_hash(term) & 31)
    return Fingerprint(words, numbers)


def fold(
    fingerprints: Sequence[Fingerprint | None], vectors: Sequence[Floats | None] = ()
) -> list[int]:
    """For each text the place of the text it repeats: the first one like it, itself if there is none. So
    the order of the texts says which of several like ones stands for all. `vectors` are of length 1."""
    words = np.array([0 if f is None else f.words for f in fingerprints], np.uint64)
    numbers = np.array([0 if f is None else f.numbers for f in fingerprints], np.uint64)
    known = next((each for each in vectors if each is not None), None)
    matrix = None  # zeros for a text without a vector
    if known is not None:
        matrix = np.stack([np.zeros_like(known) if v is None else v for v in vectors])
    folded = list(range(len(fingerprints)))
    for start in range(0, len(fingerprints), _ROWS):
        rows = slice(start, start + _ROWS)
        like = alike(words[rows], numbers[rows], words, numbers)
        if matrix is not None:
            same = (matrix[rows] @ matrix.T >= SAME_FACT) & (numbers[rows, None] & numbers != 0)
            like |= _of_same_figures(same, numbers[rows], numbers)
        for row, earlier in zip(*np.nonzero(like), strict=True):
            place = start + int(row)
            if earlier < place and folded[place] == place and folded[earlier] == earlier:
                folded[place] = int(earlier)
    return folded


def alike(
    words: NDArray[np.uint64],
    numbers: NDArray[np.unsignedinteger],
    other_words: NDArray[np.uint64],
    other_numbers: NDArray[np.unsignedinteger],
) -> NDArray[np.bool_]:
    """Which texts (rows) are near-duplicates of which others (columns); none of a text without a
    fingerprint, whose words are 0."""
    near: NDArray[np.bool_] = np.bitwise_count(words[:, None] ^ other_words) <= MAX_DISTANCE
    near &= (words != 0)[:, None] & (other_words != 0)
    return _of_same_figures(near, numbers, other_numbers)


def _of_same_figures(
    near: NDArray[np.bool_],
    numbers: NDArray[np.unsignedinteger],
    other_numbers: NDArray[np.unsignedinteger],
) -> NDArray[np.bool_]:
    """Those of the pairs that share enough of their numbers."""
    row, column = np.nonzero(near)
    either = np.bitwise_count(numbers[row] | other_numbers[column])
    both = np.bitwise_count(numbers[row] & other_numbers[column])
    near[row, column] = both >= MIN_SHARED_NUMBERS * either
    return near


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
