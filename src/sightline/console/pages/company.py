"""A company: its record with the proof of every value, and what is known around it."""

import json
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from sightline.console.page import NothingHere, Shown, Visit, listed, page_number, pager
from sightline.domain.errors import CompanyDoesNotExist
from sightline.domain.job_reading import technology_categories
from sightline.enrich.provenance import provenance
from sightline.kit.clock import now
from sightline.search.items import item_of
from sightline.search.relevance import Request, relevance
from sightline.store import contacts, profiles
from sightline.store.companies import company_document, own_values, present_company
from sightline.store.database import Connection
from sightline.store.facts import read_facts
from sightline.store.indexable import read_shown
from sightline.store.jobs import JobFilter, job_trends, jobs_page
from sightline.store.technologies import technologies_page

MONTHS: Final = 12
_HITS: Final = 20
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
# Sections whose rows are a name and a description, in reading order.
STATEMENTS: Final = (
    "strategic_priorities", "goals", "digital_strategies", "how_they_make_money",
    "how_they_lose_money", "risks", "industry_insights", "geographical_operations",
    "employee_groups", "value_pyramid", "three_whys", "discovery_questions",
)  # fmt: skip
SECTIONS: Final = (
    "overview", "swot_analysis", "competitors", "key_executives", "divisions", "events",
    "insights_scores", "custom_insights", *STATEMENTS,
)  # fmt: skip
SWOT: Final = ("STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT")


async def record(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        facts = await read_facts(connection, company_id)
        own, sources = await own_values(connection, visit.session.organization_id, company_id)
    proof = provenance(facts, own, sources, now=now())
    groups = [
        (title, [(name, document.get(name), proof.get(name)) for name in names])
        for title, names in GROUPS
    ]
    shown = [
        (title, [row for row in rows if row[1] not in (None, [], "")]) for title, rows in groups
    ]
    missing = [name for _, rows in groups for name, value, _ in rows if value in (None, [], "")]
    return tab_of("company_record.html", "record", document, groups=shown, missing=missing)


async def profile(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        rows = await profiles.read_sections(
            connection,
            visit.session.organization_id,
            company_id,
            sections=SECTIONS,
            with_sources=True,
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
        swot=swot if any(swot.values()) else None,
        statements=[name for name in STATEMENTS if sections.get(name)],
    )


async def signals(visit: Visit) -> Shown:
    """What matters now, ranked; with a question, what answers it."""
    text = visit.asked("q") or None
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        placed = await relevance().search(connection, company_id, Request(now=now(), text=text))
        start = (page_number(visit) - 1) * _HITS
        hits = placed[start : start + _HITS]
        places = [hit.place for hit in hits]
        known = await read_shown(
            connection, company_id, [*places, *(p for hit in hits for p in hit.duplicates)]
        )
        quoted = await relevance().quote(connection, company_id, places, text)
    items = [
        item_of(
            hit,
            quoted[hit.place],
            known[hit.place],
            [known[place] for place in hit.duplicates if place in known],
        )
        for hit in hits
        if hit.place in known and hit.place in quoted
    ]
    return tab_of(
        "company_signals.html",
        "signals",
        document,
        items=items,
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
        items, where = await listed(visit, partial(jobs_page, connection, company_id, wanted))
        trends = json.loads(await job_trends(connection, company_id, months=MONTHS))
    months = trends["months"]
    return tab_of(
        "company_jobs.html",
        "jobs",
        document,
        items=items,
        pager=where,
        state=state,
        title=visit.asked("title"),
        months=[datetime.strptime(row["month"], "%Y-%m").strftime("%b %y") for row in months],
        active=[row["active"] for row in months],
        opened=[row["opened"] for row in months],
        departments=[row for row in trends["departments"] if row["active"]][:6],
    )


async def technologies(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        read = partial(
            technologies_page,
            connection,
            company_id,
            job_categories=technology_categories(),
            category=None,
            active=None,
        )
        items, where = await listed(visit, read)
    return tab_of("company_technologies.html", "technologies", document, items=items, pager=where)


async def people(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        items, where = await listed(
            visit,
            partial(
                contacts.company_contacts,
                connection,
                visit.session.organization_id,
                company_id=company_id,
            ),
        )
    return tab_of("company_people.html", "people", document, items=items, pager=where)


async def company_of(visit: Visit, connection: Connection) -> tuple[UUID, dict[str, Any]]:
    """The company that the address names, and its record. Raises NothingHere."""
    organization_id, asked = visit.session.organization_id, visit.path_id("company_id")
    company_id = await present_company(connection, organization_id, asked)
    found = await company_document(connection, organization_id, asked)
    if company_id is None or found is None:
        raise NothingHere from CompanyDoesNotExist()
    return company_id, json.loads(found[0])


def tab_of(
    template: str, tab: str, document: dict[str, Any], *, status: int = 200, **values: Any
) -> Shown:
    """A page below the head of a company."""
    return Shown(template, {"company": document, "tab": tab, **values}, status=status)
