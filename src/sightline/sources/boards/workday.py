"""Workday careers sites: pages of 20 postings with `total`, and one posting.

The list says "Posted 3 Days Ago" and, for several places, only how many; its path names the first.
The service counts at most 2,000 rows, so a larger board is never proven whole.
"""

import re
from typing import Any
from urllib.parse import urlsplit

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.reading.times import days_before, parse_time
from sightline.sources.boards.board import LABEL, Board, Groups
from sightline.sources.boards.pages import BoardPage, BoardRequest, Listing, single, unreadable
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import build
from sightline.sources.posting_places import locations_from_text
from sightline.sources.posting_terms import employment_type, remote_policy
from sightline.sources.values import at, integer, markup, rows, text

KIND = "workday"
PAGE = 20
COUNTED_AT_MOST = 2000

_DAYS = re.compile(r"\b(\d{1,2})(\+?) Days? Ago\b", re.IGNORECASE)
_SEVERAL = re.compile(r"^\d+ Locations?$", re.IGNORECASE)
_SITE = re.compile(r"/wday/cxs/([^/]+)/([^/]+)/")


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    return isinstance(at(value, "jobPostings"), list) or (
        at(value, "jobPostingInfo", "title") is not None
    )


def parse(body: Body, *, offset: int = 0) -> BoardPage:
    """The postings of an answer. `offset`: rows that the pages before held."""
    read = read_json(body.content, body.charset)
    notes = list(read.notes)
    if at(read.value, "jobPostingInfo") is not None:
        return single(KIND, _detail(at(read.value, "jobPostingInfo")), notes=notes)
    if not isinstance(at(read.value, "jobPostings"), list):
        return unreadable(KIND, *notes, "There is no list of postings in the answer.")
    found = [row for row in rows(read.value, "jobPostings") if row]
    total = integer(read.value, "total")
    if offset and not total:
        total = None  # the count is on the first page only
    held, capped = offset + len(found), (total or 0) >= COUNTED_AT_MOST
    more = found and (len(found) >= PAGE if total is None else held < total)
    following = BoardRequest(body.url, "POST", request_json(held), held) if more else None
    if capped:
        notes.append(f"Workday counts at most {COUNTED_AT_MOST} postings; there may be more.")
    return Listing(
        KIND, found, lambda row: _listed(row, body), sound=read.whole and not capped, total=total,
        offset=offset, next=following, notes=notes,
    ).page()  # fmt: skip


def request_json(offset: int) -> dict[str, Any]:
    """The body that asks for the page after so many rows."""
    return {"appliedFacets": {}, "limit": PAGE, "offset": offset, "searchText": ""}


def _listed(row: Any, body: Body) -> ParsedPosting | None:
    path = text(row, "externalPath") or ""
    bullets = [one for each in rows(row, "bulletFields") if (one := text(each))]
    number = next((one for one in bullets if path.endswith(one) or f"_{one}" in path), None)
    return build(
        _key(path) or number,
        text(row, "title"),
        _url(body.url, path),
        locations=_locations(text(row, "locationsText"), path),
        employment=employment_type(text(row, "timeType")),
        remote=remote_policy(text(row, "remoteType")),
        posted_at=_posted(text(row, "postedOn"), body),
        requisition_id=number,
    )


def _detail(info: Any) -> ParsedPosting | None:
    names = [text(info, "location"), *(text(each) for each in rows(info, "additionalLocations"))]
    places = [place for name in names for place in locations_from_text(name)]
    country = locations_from_text(text(info, "country", "descriptor"))
    if len(places) == 1 and country and places[0].country_code is None:
        first = places[0]
        code = country[0].country_code
        places = [PostingLocation(first.raw, first.city, first.region, code)]
    number = text(info, "jobReqId")
    return build(
        _key(text(info, "jobPostingId") or text(info, "externalUrl") or "") or number,
        text(info, "title"),
        text(info, "externalUrl"),
        locations=places,
        employment=employment_type(text(info, "timeType")),
        remote=remote_policy(text(info, "remoteType")),
        description=markup(info, "jobDescription"),
        posted_at=parse_time(at(info, "startDate")),
        requisition_id=number,
    )


