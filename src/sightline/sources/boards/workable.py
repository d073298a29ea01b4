"""Workable: the widget's list (whole), the paged list of the careers site, and one posting.

A job with several places comes as several rows of one shortcode.
"""

from typing import Any
from urllib.parse import quote

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation, RemotePolicy
from sightline.reading.times import parse_time
from sightline.sources.boards.board import LABEL, NAME, Board
from sightline.sources.boards.pages import BoardPage, BoardRequest, Listing, single, unreadable
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import build, sections
from sightline.sources.posting_pay import salary_from_parts
from sightline.sources.posting_places import location_from_parts, locations_from_text
from sightline.sources.posting_terms import employment_type, remote_policy
from sightline.sources.values import at, flag, integer, markup, number, rows, text

KIND = "workable"


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    listed = rows(value, "jobs") or rows(value, "results")
    if not listed:
        return at(value, "jobs") == [] and at(value, "name") is not None and "description" in value
    return at(listed[0], "shortcode") is not None


def parse(body: Body, *, offset: int = 0) -> BoardPage:
    """The postings of an answer. `offset`: rows that the pages before held."""
    read = read_json(body.content, body.charset)
    data = read.value
    notes = list(read.notes)
    if at(data, "shortcode") and at(data, "title"):
        return single(KIND, _posting(data), notes=notes)
    if isinstance(at(data, "results"), list):
        found = rows(data, "results")
        return Listing(
            KIND, found, _posting, sound=read.whole, total=integer(data, "total"), offset=offset,
            next=_following(body.url, data, offset + len(found)), notes=notes,
        ).page()  # fmt: skip
    if not isinstance(at(data, "jobs"), list):
        return unreadable(KIND, *notes, "There is no list of jobs in the answer.")
    return Listing(
        KIND, rows(data, "jobs"), _posting, sound=read.whole, whole_by_contract=True, url=body.url,
        notes=notes,
    ).page()  # fmt: skip


def _following(url: str, data: Any, held: int) -> BoardRequest | None:
    token = text(data, "nextPage")
    if not token or not url:
        return None
    return BoardRequest(url, "POST", {"token": token}, offset=held)


def _posting(row: Any) -> ParsedPosting | None:
    code = text(row, "shortcode") or text(row, "id")
    department = at(row, "department")
    if isinstance(department, list):
        department = department[0] if department else None
    pay = at(row, "salary")
    return build(
        code,
        text(row, "title"),
        text(row, "url")
        or text(row, "shortlink")
        or (code and f"https://apply.workable.com/j/{code}"),
        locations=_locations(row),
        department=text(department) or text(row, "function"),
        employment=employment_type(text(row, "employment_type"), text(row, "type")),
        remote=_remote(row),
        salary=salary_from_parts(
            number(pay, "salary_from"), number(pay, "salary_to"), text(pay, "salary_currency"), None
        ),
        description=sections(
            (None, markup(row, "description")),
            ("Requirements", markup(row, "requirements")),
            ("Benefits", markup(row, "benefits")),
        ),
        language=text(row, "language"),
        posted_at=parse_time(at(row, "published_on") or at(row, "published")),
        updated_at=parse_time(at(row, "updated_at")),
        requisition_id=text(row, "code"),
    )


def _remote(row: Any) -> RemotePolicy | None:
    said = remote_policy(text(row, "workplace") or text(row, "workplace_type"))
    if said is not None:
        return said
    return "remote" if flag(row, "telecommuting") or flag(row, "remote") else None


def _locations(row: Any) -> list[PostingLocation | None]:
    places = [
        place
        for place in (*rows(row, "locations"), at(row, "location"))
        if at(place, "country") is not None and flag(place, "hidden") is not True
    ]
    found = [
        location_from_parts(
            text(place, "city"),
            text(place, "region") or text(place, "state"),
            text(place, "countryCode") or text(place, "country_code") or text(place, "country"),
            raw=_words(place),
        )
        for place in places
    ]
    if found:
        return found
    if at(row, "country") or at(row, "city"):
        return [location_from_parts(text(row, "city"), text(row, "state"), text(row, "country"))]
    return list(locations_from_text(text(row, "location", "location_str") or text(row, "location")))


def _words(place: Any) -> str:
    parts = (
        text(place, "city"),
        text(place, "region") or text(place, "state"),
        text(place, "country"),
    )
    return ", ".join(dict.fromkeys(filter(None, parts)))


def _ask(token: str) -> tuple[BoardRequest, ...]:
    name = quote(token, safe="")
    return (
        BoardRequest(f"https://apply.workable.com/api/v1/widget/accounts/{name}?details=true"),
        BoardRequest(
            f"https://apply.workable.com/api/v3/accounts/{name}/jobs", "POST", {"query": ""}
        ),
    )


BOARD = Board(
    KIND,
    "Workable",
    parse,
    looks_like,
    addresses=(
        rf"apply\.workable\.com/api/v\d/(?:widget/)?accounts/{NAME}",
        rf"(?:www\.)?workable\.com/api/accounts/{NAME}",
        rf"apply\.workable\.com/(?!j/|api/){NAME}",
        rf"{LABEL}\.workable\.com(?:/|$)",
    ),
    ask=_ask,
    page="https://apply.workable.com/{name}/",
    is_probed=True,
    is_paged=True,
)
