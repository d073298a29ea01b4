"""The OpenAPI 3.1 document, made from the endpoint table."""

import json
import re
from collections import Counter
from functools import lru_cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema

from sightline.api.endpoint import DryRun, Endpoint, PublicEndpoint
from sightline.api.endpoints import ALIAS_PATH, BASE_PATH, ENDPOINTS, PUBLIC_ENDPOINTS
from sightline.api.errors import FlatError, StructuredError
from sightline.api.openapi_enums import name_enums
from sightline.api.openapi_errors import (
    CREDIT_HEADERS,
    EVERYWHERE,
    HEADERS,
    RATE_HEADERS,
    REF,
    RETRIED_METHODS,
    common_groups,
    error_examples,
    error_response,
    error_responses,
    errors_of,
    header_refs,
    response_name,
)
from sightline.api.openapi_examples import sample_answer, sample_request, sample_value
from sightline.domain.errors import RequestIsInvalid, SomethingFailed

API_VERSION = "1.0.0"
DRY_RUN = {"dry_run": True, "credit": "company", "amount": 1, "remaining": 99}
Refs = dict[tuple[type[BaseModel], JsonSchemaMode], dict[str, Any]]

TAGS = {
    "Accounts": "The companies that your organization works with.",
    "Companies": "Company records and their enrichment.",
    "Seller context": "What your organization sells and wants to know about companies.",
    "Jobs": "Job postings and hiring trends of companies.",
    "Imports": "List imports and undoing them.",
    "Operations": "Background work: its progress and results.",
    "Organization": "Your organization and its credits.",
    "Lists": "Groups of accounts, chosen by hand or by a saved search.",
    "Contacts": "Your organization's contacts at companies.",
    "Suppressions": "People who must not be stored, and erasures.",
    "Exports": "Accounts and contacts as files.",
    "Territories": "Accounts by owner, with scores.",
    "Agent sessions": "A user's own threads with the assistant.",
    "Administration": "Users, keys, plan, costs, the audit log and usage.",
    "Monitoring": "Events at your accounts, and alerts about them.",
    "Content": "Texts about companies, composed from evidence.",
    "Integrations": "External systems that Sightline is connected to, with their status.",
    "Webhooks": "Your endpoints that receive events and alerts.",
    "Assistant": "Questions about a company, answered from stored evidence.",
    "Health": "Service health and readiness.",
}

# Status -> name of the answers that are shared; of each there are several.
ERROR_NAMES = {
    "400": "BadRequest", "402": "CreditsExhausted", "403": "ScopeMissing", "404": "Missing",
    "409": "Conflicting", "410": "Expired", "413": "TooLarge", "500": "Failed",
}  # fmt: skip
ALWAYS_SENDABLE = ("X-Request-Id", "X-Error-Format")
PARAMETERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": {
        "name": "X-Request-Id",
        "in": "header",
        "description": "Your own request id, returned as X-Client-Request-Id.",
        "schema": {"type": "string"},
    },
    "X-Error-Format": {
        "name": "X-Error-Format",
        "in": "header",
        "description": (
            "Shape of error bodies: `structured` or `flat`. Any other value uses the key's setting."
        ),
        "schema": {"type": "string", "examples": ["structured", "flat"]},
    },
    "Idempotency-Key": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": (
            "Makes retries safe: for 7 days the same key returns the first response, and "
            "nothing happens twice."
        ),
        "schema": {
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[!-~]([ -~]*[!-~])?$",
        },
    },
}


