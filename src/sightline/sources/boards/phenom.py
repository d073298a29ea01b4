"""Phenom careers sites: the search page's own data (`phApp.ddo`), ten jobs at a time with their total."""

import re
from typing import Any
from urllib.parse import urlsplit

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.pages import (
    BoardPage,
    BoardRequest,
    Listing,
    asked_number,
    unreadable,
)
from sightline.sources.boards.paths import posting
from sightline.sources.bodies import read_json, read_text, script_json
from sightline.sources.posting_places import locations_from_text
from sightline.sources.values import at, integer, rows, text

KIND = "phenom"
_PATHS = {
    "id": "jobId|reqId|jobSeqNo", "title": "title", "department": "department|category", "employment": "type",
    "remote": "remote|workLocation", "description": "description|descriptionTeaser", "language": "locale",
    "posted_at": "postedDate", "requisition_id": "reqId",
}  # fmt: skip
_DATA = re.compile(r"phApp\.ddo\s*=\s*")


def looks_like(page: str) -> bool:
    """Whether a page is of this system."""
    return _DATA.search(page) is not None


def parse(body: Body) -> BoardPage:
    """The jobs of a search page or of the data behind it, and the address of the next page."""
    if body.content.lstrip()[:1] == b"{":
        read = read_json(body.content, body.charset)
        data = read.value
    else:
        read = read_text(body.content, body.charset)
        start = _DATA.search(read.value)
        data = script_json(read.value, start.end()) if start else None
    found = at(data, "eagerLoadRefineSearch") or at(data, "refineSearch") or data
    if not isinstance(at(found, "data", "jobs"), list):
        return unreadable(KIND, *read.notes, "There is no list of jobs in the page's data.")
    jobs, total = rows(found, "data", "jobs"), integer(found, "totalHits")
    base = body.url.split("?")[0]

    def follow(held: int) -> BoardRequest | None:
        return BoardRequest(f"{base}?from={held}&s=1", offset=held) if base else None

    return Listing(
        KIND, jobs, lambda job: _posting(job, body.url), sound=read.whole, total=total,
        offset=asked_number(body.url, "from"), follow=follow, notes=list(read.notes),
    ).page()  # fmt: skip


def _posting(job: Any, base: str) -> ParsedPosting | None:
    several = [
        place
        for each in rows(job, "multi_location")
        for place in locations_from_text(text(each) or text(each, "location"))
    ]
    parts = [text(job, name) for name in ("city", "state", "country")]
    named = text(job, "location") or ", ".join(filter(None, parts))
    places = several or locations_from_text(named)
    return posting(job, _PATHS, url=_url(job, base), locations=places)


def _url(job: Any, base: str) -> str:
    """The page of a job lies beside the search page; `applyUrl` leads to another system."""
    parts = urlsplit(base)
    key = text(job, "jobSeqNo")
    if not parts.netloc or not key:
        return text(job, "applyUrl") or ""
    site = parts.path.split("/search-results")[0].rstrip("/")
    return f"https://{parts.netloc}{site}/job/{key}"


BOARD = Board(
    KIND,
    "Phenom",
    parse,
    looks_like,
    forms=("html",),
    addresses=(rf"{LABEL}\.phenompeople\.com(?:/|$)",),
    ask=lambda token: (BoardRequest(f"https://{token}/search-results"),) if "." in token else (),
    page=lambda token: f"https://{token}/" if "." in token else None,
)
