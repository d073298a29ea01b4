"""Validates query, path and body against the endpoint's types; every fault becomes a field error."""

import difflib
import math
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from starlette.datastructures import QueryParams

from sightline.api.endpoint import Schema
from sightline.domain.errors import (
    JsonIsMalformed,
    ParameterIsUnknown,
    RequestIsInvalid,
    UuidIsInvalid,
    fault,
)

# Field code -> what it means, and the sentence for the caller. The table is part of the reference.
FIELD_MEANINGS: dict[str, str] = {
    "missing_field": "The field is required.",
    ParameterIsUnknown.code: "Unknown field; the message names the nearest one.",
    UuidIsInvalid.code: "Must be a valid UUID.",
    "not_a_string": "Must be a string.",
    "not_an_integer": "Must be a whole number.",
    "not_a_number": "Must be a number.",
    "not_a_boolean": "Must be true or false.",
    "not_a_list": "Must be a list.",
    "not_an_object": "Must be an object.",
    "not_a_date": "Must be an ISO 8601 date or time.",
    "not_allowed": "Not one of the allowed values, which the message lists.",
    "out_of_range": "Outside the limits that the message names.",
    "too_long": "Longer than the limit that the message names.",
    "too_short": "Shorter than the limit that the message names.",
    "invalid_format": "Not in the required format.",
    "invalid_characters": "Contains characters that cannot be stored.",
    "repeated": "The parameter is given more than once.",
    "invalid_value": "Breaks a rule that the message names.",
}
# What starts Pydantic's error types -> our code, the first that fits; our own validators raise the last.
_CODES = (
    ("extra_forbidden", ParameterIsUnknown.code),
    ("missing", "missing_field"),
    ("uuid", UuidIsInvalid.code),
    ("less_than", "out_of_range"),
    ("greater_than", "out_of_range"),
    ("finite_number", "out_of_range"),
    ("string_too_long", "too_long"),
    ("too_long", "too_long"),
    ("string_too_short", "too_short"),
    ("too_short", "too_short"),
    ("string_pattern", "invalid_format"),
    ("literal_error", "not_allowed"),
    ("enum", "not_allowed"),
    ("string", "not_a_string"),
    ("int", "not_an_integer"),
    ("float", "not_a_number"),
    ("decimal", "not_a_number"),
    ("bool", "not_a_boolean"),
    ("list", "not_a_list"),
    ("tuple", "not_a_list"),
    ("set", "not_a_list"),
    ("dict", "not_an_object"),
    ("model", "not_an_object"),
    ("date", "not_a_date"),
    ("timezone", "not_a_date"),
    ("", "invalid_value"),
)
# Codes whose sentence alone says what to give.
_PLAIN = frozenset(
    "missing_field invalid_uuid not_a_string not_an_integer not_a_number not_a_boolean not_a_list"
    " not_an_object not_a_date".split()
)
WHOLE_REQUEST = {error.code: error for error in (ParameterIsUnknown, UuidIsInvalid)}
MOST_FIELD_ERRORS = 50
_JSON_PLACE = re.compile(r"line (\d+) column (\d+)")
# Pydantic would also read "1.0", "1_0" and digits of other scripts; "1", "yes" and "on"; and a number of
# seconds for a date.
_WRITTEN: Mapping[Any, re.Pattern[str]] = {
    int: re.compile(r"-?[0-9]{1,19}"),
    bool: re.compile("true|false"),
    date: re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
}
# Only a body with one of these can hold a NUL, or a number that is not finite: no JSON, or too large.
_SUSPECT = re.compile(rb"\\u0000|NaN|Infinity|[0-9]{200}|[eE]\+?[0-9]{3}")


def read_parameters(model: type[Schema], path: dict[str, str], query: QueryParams) -> Schema:
    """Validate path and query parameters together. Raises RequestIsInvalid or a kind of it."""
    faults, values = [], dict(path)
    if query:
        given = Counter(name for name, _ in query.multi_items())
        faults = [
            fault(name, "Given more than once.", "repeated") for name in given if given[name] > 1
        ]
        # What the path says must not be said again, or a reader could take one for the other.
        faults += [
            fault(name, "It stands in the path.", ParameterIsUnknown.code)
            for name in path
            if name in given
        ]
        values = {**query, **path}
    faults += [_nul(name) for name, value in values.items() if "\x00" in name + value]
    if faults:
        raise _refusal(faults[:MOST_FIELD_ERRORS])
    for name, plain in _plain_parameters(model):
        if name in values and not plain.fullmatch(values[name]):
            values[name] = "not of its kind"
    try:
        return model.model_validate_strings(values, strict=False)
    except ValidationError as error:
        raise _from_pydantic(error, model) from error


