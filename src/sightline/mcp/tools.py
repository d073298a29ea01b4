"""The tools for agents. Each runs operations of the API, so scopes, limits and charges apply."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from sightline.mcp.answers import chosen
from sightline.mcp.doors import Door

ACCOUNT_FIELDS: Final = (
    "id", "company_id", "company_name", "website_domain", "industry", "sector", "hq_city",
    "hq_country_name", "full_time_employees", "employee_count_range", "revenue_usd", "revenue_range",
    "public_company",
)  # fmt: skip
CONTACT_FIELDS: Final = (
    "id", "full_name", "title", "seniority", "department", "company_id", "company_name", "email",
    "phone", "source", "updated_at",
)  # fmt: skip
EVENT_FIELDS: Final = (
    "id", "type", "family", "title", "summary", "company", "source", "occurred_at", "detected_at",
    "background",
)  # fmt: skip
JOB_FIELDS: Final = (
    "id", "title", "department", "seniority", "location", "url", "posted_at", "active",
)  # fmt: skip
MOST_ROWS: Final = 25


class Input(BaseModel):
    """What a tool takes."""

    model_config = ConfigDict(extra="forbid")


class Paged(Input):
    per_page: int = Field(default=10, ge=1, le=MOST_ROWS, description="Rows of this page.")
    cursor: str | None = Field(default=None, description="next_cursor of the page before.")


class OfCompany(Input):
    company_id: UUID = Field(description="company_id of an account, from find_accounts.")


class FindAccounts(Paged):
    name: str | None = Field(default=None, description="Part of a name or domain.")
    filter: dict[str, Any] | None = Field(
        default=None,
        description=(
            'Filter language, such as {"and": [{"field": "industry", "op": "eq", "value": "Software"}, '
            '{"field": "employees", "op": "gte", "value": 200}]}. Fields: industry, sector, country, '
            "region, employees, revenue, public_company, hq_city, tags, list, territory, updated_at."
        ),
    )


class GetCompany(OfCompany):
    fields: list[str] | None = Field(default=None, description="Only these fields; default: all.")
    provenance: bool = Field(default=False, description="Add source, quote and date of each field.")


class GetProfile(OfCompany):
    sections: list[str] = Field(
        min_length=1,
        max_length=6,
        description=(
            "Names of sections: overview, priorities, goals, risks, swot, competitors, executives, "
            "divisions, geography, events, earnings_call, digital_strategies, industry_insights, "
            "how_they_make_money, how_they_lose_money, three_whys, value_pyramid, "
            "discovery_questions, technologies, scores and more; a wrong name lists them all."
        ),
    )


class SearchEvidence(Paged):
    query: str = Field(min_length=1, description="What you want to know, in plain words.")
    company_ids: list[UUID] | None = Field(default=None, description="Only these companies.")
    list_id: UUID | None = Field(default=None, description="Only the accounts of this list.")
    territory_id: str | None = Field(
        default=None, description="Only the accounts of this territory."
    )
    since: date | None = Field(default=None, description="Only from this day on.")


class ListChanges(Paged):
    company_id: UUID | None = Field(default=None, description="Only this company.")
    type: str | None = Field(
        default=None, description="Type or family of signal, such as acquires."
    )
    since: date | None = Field(default=None, description="Only what was detected from this day on.")


class ListJobs(OfCompany, Paged):
    title: str | None = Field(default=None, description="Words of the title.")
    department: str | None = Field(default=None, description="Such as engineering or sales.")
    location: str | None = Field(default=None, description="City, country or region.")


class FindContacts(Paged):
    company_ids: list[UUID] | None = Field(default=None, description="Only at these companies.")
    title: str | None = Field(default=None, description="Words of the job title.")
    name: str | None = Field(default=None, description="Part of the person's name.")
    seniority: str | None = Field(default=None, description="Such as c_suite, vp or director.")


class Ask(OfCompany):
    question: str = Field(min_length=1, max_length=1_000, description="In plain words.")
    conversation_id: UUID | None = Field(default=None, description="Continues a conversation.")


class Enrich(Input):
    company_name: str | None = Field(default=None, description="Its name.")
    domain: str | None = Field(default=None, description="Web domain, such as example.com.")
    confirm: bool = Field(
        default=False, description="False answers the price and does nothing; true spends it."
    )


class GetOperation(Input):
    operation_id: UUID = Field(description="public_operation_id that enrich_company answered.")


@dataclass(frozen=True)
class Tool:
    """A tool as a client lists it. `changes`: it spends credits or stores something."""

    name: str
    title: str
    description: str
    input: type[Input]
    call: Callable[[Door, Any], Awaitable[dict[str, Any]]]
    changes: bool = False


async def _find_accounts(door: Door, asked: FindAccounts) -> dict[str, Any]:
    body: dict[str, Any] = {"per_page": asked.per_page}
    given = {"company_name": asked.name, "filter": asked.filter, "cursor": asked.cursor}
    body |= {name: value for name, value in given.items() if value is not None}
    return _page(await door.run("search_accounts", body=body), "accounts", ACCOUNT_FIELDS)


async def _get_company(door: Door, asked: GetCompany) -> dict[str, Any]:
    record: dict[str, Any] = await door.run(
        "read_company",
        path={"company_id": asked.company_id},
        query={"provenance": asked.provenance},
    )
    if asked.fields is None:
        return chosen(record, tuple(record))
    wanted = dict.fromkeys(("company_id", "company_name", *asked.fields))
    shown = chosen(record, tuple(wanted))
    if asked.provenance:
        shown["provenance"] = chosen(record["provenance"], asked.fields)
    return shown


async def _get_brief(door: Door, asked: OfCompany) -> dict[str, Any]:
    brief: dict[str, Any] = await door.run("read_brief", path={"company_id": asked.company_id})
    return brief


async def _get_profile(door: Door, asked: GetProfile) -> dict[str, Any]:
    profile: dict[str, Any] = await door.run(
        "read_profile",
        path={"company_id": asked.company_id},
        query={"include": ",".join(asked.sections), "sources": True},
    )
    return profile


async def _search_evidence(door: Door, asked: SearchEvidence) -> dict[str, Any]:
    body: dict[str, Any] = {"q": asked.query, "per_page": asked.per_page}
    given = asked.model_dump(
        mode="json", include={"company_ids", "list_id", "territory_id", "cursor"}
    )
    body |= {name: value for name, value in given.items() if value is not None}
    if asked.since is not None:
        body["since"] = asked.since.isoformat()
    found: dict[str, Any] = await door.run("search_evidence", body=body)
    return found


async def _list_changes(door: Door, asked: ListChanges) -> dict[str, Any]:
    since = f"{asked.since.isoformat()}T00:00:00Z" if asked.since else None
    query = asked.model_dump(mode="json", exclude={"since"}) | {"since": since}
    return _page(await door.run("list_events", query=query), "events", EVENT_FIELDS)


async def _list_jobs(door: Door, asked: ListJobs) -> dict[str, Any]:
    found = await door.run(
        "list_jobs",
        path={"company_id": asked.company_id},
        query=asked.model_dump(mode="json", exclude={"company_id"}) | {"active": True},
    )
    return _page(found, "jobs", JOB_FIELDS)


async def _find_contacts(door: Door, asked: FindContacts) -> dict[str, Any]:
    body = asked.model_dump(mode="json", exclude_none=True)
    return _page(await door.run("search_contacts", body=body), "contacts", CONTACT_FIELDS)


async def _ask(door: Door, asked: Ask) -> dict[str, Any]:
    body: dict[str, Any] = {"message": asked.question}
    if asked.conversation_id is not None:
        body["conversation_id"] = str(asked.conversation_id)
    answer = await door.run("chat", path={"company_id": asked.company_id}, body=body)
    return chosen(answer, ("answer", "evidence", "citations", "nearest", "conversation_id"))


async def _enrich(door: Door, asked: Enrich) -> dict[str, Any]:
    body = asked.model_dump(exclude_none=True, exclude={"confirm"})
    answer: dict[str, Any] = await door.run(
        "submit_company", query={"dry_run": not asked.confirm}, body=body
    )
    if not asked.confirm:
        answer["next"] = "Nothing was spent. Call again with confirm=true to go ahead."
    return answer


async def _get_operation(door: Door, asked: GetOperation) -> dict[str, Any]:
    path = {"public_operation_id": asked.operation_id}
    found: dict[str, Any] = await door.run("read_operation", path=path)
    return found


def _page(found: dict[str, Any], named: str, fields: tuple[str, ...]) -> dict[str, Any]:
    """A list's items with the chosen fields, its exact total, and where the next page begins."""
    items = found.get("items", found.get(named, []))
    where = found["pagination"]
    return {
        named: [chosen(item, fields) for item in items],
        "total": where["total"],
        "next_cursor": where["next_cursor"],
    }


