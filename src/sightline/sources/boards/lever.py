"""Lever boards: an array of postings, or one posting.

The only time that Lever gives is `createdAt`; nothing says when a posting was changed.
"""

from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.sources.boards.board import NAME, Board, regional
from sightline.sources.boards.pages import (
    BoardPage,
    BoardRequest,
    Listing,
    asked_number,
    single,
    unreadable,
)
from sightline.sources.boards.paths import first_markup, posting
from sightline.sources.bodies import read_json
from sightline.sources.place_words import place_of
from sightline.sources.posting_build import list_entries, sections
from sightline.sources.posting_places import locations_from_text
from sightline.sources.posting_terms import remote_policy
from sightline.sources.values import at, markup, rows, text

KIND = "lever"
_PATHS = {
    "id": "id", "title": "text", "url": "hostedUrl", "department": "categories/department|categories/team",
    "employment": "categories/commitment", "posted_at": "createdAt", "updated_at": "updatedAt",
    "salary": "salaryRange/min salaryRange/max salaryRange/currency salaryRange/interval",
}  # fmt: skip


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    first = value[0] if isinstance(value, list) and value else value
    return bool(at(first, "hostedUrl")) and at(first, "categories") is not None


def parse(body: Body) -> BoardPage:
    """The postings of an answer. The array is whole unless the address asks for a part."""
    read = read_json(body.content, body.charset)
    data = read.value
    if looks_like(data) and isinstance(data, dict):
        return single(KIND, _posting(data), notes=read.notes)
    if not isinstance(data, list):
        return unreadable(KIND, *read.notes, "There is no array of postings in the answer.")
    skip, limit = asked_number(body.url, "skip"), asked_number(body.url, "limit")
    following = None
    if limit and len(data) >= limit:
        base = body.url.split("?")[0]
        held = skip + len(data)
        following = BoardRequest(f"{base}?mode=json&skip={held}&limit={limit}", offset=held)
    page = Listing(
        KIND, data, _posting, sound=read.whole, offset=skip, next=following,
        whole_by_contract=True, url=body.url, notes=list(read.notes),
    )  # fmt: skip
    return page.page()


def _posting(row: Any) -> ParsedPosting | None:
    lists = [
        (text(each, "text"), list_entries(markup(each, "content"))) for each in rows(row, "lists")
    ]
    about, more, pay = (
        first_markup(row, f"{name}|{name}Plain")
        for name in ("description", "additional", "salaryDescription")
    )
    said = text(row, "workplaceType")
    return posting(
        row,
        _PATHS,
        locations=_locations(row),
        remote=remote_policy(said) if said != "unspecified" else None,
        pay_text=pay,
        description=sections((None, about), *lists, (None, more)),
    )


def _locations(row: Any) -> list[PostingLocation]:
    """`country` is that of the main location; it completes a city that names none."""
    names = [one for each in rows(row, "categories", "allLocations") if (one := text(each))]
    main = text(row, "categories", "location")
    if main and main not in names:
        names.insert(0, main)
    country = place_of(text(row, "country") or "").country_code
    found = [place for name in names for place in locations_from_text(name)]
    return [
        PostingLocation(place.raw, place.city, place.region, country)
        if index == 0 and place.country_code is None and len(names) == 1
        else place
        for index, place in enumerate(found)
    ]


BOARD = Board(
    KIND,
    "Lever",
    parse,
    looks_like,
    addresses=(
        rf"jobs(?:\.(eu))?\.lever\.co/{NAME}",
        rf"api(?:\.(eu))?\.lever\.co/v0/postings/{NAME}",
    ),
    ask=("https://api{eu}.lever.co/v0/postings/{name}?mode=json",),
    page="https://jobs{eu}.lever.co/{name}",
    token=regional,
    is_probed=True,
)