class PlainSchema(GenerateJsonSchema):
    """Leaves out what would mislead: titles made of field names, and defaults in answers."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        del schema
        return False

    def default_schema(self, schema: Any) -> dict[str, Any]:
        # In an answer an absent field is unknown; a default would turn that into a value.
        if self.mode == "serialization":
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


@lru_cache(maxsize=1)
def openapi_bytes(version: str) -> bytes:
    """The document as compact JSON in UTF-8; the same for the same table and `version`."""
    text = json.dumps(openapi_document(version), ensure_ascii=False, separators=(",", ":"))
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
    responses = {response_name(errors[0]): error_response(errors) for errors in common_groups()}
    responses |= _shared_responses(paths)
    document = {
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
            {"url": ALIAS_PATH, "description": "The same API under a shorter prefix."},
        ],
        "tags": [{"name": tag, "description": TAGS.get(tag, tag)} for tag in tags],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "parameters": PARAMETERS,
            "headers": HEADERS,
            "examples": error_examples(),
            "responses": responses,
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
    renamed: dict[str, Any] = json.loads(_plain_names(json.dumps(document)))
    name_enums(renamed)
    return renamed


def _format_texts(field: dict[str, Any]) -> None:
    """The format of a field that may be null is that of its text: null has none."""
    if "anyOf" in field and "format" in field:
        form = field.pop("format")
        for kind in field["anyOf"]:
            if kind.get("type") == "string":
                kind["format"] = form


def _plain_names(text: str) -> str:
    """What Pydantic calls X-Input and X-Output, where the two differ, is XInput and X."""
    return re.sub(
        r'(["/])(\w+)-Output"', r'\1\2"', re.sub(r'(["/])(\w+)-Input"', r'\1\2Input"', text)
    )


def _shared_responses(paths: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Put error answers that several operations have in the place where they are referred to; returns
    them by name: what is wrong, and a number where there are several kinds."""
    places: dict[str, list[tuple[dict[str, Any], str]]] = {}
    for operations in paths.values():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                if int(status) >= 400 and "$ref" not in response:
                    key = status + json.dumps(response)
                    places.setdefault(key, []).append((operation["responses"], status))
    shared: dict[str, Any] = {}
    count: Counter[str] = Counter()
    for used in places.values():
        if len(used) == 1:
            continue
        responses, status = used[0]
        count[status] += 1
        name = f"{ERROR_NAMES[status]}{count[status]}"
        shared[name] = responses[status]
        for each, _ in used:
            each[status] = {"$ref": f"#/components/responses/{name}"}
    return shared


def _schemas() -> tuple[Refs, dict[str, Any]]:
    """Reference of each type in each use, and the component schemas that they point to."""
    used: dict[tuple[type[BaseModel], JsonSchemaMode], None] = {}
    for endpoint in ENDPOINTS:
        if endpoint.body is not None:
            used[endpoint.body, "validation"] = None
        used[endpoint.answer, "serialization"] = None
    for public in PUBLIC_ENDPOINTS:
        used[public.answer, "serialization"] = None
    for model in (StructuredError, FlatError, DryRun):
        used[model, "serialization"] = None
    refs, whole = models_json_schema(list(used), ref_template=REF, schema_generator=PlainSchema)
    schemas: dict[str, Any] = whole["$defs"]
    # Generators of clients name classes by titles, where there are some: those of a type that is both
    # sent and answered would be one.
    for schema in schemas.values():
        schema.pop("title", None)
        for field in schema.get("properties", {}).values():
            _format_texts(field)
    return {(model, mode): refs[model, mode] for model, mode in used}, schemas


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
    headers = header_refs(*EVERYWHERE, *RATE_HEADERS)
    if retried:
        headers |= header_refs("Idempotent-Replayed")
    for name, meaning in endpoint.headers.items():
        headers[name] = {"description": meaning, "schema": {"type": "string"}}
    success = {
        "description": "Success.",
        "headers": headers,
        "content": _content(endpoint, answer, schemas),
    }
    if endpoint.price is not None:
        headers |= header_refs(*CREDIT_HEADERS)
    operation["responses"] = {
        str(endpoint.status): success,
        **{str(status): success | {"description": when} for status, when in endpoint.also.items()},
        **error_responses(errors_of(endpoint), endpoint.scopes[0]),
    }
    if endpoint.price is not None:
        _add_dry_run(operation["responses"], endpoint, refs[DryRun, "serialization"])
    return operation


def _content(endpoint: Endpoint, answer: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """What is answered, by media type; of a stream the first type has lines of the answer's form."""
    described = {"schema": answer, "example": sample_answer(endpoint.name, answer, schemas)}
    if not endpoint.streams:
        return {"application/json": described}
    first, *others = endpoint.streams
    file = {"schema": {"type": "string", "format": "binary"}}
    return {first: described} | dict.fromkeys(others, file)


def _add_dry_run(responses: dict[str, Any], endpoint: Endpoint, schema: dict[str, Any]) -> None:
    """Say what a dry run answers: with 200, beside the operation's own answer if that is 200 too."""
    if endpoint.status == 200:
        content = responses["200"]["content"]["application/json"]
        content["schema"] = {"anyOf": [content["schema"], schema]}
        return
    responses["200"] = {
        "description": "The cost, if `dry_run` is true.",
        "headers": header_refs(*EVERYWHERE, *RATE_HEADERS),
        "content": {"application/json": {"schema": schema, "example": DRY_RUN}},
    }


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
            "headers": header_refs(*EVERYWHERE),
            "content": {"application/json": {"schema": schema, "example": sample}},
        },
        "400": error_response((RequestIsInvalid,), rated=False),
        "500": error_response((SomethingFailed,), rated=False),
        "503": {
            "description": "The service is unavailable.",
            "headers": header_refs(*EVERYWHERE, "Retry-After"),
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
    whole = endpoint.params.model_json_schema(ref_template=REF, schema_generator=PlainSchema)
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


def _parameter_ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/parameters/{name}"}
