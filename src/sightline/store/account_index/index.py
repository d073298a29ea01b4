"""The index of an organization's accounts: a large segment, and a small one with later changes."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from pyroaring import BitMap

from sightline.domain.filters import Condition, Filter
from sightline.store.account_index.columns import Places, bitmap
from sightline.store.account_index.segment import Gathering, Order, Raw, Segment, taken_apart

# Changed accounts that are kept beside the large segment; with more, all is built again.
LEAST_CHANGED = 2_000
SHARE_CHANGED = 50  # a fiftieth of the accounts


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an index has seen: a snapshot, of the server that began at that moment."""

    snapshot: str
    server: str


class Changes(NamedTuple):
    """What happened after a stamp, up to another."""

    stamp: Stamp
    accounts: Sequence[UUID] = ()  # changed, made or gone
    rows: Sequence[Raw] = ()  # of those that are there
    groups: Sequence[tuple[str, str]] = ()  # lists and territories whose members changed


class Window(NamedTuple):
    """A page's ids, and how many accounts match in all."""

    ids: list[UUID]
    total: int


@dataclass
class Group:
    """The members of a list or a territory: their ids, sorted, and their places in the large segment."""

    ids: Any
    placed: dict[str, BitMap] = field(default_factory=dict)


class Recent:
    """The accounts that changed since the large segment was made."""

    def __init__(self, rows: Mapping[bytes, Raw], base: Segment) -> None:
        gathering = Gathering(taken_apart=True)
        gathering.add(rows[each] for each in sorted(rows))
        self.segment = gathering.segment()
        self._base = base
        self._ahead: dict[Order, list[int]] = {}

    def ahead(self, order: Order) -> list[int]:
        """Position among the recent -> how many accounts of the large segment come before."""
        found = self._ahead.get(order)
        if found is None:
            base, own = self._base.places(order), self.segment.places(order)
            codes, values = own.column.codes(), own.column.values
            found = []
            for document in own.docs.tolist():
                code = int(codes[document])
                value = values[code] if code < len(own.column) else None
                account_id = self.segment.id_of(document)
                found.append(self._base.locate(base, base.key_of(value), account_id))
            self._ahead[order] = found
        return found


