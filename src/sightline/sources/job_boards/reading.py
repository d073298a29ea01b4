"""A job board response as a document: a readable list of its postings, and whose board it is.

Pure: bytes in, `Parsed` out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from sightline.domain.evidence import Body, Link, Observation, Parsed, Passage
from sightline.domain.names import fold, name_key
from sightline.domain.postings import ParsedPosting
from sightline.domain.websites import domain_of
from sightline.sources.boards.addresses import board_of, boards_in
from sightline.sources.boards.answers import board_document, parse_board
from sightline.sources.boards.pages import BoardPage
from sightline.sources.boards.registry import BOARDS, HOSTS
from sightline.sources.bodies import read_json, read_text
from sightline.sources.contract import RecordIsUnusable
from sightline.sources.same_company import is_same_name

VERSION = 2
"""Raised whenever the parsers find more or other things, so that stored answers are read again."""

OWN_PAGES = "job_pages"
_MOST_DESCRIPTION = 20_000
_MOST_TEXT = 4_000_000
_MOST_TEXTS = 30  # of a board that are looked through for whose it is
_NAMING = ("company_name", "companyName", "company", "employer", "organization")
_XML_NAME = re.compile(r"<(?:subcompany|company)>\s*(?:<!\[CDATA\[)?([^<\]]{2,120})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BoardReading:
    """What an answer of a board holds; the `extra` of its `Parsed`. `names` are those it gives to the
    employer, `boards` others that an own page embeds or links to."""

    page: BoardPage
    names: tuple[str, ...]
    boards: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """A parser for one request to a board."""

    kind: str
    token: str
    offset: int = 0

    def __call__(self, body: Body) -> Parsed:
        page = parse_board(body, self.kind, offset=self.offset)
        source = read_text(body.content, body.charset).value
        if self.kind != OWN_PAGES and not page.sound and not page.postings:
            reason = page.notes[0] if page.notes else "It holds no list of postings."
            raise RecordIsUnusable(f"{BOARDS[self.kind].title} answered what is no board. {reason}")
        stated: dict[str, str] = {}
        for name, pointer in _names_in(body, source):
            stated.setdefault(name, pointer)
        names = tuple(stated)
        text, passages = listing_text(page.postings)
        document = board_document(page, body, None if self.kind == OWN_PAGES else self.token)
        named = stated.items() if self.kind != OWN_PAGES and page.postings else ()
        said = [_name_of_board(*each) for each in named if len(stated) == 1]
        further = (Link(page.next.url, "next"),) if page.next is not None else ()
        return replace(
            document,
            text=text,
            passages=passages,
            title=f"{names[0]}: open positions" if len(names) == 1 else "Open positions",
            links=(*further, *document.links),
            observations=(*document.observations, *said),
            extra=BoardReading(page, names, self._boards(body, source)),
        )

    def _boards(self, body: Body, source: str) -> tuple[tuple[str, str], ...]:
        """The boards that an own page is or embeds."""
        if self.kind != OWN_PAGES:
            return ()
        embedded = board_of(body.url)
        named = tuple((kind, token) for kind, token, _ in boards_in(source))
        return (embedded, *named) if embedded is not None else named


def read_board_name(body: Body) -> Parsed:
    """The answer of Greenhouse about a board itself; the title is the employer's name."""
    value = read_json(body.content, body.charset).value
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(name, str) or not name.strip():
        raise RecordIsUnusable("The board does not say whose it is.")
    stated = _name_of_board(name.strip(), "/name")
    return Parsed(kind="data", text="", title=name.strip(), observations=(stated,))