TOOLS: Final = (
    Tool(
        "find_accounts",
        "Find accounts",
        "Accounts by name or filter, with the exact total. Free.",
        FindAccounts,
        _find_accounts,
    ),
    Tool(
        "get_company",
        "Read a company record",
        "What is known of a company, on request with the source and quote of each field. Free.",
        GetCompany,
        _get_company,
    ),
    Tool(
        "get_brief",
        "Read the brief of a company",
        "One page for a call: who they are, figures with trend, dated changes, why now, people and "
        "questions, each line with its source. Free.",
        OfCompany,
        _get_brief,
    ),
    Tool(
        "get_profile",
        "Read sections of a profile",
        "Sections such as risks, priorities or executives; every statement has its quote and date. Free.",
        GetProfile,
        _get_profile,
    ),
    Tool(
        "search_evidence",
        "Search the evidence",
        "Passages of filings, news, postings and sites that match a question, over all accounts or some, "
        "grouped by company. They are evidence, not answers: read them before you conclude. Free.",
        SearchEvidence,
        _search_evidence,
    ),
    Tool(
        "list_changes",
        "List changes",
        "Dated events at the accounts, newest first: acquisitions, leadership, funding, results and "
        "more. Free.",
        ListChanges,
        _list_changes,
    ),
    Tool(
        "list_jobs", "List job postings", "Open postings of a company. Free.", ListJobs, _list_jobs
    ),
    Tool(
        "find_contacts",
        "Find contacts",
        "People at accounts by title, name or seniority. Free.",
        FindContacts,
        _find_contacts,
    ),
    Tool(
        "ask",
        "Ask about a company",
        "An answer with numbered quotes, or that the documents do not say. Costs one content credit "
        "when a language model writes it.",
        Ask,
        _ask,
        changes=True,
    ),
    Tool(
        "enrich_company",
        "Enrich a company",
        "Collects a company's record from public sources by name or domain. Without confirm it answers "
        "the price (one company credit unless set otherwise). Follow it with get_operation.",
        Enrich,
        _enrich,
        changes=True,
    ),
    Tool(
        "get_operation",
        "Follow an enrichment",
        "State, progress, steps and outcome of an enrichment. Free.",
        GetOperation,
        _get_operation,
    ),
)
