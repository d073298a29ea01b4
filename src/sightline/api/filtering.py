"""Filters in requests: parsed once, with a field error for every fault."""

import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from sightline.api.endpoint import Call
from sightline.domain.errors import FilterIsInvalid, ListDoesNotExist, fault
from sightline.domain.filters import EVERYTHING, Filter, FilterIsWrong, Reading, read_filter
from sightline.store.database import Tenant
from sightline.store.lists import ListIdIsMalformed, ListIsMissing, resolve


def unknown_value(field: str, closest: Sequence[str]) -> str:
    """The sentence of X-Warning about a value outside its vocabulary."""
    near = ", ".join(f'"{name}"' for name in closest) or "none"
    return as_ascii(f"unknown {field}; closest: {near}")


def as_ascii(text: str) -> str:
    """A header is ASCII; names of countries have accents."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def vocabulary_warning(field: str, value: str | None, known: Sequence[str]) -> dict[str, str]:
    """The header that warns of a value outside a vocabulary; empty for one inside, and for none."""
    if value is None or value in known:
        return {}
    closest = get_close_matches(value.lower(), known, n=3, cutoff=0.4)
    return {"X-Warning": unknown_value(field, closest or known)}


def checked_filter(value: dict[str, Any] | None, *, path: str = "filter") -> Reading:
    """The filter of a request; without one, everything. Raises FilterIsInvalid."""
    if value is None:
        return Reading(EVERYTHING, ())
    try:
        return read_filter(value, path=path)
    except FilterIsWrong as error:
        fields = [fault(each.path, each.message, FilterIsInvalid.code) for each in error.faults]
        raise FilterIsInvalid(str(error), fields=fields) from error


async def resolved_filter(
    tenant: Tenant, value: dict[str, Any] | None, *, path: str = "filter"
) -> Filter:
    """The filter of a search with its saved searches put in: ready for the store.

    Raises FilterIsInvalid, ListDoesNotExist, RulesAreCircular.
    """
    wanted = checked_filter(value, path=path).filter
    try:
        return await resolve(tenant, wanted)
    except ListIdIsMalformed as error:
        raise FilterIsInvalid.at(path, str(error), FilterIsInvalid.code) from error
    except ListIsMissing as error:
        raise ListDoesNotExist() from error


async def lasting_filter(
    call: Call, value: dict[str, Any], *, path: str = "filter", inside: Sequence[str] = ()
) -> Filter:
    """As `resolved_filter`, for rules that are kept: a value outside its vocabulary is refused, since
    no one would see a warning again. `inside` are the saved searches that it becomes part of."""
    reading = checked_filter(value, path=path)
    if reading.unknown:
        raise FilterIsInvalid.at(path, "; ".join(reading.unknown), FilterIsInvalid.code)
    try:
        return await resolve(call.tenant, reading.filter, inside=inside)
    except ListIsMissing as error:
        raise FilterIsInvalid.at(path, str(error), FilterIsInvalid.code) from error
