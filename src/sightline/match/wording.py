"""Aligns the words of two names, for all pairs of a batch at once."""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA, JaroWinkler, LCSseq, Levenshtein, Prefix

from sightline.match.grams import slots
from sightline.match.names import FILLER_COMMON
from sightline.match.records import Block, Floats, Ints, Lexicon

WORD, GENERIC, PLACE, NUMBER, FILLER = range(5)
_KNOWN: Final = 0.7
"""Words less alike than this have nothing in common."""

_RELATED: Final = 0.8
"""Likeness of concepts that translations take one for another: institute, university."""


class Words:
    """Words of the left names laid against words of the right names, each to its best partner."""

    def __init__(self, left: Block, left_at: Ints, right: Block, right_at: Ints) -> None:
        lexicon = left.lexicon
        weights = lexicon.weights()
        kinds, commonness, lengths, _, _ = lexicon.columns()
        sizes_left = left.word_start[left_at + 1] - left.word_start[left_at]
        sizes_right = right.word_start[right_at + 1] - right.word_start[right_at]
        pairs = len(left_at)
        # One slot for each word of each pair; one cell for each two words of a pair.
        slot_left, pair_left = slots(left.word_start[left_at], sizes_left)
        slot_right, pair_right = slots(right.word_start[right_at], sizes_right)
        start_right = np.cumsum(sizes_right) - sizes_right
        cells = sizes_right[pair_left]
        cell_right, cell_left = slots(start_right[pair_left], cells)
        ids_left, ids_right = left.words[slot_left], right.words[slot_right]
        alike = _word_similarity(lexicon, ids_left[cell_left], ids_right[cell_right])
        self.best_left = _maximum(alike, cell_left, len(ids_left))
        self.best_right = _maximum(alike, cell_right, len(ids_right))
        weight_left, weight_right = weights[ids_left], weights[ids_right]
        total_left = np.bincount(pair_left, weight_left, pairs)
        total_right = np.bincount(pair_right, weight_right, pairs)
        shared_left = np.bincount(pair_left, weight_left * self.best_left, pairs)
        shared_right = np.bincount(pair_right, weight_right * self.best_right, pairs)
        self.cover_left = shared_left / total_left
        self.cover_right = shared_right / total_right
        self.overlap = (shared_left + shared_right) / (total_left + total_right)
        self.shared = np.minimum(shared_left, shared_right).clip(0, 2.5)
        self.replaced: dict[int, npt.NDArray[np.float64]] = {}
        self.added: dict[int, npt.NDArray[np.float64]] = {}
        missing_left = weight_left * (1 - self.best_left)
        missing_right = weight_right * (1 - self.best_right)
        # "Group" and "Technologies" come and go; "Bank" and "Insurance" are two companies.
        kinds = np.where((kinds == GENERIC) & (commonness >= FILLER_COMMON), FILLER, kinds)
        kind_left, kind_right = kinds[ids_left], kinds[ids_right]
        for kind in (WORD, GENERIC, PLACE, NUMBER, FILLER):
            lone_left = np.bincount(pair_left, missing_left * (kind_left == kind), pairs)
            lone_right = np.bincount(pair_right, missing_right * (kind_right == kind), pairs)
            self.replaced[kind] = np.minimum(lone_left, lone_right)
            self.added[kind] = np.maximum(lone_left, lone_right) - self.replaced[kind]
        self.all_replaced = np.minimum(
            np.bincount(pair_left, missing_left, pairs),
            np.bincount(pair_right, missing_right, pairs),
        )
        # "National Bank" and "Agricultural Bank" of one country: no word is anybody's own.
        own = (kinds[ids_left] == WORD) & (self.best_left >= _KNOWN)
        self.nameless = np.bincount(pair_left, own, pairs) == 0
        self.all_added = sum(self.added.values())
        inexact = (self.best_left > 0) & (self.best_left < 1) & (kinds[ids_left] == WORD)
        self.near = np.bincount(pair_left, weight_left * inexact, pairs)
        numbers = np.bincount(pair_left, (kind_left == NUMBER) & (self.best_left == 1), pairs)
        self.shared_number = numbers > 0
        start_left = np.cumsum(sizes_left) - sizes_left
        self.first = (self.best_left[start_left] + self.best_right[start_right]) / 2
        self.sizes = (sizes_left, sizes_right)
        self.short = (np.minimum(sizes_left, sizes_right) == 1) & (
            np.minimum(lengths[ids_left[start_left]], lengths[ids_right[start_right]]) <= 3
        )


def _maximum(values: Floats, group: npt.NDArray[np.int64], size: int) -> Floats:
    best = np.zeros(size, np.float32)
    np.maximum.at(best, group, values)
    return best


def _word_similarity(lexicon: Lexicon, left: Ints, right: Ints) -> Floats:
    """0 to 1 for each two words; numbers and known concepts are equal or not."""
    kinds, _, lengths, bones, families = lexicon.columns()
    related = (families[left] == families[right]) & (families[left] > 0)
    alike: Floats = np.where(left == right, 1, _RELATED * related).astype(np.float32)
    plain = (kinds[left] == WORD) | (kinds[right] == WORD)
    plain &= (kinds[left] != NUMBER) & (kinds[right] != NUMBER)
    at = np.flatnonzero(plain & (left != right))
    if not len(at):
        return alike
    keys = lexicon.keys
    near = likeness(JaroWinkler.similarity, keys, left[at], keys, right[at])
    at, near = at[near >= 0.6], near[near >= 0.6]
    if not len(at):
        return alike
    first = [keys[number] for number in left[at].tolist()]
    second = [keys[number] for number in right[at].tolist()]
    # Two letters in each other's place are one slip.
    edits = process.cpdist(first, second, scorer=OSA.normalized_similarity, dtype=np.float32)
    found = (near + edits) / 2
    bare = lexicon.consonants
    heard = likeness(Levenshtein.normalized_similarity, bare, left[at], bare, right[at])
    size = np.minimum(lengths[left[at]], lengths[right[at]])
    longer = np.maximum(lengths[left[at]], lengths[right[at]])
    # Vowels are what schemes of transliteration and scripts without vowels differ in.
    solid = np.minimum(bones[left[at]], bones[right[at]]) >= 3
    found = np.maximum(found, np.where(solid & (heard == 1), 0.9, 0))
    # "Pharm" for Pharmaceuticals; the shorter the beginning, the less it says.
    begins = process.cpdist(first, second, scorer=Prefix.similarity, dtype=np.int32) == size
    found = np.maximum(found, np.where(begins & (size >= 4), 0.75 + 0.2 * size / longer, 0))
    found = np.maximum(found, np.where(begins & (size == 3), 0.72, 0))
    # "Mfg" for Manufacturing: its letters in order and no vowel among them.
    inside = process.cpdist(first, second, scorer=LCSseq.similarity, dtype=np.int32) == size
    clipped = (
        inside
        & (size >= 3)
        & (
            size
            == np.where(lengths[left[at]] <= lengths[right[at]], bones[left[at]], bones[right[at]])
        )
        & (longer >= size + 3)
    )
    found = np.maximum(found, np.where(clipped, 0.75, 0))
    found = np.where(found >= _KNOWN, found, 0)
    alike[at] = found.clip(0, 0.97)
    return alike


def likeness(
    scorer: Callable[..., float], left: list[str], left_at: Ints, right: list[str], right_at: Ints
) -> Floats:
    """One scorer over pairs of texts."""
    first = [left[number] for number in left_at.tolist()]
    second = [right[number] for number in right_at.tolist()]
    found: Floats = process.cpdist(first, second, scorer=scorer, dtype=np.float32)
    return found
