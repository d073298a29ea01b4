"""What is indexed as one document: a text, cut where it is long, and all that ranking knows of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit
from uuid import UUID

from sightline.domain.signals import SignalFamily
from sightline.domain.websites import domain_of
from sightline.search.analysis import Analyser
from sightline.search.candidates import Candidate, SourceKind
from sightline.search.cues import read_cues
from sightline.search.duplicates import fingerprint
from sightline.search.substance import CAREER, is_career, substance
from sightline.store.indexable import Content, Telling
from sightline.store.passages import Entry

LONGEST = 1_200  # characters of a passage
LONGEST_JOB = 6_000  # one posting is one hit; what follows is about the employer
_SHORTEST = 300
_BREAK = re.compile(r"\n+|(?<=[.!?;])[\"”’)]?\s+(?=[\"“(\w])")
_KINDS: Mapping[str, SourceKind] = {
    "filing": "filing",
    "news": "news",
    "feed_item": "news",
    "page": "web",
    "data": "web",
    "job": "job",
    "signal": "insight",
    "statement": "insight",
    "technology": "technology",
}


@dataclass(frozen=True, slots=True)
class Unit:
    """One document of a segment."""

    title: str
    text: str
    candidate: Candidate
    entry: Entry


def units_of(
    content: Content, version: str, tellings: Sequence[Telling], analyser: Analyser
) -> list[Unit]:
    """At least one: a thing without a text has its title."""
    kind = source_kind(content)
    longest = LONGEST if content.key.origin == "passage" else LONGEST_JOB
    units = []
    for start, end in list(cut(content.text, longest)) or [(0, 0)]:
        text = content.text[start:end]
        if content.key.origin != "passage":
            start, text = 0, content.text[:end]
        at = None if content.start_at is None else content.start_at + start
        story = _story(content, at, len(text), tellings)
        units.append(
            Unit(
                content.title,
                text,
                _candidate(content, kind, text, story, analyser),
                Entry(content.key, version, _proof(content, at), at),
            )
        )
        if content.key.origin != "passage":
            break
    return units


def _proof(content: Content, at: int | None) -> UUID | None:
    """The document where the text stands; of a statement without saying where in it."""
    stands = at is not None or content.key.origin == "statement"
    return content.document_id if stands else None


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


@dataclass(frozen=True, slots=True)
class _Story:
    signal_id: UUID
    family: str


def _story(
    content: Content, at: int | None, length: int, tellings: Sequence[Telling]
) -> _Story | None:
    """The signal that a text is or tells of; of several, the one told first."""
    if content.key.origin == "signal" and content.family:
        return _Story(content.key.origin_id, content.family)
    for telling in tellings:
        if at is None:
            break
        if telling.start < at + length and telling.end > at:
            return _Story(telling.signal_id, telling.family)
    return None


def _candidate(
    content: Content, kind: SourceKind, text: str, story: _Story | None, analyser: Analyser
) -> Candidate:
    reading = read_cues(f"{content.title}\n{text}", analyser)
    family, cue = reading.family, reading.strength
    if kind == "job":
        family = SignalFamily.HIRING_TRENDS
    elif kind == "technology":
        family = SignalFamily.TECHNOLOGY_MENTIONS
    elif story is not None:
        family = SignalFamily(story.family)
    if kind == "insight":
        cue = max(cue, content.confidence)
        if content.key.origin == "statement" and is_career(text):
            cue *= CAREER
    elif story is None and kind == "filing":
        cue *= substance(
            content.title, text, section=content.section, published=content.published_at
        )
    return Candidate(
        id="",
        source_kind=kind,
        source=publisher_of(content.url),
        text_score=0.0,
        family=family,
        published_at=content.published_at,
        fingerprint=fingerprint(text, analyser),
        cue=cue,
        story=str(story.signal_id) if story else "",
        told=content.told,
    )
