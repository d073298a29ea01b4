"""SmartRecruiters: pages of postings with `offset`, `limit` and `totalFound`, and one posting.

`releasedDate` is when the posting was released. The list has no descriptions.
"""

from typing import Any
from urllib.parse import quote

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, RemotePolicy
from sightline.sources.boards.board import NAME, Board
from sightline.sources.boards.pages import (
    BoardPage,
    BoardRequest,
    Listing,
    asked_number,
    single,
    unreadable,
)
from sightline.sources.boards.paths import place, posting
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import labelled, sections
from sightline.sources.values import at, flag, integer, markup, rows, text

KIND = "smartrecruiters"
_PATHS = {
    "id": "id|uuid", "title": "name", "employment": "typeOfEmployment/label|typeOfEmployment/id",
    "salary": "compensation/min compensation/max compensation/currency compensation/period",
    "language": "language/code", "posted_at": "releasedDate", "requisition_id": "refNumber",
}  # fmt: skip
_PARTS = ("companyDescription", "jobDescription", "qualifications", "additionalInformation")
PAGE = 100


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    if at(value, "jobAd", "sections") is not None:
        return True
    return at(value, "totalFound") is not None and isinstance(at(value, "content"), list)


def parse(body: Body) -> BoardPage:
    """The postings of one page, and the request for the next."""
    read = read_json(body.content, body.charset)
    data = read.value
    if at(data, "jobAd") is not None and at(data, "id"):
        return single(KIND, _posting(data), notes=read.notes)
    found = rows(data, "content")
    if not isinstance(at(data, "content"), list):
        return unreadable(KIND, *read.notes, "There is no list of postings in the answer.")
    total = integer(data, "totalFound")
    offset = integer(data, "offset")
    offset = asked_number(body.url, "offset") if offset is None else offset
    held = offset + len(found)
    following = None
    if total is not None and found and held < total:
        base = body.url.split("?")[0] or _board_url(found[0])
        if base:
            url = f"{base}?limit={PAGE}&offset={held}"
            following = BoardRequest(url, offset=held)
    return Listing(
        KIND, found, _posting, sound=read.whole, total=total, offset=offset, next=following,
        url=body.url, notes=list(read.notes),
    ).page()  # fmt: skip


def _board_url(row: Any) -> str:
    ref = text(row, "ref") or ""
    return ref.rsplit("/", 1)[0] if "/postings/" in ref else ""


def _posting(row: Any) -> ParsedPosting | None:
    at_work, ad = at(row, "location"), at(row, "jobAd", "sections")
    custom = {
        label: text(each, "valueLabel")
        for each in rows(row, "customField")
        if (label := text(each, "fieldLabel"))
    }
    parts = ((text(ad, name, "title"), markup(ad, name, "text")) for name in _PARTS)
    named = text(row, "department", "label") or labelled(custom, "department")
    return posting(
        row,
        _PATHS,
        url=_url(row),
        locations=[place(at_work, "city", "region", "country", raw=text(at_work, "fullLocation"))],
        department=named or text(row, "function", "label"),
        remote=_remote(at_work),
        description=sections(*parts),
    )


def _remote(place: Any) -> RemotePolicy | None:
    if flag(place, "hybrid"):
        return "hybrid"
    return "remote" if flag(place, "remote") else None


def _url(row: Any) -> str | None:
    given = text(row, "postingUrl") or text(row, "applyUrl")
    company, key = text(row, "company", "identifier"), text(row, "id")
    ref = (text(row, "ref") or "").split("/companies/")
    if not company and len(ref) == 2:
        company = ref[1].split("/")[0]
    if given or not company or not key:
        return given or text(row, "ref")
    return f"https://jobs.smartrecruiters.com/{quote(company)}/{key}"


BOARD = Board(
    KIND,
    "SmartRecruiters",
    parse,
    looks_like,
    addresses=(
        rf"api\.smartrecruiters\.com/v1/companies/{NAME}",
        rf"(?:jobs|careers)\.smartrecruiters\.com/{NAME}",
    ),
    ask=("https://api.smartrecruiters.com/v1/companies/{name}/postings",),
    page="https://jobs.smartrecruiters.com/{name}",
    detail=lambda first, posting: f"{first}/{quote(posting.external_id, safe='')}",
    is_probed=True,
)
