"""Pinpoint careers sites: every posting in one answer, its description in named parts."""

from typing import Any
from urllib.parse import urljoin

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.reading.times import parse_time
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.pages import BoardPage, Listing, unreadable
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import build, sections
from sightline.sources.posting_pay import salary_from_parts
from sightline.sources.posting_places import location_from_parts, locations_from_text
from sightline.sources.posting_terms import employment_type, remote_policy
from sightline.sources.values import at, flag, markup, number, rows, text

KIND = "pinpoint"
_PARTS = ("key_responsibilities", "skills_knowledge_expertise", "benefits")


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    found = rows(value, "data")
    return bool(found) and (
        at(found[0], "workplace_type") is not None
        or at(found[0], "key_responsibilities") is not None
    )


def parse(body: Body) -> BoardPage:
    """The postings of an answer."""
    read = read_json(body.content, body.charset)
    if not isinstance(at(read.value, "data"), list):
        return unreadable(KIND, *read.notes, "There is no list of postings in the answer.")
    return Listing(
        KIND, rows(read.value, "data"), lambda row: _posting(row, body.url), sound=read.whole,
        whole_by_contract=True, url=body.url, notes=list(read.notes),
    ).page()  # fmt: skip


def _posting(row: Any, base: str) -> ParsedPosting | None:
    parts = [(text(row, f"{name}_header"), markup(row, name)) for name in _PARTS]
    shown = flag(row, "compensation_visible") is not False
    place = at(row, "location")
    given = location_from_parts(
        text(place, "city"), text(place, "province") or text(place, "state"), text(place, "country"),
        raw=text(place, "name"),
    )  # fmt: skip
    named = locations_from_text(text(place, "name"))
    return build(
        text(row, "id"),
        text(row, "title"),
        text(row, "url") or urljoin(base, text(row, "path") or ""),
        locations=[given] if text(place, "city") else named,
        department=text(row, "job", "department", "name") or text(row, "department", "name"),
        employment=employment_type(text(row, "employment_type_text"), text(row, "employment_type")),
        remote=remote_policy(text(row, "workplace_type"), text(row, "workplace_type_text")),
        salary=salary_from_parts(
            number(row, "compensation_minimum"),
            number(row, "compensation_maximum"),
            text(row, "compensation_currency"),
            text(row, "compensation_frequency"),
        )
        if shown
        else None,
        pay_text=text(row, "compensation") if shown else None,
        description=sections((None, markup(row, "description")), *parts),
        posted_at=parse_time(at(row, "published_at")),
        requisition_id=text(row, "job", "requisition_id") or text(row, "requisition_id"),
    )


BOARD = Board(
    KIND,
    "Pinpoint",
    parse,
    looks_like,
    addresses=(rf"{LABEL}\.pinpointhq\.com(?:/|$)",),
    ask=("https://{site}/postings.json",),
    page="https://{site}/",
)
