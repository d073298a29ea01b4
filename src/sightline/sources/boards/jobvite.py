"""Jobvite search pages: rows of jobs with their location."""

import re

from selectolax.lexbor import LexborNode

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.sources.boards.board import NAME, Board
from sightline.sources.boards.html import PARTIAL, absolute, first, read_page, row_around, words_of
from sightline.sources.boards.pages import BoardPage, BoardRequest, Listing, unreadable
from sightline.sources.posting_build import build
from sightline.sources.posting_places import locations_from_text

KIND = "jobvite"
_KEY = re.compile(r"/job/([A-Za-z0-9]{6,12})(?:[/?#]|$)")


def looks_like(text: str) -> bool:
    """Whether a page is of this system."""
    return "jv-job-list" in text or "jobs.jobvite.com" in text


def parse(body: Body) -> BoardPage:
    """The jobs of a search page."""
    tree, read = read_page(body)
    anchors = [
        anchor
        for anchor in tree.css('a[href*="/job/"]')
        if _KEY.search(anchor.attributes.get("href") or "") and words_of(anchor)
    ]
    if not anchors:
        return unreadable(KIND, *read.notes, "There are no job links on the page.")
    after = first(tree, "a.jv-pagination-next")
    href = absolute(body.url, after.attributes.get("href")) if after is not None else ""
    return Listing(
        KIND,
        anchors,
        lambda anchor: _posting(anchor, body.url),
        sound=read.whole,
        next=BoardRequest(href, offset=len(anchors)) if href.startswith("http") else None,
        notes=[*read.notes, PARTIAL],
    ).page()


def _posting(anchor: LexborNode, base: str) -> ParsedPosting | None:
    key = _KEY.search(anchor.attributes.get("href") or "")
    row = row_around(anchor)
    return build(
        key[1] if key else None,
        words_of(first(anchor, ".jv-job-list-name")) or words_of(anchor),
        absolute(base, anchor.attributes.get("href")),
        locations=locations_from_text(words_of(first(row, ".jv-job-list-location"))),
        department=words_of(first(row, ".jv-job-list-department")) or None,
    )


BOARD = Board(
    KIND,
    "Jobvite",
    parse,
    looks_like,
    forms=("html",),
    addresses=(rf"(?:jobs|careers)\.jobvite\.com/(?:careers/)?{NAME}",),
    ask=("https://jobs.jobvite.com/{name}/search",),
    page="https://jobs.jobvite.com/{name}",
    is_whole=False,
)
