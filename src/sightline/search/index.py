"""An index in memory, built in one pass with arrays; pack it with `segments` to keep it."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sightline.search.analysis import Analyser
from sightline.search.postings import Floats, Ints, Lengths, Postings

TITLE_GAP = 8  # positions between title and body, so that no phrase spans both


class Index:
    """Inverted and, on demand, forward index of titled texts. `Source` in memory."""

    def __init__(self, texts: Iterable[tuple[str, str]], analyser: Analyser | None = None) -> None:
        """`texts` are (title, body); their order gives the ordinals."""
        analyser = analyser or Analyser()
        self.vocabulary: dict[str, int] = {}
        terms: list[NDArray[np.uint32]] = []
        places: list[NDArray[np.uint32]] = []
        sizes: list[int] = []
        titles: list[int] = []
        bodies: list[int] = []
        spans: list[int] = []
        for title, body in texts:
            ids, positions, title_length, body_length, span = self._read(analyser, title, body)
            terms.append(np.array(ids, np.uint32))
            places.append(np.array(positions, np.uint32))
            sizes.append(len(ids))
            titles.append(title_length)
            bodies.append(body_length)
            spans.append(span)
        self.lengths = Lengths(np.array(titles, np.float32), np.array(bodies, np.float32))
        self._invert(
            np.concatenate(terms) if terms else np.zeros(0, np.uint32),
            np.concatenate(places) if places else np.zeros(0, np.uint32),
            np.array(sizes, np.int64),
            np.array(spans, np.uint32),
        )

    @classmethod
    def of_terms(cls, documents: Iterable[Sequence[str]]) -> "Index":
        """An index of documents that are already terms, without titles."""
        index = cls(())
        vocabulary = index.vocabulary
        ids = [
            np.array([vocabulary.setdefault(term, len(vocabulary)) for term in terms], np.uint32)
            for terms in documents
        ]
        sizes = np.array([len(row) for row in ids], np.int64)
        index.lengths = Lengths(np.zeros(len(ids), np.float32), sizes.astype(np.float32))
        flat = np.concatenate(ids) if ids else np.zeros(0, np.uint32)
        places = np.arange(len(flat)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        index._invert(flat, places.astype(np.uint32), sizes, np.zeros(len(ids), np.uint32))
        return index

    def _read(
        self, analyser: Analyser, title: str, body: str
    ) -> tuple[list[int], list[int], int, int, int]:
        vocabulary = self.vocabulary
        words, positions, title_length, end = analyser.indexed(title, keep_function_words=True)
        start = end + TITLE_GAP if end else 0
        more, body_positions, body_length, _ = analyser.indexed(body)
        words += more
        positions += [start + position for position in body_positions]
        ids = [vocabulary.setdefault(word, len(vocabulary)) for word in words]
        return ids, positions, title_length, body_length, start

    def _invert(
        self,
        terms: NDArray[np.uint32],
        places: NDArray[np.uint32],
        sizes: NDArray[np.int64],
        spans: NDArray[np.uint32],
    ) -> None:
        documents = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        order = np.argsort(terms, kind="stable")
        terms, documents, places = terms[order], documents[order], places[order]
        fresh = np.ones(len(terms), bool)
        fresh[1:] = (terms[1:] != terms[:-1]) | (documents[1:] != documents[:-1])
        starts = np.flatnonzero(fresh)
        self._positions: Ints = places.astype(np.int32)
        self._starts = np.append(starts, len(terms))
        self._documents: Ints = documents[starts]
        self._terms: Ints = terms[starts].astype(np.int32)
        self._counts: Ints = np.diff(self._starts).astype(np.int32)
        titled = (places < spans[documents]).astype(np.int32) if len(places) else places
        self._in_title: Ints = (
            np.add.reduceat(titled, starts).astype(np.int32) if len(starts) else self._counts
        )
        self._offsets = np.searchsorted(self._terms, np.arange(len(self.vocabulary) + 1))

    def __len__(self) -> int:
        return len(self.lengths)

    @cached_property
    def document_frequencies(self) -> Ints:
        """By term id: in how many documents the term occurs."""
        return np.diff(self._offsets).astype(np.int32)

    def postings(self, terms: Sequence[str]) -> Mapping[str, Postings]:
        numbers = {term: self.vocabulary[term] for term in terms if term in self.vocabulary}
        return {term: self._of(number) for term, number in numbers.items()}

    def all_postings(self) -> Iterable[tuple[str, Postings]]:
        """Every term with its postings, in no useful order."""
        return ((term, self._of(number)) for term, number in self.vocabulary.items())

    def _of(self, number: int) -> Postings:
        low, high = self._offsets[number], self._offsets[number + 1]
        return Postings(
            self._documents[low:high],
            self._counts[low:high],
            self._in_title[low:high],
            (self._positions[self._starts[low] : self._starts[high]],),
        )

    @cached_property
    def words(self) -> list[str]:
        """The vocabulary by id."""
        return list(self.vocabulary)

    @cached_property
    def forward(self) -> tuple[NDArray[np.int64], Ints, Floats]:
        """(offsets by document, term ids, counts): the documents as rows of a sparse matrix."""
        order = np.argsort(self._documents, kind="stable")
        offsets = np.searchsorted(self._documents[order], np.arange(len(self) + 1))
        return offsets, self._terms[order], self._counts[order].astype(np.float32)

    def contents(self, documents: Ints) -> Sequence[Mapping[str, float]]:
        offsets, terms, counts = self.forward
        rows: list[Mapping[str, float]] = []
        for document in documents:
            low, high = offsets[document], offsets[document + 1]
            rows.append(
                dict(
                    zip(
                        (self.words[t] for t in terms[low:high]),
                        counts[low:high].tolist(),
                        strict=True,
                    )
                )
            )
        return rows
