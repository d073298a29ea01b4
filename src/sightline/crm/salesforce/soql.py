"""SOQL, Salesforce's query language; values are always escaped. No I/O."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final

from sightline.crm.provider import CrmRefuses, Filter

_COMPARED: Final = {"EQ": "=", "NEQ": "!=", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">="}
_LISTED: Final = {"IN": "IN", "NOT_IN": "NOT IN"}
_EMPTY: Final = {"HAS_PROPERTY": "!= null", "NOT_HAS_PROPERTY": "= null"}
_ESCAPED: Final = str.maketrans({"\\": r"\\", "'": r"\'", "\n": r"\n", "\r": r"\r"})
_NUMBERS: Final = ("int", "long", "double", "currency", "percent")


def quoted(text: str) -> str:
    """A text in quotes."""
    return f"'{text.translate(_ESCAPED)}'"


def timestamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def select(
    what: str, name: str, conditions: Sequence[str], *, limit: int | None = None, by_id: bool = True
) -> str:
    """A query for the rows of an object that meet all of the conditions."""
    words = ["SELECT", what, "FROM", name]
    if conditions:
        words += ["WHERE", " AND ".join(conditions)]
    if by_id:
        words += ["ORDER BY Id"]
    if limit is not None:
        words += ["LIMIT", str(limit)]
    return " ".join(words)


def among(name: str, values: Sequence[str]) -> str:
    return f"{name} IN ({', '.join(map(quoted, values))})"


def condition(given: Filter, types: Mapping[str, str]) -> str:
    """A filter as a condition; `types` are those of the fields that there are. Raises CrmRefuses."""
    name, value = given.property, given.value or ""
    if name not in types:
        raise CrmRefuses(f"Salesforce has no field {name} to filter by.")
    if given.operator in _COMPARED:
        return f"{name} {_COMPARED[given.operator]} {_literal(value, types[name])}"
    if given.operator in _LISTED:
        listed = [_literal(part.strip(), types[name]) for part in value.split(",")]
        return f"{name} {_LISTED[given.operator]} ({', '.join(listed)})"
    if given.operator in _EMPTY:
        return f"{name} {_EMPTY[given.operator]}"
    if given.operator == "CONTAINS_TOKEN":
        return f"{name} LIKE {quoted(f'%{value}%')}"
    raise CrmRefuses(f"{given.operator} is not a Salesforce filter.")


def _literal(value: str, kind: str) -> str:
    """A value as it is written for a field of this type."""
    try:
        if kind in _NUMBERS:
            return str(int(value)) if kind in ("int", "long") else repr(float(value))
        if kind == "date":
            return date.fromisoformat(value).isoformat()
        if kind == "datetime":
            return timestamp(datetime.fromisoformat(value))
    except ValueError:
        raise CrmRefuses(f"{value!r} is no {kind} to filter by.") from None
    if kind == "boolean":
        return "true" if value.casefold() == "true" else "false"
    return quoted(value)