def _key(path: str) -> str | None:
    """The end of a posting's path: its number, with "-1" for a second posting of one requisition."""
    slug = path.rstrip("/").rsplit("/", 1)[-1]
    tail = slug.rsplit("_", 1)[-1]
    return (tail if any(letter.isdigit() for letter in tail) else slug) or None


def _locations(said: str | None, path: str) -> tuple[PostingLocation, ...]:
    if said and not _SEVERAL.match(said):
        return locations_from_text(said)
    parts = path.split("/")
    if len(parts) < 4 or parts[1] != "job":
        return ()
    return locations_from_text(
        parts[2].replace("---", " - ").replace("-", " ").replace("   ", " - ")
    )


def _posted(said: str | None, body: Body) -> Any:
    """The day that "Posted 3 Days Ago" means on the day of the pull; "30+" names none."""
    if not said:
        return None
    lower = said.lower()
    if "today" in lower:
        return days_before(body.fetched_at, 0)
    if "yesterday" in lower:
        return days_before(body.fetched_at, 1)
    found = _DAYS.search(said)
    return days_before(body.fetched_at, int(found[1])) if found and not found[2] else None


def _url(board: str, path: str) -> str:
    site = _SITE.search(board)
    if not site or not path:
        return path
    host = urlsplit(board).netloc
    if host.endswith("myworkdaysite.com"):
        return f"https://{host}/recruiting/{site[1]}/{site[2]}{path}"
    return f"https://{host}/{site[2]}{path}"


def _ask(token: str) -> tuple[BoardRequest, ...]:
    host, _, rest = token.partition("/")
    if host.endswith("myworkdaysite.com"):
        url = f"https://{host}/wday/cxs/{rest}/jobs"
    else:
        url = f"https://{host}.myworkdayjobs.com/wday/cxs/{host.split('.')[0]}/{rest}/jobs"
    return (BoardRequest(url, "POST", request_json(0)),)


def _page(token: str) -> str:
    host, _, rest = token.partition("/")
    own = host.endswith("myworkdaysite.com")
    return (
        f"https://{host}/recruiting/{rest}" if own else f"https://{host}.myworkdayjobs.com/{rest}"
    )


def _token(groups: Groups, address: str) -> str | None:
    first, second, site = (group or "" for group in groups)
    if site.lower() in {"wday", "job"}:
        return None
    if "myworkdaysite" in address.lower():
        return f"{first.lower()}.myworkdaysite.com/{second}/{site}"
    return f"{first.lower()}.{second.lower()}/{site}"


def _detail_url(first: str, posting: ParsedPosting) -> str | None:
    found = re.search(r"/job/.+$", urlsplit(posting.url).path)
    return first.removesuffix("/jobs") + found[0] if found else None


BOARD = Board(
    KIND,
    "Workday",
    parse,
    looks_like,
    addresses=(
        rf"{LABEL}\.(wd\d{{1,3}})\.myworkdayjobs(?:-impl)?\.com/wday/cxs/[^/]+/([\w-]+)",
        rf"{LABEL}\.(wd\d{{1,3}})\.myworkdayjobs(?:-impl)?\.com/(?:[a-z]{{2}}-[a-z]{{2}}/)?([\w-]+)",
        r"(wd\d{1,3})\.myworkdaysite\.com/(?:[a-z]{2}-[a-z]{2}/)?recruiting/([\w-]+)/([\w-]+)",
        r"(wd\d{1,3})\.myworkdaysite\.com/wday/cxs/([\w-]+)/([\w-]+)",
    ),
    ask=_ask,
    page=_page,
    token=_token,
    detail=_detail_url,
    is_paged=True,
)
