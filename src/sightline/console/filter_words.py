"""Filters of the filter language in words."""

from collections.abc import Mapping
from typing import Any

from sightline.console.render import band, money, number, shown_value, words
from sightline.domain.bands import EMPLOYEE_BANDS, REVENUE_BANDS
from sightline.domain.countries import countries

OPERATORS = {
    "eq": "is", "ne": "is not", "in": "is", "not_in": "is not", "gt": "above", "gte": "at least",
    "lt": "below", "lte": "at most", "between": "between", "contains": "contains",
    "not_contains": "does not contain", "starts_with": "starts with", "blank": "is unknown",
    "not_blank": "is known",
}  # fmt: skip
_MONEY = ("revenue", "market_cap")


def sentence(rules: Any, names: Mapping[str, str] | None = None) -> str:
    """A filter in words: "Country is Germany and Employees above 200". `names` are those of the lists
    and territories that it may name, by id."""
    if not isinstance(rules, Mapping) or not rules:
        return "All accounts"
    if "field" in rules:
        return _condition(rules, names or {})
    if "not" in rules:
        return f"not ({sentence(rules['not'], names)})"
    join = "and" if "and" in rules else "or"
    parts = [sentence(each, names) for each in rules.get(join, ())]
    if join == "and":
        parts = [f"({part})" if " or " in part else part for part in parts]
    return f" {join} ".join(parts) or "All accounts"


def label(field: str, value: Any, names: Mapping[str, str] | None = None) -> str:
    """A value of a field as people know it."""
    text = str(value)
    if names and text in names:
        return names[text]
    if field == "country":
        return next((each.name for each in countries() if each.alpha2 == text), text)
    if text in EMPLOYEE_BANDS or text in REVENUE_BANDS:
        return band(text)
    if field in _MONEY:
        return money(value, "USD")
    return number(value) if isinstance(value, int | float) else shown_value(value)


def _condition(rule: Mapping[str, Any], names: Mapping[str, str]) -> str:
    field, op, value = str(rule["field"]), str(rule.get("op", "eq")), rule.get("value")
    if field == "public_company" and op == "eq":
        return "Public" if value else "Not public"
    head = f"{words(field)} {OPERATORS.get(op, op)}"
    if value is None:
        return head
    joined = " and " if op == "between" else " or "
    listed = value if isinstance(value, list) else [value]
    return f"{head} {joined.join(label(field, each, names) for each in listed)}"
