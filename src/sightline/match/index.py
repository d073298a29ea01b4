"""Blocking: selects the few candidates that deserve a closer look.

Names are found by the groups of three letters they share, in their keys and in their consonants, each
group weighted by its rarity. Identifiers, domains and acronyms find their candidates directly.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from sightline.match.features import Matrix, same_area, set_context
from sightline.match.model import shipped_weights
from sightline.match.records import MANY, Block, Candidate, Floats, Ints, Lexicon, make_block
from sightline.match.scoring import Scored, pair_features, scored

LIMIT: Final = 6
"""Candidates of a query that are looked at closely."""
_LETTERS: Final = 38
_CODES: Final = _LETTERS**3
_CONSONANTS_SHARE: Final = 0.5
_NEAR: Final = 0.45
"""Candidates with less than this share of the best one's value are left out."""
_BATCH_CELLS: Final = 200_000
_POSTINGS_BUDGET: Final = 60_000

_TABLE = np.zeros(256, np.int32)
_TABLE[list(range(ord("a"), ord("z") + 1))] = np.arange(1, 27)
_TABLE[list(range(ord("0"), ord("9") + 1))] = np.arange(27, 37)
_TABLE[ord("\n")] = -1
_TABLE[ord("^")] = 37


class Index:
    """Candidates to be asked, not by two threads at once.

    Words that only queries have are kept too, about 300 bytes each: make a new index now and then.
    """

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self.lexicon = Lexicon()
        self.block = make_block(candidates, self.lexicon)
        self.lexicon.count(self.block.words, len(self.block.owner))
        self.lexicon.gram_rarity = self.block.gram_rarity()
        names = len(self.block.owner)
        codes, rows = _grams(self.block)
        order = np.argsort(codes, kind="stable")
        self._rows: Ints = rows[order]
        count = np.bincount(codes, minlength=2 * _CODES)
        self._start = np.concatenate([[0], np.cumsum(count)])
        rarity = np.log((names + 1) / (count + 0.5)).clip(0.1).astype(np.float32)
        rarity[_CODES:] *= _CONSONANTS_SHARE
        self._rarity: Floats = rarity
        self._norm = _norms(codes, rows, rarity, names)
        self._direct = _direct_keys(self.block)
        self._namesakes = _namesakes(self.block)

    def __len__(self) -> int:
        return len(self.block)

    def query(self, record: Candidate, *, limit: int = LIMIT) -> list[Scored]:
        """The best candidates for one record, best first; fewer than ``limit`` if few are like it."""
        return next(iter(self.query_many([record], limit=limit)))

    def query_many(self, records: Sequence[Candidate], *, limit: int = LIMIT) -> list[list[Scored]]:
        """As ``query``, for many records: much faster than one at a time."""
        left_at, right_at, features = self.compare_many(records, limit=limit)
        names = [self.block.ids[row] for row in right_at.tolist()]
        everything = scored(names, features, shipped_weights().lists)
        found: list[list[Scored]] = [[] for _ in records]
        for row, each in zip(left_at.tolist(), everything, strict=True):
            found[row].append(each)
        for each_row in found:
            each_row.sort(key=lambda one: -one.score)
        return found

    def compare_many(
        self, records: Sequence[Candidate], *, limit: int = LIMIT
    ) -> tuple[Ints, Ints, Matrix]:
        """Pairs (places in ``records``, rows of this index) with their features."""
        block = self.read(records)
        left_at, right_at = self._candidates(block, limit)
        features = pair_features(block, left_at, self.block, right_at)
        set_context(features, left_at, right_at, len(records), self._namesakes)
        return left_at, right_at, features

    def read(self, records: Sequence[Candidate]) -> Block:
        """Records as a block that can be compared with this index's."""
        return make_block(records, self.lexicon)

    def _candidates(self, block: Block, limit: int) -> tuple[Ints, Ints]:
        """Pairs of records to look at, by row of block and row of index, each once."""
        if not len(self) or not len(block):
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        codes, rows = _grams(block)
        order = np.argsort(rows, kind="stable")
        codes, rows = codes[order], rows[order]
        starts = np.searchsorted(rows, np.arange(len(block.owner) + 1))
        many = len(self.block.owner) > MANY
        step = 1 if many else max(1, _BATCH_CELLS // len(self.block.owner))
        found: list[tuple[Ints, Ints]] = []
        for first in range(0, len(block.owner), step):
            last = min(first + step, len(block.owner))
            part = slice(starts[first], starts[last])
            if many:
                found.append(self._nearest_of_many(block, first, codes[part], limit))
            else:
                found.append(self._nearest(block, first, last, codes[part], rows[part], limit))
        found.append(self._by_keys(block))
        left = np.concatenate([pair[0] for pair in found]).astype(np.int64)
        right = np.concatenate([pair[1] for pair in found]).astype(np.int64)
        # Not np.unique: without an option it loads numpy.ma, a tenth of a short run.
        both = np.sort(left * len(self) + right)
        both = both[np.diff(both, prepend=-1) > 0]
        return (both // len(self)).astype(np.int32), (both % len(self)).astype(np.int32)

    def _nearest(
        self, block: Block, first: int, last: int, codes: Ints, rows: Ints, limit: int
    ) -> tuple[Ints, Ints]:
        names = len(self.block.owner)
        sizes = self._start[codes + 1] - self._start[codes]
        before = np.cumsum(sizes) - sizes
        at = np.arange(int(sizes.sum())) + np.repeat(self._start[codes] - before, sizes)
        cell = self._rows[at] + np.repeat((rows - first).astype(np.int64) * names, sizes)
        value = np.bincount(
            cell, np.repeat(self._rarity[codes] ** 2, sizes), (last - first) * names
        )
        grid = value.reshape(last - first, names).astype(np.float32) * self._norm
        best = grid.max(axis=1, keepdims=True)
        flat = np.flatnonzero(grid > np.maximum(best * _NEAR, 1e-6))
        row, column = flat // names, flat % names
        near = self._favour_places(grid.ravel()[flat], block, block.owner[row + first], column)
        order = np.lexsort((-near, row))
        row, column = row[order], column[order]
        nth = np.arange(len(row)) - np.searchsorted(row, row)
        kept = nth < limit
        return block.owner[row[kept] + first], self.block.owner[column[kept]]

    def _favour_places(
        self, value: Floats, block: Block, asked: npt.NDArray[Any], names: npt.NDArray[Any]
    ) -> Floats:
        """Among like names those of the same city and country come first."""
        owner = self.block.owner[names]
        city, country = block.city[asked], block.country[asked]
        near_city = (self.block.city[owner] == city) & (city > 0)
        near_city |= same_area(block.areas[asked], self.block.areas[owner])
        near_country = (self.block.country[owner] == country) & (country > 0)
        favoured: Floats = value * (1 + 0.15 * near_city) * (1 + 0.05 * near_country)
        return favoured.astype(np.float32)

    def _nearest_of_many(
        self, block: Block, name: int, codes: Ints, limit: int
    ) -> tuple[Ints, Ints]:
        """One name against very many: rarest groups first, until enough postings are read."""
        sizes = self._start[codes + 1] - self._start[codes]
        order = np.argsort(sizes, kind="stable")
        read = np.cumsum(sizes[order])
        kept = order[: max(3, int(np.searchsorted(read, _POSTINGS_BUDGET)))]
        parts = [self._rows[self._start[code] : self._start[code + 1]] for code in codes[kept]]
        if not parts:
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        found, back = np.unique(np.concatenate(parts), return_inverse=True)
        total = np.bincount(back, np.repeat(self._rarity[codes[kept]] ** 2, sizes[kept]))
        record = block.owner[name]
        value = (total * self._norm[found]).astype(np.float32)
        value = self._favour_places(value, block, np.full(len(value), record), found)
        if not len(value):
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        near = np.flatnonzero(value > value.max() * _NEAR)
        best = near[np.argsort(-value[near], kind="stable")[:limit]]
        return np.full(len(best), record, np.int32), self.block.owner[found[best]]

    def _by_keys(self, block: Block) -> tuple[Ints, Ints]:
        left: list[int] = []
        right: list[int] = []
        for text, row in _direct_pairs(block):
            for other in self._direct.get(text, ()):
                left.append(row)
                right.append(other)
        return np.array(left, np.int32), np.array(right, np.int32)


def _namesakes(block: Block) -> float:
    """The share of records that have a name in common with a record in another city."""
    cities: dict[str, int] = {}
    shared: set[str] = set()
    owners = block.city[block.owner].tolist()
    for name, city in zip(block.squeezed, owners, strict=True):
        if city and cities.setdefault(name, city) != city:
            shared.add(name)
    found = sum(name in shared for name in block.squeezed)
    return found / max(len(block.squeezed), 1)


def _grams(block: Block) -> tuple[Ints, Ints]:
    """Codes of groups of three letters, and the name each is of; repeated groups stay repeated."""
    keys = _codes(["^" + text for text in block.joined])
    bare = _codes(["^" + text for text in block.consonants])
    codes = np.concatenate([keys[0], bare[0] + _CODES])
    return codes.astype(np.int32), np.concatenate([keys[1], bare[1]]).astype(np.int32)


def _codes(texts: list[str]) -> tuple[Ints, Ints]:
    joined = np.frombuffer("\n".join(texts).encode("ascii", "replace"), np.uint8)
    letters = _TABLE[joined]
    row = np.cumsum(letters < 0, dtype=np.int32)
    if len(letters) < 3:
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    a, b, c = letters[:-2], letters[1:-1], letters[2:]
    whole = (a >= 0) & (b >= 0) & (c >= 0)
    codes = (a * _LETTERS + b) * _LETTERS + c
    return codes[whole], row[:-2][whole]


def _norms(codes: Ints, rows: Ints, rarity: Floats, names: int) -> Floats:
    square = np.bincount(rows, rarity[codes] ** 2, names)
    norms: Floats = (1 / np.sqrt(square.clip(1e-6))).astype(np.float32)
    return norms


def _direct_pairs(block: Block) -> Iterator[tuple[str, int]]:
    """Keys that find a record at once: identifiers, domain, initials and very short names."""
    texts = block.lexicon.text_list
    for column, mark in ((block.domain, "d"), (block.ticker, "t"), (block.lei, "l")):
        for row in np.flatnonzero(column).tolist():
            yield f"{mark}:{texts[column[row]]}", row
    for name, whole in enumerate(block.bare):
        if 3 <= len(whole) <= 8:
            yield f"a:{whole}", int(block.owner[name])
    for name, several in enumerate(block.initials):
        for initials in several:
            yield f"a:{initials}", int(block.owner[name])


_MOST_OF_ONE_KEY: Final = 20


def _direct_keys(block: Block) -> dict[str, list[int]]:
    """Records by key; a key of very many records finds none."""
    found: dict[str, list[int]] = {}
    for text, row in _direct_pairs(block):
        rows = found.setdefault(text, [])
        if len(rows) <= _MOST_OF_ONE_KEY:
            rows.append(row)
    return {text: rows for text, rows in found.items() if len(rows) <= _MOST_OF_ONE_KEY}
