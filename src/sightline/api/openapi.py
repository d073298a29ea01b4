"""The OpenAPI 3.1 document, made from the endpoint table."""

import json
from functools import lru_cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema

from sightline.api.endpoint import Endpoint, PublicEndpoint
from sightline.api.endpoints import ALIAS_PATH, BASE_PATH, ENDPOINTS, PUBLIC_ENDPOINTS
from sightline.api.errors import STATUSES, FlatError, StructuredError, error_reply
from sightline.api.openapi_examples import (
    REQUEST_ID,
    sample_answer,
    sample_refusal,
    sample_request,
    sample_value,
)
from sightline.domain.errors import (
    REFUSALS,
    BodyIsTooLarge,
    ContentTypeIsUnsupported,
    IdempotencyKeyIsInvalid,
    IdempotencyKeyIsReused,
    JsonIsMalformed,
    KeyIsInvalid,
    KeyIsMissing,
    ParameterIsUnknown,
    RateIsExceeded,
    Refusal,
    RequestIsInvalid,
    RequestIsStillRunning,
    ScopeIsMissing,
    ServiceIsUnavailable,
    SomethingFailed,
    UuidIsInvalid,
)

API_VERSION = "1.0.0"
Refs = dict[tuple[type[BaseModel], JsonSchemaMode], dict[str, Any]]
REF = "#/components/schemas/{model}"

# Errors that the gate and the server may answer to every operation with a key.
COMMON_ERRORS: tuple[type[Refusal], ...] = (
    RequestIsInvalid,
    ParameterIsUnknown,
    KeyIsMissing,
    KeyIsInvalid,
    ScopeIsMissing,
    RateIsExceeded,
    SomethingFailed,
    ServiceIsUnavailable,
)
BODY_ERRORS: tuple[type[Refusal], ...] = (JsonIsMalformed, ContentTypeIsUnsupported, BodyIsTooLarge)
RETRIED_METHODS = ("POST", "PATCH")
IDEMPOTENCY_ERRORS: tuple[type[Refusal], ...] = (
    IdempotencyKeyIsInvalid,
    RequestIsStillRunning,
    IdempotencyKeyIsReused,
)

TAGS = {
    "Accounts": "The companies that your organization works with.",
    "Companies": "Company records.",
    "Organization": "Your organization and its credits.",
    "Health": "Whether the service can do its work.",
}

HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": {
        "description": "Id of this request; quote it when you report a problem.",
        "required": True,
        "schema": {"type": "string", "format": "uuid"},
    },
    "X-Client-Request-Id": {
        "description": "The X-Request-Id that you sent, its first 128 characters.",
        "schema": {"type": "string"},
    },
    "X-RateLimit-Limit": {
        "description": "Requests that the key may make in a window of 60 seconds.",
        "schema": {"type": "integer"},
    },
    "X-RateLimit-Remaining": {
        "description": "Requests left in the current window.",
        "schema": {"type": "integer"},
    },
    "X-RateLimit-Reset": {
        "description": "When the window resets, in Unix seconds.",
        "schema": {"type": "integer"},
    },
    "Retry-After": {
        "description": "Seconds to wait before the next try.",
        "schema": {"type": "integer"},
    },
    "WWW-Authenticate": {
        "description": "The scheme of authentication.",
        "schema": {"type": "string"},
    },
    "Idempotent-Replayed": {
        "description": "`true` when the answer was stored for this Idempotency-Key before.",
        "schema": {"type": "string", "enum": ["true"]},
    },
}
EVERYWHERE = ("X-Request-Id", "X-Client-Request-Id")
RATE_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")

ALWAYS_SENDABLE = ("X-Request-Id", "X-Error-Format")
PARAMETERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": {
        "name": "X-Request-Id",
        "in": "header",
        "description": "Your own id of the request; it comes back as X-Client-Request-Id.",
        "schema": {"type": "string"},
    },
    "X-Error-Format": {
        "name": "X-Error-Format",
        "in": "header",
        "description": (
            "Shape of error bodies: `structured` or `flat`. Anything else leaves it to the key."
        ),
        "schema": {"type": "string", "examples": ["structured", "flat"]},
    },
    "Idempotency-Key": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": (
            "Makes a repeated request safe: for 7 days the same key answers what it answered "
            "before, and nothing happens twice."
        ),
        "schema": {
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[!-~]([ -~]*[!-~])?$",
        },
    },
}


