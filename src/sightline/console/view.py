"""The account table's view in the page address: filter, columns, order and page size.

Each part of the filter is a parameter that a form can send; all of them together are one filter of the
filter language. What has no parameter of its own stands in `filter`, as JSON.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from sightline.domain.filters import FIELDS
from sightline.domain.numbers import parse_money

CHOICES: Final = (
    "industry", "sector", "employee_size_category", "revenue_category", "country", "public_company",
)  # fmt: skip
"""Fields of which several values can be ticked; the search counts them."""
RANGES: Final = ("employees", "revenue", "market_cap")
MEMBERS: Final = ("list", "territory")
TEXTS: Final = ("hq_city", "tags", "ceo", "description")
UNKNOWN: Final = "-"  # the choice of accounts without a value

SORTS: Final = {
    "company_name": "Name, A to Z",
    "-company_name": "Name, Z to A",
    "-updated_at": "Recently changed",
    "-employees": "Most employees",
    "employees": "Fewest employees",
    "-revenue": "Highest revenue",
    "revenue": "Lowest revenue",
}
PAGE_SIZES: Final = (10, 25, 50)
COLUMNS: Final = {
    "industry": "Industry",
    "sector": "Sector",
    "headquarters": "Headquarters",
    "country": "Country",
    "region": "Region",
    "employees": "Employees",
    "revenue": "Revenue, USD",
    "market_cap": "Market cap",
    "stock_ticker": "Ticker",
    "ceo": "CEO",
    "tags": "Tags",
    "description": "Description",
}
DEFAULT_COLUMNS: Final = ("industry", "headquarters", "employees", "revenue")
SORTED_BY: Final = {"employees": "employees", "revenue": "revenue"}  # column -> sort
_LONGEST: Final = 20_000
_MOST_PARAMETERS: Final = 200


@dataclass(frozen=True)
class Part:
    """One condition of the filter, and the parameters of the address that it comes from."""

    filter: Mapping[str, Any]
    without: str  # the query of the same view without it


class FilterTextIsWrong(ValueError):
    """What was written as a filter is no JSON object."""


@dataclass(frozen=True)
class View:
    """The parameters of an address, those without a value left out."""

    parameters: tuple[tuple[str, str], ...]

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(value for key, value in self.parameters if key == name)

    def first(self, name: str) -> str:
        return next(iter(self.all(name)), "")

    @property
    def sort(self) -> str:
        given = self.first("sort")
        return given if given in SORTS else "company_name"

    @property
    def per_page(self) -> int:
        given = self.first("per")
        return int(given) if given in {str(size) for size in PAGE_SIZES} else 25

    @property
    def columns(self) -> tuple[str, ...]:
        chosen = tuple(name for name in COLUMNS if name in self.all("col"))
        return chosen or DEFAULT_COLUMNS

    @property
    def query(self) -> str:
        """The query of the address, without the number of the page."""
        return urlencode(self.parameters)

    @property
    def is_narrowed(self) -> bool:
        return bool(self.filter()["and"])

    def without(self, *names: str) -> "View":
        return View(tuple(pair for pair in self.parameters if pair[0] not in names))

    def with_value(self, name: str, value: str) -> "View":
        return View((*self.without(name).parameters, (name, value)))

    def arranged(self) -> "View":
        """Columns, order and page size alone: what stays when the filter goes."""
        kept = ("col", "sort", "per")
        return View(tuple(pair for pair in self.parameters if pair[0] in kept))

    def sorted_by(self, key: str) -> str:
        """The query of the same view in the order of a column; asked again, the other way round."""
        descending = self.sort == key or (key != "company_name" and self.sort != f"-{key}")
        return self.with_value("sort", f"-{key}" if descending else key).query

    def filter(self) -> dict[str, Any]:
        """The whole filter. Raises FilterTextIsWrong."""
        return {"and": [part.filter for part in self.parts()]}

    def parts(self) -> list[Part]:
        """The conditions, in the order of the page. Raises FilterTextIsWrong."""
        found = []
        if self.first("q"):
            name = {"field": "company_name", "op": "contains", "value": self.first("q")}
            found.append(self._part(name, "q"))
        for field in (*CHOICES, *MEMBERS):
            if values := self.all(field):
                found.append(self._part(_one_of(field, values), field))
        for field in RANGES:
            low, high = (_amount(self.first(f"{field}_{end}")) for end in ("min", "max"))
            if low is not None or high is not None:
                found.append(self._part(_between(field, low, high), f"{field}_min", f"{field}_max"))
        for field in TEXTS:
            if text := self.first(field):
                found.append(self._part({"field": field, "op": "contains", "value": text}, field))
        if since := self.first("changed"):
            found.append(
                self._part({"field": "updated_at", "op": "gte", "value": since}, "changed")
            )
        return found + self._written()

    def _part(self, condition: Mapping[str, Any], *names: str) -> Part:
        return Part(condition, self.without(*names).query)

    def _written(self) -> list[Part]:
        """The conditions that were written as a filter."""
        text = self.first("filter")
        if not text:
            return []
        try:
            given = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FilterTextIsWrong("The filter is not valid JSON.") from error
        if not isinstance(given, dict):
            raise FilterTextIsWrong("A filter is a JSON object.")
        written = given["and"] if list(given) == ["and"] else [given] if given else []
        if not isinstance(written, list):
            raise FilterTextIsWrong("“and” takes a list of conditions.")
        parts = []
        for n, each in enumerate(written):
            rest = [*written[:n], *written[n + 1 :]]
            view = self.without("filter")
            if rest:
                view = view.with_value("filter", as_text({"and": rest}))
            parts.append(Part(each, view.query))
        return parts


def read_view(pairs: Iterable[tuple[str, str]]) -> View:
    """The view that the parameters of an address describe; those it does not know are left out."""
    known = {
        "q", "filter", "changed", "sort", "per", "col", *CHOICES, *MEMBERS, *TEXTS,
        *(f"{field}_{end}" for field in RANGES for end in ("min", "max")),
    }  # fmt: skip
    kept = [
        (name, value.replace("\x00", "").strip()[:_LONGEST])
        for name, value in pairs
        if name in known
    ]
    usual = {("sort", "company_name"), ("per", "25")}
    if tuple(name for name in COLUMNS if ("col", name) in kept) == DEFAULT_COLUMNS:
        usual |= {("col", name) for name in DEFAULT_COLUMNS}
    return View(tuple(pair for pair in kept if pair[1] and pair not in usual)[:_MOST_PARAMETERS])


def written(filter: Mapping[str, Any]) -> View:
    """The view of a filter: conditions that have parameters become those, the rest stays JSON."""
    parameters: list[tuple[str, str]] = []
    rest = []
    conditions = filter["and"] if list(filter) == ["and"] else [filter] if filter else []
    for each in conditions:
        taken = _parameters_of(each) if isinstance(each, Mapping) else None
        if taken is None or {name for name, _ in taken} & {name for name, _ in parameters}:
            rest.append(each)
        else:
            parameters += taken
    if rest:
        parameters.append(("filter", as_text({"and": rest})))
    return View(tuple(parameters))


def as_text(filter: Mapping[str, Any]) -> str:
    """A filter as it stands in an address."""
    return json.dumps(filter, ensure_ascii=False, separators=(",", ":"))


def _parameters_of(condition: Mapping[str, Any]) -> list[tuple[str, str]] | None:
    """The parameters that say the same as a condition; None when there are none."""
    field, op, value = condition.get("field"), condition.get("op", "eq"), condition.get("value")
    if op in ("eq", "in") and field in (*CHOICES, *MEMBERS):
        listed = value if isinstance(value, list) else [value]
        return [(field, _as_parameter(each)) for each in listed]
    if field in RANGES and op in ("gte", "lte"):
        return [(f"{field}_{'min' if op == 'gte' else 'max'}", f"{value}")]
    if op == "contains" and field in ("company_name", *TEXTS) and isinstance(value, str):
        return [("q" if field == "company_name" else field, value)]
    return None


def _as_parameter(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _one_of(field: str, values: Sequence[str]) -> dict[str, Any]:
    known: list[Any] = list(dict.fromkeys(value for value in values if value != UNKNOWN))
    if FIELDS[field].kind == "boolean":
        known = [value == "true" for value in known]
    condition: dict[str, Any] = {"field": field, "op": "in", "value": known}
    if len(known) == 1:
        condition = {"field": field, "op": "eq", "value": known[0]}
    elif FIELDS[field].kind == "boolean" and known:
        condition = {"field": field, "op": "not_blank"}
    if UNKNOWN not in values:
        return condition
    blank = {"field": field, "op": "blank"}
    return {"or": [condition, blank]} if known else blank


def _between(field: str, low: float | None, high: float | None) -> dict[str, Any]:
    if low is None:
        return {"field": field, "op": "lte", "value": high}
    if high is None:
        return {"field": field, "op": "gte", "value": low}
    return {"field": field, "op": "between", "value": [low, high]}


def _amount(text: str) -> float | int | None:
    """A number as people write it: 500, 10,000, 2.5M."""
    read = parse_money(text) if text else None
    if read is None:
        return None
    return int(read.amount) if read.amount == int(read.amount) else read.amount
