"""The accounts of the organization: searched, filtered, a page at a time."""

import json
from functools import partial

from sightline.console.page import PER_PAGE, Shown, Visit, page_number, pager
from sightline.domain.bands import EMPLOYEE_BANDS
from sightline.domain.countries import countries
from sightline.domain.industries import industries
from sightline.domain.names import search_terms
from sightline.store.accounts import (
    AccountFilter,
    AccountOrder,
    count_accounts,
    count_facet,
    find_accounts,
)

SORTS: dict[str, AccountOrder] = {
    "name": AccountOrder("company_name"),
    "updated": AccountOrder("updated_at", descending=True),
    "employees": AccountOrder("employees", descending=True),
    "revenue": AccountOrder("revenue", descending=True),
}


async def show(visit: Visit) -> Shown:
    industry = visit.choice("industry", tuple(each.name for each in industries()))
    size = visit.choice("size", EMPLOYEE_BANDS)
    country = visit.choice("country", tuple(each.alpha2 for each in countries()))
    sort = visit.choice("sort", tuple(SORTS)) or "name"
    where = _filter(visit.asked("q"), industry=industry, size=size, country=country)
    organization_id = visit.session.organization_id
    async with visit.reading() as connection:
        page = await find_accounts(
            connection,
            organization_id,
            where=where,
            order=SORTS[sort],
            after=None,
            offset=(page_number(visit) - 1) * PER_PAGE,
            limit=PER_PAGE,
        )
        total = await count_accounts(connection, organization_id, where)
        facet = partial(count_facet, connection, organization_id, AccountFilter())
        held = {
            name: [row for row in await facet(facet=name) if row["value"] is not None]
            for name in ("industry", "employee_size_category", "country")
        }
    names = {each.alpha2: each.name for each in countries()}
    return Shown(
        "accounts.html",
        {
            "accounts": json.loads(page.items),
            "pager": pager(visit, total),
            "chosen": {
                "q": visit.asked("q"),
                "industry": industry,
                "size": size,
                "country": country,
                "sort": sort,
            },
            "is_narrowed": where != AccountFilter(),
            "industries": sorted(row["value"] for row in held["industry"]),
            "sizes": [
                band
                for band in EMPLOYEE_BANDS
                if any(row["value"] == band for row in held["employee_size_category"])
            ],
            "countries": sorted(
                ((row["value"], names.get(row["value"], row["value"])) for row in held["country"]),
                key=lambda pair: pair[1],
            ),
        },
    )


def _filter(text: str, *, industry: str, size: str, country: str) -> AccountFilter:
    equal: list[tuple[str, str | bool]] = [
        (column, value)
        for column, value in (
            ("industry", industry),
            ("employee_size_category", size),
            ("country_code", country),
        )
        if value
    ]
    if not text:
        return AccountFilter(tuple(equal))
    terms = search_terms(text)
    return AccountFilter(tuple(equal), terms.spaced, terms.squeezed, nothing=terms.empty)