class UntitledFields(GenerateJsonSchema):
    """Leaves out the titles that Pydantic makes of field names; they say nothing new."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        del schema
        return False


def openapi_bytes(version: str) -> bytes:
    """The document as indented JSON in UTF-8; the same for the same table and `version`."""
    text = json.dumps(openapi_document(version), indent=2, ensure_ascii=False)
    return f"{text}\n".encode()


@lru_cache(maxsize=1)
def openapi_document(version: str) -> dict[str, Any]:
    """The document; `version` is the product's, the interface has its own. Do not change it."""
    refs, schemas = _schemas()
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        operation = _operation(endpoint, refs, schemas)
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    for public in PUBLIC_ENDPOINTS:
        operation = _public_operation(public, refs, schemas)
        paths.setdefault(public.path, {})[public.method.lower()] = operation
    tags = dict.fromkeys([row.tag for row in ENDPOINTS] + [row.tag for row in PUBLIC_ENDPOINTS])
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sightline API",
            "version": API_VERSION,
            "x-product-version": version,
            "summary": "Account intelligence over HTTP and JSON.",
            "description": "Authentication, paging, limits and errors are explained at /docs.",
            "license": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
        },
        "servers": [
            {"url": BASE_PATH, "description": "The API."},
            {"url": ALIAS_PATH, "description": "The same under a shorter prefix."},
        ],
        "tags": [{"name": tag, "description": TAGS.get(tag, tag)} for tag in tags],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "parameters": PARAMETERS,
            "headers": HEADERS,
            "examples": _error_examples(),
            "responses": {
                _response_name(errors[0]): _error_response(errors) for errors in _common_groups()
            },
            "securitySchemes": {
                "ApiKey": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "x-api-key",
                    "description": "A key of your organization, with the scopes it was given.",
                }
            },
        },
    }


def errors_of(endpoint: Endpoint) -> tuple[type[Refusal], ...]:
    """Every error that the operation may answer, in the order of the reference."""
    found = {*COMMON_ERRORS, *endpoint.errors}
    if _has_uuid(endpoint.params) or (endpoint.body and _has_uuid(endpoint.body)):
        found.add(UuidIsInvalid)
    if endpoint.body is not None:
        found.update(BODY_ERRORS)
    if endpoint.method in RETRIED_METHODS:
        found.update(IDEMPOTENCY_ERRORS)
    return tuple(kind for kind in REFUSALS if kind in found)


def _has_uuid(model: type[BaseModel]) -> bool:
    return '"format": "uuid"' in json.dumps(model.model_json_schema())


def _schemas() -> tuple[Refs, dict[str, Any]]:
    """Reference of each type in each use, and the component schemas that they point to."""
    used: dict[tuple[type[BaseModel], JsonSchemaMode], None] = {}
    for endpoint in ENDPOINTS:
        if endpoint.body is not None:
            used[endpoint.body, "validation"] = None
        used[endpoint.answer, "serialization"] = None
    for public in PUBLIC_ENDPOINTS:
        used[public.answer, "serialization"] = None
    for model in (StructuredError, FlatError):
        used[model, "serialization"] = None
    refs, whole = models_json_schema(list(used), ref_template=REF, schema_generator=UntitledFields)
    return {(model, mode): refs[model, mode] for model, mode in used}, whole["$defs"]


def _operation(
    endpoint: Endpoint,
    refs: Refs,
    schemas: dict[str, Any],
) -> dict[str, Any]:
    retried = endpoint.method in RETRIED_METHODS
    operation = _head(endpoint)
    operation["security"] = [{"ApiKey": [scope]} for scope in endpoint.scopes]
    operation["x-required-scopes"] = list(endpoint.scopes)
    names = ["Idempotency-Key", *ALWAYS_SENDABLE] if retried else list(ALWAYS_SENDABLE)
    operation["parameters"] = [*_own_parameters(endpoint, schemas), *map(_parameter_ref, names)]
    if endpoint.body is not None:
        schema = refs[endpoint.body, "validation"]
        content = {"schema": schema, "example": sample_request(endpoint.name, schema, schemas)}
        operation["requestBody"] = {
            "required": endpoint.body_required,
            "content": {"application/json": content},
        }
    answer = refs[endpoint.answer, "serialization"]
    headers = _header_refs(*EVERYWHERE, *RATE_HEADERS)
    if retried:
        headers |= _header_refs("Idempotent-Replayed")
    for name, meaning in endpoint.headers.items():
        headers[name] = {"description": meaning, "schema": {"type": "string"}}
    success = {
        "description": "Success.",
        "headers": headers,
        "content": {
            "application/json": {
                "schema": answer,
                "example": sample_answer(endpoint.name, answer, schemas),
            }
        },
    }
    operation["responses"] = {
        str(endpoint.status): success,
        **_error_responses(errors_of(endpoint), endpoint.scopes[0]),
    }
    return operation


def _public_operation(
    public: PublicEndpoint,
    refs: Refs,
    schemas: dict[str, Any],
) -> dict[str, Any]:
    operation = _head(public)
    operation["security"] = []
    operation["parameters"] = [_parameter_ref(name) for name in ALWAYS_SENDABLE]
    schema = refs[public.answer, "serialization"]
    sample = sample_answer(public.name, schema, schemas)
    away = sample | {
        name: "unavailable" for name in ("status", "database", "queue") if name in sample
    }
    operation["responses"] = {
        "200": {
            "description": "Success.",
            "headers": _header_refs(*EVERYWHERE),
            "content": {"application/json": {"schema": schema, "example": sample}},
        },
        "400": _error_response((RequestIsInvalid,), rated=False),
        "500": _error_response((SomethingFailed,), rated=False),
        "503": {
            "description": "The service cannot do its work now.",
            "headers": _header_refs(*EVERYWHERE, "Retry-After"),
            "content": {"application/json": {"schema": schema, "example": away}},
        },
    }
    return operation


