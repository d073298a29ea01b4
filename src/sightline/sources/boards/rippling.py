"""Rippling boards: an array with one row for each place of a job, the paged form, or one job."""

from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.sources.boards.board import NAME, Board
from sightline.sources.boards.pages import (
    BoardPage,
    BoardRequest,
    Listing,
    asked_number,
    single,
    unreadable,
)
from sightline.sources.boards.paths import posting
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import sections
from sightline.sources.posting_pay import salary_from_parts
from sightline.sources.posting_places import locations_from_text
from sightline.sources.values import at, integer, markup, number, rows, text

KIND = "rippling"
_PATHS = {
    "id": "uuid|id", "title": "name", "url": "url",
    "department": "department/label|department/name|department",
    "employment": "employmentType/label|employmentType", "remote": "workplaceType", "language": "language",
    "posted_at": "createdOn",
}  # fmt: skip


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    listed = value if isinstance(value, list) else rows(value, "items")
    first = listed[0] if listed else value
    return at(first, "workLocation") is not None or at(first, "workLocations") is not None


def parse(body: Body) -> BoardPage:
    """The jobs of an answer."""
    read = read_json(body.content, body.charset)
    data = read.value
    notes = list(read.notes)
    if isinstance(data, list):
        return Listing(
            KIND,
            data,
            _posting,
            sound=read.whole,
            whole_by_contract=True,
            url=body.url,
            notes=notes,
        ).page()
    if at(data, "uuid") and at(data, "name"):
        return single(KIND, _posting(data), notes=notes)
    if not isinstance(at(data, "items"), list):
        return unreadable(KIND, *notes, "There is no list of jobs in the answer.")
    found, total = rows(data, "items"), integer(data, "totalItems")
    stated = at(data, "page") is not None
    page = (integer(data, "page") if stated else asked_number(body.url, "page")) or 0
    size, base = integer(data, "pageSize") or len(found), body.url.split("?")[0]

    def follow(held: int) -> BoardRequest | None:
        return (
            BoardRequest(f"{base}?page={page + 1}&pageSize={size}", offset=held) if base else None
        )

    return Listing(
        KIND, found, _posting, sound=read.whole, total=total, offset=page * size, follow=follow,
        notes=notes,
    ).page()  # fmt: skip


def _posting(row: Any) -> ParsedPosting | None:
    pay = next(iter(rows(row, "payRangeDetails")), None)
    parts = ((None, markup(row, "description", name)) for name in ("company", "role"))
    return posting(
        row,
        _PATHS,
        locations=_locations(row),
        salary=salary_from_parts(
            number(pay, "rangeStart"),
            number(pay, "rangeEnd"),
            text(pay, "currency"),
            text(pay, "frequency"),
        ),
        description=markup(row, "description") or sections(*parts),
    )


def _locations(row: Any) -> list[PostingLocation]:
    places = [at(row, "workLocation"), *rows(row, "workLocations"), *rows(row, "locations")]
    names = [text(place, "label") or text(place, "name") or text(place) for place in places]
    return [place for name in names for place in locations_from_text(name)]


BOARD = Board(
    KIND,
    "Rippling",
    parse,
    looks_like,
    addresses=(
        rf"api\.rippling\.com/platform/api/ats/v\d/board/{NAME}",
        rf"ats\.rippling\.com/(?:[a-z]{{2}}-[A-Z]{{2}}/)?{NAME}",
    ),
    ask=("https://api.rippling.com/platform/api/ats/v1/board/{name}/jobs",),
    page="https://ats.rippling.com/{name}/jobs",
)
