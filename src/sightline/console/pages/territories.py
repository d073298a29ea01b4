"""Territories: who holds which accounts, and how good each is."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from sightline.console.page import NothingHere, Shown, Visit, listed
from sightline.console.render import shown_value, words
from sightline.store.territories import members_page
from sightline.store.territory_pages import territories_page, territory_head

_OPERATORS = {
    "eq": "is", "ne": "is not", "in": "is", "not_in": "is not", "gt": "above", "gte": "at least",
    "lt": "below", "lte": "at most", "between": "between", "contains": "contains",
    "not_contains": "does not contain", "starts_with": "starts with", "blank": "is unknown",
    "not_blank": "is known",
}  # fmt: skip


async def show(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        read = partial(territories_page, connection, visit.session.organization_id)
        items, pager = await listed(visit, read)
    for each in items:
        each["sentence"] = sentence(each["rules"])
    return Shown("territories.html", {"territories": items, "pager": pager})


async def detail(visit: Visit) -> Shown:
    organization_id, territory_id = visit.session.organization_id, visit.path("territory_id")
    async with visit.reading() as connection:
        head = await territory_head(connection, organization_id, territory_id)
        if head is None:
            raise NothingHere
        read = partial(members_page, connection, organization_id, territory_id)
        members, pager = await listed(visit, read)
    territory = json.loads(head)
    territory["sentence"] = sentence(territory["rules"])
    return Shown("territory.html", {"territory": territory, "members": members, "pager": pager})


def sentence(rules: Any) -> str:
    """A filter in words: "Country is Germany and Employees above 200"."""
    if not isinstance(rules, Mapping) or not rules:
        return "All accounts"
    if "field" in rules:
        operator = _OPERATORS.get(str(rules.get("op", "eq")), str(rules.get("op", "eq")))
        value = rules.get("value")
        joined = " or " if rules.get("op") in ("in", "not_in") else " and "
        text = (
            joined.join(map(shown_value, value)) if isinstance(value, list) else shown_value(value)
        )
        end = "" if value is None else f" {text}"
        return f"{words(rules['field'])} {operator}{end}"
    for join in ("and", "or"):
        if join in rules:
            parts = [sentence(each) for each in rules[join]]
            return f" {join} ".join(f"({p})" if " or " in p and join == "and" else p for p in parts)
    return f"not ({sentence(rules['not'])})" if "not" in rules else "All accounts"
