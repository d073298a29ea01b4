"""HRM Direct boards (also known as ClearCompany): a table of openings."""

from selectolax.lexbor import LexborNode

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.reading.times import parse_time
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.html import PARTIAL, absolute, first, read_page, words_of
from sightline.sources.boards.pages import BoardPage, Listing, unreadable
from sightline.sources.posting_build import build
from sightline.sources.posting_places import locations_from_text

KIND = "hrmdirect"


def looks_like(text: str) -> bool:
    """Whether a page is of this system."""
    return "ReqRowClick" in text or "hrmdirect.com" in text


def parse(body: Body) -> BoardPage:
    """The openings of the table."""
    tree, read = read_page(body)
    table = tree.css("tr[data-req-id]")
    if not table:
        return unreadable(KIND, *read.notes, "There is no table of openings on the page.")
    return Listing(
        KIND, table, lambda row: _posting(row, body.url), sound=read.whole,
        notes=[*read.notes, PARTIAL],
    ).page()  # fmt: skip


def _posting(row: LexborNode, base: str) -> ParsedPosting | None:
    anchor = first(row, ".posTitle a", 'a[href*="req="]')
    city, state = words_of(first(row, ".cities")), words_of(first(row, ".state"))
    dates = (parse_time(words_of(cell)) for cell in row.css("td"))
    return build(
        row.attributes.get("data-req-id"),
        words_of(anchor) or words_of(first(row, ".posTitle")),
        absolute(base, anchor.attributes.get("href")).split("#")[0] if anchor is not None else "",
        locations=locations_from_text(", ".join(filter(None, (city, state)))),
        department=words_of(first(row, ".departments")) or None,
        posted_at=next(filter(None, dates), None),
        requisition_id=row.attributes.get("data-custom-req-id"),
    )


BOARD = Board(
    KIND,
    "HRM Direct",
    parse,
    looks_like,
    forms=("html",),
    addresses=(rf"{LABEL}\.hrmdirect\.com(?:/|$)",),
    ask=("https://{token}.hrmdirect.com/employment/job-openings.php?search=true",),
    page="https://{token}.hrmdirect.com/employment/job-openings.php",
    is_whole=False,
)
