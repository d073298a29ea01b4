"""Watches: which accounts are kept an eye on, and which happenings become alerts."""

from functools import partial
from typing import Any

from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit, listed
from sightline.domain.bands import EMPLOYEE_BANDS
from sightline.domain.countries import countries
from sightline.domain.errors import Refusal, WatchDoesNotExist
from sightline.domain.industries import sectors
from sightline.domain.signals import SignalFamily
from sightline.store.watches import watches_page

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
    try:
        await visit.run(
            "create_watch",
            body={"name": name, "filter": _filter(visit), "families": families},
        )
    except Refusal as refusal:
        return await _list(visit, error=refusal.message)
    return Moved("/console/watches", notice="watch_made")


async def change(visit: Visit) -> Moved:
    """Pause a watch, let it go on, or delete it; its alerts stay."""
    action, path = visit.form.get("action"), {"watch_id": visit.path_id("watch_id")}
    if action not in ("pause", "resume", "delete"):
        raise FormIsInvalid
    try:
        if action == "delete":
            await visit.run("delete_watch", path=path)
        else:
            await visit.run("update_watch", path=path, body={"paused": action == "pause"})
    except WatchDoesNotExist as refusal:
        raise NothingHere from refusal
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
