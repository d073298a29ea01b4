"""Oracle Recruiting Cloud: pages of requisitions with `TotalJobsCount`, and one requisition."""

import re
from typing import Any
from urllib.parse import unquote, urlsplit

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.sources.boards.board import Board
from sightline.sources.boards.pages import BoardPage, BoardRequest, Listing, single, unreadable
from sightline.sources.boards.paths import first_markup, posting
from sightline.sources.bodies import read_json
from sightline.sources.place_words import place_of
from sightline.sources.posting_build import sections
from sightline.sources.posting_places import locations_from_text
from sightline.sources.values import at, integer, markup, rows, text

KIND = "oracle"
_PATHS = {
    "id": "Id", "title": "Title", "department": "Department|Organization|JobFamily",
    "employment": "JobSchedule|JobType|WorkerType", "remote": "WorkplaceType", "language": "Language",
    "posted_at": "PostedDate|ExternalPostedStartDate", "openings": "NumberOfOpenings",
    "requisition_id": "RequisitionNumber|Id",
}  # fmt: skip
_SITE = re.compile(r"siteNumber=([\w-]+)")
_OFFSET = re.compile(r"offset=(\d+)")


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    items = rows(value, "items")
    if items:
        return at(items[0], "requisitionList") is not None or "ExternalDescriptionStr" in items[0]
    return at(value, "ExternalDescriptionStr") is not None


def parse(body: Body) -> BoardPage:
    """The requisitions of one page, and the request for the next."""
    read = read_json(body.content, body.charset)
    data = read.value
    items = rows(data, "items")
    first = items[0] if items else data
    if at(first, "Title") and at(first, "Id"):
        return single(KIND, _posting(first, body.url), notes=read.notes)
    if not isinstance(at(first, "requisitionList"), list):
        return unreadable(KIND, *read.notes, "There is no list of requisitions in the answer.")
    found, total = rows(first, "requisitionList"), integer(first, "TotalJobsCount")
    asked = _OFFSET.search(unquote(body.url))
    offset = integer(first, "Offset")
    offset = offset if offset is not None else int(asked[1]) if asked else 0
    held = offset + len(found)
    following = None
    if total is not None and found and held < total and body.url:
        url = re.sub(r"([,;?&]|%2C)offset(=|%3D)\d+", "", body.url)
        following = BoardRequest(f"{url},offset={held}", offset=held)
    return Listing(
        KIND,
        found,
        lambda row: _posting(row, body.url),
        sound=read.whole,
        total=total,
        offset=offset,
        next=following,
        notes=list(read.notes),
    ).page()


def _posting(row: Any, board: str) -> ParsedPosting | None:
    parts = (
        (None, first_markup(row, "ExternalDescriptionStr|ShortDescriptionStr")),
        ("Responsibilities", markup(row, "ExternalResponsibilitiesStr")),
        ("Qualifications", markup(row, "ExternalQualificationsStr")),
    )
    url = _url(board, text(row, "Id"))
    return posting(row, _PATHS, url=url, locations=_locations(row), description=sections(*parts))


def _locations(row: Any) -> list[PostingLocation]:
    named = [(text(row, "PrimaryLocation"), text(row, "PrimaryLocationCountry"))]
    named += [
        (text(each, "Name"), text(each, "CountryCode")) for each in rows(row, "secondaryLocations")
    ]
    found = []
    for name, country in named:
        for place in locations_from_text(name):
            code = place.country_code or (place_of(country).country_code if country else None)
            found.append(PostingLocation(place.raw, place.city, place.region, code))
    return found


def _url(board: str, key: str | None) -> str:
    host, site = urlsplit(board).netloc, _SITE.search(unquote(board))
    if not (host and site and key):
        return ""
    return f"https://{host}/hcmUI/CandidateExperience/en/sites/{site[1]}/job/{key}"


BOARD = Board(
    KIND,
    "Oracle Recruiting",
    parse,
    looks_like,
    addresses=(r"([\w-]+\.fa(?:\.[\w-]+)?)\.oraclecloud\.com/hcmUI/\w+/[\w-]+/sites/([\w-]+)",),
    ask=(
        "https://{host}.oraclecloud.com/hcmRestApi/resources/latest/recruitingCEJobRequisitions"
        "?onlyData=true&expand=requisitionList.secondaryLocations"
        "&finder=findReqs;siteNumber={rest},limit=100,sortBy=POSTING_DATES_DESC",
    ),
    page="https://{host}.oraclecloud.com/hcmUI/CandidateExperience/en/sites/{rest}",
    token=lambda groups, _: f"{groups[0]}".lower() + f"/{groups[1]}",
)
