"""Likeness in meaning without a model: the mean of public-domain vectors of the words of a text.

"Pollution liabilities" has no word in common with a passage on solvents in groundwater, yet their words
keep like company in ordinary writing. ``data/vectors.txt`` has a term and its rank by frequency a line,
``data/vectors.bin`` its vector in 64 signed bytes; both are made by ``tests/bench/search_vectors.py``.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import ascii_lowercase
from typing import Final, NamedTuple

import numpy as np

from sightline.search.index import Index
from sightline.search.latent import Rows, unit
from sightline.search.postings import Floats

NAME: Final = "words:glove-6b"  # of kept vectors; those of another table cannot be compared
DIMENSIONS: Final = 64
_SHARE_OF_FIRST = 0.1  # a word's share of all words is about 0.1 / rank
_SMOOTH = 1e-3  # a word of this share counts half; the usual a / (a + share)
_LEAST_SPELT = 5  # letters of a term that may be misspelt: shorter ones have too many neighbours


class _Words(NamedTuple):
    """Row of each term, its share of all words, and its vector, that of a frequent word shortened."""

    places: Mapping[str, int]
    shares: Floats
    vectors: Floats


def document_vectors(index: Index) -> Floats:
    """A row of length 1 a document, zeros where no word is known. A repeated word counts a little more."""
    places, _, table = _table()
    rows = np.array([places.get(word, -1) for word in index.words], np.int64)
    terms: Floats = np.where(rows[:, None] >= 0, table[rows], np.float32(0))
    offsets, columns, counts = index.forward
    return unit(Rows(offsets, columns, (1.0 + np.log(counts)).astype(np.float32)).times(terms))


def terms_vector(weights: Mapping[str, float]) -> Floats:
    """Of weighted terms, of length 1; zeros where none is known."""
    places, _, table = _table()
    known = [term for term in weights if term in places]
    rows = table[[places[term] for term in known]]
    vector = np.array([[weights[term] for term in known]], np.float32) @ rows
    row: Floats = unit(vector)[0]
    return row


def expected_share(term: str) -> float:
    """Of the words of ordinary writing; 0 for a term that is none of its 40,000 most frequent words."""
    places, shares, _ = _table()
    return float(shares[places[term]]) if term in places else 0.0


def spellings(term: str) -> list[str]:
    """Terms of ordinary writing that an unknown term may be a slip for, the most frequent first: a letter
    is missing, too many or another, or two are swapped; never the first. None for a short or a known term."""
    places, shares, _ = _table()
    if len(term) < _LEAST_SPELT or term in places or not (term.isascii() and term.isalpha()):
        return []
    if term.endswith("y"):  # "safety" is "safeti" among the terms, a slip at its end is not
        term = term[:-1] + "i"
    pairs = [(term[:at], term[at:]) for at in range(1, len(term) + 1)]
    slips = {left + letter + right for left, right in pairs for letter in ascii_lowercase}
    slips |= {left + letter + right[1:] for left, right in pairs for letter in ascii_lowercase}
    slips |= {left + right[1:] for left, right in pairs}
    slips |= {left + right[1] + right[0] + right[2:] for left, right in pairs if len(right) > 1}
    return sorted(slips & places.keys(), key=lambda slip: -shares[places[slip]])


def _counted(shares: Floats) -> Floats:
    return np.asarray(_SMOOTH / (_SMOOTH + shares), np.float32)


@cache
def _table() -> _Words:
    folder = files("sightline.search").joinpath("data")
    named = folder.joinpath("vectors.txt").read_text(encoding="utf-8").split()
    shares = _SHARE_OF_FIRST / np.array([*map(int, named[1::2])], np.float32)
    raw = np.frombuffer(folder.joinpath("vectors.bin").read_bytes(), np.int8)
    table = unit(raw.reshape(-1, DIMENSIONS).astype(np.float32)) * _counted(shares)[:, None]
    return _Words({term: place for place, term in enumerate(named[::2])}, shares, table)
