"""Translates filters to SQL over `accounts a` joined with `account_records r`.

A field that the narrow table has is compared there; the others are read from the served document,
so a filter always means what the record shows.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sightline.domain.filters import FIELDS, Condition, Filter, Operator, conditions
from sightline.domain.names import search_terms
from sightline.domain.prose import GAPS, folded, spellings, to_translate, words

# field -> expression. Text is compared folded (`domain.prose`).
COLUMNS: dict[str, str] = {
    "company_name": "a.company_name",
    "website_domain": "a.website_domain",
    "industry": "a.industry",
    "sector": "a.sector",
    "employee_size_category": "a.employee_size_category",
    "revenue_category": "a.revenue_category",
    "country": "a.country_code",
    "public_company": "a.public_company",
    "employees": "a.full_time_employees",
    "revenue": "a.revenue_usd",
    "created_at": "a.created_at",
    "updated_at": "a.updated_at",
}
_CASTS = {"number": "float8", "time": "timestamptz", "boolean": "boolean"}
_DOCUMENT = "r.document::jsonb"
_TESTS: dict[Operator, str] = {
    "blank": "{0} IS NULL",
    "not_blank": "{0} IS NOT NULL",
    "eq": "{0} = ANY({1})",
    "in": "{0} = ANY({1})",
    "gt": "{0} > {1}",
    "gte": "{0} >= {1}",
    "lt": "{0} < {1}",
    "lte": "{0} <= {1}",
    "between": "{0} BETWEEN {1} AND {2}",
    "starts_with": "starts_with({0}, {1})",
    "contains": "strpos({0}, {1}) > 0",
}
# Unknown is not a match, so the negation of a comparison is one.
_OPPOSITES: dict[Operator, Operator] = {"ne": "eq", "not_in": "in", "not_contains": "contains"}


def needs_record(wanted: Filter) -> bool:
    """Whether a filter looks into the record, and so needs the join."""
    return any(
        each.field not in COLUMNS and FIELDS[each.field].kind != "member"
        for each in conditions(wanted)
    )


def condition_of(wanted: Filter, values: list[Any]) -> str:
    """The SQL condition of a filter; its parameters are appended to `values`."""
    if isinstance(wanted, Condition):
        return _compare(wanted, values)
    parts = [condition_of(part, values) for part in wanted.parts]
    if wanted.join == "not":
        # Unknown is not a match, so its negation is one: rows without a value are kept.
        return f"({parts[0]}) IS NOT TRUE"
    if not parts:
        return "true" if wanted.join == "and" else "false"
    return "(" + (" AND " if wanted.join == "and" else " OR ").join(parts) + ")"


def _compare(condition: Condition, values: list[Any]) -> str:
    kind = FIELDS[condition.field].kind
    if kind == "member":
        return _compare_membership(condition, values)
    if kind == "words":
        return _compare_words(condition, values)
    if condition.op in _OPPOSITES:
        same = replace(condition, op=_OPPOSITES[condition.op])
        return f"({_compare(same, values)}) IS NOT TRUE"
    if kind == "prose":
        return _compare_prose(condition, values)
    if condition.op == "contains" and condition.field == "company_name":
        return _name_contains(str(condition.values[0]), values)
    expression, given = _expression(condition.field), list(condition.values)
    if kind == "text":
        expression, given = _folded(expression, given, values)
    cast = _CASTS.get(kind, "text")
    if condition.op in ("eq", "in"):
        given, cast = [given], f"{cast}[]"
    written = [_parameter(each, cast, values) for each in given]
    return _TESTS[condition.op].format(expression, *written)


def _compare_words(condition: Condition, values: list[Any]) -> str:
    """Conditions on a list of words: whether any of them is one of the values, case aside."""
    if condition.op == "blank":
        return f"coalesce({_DOCUMENT} ->> '{condition.field}', '[]') = '[]'"
    if condition.op == "not_blank":
        return f"coalesce({_DOCUMENT} ->> '{condition.field}', '[]') <> '[]'"
    listed, given = _folded(f"({_DOCUMENT} ->> '{condition.field}')", condition.values, values)
    found = f"({listed})::jsonb ?| {_parameter(given, 'text[]', values)}"
    return found if condition.op in ("contains", "in") else f"({found}) IS NOT TRUE"


def _folded(expression: str, given: Iterable[Any], values: list[Any]) -> tuple[str, list[str]]:
    """A text and what it is compared with, folded the same in any database's collation."""
    wanted = [folded(str(each).encode()).decode() for each in given]
    written = f'lower({expression} COLLATE "C")'  # that of ASCII
    others, letters = to_translate(wanted)
    if others:
        replaced = [_parameter(each, "text", values) for each in (others, letters)]
        written = f"translate({written}, {', '.join(replaced)})"
    return written, wanted


def _compare_prose(condition: Condition, values: list[Any]) -> str:
    """Whether each word of the value begins one of the field's, as `domain.prose` reads words in any
    database's collation; blank: whether the field has none."""
    # In this collation lower() is that of ASCII, and letters outside it are given as they may be spelled.
    text = f"""lower({_expression(condition.field)} COLLATE "C")"""
    if condition.op == "contains":
        patterns = [_beginning(each.decode()) for each in words(condition.values[0].encode())]
        return f"{text} ~ ALL ({_parameter(patterns, 'text[]', values)})"
    wordless = f"coalesce({text}, '') !~ '[^{GAPS}]'"
    return wordless if condition.op == "blank" else f"NOT {wordless}"


def _beginning(word: str) -> str:
    """The pattern of words that begin with a word."""
    return f"(^|[{GAPS}])" + "".join(f"[{spellings(letter)}]" for letter in word)


def _compare_membership(condition: Condition, values: list[Any]) -> str:
    """Whether the account is in one of the lists, or a computed member of one of the territories."""
    table, key = {
        "list": ("account_list_members", "list_id::text"),
        "territory": ("territory_members", "territory_id"),
    }[condition.field]
    wanted = _parameter([str(each) for each in condition.values], "text[]", values)
    found = (
        f"EXISTS (SELECT FROM {table} m WHERE m.organization_id = a.organization_id"
        f" AND m.account_id = a.account_id AND m.{key} = ANY({wanted}))"
    )
    return found if condition.op in ("eq", "in") else f"NOT {found}"


def _expression(field: str) -> str:
    if field in COLUMNS:
        return COLUMNS[field]
    cast = _CASTS.get(FIELDS[field].kind)
    read = f"({_DOCUMENT} ->> '{field}')"
    return f"{read}::{cast}" if cast else read


def _name_contains(text: str, values: list[Any]) -> str:
    """As the search by company_name: case, accents and punctuation do not count."""
    terms = search_terms(text)
    if terms.empty:
        return "false"
    spaced = _parameter(terms.spaced, "text", values)
    squeezed = _parameter("\n" + terms.squeezed, "text", values)
    return f"(strpos(a.search_text, {spaced}) > 0 OR strpos(a.search_text, {squeezed}) > 0)"


def _parameter(value: Any, kind: str, values: list[Any]) -> str:
    values.append(value)
    return f"${len(values)}::{kind}"
