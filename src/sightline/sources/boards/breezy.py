"""Breezy careers sites: every published position in one array."""

from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.reading.times import parse_time
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.pages import BoardPage, Listing, unreadable
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import build
from sightline.sources.posting_places import location_from_parts
from sightline.sources.posting_terms import employment_type
from sightline.sources.values import at, flag, markup, rows, text

KIND = "breezy"


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    first = value[0] if isinstance(value, list) and value else None
    return at(first, "friendly_id") is not None and at(first, "name") is not None


def parse(body: Body) -> BoardPage:
    """The positions of an answer."""
    read = read_json(body.content, body.charset)
    if not isinstance(read.value, list):
        return unreadable(KIND, *read.notes, "There is no array of positions in the answer.")
    return Listing(
        KIND, read.value, _posting, sound=read.whole, whole_by_contract=True, url=body.url,
        notes=list(read.notes),
    ).page()  # fmt: skip


def _posting(row: Any) -> ParsedPosting | None:
    places = [at(row, "location"), *rows(row, "locations")]
    department = text(row, "department") or text(row, "department", "name")
    return build(
        text(row, "id") or text(row, "_id"),
        text(row, "name"),
        text(row, "url"),
        locations=[_location(place) for place in places if place],
        department=department,
        employment=employment_type(text(row, "type", "name"), text(row, "type", "id")),
        remote="remote" if any(flag(place, "is_remote") for place in places) else None,
        pay_text=text(row, "salary"),
        description=markup(row, "description"),
        posted_at=parse_time(at(row, "published_date")),
        updated_at=parse_time(at(row, "updated_date")),
    )


def _location(place: Any) -> PostingLocation | None:
    return location_from_parts(
        text(place, "city"),
        text(place, "state", "id") or text(place, "state", "name") or text(place, "state"),
        text(place, "country", "id") or text(place, "country", "name") or text(place, "country"),
        raw=text(place, "name"),
    )


BOARD = Board(
    KIND,
    "Breezy",
    parse,
    looks_like,
    addresses=(rf"{LABEL}\.breezy\.hr(?:/|$)",),
    ask=("https://{token}.breezy.hr/json",),
    page="https://{token}.breezy.hr/",
)
