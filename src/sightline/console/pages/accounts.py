"""The accounts of the organization: searched, filtered, a page at a time."""

import json
from dataclasses import replace
from functools import partial
from typing import Any, Final

from sightline.console.page import Moved, NothingHere, Shown, StoredPage, Visit, listed
from sightline.console.render import band
from sightline.domain.bands import EMPLOYEE_BANDS, REVENUE_BANDS
from sightline.domain.countries import countries
from sightline.domain.errors import NameIsTaken, RulesAreCircular
from sightline.domain.filters import Condition, FilterIsWrong, read_filter
from sightline.domain.names import search_terms
from sightline.store.accounts import (
    AccountFilter,
    AccountOrder,
    count_accounts,
    count_facet,
    find_accounts,
)
from sightline.store.database import Connection
from sightline.store.lists import ListIsMissing, create_list, delete_list, lists_page, resolve

SORTS: Final[dict[str, AccountOrder]] = {
    "name": AccountOrder("company_name"),
    "updated": AccountOrder("updated_at", descending=True),
    "employees": AccountOrder("employees", descending=True),
    "revenue": AccountOrder("revenue", descending=True),
}
# A filter of the page -> the field that it is, and its values in the order of the menu; () leaves them
# in the order of their names.
FACETS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "industry": ("industry", ()),
    "size": ("employee_size_category", EMPLOYEE_BANDS),
    "revenue": ("revenue_category", REVENUE_BANDS),
    "country": ("country", ()),
}
_MOST_LISTS: Final = 200
LONGEST_NAME: Final = 200


async def show(visit: Visit) -> Shown:
    return await _page(visit, error=None)


async def save(visit: Visit) -> Shown | Moved:
    """Keep the search of the address as a list, which is run anew whenever it is read."""
    name = visit.form.get("name", "").strip()
    if not name or len(name) > LONGEST_NAME:
        return await _page(visit, error=f"Give the list a name of at most {LONGEST_NAME} letters.")
    organization_id = visit.session.organization_id
    try:
        wanted = _as_filter(visit)
        reading = read_filter(wanted)
        if reading.unknown:
            return await _page(visit, error=f"This search cannot be kept: {reading.unknown[0]}")
        async with visit.writing() as connection:
            await resolve(connection, organization_id, reading.filter)
            list_id = await create_list(
                connection,
                organization_id,
                name=name,
                description="",
                filter=wanted,
                created_by=visit.session.user_id,
            )
    except NameIsTaken as error:
        return await _page(visit, error=error.message)
    except (FilterIsWrong, ListIsMissing, RulesAreCircular) as error:
        raise NothingHere from error
    return Moved(f"/console/accounts?list={list_id}", notice="list_made")


async def delete(visit: Visit) -> Moved:
    """Delete a list; its accounts stay."""
    async with visit.writing() as connection:
        if not await delete_list(
            connection, visit.session.organization_id, visit.path_id("list_id")
        ):
            raise NothingHere
    return Moved("/console/accounts", notice="list_deleted")


def _as_filter(visit: Visit) -> dict[str, Any]:
    """The search of the address in the filter language."""
    asked = [
        ("company_name", "contains", visit.asked("q")),
        ("list", "eq", visit.asked("list")),
        *((field, "eq", visit.asked(name)) for name, (field, _) in FACETS.items()),
    ]
    return {"and": [{"field": f, "op": op, "value": value} for f, op, value in asked if value]}


async def _page(visit: Visit, *, error: str | None) -> Shown:
    chosen = {name: visit.asked(name) for name in FACETS}
    sort = visit.choice("sort", tuple(SORTS)) or "name"
    organization_id = visit.session.organization_id
    async with visit.reading() as connection:
        stored, _, _ = await lists_page(
            connection, organization_id, before=None, offset=0, limit=_MOST_LISTS
        )
        saved = json.loads(stored)
        of_list = visit.choice("list", tuple(each["id"] for each in saved))
        every = await _searched(visit, connection, of_list)
        where = _narrowed(every, chosen)
        accounts, pager = await listed(
            visit, partial(_read, connection, organization_id, where, SORTS[sort])
        )
        menus = {
            name: _menu(
                name,
                await count_facet(
                    connection,
                    organization_id,
                    _narrowed(every, chosen | {name: ""}),
                    facet=FACETS[name][0],
                ),
                chosen[name],
            )
            for name in FACETS
        }
    return Shown(
        "accounts.html",
        {
            "accounts": accounts,
            "pager": pager,
            "chosen": chosen | {"q": visit.asked("q"), "list": of_list, "sort": sort},
            "is_narrowed": where != AccountFilter(),
            "lists": saved,
            "menus": menus,
            "query": visit.request.url.query,
            "of_list_only": where == every and bool(of_list) and not visit.asked("q"),
            "name": visit.form.get("name", ""),
            "error": error,
        },
        status=422 if error else 200,
    )


async def _read(
    connection: Connection,
    organization_id: Any,
    where: AccountFilter,
    order: AccountOrder,
    *,
    before: None,
    offset: int,
    limit: int,
) -> StoredPage:
    page = await find_accounts(
        connection,
        organization_id,
        where=where,
        order=order,
        after=before,
        offset=offset,
        limit=limit,
    )
    return page.items, await count_accounts(connection, organization_id, where), page.last


async def _searched(visit: Visit, connection: Connection, of_list: str) -> AccountFilter:
    """The accounts of a saved list, or all of them, whose name or domain was asked for."""
    text = visit.asked("q")
    terms = search_terms(text) if text else None
    where = (
        AccountFilter(name_spaced=terms.spaced, name_squeezed=terms.squeezed, nothing=terms.empty)
        if terms
        else AccountFilter()
    )
    if not of_list:
        return where
    try:
        wanted = await resolve(
            connection, visit.session.organization_id, Condition("list", "in", (of_list,))
        )
    except (ListIsMissing, RulesAreCircular) as error:
        raise NothingHere from error
    return replace(where, wanted=wanted)


def _narrowed(where: AccountFilter, chosen: dict[str, str]) -> AccountFilter:
    columns = {name: facet for name, (facet, _) in FACETS.items()} | {"country": "country_code"}
    equal = tuple((columns[name], value) for name, value in chosen.items() if value)
    return replace(where, equal=equal)


def _menu(name: str, counted: list[dict[str, Any]], chosen: str) -> list[tuple[str, str, int]]:
    """(value, label, accounts) of every value that some account has, and of the chosen one."""
    counts = {row["value"]: row["count"] for row in counted if row["value"] is not None}
    if chosen:
        counts.setdefault(chosen, 0)
    order = FACETS[name][1]
    labels = (
        {each.alpha2: each.name for each in countries()}
        if name == "country"
        else {value: band(value) for value in order}
    )
    rows = [(value, labels.get(value, value), count) for value, count in counts.items()]
    places = {value: n for n, value in enumerate(order)}
    return sorted(rows, key=lambda row: (places.get(row[0], len(places)), row[1]))
