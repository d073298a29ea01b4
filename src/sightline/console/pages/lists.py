"""Lists of accounts: chosen by hand, or a search that runs on each read."""

from typing import Final

from sightline.console.filter_words import sentence
from sightline.console.page import FormIsInvalid, Moved, Shown, Visit, answered_page
from sightline.console.selection import names_in_filters
from sightline.domain.errors import Refusal

HERE: Final = "/console/lists"


async def create(visit: Visit) -> Shown | Moved:
    """Make an empty list, to put accounts into."""
    body = {"name": visit.form.get("name", "").strip()}
    try:
        await visit.run(
            "create_list", body=body | {"description": visit.form.get("description", "")}
        )
    except Refusal as refusal:
        return await show(visit, error=refusal.message)
    return Moved(HERE, notice="list_created")


async def change(visit: Visit) -> Shown | Moved:
    """Rename a list or delete it; its accounts stay."""
    path = {"list_id": visit.path_id("list_id")}
    match visit.form.get("action"):
        case "rename":
            body = {"name": visit.form.get("name", "").strip()}
            try:
                await visit.run("update_list", path=path, body=body)
            except Refusal as refusal:
                return await show(visit, error=refusal.message)
            return Moved(HERE, notice="list_renamed")
        case "delete":
            await visit.run("delete_list", path=path)
            return Moved(HERE, notice="list_deleted")
    raise FormIsInvalid


async def show(visit: Visit, *, error: str | None = None) -> Shown:
    lists, pager = await answered_page(visit, "list_lists")
    names = await names_in_filters(visit)
    for each in lists:
        each["sentence"] = sentence(each["filter"], names) if each["filter"] is not None else None
    return Shown(
        "lists.html",
        {"lists": lists, "pager": pager, "error": error},
    )
