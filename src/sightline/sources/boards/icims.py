"""iCIMS search pages: cards of jobs, and the link to the next page."""

import re

from selectolax.lexbor import LexborNode

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.reading.times import parse_time
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.html import PARTIAL, absolute, first, read_page, words_of
from sightline.sources.boards.pages import BoardPage, BoardRequest, Listing, unreadable
from sightline.sources.plain_text import one_line
from sightline.sources.posting_build import build
from sightline.sources.posting_places import locations_from_text
from sightline.sources.posting_terms import employment_type, remote_policy

KIND = "icims"
_KEY = re.compile(r"/jobs/(\d+)/")


def looks_like(text: str) -> bool:
    """Whether a page is of this system."""
    return "iCIMS_JobCardItem" in text or "iCIMS_JobsTable" in text


def parse(body: Body) -> BoardPage:
    """The jobs of a search page; a job's requisition is the number that the employer gave it."""
    tree, read = read_page(body)
    cards = tree.css(".iCIMS_JobCardItem, .iCIMS_JobsTable .row")
    if not cards:
        return unreadable(KIND, *read.notes, "There are no job cards on the page.")
    after = first(tree, 'link[rel="next"]', 'a[rel="next"]', ".iCIMS_Paging a.glyph:last-child")
    href = absolute(body.url, after.attributes.get("href")) if after is not None else ""
    following = BoardRequest(href, offset=len(cards)) if href.startswith("http") else None
    return Listing(
        KIND, cards, lambda card: _posting(card, body.url), sound=read.whole, next=following,
        notes=[*read.notes, PARTIAL],
    ).page()  # fmt: skip


def _posting(card: LexborNode, base: str) -> ParsedPosting | None:
    anchor = first(card, "a.iCIMS_Anchor", 'a[href*="/jobs/"]')
    if anchor is None:
        return None
    url = absolute(base, anchor.attributes.get("href")).split("?")[0]
    key = _KEY.search(url)
    fields = _fields(card)
    title = first(anchor, "h2", "h3", "h4")
    named = re.sub(r"^\d+ - ", "", one_line(anchor.attributes.get("title")))
    posted = next((value for label, value in fields.items() if "date" in label), None)
    kind = next((value for label, value in fields.items() if "type" in label), None)
    return build(
        key[1] if key else None,
        words_of(title) or named or words_of(anchor),
        url,
        locations=locations_from_text(
            _spaced(fields.get("job locations") or fields.get("location"))
        ),
        department=fields.get("category") or fields.get("department"),
        employment=employment_type(kind),
        remote=remote_policy(fields.get("remote") if len(fields.get("remote", "")) > 3 else None),
        description=words_of(first(card, ".description")),
        posted_at=parse_time(posted),
        requisition_id=fields.get("job id") or fields.get("id") or fields.get("requisition id"),
    )


def _fields(card: LexborNode) -> dict[str, str]:
    """Labels and values: of definition lists, and of spans beside their hidden label."""
    found = {}
    for label in card.css("dt"):
        value = label.next
        while value is not None and value.tag != "dd":
            value = value.next
        found[words_of(label).lower()] = words_of(value)
    for label in card.css(".field-label"):
        name, parent = words_of(label), label.parent
        if parent is not None and parent.tag != "a":
            found[name.lower()] = words_of(parent).removeprefix(name).strip()
    return found


def _spaced(text: str | None) -> str:
    """ "US-CA-Irvine | US-NY" as iCIMS writes places."""
    return (text or "").replace("||", "|")


BOARD = Board(
    KIND,
    "iCIMS",
    parse,
    looks_like,
    forms=("html",),
    addresses=(rf"{LABEL}\.icims\.com(?:/|$)",),
    ask=(
        "https://{token}.icims.com/jobs/search?ss=1&in_iframe=1",
        "https://{token}.icims.com/jobs/search",
    ),
    page="https://{token}.icims.com/jobs/search",
    is_whole=False,
)