@dataclass
class AccountIndex:
    """Answers what a filter holds for, in an order. Not safe for threads: the event loop's alone."""

    base: Segment
    stamp: Stamp
    groups: dict[tuple[str, str], Group] = field(default_factory=dict)
    dropped: int = 0  # groups that changed so far
    _rows: dict[bytes, Raw] = field(default_factory=dict)  # of accounts that changed
    _gone: BitMap = field(default_factory=BitMap)  # documents of the base that hold no longer
    _gone_placed: dict[str, BitMap] = field(default_factory=dict)
    _recent: Recent | None = None

    def saw(self, stamp: Stamp, later: Stamp) -> None:
        """Nothing changed since a stamp, up to a later one."""
        if self.stamp is stamp and later.snapshot != stamp.snapshot:
            self.stamp = later

    def apply(self, changes: Changes) -> None:
        """Take what changed since the stamp."""
        self.stamp = changes.stamp
        self.dropped += len(changes.groups)
        for group in changes.groups:
            self.groups.pop(group, None)
        if not changes.accounts:
            return
        ids = [each.bytes for each in changes.accounts]
        for each in ids:
            self._rows.pop(each, None)
        self._gone |= bitmap(self.base.documents(np.array(sorted(ids), dtype="S16")))
        self._gone_placed = {}
        for row in changes.rows:
            assert row[0] is not None
            self._rows[UUID(row[0].decode()).bytes] = taken_apart(row)
        self._recent = Recent(self._rows, self.base) if self._rows else None

    @property
    def is_outgrown(self) -> bool:
        """Whether so much changed that it should be built again."""
        changed = max(len(self._rows), len(self._gone))
        return changed > max(LEAST_CHANGED, len(self.base) // SHARE_CHANGED)

    def page(
        self,
        wanted: Filter,
        order: Order,
        *,
        descending: bool,
        after: tuple[Any, UUID] | None,
        offset: int,
        limit: int,
    ) -> Window:
        """The ids of a page, and the total. `after` is the value and id that the page comes after."""
        found = _Found(self, wanted, order)
        total = found.total
        begin, end = 0, total
        if after is not None:
            value, account_id = after
            before = found.before(value, account_id.bytes)
            if descending:
                end = before
            else:
                begin = before + found.has(account_id.bytes, before)
        if descending:
            end = max(0, end - offset)
            begin = max(0, end - limit)
            return Window(found.ids(begin, end)[::-1], total)
        begin += offset
        return Window(found.ids(begin, min(end, begin + limit)), total)

    def facet(self, wanted: Filter, order: Order, column: str) -> dict[bytes | None, int]:
        """Value of a field -> how many matching accounts have it; None for those without."""
        found = _Found(self, wanted, order)
        counts: dict[bytes | None, int] = {}
        for segment, places, matching in found.parts():
            made = segment.column(column)
            for n in range(len(made) + 1):
                value = made.values[n] if n < len(made) else None
                here = matching.intersection_cardinality(made.between(n, n + 1, places))
                if here:
                    counts[value] = counts.get(value, 0) + here
        return counts

    def members(self, condition: Condition, segment: Segment, places: Places) -> BitMap:
        """The accounts in one of the lists or territories that a condition names."""
        found = BitMap()
        for each in condition.values:
            group = self.groups[condition.field, str(each)]
            placed = group.placed.get(places.name) if segment is self.base else None
            if placed is None:
                placed = bitmap(places.positions[segment.documents(group.ids)])
                if segment is self.base:
                    group.placed[places.name] = placed
            found |= placed
        return found

    def gone(self, places: Places) -> BitMap:
        """The accounts of the base that changed, as positions."""
        found = self._gone_placed.get(places.name)
        if found is None:
            found = bitmap(places.positions[self._gone.to_array()])
            self._gone_placed[places.name] = found
        return found

    @property
    def recent(self) -> Recent | None:
        return self._recent

    @property
    def nbytes(self) -> int:
        rows = sum(len(value or b"") + 50 for row in self._rows.values() for value in row)
        groups: list[int] = [group.ids.nbytes for group in self.groups.values()]
        return self.base.nbytes + rows + sum(groups)


class _Found:
    """What matches, as the matches of the base with those of the recent accounts in between."""

    def __init__(self, index: AccountIndex, wanted: Filter, order: Order) -> None:
        self._base, self._recent, self._order = index.base, index.recent, order
        self._places = index.base.places(order)
        self._old = index.base.matching(wanted, self._places, index.members) - index.gone(
            self._places
        )
        self._new = BitMap()
        if self._recent is not None:
            segment = self._recent.segment
            self._new = segment.matching(wanted, segment.places(order), index.members)

    @property
    def total(self) -> int:
        return len(self._old) + len(self._new)

    def parts(self) -> list[tuple[Segment, Places, BitMap]]:
        parts = [(self._base, self._places, self._old)]
        if self._recent is not None:
            segment = self._recent.segment
            parts.append((segment, segment.places(self._order), self._new))
        return parts

    def before(self, value: Any, account_id: bytes) -> int:
        """How many matches come before a value and id."""
        count = 0
        for segment, places, matching in self.parts():
            place = segment.locate(places, places.key_of(value), account_id)
            count += _rank(matching, place)
        return count

    def has(self, account_id: bytes, number: int) -> bool:
        """Whether the match of this number is the account."""
        return [each.bytes for each in self.ids(number, number + 1)] == [account_id]

    def ids(self, begin: int, end: int) -> list[UUID]:
        """The ids of the matches numbered from `begin` to before `end`."""
        if end <= begin:
            return []
        if not self._new:
            return self._base_ids(begin, end)
        found: list[UUID] = []
        merged = self._merged
        n = bisect_left(merged, begin)
        at = begin
        while at < min(end, self.total):
            until = min(end, merged[n]) if n < len(merged) else min(end, self.total)
            found += self._base_ids(at - n, until - n)
            at = until
            if n < len(merged) and at == merged[n] and at < end:
                found.append(self._recent_id(n))
                n, at = n + 1, at + 1
        return found

    @cached_property
    def _merged(self) -> list[int]:
        """The numbers that the matches among the recent have among all."""
        assert self._recent is not None
        ahead = self._recent.ahead(self._order)
        return [_rank(self._old, ahead[place]) + n for n, place in enumerate(self._new)]

    def _base_ids(self, begin: int, end: int) -> list[UUID]:
        documents = self._places.docs[self._old[begin:end].to_array()] if end > begin else ()
        return [UUID(bytes=self._base.id_of(each)) for each in documents]

    def _recent_id(self, number: int) -> UUID:
        assert self._recent is not None
        segment = self._recent.segment
        document = segment.places(self._order).docs[self._new[number]]
        return UUID(bytes=segment.id_of(int(document)))


def _rank(matching: BitMap, place: int) -> int:
    """How many of the positions come before a place."""
    return int(matching.rank(place - 1)) if place else 0
