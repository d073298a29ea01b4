"""Lever boards: an array of postings, or one posting.

The only time that Lever gives is `createdAt`; nothing says when a posting was changed.
"""

from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.reading.times import parse_time
from sightline.sources.boards.board import NAME, Board, regional
from sightline.sources.boards.pages import (
    BoardPage,
    BoardRequest,
    Listing,
    asked_number,
    single,
    unreadable,
)
from sightline.sources.bodies import read_json
from sightline.sources.place_words import place_of
from sightline.sources.posting_build import build, list_entries, sections
from sightline.sources.posting_pay import salary_from_parts
from sightline.sources.posting_places import locations_from_text
from sightline.sources.posting_terms import employment_type, remote_policy
from sightline.sources.values import at, markup, number, rows, text

KIND = "lever"


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
    description = sections(
        (None, markup(row, "description") or markup(row, "descriptionPlain")),
        *lists,
        (None, markup(row, "additional") or markup(row, "additionalPlain")),
    )
    pay = at(row, "salaryRange")
    return build(
        text(row, "id"),
        text(row, "text"),
        text(row, "hostedUrl"),
        locations=_locations(row),
        department=text(row, "categories", "department") or text(row, "categories", "team"),
        employment=employment_type(text(row, "categories", "commitment")),
        remote=remote_policy(_workplace(row)),
        salary=salary_from_parts(
            number(pay, "min"), number(pay, "max"), text(pay, "currency"), text(pay, "interval")
        ),
        pay_text=markup(row, "salaryDescription") or markup(row, "salaryDescriptionPlain"),
        description=description,
        posted_at=parse_time(at(row, "createdAt")),
        updated_at=parse_time(at(row, "updatedAt")),
    )


def _workplace(row: Any) -> str | None:
    said = text(row, "workplaceType")
    return None if said == "unspecified" else said


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
