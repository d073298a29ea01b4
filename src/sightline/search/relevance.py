"""Relevance: what of everything known about a company matters, for a request in words or without one."""

import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from importlib import resources
from typing import Final, cast
from uuid import UUID

import numpy as np

from sightline.domain.signals import SignalFamily
from sightline.domain.titles import read_title
from sightline.reading.periods import is_over
from sightline.search.duplicates import Fingerprint
from sightline.search.evidence import Floats, SourceKind
from sightline.search.rankers import Candidate, Setting
from sightline.search.ranking import MAX_HITS_PER_SOURCE, Hit, rank
from sightline.search.retrieve import Candidate as Match
from sightline.search.retrieve import Retrieved, Retriever, retriever
from sightline.search.snippets import best_span
from sightline.store import passages, signals
from sightline.store.database import Connection
from sightline.store.passages import Place, Reach, StoredPassage

# Of the best match's score; below it a passage is no hit.
WEAKEST: Final = 0.25
# The cosine from which a passage without any rarer word of the request is a hit.
CLOSE: Final = 0.5
# Of the terms of a request, by weight: a hit that is not close has so many.
COVERED: Final = 0.2
# What the default request gives those that are no pieces of documents, beside the passage that is most like
# the description of a change: signals are proven to be changes.
SIGNAL: Final = 1.0
STATEMENT: Final = 0.5
TECHNOLOGY: Final = 0.2
PASSAGE: Final = 0.8
_OF_EACH: Final = 200
# Who is sought to lead says where a company goes.
ROLE_OF: Final[Mapping[str, float]] = {
    "owner": 0.3, "c_suite": 0.45, "vp": 0.45, "head": 0.4, "director": 0.4, "lead": 0.22,
    "manager": 0.25, "senior": 0.18, "intern": 0.1, "entry": 0.1,
}  # fmt: skip
ROLE: Final = 0.12


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked. Without `text` the material changes are; `kinds` and `families` None ask for all."""

    now: datetime
    text: str | None = None
    max_hits_per_source: int = MAX_HITS_PER_SOURCE
    since: datetime | None = None
    until: datetime | None = None
    kinds: Sequence[SourceKind] | None = None
    families: Sequence[str] | None = None

    @property
    def reach(self) -> Reach:
        return Reach(self.kinds, self.families, self.since, self.until)


@dataclass(frozen=True, slots=True)
class Placed:
    """A hit with its passage, the words of it to show, and the places of those it stands for."""

    hit: Hit
    passage: StoredPassage
    quote: str
    duplicates: tuple[Place, ...]

    @property
    def place(self) -> Place:
        return self.passage.place


async def relevance(
    connection: Connection,
    company_id: UUID,
    request: Request,
    *,
    engine: Retriever | None = None,
) -> list[Placed]:
    """All hits within the caps, best first; none where nothing is indexed or nothing matches."""
    engine = engine or retriever()
    if request.text is None:
        found = await engine.retrieve(connection, company_id, [changes()], request.reach)
        past = await _past(connection, company_id, request)
        scored = _changed(found.candidates, past)
        own = await passages.passages_of_origins(
            connection,
            company_id,
            request.reach,
            origins=("signal", "statement", "job", "technology"),
            limit=_OF_EACH,
        )
        today = request.now.date()
        current = (each for each in own if each.signal_id not in past)
        scored += [(each, _worth(each)) for each in current if not _is_history(each, today)]
        return ranked(scored, found, Setting(request.now), request)
    found = await engine.retrieve(connection, company_id, [request.text], request.reach)
    setting = Setting(request.now, await asked_families(engine, request.text))
    return ranked(matching(found), found, setting, request)


def matching(found: Retrieved) -> list[tuple[StoredPassage, float]]:
    """Candidates that are hits: those with some of the weight of the words of the request that occur at all,
    or near it by their vectors, that are not far behind the best."""
    occurring = frozenset[str]().union(*(match.matched for match in found.candidates))
    whole = sum(found.weights[term] for term in occurring)
    hits = [
        (match.passage, match.score)
        for match in found.candidates
        if match.cosine >= CLOSE
        or (whole and sum(found.weights[term] for term in match.matched) >= COVERED * whole)
    ]
    best = max((score for _, score in hits), default=0.0)
    return [(passage, score) for passage, score in hits if score >= WEAKEST * best]


async def _past(connection: Connection, company_id: UUID, request: Request) -> frozenset[UUID]:
    """Signals that have expired; none where a time is asked for."""
    if request.since is not None or request.until is not None:
        return frozenset()
    return await signals.expired_signals(connection, company_id, at=request.now)


def _changed(matches: Iterable[Match], past: frozenset[UUID]) -> list[tuple[StoredPassage, float]]:
    """Pieces of documents by their likeness to the description of changes; mentions of signals that are
    not `past` are changes."""
    pieces = [match for match in matches if match.passage.origin == "passage"]
    best = max((match.score for match in pieces), default=0.0)
    return [
        (
            match.passage,
            SIGNAL if _is_current(match.passage, past) else PASSAGE * match.score / best,
        )
        for match in pieces
        if match.score >= WEAKEST * best
    ]


def _is_history(passage: StoredPassage, today: date) -> bool:
    """Whether a statement of the profile speaks of a time that is over: it is still found when asked for."""
    return passage.origin == "statement" and is_over(passage.body, today)


def _is_current(passage: StoredPassage, past: frozenset[UUID]) -> bool:
    return passage.signal_id is not None and passage.signal_id not in past


def _worth(passage: StoredPassage) -> float:
    if passage.origin == "job":
        return ROLE_OF.get(read_title(passage.title).seniority or "", ROLE)
    return {"signal": SIGNAL, "statement": STATEMENT}.get(passage.origin, TECHNOLOGY)


def ranked(
    scored: Sequence[tuple[StoredPassage, float]],
    found: Retrieved,
    setting: Setting,
    request: Request,
) -> list[Placed]:
    """Hits of one company with the words to show of each."""
    by_id = {str(passage.number): passage for passage, _ in scored}
    within = _within(by_id.values())
    hits = rank(
        [_candidate(by_id[str(p.number)], score, within) for p, score in scored],
        setting,
        max_hits_per_source=request.max_hits_per_source,
    )
    return [
        Placed(
            hit,
            by_id[hit.candidate.id],
            quoted(by_id[hit.candidate.id], found.weights),
            tuple(by_id[one].place for one in hit.duplicates),
        )
        for hit in hits
    ]


def quoted(passage: StoredPassage, weights: Mapping[str, float]) -> str:
    """The sentences of a passage that have most of what was asked; of an insight all."""
    if passage.kind == "insight":
        return passage.body
    span = best_span(passage.body, weights)
    return passage.body[span.start : span.end]


def _candidate(passage: StoredPassage, score: float, within: Mapping[int, str]) -> Candidate:
    story = str(passage.signal_id) if passage.signal_id else ""
    if passage.origin == "job":
        story = f"role {read_title(passage.title).normalized_title}".casefold()
    words = passage.simhash & (2**64 - 1)
    return Candidate(
        id=str(passage.number),
        source_kind=cast(SourceKind, passage.kind),
        source=passage.publisher,
        text_score=score,
        family=SignalFamily(passage.family) if passage.family else None,
        published_at=passage.published_at,
        fingerprint=Fingerprint(words, passage.figures & (2**32 - 1)) if words else None,
        story=story,
        told=passage.told,
        within=within.get(passage.number, ""),
    )


def _within(every: Iterable[StoredPassage]) -> dict[int, str]:
    """By number, the passage of a document that an insight is quoted from; of that passage itself."""
    spans: dict[UUID, list[tuple[int, int, int]]] = {}
    insights = []
    for each in every:
        if each.document_id is None or each.start is None or each.end is None:
            continue
        if each.origin == "passage":
            spans.setdefault(each.document_id, []).append((each.start, each.end, each.number))
        else:
            insights.append((each.number, each.document_id, each.start, each.end))
    found: dict[int, str] = {}
    for own in spans.values():
        own.sort()
        found |= {number: str(number) for _, _, number in own}
    for number, document_id, start, end in insights:
        own = spans.get(document_id, [])
        at = bisect_right(own, start, key=lambda span: span[0]) - 1
        if at >= 0 and end <= own[at][1]:
            found[number] = str(own[at][2])
    return found


@cache
def _descriptions() -> tuple[str, Mapping[SignalFamily, str]]:
    file = resources.files("sightline.search").joinpath("data", "descriptions.toml")
    read = tomllib.loads(file.read_text("utf-8"))
    return " ".join(read["changes"].split()), {
        SignalFamily(name): text for name, text in read["families"].items()
    }


def changes() -> str:
    """What a material change is, in words."""
    return _descriptions()[0]


_known: dict[str, list[Floats]] = {}  # encoder -> vectors of the families


async def asked_families(engine: Retriever, text: str) -> dict[SignalFamily, float]:
    """How near a request is to what each family is about; nothing without an encoder."""
    (vector,) = await engine.encode([text])
    if vector is None or engine.encoder is None:
        return {}
    described = _descriptions()[1]
    if engine.encoder.name not in _known:
        encoded = await engine.encode(list(described.values()))
        own = [each for each in encoded if each is not None]
        if len(own) != len(described):
            return {}
        _known[engine.encoder.name] = own
    return {
        family: max(0.0, float(np.dot(own, vector)))
        for family, own in zip(described, _known[engine.encoder.name], strict=True)
    }
