"""An index as bytes: what a store keeps of a company's passages, and reads a few kilobytes of per query.

The postings of all terms are shared out, by a checksum of the term, over as many blocks as make one
block about 1.5 KB, so that most lie in a row of the store itself and a query for a hundred terms reads
little else. A query reads the blocks of its own terms and the lengths, never the whole index.
New passages come as further segments beside the old; `merge` makes one of many and drops what was
deleted. Numbers are little-endian, each array in the narrowest width that holds it.
"""

import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.search.index import Index
from sightline.search.postings import Ints, Lengths, Postings

BLOCK_BYTES = 2048
MAX_SEGMENTS = 4  # more than these are merged: every query reads a block per term and segment
_HEAD = struct.Struct("<II")  # of a block: names, bytes of them; of a term: documents, occurrences
_WIDTHS = (np.dtype("u1"), np.dtype("<u2"), np.dtype("<u4"))
_ALL_ONES = 3  # width code of an array that is left out: all ones (counts) or all zeros (titles)


@dataclass(frozen=True, slots=True)
class Segment:
    """`blocks` by number; `block_count` is a power of two, a block without terms is left out."""

    documents: int
    block_count: int
    blocks: Mapping[int, bytes]
    lengths: bytes


class SegmentIsDamaged(ValueError):
    """The bytes are not those of a segment of this layout."""


def pack(index: Index) -> Segment:
    """The index as bytes."""
    return _write(len(index), dict(index.all_postings()), pack_lengths(index.lengths))


def block_of(term: str, block_count: int) -> int:
    """The number of the block that has the term, if the segment has it at all."""
    return zlib.crc32(term.encode()) & (block_count - 1)


def pack_lengths(lengths: Lengths) -> bytes:
    """Two arrays of 16 bits a document, titles first. Longer documents count as 65,535 words."""
    both = np.concatenate((lengths.title, lengths.body))
    return np.minimum(both, 65_535).astype("<u2").tobytes()


def unpack_lengths(packed: bytes) -> Lengths:
    both = np.frombuffer(packed, "<u2").astype(np.float32)
    half = len(both) // 2
    return Lengths(both[:half], both[half:])


def join_lengths(parts: Sequence[Lengths]) -> Lengths:
    """Lengths over several segments, in their order."""
    empty = np.zeros(0, np.float32)
    return Lengths(
        np.concatenate([empty, *(part.title for part in parts)]),
        np.concatenate([empty, *(part.body for part in parts)]),
    )


def read_block(block: bytes, terms: Iterable[str] | None = None) -> dict[str, Postings]:
    """Postings of those `terms` that the block has; of all its terms without `terms`."""
    try:
        count, names_size = _HEAD.unpack_from(block)
        names = block[_HEAD.size : _HEAD.size + names_size]
        offsets = np.frombuffer(block, "<u4", count + 1, _HEAD.size + names_size)
        base = _HEAD.size + names_size + 4 * (count + 1)
        places = _all_names(names) if terms is None else _places(names, terms)
        return {
            name: _unpack(block[base + int(offsets[at]) : base + int(offsets[at + 1])])
            for name, at in places.items()
        }
    except (ValueError, IndexError, struct.error) as error:
        raise SegmentIsDamaged(str(error)) from error


def _all_names(names: bytes) -> dict[str, int]:
    return {name: at for at, name in enumerate(names.decode().split("\n"))}


def _places(names: bytes, terms: Iterable[str]) -> dict[str, int]:
    """Of the terms that are among the names, the places. A block has hundreds of names and is asked for
    one or two, so they are sought in the bytes."""
    lines = b"\n" + names + b"\n"
    found = {}
    for term in terms:
        at = lines.find(b"\n" + term.encode() + b"\n")
        if at >= 0:
            found[term] = lines.count(b"\n", 0, at)
    return found


def blocks_of(terms: Iterable[str], block_count: int) -> list[int]:
    """The blocks to read for these terms, each once, in order."""
    return sorted({block_of(term, block_count) for term in terms})


def read_segments(segments: Sequence[Segment], terms: Sequence[str]) -> dict[str, Postings]:
    """Postings over several segments, whose documents are numbered one segment after the other. Of each
    segment only the blocks of the terms are looked at, so a store need not have read the others."""
    found: dict[str, list[Postings]] = {}
    first = 0
    for segment in segments:
        by_block: dict[int, list[str]] = {}
        for term in terms:
            by_block.setdefault(block_of(term, segment.block_count), []).append(term)
        for number, wanted in by_block.items():
            if number in segment.blocks:
                for term, postings in read_block(segment.blocks[number], wanted).items():
                    found.setdefault(term, []).append(shift(postings, first))
        first += segment.documents
    return {term: join_postings(parts) for term, parts in found.items()}


