"""Filters in requests: read once, and every fault named as a field error."""

from typing import Any

from sightline.domain.errors import FilterIsInvalid
from sightline.domain.filters import EVERYTHING, FilterIsWrong, Reading, read_filter


def checked_filter(value: dict[str, Any] | None, *, path: str = "filter") -> Reading:
    """The filter of a request; without one, everything. Raises FilterIsInvalid."""
    if value is None:
        return Reading(EVERYTHING, ())
    try:
        return read_filter(value, path=path)
    except FilterIsWrong as error:
        fields = [
            {"path": fault.path, "message": fault.message, "code": FilterIsInvalid.code}
            for fault in error.faults
        ]
        raise FilterIsInvalid(str(error), fields=fields) from error
