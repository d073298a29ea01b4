"""Scores pairs: best names of two records, features, probability."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sightline.match.features import (
    FEATURES,
    NAME_FEATURES,
    name_features,
    record_features,
)
from sightline.match.model import Model, probability, shipped_weights
from sightline.match.records import Block, Candidate, Ints, Lexicon, make_block

_OVERLAP, _COSINE, _ACRONYM = (
    NAME_FEATURES.index(name) for name in ("word_overlap", "cosine", "acronym")
)
_CHUNK = 8_000
_TELLS = 0.02
"""Features that add less to the log-odds are not named."""


class Feature(NamedTuple):
    """One thing two records have in common or not: its value, and as weight what it
    adds to the log-odds.
    """

    name: str
    value: float
    weight: float


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with the probability, 0 to 1, that it is the company asked for."""

    id: str
    score: float
    log_odds: float
    features: tuple[Feature, ...]


def pair_features(
    left: Block, left_at: Ints, right: Block, right_at: Ints
) -> npt.NDArray[np.float32]:
    """Features of pairs of records (row numbers), columns as in FEATURES; of names the best two."""
    if len(left_at) > _CHUNK:
        parts = [
            pair_features(left, left_at[at : at + _CHUNK], right, right_at[at : at + _CHUNK])
            for at in range(0, len(left_at), _CHUNK)
        ]
        return np.concatenate(parts)
    if not len(left_at):
        return np.zeros((0, len(FEATURES)), np.float32)
    name_left, name_right, pair = _name_pairs(left, left_at, right, right_at)
    names = name_features(left, name_left, right, name_right)
    if len(pair) > len(left_at):
        # Stable order by pair, then by likeness of the names: the last of each is the best.
        value = names[:, _OVERLAP] + names[:, _COSINE] + names[:, _ACRONYM]
        order = np.lexsort((value, pair))
        names = names[order[np.flatnonzero(np.diff(pair[order], append=-1))]]
    records = record_features(left, left_at, right, right_at, names)
    return np.concatenate([names, records], axis=1)


def _name_pairs(
    left: Block, left_at: Ints, right: Block, right_at: Ints
) -> tuple[Ints, Ints, Ints]:
    """Every name of one record with every name of the other."""
    count_left = left.first[left_at + 1] - left.first[left_at]
    count_right = right.first[right_at + 1] - right.first[right_at]
    total = count_left * count_right
    pair = np.repeat(np.arange(len(left_at), dtype=np.int32), total)
    nth = np.arange(len(pair)) - np.repeat(np.cumsum(total) - total, total)
    wide = count_right[pair]
    name_left = left.first[left_at][pair] + nth // wide
    name_right = right.first[right_at][pair] + nth % wide
    return name_left.astype(np.int32), name_right.astype(np.int32), pair


def scored(ids: list[str], features: npt.NDArray[np.float32], model: Model) -> list[Scored]:
    """Rows of features as scores with the features that add something."""
    effects = model.effects(features)
    odds = effects.sum(axis=1) + np.float32(model.bias)
    scores = probability(odds).tolist()
    rows, columns = np.nonzero((features != 0) & (np.abs(effects) >= _TELLS))
    # Minus a little would round to minus nothing.
    cells = (np.round(features[rows, columns].astype(np.float64), 3) + 0.0).tolist()
    added = np.round(effects[rows, columns].astype(np.float64), 3).tolist()
    names = [FEATURES[column] for column in columns.tolist()]
    named = tuple(map(Feature._make, zip(names, cells, added, strict=True)))
    starts = np.searchsorted(rows, np.arange(len(ids) + 1)).tolist()
    return [
        Scored(number, round(score, 4), round(odd, 4), named[start:end])
        for number, score, odd, start, end in zip(
            ids, scores, odds.tolist(), starts, starts[1:], strict=False
        )
    ]


def score_pairs(pairs: list[tuple[Candidate, Candidate]]) -> list[Scored]:
    """Score given pairs. The names of all pairs together tell which words are common."""
    features = features_of_pairs(pairs)
    return scored([right.id for _, right in pairs], features, shipped_weights().pairs)


def features_of_pairs(pairs: list[tuple[Candidate, Candidate]]) -> npt.NDArray[np.float32]:
    """Rows of features of given pairs, columns as in FEATURES."""
    lexicon = Lexicon()
    left = make_block((pair[0] for pair in pairs), lexicon)
    right = make_block((pair[1] for pair in pairs), lexicon)
    # One side at a time: what both sides of a pair say is said once.
    longer = left if len(left.words) >= len(right.words) else right
    lexicon.count(longer.words, len(longer.owner))
    lexicon.gram_rarity = longer.gram_rarity()
    rows = np.arange(len(pairs), dtype=np.int32)
    return pair_features(left, rows, right, rows)
