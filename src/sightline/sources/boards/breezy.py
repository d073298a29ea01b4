"""Breezy careers sites: every published position in one array."""

from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.pages import BoardPage, Listing, unreadable
from sightline.sources.boards.paths import place, posting
from sightline.sources.bodies import read_json
from sightline.sources.values import at, flag, rows, text

KIND = "breezy"
_PATHS = {
    "id": "id|_id", "title": "name", "url": "url", "department": "department|department/name",
    "employment": "type/name|type/id", "pay_text": "salary", "description": "description",
    "posted_at": "published_date", "updated_at": "updated_date",
}  # fmt: skip


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
    places = [each for each in (at(row, "location"), *rows(row, "locations")) if each]
    return posting(
        row,
        _PATHS,
        locations=[
            place(each, "city", "state/id|state/name|state", "country/id|country/name|country",
                  raw=text(each, "name"))
            for each in places
        ],
        remote="remote" if any(flag(each, "is_remote") for each in places) else None,
    )  # fmt: skip


BOARD = Board(
    KIND,
    "Breezy",
    parse,
    looks_like,
    addresses=(rf"{LABEL}\.breezy\.hr(?:/|$)",),
    ask=("https://{token}.breezy.hr/json",),
    page="https://{token}.breezy.hr/",
)
