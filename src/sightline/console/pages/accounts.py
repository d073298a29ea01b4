"""The table of accounts: filtered, counted, sorted, paged."""

from typing import Any, Final

from sightline.console.filter_words import label, sentence
from sightline.console.page import Moved, NothingHere, Pager, Shown, Visit, pager
from sightline.console.view import (
    CHOICES,
    COLUMNS,
    PAGE_SIZES,
    SORTED_BY,
    SORTS,
    UNKNOWN,
    FilterTextIsWrong,
    View,
    as_text,
    read_view,
    written,
)
from sightline.domain.bands import EMPLOYEE_BANDS, REVENUE_BANDS
from sightline.domain.errors import NameIsTaken, Refusal
from sightline.domain.filters import FilterIsWrong, read_filter
from sightline.store.company_pages import logos_of
from sightline.store.console_views import delete_view, save_view
from sightline.store.lists import list_choices
from sightline.store.territory_pages import territory_choices

HERE: Final = "/console/accounts"
LONGEST_NAME: Final = 200
_ORDER: Final = {
    "employee_size_category": (*EMPLOYEE_BANDS,),
    "revenue_category": (*REVENUE_BANDS,),
}


async def show(visit: Visit) -> Shown | Moved:
    """The table; a filter written as text becomes the address that says the same."""
    if text := visit.request.query_params.get("text"):
        view = read_view(visit.request.query_params.multi_items())
        try:
            wanted = written(view.arranged().with_value("filter", text).filter())
        except FilterTextIsWrong as error:
            return await table(visit, error=str(error), text=text)
        return Moved(f"{HERE}?{View((*view.arranged().parameters, *wanted.parameters)).query}")
    return await table(visit)


async def save(visit: Visit) -> Shown | Moved:
    """Keep the address as a view, or its filter as a list that is searched whenever it is read."""
    view = read_view(visit.request.query_params.multi_items())
    name = visit.form.get("name", "").strip()
    if not name or len(name) > LONGEST_NAME:
        return await table(visit, error=f"Enter a name of up to {LONGEST_NAME} characters.")
    try:
        if visit.form.get("as") == "list":
            made = await visit.run("create_list", body={"name": name, "filter": view.filter()})
            return Moved(f"{HERE}?list={made['id']}", notice="list_made")
        async with visit.writing() as connection:
            await save_view(
                connection, name=name, query=view.query, created_by=visit.session.user_id
            )
    except NameIsTaken as refusal:
        return await table(visit, error=refusal.message)
    except (Refusal, FilterTextIsWrong) as error:
        return await table(visit, error=f"This search cannot be saved: {error}")
    return Moved(f"{HERE}?{view.query}", notice="view_saved")


async def forget(visit: Visit) -> Moved:
    """Delete a saved view."""
    async with visit.writing() as connection:
        if not await delete_view(connection, visit.path_id("view_id")):
            raise NothingHere
    return Moved(HERE, notice="view_deleted")


async def table(visit: Visit, *, error: str | None = None, text: str | None = None) -> Shown:
    """The page of accounts that the address asks for."""
    view = read_view(visit.request.query_params.multi_items())
    failed = error
    try:
        found, where = await found_by(visit, view)
    except (Refusal, FilterIsWrong, FilterTextIsWrong) as refusal:
        failed = failed or getattr(refusal, "message", str(refusal))
        text = text or view.first("filter")
        view = view.arranged()
        found, where = await found_by(visit, view)
    async with visit.reading() as connection:
        logos = await logos_of(connection, [each["company_id"] for each in found["items"]])
    values = await filter_bar(visit, view, found["facets"])
    return Shown(
        "accounts.html",
        {
            "accounts": found["items"],
            "logos": logos,
            "pager": where,
            "columns": COLUMNS,
            "sorted_by": SORTED_BY,
            "sorts": SORTS,
            "sizes": PAGE_SIZES,
            "name": visit.form.get("name", ""),
            "error": failed,
            **values,
            "text": text or values["text"],
        },
    )


async def filter_bar(visit: Visit, view: View, counted: dict[str, Any] | None) -> dict[str, Any]:
    """What the bar of filters shows: chips, menus with counts, lists and territories to choose from."""
    async with visit.reading() as connection:
        lists = await list_choices(connection)
        territories = await territory_choices(connection)
    names = {each["id"]: each["name"] for each in (*lists, *territories)}
    return {
        "view": view,
        "filter_chips": [(sentence(part.filter, names), part.without) for part in view.parts()],
        "text": as_text(view.filter()),
        "menus": await _menus(visit, view, counted),
        "lists": lists,
        "territories": territories,
    }


async def found_by(visit: Visit, view: View) -> tuple[dict[str, Any], Pager]:
    """The answer of the search, of its last page where the address asks for one beyond."""
    wanted = view.filter()
    read_filter(wanted)
    facets = [name for name in CHOICES if not view.all(name)]
    asked = {"filter": wanted, "sort": view.sort, "per_page": view.per_page, "facets": facets}
    number = visit.asked("page")
    page = int(number) if number.isdecimal() and 0 < len(number) < 6 else 1
    for _ in range(2):
        found = await visit.run("search_accounts", body={**asked, "page": max(0, page - 1)})
        where = pager(visit, found["pagination"]["total"], per_page=view.per_page)
        if where.page == page:
            break
        page = where.page
    return found, where


async def _menus(
    visit: Visit, view: View, counted: dict[str, Any] | None
) -> dict[str, list[tuple[str, str, int]]]:
    """field -> (value, label, accounts) of every value that some account has, whatever else is chosen
    of the same field; and of the chosen ones."""
    facets = dict(counted or {})
    for field in CHOICES:
        if view.all(field):
            asked = {"filter": view.without(field).filter(), "per_page": 1, "facets": [field]}
            facets |= (await visit.run("search_accounts", body=asked))["facets"]
    return {field: _menu(field, facets[field], view.all(field)) for field in CHOICES}


def _menu(
    field: str, rows: list[dict[str, Any]], chosen: tuple[str, ...]
) -> list[tuple[str, str, int]]:
    counts = {_value(row["value"]): row["count"] for row in rows}
    for value in chosen:
        counts.setdefault(value, 0)
    places = {value: n for n, value in enumerate(_ORDER.get(field, ()))}
    menu = [(value, _label(field, value), count) for value, count in counts.items()]
    if places:
        return sorted(menu, key=lambda row: places.get(row[0], len(places)))
    return sorted(menu, key=lambda row: (row[0] == UNKNOWN, -row[2], row[1]))


def _value(value: Any) -> str:
    if value is None:
        return UNKNOWN
    return str(value).lower() if isinstance(value, bool) else str(value)


def _label(field: str, value: str) -> str:
    if value == UNKNOWN:
        return "Unknown"
    if field == "public_company":
        return "Public" if value == "true" else "Not public"
    return label(field, value)
