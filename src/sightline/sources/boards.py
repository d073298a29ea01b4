"""The job boards that can be read: which there are, whose an answer is, and reading it.

Addresses are in `board_addresses`, completeness and changes in `board_pages`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from sightline.domain.evidence import Body, Link, Observation, Parsed
from sightline.domain.postings import ParsedPosting
from sightline.sources.ashby import parse as ashby
from sightline.sources.bamboohr import parse as bamboohr
from sightline.sources.board_addresses import board_of as board_of
from sightline.sources.board_addresses import board_page_url as board_page_url
from sightline.sources.board_addresses import board_urls as board_urls
from sightline.sources.board_addresses import boards_in as boards_in
from sightline.sources.board_addresses import probe_tokens as probe_tokens
from sightline.sources.board_pages import BoardPage, unreadable
from sightline.sources.board_pages import BoardRequest as BoardRequest
from sightline.sources.board_pages import collapse_reposts as collapse_reposts
from sightline.sources.board_pages import diff as diff
from sightline.sources.board_pages import merge_pages as merge_pages
from sightline.sources.board_pages import with_details as with_details
from sightline.sources.bodies import read_json, read_text, read_xml
from sightline.sources.breezy import parse as breezy
from sightline.sources.eightfold import parse as eightfold
from sightline.sources.greenhouse import parse as greenhouse
from sightline.sources.hrmdirect import parse as hrmdirect
from sightline.sources.icims import parse as icims
from sightline.sources.jazzhr import parse as jazzhr
from sightline.sources.job_pages import parse as job_pages
from sightline.sources.jobvite import parse as jobvite
from sightline.sources.lever import parse as lever
from sightline.sources.neogov import parse as neogov
from sightline.sources.oracle import parse as oracle
from sightline.sources.paylocity import parse as paylocity
from sightline.sources.personio import parse as personio
from sightline.sources.phenom import parse as phenom
from sightline.sources.pinpoint import parse as pinpoint
from sightline.sources.recruitee import parse as recruitee
from sightline.sources.rippling import parse as rippling
from sightline.sources.smartrecruiters import parse as smartrecruiters
from sightline.sources.teamtailor import parse as teamtailor
from sightline.sources.workable import parse as workable
from sightline.sources.workday import parse as workday

Form = Literal["json", "xml", "html"]


@dataclass(frozen=True, slots=True)
class Board:
    """One system. `looks_like` is handed the JSON value, the root element or the page's text."""

    kind: str
    title: str
    forms: tuple[Form, ...]
    parse: Callable[[Body], BoardPage]
    looks_like: Callable[[Any], bool]
    paged: bool = False  # its pages need `offset` to be told
    whole: bool = True  # an answer, or all its pages, can prove that nothing is missing


def _teamtailor(value: Any) -> bool:
    return (
        teamtailor.looks_like_xml(value)
        if hasattr(value, "nsmap")
        else teamtailor.looks_like(value)
    )


BOARDS: dict[str, Board] = {
    board.kind: board
    for board in (
        Board("greenhouse", "Greenhouse", ("json",), greenhouse.parse, greenhouse.looks_like),
        Board("lever", "Lever", ("json",), lever.parse, lever.looks_like),
        Board("ashby", "Ashby", ("json",), ashby.parse, ashby.looks_like),
        Board(
            "smartrecruiters", "SmartRecruiters", ("json",), smartrecruiters.parse,
            smartrecruiters.looks_like,
        ),
        Board("workable", "Workable", ("json",), workable.parse, workable.looks_like, paged=True),
        Board("recruitee", "Recruitee", ("json",), recruitee.parse, recruitee.looks_like),
        Board("teamtailor", "Teamtailor", ("json", "xml"), teamtailor.parse, _teamtailor),
        Board("personio", "Personio", ("xml",), personio.parse, personio.looks_like),
        Board("bamboohr", "BambooHR", ("json", "html"), bamboohr.parse, bamboohr.looks_like),
        Board("workday", "Workday", ("json",), workday.parse, workday.looks_like, paged=True),
        Board("eightfold", "Eightfold", ("json",), eightfold.parse, eightfold.looks_like),
        Board("oracle", "Oracle Recruiting", ("json",), oracle.parse, oracle.looks_like),
        Board("pinpoint", "Pinpoint", ("json",), pinpoint.parse, pinpoint.looks_like),
        Board("rippling", "Rippling", ("json",), rippling.parse, rippling.looks_like),
        Board("breezy", "Breezy", ("json",), breezy.parse, breezy.looks_like),
        Board("phenom", "Phenom", ("html",), phenom.parse, phenom.looks_like),
        Board("icims", "iCIMS", ("html",), icims.parse, icims.looks_like, whole=False),
        Board("jobvite", "Jobvite", ("html",), jobvite.parse, jobvite.looks_like, whole=False),
        Board("jazzhr", "JazzHR", ("html",), jazzhr.parse, jazzhr.looks_like, whole=False),
        Board("paylocity", "Paylocity", ("html",), paylocity.parse, paylocity.looks_like, whole=False),
        Board("hrmdirect", "HRM Direct", ("html",), hrmdirect.parse, hrmdirect.looks_like, whole=False),
        Board("neogov", "NEOGOV", ("xml",), neogov.parse, neogov.looks_like, whole=False),
        Board("job_pages", "web pages", ("html",), job_pages.parse, job_pages.looks_like, whole=False),
    )
}  # fmt: skip
"""Every system by its kind, the order in which an unknown answer is compared with them."""


