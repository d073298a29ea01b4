"""Search over the evidence of all accounts."""

import json
from typing import Any
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema
from sightline.api.evidence_schemas import RelevanceItem
from sightline.api.filtering import resolved_filter
from sightline.api.moments import Moment
from sightline.api.paging import (
    DEFAULT_PER_PAGE,
    MOST_CURSOR,
    MOST_PER_PAGE,
    Pagination,
    list_fingerprint,
    make_cursor,
    pagination,
    read_cursor,
)
from sightline.domain.errors import (
    CursorIsInvalid,
    FilterIsInvalid,
    ListDoesNotExist,
    RulesAreCircular,
)
from sightline.domain.signals import SignalFamily
from sightline.kit.clock import now
from sightline.search.across import Group, search_companies
from sightline.search.items import read_groups
from sightline.search.ranking import Request
from sightline.store.accounts import AccountFilter, companies_with_evidence
from sightline.store.passages import Reach, SourceKind

LONGEST_QUERY = 1_000
MOST_PER_COMPANY = 10
MOST_IDS = 1_000


class EvidenceSearch(Schema):
    """The query, and whose evidence to search; default: all accounts."""

    q: str = Field(
        min_length=1, max_length=LONGEST_QUERY, description="What you want to know.",
        examples=["which of my accounts are cutting costs?"],
    )  # fmt: skip
    filter: dict[str, Any] | None = Field(
        default=None,
        description="Only accounts that match this filter.",
        examples=[{"field": "employees", "op": "gte", "value": 200}],
    )
    company_ids: list[UUID] | None = Field(
        default=None,
        max_length=MOST_IDS,
        description="Only these companies; those without an account are ignored.",
    )  # fmt: skip
    list_id: UUID | None = Field(default=None, description="Only accounts of this list.")
    territory_id: str | None = Field(
        default=None, max_length=200, description="Only accounts of this territory."
    )
    kinds: list[SourceKind] | None = Field(default=None, description="Kinds of source.")
    families: list[SignalFamily] | None = Field(default=None, description="Families of signals.")
    since: Moment | None = Field(
        default=None,
        description="Only items that happened or were published at or after this time; ISO 8601.",
    )
    until: Moment | None = Field(
        default=None,
        description="Only items that happened or were published at or before this time.",
    )
    per_company: int = Field(
        default=3, ge=1, le=MOST_PER_COMPANY, description="Maximum hits per company."
    )
    per_page: int = Field(
        default=DEFAULT_PER_PAGE, ge=1, le=MOST_PER_PAGE, description="Companies."
    )
    cursor: str | None = Field(
        default=None, max_length=MOST_CURSOR, description="The `next_cursor` of the previous page."
    )


class EvidenceCompany(Schema):
    id: UUID
    name: str | None
    website_domain: str | None


class EvidenceGroup(Schema):
    """A company and its matching evidence."""

    company: EvidenceCompany
    score: float = Field(description="0-1: of its best match; comparable between companies.")
    hits: list[RelevanceItem] = Field(description="Best first.")


class EvidencePage(Schema):
    items: list[EvidenceGroup] = Field(description="Best-matching company first.")
    pagination: Pagination


async def search_evidence(call: Call) -> Reply:
    asked: EvidenceSearch = call.body
    wanted = await resolved_filter(call.tenant, _account_filter(asked))
    companies = await companies_with_evidence(
        call.tenant, AccountFilter(wanted=wanted), company_ids=asked.company_ids
    )
    moment, start, after = now(), 0, None
    fingerprint = list_fingerprint(
        call.caller, "evidence", asked.model_dump_json(exclude={"cursor", "per_page"})
    )
    if asked.cursor is not None:
        start, after = read_cursor(asked.cursor, fingerprint)
    request = Request(
        now=moment,
        text=asked.q.strip() or None,
        max_hits_per_source=MOST_PER_COMPANY,
        reach=Reach(asked.kinds, asked.families, asked.since, asked.until),
    )
    groups = await search_companies(call.tenant, list(companies), request)
    if after is not None:
        start = _place_after(groups, after)
    shown = groups[start : start + asked.per_page]
    items = await read_groups(call.tenant, shown, companies, per_company=asked.per_company)
    cursor = None
    if shown:
        last = (repr(shown[-1].score), str(shown[-1].company_id))
        cursor = make_cursor(fingerprint, position=start + len(shown), last=last)
    body = {
        "items": items,
        "pagination": pagination(
            total=len(groups), start=start, count=len(shown), per_page=asked.per_page, first_page=1,
            next_cursor=cursor,
        ),
    }  # fmt: skip
    return Reply(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())


def _account_filter(asked: EvidenceSearch) -> dict[str, Any] | None:
    """The filter of the accounts that are meant; None for all."""
    parts: list[dict[str, Any]] = [asked.filter] if asked.filter is not None else []
    if asked.list_id is not None:
        parts.append({"field": "list", "op": "in", "value": [str(asked.list_id)]})
    if asked.territory_id is not None:
        parts.append({"field": "territory", "op": "in", "value": [asked.territory_id]})
    return {"and": parts} if len(parts) > 1 else parts[0] if parts else None


def _place_after(groups: list[Group], last: tuple[str, str]) -> int:
    """Where to read on: after the last company that was shown, or, if it is gone, after its score."""
    try:
        score, company_id = float(last[0]), UUID(last[1])
    except ValueError as error:
        raise CursorIsInvalid() from error
    for at, group in enumerate(groups):
        if group.company_id == company_id:
            return at + 1
    return sum(group.score >= score for group in groups)


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/evidence/search",
        name="search_evidence",
        summary="Search the evidence of all accounts",
        description=(
            "Passages of filings, news, pages and postings, signals and technologies of your accounts "
            "that match `q`, grouped by company, best match first. Both words and meaning are matched."
        ),
        tag="Companies",
        scopes=("companies:read",),
        body=EvidenceSearch,
        answer=EvidencePage,
        errors=(FilterIsInvalid, ListDoesNotExist, RulesAreCircular),
        handler=search_evidence,
    ),
)
