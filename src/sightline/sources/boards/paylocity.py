"""Paylocity boards: the page's own data (`window.pageData`) lists the jobs without a total."""

import re
from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.sources.boards.board import Board
from sightline.sources.boards.html import PARTIAL
from sightline.sources.boards.pages import BoardPage, Listing, unreadable
from sightline.sources.boards.paths import place, posting
from sightline.sources.bodies import read_text, script_json
from sightline.sources.posting_places import (
    locations_from_text,
    remote_from_location,
)
from sightline.sources.values import at, flag, rows, text

KIND = "paylocity"
_PATHS = {
    "id": "JobId", "title": "JobTitle", "department": "HiringDepartment", "description": "Description",
    "posted_at": "PublishedDate",
}  # fmt: skip
_DATA = re.compile(r"window\.pageData\s*=\s*")


def looks_like(page: str) -> bool:
    """Whether a page is of this system."""
    return _DATA.search(page) is not None and '"JobTitle"' in page


def parse(body: Body) -> BoardPage:
    """The jobs of the page's data."""
    read = read_text(body.content, body.charset)
    start = _DATA.search(read.value)
    data = script_json(read.value, start.end()) if start else None
    if not isinstance(at(data, "Jobs"), list):
        return unreadable(KIND, *read.notes, "There is no list of jobs in the page's data.")
    return Listing(
        KIND, rows(data, "Jobs"), _posting, sound=read.whole, notes=[*read.notes, PARTIAL]
    ).page()


def _posting(job: Any) -> ParsedPosting | None:
    key, name = text(job, "JobId"), text(job, "LocationName")
    given = place(at(job, "JobLocation"), "City", "State", "Country")
    return posting(
        job,
        _PATHS,
        url=f"https://recruiting.paylocity.com/Recruiting/Jobs/Details/{key}" if key else "",
        locations=[given] if given else locations_from_text(name),
        remote="remote" if flag(job, "IsRemote") else remote_from_location(name),
    )


BOARD = Board(
    KIND,
    "Paylocity",
    parse,
    looks_like,
    forms=("html",),
    addresses=(r"recruiting\.paylocity\.com/recruiting/(?:\w+/){0,3}jobs/(?:all/)?([\da-f-]{36})",),
    ask=("https://recruiting.paylocity.com/recruiting/jobs/All/{name}",),
    page="https://recruiting.paylocity.com/recruiting/jobs/All/{name}",
    is_whole=False,
)
