"""One answer of a job board as a document: a readable list of its postings, and whose board it is.

Pure: bytes in, `Parsed` out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from sightline.domain.evidence import Body, Link, Parsed, Passage
from sightline.domain.postings import ParsedPosting
from sightline.domain.websites import domain_of
from sightline.sources.board_addresses import board_of, boards_in
from sightline.sources.board_pages import BoardPage
from sightline.sources.boards import BOARDS, board_document, parse_board
from sightline.sources.bodies import read_json, read_text
from sightline.sources.contract import RecordIsUnusable
from sightline.sources.same_company import is_same_name

VERSION = 1
"""Raised whenever the parsers find more or other things, so that stored answers are read anew."""

OWN_PAGES = "job_pages"
_MOST_DESCRIPTION = 20_000
_MOST_TEXT = 4_000_000
_SYSTEMS = frozenset(
    [
        "greenhouse.io", "lever.co", "ashbyhq.com", "smartrecruiters.com", "workable.com",
        "recruitee.com", "teamtailor.com", "personio.de", "personio.com", "bamboohr.com",
        "myworkdayjobs.com", "breezy.hr", "pinpointhq.com", "rippling.com", "jobvite.com",
    ]
)  # fmt: skip
_NAMING = ("company_name", "companyName", "company", "employer", "organization")
_XML_NAME = re.compile(r"<(?:subcompany|company)>\s*(?:<!\[CDATA\[)?([^<\]]{2,120})", re.IGNORECASE)


@dataclass
class Reader:
    """A parser for one request to a board that keeps the board page it made of the answer."""

    kind: str
    token: str
    offset: int = 0
    page: BoardPage | None = None
    names: tuple[str, ...] = ()
    boards: tuple[tuple[str, str], ...] = field(default=())

    def __call__(self, body: Body) -> Parsed:
        page = parse_board(body, self.kind, offset=self.offset)
        source = read_text(body.content, body.charset).value
        if self.kind == OWN_PAGES:
            self.boards = tuple((kind, token) for kind, token, _ in boards_in(source))
            embedded = board_of(body.url)
            if embedded is not None:
                self.boards = (embedded, *self.boards)
        elif not page.sound and not page.postings:
            reason = page.notes[0] if page.notes else "It holds no list of postings."
            raise RecordIsUnusable(f"{BOARDS[self.kind].title} answered what is no board. {reason}")
        self.page = page
        self.names = tuple(dict.fromkeys(_names_in(body, source)))
        text, passages = listing_text(page.postings)
        document = board_document(page, body, None if self.kind == OWN_PAGES else self.token)
        further = (Link(page.next.url, "next"),) if page.next is not None else ()
        title = f"{self.names[0]}: open positions" if len(self.names) == 1 else "Open positions"
        links = (*further, *document.links)
        return replace(document, text=text, passages=passages, title=title, links=links)


def read_board_name(body: Body) -> Parsed:
    """The answer of Greenhouse about a board itself; the title is the employer's name."""
    value = read_json(body.content, body.charset).value
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(name, str) or not name.strip():
        raise RecordIsUnusable("The board does not say whose it is.")
    return Parsed(kind="data", text="", title=name.strip())


def listing_text(postings: tuple[ParsedPosting, ...]) -> tuple[str, tuple[Passage, ...]]:
    """The postings one after the other as people read them, and the span of each."""
    parts: list[str] = []
    passages = []
    at = 0
    for posting in postings:
        if at > _MOST_TEXT:
            break
        entry = posting_text(posting)
        passages.append(Passage(at, at + len(entry), "job", posting.title))
        parts.append(entry)
        at += len(entry) + 2
    return "\n\n".join(parts), tuple(passages)


def posting_text(posting: ParsedPosting) -> str:
    """Title, place and date, then the description."""
    places = "; ".join(place.raw for place in posting.locations)
    dated = f"Posted {posting.posted_at.date().isoformat()}" if posting.posted_at else ""
    facts = " · ".join(each for each in (posting.department, places, dated) if each)
    lines = [posting.title, *([facts] if facts else [])]
    if posting.description:
        lines += ["", posting.description[:_MOST_DESCRIPTION]]
    return "\n".join(lines)


def is_boards_owner(
    page: BoardPage, stated: tuple[str, ...], *, names: tuple[str, ...], domains: tuple[str, ...]
) -> bool:
    """Whether a board that was found by its token alone is the company's.

    Its postings lead to the company's domain, or the board gives itself the company's name; a board
    whose postings lead to another company's domain is that company's. Where it does neither, most
    of its postings must name the company's domain in their text.
    """
    if not page.postings:
        return False
    sites = {domain_of(posting.url) for posting in page.postings} - {None}
    foreign = {site for site in sites if site not in domains and site not in _SYSTEMS}
    if sites & set(domains):
        return True
    if foreign and domains:
        return False
    domain = domains[0] if domains else None
    if stated:
        return any(is_same_name(each, names, domain=domain) for each in stated)
    told = [posting.description.lower() for posting in page.postings if posting.description]
    naming = sum(any(_names_domain(text, each) for each in domains) for text in told)
    return bool(told) and naming * 2 > len(told)


def _names_domain(text: str, domain: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(domain)}(?![\w-])", text) is not None


def _names_in(body: Body, source: str) -> Iterator[str]:
    """The names that an answer gives to whoever publishes the board."""
    if source.lstrip()[:1] == "<":
        if "json" not in body.media_type:
            yield from (found.strip() for found in _XML_NAME.findall(source[:200_000])[:20])
        return
    value = read_json(body.content, body.charset).value
    yield from _names_of(value)
    if isinstance(value, dict):
        if isinstance(value.get("name"), str) and any(isinstance(v, list) for v in value.values()):
            yield value["name"].strip()
        for rows in value.values():
            for row in rows[:50] if isinstance(rows, list) else ():
                yield from _names_of(row)
    for row in value[:50] if isinstance(value, list) else ():
        yield from _names_of(row)


def _names_of(row: Any) -> Iterator[str]:
    if not isinstance(row, dict):
        return
    for key in _NAMING:
        named = row.get(key)
        if isinstance(named, dict):
            named = named.get("name")
        if isinstance(named, str) and 1 < len(named.strip()) <= 120:
            yield named.strip()


def host_and_path(url: str) -> str:
    """The token of a company's own careers page."""
    parts = urlsplit(url)
    return f"{(parts.hostname or '').removeprefix('www.')}{parts.path.rstrip('/')}"
