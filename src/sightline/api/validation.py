"""Turns query, path and body into the endpoint's types, and every fault into a named field error."""

import difflib
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


def read_parameters(model: type[Schema], path: dict[str, str], query: QueryParams) -> Schema:
    """Validate path and query parameters together. Raises RequestIsInvalid or a kind of it."""
    repeated = [
        name for name, times in Counter(k for k, _ in query.multi_items()).items() if times > 1
    ]
    if repeated:
        raise _refusal(
            [_field(name, "It is given more than once.", "repeated") for name in repeated]
        )
    values = {**query, **path}
    if any("\x00" in text for pair in values.items() for text in pair):
        raise _refusal([_field("query", "NUL characters are not allowed.", "invalid_characters")])
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
    if b"\\u0000" in body and _holds_nul(parsed.model_dump()):
        raise _refusal([_field("body", "NUL characters are not allowed.", "invalid_characters")])
    return parsed


def _holds_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\x00" in value
    if isinstance(value, dict):
        return any(_holds_nul(part) for pair in value.items() for part in pair)
    return isinstance(value, list | tuple) and any(_holds_nul(part) for part in value)


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
