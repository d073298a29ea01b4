"""JazzHR career pages (applytojob.com): links to postings with location and department."""

import re

from selectolax.lexbor import LexborNode

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.html import PARTIAL, absolute, first, read_page, words_of
from sightline.sources.boards.pages import BoardPage, Listing, unreadable
from sightline.sources.posting_build import build
from sightline.sources.posting_places import locations_from_text

KIND = "jazzhr"
_KEY = re.compile(r"/apply/([A-Za-z0-9]{8,12})(?:[/?#]|$)")


def looks_like(text: str) -> bool:
    """Whether a page is of this system."""
    return "applytojob.com/apply/" in text or "resumator" in text


def parse(body: Body) -> BoardPage:
    """The jobs of a career page."""
    tree, read = read_page(body)
    anchors: dict[str, LexborNode] = {}
    for anchor in tree.css('a[href*="/apply/"]'):
        key = _KEY.search(anchor.attributes.get("href") or "")
        if key and words_of(anchor):
            anchors.setdefault(key[1], anchor)
    if not anchors:
        return unreadable(KIND, *read.notes, "There are no job links on the page.")
    return Listing(
        KIND, list(anchors.items()), lambda found: _posting(found[0], found[1], body.url), sound=read.whole,
        notes=[*read.notes, PARTIAL],
    ).page()  # fmt: skip


def _posting(key: str, anchor: LexborNode, base: str) -> ParsedPosting | None:
    row = _entry(anchor)
    return build(
        key,
        words_of(anchor),
        absolute(base, anchor.attributes.get("href")),
        locations=locations_from_text(_beside(row, "map-marker")),
        department=_beside(row, "sitemap") or None,
    )


def _entry(anchor: LexborNode) -> LexborNode:
    node = anchor
    for _ in range(5):
        if node.parent is None:
            break
        node = node.parent
        if node.tag == "li" or "list-group-item" in (node.attributes.get("class") or "").split():
            break
    return node


def _beside(row: LexborNode, icon: str) -> str:
    mark = first(row, f".fa-{icon}", f'[class*="{icon}"]')
    return words_of(mark.parent) if mark is not None else ""


BOARD = Board(
    KIND,
    "JazzHR",
    parse,
    looks_like,
    forms=("html",),
    addresses=(rf"{LABEL}\.applytojob\.com(?:/|$)",),
    ask=("https://{token}.applytojob.com/apply",),
    page="https://{token}.applytojob.com/apply",
    is_whole=False,
)