def _head(row: Endpoint | PublicEndpoint) -> dict[str, Any]:
    head: dict[str, Any] = {
        "operationId": row.name,
        "tags": [row.tag],
        "summary": f"[Beta] {row.summary}" if row.maturity == "beta" else row.summary,
    }
    if row.description:
        head["description"] = row.description
    return head | {"x-maturity": row.maturity}


def _own_parameters(endpoint: Endpoint, schemas: dict[str, Any]) -> list[dict[str, Any]]:
    """Path and query parameters; what they refer to is added to `schemas`."""
    whole = endpoint.params.model_json_schema(ref_template=REF, schema_generator=UntitledFields)
    schemas.update(whole.get("$defs", {}))
    found = []
    for name, field in whole.get("properties", {}).items():
        in_path = f"{{{name}}}" in endpoint.path
        schema = _without_null(field)
        parameter = {
            "name": name,
            "in": "path" if in_path else "query",
            "required": in_path or name in whole.get("required", []),
        }
        if "description" in schema:
            parameter["description"] = schema.pop("description")
        parameter["schema"] = schema
        if in_path:
            parameter["example"] = sample_value(name, schema, schemas)
        found.append(parameter)
    return found


def _without_null(field: dict[str, Any]) -> dict[str, Any]:
    """A parameter is given or left out; it is never null."""
    schema = dict(field)
    if schema.get("default", "") is None:
        del schema["default"]
    kinds = [kind for kind in schema.get("anyOf", []) if kind != {"type": "null"}]
    if len(kinds) == 1:
        del schema["anyOf"]
        schema |= kinds[0]
    elif kinds:
        schema["anyOf"] = kinds
    return schema


def _by_status(errors: tuple[type[Refusal], ...]) -> dict[int, tuple[type[Refusal], ...]]:
    found: dict[int, tuple[type[Refusal], ...]] = {}
    for kind in errors:
        status = STATUSES[kind.type]
        found[status] = (*found.get(status, ()), kind)
    return dict(sorted(found.items()))


def _common_groups() -> tuple[tuple[type[Refusal], ...], ...]:
    """Error answers that are the same in many operations, and so are components."""
    common = (*COMMON_ERRORS, BodyIsTooLarge, RequestIsStillRunning, IdempotencyKeyIsReused)
    return tuple(group for status, group in _by_status(common).items() if status not in (400, 403))


def _response_name(kind: type[Refusal]) -> str:
    return "".join(word.capitalize() for word in kind.type.split("_"))


def _error_responses(errors: tuple[type[Refusal], ...], scope: str) -> dict[str, Any]:
    shared = _common_groups()
    found: dict[str, Any] = {}
    for status, group in _by_status(errors).items():
        if group in shared:
            found[str(status)] = {"$ref": f"#/components/responses/{_response_name(group[0])}"}
        else:
            found[str(status)] = _error_response(group, scope=scope)
    return found


def _error_response(
    group: tuple[type[Refusal], ...], *, rated: bool = True, scope: str | None = None
) -> dict[str, Any]:
    """The answer for one status; its errors are told apart by their codes."""
    status = STATUSES[group[0].type]
    names = list(EVERYWHERE)
    if rated and status not in (401, 403):
        names += RATE_HEADERS
    if status in (409, 429, 503):
        names.append("Retry-After")
    if status == 401:
        names.append("WWW-Authenticate")
    examples: dict[str, Any] = {}
    for kind in group:
        if kind is ScopeIsMissing:
            examples[kind.code] = {"value": _error_body(kind, flat=False, scope=scope)}
        else:
            examples[kind.code] = {"$ref": f"#/components/examples/{kind.code}"}
    examples["flat"] = {"$ref": f"#/components/examples/{group[0].code}.flat"}
    return {
        "description": "\n".join(f"`{kind.code}`: {kind().message}" for kind in group),
        "headers": _header_refs(*names),
        "content": {
            "application/json": {
                "schema": {
                    "oneOf": [
                        {"$ref": REF.format(model="StructuredError")},
                        {"$ref": REF.format(model="FlatError")},
                    ]
                },
                "examples": examples,
            }
        },
    }


def _error_examples() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in REFUSALS:
        for name, flat in ((kind.code, False), (f"{kind.code}.flat", True)):
            found[name] = {"summary": kind().message, "value": _error_body(kind, flat=flat)}
    return found


def _error_body(kind: type[Refusal], *, flat: bool, scope: str | None = None) -> Any:
    refusal = sample_refusal(kind, scope=scope)
    return json.loads(error_reply(refusal, request_id=REQUEST_ID, flat=flat).body)


def _header_refs(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _parameter_ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/parameters/{name}"}
