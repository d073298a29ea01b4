"""Responses of job boards: recognizing the board, and parsing them."""

from typing import Any

from sightline.domain.evidence import Body, Link, Observation, Parsed
from sightline.sources.boards.addresses import board_of, board_page_url
from sightline.sources.boards.board import Form
from sightline.sources.boards.pages import BoardPage, unreadable
from sightline.sources.boards.registry import BOARDS
from sightline.sources.bodies import read_json, read_text, read_xml


def kind_of(body: Body) -> str | None:
    """Whose answer a body is, by its content, then by its address; None when neither shows it."""
    form, value = _opened(body)
    for board in BOARDS.values():
        if form in board.forms and value is not None and board.looks_like(value):
            return board.kind
    named = board_of(body.url)
    if named is not None and form in BOARDS[named[0]].forms:
        return named[0]
    return "job_pages" if form == "html" and value else None


def parse_board(body: Body, kind: str | None = None, *, offset: int = 0) -> BoardPage:
    """The postings of an answer of a board. Without a kind, content and address decide.

    `offset` is the number of rows before this page, for the boards whose answers do not say. An
    unknown kind or unreadable answer gives an empty page that is not complete.
    """
    kind = kind or kind_of(body)
    if kind is None:
        return unreadable("unknown", "The answer is of no job board that is known.")
    if kind not in BOARDS:
        return unreadable(kind, f"There is no job board of the kind {kind!r}.")
    return BOARDS[kind].read(body, offset=offset)


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
