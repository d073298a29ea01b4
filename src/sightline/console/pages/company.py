"""A company: what a seller needs before a call, and all evidence."""

import json
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from sightline.console.page import (
    FormIsInvalid,
    Moved,
    NothingHere,
    Shown,
    Visit,
    listed,
    page_number,
    pager,
)
from sightline.console.pages.notes import notes_of
from sightline.domain import contact_records
from sightline.domain.errors import CompanyDoesNotExist, Refusal
from sightline.enrich.provenance import provenance
from sightline.kit.clock import now
from sightline.profile import registry
from sightline.profile.brief import read_brief
from sightline.profile.brief_markdown import markdown
from sightline.profile.shapes import Statement
from sightline.search.items import read_items
from sightline.search.ranking import Request
from sightline.search.relevance import relevance, why_empty
from sightline.store import contacts, profiles
from sightline.store.companies import company_document, own_values, present_company
from sightline.store.company_pages import account_of, logos_of
from sightline.store.database import Tenant
from sightline.store.facts import read_facts
from sightline.store.jobs import JobFilter, job_trends, jobs_page
from sightline.store.pages import Slice
from sightline.store.seller_context import read_context
from sightline.store.technologies import technologies_page

MONTHS: Final = 12
# What the first page of a company shows of each list.
_MOST_PEOPLE, _MOST_PRODUCTS = 4, 12
_CONTACTS_READ: Final = 200
_HITS: Final = 20
_technologies = partial(technologies_page, category=None, active=None)
# The order in which a person reads a record; what is in the head of the page is left out.
GROUPS: Final = (
    ("Identity", ("company_name", "website_domain", "description", "tags", "alternative_names",
                  "alternative_domains", "profile_network_url")),
    ("Business", ("industry", "sector", "ceo", "employee_count_range", "full_time_employees",
                  "revenue_range")),
    ("Location", ("hq_address", "hq_city", "hq_state", "hq_postcode", "hq_country_name", "region")),
    ("Stock", ("public_company", "stock_ticker", "stock_exchange_name", "stock_exchange_symbol",
               "stock_currency", "market_cap")),
)  # fmt: skip
# Fields that a person may set, and what the API calls them.
EDITABLE: Final = {
    "website_domain": "website", "hq_country_name": "country",
    **{name: name for name in (
        "company_name", "description", "tags", "alternative_names", "industry", "ceo", "revenue_range",
        "full_time_employees", "employee_count_range", "hq_address", "hq_city", "hq_state",
        "hq_postcode", "public_company",
    )},
}  # fmt: skip
_LISTS: Final = ("tags", "alternative_names")
# Sections whose rows are a name and a description, in reading order.
STATEMENTS: Final = tuple(each.name for each in registry.ALL if each.shape is Statement)
TITLES: Final = {each.name: each.title for each in registry.ALL}
_JOINED: Final = {each.name for each in registry.JOINED_SECTIONS}
SECTIONS: Final = tuple(name for name in TITLES if name not in _JOINED)
SWOT: Final = ("STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT")


async def overview(visit: Visit) -> Shown:
    """The brief of a call, with our own contacts, what they use and whom they hire."""
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        brief = await read_brief(connection, company_id, now=now())
        known, contact_count, _ = await contacts.company_contacts(
            connection, company_id=company_id, part=Slice(_CONTACTS_READ)
        )
        products, product_count, _ = await _technologies(
            connection, company_id, part=Slice(_MOST_PRODUCTS)
        )
        trends = json.loads(await job_trends(connection, company_id, months=MONTHS))
        proof = await _proof(connection, company_id)
        context, _ = await read_context(connection)
        team = await notes_of(connection, company_id)
    people = sorted(json.loads(known), key=_call_order)[:_MOST_PEOPLE]
    assert brief is not None  # `company_of` has found it
    return tab_of(
        "company_overview.html",
        "overview",
        document,
        brief=brief,
        team=team,
        markdown=markdown(brief),
        selling=any(context.values()),
        documents={row["n"]: row for row in brief["sources"]},
        people=people,
        contact_count=contact_count,
        products=json.loads(products),
        product_count=product_count,
        months=_month_names(trends),
        active=[row["active"] for row in trends["months"]],
        departments=[row for row in trends["departments"] if row["active"]][:5],
        contradicted=[(name, of) for name, of in proof.items() if of.get("contradicted_by")],
    )


def _call_order(person: dict[str, Any]) -> tuple[bool, int]:
    """Those who can be reached first, then by rank."""
    levels = contact_records.seniorities()
    level = person.get("seniority")
    reachable = bool(person.get("phones") or person.get("emails"))
    return not reachable, levels.index(level) if level in levels else len(levels)


async def change_record(visit: Visit) -> Shown | Moved:
    """Set one value of the company's account by hand, or take the own value away."""
    name = visit.form.get("field", "")
    if name not in EDITABLE:
        raise FormIsInvalid
    async with visit.reading() as connection:
        company_id, _ = await company_of(visit, connection)
        account_id = await account_of(connection, company_id)
    if account_id is None:
        return await record(
            visit, error="Only accounts can be edited. Add this company to your accounts first."
        )
    value = visit.form.get("value", "").strip()
    try:
        await visit.run(
            "update_account",
            path={"account_id": account_id},
            body={EDITABLE[name]: _typed(name, value)},
        )
    except Refusal as refusal:
        return await record(visit, error=refusal.message)
    return Moved(f"/console/companies/{company_id}/record", notice="value_set")


