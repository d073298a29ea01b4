"""Pinpoint careers sites: every posting in one response, its description in named parts."""

from typing import Any
from urllib.parse import urljoin

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.pages import BoardPage, Listing, unreadable
from sightline.sources.boards.paths import place, posting
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import sections
from sightline.sources.posting_places import locations_from_text
from sightline.sources.values import at, flag, markup, rows, text

KIND = "pinpoint"
_PATHS = {
    "id": "id", "title": "title", "department": "job/department/name|department/name",
    "employment": "employment_type_text|employment_type", "posted_at": "published_at",
    "remote": "workplace_type|workplace_type_text",
    "requisition_id": "job/requisition_id|requisition_id",
}  # fmt: skip
_PAY = {
    "salary": "compensation_minimum compensation_maximum compensation_currency compensation_frequency",
    "pay_text": "compensation",
}
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
    at_work = at(row, "location")
    name = text(at_work, "name")
    given = place(at_work, "city", "province|state", "country", raw=name)
    return posting(
        row,
        _PATHS | (_PAY if shown else {}),
        url=text(row, "url") or urljoin(base, text(row, "path") or ""),
        locations=[given] if text(at_work, "city") else locations_from_text(name),
        description=sections((None, markup(row, "description")), *parts),
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
