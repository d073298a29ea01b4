"""The fields that facts can have, and the shape of their values.

A field with one value ("single") has one winner in the company record. A field with many ("set")
keeps one winner per `key`: the part of the value that tells one member from another.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from sightline.domain.names import fold
from sightline.domain.tables import rows_of

Kind = Literal["text", "url", "integer", "number", "boolean", "date", "object"]


@dataclass(frozen=True, slots=True)
class Field:
    """`parts` of an object are its keys; `key` the parts that identify a member of a set."""

    kind: Kind
    meaning: str
    many: bool = False
    parts: tuple[str, ...] = ()
    key: tuple[str, ...] = ()


_KINDS: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}

FIELDS: dict[str, Field] = {
    row["field"]: Field(
        _KINDS[row["kind"]],
        row["meaning"],
        row["many"] == "yes",
        tuple(row["parts"].split()),
        tuple(row["key"].split()),
    )
    for row in rows_of("fields.tsv")
}


def member_key(field: str, value: object) -> str:
    """What tells one member of a set from another: its key parts, folded; "" for single fields."""
    described = FIELDS[field]
    if not described.many:
        return ""
    if not isinstance(value, dict):
        return str(value).casefold().strip()
    parts = [str(value.get(part) or "") for part in described.key]
    if field == "person":
        return "\x1f".join(map(fold, parts))  # "Núñez" and "Nunez", "Ann-Marie" and "Ann Marie"
    return "\x1f".join(part.casefold().strip() for part in parts)
