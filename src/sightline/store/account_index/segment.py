"""Accounts as columns, and the filter language over them. A segment is immutable."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple

import numpy as np
from pyroaring import BitMap

from sightline.domain.filters import FIELDS, Condition, Filter
from sightline.domain.names import search_terms
from sightline.domain.prose import folded, words
from sightline.store.account_index.columns import (
    Coder,
    Column,
    Places,
    Texts,
    WordCoder,
    bitmap,
    everything,
    size_of,
    unescaped,
)

# The columns of a segment, as store.account_index.loading reads them; the first is the id.
SORT_KEY, SEARCH_TEXT = "sort_key", "search_text"
COLUMNS = (
    "account_id", SORT_KEY, SEARCH_TEXT,
    *(name for name, field in FIELDS.items() if field.kind != "member"),
)  # fmt: skip
PROSE = tuple(name for name in COLUMNS if name in FIELDS and FIELDS[name].kind == "prose")
# Answers to conditions that a segment keeps: it never changes, and people page through one filter.
MOST_KEPT = 200
SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")
_LAST = b"\xff"  # a byte that no UTF-8 has, and above all that it has
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Raw = Sequence[
    bytes | None
]  # the values of an account by COLUMNS, as COPY's text format writes them


class Order(NamedTuple):
    """What accounts are ordered by. `absent`: the value that those without one are ordered as; None:
    they come last."""

    column: str
    absent: float | None = None


# sort key of a list -> (ascending, descending): the orders whose reading up and down they are
ORDERS: dict[str, tuple[Order, Order]] = {
    "company_name": (Order(SORT_KEY), Order(SORT_KEY)),
    "updated_at": (Order("updated_at"), Order("updated_at")),
    "employees": (Order("employees"), Order("employees", -1.0)),
    "revenue": (Order("revenue"), Order("revenue", -1.0)),
}

Members = Callable[[Condition, "Segment", Places], BitMap]


def microseconds(moment: datetime) -> int:
    """Since 1970, exactly."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


class Segment:
    """Accounts by ascending id. Columns and orders are made when they are first asked for, or before
    (`warm`); rows are kept until all columns are made."""

    def __init__(
        self,
        coders: Mapping[str, Coder | WordCoder],
        ids: Sequence[bytes],
        texts: Sequence[bytes],
        *,
        scanned: Mapping[str, Sequence[bytes]],
    ):
        self.ids = np.array(ids, dtype="S16")
        self.names = Texts(texts)
        self._scanned = {name: Texts(each) for name, each in scanned.items()}
        self._coders = dict(coders)
        self._columns: dict[str, Column] = {}
        self._places: dict[Order, Places] = {}
        self._kept: OrderedDict[tuple[str, Condition], BitMap] = OrderedDict()

    def __len__(self) -> int:
        return len(self.ids)

    def warm(self) -> None:
        """Make what every list needs."""
        for name in list(self._coders):
            self.column(name)
        for ascending, _ in ORDERS.values():
            self.places(ascending)

    def column(self, name: str) -> Column:
        if name not in self._columns:
            kind = FIELDS[name].kind if name in FIELDS else "word"
            self._columns[name] = Column(kind, self._coders.pop(name))
        return self._columns[name]

    def places(self, order: Order) -> Places:
        if order not in self._places:
            name = f"{order.column} {order.absent}"
            self._places[order] = Places(name, self.column(order.column), absent=order.absent)
        return self._places[order]

    def id_of(self, document: int) -> bytes:
        return bytes(self.ids[document]).ljust(16, b"\0")

    def document(self, account_id: bytes) -> int:
        """Where an id stands among the ids; that document may be of another."""
        return int(np.searchsorted(self.ids, np.bytes_(account_id)))

    def documents(self, account_ids: Any) -> Any:
        """The documents of those of the ids (a sorted array) that are here."""
        found = np.searchsorted(self.ids, account_ids)
        here = found < len(self.ids)
        found, account_ids = found[here], account_ids[here]
        return found[self.ids[found] == account_ids].astype(np.uint32)

    def locate(self, places: Places, key: int, account_id: bytes) -> int:
        """How many accounts come before this key and id in an order."""
        first, last = (int(np.searchsorted(places.keys, key, side)) for side in SIDES)
        if first == last:
            return first
        return first + int(np.searchsorted(places.docs[first:last], self.document(account_id)))

    def matching(self, wanted: Filter, places: Places, members: Members) -> BitMap:
        """The accounts that a filter holds for, as positions in an order."""
        if isinstance(wanted, Condition):
            if FIELDS[wanted.field].kind == "member":
                found = members(wanted, self, places)
                return places.all - found if wanted.op in ("ne", "not_in") else found
            kept, key = self._kept, (places.name, wanted)
            if key not in kept:
                kept[key] = self._compared(wanted, places)
                if len(kept) > MOST_KEPT:
                    kept.popitem(last=False)
            kept.move_to_end(key)
            return kept[key]
        parts = (self.matching(part, places, members) for part in wanted.parts)
        if wanted.join == "not":
            return places.all - next(parts)
        if wanted.join == "or":
            return BitMap.union(BitMap(), *parts)
        found = places.all
        for part in parts:
            found = found & part
            if not found:
                break
        return found

    def _compared(self, condition: Condition, places: Places) -> BitMap:
        op = condition.op
        if op in ("blank", "not_blank", "ne", "not_in", "not_contains"):
            positive = _POSITIVE[op]
            found = (
                self._blank(condition.field, places)
                if positive == "blank"
                else self._found(condition, positive, places)
            )
            return found if op == "blank" else places.all - found
        return self._found(condition, op, places)

    def _blank(self, field: str, places: Places) -> BitMap:
        """Who has no value."""
        if field in self._scanned:
            return places.all - self._begun(field, b"", places)
        column = self.column(field)
        return column.between(len(column), len(column) + 1, places)

    def _found(self, condition: Condition, op: str, places: Places) -> BitMap:
        """Who has a value that a comparison holds for; `op` is not one that denies."""
        if op == "contains" and condition.field == "company_name":
            return self.named(str(condition.values[0]), places)
        if FIELDS[condition.field].kind == "prose":
            found = places.all
            for word in words(str(condition.values[0]).encode()):
                found = found & self._begun(condition.field, word, places)
            return found
        column = self.column(condition.field)
        given = [_given(each, column.kind) for each in condition.values]
        if not given:
            return BitMap()
        if op in ("eq", "in") or (op == "contains" and column.kind == "words"):
            return column.equal_to(given, places)
        if op == "contains":
            return column.of(column.values.containing(given[0]), places)
        return column.between(*_bounds(column, op, given), places)

    def _begun(self, field: str, word: bytes, places: Places) -> BitMap:
        """Who has a word that begins so in prose."""
        if field in self._scanned:
            return bitmap(places.positions[self._scanned[field].containing(b" " + word)])
        column = self.column(field)
        return column.between(column.at_least(word), column.at_least(word + _LAST), places)

    def named(self, text: str, places: Places) -> BitMap:
        """Whose names hold a text anywhere, or begin with it once squeezed (`domain.names.search_text`)."""
        terms = search_terms(text)
        if terms.empty:
            return BitMap()
        spaced = self.names.containing(terms.spaced.encode())
        squeezed = self.names.containing(b"\n" + terms.squeezed.encode())
        return bitmap(places.positions[np.union1d(spaced, squeezed)])

    @property
    def nbytes(self) -> int:
        parts = [
            self.ids.nbytes,
            self.names.nbytes,
            *(column.nbytes for column in self._columns.values()),
            *(places.nbytes for places in self._places.values()),
            *map(size_of, self._kept.values()),
        ]
        return sum(parts)


