"""Pages with schema.org JobPosting data, and plain pages of links to openings.

Structured data comes first. Without it, links count as openings only when several of them share the
form of an address that speaks of jobs, so that menus and articles do not.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sightline.domain.evidence import Body
from sightline.domain.names import fold
from sightline.domain.postings import ParsedPosting
from sightline.reading.times import parse_time
from sightline.sources.boards.board import Board
from sightline.sources.boards.html import (
    PARTIAL,
    absolute,
    first,
    read_page,
    row_around,
    words_of,
)
from sightline.sources.boards.job_posting_ld import job_postings_in, posting_from_ld
from sightline.sources.boards.pages import BoardPage, BoardRequest, Listing, single, unreadable
from sightline.sources.json_ld import read_json_ld
from sightline.sources.posting_build import build
from sightline.sources.posting_places import locations_from_text
from sightline.sources.vocabulary import vocabulary

KIND = "job_pages"
_MAX_POSTINGS = 2000

_JOB_PATH = re.compile(
    r"/(?:jobs?|careers?|positions?|openings?|vacanc(?:y|ies)|opportunit(?:y|ies)|roles?|postings?|job-offers?"
    r"|jobdetails?|job-openings?|stellen\w*|stellenangebote?|karriere|offres?(?:-emploi)?|emplois?|empleos?"
    r"|ofertas?|vagas?|vacatures?|jobb|stilling(?:er)?|lavora-con-noi|offerte|praca|oferty-pracy)/"
    r"(?:[^?#]*/)?([^/?#]{4,160})/?$",
    re.IGNORECASE,
)
_JOB_QUERY = re.compile(
    r"[?&](?:gh_jid|jobid|job_id|job|jid|reqid|req|vacancyid|positionid)=([\w-]{2,60})",
    re.IGNORECASE,
)
_TITLE_IN_ROW = (
    "h1", "h2", "h3", "h4", "h5", '[class*="title"]', '[class*="Title"]', '[class*="name"]', "strong",
)  # fmt: skip
_PLACE_IN_ROW = (
    '[class*="location"]',
    '[class*="Location"]',
    '[itemprop="jobLocation"]',
    '[class*="city"]',
)
_DEPARTMENT_IN_ROW = ('[class*="department"]', '[class*="Department"]', '[class*="team"]')
_MICRODATA = '[itemtype*="schema.org/JobPosting"]'


def looks_like(text: str) -> bool:
    """Whether a page has structured data about jobs."""
    return "JobPosting" in text


def parse(body: Body) -> BoardPage:
    """The postings of a page, from structured data if it has any, else from its links."""
    tree, read = read_page(body)
    found = [*_json_ld(tree), *_microdata(tree)]
    postings = [
        posting
        for job in found[:_MAX_POSTINGS]
        if (posting := posting_from_ld(job, url=body.url)) is not None
    ]
    if len(postings) == 1:
        return single(KIND, postings[0], notes=read.notes)
    if postings:
        return _listing(postings, [*read.notes, PARTIAL], sound=read.whole)
    links = _job_links(tree, body.url)
    if len(links) < 2:
        return unreadable(KIND, *read.notes, "The page names no jobs beside its menus.")
    listed = [posting for anchor in links if (posting := _linked(anchor, body.url)) is not None]
    notes = [*read.notes, PARTIAL, "The page has no structured data; its links were read."]
    return _listing(listed, notes, sound=read.whole)


def _listing(postings: list[ParsedPosting], notes: list[str], *, sound: bool) -> BoardPage:
    return Listing(KIND, postings, lambda posting: posting, sound=sound, notes=notes).page()


def _json_ld(tree: LexborHTMLParser) -> Iterator[Mapping[str, Any]]:
    for script in tree.css('script[type*="ld+json"]'):
        source = script.text(deep=True) or ""
        if "JobPosting" in source:
            yield from job_postings_in(read_json_ld(source))


def _microdata(tree: LexborHTMLParser) -> Iterator[Mapping[str, Any]]:
    for scope in tree.css(_MICRODATA):
        yield {"@type": "JobPosting", **_properties(scope)}


def _properties(scope: LexborNode, depth: int = 0) -> dict[str, Any]:
    """The properties of one item; nested items become objects."""
    found: dict[str, Any] = {}
    for node in scope.css("[itemprop]"):
        owner = node.parent
        while owner is not None and "itemscope" not in owner.attributes:
            owner = owner.parent
        if owner is None or owner.mem_id != scope.mem_id or node.mem_id == scope.mem_id:
            continue
        for name in (node.attributes.get("itemprop") or "").split():
            found.setdefault(name, _value(node, name, depth))
    return found


def _value(node: LexborNode, name: str, depth: int) -> Any:
    given = node.attributes
    if "itemscope" in given and depth < 4:
        return {"@type": given.get("itemtype") or "", **_properties(node, depth + 1)}
    for attribute in ("content", "datetime", "href"):
        if given.get(attribute):
            return given[attribute]
    return (
        node.html
        if name in {"description", "responsibilities", "qualifications"}
        else words_of(node)
    )


def _job_links(tree: LexborHTMLParser, base: str) -> list[LexborNode]:
    """The links of the largest group of addresses of one form; one link an address."""
    groups: dict[str, dict[str, LexborNode]] = {}
    for anchor in tree.css("a[href]"):
        url = absolute(base, anchor.attributes.get("href")).split("#")[0]
        form = _form(url)
        if form is None or _in_menu(anchor) or not _title_of(anchor):
            continue
        groups.setdefault(form, {}).setdefault(url, anchor)
    best = max(groups.values(), key=len, default={})
    return list(best.values())[:_MAX_POSTINGS]


def _form(url: str) -> str | None:
    """What addresses of openings of one site share; None for an address that speaks of no job."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if _JOB_QUERY.search("?" + parts.query):
        return f"{parts.netloc}{parts.path.rsplit('/', 1)[0]}?"
    found = _JOB_PATH.search(parts.path)
    if not found:
        return None
    slug = found[1]
    # A title has several words or a number; "/careers/benefits" has neither.
    if not (re.search(r"\d{3,}", slug) or slug.count("-") >= 1 or slug.count("_") >= 1):
        return None
    return f"{parts.netloc}{parts.path.split('/')[1]}/{parts.path.strip('/').count('/')}"


