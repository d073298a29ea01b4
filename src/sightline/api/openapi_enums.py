"""Names for the enumerations of the document, because client generators number unnamed ones."""

from collections.abc import Iterator
from typing import Any, Final

from sightline.api.openapi_errors import REF

# Those that several types or parameters share: name -> where one of them stands.
SHARED: Final = {
    "AlertStatus": ("Alert", "status"),
    "AssistantEvidence": ("ChatAnswer", "evidence"),
    "ContentType": ("ContentItem", "content_type"),
    "CreditType": ("LedgerEntry", "credit"),
    "DeliveryStatus": ("Delivery", "status"),
    "Department": ("Job", "department"),
    "ExportFormat": ("ExportAccounts", "format"),
    "NoteKind": ("Note", "kind"),
    "OperationKind": ("Operation", "kind"),
    "OperationStatus": ("Operation", "status"),
    "AccountOrder": ("AccountSearch", "sort"),
    "SessionOrder": ("ListAgentSessions", "sort_by"),
    "SessionStatus": ("Session", "status"),
    "SettingLength": ("Setting", "length"),
    "SourceKind": ("RelevanceSource", "kind"),
    "SyncDirection": ("MappedField", "direction"),
    "SyncRule": ("MappedField", "rule"),
    "SuppressionKind": ("Suppression", "kind"),
    "UserRole": ("User", "role"),
    "WebhookTopic": ("NewWebhook", "topics"),
}


def name_enums(document: dict[str, Any]) -> None:
    """Move every enumeration of fields and parameters to the schemas, in place: under its shared name,
    or that of its type and field."""
    schemas: dict[str, Any] = document["components"]["schemas"]
    places = [*_in_schemas(schemas), *_in_parameters(document["paths"])]
    shared: dict[tuple[str, ...], str] = {}
    at = {place: name for name, place in SHARED.items()}
    for owner, field, node in places:
        if (owner, field) in at:
            shared[tuple(node["enum"])] = at[owner, field]
    for owner, field, node in places:
        values = tuple(node.pop("enum"))
        name = shared.get(values) or owner + _pascal(field)
        schema = {"type": node.pop("type", "string"), "enum": list(values)}
        if schemas.setdefault(name, schema) != schema:
            raise LookupError(f"{name} is something else already.")
        node["$ref"] = REF.format(model=name)
    document["components"]["schemas"] = dict(sorted(schemas.items()))


def _in_schemas(schemas: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for owner, schema in schemas.items():
        for field, node in schema.get("properties", {}).items():
            for each in _enums(node):
                yield owner, field, each


def _in_parameters(paths: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for operations in paths.values():
        for operation in operations.values():
            for parameter in operation["parameters"]:
                for each in _enums(parameter.get("schema", {})):
                    yield _pascal(operation["operationId"]), parameter["name"], each


def _enums(node: Any) -> Iterator[dict[str, Any]]:
    """The enumerations of two words and more in the schema of one field."""
    if isinstance(node, list):
        for each in node:
            yield from _enums(each)
    elif isinstance(node, dict):
        values = node.get("enum")
        if isinstance(values, list) and len(values) > 1 and all(isinstance(v, str) for v in values):
            yield node
        for key in ("anyOf", "items", "additionalProperties", "prefixItems"):
            yield from _enums(node.get(key))


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.replace("-", "_").split("_"))
