"""Character n-grams of two to four letters within words, and the TF-IDF cosine of two names."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

_LETTERS: Final = 38
CODES: Final = _LETTERS**4
_TABLE = np.full(256, 37, np.int32)
_TABLE[list(range(ord("a"), ord("z") + 1))] = np.arange(1, 27)
_TABLE[list(range(ord("0"), ord("9") + 1))] = np.arange(27, 37)
_TABLE[ord("\n")] = -1
_BLANK: Final = 37


@dataclass(frozen=True, slots=True)
class Grams:
    """The groups of names: those of name i are ``codes[start[i] : start[i + 1]]``, ascending.

    ``often`` is 1 plus the logarithm of how often the group stands in the name.
    """

    start: Ints
    codes: Ints
    often: Floats

    def rarity(self) -> Floats:
        """By code: inverse document frequency over these names, smoothed."""
        names = len(self.start) - 1
        found = np.full(CODES, np.log(1 + names) + 1, np.float32)
        codes, counts = np.unique(self.codes, return_counts=True)
        found[codes] = np.log((1 + names) / (1 + counts)) + 1
        return found


def name_grams(texts: list[str]) -> Grams:
    """The groups of names whose words are one blank apart; blanks stand for the ends of words."""
    if not texts:
        return Grams(np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros(0, np.float32))
    joined = "".join([f" {text} \n" for text in texts]).encode("ascii", "replace")
    letters = _TABLE[np.frombuffer(joined, np.uint8)]
    row = np.cumsum(letters < 0, dtype=np.int64)
    keys: list[Longs] = []
    code, inside = letters, letters >= 0
    for size in (2, 3, 4):
        last = letters[size - 1 :]
        # A blank may begin or end a group, never stand within it.
        inside = inside[:-1] & (last >= 0)
        if size > 2:
            inside &= letters[size - 2 : -1] != _BLANK
        code = code[:-1] * _LETTERS + last
        keys.append(row[: len(code)][inside] * CODES + code[inside])
    found, counts = np.unique(np.concatenate(keys), return_counts=True)
    rows = found // CODES
    start = np.searchsorted(rows, np.arange(len(texts) + 1)).astype(np.int32)
    return Grams(start, (found % CODES).astype(np.int32), (1 + np.log(counts)).astype(np.float32))


def cosines(left: Grams, left_at: Ints, right: Grams, right_at: Ints, rarity: Floats) -> Floats:
    """The cosine of each two names, 0 to 1."""
    asked, back = np.unique(left_at, return_inverse=True)
    codes, weights, row, norm_left = _weighted(left, asked, rarity)
    known = row * CODES + codes
    codes, weights_right, pair, norm_right = _weighted(right, right_at, rarity)
    wanted = back[pair] * CODES + codes
    if not len(known):
        return np.zeros(len(left_at), np.float32)
    place = np.searchsorted(known, wanted).clip(max=len(known) - 1)
    shared = np.where(known[place] == wanted, weights[place] * weights_right, 0)
    total = np.bincount(pair, shared, len(left_at))
    found: Floats = (total / (norm_left[back] * norm_right).clip(1e-6)).astype(np.float32)
    return found


def _weighted(grams: Grams, names: Ints, rarity: Floats) -> tuple[Ints, Floats, Longs, Floats]:
    """The groups of some names one after another, their weights, the place in ``names`` each is of;
    and the lengths of the names as vectors.
    """
    slot, row = slots(grams.start[names], grams.start[names + 1] - grams.start[names])
    codes = grams.codes[slot]
    weights = grams.often[slot] * rarity[codes]
    norms = np.sqrt(np.bincount(row, weights**2, len(names))).astype(np.float32)
    return codes, weights, row, norms


def slots(starts: Ints, sizes: Ints) -> tuple[Longs, Longs]:
    """The ranges ``starts[i] : starts[i] + sizes[i]`` one after another, and the i of each entry."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    before = np.cumsum(sizes) - sizes
    return np.arange(len(group)) + np.repeat(starts - before, sizes), group