def _name_of_board(name: str, pointer: str) -> Observation:
    """The employer's name as its board has it: proof where nothing else names the company."""
    return Observation("company_name", name, "api", 0.6, pointer=pointer)


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

    Proof is one of: postings that lead to its domain; its whole name as the board's; the short form
    that its domain is called, with a .com or with the domain in the postings; the domain in most
    postings; its name in most postings, where it is two words or the domain's. A board that leads
    to unrelated sites, or names the same word under another ending only, belongs to another company.
    """
    if not page.postings:
        return False
    claim = _Claim(page, stated, names, domains)
    if claim.leads_home():
        return True
    if claim.leads_elsewhere() or claim.names_rival():
        return False
    if any(is_same_name(each, names) for each in stated):
        return True
    return claim.states_short_name() if stated else claim.is_named_in_texts()


class _Claim:
    """What a board says of whose it is, for the company of some names and domains."""

    def __init__(
        self,
        page: BoardPage,
        stated: tuple[str, ...],
        names: tuple[str, ...],
        domains: tuple[str, ...],
    ) -> None:
        self._urls = [posting.url for posting in page.postings]
        self._stated, self._names, self._domains = stated, names, domains
        self._labels = {domain.partition(".")[0].replace("-", "") for domain in domains}
        self._keys = {key for name in names if (key := name_key(name))}
        self._texts = [p.description.lower() for p in page.postings if p.description][:_MOST_TEXTS]
        self._naming = sum(any(_names_domain(t, each) for each in domains) for t in self._texts)
        self._is_com = bool(domains) and domains[0].endswith(".com")

    def leads_home(self) -> bool:
        return any(domain_of(url) in self._domains for url in self._urls)

    def leads_elsewhere(self) -> bool:
        words = {key.replace(" ", "") for key in self._keys} | self._labels
        return bool(self._domains) and any(
            domain_of(url) not in {None, *HOSTS} and not _is_related(url, words)
            for url in self._urls
        )

    def names_rival(self) -> bool:
        looked = self._texts if self._domains and not self._naming else ()
        return any(_names_rival(text, self._labels, self._domains) for text in looked)

    def states_short_name(self) -> bool:
        short = any(
            is_same_name(each, self._names, domain=domain)
            for each in self._stated
            for domain in self._domains
        )
        return short and (self._naming > 0 or self._is_com)

    def is_named_in_texts(self) -> bool:
        if self._texts and self._naming * 2 > len(self._texts):
            return True
        distinctive = {key for key in self._keys if " " in key or key in self._labels}
        if self._is_com:
            begun = {key.split()[0] for key in self._keys}
            distinctive |= self._labels & begun
        return any(
            sum(_says(text, key) for text in self._texts) * 5 > len(self._texts) * 3
            for key in distinctive
        )


def _is_related(url: str, words: set[str]) -> bool:
    """Whether an address has the company's name in it, as careers sites of their own have."""
    parts = urlsplit(url.lower())
    place = f"{parts.hostname}{parts.path}".replace("-", "")
    return any(len(word) > 2 and word in place for word in words)


def _names_rival(text: str, labels: set[str], domains: tuple[str, ...]) -> bool:
    """Whether a text names the same label under another ending: the site of a namesake."""
    found = (
        f"{label}.{ending}"
        for label in labels
        for ending in re.findall(rf"(?<![\w.@-]){re.escape(label)}\.([a-z]{{2,6}})(?![\w-])", text)
    )
    return any(domain_of(each) == each and each not in domains for each in found)


def _names_domain(text: str, domain: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(domain)}(?![\w-])", text) is not None


def _says(text: str, key: str) -> bool:
    """Whether a text has the words of a name next to each other."""
    return re.search(rf"\b{re.escape(key)}\b", fold(text)) is not None


def _names_in(body: Body, source: str) -> Iterator[tuple[str, str]]:
    """The names that an answer gives to the publisher of the board, each with where it stands."""
    if source.lstrip()[:1] == "<":
        if "json" not in body.media_type:
            for n, found in enumerate(_XML_NAME.findall(source[:200_000])[:20], start=1):
                yield found.strip(), f"(//company | //subcompany)[{n}]"
        return
    value = read_json(body.content, body.charset).value
    yield from _names_of(value, "")
    listed = {"": value} if isinstance(value, list) else {}
    if isinstance(value, dict):
        listed = {f"/{key}": rows for key, rows in value.items() if isinstance(rows, list)}
        if listed and isinstance(value.get("name"), str):
            yield value["name"].strip(), "/name"
    for pointer, rows in listed.items():
        for n, row in enumerate(rows[:50]):
            yield from _names_of(row, f"{pointer}/{n}")


def _names_of(row: Any, at: str) -> Iterator[tuple[str, str]]:
    if not isinstance(row, dict):
        return
    for key in _NAMING:
        named, pointer = row.get(key), f"{at}/{key}"
        if isinstance(named, dict):
            named, pointer = named.get("name"), f"{pointer}/name"
        if isinstance(named, str) and 1 < len(named.strip()) <= 120:
            yield named.strip(), pointer


def host_and_path(url: str) -> str:
    """The token of a company's own careers page."""
    parts = urlsplit(url)
    return f"{(parts.hostname or '').removeprefix('www.')}{parts.path.rstrip('/')}"
