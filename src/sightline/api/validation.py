"""Turns query, path and body into the endpoint's types, and every fault into a named field error."""

import difflib
import re
from collections import Counter
from typing import Any

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
}
WHOLE_REQUEST = {error.code: error for error in (ParameterIsUnknown, UuidIsInvalid)}
MOST_FIELD_ERRORS = 50
_PLAIN_INTEGER = re.compile(r"-?[0-9]{1,19}")


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
    faults += [
        _field(name.replace("\x00", ""), "NUL characters are not allowed.", "invalid_characters")
        for name, value in values.items()
        if "\x00" in name + value
    ]
    if faults:
        raise _refusal(faults[:MOST_FIELD_ERRORS])
    for name, field in model.model_fields.items():
        # Pydantic would also read "1.0", "1_0" and digits of other scripts.
        if field.annotation is int and not _PLAIN_INTEGER.fullmatch(values.get(name, "0")):
            values[name] = "not an integer"
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
    # A cheap test first: only a body with an escaped NUL can hold one.
    if b"\\u0000" in body and (paths := _nul_paths(parsed.model_dump(), "")):
        raise _refusal(
            [
                _field(path, "NUL characters are not allowed.", "invalid_characters")
                for path in paths[:MOST_FIELD_ERRORS]
            ]
        )
    return parsed


def _nul_paths(value: Any, path: str) -> list[str]:
    """Where strings with a NUL stand, which PostgreSQL cannot hold."""
    if isinstance(value, str):
        return [path] if "\x00" in value else []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list | tuple):
        parts = list(enumerate(value))
    else:
        return []
    found = []
    for name, part in parts:
        inner = f"{path}.{name}".strip(".")
        found += [inner.replace("\x00", "")] if "\x00" in str(name) else _nul_paths(part, inner)
    return found


def _from_pydantic(error: ValidationError, model: type[Schema]) -> RequestIsInvalid:
    faults = error.errors(include_url=False, include_context=True, include_input=False)
    if faults[0]["type"] == "json_invalid":
        return JsonIsMalformed(f"The body is not valid JSON: {faults[0]['ctx']['error']}.")
    return _refusal([_field_error(fault, model) for fault in faults[:MOST_FIELD_ERRORS]])


def _field_error(fault: ErrorDetails, model: type[Schema]) -> dict[str, str]:
    path = ".".join(str(part) for part in fault["loc"])[:200]
    code = FIELD_CODES.get(fault["type"], fault["type"])
    message = fault["msg"] + "."
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