def merge(segments: Sequence[Segment], deleted: Sequence[NDArray[np.integer]]) -> Segment:
    """One segment of many; `deleted` lists for each the documents to leave out. The documents that stay
    keep their order and are numbered anew."""
    keep = []
    for segment, gone in zip(segments, deleted, strict=True):
        stays = np.ones(segment.documents, bool)
        stays[gone] = False
        keep.append(stays)
    numbers = np.cumsum(np.concatenate([*keep, np.zeros(0, bool)])) - 1
    terms: dict[str, list[Postings]] = {}
    start = 0
    for segment, stays in zip(segments, keep, strict=True):
        renumbered = numbers[start : start + segment.documents]
        for block in segment.blocks.values():
            for term, postings in read_block(block).items():
                kept = _kept(postings, stays, renumbered)
                if len(kept):
                    terms.setdefault(term, []).append(kept)
        start += segment.documents
    lengths = [unpack_lengths(segment.lengths) for segment in segments]
    merged = Lengths(
        np.concatenate([one.title[stays] for one, stays in zip(lengths, keep, strict=True)]),
        np.concatenate([one.body[stays] for one, stays in zip(lengths, keep, strict=True)]),
    )
    joined = {term: join_postings(parts) for term, parts in terms.items()}
    return _write(len(merged), joined, pack_lengths(merged))


def join_postings(parts: Sequence[Postings]) -> Postings:
    """Postings of one term from several segments, already numbered one after the other."""
    if len(parts) == 1:
        return parts[0]
    return Postings(
        np.concatenate([part.documents for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.in_title for part in parts]),
        tuple(piece for part in parts for piece in part.occurrences),
    )


def shift(postings: Postings, first: int) -> Postings:
    """The same postings where document 0 is number `first`."""
    moved = (postings.documents + first).astype(np.int32)
    return Postings(moved, postings.counts, postings.in_title, postings.occurrences)


def _kept(postings: Postings, stays: NDArray[np.bool_], numbers: NDArray[np.integer]) -> Postings:
    kept = stays[postings.documents]
    occurrences = np.repeat(kept, postings.counts)
    return Postings(
        numbers[postings.documents[kept]].astype(np.int32),
        postings.counts[kept],
        postings.in_title[kept],
        (postings.positions[occurrences],),
    )


def _write(documents: int, terms: Mapping[str, Postings], lengths: bytes) -> Segment:
    packed = {term: _pack(postings) for term, postings in terms.items()}
    size = sum(len(term) + 5 + len(data) for term, data in packed.items())
    block_count = 1 << max(0, (size // BLOCK_BYTES - 1).bit_length() if size > BLOCK_BYTES else 0)
    shared: dict[int, list[str]] = {}
    for term in sorted(packed):
        shared.setdefault(block_of(term, block_count), []).append(term)
    blocks = {number: _block(names, packed) for number, names in sorted(shared.items())}
    return Segment(documents, block_count, blocks, lengths)


def _block(names: Sequence[str], packed: Mapping[str, bytes]) -> bytes:
    listed = "\n".join(names).encode()
    offsets = np.cumsum([0, *(len(packed[name]) for name in names)]).astype("<u4")
    head = np.array([len(names), len(listed)], "<u4")
    return b"".join([head.tobytes(), listed, offsets.tobytes(), *(packed[name] for name in names)])


def _pack(postings: Postings) -> bytes:
    gaps = np.diff(postings.documents, prepend=np.int32(0))
    counts = None if np.all(postings.counts == 1) else postings.counts
    titles = None if not np.any(postings.in_title) else postings.in_title
    positions = postings.positions
    arrays = (gaps, counts, titles, positions)
    codes = [_ALL_ONES if array is None else _width(array) for array in arrays]
    head = bytes([codes[0] | codes[1] << 2 | codes[2] << 4 | codes[3] << 6])
    sizes = np.array([len(postings.documents), len(positions)], "<u4").tobytes()
    return b"".join(
        [
            head,
            sizes,
            *(
                array.astype(_WIDTHS[code]).tobytes()
                for array, code in zip(arrays, codes, strict=True)
                if array is not None
            ),
        ]
    )


def _unpack(data: bytes) -> Postings:
    head = data[0]
    documents, occurrences = _HEAD.unpack_from(data, 1)
    at = 1 + _HEAD.size
    arrays: list[NDArray[np.integer] | None] = []
    for size in (documents, documents, documents, occurrences):
        code, head = head & 3, head >> 2
        if code == _ALL_ONES:
            arrays.append(None)
            continue
        arrays.append(np.frombuffer(data, _WIDTHS[code], size, at))
        at += size * _WIDTHS[code].itemsize
    gaps, counts, titles, positions = arrays
    if gaps is None or positions is None:
        raise SegmentIsDamaged("postings without documents or positions")
    return Postings(
        np.cumsum(gaps, dtype=np.int32),
        np.ones(documents, np.int32) if counts is None else counts.astype(np.int32),
        np.zeros(documents, np.int32) if titles is None else titles.astype(np.int32),
        (positions,),
    )


def _width(array: Ints) -> int:
    top = int(array.max()) if len(array) else 0
    return 0 if top < 256 else 1 if top < 65_536 else 2
