"""A field over all accounts of a segment: its distinct values in order, and the accounts of each.

Documents are accounts numbered by id. A document's place in a sort order is its position there; sets are
roaring bitmaps of positions, so that a page of any depth is read by rank.
"""

import heapq
import json
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from pyroaring import BitMap

from sightline.domain.prose import folded, words

# From so many documents on, a set is put together from bitmaps rather than from the documents themselves.
MANY = 4_096
# A field of so few distinct values has a bitmap for each.
FEW_VALUES = 512
# A set of more than one in so many is put together from a flag for each document.
DENSE = 16
# Kinds of which a document may have several values.
SEVERAL = ("words", "prose")
# Values that are sorted at once: meanwhile no other thread runs.
SORTED_AT_ONCE = 4_096

_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def bitmap(numbers: Any) -> BitMap:
    """A bitmap of an array of uint32; an array of Python's own is what pyroaring copies whole."""
    buffer = array("I")
    buffer.frombytes(np.ascontiguousarray(numbers, dtype=np.uint32).tobytes())
    return BitMap(buffer)


def packed(flags: Any) -> BitMap:
    """The bitmap of the numbers whose flag is set, ten times sooner than from the numbers:
    written as roaring's portable format has it (github.com/RoaringBitmap/RoaringFormatSpec)."""
    bits = np.zeros((len(flags) + 65_535) // 65_536 * 8_192, dtype=np.uint8)
    bits[: (len(flags) + 7) // 8] = np.packbits(flags, bitorder="little")
    chunks = bits.reshape(-1, 8_192)
    sizes = np.bitwise_count(chunks.view(np.uint64)).sum(axis=1, dtype=np.int64)
    keys = np.flatnonzero(sizes)
    parts = [
        chunks[key].tobytes()
        if sizes[key] > 4_096
        else np.flatnonzero(np.unpackbits(chunks[key], bitorder="little")).astype("<u2").tobytes()
        for key in keys
    ]
    head = np.array([12_346, len(keys)], dtype="<u4").tobytes()
    head += np.column_stack([keys, sizes[keys] - 1]).astype("<u2").tobytes()
    lengths = [len(head) + 4 * len(keys), *map(len, parts)]
    starts = np.cumsum(lengths)[:-1].astype("<u4").tobytes()
    return BitMap.deserialize(b"".join([head, starts, *parts]))


def everything(size: int) -> BitMap:
    """The bitmap of all numbers below `size`."""
    found = BitMap()
    found.add_range(0, size)
    return found


def unescaped(raw: bytes) -> bytes:
    """A value of COPY's text format as it is."""
    if b"\\" not in raw:
        return raw
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[1]), raw)


def in_order(values: Iterable[Any]) -> list[Any]:
    """Values sorted, a few thousand at a time."""
    held = list(values)
    runs = [sorted(held[n : n + SORTED_AT_ONCE]) for n in range(0, len(held), SORTED_AT_ONCE)]
    return list(heapq.merge(*runs))


