"""Bulk actions on accounts: enrich, add to a list, export, delete."""

import json
from typing import Any, Final

from starlette.responses import Response

from sightline.console.page import FormIsInvalid, Moved, Shown, Visit
from sightline.console.pages.accounts import HERE, LONGEST_NAME, table
from sightline.console.selection import FAULTS, Selection, reason, selection_of
from sightline.domain.errors import RequestIsInvalid

FORMATS: Final = {"csv": "CSV", "xlsx": "Excel", "parquet": "Parquet", "jsonl": "JSON Lines"}
MOST_TAGGED: Final = 200
_NAMES: Final = 5


async def act(visit: Visit) -> Shown | Moved | Response:
    """One action on the selection; what costs or destroys is shown first and asked again."""
    actions = {
        "enrich": _enrich,
        "list": _list,
        "tag": _tag,
        "unlist": _unlist,
        "export": _export,
        "delete": _delete,
    }
    action = actions.get(visit.form.get("action", ""))
    if action is None:
        raise FormIsInvalid
    try:
        return await action(visit, selection_of(visit))
    except FAULTS as error:
        return await table(visit, error=reason(error))


async def _enrich(visit: Visit, selection: Selection) -> Shown | Moved:
    ids = await selection.account_ids(visit)
    body = {"items": [{"id": each} for each in ids]}
    if visit.form.get("confirmed"):
        made = await visit.run("submit_companies", body=body)
        return Moved(f"/console/operations/{made['public_operation_id']}")
    price = await visit.run("submit_companies", query={"dry_run": True}, body=body)
    return _confirm(selection, "enrich", {"count": len(ids), "price": price})


async def _delete(visit: Visit, selection: Selection) -> Shown | Moved:
    body: dict[str, Any] = {"account_ids": await selection.account_ids(visit)}
    if visit.form.get("confirmed"):
        done = await visit.run("delete_accounts", body=body)
        if done["public_operation_id"]:
            return Moved(f"/console/operations/{done['public_operation_id']}")
        return Moved(f"{HERE}?{selection.view.query}", notice="accounts_deleted")
    found = await visit.run("delete_accounts", query={"dry_run": True}, body=body)
    names = [each["company_name"] for each in found["sample"][:_NAMES]]
    return _confirm(selection, "delete", {"count": found["count"], "names": names})


def _confirm(selection: Selection, action: str, values: dict[str, Any]) -> Shown:
    return Shown("confirm.html", {"action": action, "selection": selection, **values})


async def _list(visit: Visit, selection: Selection) -> Moved:
    """Put the selection into a list that is chosen, or into a new one."""
    ids = await selection.account_ids(visit)
    name = visit.form.get("list_name", "").strip()
    if name:
        if len(name) > LONGEST_NAME:
            raise RequestIsInvalid(f"Enter a list name of up to {LONGEST_NAME} characters.")
        list_id = (await visit.run("create_list", body={"name": name}))["id"]
    elif visit.form.get("list_id"):
        list_id = str(visit.form_id("list_id"))
    else:
        raise RequestIsInvalid("Choose a list, or name a new one.")
    await visit.run("change_list_accounts", path={"list_id": list_id}, body={"add": ids})
    return Moved(f"{HERE}?list={list_id}", notice="listed")


async def _unlist(visit: Visit, selection: Selection) -> Moved:
    """Take the selection out of the list that is shown."""
    path = {"list_id": visit.form_id("of_list")}
    body = {"remove": await selection.account_ids(visit)}
    await visit.run("change_list_accounts", path=path, body=body)
    return Moved(f"{HERE}?{selection.view.query}", notice="unlisted")


async def _tag(visit: Visit, selection: Selection) -> Moved:
    """Put one more tag on each of the accounts."""
    tag, ids = visit.form.get("tag", "").strip(), await selection.account_ids(visit)
    if not tag:
        raise RequestIsInvalid("Enter a tag.")
    if len(ids) > MOST_TAGGED:
        raise RequestIsInvalid(f"At most {MOST_TAGGED} accounts are tagged at once.")
    for each in ids:
        path = {"account_id": each}
        tags = (await visit.run("read_account", path=path)).get("tags") or []
        if tag.casefold() not in {known.casefold() for known in tags}:
            await visit.run("update_account", path=path, body={"tags": [*tags, tag]})
    return Moved(f"{HERE}?{selection.view.query}", notice="tagged")


async def _export(visit: Visit, selection: Selection) -> Response:
    """A file of the selection, with where each value comes from if that is ticked."""
    search: dict[str, Any] = {"filter": selection.view.filter()}
    if not selection.everything:
        search = {"account_ids": await selection.account_ids(visit)}
    form = visit.form.get("format", "csv")
    query = {
        "format": form if form in FORMATS else "csv",
        "provenance": bool(visit.form.get("provenance")),
        "search": json.dumps(search),
    }
    return await visit.respond("export_accounts", query=query)
