"""Indexing units: texts, split if long, with their search terms and display data."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import urlsplit
from uuid import UUID

from sightline.domain.signals import SignalFamily
from sightline.domain.websites import domain_of
from sightline.kit.ids import id_within
from sightline.reading.tables import CELL, table_context
from sightline.reading.terms import terms
from sightline.search.duplicates import Fingerprint, fingerprint
from sightline.store.indexable import Content, Mention
from sightline.store.passages import IndexedPassage, SourceKind

LONGEST = 1_200  # characters of a passage
_SHORTEST = 300
_LEAST_PROSE = 60
_LONGEST_CONTEXT = 800
_BREAK = re.compile(r"\n+|(?<=[.!?;])[\"”’)]?\s+(?=[\"“(\w])")
_KINDS: Mapping[str, SourceKind] = {  # of all else "web"
    "filing": "filing", "news": "news", "feed_item": "news", "job": "job", "signal": "insight",
    "statement": "insight", "technology": "technology",
}  # fmt: skip
_FAMILY_OF: Mapping[str, SignalFamily] = {
    "job": SignalFamily.HIRING_TRENDS,
    "technology": SignalFamily.TECHNOLOGY_MENTIONS,
}


def units_of(content: Content, version: str, mentions: Sequence[Mention]) -> list[IndexedPassage]:
    """At least one: a thing without a text has its title."""
    spans = list(cut(content.text)) or [(0, 0)]
    return [_unit(content, version, mentions, *span) for span in spans]


def _unit(
    content: Content, version: str, mentions: Sequence[Mention], start: int, end: int
) -> IndexedPassage:
    text = content.text[start:end]
    at = None if content.start_at is None else content.start_at + start
    heading = content.heading or ""
    context = _context(content, text, start)
    own = terms(text)
    signal_id, family = _signal(content, at, len(text), mentions)
    # A technology is a fact that quotes a page; it does not stand for the page.
    words, figures = Fingerprint() if content.kind == "technology" else fingerprint(own)
    place = f"{content.key.origin} {at if at is not None else start}"
    digest = blake2b(text.encode(), digest_size=16).hexdigest()
    return IndexedPassage(
        passage_id=id_within(content.key.origin_id, f"{place} {digest}"),
        key=content.key,
        version=version,
        kind=source_kind(content),
        family=family,
        signal_id=signal_id,
        document_id=content.document_id,
        start=at,
        end=None if at is None else at + len(text),
        published_at=content.published_at,
        publisher=publisher_of(content.url),
        publishers=min(255, content.publishers),
        words=len(own),
        simhash=words,
        figures=figures,
        url=content.url,
        title=content.title,
        heading=heading,
        context=context,
        body=text,
        prose=_is_prose(text) or content.key.origin != "passage",
        terms=frozenset([*own, *terms(f"{content.title}\n{heading}\n{context}")]),
    )


def _is_prose(text: str) -> bool:
    """Whether less than half of a text that is no mere line is rows of a table."""
    rows = sum(len(line) for line in text.split("\n") if CELL in line)
    return len(text) >= _LEAST_PROSE and rows <= 0.5 * len(text)


def _context(content: Content, text: str, start: int) -> str:
    """What the text does not say itself, as lines: its heading, the head of its table, of a posting its
    title and place, of a signal its title and summary."""
    if content.key.origin == "passage":
        before = (content.before + content.text[:start])[-6_000:]
        heading = content.heading or ""
        lines = [heading if heading not in text else "", table_context(before, text)]
    else:
        department = (content.section or "").replace("_", " ") if content.kind == "job" else ""
        named = " · ".join(filter(None, (content.title, department, content.place)))
        lines = [named, content.summary or ""]
    return "\n".join(filter(None, lines))[:_LONGEST_CONTEXT]


def source_kind(content: Content) -> SourceKind:
    """A dated page of a site's news is news; its other pages say what is so."""
    if content.kind == "page" and content.section == "news" and content.published_at:
        return "news"
    return _KINDS.get(content.kind, "web")


@lru_cache(maxsize=4096)
def publisher_of(url: str | None) -> str:
    """Whose word it is: the registered domain of an address, else its host; "" without either."""
    return domain_of(url) or (urlsplit(url).hostname or "" if url else "")


def cut(text: str, longest: int = LONGEST) -> Iterator[tuple[int, int]]:
    """Spans of at most `longest` characters without white space around them, ending with a line or a
    sentence where one ends there."""
    start, size = 0, len(text)
    while start < size:
        if text[start].isspace():
            start += 1
            continue
        end = min(size, start + longest)
        if end < size:
            window = text[start:end]
            breaks = [found.start() for found in _BREAK.finditer(window)]
            space = max(window.rfind(" "), window.rfind("\n"))
            if breaks and breaks[-1] >= _SHORTEST:
                end = start + breaks[-1]
            elif space > 0:
                end = start + space
        stop = start + len(text[start:end].rstrip())
        yield start, stop
        start = end


def _signal(
    content: Content, at: int | None, length: int, mentions: Sequence[Mention]
) -> tuple[UUID | None, str | None]:
    """The signal that a text is or reports, of several the first, and its family."""
    if content.key.origin == "signal":
        return content.key.origin_id, content.family
    if content.key.origin in _FAMILY_OF:
        return None, _FAMILY_OF[content.key.origin]
    for mention in mentions:
        if at is not None and mention.start < at + length and mention.end > at:
            return mention.signal_id, mention.family
    return None, None
