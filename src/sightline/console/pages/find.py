"""Search of everything: accounts, people, pages, actions and evidence."""

import json
from typing import Any, Final
from urllib.parse import urlencode

from sightline.console.navigation import ACTIONS, GROUPS, Place
from sightline.console.page import Shown, Visit
from sightline.console.pages.contacts import words_query
from sightline.console.render import short
from sightline.kit.clock import now
from sightline.search.across import search_companies
from sightline.search.items import read_groups
from sightline.search.ranking import Request
from sightline.store.accounts import AccountFilter, companies_with_evidence
from sightline.store.contacts import find_contacts
from sightline.store.database import Tenant
from sightline.store.pages import Slice

_EACH: Final = 5
_HITS: Final = 4


async def show(visit: Visit) -> Shown:
    """Rows of {href, icon, title, note} by group; those of the evidence alone with `evidence=yes`."""
    q, with_evidence = visit.asked("q"), visit.asked("evidence") == "yes"
    if with_evidence:
        async with visit.reading() as connection:
            groups = [("Evidence", await _evidence(connection, q))]
    else:
        accounts = await _accounts(visit, q)
        async with visit.reading() as connection:
            people = await _people(connection, q)
        groups = [
            ("Accounts", accounts),
            ("People", people),
            ("Actions", [_row(place) for place in _named(ACTIONS, q)]),
            ("Pages", [_row(place) for _, places in GROUPS for place in _named(places, q)]),
        ]
    return Shown("find.html", {"groups": groups, "q": q, "with_evidence": with_evidence})


def _named(places: tuple[Place, ...], q: str) -> list[Place]:
    """The places of which a word begins with each word that was typed."""
    typed = q.casefold().split()
    return [
        place
        for place in places
        if all(
            any(word.startswith(part) for word in f"{place.label} {place.words}".casefold().split())
            for part in typed
        )
    ]


def _row(place: Place) -> dict[str, str]:
    return {"href": place.path, "icon": place.icon, "title": place.label, "note": ""}


async def _accounts(visit: Visit, q: str) -> list[dict[str, Any]]:
    if not q:
        return []
    # By the row of the API, which has the index in memory: it is asked at every letter.
    page = await visit.run("search_accounts", body={"company_name": q[:200], "per_page": _EACH})
    return [
        {
            "href": f"/console/companies/{each['company_id']}",
            "icon": "building",
            "title": each["company_name"] or each.get("domain") or "Unnamed company",
            "note": each.get("domain") or "",
        }
        for each in page["items"]
    ]


async def _people(connection: Tenant, q: str) -> list[dict[str, Any]]:
    if not q:
        return []
    found, _, _ = await find_contacts(connection, query=words_query(q), part=Slice(_EACH))
    return [
        {
            "href": f"/console/companies/{each['company_id']}/people"
            if each.get("company_id")
            else "/console/contacts",
            "icon": "user",
            "title": each.get("full_name") or "Name unknown",
            "note": each.get("current_job_title") or "",
        }
        for each in json.loads(found)
    ]


async def _evidence(connection: Tenant, q: str) -> list[dict[str, Any]]:
    """The best hit of a few companies, and the page that has them all."""
    companies = await companies_with_evidence(connection, AccountFilter(), company_ids=None)
    groups = await search_companies(connection, list(companies), Request(now(), q))
    items = await read_groups(connection, groups[:_HITS], companies, per_company=1)
    rows = [
        {
            "href": f"/console/companies/{item['company']['id']}/signals?{urlencode({'q': q})}",
            "icon": "document",
            "title": short(item["hits"][0]["quote"] or item["hits"][0]["title"], 90),
            "note": item["company"]["name"] or "",
        }
        for item in items
    ]
    return [
        *rows,
        {
            "href": f"/console/search?{urlencode({'q': q})}",
            "icon": "search",
            "title": f"Search the evidence for “{q}”",
            "note": "",
        },
    ]
