"""The filter language: nested and/or/not over conditions on the fields of an account.

    {"and": [{"field": "industry", "op": "in", "value": ["Software", "Banking"]},
             {"not": {"field": "employees", "op": "lt", "value": 200}}]}

One language for account search, saved lists, territories and watches. A filter is checked as a whole
before it is used; every fault names its place and what would be legal there.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from sightline.domain.bands import EMPLOYEE_BANDS, REVENUE_BANDS, closest_bands
from sightline.domain.countries import REGIONS, closest_countries, country_from_text
from sightline.domain.industries import closest_industries, industries, sectors
from sightline.domain.prose import words

Kind = Literal["text", "word", "number", "boolean", "time", "words", "prose", "member"]
Operator = Literal[
    "eq", "ne", "in", "not_in", "gt", "gte", "lt", "lte", "between", "contains", "not_contains",
    "starts_with", "blank", "not_blank",
]  # fmt: skip

_EITHER: tuple[Operator, ...] = ("eq", "ne", "in", "not_in", "blank", "not_blank")
_RANGES: tuple[Operator, ...] = ("gt", "gte", "lt", "lte", "between")
OPERATORS: dict[Kind, tuple[Operator, ...]] = {
    "text": (*_EITHER, "contains", "not_contains", "starts_with"),
    "word": _EITHER,
    "number": (*_EITHER, *_RANGES),
    "boolean": ("eq", "ne", "blank", "not_blank"),
    "time": (*_RANGES, "blank", "not_blank"),
    "member": ("eq", "ne", "in", "not_in"),
    "words": ("contains", "not_contains", "in", "not_in", "blank", "not_blank"),
    # Full text: each word of the value begins a word of the field. Without a word it is blank.
    "prose": ("contains", "not_contains", "blank", "not_blank"),
}
MOST_DEPTH = 8
MOST_CONDITIONS = 200
MOST_VALUES = 1_000
MOST_TEXT = 500


def _is_storable(text: str) -> bool:
    """Whether PostgreSQL keeps a text: without NUL and lone surrogates."""
    return not any(each == "\0" or "\ud800" <= each <= "\udfff" for each in text)


def _listed(names: tuple[str, ...]) -> Callable[[str], str | None]:
    by_fold = {name.casefold(): name for name in names}
    return lambda text: by_fold.get(text.strip().casefold())


def _country(text: str) -> str | None:
    found = country_from_text(text)
    return found.alpha2 if found else None


def _industry(text: str) -> str | None:
    return _listed(tuple(each.name for each in industries()))(text)


@dataclass(frozen=True, slots=True)
class Field:
    """A field that can be filtered on. `read` turns a value into the vocabulary's own, None when it
    has no such value; `closest` names what may have been meant."""

    kind: Kind
    read: Callable[[str], str | None] | None = None
    closest: Callable[[str], list[str]] | None = None


FIELDS: dict[str, Field] = {
    "company_name": Field("text"),
    "website_domain": Field("text"),
    "industry": Field("word", _industry, closest_industries),
    "sector": Field("word", lambda text: _listed(sectors())(text)),
    "employee_size_category": Field(
        "word", _listed(EMPLOYEE_BANDS), lambda text: closest_bands(text, EMPLOYEE_BANDS)
    ),
    "revenue_category": Field(
        "word", _listed(REVENUE_BANDS), lambda text: closest_bands(text, REVENUE_BANDS)
    ),
    "country": Field("word", _country, closest_countries),
    "region": Field("word", _listed(REGIONS)),
    "public_company": Field("boolean"),
    "employees": Field("number"),
    "revenue": Field("number"),
    "market_cap": Field("number"),
    "hq_city": Field("text"),
    "hq_state": Field("text"),
    "hq_postcode": Field("text"),
    "ceo": Field("text"),
    "description": Field("prose"),
    "stock_ticker": Field("text"),
    "stock_exchange_symbol": Field("text"),
    "tags": Field("words"),
    "list": Field("member"),
    "territory": Field("member"),
    "created_at": Field("time"),
    "updated_at": Field("time"),
}


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison. `values` are what the operator compares with: none for blank, two for between,
    one or more otherwise. Values outside a field's vocabulary are left out, so nothing may be left."""

    field: str
    op: Operator
    values: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """All of, any of, or none of (exactly one part, negated)."""

    join: Literal["and", "or", "not"]
    parts: tuple["Filter", ...]


