"""Permission scopes: what a key may do."""

from collections.abc import Iterable

# name -> what it grants. Those of the reference, some with no endpoint yet, and `:write` of areas for
# which it lists only `:read`.
SCOPES: dict[str, str] = {
    "accounts:read": "search and list accounts",
    "accounts:write": "create or modify accounts and saved lists",
    "companies:read": "company data: relevance, graph, search, jobs, canvas",
    "contacts:read": "read contacts",
    "contacts:write": "create or enrich contacts",
    "insights:read": "company intelligence, profiles, alerts, technologies",
    "insights:write": "create or modify company enrichment data",
    "integrations:read": "integration status",
    "integrations:write": "switch integrations on and off, and set them up",
    "jobs:read": "job postings",
    "monitoring:read": "monitoring events",
    "monitoring:write": "manage monitoring events",
    "org_settings:read": "organization settings and credits",
    "org_settings:write": "administer users, keys and seller context",
    "sequences:read": "sequences and templates",
    "sequences:write": "create or modify sequences",
    "tasks:read": "read tasks",
    "tasks:write": "create or modify tasks",
    "territories:read": "territories and their companies",
    "territories:write": "create or modify territories",
    "workflows:read": "read workflows",
    "workflows:execute": "trigger workflow executions",
    "*": "everything",
}


def grantable_scopes() -> tuple[str, ...]:
    """Every scope a key may be given: the listed ones and `<area>:*` for each area."""
    areas = dict.fromkeys(name.partition(":")[0] for name in SCOPES if name != "*")
    return (*SCOPES, *(f"{area}:*" for area in areas))


def is_granted(required: str, granted: Iterable[str]) -> bool:
    """Whether one of the granted scopes covers the required one."""
    area = required.partition(":")[0]
    return any(scope in (required, "*", f"{area}:*") for scope in granted)
