"""Sample values for the OpenAPI document and the reference page.

A field's own `examples` come first; what is here fills the gaps. Every example is validated against
its schema by the tests.
"""

from typing import Any

from sightline.domain.errors import (
    BodyIsTooLarge,
    CreditsAreExhausted,
    ParameterIsUnknown,
    RateIsExceeded,
    Refusal,
    RequestIsInvalid,
    ScopeIsMissing,
    UuidIsInvalid,
    fault,
)

REQUEST_ID = "0198c7a2-6f3e-7b44-8d1a-0c9be52f4410"
RATE_LIMIT = 600

# Field name -> value, for fields without examples of their own.
FIELDS: dict[str, Any] = {
    "created_at": "2026-03-02T09:15:00Z",
    "updated_at": "2026-03-02T09:15:00Z",
    "kind": "settle",
    "name": "Northwind Advisory",
    "operation": "company_enrichment",
    "per_page": 25,
    "reason": "Company enriched",
    "request_id": REQUEST_ID,
}

WATCH = {
    "name": "Leadership in DACH",
    "filter": {"field": "country", "op": "in", "value": ["DE", "AT", "CH"]},
    "families": ["leadership_moves"],
}
# Operation -> its request body, where the fields' examples do not make a good one.
REQUESTS: dict[str, Any] = {
    "find_contacts": {"provider": "hunter", "max": 10, "dry_run": True},
    "search_accounts": {"country": "US", "employee_size_category": "201-500", "per_page": 25},
    "create_watch": WATCH,
    "preview_watch": WATCH,
}

# Operation -> values laid over the generated answer, so that an example is of one piece.
ANSWERS: dict[str, Any] = {
    "search_accounts": {
        "request": {
            "country": "US",
            "employee_size_category": "201-500",
            "page": 0,
            "offset": 0,
        },
        "pagination": {"page": 0},
        "facets": None,
    },
    "list_jobs": {"meta": {"reason": None}},
    "read_readiness": {"status": "ok", "reason": None},
    "list_ledger": {"pagination": {"total": 61, "total_items": 61, "total_pages": 3}},
}

# Refusal -> the details that the gate and the handlers add.
DETAILS: dict[type[Refusal], dict[str, Any]] = {
    RequestIsInvalid: {
        "fields": [fault("per_page", "Input should be less than or equal to 50.", "out_of_range")]
    },
    UuidIsInvalid: {"fields": [fault("company_id", "Must be a valid UUID.", "invalid_uuid")]},
    ParameterIsUnknown: {
        "fields": [fault("per_pages", "Unknown field; did you mean per_page?", "unknown_parameter")]
    },
    CreditsAreExhausted: {"credit": "company", "needed": 1, "remaining": 0},
    ScopeIsMissing: {"required_scope": "insights:read"},
    BodyIsTooLarge: {"limit": 1_000_000},
    RateIsExceeded: {"limit": RATE_LIMIT},
}


def sample_refusal(kind: type[Refusal], *, scope: str | None = None) -> Refusal:
    """A refusal as a caller meets it, with the details that go with it."""
    details = dict(DETAILS.get(kind, {}))
    if kind is ScopeIsMissing and scope is not None:
        details["required_scope"] = scope
    refusal = kind(**details)
    if kind is RateIsExceeded:
        refusal.retry_after = 23
    return refusal


def sample_request(name: str, schema: dict[str, Any], components: dict[str, Any]) -> Any:
    """A body for the operation `name`: required fields and those with examples."""
    return REQUESTS.get(name, _sample(schema, components, answer=False))


def sample_answer(name: str, schema: dict[str, Any], components: dict[str, Any]) -> Any:
    """An answer of the operation `name` with all its fields."""
    return _laid_over(_sample(schema, components, answer=True), ANSWERS.get(name, {}))


def sample_value(name: str, schema: dict[str, Any], components: dict[str, Any]) -> Any:
    """A value for the field or parameter `name`."""
    if schema.get("examples"):
        return schema["examples"][0]
    if name in FIELDS and _fits(FIELDS[name], schema):
        return FIELDS[name]
    return _sample(schema, components, answer=True)


def _fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is of the schema's kind, and in its vocabulary if it has one."""
    if "anyOf" in schema:
        return any(_fits(value, option) for option in schema["anyOf"])
    if "$ref" in schema or value not in schema.get("enum", [value]):
        return False
    kinds = {"string": str, "integer": int, "object": dict, "array": list}
    return isinstance(value, kinds.get(schema.get("type", ""), object))


def _sample(schema: dict[str, Any], components: dict[str, Any], *, answer: bool) -> Any:
    if schema.get("examples"):
        return schema["examples"][0]
    if "const" in schema:
        return schema["const"]
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if "$ref" in schema:
        target = components[schema["$ref"].rpartition("/")[2]]
        return _sample(target, components, answer=answer)
    if "anyOf" in schema:
        if {"type": "null"} in schema["anyOf"]:
            return None
        return _sample(schema["anyOf"][0], components, answer=answer)
    if schema.get("type") == "object":
        return _sample_object(schema, components, answer=answer)
    if schema.get("type") == "array":
        return [_sample(schema["items"], components, answer=answer)]
    return _sample_scalar(schema)


def _sample_object(
    schema: dict[str, Any], components: dict[str, Any], *, answer: bool
) -> dict[str, Any]:
    required = schema.get("required", [])
    found: dict[str, Any] = {}
    for name, field in schema.get("properties", {}).items():
        if answer or name in required or field.get("examples"):
            nested = "$ref" in field and "examples" not in field
            value = _sample(field, components, answer=answer) if nested else None
            found[name] = value if nested else sample_value(name, field, components)
    return found


def _sample_scalar(schema: dict[str, Any]) -> Any:
    formats = {
        "uuid": "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11",
        "date-time": "2026-03-02T09:15:00Z",
        "date": "2026-03-02",
        "uri": "https://harbor-analytics.example",
    }
    match schema.get("type"):
        case "string":
            return formats.get(schema.get("format", ""), "text")
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case _:
            return None


def _laid_over(base: Any, patch: Any) -> Any:
    if isinstance(base, dict) and isinstance(patch, dict):
        return base | {name: _laid_over(base.get(name), value) for name, value in patch.items()}
    return patch