def _in_menu(anchor: LexborNode) -> bool:
    node = anchor.parent
    while node is not None:
        if node.tag in {"nav", "footer"}:
            return True
        node = node.parent
    return False


def _title_of(anchor: LexborNode) -> str:
    """The title that a link shows, or that its row shows for a link that only says "Apply"."""
    heading = first(anchor, *_TITLE_IN_ROW)
    shown = words_of(heading) or words_of(anchor)
    if fold(shown) in vocabulary("no_titles") or not shown:
        shown = words_of(first(row_around(anchor), *_TITLE_IN_ROW))
    words = shown.split()
    usable = (
        1 <= len(words) <= 18 and len(shown) <= 140 and fold(shown) not in vocabulary("no_titles")
    )
    return shown if usable and any(letter.isalpha() for letter in shown) else ""


def _linked(anchor: LexborNode, base: str) -> ParsedPosting | None:
    url = absolute(base, anchor.attributes.get("href")).split("#")[0]
    query = _JOB_QUERY.search(url)
    path = urlsplit(url).path.rstrip("/")
    row = row_around(anchor)
    dated = first(row, "time[datetime]")
    return build(
        query[1] if query else path,
        _title_of(anchor),
        url,
        locations=locations_from_text(words_of(first(row, *_PLACE_IN_ROW))),
        department=words_of(first(row, *_DEPARTMENT_IN_ROW)) or None,
        posted_at=parse_time(dated.attributes.get("datetime")) if dated is not None else None,
    )


BOARD = Board(
    KIND,
    "web pages",
    parse,
    looks_like,
    forms=("html",),
    ask=lambda token: (BoardRequest(token),) if token.startswith("http") else (),
    is_whole=False,
)
