"""What a query needs to know of an index: statistics, document lengths, postings of its terms.

`index.Index` holds one in memory; `segments` keeps one as bytes of which a query reads a few. Documents
are ordinals 0..n-1 throughout.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term occurs. `documents` ascend; `counts` and `in_title` are occurrences in each, all of
    it and in the title alone; `occurrences` list every position, document after document, in pieces of any
    width: most terms are never asked for theirs."""

    documents: Ints
    counts: Ints
    in_title: Ints
    occurrences: tuple[NDArray[np.integer], ...]

    @property
    def positions(self) -> Ints:
        """Every position, document after document."""
        return np.concatenate(self.occurrences, dtype=np.int32)

    def __len__(self) -> int:
        return len(self.documents)


@dataclass(frozen=True, slots=True)
class Lengths:
    """Words of each document that count as length (no function words), title and body apart."""

    title: Floats
    body: Floats

    def __len__(self) -> int:
        return len(self.body)


class Source(Protocol):
    """One index held where it can be read at once."""

    @property
    def lengths(self) -> Lengths:
        """Lengths of all documents; its size is the number of documents."""

    def postings(self, terms: Sequence[str]) -> Mapping[str, Postings]:
        """Postings of those terms that occur; the others are left out."""

    def contents(self, documents: Ints) -> Sequence[Mapping[str, float]]:
        """Terms of each of a few documents with their counts, for feedback."""


def frequency_ratio(matching: int, documents: int) -> float:
    """Inverse document frequency after Robertson and Spärck Jones, kept above 0 as Lucene does."""
    return float(np.log1p((documents - matching + 0.5) / (matching + 0.5)))
