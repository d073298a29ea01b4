"""Workable: the widget's list (complete), the paged list of the careers site, and one posting.

A job with several places comes as several rows of one shortcode.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation, RemotePolicy
from sightline.sources.boards.board import LABEL, NAME, Board
from sightline.sources.boards.pages import BoardPage, BoardRequest, Listing, single, unreadable
from sightline.sources.boards.paths import place, posting, words
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import sections
from sightline.sources.posting_places import locations_from_text
from sightline.sources.posting_terms import remote_policy
from sightline.sources.values import at, flag, integer, markup, rows, text

KIND = "workable"
_PATHS = {
    "id": "shortcode|id", "title": "title", "url": "url|shortlink",
    "employment": "employment_type|type", "language": "language", "posted_at": "published_on|published",
    "salary": "salary/salary_from salary/salary_to salary/salary_currency -", "updated_at": "updated_at",
    "requisition_id": "code",
}  # fmt: skip


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
    code = words(row, _PATHS["id"])
    named = at(row, "department")
    if isinstance(named, list):
        named = named[0] if named else None
    return posting(
        row,
        _PATHS,
        url=words(row, _PATHS["url"]) or (code and f"https://apply.workable.com/j/{code}"),
        department=text(named) or text(row, "function"),
        locations=_locations(row),
        remote=_remote(row),
        description=sections(
            (None, markup(row, "description")),
            ("Requirements", markup(row, "requirements")),
            ("Benefits", markup(row, "benefits")),
        ),
    )


def _remote(row: Any) -> RemotePolicy | None:
    said = remote_policy(text(row, "workplace") or text(row, "workplace_type"))
    if said is not None:
        return said
    return "remote" if flag(row, "telecommuting") or flag(row, "remote") else None


def _locations(row: Any) -> Sequence[PostingLocation | None]:
    found = [
        place(each, "city", "region|state", "countryCode|country_code|country", raw=_words(each))
        for each in (*rows(row, "locations"), at(row, "location"))
        if at(each, "country") is not None and flag(each, "hidden") is not True
    ]
    if not found and (at(row, "country") or at(row, "city")):
        found = [place(row, "city", "state", "country")]
    return found or locations_from_text(words(row, "location/location_str|location"))


def _words(place: Any) -> str:
    parts = (words(place, path) for path in ("city", "region|state", "country"))
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