class Texts(Sequence[bytes]):
    """Sorted texts in one piece of memory. No text holds a NUL: PostgreSQL keeps none."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        self.blob = b"\0" + b"\0".join(texts) + b"\0"
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        self.ends = np.cumsum(lengths + 1)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, n: Any) -> Any:
        return self.blob[(int(self.ends[n - 1]) if n else 0) + 1 : int(self.ends[n])]

    def containing(self, part: bytes) -> Any:
        """The numbers of the texts that hold `part`, ascending."""
        found, at = [], self.blob.find(part)
        while at >= 0:
            found.append(at)
            at = self.blob.find(part, at + 1)
        return np.unique(np.searchsorted(self.ends, np.array(found, dtype=np.int64)))

    @property
    def nbytes(self) -> int:
        return len(self.blob) + self.ends.nbytes


class Coder:
    """Numbers the distinct values of a field in the order they come in."""

    def __init__(self) -> None:
        self.known: dict[bytes | None, int] = {}
        self.codes = array("I")

    def __len__(self) -> int:
        return len(self.codes)

    def extend(self, values: Iterable[bytes | None]) -> None:
        known = self.known
        self.codes.extend([known.setdefault(value, len(known)) for value in values])


class WordCoder:
    """Numbers the distinct words of prose in the order they come in; `counts` of them by document."""

    def __init__(self) -> None:
        self.known: dict[bytes, int] = {}
        self.codes, self.counts = array("I"), array("I")

    def __len__(self) -> int:
        return len(self.counts)

    def extend(self, values: Iterable[bytes | None]) -> None:
        known, codes = self.known, self.codes
        for text in values:
            found = set(words(unescaped(text))) if text else ()
            codes.extend([known.setdefault(word, len(known)) for word in found])
            self.counts.append(len(found))


class Column:
    """A field: `values` sorted; `docs` by value, those of value n from starts[n] to starts[n + 1].

    The last value stands for none at all. `kind` is that of domain.filters; documents have one value
    each, but for those of the kinds in SEVERAL.
    """

    def __init__(self, kind: str, coder: Coder | WordCoder) -> None:
        self.kind, self.size = kind, len(coder)
        values, docs, codes = _parts(kind, coder)
        self.values: Any = values
        keys = codes.astype(np.uint64)
        keys <<= 32
        keys |= docs
        del docs, codes  # they are large
        keys.sort()
        self.docs = keys.astype(np.uint32)
        firsts = np.arange(len(values) + 2, dtype=np.uint64) << 32
        self.starts = np.searchsorted(keys, firsts).astype(np.uint32)
        self._each: dict[str, list[BitMap]] = {}
        self._slices: dict[str, list[BitMap]] = {}

    def __len__(self) -> int:
        """How many distinct values there are."""
        return len(self.values)

    def codes(self) -> Any:
        """Document -> the number of its value; of a field with one value a document."""
        found = np.empty(self.size, dtype=np.uint32)
        found[self.docs] = np.repeat(
            np.arange(len(self) + 1, dtype=np.uint32), np.diff(self.starts)
        )
        return found

    def at_least(self, value: Any) -> int:
        """The number of the first value that is not below `value`."""
        return self._bisect(value, "left")

    def above(self, value: Any) -> int:
        """The number of the first value that is above `value`."""
        return self._bisect(value, "right")

    def _bisect(self, value: Any, side: Any) -> int:
        if isinstance(self.values, Texts):
            return (bisect_left if side == "left" else bisect_right)(self.values, value)
        return int(np.searchsorted(self.values, value, side))

    def between(self, first: int, last: int, order: "Places") -> BitMap:
        """Who has a value numbered from `first` to before `last`, as positions in an order."""
        first, last = min(first, len(self) + 1), min(last, len(self) + 1)
        start, end = int(self.starts[first]), int(self.starts[max(first, last)])
        if len(self) <= FEW_VALUES and end > start:
            each = self._bitmaps(order)[first:last]
            return each[0] if len(each) == 1 else BitMap.union(*each)
        if self.kind in SEVERAL and end - start > self.size // DENSE:
            here = np.zeros(self.size, dtype=bool)
            here[self.docs[start:end]] = True
            return packed(here.take(order.docs))
        if end - start < MANY or self.kind in SEVERAL:
            return bitmap(np.sort(order.positions[self.docs[start:end]]))
        return self._below(last, order) - self._below(first, order)

    def equal_to(self, values: Iterable[Any], order: "Places") -> BitMap:
        """Who has one of these values."""
        numbers = {self.at_least(each) for each in values if self.at_least(each) < self.above(each)}
        return self.of(np.array(sorted(numbers), dtype=np.int64), order)

    def of(self, numbers: Any, order: "Places") -> BitMap:
        """Who has one of these values, given by their numbers."""
        if len(numbers) == 1:
            return self.between(int(numbers[0]), int(numbers[0]) + 1, order)
        if len(self) <= FEW_VALUES:
            return BitMap.union(BitMap(), *(self._bitmaps(order)[n] for n in numbers))
        wanted = np.zeros(len(self) + 1, dtype=bool)
        wanted[numbers] = True
        return bitmap(order.positions[self.docs[np.repeat(wanted, np.diff(self.starts))]])

    def _bitmaps(self, order: "Places") -> list[BitMap]:
        found = self._each.get(order.name)
        if found is None:
            positions = order.positions[self.docs]
            found = [
                bitmap(positions[start:end])
                for start, end in zip(self.starts[:-1], self.starts[1:], strict=True)
            ]
            self._each[order.name] = found
        return found

    def _below(self, number: int, order: "Places") -> BitMap:
        """Whose value is numbered below: from one bitmap for each binary digit of the numbers."""
        slices = self._slices.get(order.name)
        if slices is None:
            codes = self.codes()[order.docs]
            width = len(self).bit_length()
            slices = [bitmap(np.flatnonzero((codes >> n & 1).astype(bool))) for n in range(width)]
            self._slices[order.name] = slices
        if number > len(self):
            return order.all
        below = BitMap()
        for digit, ones in enumerate(slices):
            below = order.all - (ones - below) if number >> digit & 1 else below - ones
        return below

    @property
    def nbytes(self) -> int:
        made = [
            each for held in (self._each, self._slices) for maps in held.values() for each in maps
        ]
        return int(
            self.values.nbytes + self.docs.nbytes + self.starts.nbytes + sum(map(size_of, made))
        )


class Places:
    """A sort order: `docs` by position, `positions` by document, and the `keys` by position.

    A key is twice the number of the value, plus one: even keys stand between the values there are.
    `absent` is what accounts without a value are ordered as, a value like the others then; None: after
    all the others.
    """

    def __init__(self, name: str, column: Column, *, absent: Any = None) -> None:
        self.name, self.column, self.absent = name, column, absent
        first = len(column) if absent is None else column.at_least(absent)
        self._is_between = absent is not None and column.above(absent) == first
        codes = column.codes().astype(np.int64)
        keys = 2 * (codes + (codes >= first) * self._is_between) + 1
        keys[column.docs[column.starts[-2] :]] = self.key_of(None)
        self.docs = np.argsort(keys, kind="stable").astype(np.uint32)
        self.keys = keys[self.docs].astype(np.uint32)
        self.positions = np.empty(column.size, dtype=np.uint32)
        self.positions[self.docs] = np.arange(column.size, dtype=np.uint32)
        self.all = everything(column.size)

    def key_of(self, value: Any) -> int:
        """Where a value stands, whether or not an account of this segment has it."""
        if value is None and self.absent is None:
            return 2 * len(self.column) + 1
        wanted = self.absent if value is None else value
        number = self.column.at_least(wanted)
        is_there = self.column.above(wanted) > number or wanted == self.absent
        return 2 * (number + int(self._is_between and wanted > self.absent)) + int(is_there)

    @property
    def nbytes(self) -> int:
        return int(self.docs.nbytes + self.keys.nbytes + self.positions.nbytes)


def size_of(made: BitMap) -> int:
    """Bytes of a bitmap, roughly."""
    facts = made.get_statistics()
    return 100 + int(
        facts["n_bytes_array_containers"]
        + facts["n_bytes_run_containers"]
        + facts["n_bytes_bitset_containers"]
    )


_READ: dict[str, Any] = {
    "number": float,
    "time": int,
    "text": lambda raw: folded(unescaped(raw)),
}


def _parts(kind: str, coder: Coder | WordCoder) -> tuple[Any, Any, Any]:
    """The distinct values in order, and (document, number of a value) for each that one has."""
    if isinstance(coder, WordCoder):
        return _prose(coder)
    codes, docs = _numbers(coder.codes), np.arange(len(coder), dtype=np.uint32)
    raw = list(coder.known)
    coder.known = {}
    if kind == "words":
        return _listed(raw, codes, docs)
    read = _READ.get(kind, unescaped)
    each_read = [None if each is None else read(each) for each in raw]
    values: Any = in_order({each for each in each_read if each is not None})
    number = {value: n for n, value in enumerate(values)}
    numbers = np.array([number.get(each, len(values)) for each in each_read], dtype=np.uint32)
    if kind in ("number", "time"):
        values = np.array(values, dtype=np.float64 if kind == "number" else np.int64)
    else:
        values = Texts(values)
    return values, docs, numbers[codes]


def _prose(coder: WordCoder) -> tuple[Texts, Any, Any]:
    counts, codes = _numbers(coder.counts), _numbers(coder.codes)
    known = in_order(coder.known)
    places = _places([coder.known[word] for word in known], len(known))
    coder.known = {}
    docs = np.arange(len(counts), dtype=np.uint32)
    none = docs[counts == 0]
    numbers = np.concatenate([places[codes], np.full(len(none), len(known), dtype=np.uint32)])
    return Texts(known), np.concatenate([np.repeat(docs, counts), none]), numbers


def _places(order: list[int], size: int) -> Any:
    """Code -> where it stands in an order; codes that are not in it come after all."""
    found = np.full(size, len(order), dtype=np.uint32)
    found[order] = np.arange(len(order), dtype=np.uint32)
    return found


def _numbers(codes: Any) -> Any:
    return np.frombuffer(codes, dtype=np.uint32) if codes else np.empty(0, np.uint32)


def _words_of(raw: bytes | None) -> set[bytes]:
    return {folded(str(word).encode()) for word in json.loads(unescaped(raw))} if raw else set()


def _listed(raw: list[bytes | None], codes: Any, docs: Any) -> tuple[Texts, Any, Any]:
    """The distinct words of JSON arrays, and (document, number of a word) for each that one has."""
    sets = [_words_of(each) for each in raw]
    values = in_order({word for each in sets for word in each})
    number = {value: n for n, value in enumerate(values)}
    of_list = [
        np.array(sorted(number[word] for word in each) or [len(values)], np.uint32) for each in sets
    ]
    lengths = np.array([len(each) for each in of_list], dtype=np.int64)
    if not len(codes):
        return Texts(values), docs, codes
    return (
        Texts(values),
        np.repeat(docs, lengths[codes]),
        np.concatenate([of_list[n] for n in codes]),
    )
