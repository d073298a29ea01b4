"""Turns query, path and body into the endpoint's types, and every fault into a named field error."""

import difflib
import math
import re
from collections import Counter
from datetime import date
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
)

# Pydantic's error type -> our field code; other types keep Pydantic's own name.
FIELD_CODES = {
    "extra_forbidden": ParameterIsUnknown.code,
    "missing": "missing_field",
    "uuid_parsing": UuidIsInvalid.code,
    "uuid_type": UuidIsInvalid.code,
    "less_than_equal": "out_of_range",
    "greater_than_equal": "out_of_range",
    "string_too_long": "too_long",
    "string_too_short": "too_short",
    "literal_error": "not_allowed",
    "enum": "not_allowed",
    "value_error": "invalid_value",
}
# Pydantic's error type -> our sentence, where its own does not say what to give.
MESSAGES = {
    "bool_parsing": "It must be true or false.",
    "bool_type": "It must be true or false.",
    "datetime_type": "It must be a date or a moment in ISO 8601.",
}
WHOLE_REQUEST = {error.code: error for error in (ParameterIsUnknown, UuidIsInvalid)}
MOST_FIELD_ERRORS = 50
_PLAIN_INTEGER = re.compile(r"-?[0-9]{1,19}")
_PLAIN_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# Only a body with one of these can hold a NUL, or a number that is not finite: no JSON, or too large.
_SUSPECT = re.compile(rb"\\u0000|NaN|Infinity|[0-9]{200}|[eE]\+?[0-9]{3}")


def read_parameters(model: type[Schema], path: dict[str, str], query: QueryParams) -> Schema:
    """Validate path and query parameters together. Raises RequestIsInvalid or a kind of it."""
    given = Counter(name for name, _ in query.multi_items())
    faults = [
        _field(name, "It is given more than once.", "repeated") for name in given if given[name] > 1
    ]
    # What the path says must not be said again, or a reader could take one for the other.
    faults += [
        _field(name, "It stands in the path.", ParameterIsUnknown.code)
        for name in path
        if name in given
    ]
    values = {**query, **path}
    faults += [_nul(name) for name, value in values.items() if "\x00" in name + value]
    if faults:
        raise _refusal(faults[:MOST_FIELD_ERRORS])
    for name, field in model.model_fields.items():
        kinds = {field.annotation, *get_args(field.annotation)}
        # Pydantic would also read "1.0", "1_0" and digits of other scripts.
        if int in kinds and not _PLAIN_INTEGER.fullmatch(values.get(name, "0")):
            values[name] = "not an integer"
        # It would also read "1", "yes" and "on".
        if bool in kinds and values.get(name, "true") not in ("true", "false"):
            values[name] = "not a boolean"
        # And a number of seconds for a date.
        if date in kinds and not _PLAIN_DATE.fullmatch(values.get(name, "2000-01-01")):
            values[name] = "not a date"
    try:
        return model.model_validate_strings(values, strict=False)
    except ValidationError as error:
        raise _from_pydantic(error, model) from error


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
        return [] if finite else [_field(path, "It must be a finite number.", "out_of_range")]
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
    return _field(path.replace("\x00", ""), "NUL characters are not allowed.", "invalid_characters")


def _from_pydantic(error: ValidationError, model: type[Schema]) -> RequestIsInvalid:
    faults = error.errors(include_url=False, include_context=True, include_input=False)
    if faults[0]["type"] == "json_invalid":
        return JsonIsMalformed(f"The body is not valid JSON: {faults[0]['ctx']['error']}.")
    return _refusal([_field_error(fault, model) for fault in faults[:MOST_FIELD_ERRORS]])


def _field_error(fault: ErrorDetails, model: type[Schema]) -> dict[str, str]:
    path = ".".join(str(part) for part in fault["loc"])[:200]
    code = FIELD_CODES.get(fault["type"], fault["type"])
    message = MESSAGES.get(fault["type"], fault["msg"] + ".")
    if fault["type"] == "value_error":
        said = str(fault["ctx"]["error"])
        message = f"{said[:1].upper()}{said[1:]}."
    if code == ParameterIsUnknown.code:
        name = str(fault["loc"][-1])
        near = difflib.get_close_matches(name, list(model.model_fields), n=1, cutoff=0.5)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else f"known: {', '.join(model.model_fields) or 'none'}."
        )
        message = f"There is no such field; {hint}"
    elif code == UuidIsInvalid.code:
        message = "It is not a valid UUID."
    return _field(path, message, code)


def _field(path: str, message: str, code: str) -> dict[str, str]:
    return {"path": path, "message": message, "code": code}


def _refusal(fields: list[dict[str, str]]) -> RequestIsInvalid:
    """One code for the whole when all fields share it, and the general one otherwise."""
    codes = {field["code"] for field in fields}
    kind = WHOLE_REQUEST.get(codes.pop(), RequestIsInvalid) if len(codes) == 1 else RequestIsInvalid
    message = "; ".join(f"{field['path']}: {field['message']}" for field in fields[:3])
    return kind(message, fields=fields)