Filter = Condition | Group
EVERYTHING = Group("and", ())


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a filter, and where: `filter.and.0.op`."""

    path: str
    message: str


class FilterIsWrong(ValueError):
    """A filter that cannot be used; `faults` names everything that is wrong with it."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(f"{fault.path}: {fault.message}" for fault in faults[:3]))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Reading:
    """A filter that can be used. `unknown` are values outside their vocabulary, as sentences."""

    filter: Filter
    unknown: tuple[str, ...]


def references(wanted: Filter) -> set[tuple[str, str]]:
    """The lists and territories that a filter names: {("list", id), ("territory", id)}."""
    return {
        (each.field, str(value))
        for each in conditions(wanted)
        if FIELDS[each.field].kind == "member"
        for value in each.values
    }


def conditions(wanted: Filter) -> Iterator[Condition]:
    """The comparisons of a filter."""
    if isinstance(wanted, Condition):
        yield wanted
    else:
        for part in wanted.parts:
            yield from conditions(part)


def with_lists(wanted: Filter, saved: Mapping[str, Filter]) -> Filter:
    """The filter with every condition on a saved search replaced by that search's own filter."""
    if isinstance(wanted, Group):
        return Group(wanted.join, tuple(with_lists(part, saved) for part in wanted.parts))
    if wanted.field != "list" or not set(wanted.values) & set(saved):
        return wanted
    parts: list[Filter] = [saved[each] for each in wanted.values if each in saved]
    plain = tuple(each for each in wanted.values if each not in saved)
    if plain:
        parts.append(Condition("list", "in", plain))
    any_of = Group("or", tuple(parts))
    return Group("not", (any_of,)) if wanted.op in ("ne", "not_in") else any_of


def read_filter(value: Any, *, path: str = "filter") -> Reading:
    """Check a filter as received in JSON. Raises FilterIsWrong."""
    reader = _Reader()
    found = reader.read(value, path, 1)
    if reader.faults or found is None:
        raise FilterIsWrong(reader.faults)
    return Reading(found, tuple(reader.unknown))


