"""What matters about a company now, out of everything known about it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from pydantic import Field

from sightline.api.asked_company import asked_company
from sightline.api.endpoint import Call, Endpoint, Reply, Schema
from sightline.api.evidence_schemas import RelevanceItem
from sightline.api.moments import Moment
from sightline.api.paging import (
    PageParameters,
    Pagination,
    list_fingerprint,
    make_cursor,
    pagination,
    read_cursor,
)
from sightline.domain.errors import CursorIsInvalid, PaginationConflicts
from sightline.kit.clock import now
from sightline.search.items import read_items
from sightline.search.ranking import Hit, Request
from sightline.search.relevance import relevance, why_empty
from sightline.store.passages import Reach

MOST_HITS_PER_SOURCE = 50
LONGEST_QUERY = 1_000


class RelevanceParameters(PageParameters):
    company_id: UUID = Field(description="Id of the company.")
    q: str | None = Field(
        default=None,
        max_length=LONGEST_QUERY,
        description="What you want to know. Default: material changes.",
    )
    max_hits_per_source: int = Field(
        default=10,
        ge=1,
        le=MOST_HITS_PER_SOURCE,
        description="Maximum items per kind of source (`source.kind`).",
    )
    since: Moment | None = Field(
        default=None,
        description="Only items that happened or were published at or after this time; ISO 8601.",
    )
    until: Moment | None = Field(
        default=None,
        description="Only items that happened or were published at or before this time.",
    )


class RelevancePage(Schema):
    items: list[RelevanceItem]
    total: int = Field(description="Total items.")
    page: int
    per_page: int
    pagination: Pagination
    reason: str | None = Field(
        description="Why the list is empty, e.g. nothing new is known; null if it is not."
    )


async def answer(name: str, call: Call) -> Reply:
    asked: RelevanceParameters = call.params
    company_id = await asked_company(call)
    request = Request(
        now=now(),
        text=(asked.q or "").strip() or None,
        max_hits_per_source=asked.max_hits_per_source,
        reach=Reach(since=asked.since, until=asked.until),
    )
    fingerprint = list_fingerprint(
        call.caller, name, company_id, request.text, request.max_hits_per_source, asked.since,
        asked.until,
    )  # fmt: skip
    after = None
    if asked.cursor is not None:
        if asked.page > 1:
            raise PaginationConflicts()
        moment, after = _read_last(read_cursor(asked.cursor, fingerprint)[1])
        request = replace(request, now=moment)
    placed = await relevance(call.tenant, company_id, request)
    start = (asked.page - 1) * asked.per_page if after is None else _place_after(placed, *after)
    shown = placed[start : start + asked.per_page]
    items = list((await read_items(call.tenant, shown)).values())
    cursor = None
    if shown:
        cursor = make_cursor(
            fingerprint, position=start + len(shown), last=_write_last(request.now, shown[-1])
        )
    described = pagination(
        total=len(placed),
        start=start,
        count=len(shown),
        per_page=asked.per_page,
        first_page=1,
        next_cursor=cursor,
    )
    body = {
        "items": items,
        "total": len(placed),
        "page": described["page"],
        "per_page": asked.per_page,
        "pagination": described,
        "reason": None if placed else await why_empty(call.tenant, company_id, request),
    }
    return Reply(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())


def _write_last(moment: datetime, hit: Hit) -> tuple[str, str]:
    """The end of a page: scores hang on the time of the request, so it is part of it."""
    return f"{moment.isoformat()} {hit.score!r}", str(hit.passage.passage_id)


def _read_last(last: tuple[str, str]) -> tuple[datetime, tuple[float, UUID]]:
    moment, _, score = last[0].partition(" ")
    try:
        return datetime.fromisoformat(moment), (float(score), UUID(last[1]))
    except ValueError as error:
        raise CursorIsInvalid() from error


def _place_after(placed: Sequence[Hit], score: float, last: UUID) -> int:
    """Where to read on: after the last item that was shown, or, if it is gone, after its score."""
    for at, hit in enumerate(placed):
        if hit.passage.passage_id == last:
            return at + 1
    return sum(hit.score >= score for hit in placed)


_ABOUT: dict[str, Any] = {
    "tag": "Companies",
    "scopes": ("companies:read",),
    "params": RelevanceParameters,
    "answer": RelevancePage,
    "snapshot": True,
}

ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/companies/{company_id}/relevance",
        name="read_relevance",
        summary="What matters about a company, ranked",
        description=(
            "Signals, filings, news, web pages, postings and technologies, ranked by match to `q`, "
            "recency, specificity, source, family and corroboration; the same fact in other "
            "words is one item. Without `q` it lists what is new; if nothing is, the list is "
            "empty and `reason` says so. `score_factors` explain each rank."
        ),
        handler=partial(answer, "relevance"),
        **_ABOUT,
    ),
    Endpoint(
        method="GET",
        path="/companies/{company_id}/graph",
        name="read_graph",
        summary="Former name of relevance",
        description="The same as `GET /companies/{company_id}/relevance`.",
        handler=partial(answer, "graph"),
        **_ABOUT,
    ),
)
