"""An index kept as bytes is the same index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.search.analysis import Analyser
from sightline.search.index import Index
from sightline.search.postings import Ints, Lengths, Postings
from sightline.search.retrieve import Searcher
from sightline.search.segments import (
    Segment,
    SegmentIsDamaged,
    block_of,
    blocks_of,
    join_lengths,
    merge,
    pack,
    read_block,
    read_segments,
    unpack_lengths,
)

WORDS = ["oil", "price", "rise", "bank", "loan", "Zürich", "2024", "e-mail", "the", "plant", "東京"]
texts = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join),
        st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join),
    ),
    max_size=12,
)


def same(one: Postings, other: Postings) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("documents", "counts", "in_title", "positions")
    )


@given(texts)
def test_every_term_comes_back(titled: list[tuple[str, str]]) -> None:
    index = Index(titled)
    segment = pack(index)
    terms = list(index.vocabulary)
    back = read_segments([segment], terms)
    assert back.keys() == index.vocabulary.keys()
    assert all(same(back[term], index.postings([term])[term]) for term in terms)
    lengths = unpack_lengths(segment.lengths)
    assert np.array_equal(lengths.title, index.lengths.title)
    assert np.array_equal(lengths.body, index.lengths.body)
    assert read_segments([segment], ["neverseen"]) == {}


@given(texts, st.data())
def test_merging_is_indexing_what_stays(titled: list[tuple[str, str]], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(titled)))
    gone = data.draw(st.sets(st.integers(0, max(0, len(titled) - 1)))) if titled else set()
    parts = [titled[:cut], titled[cut:]]
    deleted = [
        np.array(sorted(d for d in gone if d < cut), int),
        np.array(sorted(d - cut for d in gone if cut <= d < len(titled)), int),
    ]
    merged = merge([pack(Index(part)) for part in parts], deleted)
    again = pack(Index([text for at, text in enumerate(titled) if at not in gone]))
    assert merged == again


@dataclass
class Kept:
    """A source over segments, which reads no block that a query does not need."""

    segments: Sequence[Segment]
    texts: Sequence[tuple[str, str]]
    analyser: Analyser

    @property
    def lengths(self) -> Lengths:
        return join_lengths([unpack_lengths(segment.lengths) for segment in self.segments])

    def postings(self, terms: Sequence[str]) -> Mapping[str, Postings]:
        partial = [
            Segment(
                one.documents,
                one.block_count,
                {n: one.blocks[n] for n in blocks_of(terms, one.block_count) if n in one.blocks},
                one.lengths,
            )
            for one in self.segments
        ]
        return read_segments(partial, terms)

    def contents(self, documents: Ints) -> Sequence[Mapping[str, float]]:
        return [self.analyser.counts(*self.texts[document]) for document in documents]


@settings(max_examples=60, deadline=None)
@given(texts, st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join))
def test_a_kept_index_answers_as_one_in_memory(titled: list[tuple[str, str]], text: str) -> None:
    analyser = Analyser()
    index = Index(titled, analyser)
    half = len(titled) // 2
    kept = Kept([pack(Index(part)) for part in (titled[:half], titled[half:])], titled, analyser)
    one = Searcher(index.lengths, analyser).search(index, text)
    other = Searcher(kept.lengths, analyser).search(kept, text)
    assert one.documents.tolist() == other.documents.tolist()
    assert np.allclose(one.scores, other.scores)


def test_a_query_reads_a_small_part_of_a_large_index() -> None:
    generator = np.random.default_rng(4)
    titled = [
        ("", " ".join(f"word{n}" for n in generator.zipf(1.3, 60) % 20_000)) for _ in range(2_000)
    ]
    segment = pack(Index(titled))
    sizes = [len(block) for block in segment.blocks.values()]
    assert segment.block_count >= 16
    assert np.median(sizes) < 16_384
    rare = [f"word{n}" for n in (5_001, 7_003, 11_117)]
    read = sum(len(segment.blocks.get(n, b"")) for n in blocks_of(rare, segment.block_count))
    assert read < 0.2 * sum(sizes)
    assert all(0 <= block_of(term, segment.block_count) < segment.block_count for term in rare)


@pytest.mark.parametrize("block", [b"", b"\x01\x00\x00\x00", b"\xff" * 40])
def test_damaged_bytes_are_refused(block: bytes) -> None:
    with pytest.raises(SegmentIsDamaged):
        read_block(block)
