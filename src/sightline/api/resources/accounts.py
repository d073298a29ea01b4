"""Account search."""

import json
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from sightline.api.account_search import AccountFilters, account_filter
from sightline.api.endpoint import Call, Endpoint, Reply, Schema
from sightline.api.paging import (
    DEFAULT_PER_PAGE,
    LAST_PAGE,
    MOST_CURSOR,
    MOST_OFFSET,
    MOST_PER_PAGE,
    Pagination,
    list_fingerprint,
    make_cursor,
    pagination,
    read_cursor,
    reading_from,
)
from sightline.api.schemas import AccountItem
from sightline.domain.errors import (
    FilterIsInvalid,
    ListDoesNotExist,
    PaginationConflicts,
    RulesAreCircular,
)
from sightline.store.account_search import AccountQuery, AccountSearcher
from sightline.store.accounts import AccountOrder

Facet = Literal[
    "industry", "sector", "employee_size_category", "revenue_category", "country", "public_company"
]
Sort = Literal[
    "company_name",
    "-company_name",
    "updated_at",
    "-updated_at",
    "employees",
    "-employees",
    "revenue",
    "-revenue",
]
SORTS: dict[Sort, AccountOrder] = {
    "company_name": AccountOrder("company_name"),
    "-company_name": AccountOrder("company_name", descending=True),
    "updated_at": AccountOrder("updated_at"),
    "-updated_at": AccountOrder("updated_at", descending=True),
    "employees": AccountOrder("employees"),
    "-employees": AccountOrder("employees", descending=True),
    "revenue": AccountOrder("revenue"),
    "-revenue": AccountOrder("revenue", descending=True),
}


class AccountSearch(AccountFilters):
    """Filters are combined with "and"; an empty body matches all accounts."""

    page: int = Field(default=0, ge=0, le=LAST_PAGE, description="Page number, from 0.")
    per_page: int = Field(
        default=DEFAULT_PER_PAGE, ge=1, le=MOST_PER_PAGE, description="Items per page."
    )
    offset: int = Field(default=0, ge=0, le=MOST_OFFSET, description="Rows to skip.")
    cursor: str | None = Field(
        default=None, max_length=MOST_CURSOR, description="The `next_cursor` of the previous page."
    )
    sort: Sort = Field(
        default="company_name", description="A leading minus sorts in descending order."
    )
    facets: list[Facet] | None = Field(
        default=None, max_length=6, description="Fields whose values to count."
    )


class AccountRequest(Schema):
    """The parameters used."""

    industry: str | None
    employee_size_category: str | None
    revenue_category: str | None
    country: str | None
    company_name: str | None
    public_company: bool | None
    filter: dict[str, Any] | None
    changed_since: datetime | None
    page: int
    per_page: int
    offset: int
    sort: Sort


class FacetValue(Schema):
    value: str | bool | None = Field(description="Null counts the accounts without a value.")
    count: int


class AccountPageAnswer(Schema):
    items: list[AccountItem]
    pagination: Pagination
    request: AccountRequest
    facets: dict[str, list[FacetValue]] | None = None


_ECHOED = set(AccountRequest.model_fields)


async def search_accounts(call: Call) -> Reply:
    asked: AccountSearch = call.body
    if [asked.page > 0, asked.offset > 0, asked.cursor is not None].count(True) > 1:
        raise PaginationConflicts()
    where, warnings = await account_filter(call.tenant, asked)
    order = SORTS[asked.sort]
    fingerprint = list_fingerprint(call.caller, "accounts", where, order)
    start = offset = asked.page * asked.per_page + asked.offset
    after = None
    if asked.cursor is not None:
        start, after = read_cursor(asked.cursor, fingerprint)
        offset = 0
    search = AccountSearcher(call.services.indexes)
    with reading_from(asked.cursor):
        page = await search.find(
            call.tenant,
            AccountQuery(
                where=where,
                order=order,
                after=after,
                offset=offset,
                limit=asked.per_page,
                facets=tuple(dict.fromkeys(asked.facets or ())),
            ),
        )
    end, cursor = start + page.length, None
    if page.last is not None and end < page.total:
        cursor = make_cursor(fingerprint, position=end, last=page.last)
    described = pagination(
        total=page.total,
        start=start,
        count=page.length,
        per_page=asked.per_page,
        first_page=0,
        next_cursor=cursor,
    )
    parts = [
        f'"items":{page.items}',
        f'"pagination":{json.dumps(described)}',
        f'"request":{asked.model_dump_json(include=_ECHOED)}',
    ]
    if asked.facets:
        parts.append(f'"facets":{json.dumps(page.facets)}')
    headers = {"X-Warning": "; ".join(warnings)} if warnings else {}
    return Reply(f"{{{','.join(parts)}}}".encode(), headers=headers)


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/accounts",
        name="search_accounts",
        summary="Search your accounts",
        description=(
            "An empty body returns all accounts. Totals are exact. Continue with `cursor`, or "
            "use either `page` or `offset`. A filter value outside its vocabulary returns no "
            "rows, and the X-Warning header has the closest values."
        ),
        tag="Accounts",
        scopes=("accounts:read",),
        body=AccountSearch,
        body_optional=True,
        answer=AccountPageAnswer,
        errors=(FilterIsInvalid, ListDoesNotExist, RulesAreCircular),
        headers={"X-Warning": "Filter values outside their vocabulary."},
        reads=True,
        handler=search_accounts,
    ),
)
