"""Safe access to parts of outside JSON: a missing or mistyped part is None."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sightline.sources.plain_text import one_line

_COMMA_DECIMALS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d{1,2})?|\d+,\d{1,2}")
"""Numbers as most of Europe writes them; three digits after a point are thousands."""


def at(value: Any, *path: str) -> Any:
    """What lies under the names of a path; None where a step is missing or no object."""
    for name in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def text(value: Any, *path: str) -> str | None:
    """One line of text or a number as text; None when empty or something else."""
    found = at(value, *path)
    if isinstance(found, bool) or not isinstance(found, str | int | float) or found != found:
        return None  # also NaN, which no name or id is
    return one_line(str(found)) or None


def markup(value: Any, *path: str) -> str:
    """A text as it stands, with its markup; "" when there is none."""
    found = at(value, *path)
    return found if isinstance(found, str) else ""


def rows(value: Any, *path: str) -> Sequence[Any]:
    """A list; empty when it is none."""
    found = at(value, *path)
    return found if isinstance(found, list) else ()


def integer(value: Any, *path: str) -> int | None:
    """A whole number, also when written as text."""
    found = at(value, *path)
    if isinstance(found, str) and found.strip().isdigit() and len(found) < 19:
        return int(found)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return int(found) if found == found and abs(found) < 1e15 else None


def number(value: Any, *path: str) -> float | None:
    """A number, also when written as text: "1,250.50", "1.250,50", "52.000"."""
    found = at(value, *path)
    if isinstance(found, str):
        written = found.strip()
        if _COMMA_DECIMALS.fullmatch(written):
            written = written.replace(".", "").replace(",", ".")
        try:
            found = float(written.replace(",", ""))
        except ValueError:
            return None
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return float(found) if found == found and abs(found) < 1e12 else None


def flag(value: Any, *path: str) -> bool | None:
    """True or False, also as text or number; None when neither."""
    found = at(value, *path)
    if isinstance(found, bool):
        return found
    if isinstance(found, str | int):
        return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(
            str(found).strip().lower()
        )
    return None
