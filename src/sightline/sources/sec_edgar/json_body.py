"""JSON answers of the SEC: an object, or an error in words."""

import json
from typing import Any


def json_object(content: bytes, error: type[ValueError]) -> dict[str, Any]:
    """The object that a body is. Raises `error` for anything else."""
    try:
        data = json.loads(content)
    except ValueError as broken:
        raise error("The body is not JSON.") from broken
    if not isinstance(data, dict):
        raise error("The body is not a JSON object.")
    return data