class Gathering:
    """Accounts on their way into a segment: by ascending id, a few at a time. Of rows that were taken apart,
    which are few, prose is looked through for words."""

    def __init__(self, *, taken_apart: bool = False) -> None:
        self._coders: dict[str, Coder | WordCoder] = {
            name: WordCoder() if name in PROSE else Coder()
            for name in COLUMNS[1:]
            if name != SEARCH_TEXT and not (taken_apart and name in PROSE)
        }
        self._scanned: dict[str, list[bytes]] = {name: [] for name in PROSE if taken_apart}
        self._ids: list[bytes] = []
        self._texts: list[bytes] = []

    def add(self, rows: Iterable[Raw]) -> None:
        columns = dict(zip(COLUMNS, zip(*rows, strict=True), strict=False))
        if not columns:
            return
        self._ids += [
            bytes.fromhex(each.replace(b"-", b"").decode()) for each in columns["account_id"]
        ]
        self._texts += [unescaped(each) for each in columns[SEARCH_TEXT]]
        for name, coder in self._coders.items():
            coder.extend(columns[name])
        for name, texts in self._scanned.items():
            texts += columns[name]

    def segment(self) -> Segment:
        return Segment(self._coders, self._ids, self._texts, scanned=self._scanned)


def taken_apart(row: Raw) -> Raw:
    """A row with the words of its prose, a space before each, instead of the prose."""
    return [
        b"".join(b" " + word for word in words(unescaped(value or b""))) if name in PROSE else value
        for name, value in zip(COLUMNS, row, strict=True)
    ]


_POSITIVE = {
    "blank": "blank", "not_blank": "blank", "ne": "eq", "not_in": "in", "not_contains": "contains",
}  # fmt: skip


def _bounds(column: Column, op: str, given: Sequence[Any]) -> tuple[int, int]:
    """The first number of a range's values, and the one past its last."""
    first, last = 0, len(column)
    if op in ("gte", "between", "starts_with"):
        first = column.at_least(given[0])
    elif op == "gt":
        first = column.above(given[0])
    if op == "starts_with":
        last = column.at_least(given[0] + _LAST)
    elif op in ("lte", "between"):
        last = column.above(given[-1])
    elif op == "lt":
        last = column.at_least(given[0])
    return first, last


def _given(value: Any, kind: str) -> Any:
    """A value of a condition in the form that the column has."""
    match kind:
        case "number":
            return value
        case "time":
            return microseconds(value)
        case "boolean":
            return b"t" if value else b"f"
        case "text" | "words":
            return folded(str(value).encode())
    return str(value).encode()


__all__ = ["COLUMNS", "ORDERS", "Gathering", "Order", "Segment", "everything", "microseconds"]
