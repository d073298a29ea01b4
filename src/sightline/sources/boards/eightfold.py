"""Eightfold careers sites: pages of positions with `start` and `count`."""

from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.sources.boards.board import LABEL, Board, Groups
from sightline.sources.boards.pages import (
    BoardPage,
    BoardRequest,
    Listing,
    asked,
    asked_number,
    single,
    unreadable,
)
from sightline.sources.boards.paths import posting
from sightline.sources.bodies import read_json
from sightline.sources.posting_places import locations_from_text
from sightline.sources.values import at, integer, rows, text
from sightline.sources.vocabulary import vocabulary

KIND = "eightfold"
_PATHS = {
    "id": "id", "title": "name|posting_name", "url": "canonicalPositionUrl",
    "department": "department|business_unit", "employment": "type",
    "remote": "work_location_option|location_flexibility", "description": "job_description",
    "posted_at": "t_create", "updated_at": "t_update", "requisition_id": "display_job_id|ats_job_id",
}  # fmt: skip
PAGE = 10


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    found = rows(value, "positions")
    if found:
        return (
            at(found[0], "canonicalPositionUrl") is not None or at(found[0], "t_create") is not None
        )
    return bool(at(value, "positions") == [] and at(value, "count") == 0)


def parse(body: Body) -> BoardPage:
    """The positions of one page, and the request for the next."""
    read = read_json(body.content, body.charset)
    data = at(read.value, "data") if at(read.value, "data", "positions") else read.value
    if at(data, "canonicalPositionUrl") and at(data, "id"):
        return single(KIND, _posting(data), notes=read.notes)
    if not isinstance(at(data, "positions"), list):
        return unreadable(KIND, *read.notes, "There is no list of positions in the answer.")
    found = rows(data, "positions")
    total, offset = integer(data, "count"), asked_number(body.url, "start")

    def follow(held: int) -> BoardRequest | None:
        query = {**asked(body.url), "start": str(held), "num": str(PAGE)}
        address = body.url.split("?")[0] + "?" + "&".join(f"{k}={v}" for k, v in query.items())
        return BoardRequest(address, offset=held) if body.url else None

    return Listing(
        KIND, found, _posting, sound=read.whole, total=total, offset=offset, follow=follow,
        notes=list(read.notes),
    ).page()  # fmt: skip


def _posting(row: Any) -> ParsedPosting | None:
    names = [text(each) for each in rows(row, "locations")] or [text(row, "location")]
    places = [place for name in names for place in locations_from_text(name)]
    return posting(row, _PATHS, locations=places)


def _ask(token: str) -> tuple[BoardRequest, ...]:
    host, _, domain = token.partition("/")
    name = quote(domain or f"{host}.com", safe="")
    return (BoardRequest(f"https://{host}.eightfold.ai/api/apply/v2/jobs?domain={name}"),)


def _token(groups: Groups, address: str) -> str | None:
    name = groups[0] or ""
    if name in vocabulary("system_names"):
        return None
    asked = parse_qs(urlsplit(f"//{address}").query).get("domain")
    return f"{name.lower()}/{asked[0]}" if asked else name


BOARD = Board(
    KIND,
    "Eightfold",
    parse,
    looks_like,
    addresses=(rf"{LABEL}\.eightfold\.ai(?:/|$)",),
    ask=_ask,
    page="https://{host}.eightfold.ai/careers",
    token=_token,
)
