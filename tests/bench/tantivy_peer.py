"""The accounts of the search bench in tantivy, the search library in Rust, where it is installed
(`pip install tantivy`)."""

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

_TEXTS = ("industry", "country", "city", "state", "tag")
_FIELDS = {"hq_city": "city", "hq_state": "state", "tags": "tag", "public_company": "public"}
# It sorts by numbers alone: the place of each account in the order of names is one.
_SORTS = {"company_name": "place", "employees": "employees", "revenue": "revenue"}
_BATCH_BYTES = 500_000_000


class Tantivy:
    """An index in memory with the columns of the other peers."""

    def __init__(self, library: Any, rows: list[tuple[Any, ...]]) -> None:
        self._library = library
        schema = library.SchemaBuilder()
        for name in (*_TEXTS, "search_text"):
            schema.add_text_field(name, tokenizer_name="raw")
        for name in ("employees", "place", "public"):
            schema.add_integer_field(name, indexed=True, fast=True)
        for name in ("revenue", "market_cap"):
            schema.add_float_field(name, indexed=True, fast=True)
        schema.add_text_field("document", stored=True, tokenizer_name="raw", index_option="basic")
        self._schema = schema.build()
        self._index = library.Index(self._schema)
        writer = self._index.writer(heap_size=_BATCH_BYTES, num_threads=1)
        for place, row in enumerate(sorted(rows, key=lambda each: (each[1].encode(), each[0]))):
            writer.add_document(self._document(place, row))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def _document(self, place: int, row: tuple[Any, ...]) -> Any:
        (_, _, text, industry, country, public, employees, revenue, city, state, cap, tag, body) = (
            row
        )
        words = {
            "industry": industry, "country": country, "city": city and city.lower(),
            "state": state and state.lower(), "tag": tag, "search_text": text, "document": body,
            "public": None if public is None else int(public), "market_cap": cap,
        }  # fmt: skip
        known = {name: value for name, value in words.items() if value is not None}
        known |= {"place": place, "employees": -1, "revenue": -1.0}
        known |= {"employees": employees} if employees is not None else {}
        known |= {"revenue": revenue} if revenue is not None else {}
        document = self._library.Document()
        for name, value in known.items():
            match value:
                case int():
                    document.add_integer(name, value)
                case float():
                    document.add_float(name, value)
                case _:
                    document.add_text(name, value)
        return document

    def page(
        self, wanted: dict[str, Any] | None, *, sort: str, descending: bool, offset: int, limit: int
    ) -> Callable[[], int]:
        """What reads a page of a filter, and answers the total."""
        library, query = self._library, self._query(wanted)
        order = library.Order.Desc if descending else library.Order.Asc

        def read() -> int:
            found = self._searcher.search(
                query,
                limit=limit,
                offset=offset,
                count=True,
                order_by_field=_SORTS[sort],
                order=order,
            )
            for _, address in found.hits:
                self._searcher.doc(address).get_first("document")
            return int(found.count)

        return read

    def _query(self, wanted: dict[str, Any] | None) -> Any:
        """A filter of our language as a query."""
        query, occurs = self._library.Query, self._library.Occur
        if wanted is None:
            return query.all_query()
        for group, occur in (("and", occurs.Must), ("or", occurs.Should)):
            if group in wanted:
                return query.boolean_query([(occur, self._query(each)) for each in wanted[group]])
        if "not" in wanted:
            rest = [(occurs.Must, query.all_query()), (occurs.MustNot, self._query(wanted["not"]))]
            return query.boolean_query(rest)
        return self._condition(_FIELDS.get(wanted["field"], wanted["field"]), wanted)

    def _condition(self, field: str, wanted: dict[str, Any]) -> Any:
        query, value = self._library.Query, wanted["value"]
        match wanted["op"]:
            case "contains" if field == "company_name":
                return query.regex_query(self._schema, "search_text", f"(.|\n)*{value}(.|\n)*")
            case "in":
                return query.term_set_query(self._schema, field, [each.lower() for each in value])
            case "between" | "gte" | "lt" as op:
                low, high = (
                    value if op == "between" else (value, None) if op == "gte" else (0, value)
                )
                return self._range(field, low, high, open_end=op == "lt")
        if field in ("city", "state"):
            value = value.lower()
        return query.term_query(self._schema, field, int(value) if field == "public" else value)

    def _range(self, field: str, low: float, high: float | None, *, open_end: bool) -> Any:
        library = self._library
        whole = field == "employees"
        kind = library.FieldType.Integer if whole else library.FieldType.Float
        most: float = high if high is not None else (1 << 62 if whole else 1e300)
        return library.Query.range_query(
            self._schema, field, kind, int(low) if whole else float(low), int(most) if whole else float(most),
            include_upper=not open_end,
        )  # fmt: skip


@cache
def library() -> Any:
    """The library; None where it is not installed."""
    try:
        return importlib.import_module("tantivy")
    except ModuleNotFoundError:
        return None
