"""What matters about a company now, of everything that is known about it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema
from sightline.api.moments import Moment
from sightline.api.paging import (
    PageParameters,
    Pagination,
    list_fingerprint,
    make_cursor,
    pagination,
    read_cursor,
)
from sightline.domain.errors import CompanyDoesNotExist, CursorIsInvalid, PaginationConflicts
from sightline.domain.signals import SignalFamily, SignalType
from sightline.kit.clock import now
from sightline.search.items import SHOWN_DUPLICATES, item_of
from sightline.search.relevance import Placed, Request, relevance
from sightline.store.companies import present_company
from sightline.store.indexable import read_shown

MOST_HITS_PER_SOURCE = 50
LONGEST_QUERY = 1_000


class RelevanceParameters(PageParameters):
    company_id: UUID = Field(description="Id of the company.")
    q: str | None = Field(
        default=None,
        max_length=LONGEST_QUERY,
        description="What you want to know. Without it: material changes.",
    )
    max_hits_per_source: int = Field(
        default=10,
        ge=1,
        le=MOST_HITS_PER_SOURCE,
        description="At most so many items of one kind of source (`source.kind`).",
    )
    since: Moment | None = Field(
        default=None, description="Only what happened or was published then or later; ISO 8601."
    )
    until: Moment | None = Field(
        default=None, description="Only what happened or was published then or earlier."
    )


class RelevanceTeller(Schema):
    """Who tells it."""

    name: str | None = Field(description="The source that found it.", examples=["sec_edgar"])
    url: str | None
    title: str | None
    publisher: str | None = Field(examples=["sec.gov"])
    published_at: datetime | None


class RelevanceSource(RelevanceTeller):
    kind: Literal["insight", "filing", "news", "web", "job", "technology"]


class Corroboration(Schema):
    """How many independent publishers tell the same, and who they are."""

    count: int
    sources: list[RelevanceTeller]


class ScoreFactors(Schema):
    """What made the score, each 0-1 before its weight."""

    text: float = Field(description="Match to `q`, or strength of the words of change.")
    recency: float
    source: float
    family: float
    corroboration: float


class RelevanceItem(Schema):
    """A signal, or a passage of a filing, news item, page, posting or a technology."""

    id: UUID
    family: SignalFamily | None
    type: SignalType | None = Field(description="Of a signal.")
    title: str
    summary: str | None = Field(description="Of a signal.")
    quote: str | None = Field(description="Word for word from the document.")
    source: RelevanceSource
    document_id: UUID | None
    occurred_at: datetime | None
    detected_at: datetime | None
    expires_at: datetime | None
    planned: bool | None = Field(description="Of a signal: it is announced, not done.")
    confidence: float | None = Field(description="0-1.")
    parties: list[dict[str, Any]]
    amount: dict[str, Any] | None
    location: str | None
    corroboration: Corroboration
    score: float = Field(description="0-1: the weighted mean of the factors.")
    score_factors: ScoreFactors


class RelevancePage(Schema):
    items: list[RelevanceItem]
    total: int = Field(description="Items on all pages.")
    page: int
    per_page: int
    pagination: Pagination


async def answer(name: str, call: Call) -> Reply:
    asked: RelevanceParameters = call.params
    company_id = await present_company(
        call.connection, call.caller.organization_id, asked.company_id
    )
    if company_id is None:
        raise CompanyDoesNotExist()
    request = Request(
        now=now(),
        text=(asked.q or "").strip() or None,
        max_hits_per_source=asked.max_hits_per_source,
        since=asked.since,
        until=asked.until,
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
    placed = await relevance().search(call.connection, company_id, request)
    start = (asked.page - 1) * asked.per_page if after is None else _place_after(placed, *after)
    shown = placed[start : start + asked.per_page]
    items = await _items(call, company_id, shown, request.text)
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
    }
    return Reply(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())


async def _items(
    call: Call, company_id: UUID, hits: Sequence[Placed], text: str | None
) -> list[dict[str, Any]]:
    places = [hit.place for hit in hits]
    others = {hit.place: hit.duplicates[:SHOWN_DUPLICATES] for hit in hits}
    every = [*places, *(place for some in others.values() for place in some)]
    known = await read_shown(call.connection, company_id, every)
    best = {hit.place: hit.best_at for hit in hits}
    quoted = await relevance().quote(call.connection, company_id, best, text)
    return [
        item_of(
            hit,
            quoted[hit.place],
            known[hit.place],
            [known[place] for place in others[hit.place] if place in known],
        )
        for hit in hits
        if hit.place in known and hit.place in quoted
    ]


def _write_last(moment: datetime, hit: Placed) -> tuple[str, str]:
    """The end of a page: scores hang on the time of the request, so it is part of it."""
    return f"{moment.isoformat()} {hit.hit.score!r}", f"{hit.place[0]} {hit.place[1]}"


def _read_last(last: tuple[str, str]) -> tuple[datetime, tuple[float, tuple[int, int]]]:
    moment, _, score = last[0].partition(" ")
    segment, _, ordinal = last[1].partition(" ")
    try:
        return datetime.fromisoformat(moment), (float(score), (int(segment), int(ordinal)))
    except ValueError as error:
        raise CursorIsInvalid() from error


def _place_after(placed: Sequence[Placed], score: float, last: tuple[int, int]) -> int:
    """Where to read on: after the last item that was shown, or, if it is gone, after its score."""
    for at, hit in enumerate(placed):
        if hit.place == last:
            return at + 1
    return sum(hit.hit.score >= score for hit in placed)


_ABOUT: dict[str, Any] = {
    "tag": "Companies",
    "scopes": ("companies:read",),
    "params": RelevanceParameters,
    "answer": RelevancePage,
    "errors": (CompanyDoesNotExist, PaginationConflicts, CursorIsInvalid),
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
            "recency, source, family and corroboration; what says the same is one item. "
            "`score_factors` explain each place."
        ),
        handler=partial(answer, "relevance"),
        **_ABOUT,
    ),
    Endpoint(
        method="GET",
        path="/companies/{company_id}/graph",
        name="read_graph",
        summary="The old name of relevance",
        description="The same as `GET /companies/{company_id}/relevance`.",
        handler=partial(answer, "graph"),
        **_ABOUT,
    ),
)