@cache
def _plain_parameters(model: type[Schema]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Parameters whose text must be written in one way, and how."""
    return tuple(
        (name, _WRITTEN[kind])
        for name, field in model.model_fields.items()
        for kind in (field.annotation, *get_args(field.annotation))
        if kind in _WRITTEN
    )


def read_body(model: type[Schema], body: bytes) -> Schema:
    """Validate a JSON body. Raises JsonIsMalformed, RequestIsInvalid or a kind of it."""
    if body.startswith(b"\xef\xbb\xbf"):
        body = body[3:]
    try:
        parsed = model.model_validate_json(body)
    except ValidationError as error:
        raise _from_pydantic(error, model) from error
    if _SUSPECT.search(body) and (faults := _unstorable(parsed.model_dump(), "")):
        raise _refusal(faults[:MOST_FIELD_ERRORS])
    return parsed


def _unstorable(value: Any, path: str) -> list[dict[str, str]]:
    """Faults of what PostgreSQL cannot hold: strings with a NUL, numbers that are not finite."""
    if isinstance(value, str):
        return [_nul(path)] if "\x00" in value else []
    if isinstance(value, float):
        finite = math.isfinite(value)
        return [] if finite else [fault(path, "Must be a finite number.", "out_of_range")]
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list | tuple):
        parts = list(enumerate(value))
    else:
        return []
    found = []
    for name, part in parts:
        inner = f"{path}.{name}".strip(".")
        found += [_nul(inner)] if "\x00" in str(name) else _unstorable(part, inner)
    return found


def _nul(path: str) -> dict[str, str]:
    return fault(path.replace("\x00", ""), "NUL characters are not allowed.", "invalid_characters")


def _from_pydantic(error: ValidationError, model: type[Schema]) -> RequestIsInvalid:
    faults = error.errors(include_url=False, include_context=True, include_input=False)
    if faults[0]["type"] == "json_invalid":
        place = _JSON_PLACE.search(str(faults[0]["ctx"]["error"]))
        where = f" at line {place[1]}, column {place[2]}" if place else ""
        return JsonIsMalformed(f"The body is not valid JSON{where}.")
    return _refusal([_field_error(each, model) for each in faults[:MOST_FIELD_ERRORS]])


def _field_error(found: ErrorDetails, model: type[Schema]) -> dict[str, str]:
    path = ".".join(str(part) for part in found["loc"])[:200]
    code = next(code for start, code in _CODES if found["type"].startswith(start))
    return fault(path, _message(found, code, model), code)


def _message(found: ErrorDetails, code: str, model: type[Schema]) -> str:
    """What to give instead. Pydantic's own words never show."""
    limits = found.get("ctx", {})
    if code in _PLAIN:
        return FIELD_MEANINGS[code]
    if code == ParameterIsUnknown.code:
        return f"Unknown field; {_hint(str(found['loc'][-1]), list(model.model_fields))}"
    if code == "not_allowed":
        return f"Must be one of: {limits['expected']}."
    if code == "out_of_range":
        words = (("ge", "at least"), ("gt", "more than"), ("le", "at most"), ("lt", "less than"))
        said = [f"{word} {limits[name]}" for name, word in words if name in limits]
        return f"Must be {' and '.join(said)}." if said else "Must be a finite number."
    if code in ("too_long", "too_short"):
        length = limits.get("max_length", limits.get("min_length"))
        unit = "items" if "actual_length" in limits else "characters"
        return f"Must have at {'most' if code == 'too_long' else 'least'} {length} {unit}."
    if found["type"] == "value_error":
        rule = str(limits["error"])
        return f"{rule[:1].upper()}{rule[1:].removesuffix('.')}."
    return FIELD_MEANINGS[code]


def _hint(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(known) or 'none'}."


def _refusal(fields: list[dict[str, str]]) -> RequestIsInvalid:
    """One code for the whole when all fields share it, and the general one otherwise."""
    codes = {field["code"] for field in fields}
    kind = WHOLE_REQUEST.get(codes.pop(), RequestIsInvalid) if len(codes) == 1 else RequestIsInvalid
    message = "; ".join(f"{field['path']}: {field['message']}" for field in fields[:3])
    return kind(message, fields=fields)