def _typed(name: str, value: str) -> Any:
    """What a person wrote as the API wants it; nothing takes the own value away."""
    if not value:
        return None
    if name in _LISTS:
        return [part for each in value.split(",") if (part := each.strip())]
    if name == "full_time_employees" and value.replace(",", "").isdecimal():
        return int(value.replace(",", ""))
    return value == "yes" if name == "public_company" else value


async def record(visit: Visit, *, error: str | None = None) -> Shown:
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        proof = await _proof(connection, company_id)
        account_id = await account_of(connection, company_id)
    groups = [
        (title, [(name, document.get(name), proof.get(name)) for name in names])
        for title, names in GROUPS
    ]
    shown = [
        (title, [row for row in rows if row[1] not in (None, [], "")]) for title, rows in groups
    ]
    missing = [name for _, rows in groups for name, value, _ in rows if value in (None, [], "")]
    return tab_of(
        "company_record.html",
        "record",
        document,
        groups=shown,
        missing=missing,
        editable=EDITABLE if account_id else {},
        error=error,
    )


async def profile(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        rows = await profiles.read_sections(
            connection, company_id, sections=SECTIONS, with_sources=True
        )
    sections = {row.section: json.loads(row.body) for row in rows}
    states = {row.section: json.loads(row.described) for row in rows}
    swot = {
        kind: [each for each in sections.get("swot_analysis", []) if each["type"] == kind]
        for kind in SWOT
    }
    return tab_of(
        "company_profile.html",
        "profile",
        document,
        sections={name: body for name, body in sections.items() if body},
        states=states,
        titles=TITLES,
        annual=next((s["annual_source"] for s in states.values()), None),
        swot=swot if any(swot.values()) else None,
        competitors=_told_alike(sections.get("competitors") or []),
        statements=[name for name in STATEMENTS if sections.get(name)],
    )


def _told_alike(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of one description as one row with all their names: filings name rivals in groups."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row.get("description") or row["name"], []).append(row)
    return [
        group[0]
        | {
            "name": ", ".join(row["name"] for row in group),
            "sources": list(
                {each.get("quote"): each for row in group for each in row["sources"]}.values()
            ),
        }
        for group in groups.values()
    ]


async def signals(visit: Visit) -> Shown:
    """What matters now, ranked; with a question, what answers it."""
    text = visit.asked("q") or None
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        request = Request(now=now(), text=text)
        placed = await relevance(connection, company_id, request)
        reason = None if placed else await why_empty(connection, company_id, request)
        start = (page_number(visit) - 1) * _HITS
        items = list((await read_items(connection, placed[start : start + _HITS])).values())
    return tab_of(
        "company_signals.html",
        "signals",
        document,
        items=items,
        reason=reason,
        q=text or "",
        pager=pager(visit, len(placed), per_page=_HITS),
    )


async def jobs(visit: Visit) -> Shown:
    state = visit.choice("state", ("open", "closed", "all")) or "open"
    wanted = JobFilter(
        active={"open": True, "closed": False, "all": None}[state],
        title=visit.asked("title") or None,
    )
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        page = partial(jobs_page, connection, company_id, wanted)
        items, where = await listed(visit, page)
        trends = json.loads(await job_trends(connection, company_id, months=MONTHS))
    months = trends["months"]
    since = trends["observed_since"]
    return tab_of(
        "company_jobs.html",
        "jobs",
        document,
        items=items,
        pager=where,
        state=state,
        title=visit.asked("title"),
        months=_month_names(trends),
        active=[row["active"] for row in months],
        opened=[row["opened"] for row in months],
        since=since if since and since[:7] > months[0]["month"] else None,
        departments=[row for row in trends["departments"] if row["active"]][:6],
    )


async def technologies(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        page = partial(_technologies, connection, company_id)
        items, where = await listed(visit, page)
    return tab_of("company_technologies.html", "technologies", document, items=items, pager=where)


def _month_names(trends: dict[str, Any]) -> list[str]:
    return [datetime.strptime(row["month"], "%Y-%m").strftime("%b %y") for row in trends["months"]]


async def people(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        items, where = await listed(
            visit,
            partial(contacts.company_contacts, connection, company_id=company_id),
        )
        named = await profiles.read_sections(
            connection, company_id, sections=("key_executives",), with_sources=True
        )
    executives = json.loads(named[0].body) if named else []
    return tab_of(
        "company_people.html", "people", document, items=items, pager=where, executives=executives
    )


async def _proof(connection: Tenant, company_id: UUID) -> dict[str, Any]:
    """Where each value of the record comes from."""
    facts = await read_facts(connection, company_id)
    own, sources = await own_values(connection, company_id)
    return provenance(facts, own, sources, now=now())


async def company_of(visit: Visit, connection: Tenant) -> tuple[UUID, dict[str, Any]]:
    """The company that the address names; its record, with the mark of its logo. Raises NothingHere."""
    asked = visit.path_id("company_id")
    company_id = await present_company(connection, asked)
    found = await company_document(connection, asked)
    if company_id is None or found is None:
        raise NothingHere from CompanyDoesNotExist()
    document = json.loads(found[0])
    document["logo"] = (await logos_of(connection, [company_id])).get(str(company_id))
    return company_id, document


def tab_of(template: str, tab: str, document: dict[str, Any], **values: Any) -> Shown:
    """A page below the head of a company."""
    return Shown(template, {"company": document, "tab": tab, **values})
