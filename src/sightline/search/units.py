"""What is indexed as one document: a text, cut where it is long, and all that ranking knows of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit
from uuid import UUID

from sightline.domain.signals import SignalFamily
from sightline.domain.titles import read_title
from sightline.domain.websites import domain_of
from sightline.search.analysis import Analyser
from sightline.search.candidates import Candidate, SourceKind
from sightline.search.duplicates import fingerprint
from sightline.search.substance import substance
from sightline.store.indexable import Content, Telling
from sightline.store.passages import Entry

LONGEST = 1_200  # characters of a passage
LONGEST_JOB = 6_000  # one posting is one hit; what follows is about the employer
_SHORTEST = 300
SURE = 0.35  # strength from which the best sentence of a passage says its family
# How much of a change an open role tells of: who is sought to lead says where a company goes.
ROLE_OF: Mapping[str, float] = {
    "owner": 0.3, "c_suite": 0.45, "vp": 0.45, "head": 0.4, "director": 0.4, "lead": 0.22,
    "manager": 0.25, "senior": 0.18, "intern": 0.1, "entry": 0.1,
}  # fmt: skip
ROLE = 0.12
TECHNOLOGY = 0.25
_LEADING = ("owner", "c_suite", "vp", "head", "director", "manager", "lead")
_WORD = re.compile(r"\w+")
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
                _indexed_title(content),
                text,
                _candidate(content, kind, text, story, analyser),
                Entry(content.key, version, _proof(content, at), at),
            )
        )
        if content.key.origin != "passage":
            break
    return units


def _indexed_title(content: Content) -> str:
    """Of a posting with the other words that it is sought by."""
    if content.kind != "job":
        return content.title
    seniority = read_title(content.title).seniority or ""
    words = [
        content.title, (content.section or "").replace("_", " "),
        "leadership" if seniority in _LEADING else "", content.place or "",
    ]  # fmt: skip
    return " · ".join(word for word in words if word)


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
    told = _told(content, kind, text, story, analyser)
    return Candidate(
        id="",
        source_kind=kind,
        source=publisher_of(content.url),
        text_score=0.0,
        family=told.family,
        published_at=content.published_at,
        fingerprint=fingerprint(text, analyser),
        cue=told.cue,
        story=told.story,
        told=content.told,
        within=_within(content),
        best_at=told.best_at,
    )


def _within(content: Content) -> str:
    """The passage where the words of a statement stand, and, of a passage, itself; "" of all else. One
    that is cut into several units has no name: which of them has the words is not known."""
    key = content.key if content.key.origin == "passage" else content.within
    whole = content.key.origin != "passage" or len(content.text) <= LONGEST
    return f"{key.origin_id} {key.origin_at}" if key and whole else ""


@dataclass(frozen=True, slots=True)
class _Told:
    """The family of what is told, if it is sure; how surely it is told; what tells it from others; and where
    its sentence begins."""

    family: SignalFamily | None
    cue: float
    story: str
    best_at: int = 0


def _told(
    content: Content, kind: SourceKind, text: str, story: _Story | None, analyser: Analyser
) -> _Told:
    if kind == "job":
        title = read_title(content.title)
        cue = ROLE_OF.get(title.seniority or "", ROLE)
        return _Told(SignalFamily.HIRING_TRENDS, cue, f"{title.normalized_title}".casefold())
    if kind == "technology":
        return _Told(SignalFamily.TECHNOLOGY_MENTIONS, TECHNOLOGY, "")
    found = substance(
        content.title, text, analyser, kind=content.kind, section=content.section,
        published=content.published_at,
    )  # fmt: skip
    best_at = found.span.start
    if story is not None:
        cue = max(found.strength, content.confidence)
        return _Told(SignalFamily(story.family), cue, str(story.signal_id), best_at)
    if found.strength < SURE:
        return _Told(None, found.strength, "", best_at)
    sentence = text[best_at : found.span.end]
    return _Told(found.family, found.strength, _sentence_key(sentence), best_at)


def _sentence_key(sentence: str) -> str:
    """The same for a sentence that is said again, whatever its signs and spaces."""
    return " ".join(_WORD.findall(sentence.casefold()))
