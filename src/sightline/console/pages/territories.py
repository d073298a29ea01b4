"""Territories: rules over accounts with an owner and scores; built with a live count, compared, deleted."""

import json
from functools import partial
from typing import Any, Final

from starlette.responses import Response

from sightline.console.filter_words import sentence
from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit, listed
from sightline.console.pages.accounts import filter_bar, found_by
from sightline.console.pages.bulk import FORMATS
from sightline.console.selection import FAULTS, names_in_filters, reason
from sightline.console.view import read_view, written
from sightline.store.territories import members_page
from sightline.store.territory_pages import territories_page, territory_head, territory_ids

HERE: Final = "/console/territories"
OVERLAPS: Final = "overlaps"  # in the address of the page that shows them
_MOST_OVERLAPS: Final = 10
_MOST_USERS: Final = 50
_SCORE_ROWS: Final = 3
_UNCHANGED: Final = (
    "sort=company_name"  # a query that says nothing: the form of a territory without rules
)


async def show(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        read = partial(territories_page, connection)
        items, pager = await listed(visit, read)
        ids = await territory_ids(connection)
    names = await names_in_filters(visit)
    for each in items:
        each["sentence"] = sentence(each["rules"], names)
    overlaps = None  # found while the page is shown: they cost as much as there are members
    if visit.asked("with") == OVERLAPS:
        query = {"per_page": _MOST_OVERLAPS}
        overlaps = (await visit.run("list_territory_overlaps", query=query))["items"]
    return Shown(
        "territories.html",
        {
            "territories": items,
            "pager": pager,
            "overlaps": overlaps,
            "names": names,
            "uncovered": await _count(visit, {"not": _in_any(ids)}) if ids else 0,
            "later": f"{HERE}?with={OVERLAPS}" if len(ids) > 1 else None,
        },
    )


def _in_any(territories: list[str]) -> dict[str, Any]:
    return {"field": "territory", "op": "in", "value": territories}


async def _count(visit: Visit, wanted: dict[str, Any]) -> int:
    """How many accounts a filter finds, by the index in memory."""
    found = await visit.run("search_accounts", body={"filter": wanted, "per_page": 1})
    total: int = found["pagination"]["total"]
    return total


async def detail(visit: Visit) -> Shown:
    territory_id = visit.path("territory_id")
    territory = await _read(visit)
    async with visit.reading() as connection:
        read = partial(members_page, connection, territory_id)
        members, pager = await listed(visit, read)
    territory["sentence"] = sentence(territory["rules"], await names_in_filters(visit))
    return Shown("territory.html", {"territory": territory, "members": members, "pager": pager})


async def change(visit: Visit) -> Moved | Response:
    """Compute a territory again, export it, or delete it."""
    path = {"territory_id": visit.path("territory_id")}
    match visit.form.get("action"):
        case "recompute":
            await visit.run("recompute_territory", path=path)
            return Moved(f"{HERE}/{path['territory_id']}", notice="territory_saved")
        case "export":
            form = visit.form.get("format", "csv")
            query = {
                "format": form if form in FORMATS else "csv",
                "provenance": bool(visit.form.get("provenance")),
            }
            return await visit.respond("export_territory", path=path, query=query)
        case "delete":
            await visit.run("delete_territory", path=path)
            return Moved(HERE, notice="territory_deleted")
    raise FormIsInvalid


async def new(visit: Visit) -> Shown:
    return await _builder(visit, None)


async def create(visit: Visit) -> Shown | Moved:
    return await _save(visit, None)


async def edit(visit: Visit) -> Shown | Moved:
    """The builder, with the rules of a territory in its address."""
    territory = await _read(visit)
    if not visit.request.query_params:
        query = written(territory["rules"]).query or _UNCHANGED
        return Moved(f"{HERE}/{territory['id']}/edit?{query}")
    return await _builder(visit, territory)


async def update(visit: Visit) -> Shown | Moved:
    return await _save(visit, await _read(visit))


async def _read(visit: Visit) -> dict[str, Any]:
    async with visit.reading() as connection:
        head = await territory_head(connection, visit.path("territory_id"))
    if head is None:
        raise NothingHere
    territory: dict[str, Any] = json.loads(head)
    return territory


async def _save(visit: Visit, territory: dict[str, Any] | None) -> Shown | Moved:
    """Keep the rules of the address under the name of the form."""
    kept = [] if territory is None or visit.form.get("clear_scores") else territory["score_rules"]
    try:
        rules = read_view(visit.request.query_params.multi_items()).filter()
        body: dict[str, Any] = {
            "name": visit.form.get("name", "").strip(),
            "description": visit.form.get("description", "").strip(),
            "rules": rules if rules["and"] else {},
            "owner_id": str(visit.form_id("owner_id")) if visit.form.get("owner_id") else None,
            "score_rules": [*kept, *_scores(visit)],
        }
        if territory is None:
            made = await visit.run("create_territory", body=body)
        else:
            path = {"territory_id": territory["id"]}
            made = await visit.run("update_territory", path=path, body=body)
    except FAULTS as error:
        return await _builder(visit, territory, error=reason(error))
    return Moved(f"{HERE}/{made['id']}", notice="territory_saved")


def _scores(visit: Visit) -> list[dict[str, Any]]:
    """The score rules that the form adds: points for the accounts of a list."""
    rules = []
    for n in range(_SCORE_ROWS):
        list_id, points = visit.form.get(f"list:{n}", ""), visit.form.get(f"points:{n}", "")
        if list_id and points.removeprefix("-").isdecimal():
            member = {"field": "list", "op": "eq", "value": list_id}
            why = visit.form.get(f"why:{n}", "").strip() or "In a list"
            rules.append({"filter": member, "points": int(points), "why": why})
    return rules


async def _builder(
    visit: Visit, territory: dict[str, Any] | None, *, error: str | None = None
) -> Shown:
    view = read_view(visit.request.query_params.multi_items())
    try:
        found, _ = await found_by(visit, view)
    except FAULTS as wrong:
        error, view = error or reason(wrong), view.arranged()
        found, _ = await found_by(visit, view)
    rules = view.filter()
    entering = leaving = 0
    if territory is not None:
        members = _in_any([territory["id"]])
        entering = await _count(visit, {"and": [rules, {"not": members}]})
        leaving = await _count(visit, {"and": [members, {"not": rules}]}) if rules["and"] else 0
    users = (await visit.run("list_users", query={"per_page": _MOST_USERS}))["items"]
    return Shown(
        "territory_edit.html",
        {
            "territory": territory or {},
            "is_new": territory is None,
            "sample": found["items"][:10],
            "account_count": found["pagination"]["total"],
            "entering": entering,
            "leaving": leaving,
            "users": [each for each in users if not each["disabled"]],
            "score_rows": range(_SCORE_ROWS),
            "given": visit.form if error else territory or {},
            "error": error,
            **await filter_bar(visit, view, found["facets"]),
        },
    )
