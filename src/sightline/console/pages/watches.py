"""Watches: which accounts are monitored for what, previewed over the last 30 days."""

from typing import Any, Final

from sightline.console.filter_words import sentence
from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit, answered_page
from sightline.console.pages.accounts import filter_bar, found_by
from sightline.console.selection import FAULTS, names_in_filters, reason
from sightline.console.view import View, read_view, written
from sightline.domain.contact_records import seniorities
from sightline.domain.errors import WatchDoesNotExist
from sightline.domain.event_types import DATA_EVENTS, FAMILIES
from sightline.domain.signals import KINDS

HERE: Final = "/console/watches"
TYPES: Final = {
    family: tuple(str(name) for name, kind in KINDS.items() if str(kind.family) == family)
    for family in FAMILIES
} | {"data_changes": DATA_EVENTS}
PREVIEW: Final = "preview"  # in the address of the page that shows it
CONFIDENCES: Final = {"0.5": "50% (default)", "0.7": "70%", "0.9": "90%"}


async def show(visit: Visit) -> Shown:
    watches, pager = await answered_page(visit, "list_watches")
    names = await names_in_filters(visit)
    for each in watches:
        each["sentence"] = sentence(each["filter"], names) if each["filter"] is not None else None
        each["edit"] = _address(each) if each["filter"] is not None else None
    return Shown("watches.html", {"watches": watches, "pager": pager})


async def save(visit: Visit) -> Shown | Moved:
    """Keep the watch that the address describes, under the name of the form."""
    try:
        view = read_view(visit.request.query_params.multi_items())
        body = _watch(visit, view) | {"name": visit.form.get("name", "").strip()}
        if visit.asked("watch"):
            path = {"watch_id": visit.as_id(visit.asked("watch"))}
            await visit.run("update_watch", path=path, body=body)
            return Moved(HERE, notice="watch_changed")
        await visit.run("create_watch", body=body)
    except FAULTS as error:
        return await new(visit, error=reason(error))
    return Moved(HERE, notice="watch_made")


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
    return Moved(HERE, notice="watch_changed")


def _address(watch: dict[str, Any]) -> str:
    """The address of the builder with everything that a watch says."""
    view = written(watch["filter"])
    chosen = [("watch", watch["id"]), ("name", watch["name"])]
    chosen += [("family", each) for each in watch["families"]]
    chosen += [("type", each) for each in watch["types"]]
    chosen += [("seniority", each) for each in watch["seniorities"]]
    chosen += [("least", str(watch["least_confidence"]))]
    return f"{HERE}/new?{View((*view.parameters, *chosen)).query}"


def _watch(visit: Visit, view: View) -> dict[str, Any]:
    """What the address says of a watch for the accounts of a view. Raises FilterTextIsWrong."""
    given = visit.request.query_params
    known = {each for types in TYPES.values() for each in types}
    least = given.get("least", "")
    return {
        "filter": view.filter(),
        "families": [each for each in FAMILIES if each in given.getlist("family")],
        "types": [each for each in given.getlist("type") if each in known],
        "seniorities": [each for each in seniorities() if each in given.getlist("seniority")],
        "least_confidence": float(least) if least in CONFIDENCES else 0.5,
    }


async def new(visit: Visit, *, error: str | None = None) -> Shown:
    view = read_view(visit.request.query_params.multi_items())
    try:
        found, _ = await found_by(visit, view)
    except FAULTS as wrong:
        error, view = error or reason(wrong), view.arranged()
        found, _ = await found_by(visit, view)
    asked = _watch(visit, view)
    tried, later = None, None
    if visit.asked("with") == PREVIEW and (asked["families"] or asked["types"]):
        tried = await visit.run("preview_watch", body=asked | {"name": "preview"})
    elif (asked["families"] or asked["types"]) and not error:
        later = f"{HERE}/new?{visit.request.url.query}&with={PREVIEW}"
    return Shown(
        "watch_edit.html",
        {
            "watch": asked,
            "watch_id": visit.asked("watch"),
            "name": visit.form.get("name") or visit.asked("name"),
            "account_count": found["pagination"]["total"],
            "tried": tried,
            "later": later,
            "types": TYPES,
            "seniorities": seniorities(),
            "confidences": CONFIDENCES,
            "query": visit.request.url.query,
            "error": error,
            **await filter_bar(visit, view, found["facets"]),
        },
    )