class _Reader:
    """Reads the parts of a filter; what cannot be read is a fault and None."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.unknown: list[str] = []
        self._conditions = 0

    def read(self, value: Any, path: str, depth: int) -> Any:
        if not isinstance(value, Mapping):
            return self._fault(path, "Must be an object: and, or, not, or a condition.")
        if depth > MOST_DEPTH:
            return self._fault(path, f"Filters are at most {MOST_DEPTH} levels deep.")
        joins = [name for name in ("and", "or", "not") if name in value]
        if not value:
            return EVERYTHING
        if not joins:
            return self._condition(value, path)
        if len(value) > 1:
            return self._fault(path, "An object must have exactly one of and, or, not.")
        if joins[0] == "not":
            part = self.read(value["not"], f"{path}.not", depth + 1)
            return Group("not", (part,)) if part is not None else None
        return self._group("and" if joins[0] == "and" else "or", value[joins[0]], path, depth)

    def _group(self, join: Literal["and", "or"], listed: Any, path: str, depth: int) -> Any:
        if not isinstance(listed, list):
            return self._fault(f"{path}.{join}", "Must be a list of filters.")
        parts = [self.read(each, f"{path}.{join}.{n}", depth + 1) for n, each in enumerate(listed)]
        return Group(join, tuple(part for part in parts if part is not None))

    def _condition(self, value: Mapping[str, Any], path: str) -> Any:
        self._conditions += 1
        if self._conditions == MOST_CONDITIONS + 1:
            return self._fault(path, f"Filters have at most {MOST_CONDITIONS} conditions.")
        extra = [str(name) for name in value if name not in ("field", "op", "value")]
        if extra:
            return self._fault(
                f"{path}.{extra[0][:100]}",
                "A condition has field, op and value; a group has and, or or not.",
            )
        name = value.get("field")
        field = FIELDS.get(name) if isinstance(name, str) else None
        if field is None or not isinstance(name, str):
            return self._fault(f"{path}.field", f"Must be one of {', '.join(FIELDS)}.")
        op = value.get("op", "eq")
        legal = OPERATORS[field.kind]
        if op not in legal:
            hint = " contains finds words by their beginnings." if field.kind == "prose" else ""
            return self._fault(f"{path}.op", f"{name} can be compared by {', '.join(legal)}.{hint}")
        values = self._values(field, name, op, value.get("value"), f"{path}.value")
        return Condition(name, op, values) if values is not None else None

    def _values(self, field: Field, name: str, op: Operator, given: Any, path: str) -> Any:
        if op in ("blank", "not_blank"):
            if given not in (None, True):
                return self._fault(path, f"{op} takes no value.")
            return ()
        listed = op in ("in", "not_in", "between")
        if listed and not isinstance(given, list):
            return self._fault(path, f"{op} takes a list.")
        many = given if listed else [given]
        if op == "between" and len(many) != 2:
            return self._fault(path, "between takes a list of two: the minimum and the maximum.")
        if not 1 <= len(many) <= MOST_VALUES:
            return self._fault(path, f"Give 1 to {MOST_VALUES} values.")
        read = [
            self._value(field, name, each, f"{path}.{n}" if listed else path)
            for n, each in enumerate(many)
        ]
        return tuple(each for each in read if each is not None)

    def _value(self, field: Field, name: str, given: Any, path: str) -> Any:
        if field.kind == "boolean":
            fits = isinstance(given, bool)
            return given if fits else self._fault(path, "Must be true or false.")
        if field.kind == "number":
            fits = isinstance(given, int | float) and not isinstance(given, bool) and given == given
            return float(given) if fits else self._fault(path, "Must be a number.")
        if not isinstance(given, str) or not given.strip():
            return self._fault(path, "Must be a non-empty string.")
        if len(given) > MOST_TEXT or not _is_storable(given):
            return self._fault(
                path, f"Must have at most {MOST_TEXT} characters, no NUL and no half of a pair."
            )
        return self._text(field, name, given, path)

    def _text(self, field: Field, name: str, given: str, path: str) -> Any:
        if field.kind == "time":
            return self._time(given, path)
        if field.kind == "prose" and not words(given.encode()):
            return self._fault(path, "Must have a word: letters or digits.")
        return given.strip() if field.read is None else self._known(field, name, given)

    def _known(self, field: Field, name: str, given: str) -> str | None:
        """A value of the field's vocabulary; one outside is remembered."""
        known = field.read(given) if field.read else None
        if known is None:
            near = field.closest(given)[:3] if field.closest else []
            hint = ", ".join(f'"{each}"' for each in near) or "none"
            self.unknown.append(f"unknown {name}; closest: {hint}")
        return known

    def _time(self, given: str, path: str) -> Any:
        try:
            if len(given) == len("2026-01-31"):
                day = date.fromisoformat(given)
                return datetime.fromisoformat(f"{day.isoformat()}T00:00:00+00:00")
            moment = datetime.fromisoformat(given)
        except ValueError:
            return self._fault(path, "Must be a date or an RFC 3339 time.")
        if moment.tzinfo is None:
            return self._fault(path, "Must have a time zone, such as Z.")
        return moment

    def _fault(self, path: str, message: str) -> Any:
        """Remember a fault; returns None, which stands for the part that cannot be read."""
        if len(self.faults) < 50:
            self.faults.append(Fault(path, message))
        return None
