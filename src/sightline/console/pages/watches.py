"""Watches: which accounts are kept an eye on, and which happenings become alerts."""

from functools import partial
from typing import Any

from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit, listed
from sightline.domain.bands import EMPLOYEE_BANDS
from sightline.domain.countries import countries
from sightline.domain.errors import NameIsTaken
from sightline.domain.industries import sectors
from sightline.domain.signals import SignalFamily
from sightline.store.watches import delete_watch, find_watch, store_watch, watches_page

FAMILIES = tuple(str(family) for family in SignalFamily)
LONGEST_NAME = 200
_EVERY_ACCOUNT = {"and": list[Any]()}


async def show(visit: Visit) -> Shown:
    return await _list(visit, error=None)


async def create(visit: Visit) -> Shown | Moved:
    """Make a watch over the accounts that the form describes, in the name of the signed-in user."""
    name = visit.form.get("name", "").strip()
    families = [family for family in FAMILIES if visit.form.get(f"family:{family}")]
    if not name or len(name) > LONGEST_NAME:
        return await _list(visit, error=f"Give the watch a name of at most {LONGEST_NAME} letters.")
    if not families:
        return await _list(visit, error="Choose at least one kind of happening.")
    values = {
        "name": name,
        "kind": "search",
        "filter": _filter(visit),
        "families": families,
        "types": [],
        "fields": [],
        "least_confidence": 0.5,
        "paused": False,
        "expires_at": None,
        "created_by": visit.session.user_id,
    }
    try:
        async with visit.writing() as connection:
            await store_watch(connection, visit.session.organization_id, None, values=values)
    except NameIsTaken as error:
        return await _list(visit, error=error.message)
    return Moved("/console/watches", notice="watch_made")


async def change(visit: Visit) -> Moved:
    """Pause a watch, let it go on, or delete it; its alerts stay."""
    action = visit.form.get("action")
    organization_id, watch_id = visit.session.organization_id, visit.path_id("watch_id")
    async with visit.writing() as connection:
        stored = await find_watch(connection, organization_id, watch_id)
        if stored is None:
            raise NothingHere
        if action == "delete":
            await delete_watch(connection, organization_id, watch_id)
        elif action in ("pause", "resume"):
            values = {**stored, "paused": action == "pause"}
            await store_watch(connection, organization_id, watch_id, values=values)
        else:
            raise FormIsInvalid
    return Moved("/console/watches", notice="watch_changed")


def _filter(visit: Visit) -> dict[str, Any]:
    """The accounts chosen in the form; every one of them when nothing is chosen."""
    choices = (
        ("sector", sectors()),
        ("country", tuple(each.alpha2 for each in countries())),
        ("employee_size_category", EMPLOYEE_BANDS),
    )
    parts = [
        {"field": field, "op": "eq", "value": visit.form[field]}
        for field, allowed in choices
        if visit.form.get(field) in allowed
    ]
    return {"and": parts} if parts else _EVERY_ACCOUNT


async def _list(visit: Visit, *, error: str | None) -> Shown:
    organization_id = visit.session.organization_id
    async with visit.reading() as connection:
        items, pager = await listed(visit, partial(watches_page, connection, organization_id))
    return Shown(
        "watches.html",
        {
            "watches": items,
            "pager": pager,
            "families": FAMILIES,
            "sectors": sectors(),
            "countries": sorted(
                ((each.alpha2, each.name) for each in countries()), key=lambda pair: pair[1]
            ),
            "sizes": EMPLOYEE_BANDS,
            "given": visit.form,
            "error": error,
        },
        status=422 if error else 200,
    )