def kind_of(body: Body) -> str | None:
    """Whose answer a body is, told by its content, then by its address; None when neither tells."""
    form, value = _opened(body)
    for board in BOARDS.values():
        if form in board.forms and value is not None and board.looks_like(value):
            return board.kind
    named = board_of(body.url)
    if named is not None and form in BOARDS[named[0]].forms:
        return named[0]
    return "job_pages" if form == "html" and value else None


def parse_board(body: Body, kind: str | None = None, *, offset: int = 0) -> BoardPage:
    """The postings of an answer of a board. Without a kind it is told by content and address.

    `offset` is the number of rows before this page, for the boards whose answers do not say. An
    unknown kind or unreadable answer gives an empty page that is not complete.
    """
    kind = kind or kind_of(body)
    if kind is None:
        return unreadable("unknown", "The answer is of no job board that is known.")
    if kind not in BOARDS:
        return unreadable(kind, f"There is no job board of the kind {kind!r}.")
    if kind == "workday":
        return workday.parse(body, offset=offset)
    if kind == "workable":
        return workable.parse(body, offset=offset)
    return BOARDS[kind].parse(body)


def board_document(page: BoardPage, body: Body, token: str | None = None) -> Parsed:
    """A page of a board as a document: its postings, and where the board is."""
    named = (page.kind, token) if token else board_of(body.url)
    found: tuple[Observation, ...] = ()
    if named is not None and page.postings:
        kind, name = named
        value = {"kind": kind, "token": name, "url": board_page_url(kind, name)}
        found = (Observation("job_board", value, "api", 0.95, pointer=body.url),)
    links = tuple(
        Link(posting.url, "posting", posting.title)
        for posting in page.postings
        if posting.url.startswith("http")
    )
    return Parsed(
        kind="data",
        text="",
        observations=found,
        links=links,
        postings=page.postings,
        notes=page.notes,
    )


def posting_document(posting: ParsedPosting) -> Parsed:
    """One posting as a document: title and description are its text."""
    text = f"{posting.title}\n\n{posting.description}".strip()
    return Parsed(
        kind="posting",
        text=text,
        title=posting.title,
        language=posting.language,
        published_at=posting.posted_at,
        postings=(posting,),
    )


def _opened(body: Body) -> tuple[Form | None, Any]:
    start = read_text(body.content[:4096], body.charset).value.lstrip()[:400].lower()
    if not start:
        start = read_text(body.content, body.charset).value.lstrip()[:400].lower()
    if start[:1] == "<":
        head = start.split("?>", 1)[-1].lstrip() if start.startswith("<?xml") else start
        if start.startswith("<?xml") and not head.startswith(("<!doctype html", "<html")):
            return "xml", read_xml(body.content, body.charset).value
        if head.startswith(("<rss", "<workzag-jobs", "<feed")):
            return "xml", read_xml(body.content, body.charset).value
        return "html", read_text(body.content, body.charset).value
    value = read_json(body.content, body.charset).value
    return ("json", value) if value is not None else (None, None)
