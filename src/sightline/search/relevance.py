"""Relevance: what of everything known about a company matters, for a request in words or without one.

Arrays are worked on in one thread of their own, so that the event loop goes on answering; the same
thread alone uses the analyser.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from sightline.search.analysis import Analyser
from sightline.search.candidates import Columns, Setting, SourceKind
from sightline.search.cues import CUES, asked_families
from sightline.search.postings import Floats, Ints, Postings
from sightline.search.query import read_query
from sightline.search.ranking import MAX_HITS_PER_SOURCE, Hit, rank
from sightline.search.retrieve import Found, NeedContents, NeedPostings, Searcher, Steps
from sightline.search.segments import (
    Segment,
    block_of,
    join_lengths,
    read_segments,
    unpack_lengths,
)
from sightline.search.shortlist import by_cues, per_kind
from sightline.search.snippets import best_span
from sightline.store import passages
from sightline.store.database import Connection
from sightline.store.passages import Place, StoredSegment

# Of the best match's score; below it, or with none of the words asked for, a passage is no hit.
WEAKEST = 0.15
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked. Without `text` the material changes are; `kinds` None asks for all of them."""

    now: datetime
    text: str | None = None
    max_hits_per_source: int = MAX_HITS_PER_SOURCE
    since: datetime | None = None
    until: datetime | None = None
    kinds: Sequence[SourceKind] | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A hit with where its passage is, and where those are that it stands for."""

    hit: Hit
    place: Place
    duplicates: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Quoted:
    """The words of a hit: its passage whole, and the span that says most of what was asked."""

    title: str
    text: str
    start: int
    end: int


class _Company:
    """What is held of a company's index during one request."""

    def __init__(self, stored: Sequence[StoredSegment]) -> None:
        self.stored = stored
        self.firsts = np.cumsum([0, *(s.documents for s in stored)])
        self.columns = Columns.join([Columns.unpack(s.columns) for s in stored])
        self.blocks: dict[tuple[int, int], bytes] = {}

    def allowed(self, request: Request) -> NDArray[np.bool_]:
        gone = [
            np.frombuffer(s.deleted, "<u4").astype(np.int64) + first
            for s, first in zip(self.stored, self.firsts.tolist(), strict=False)
        ]
        return self.columns.allowed(
            since=request.since,
            until=request.until,
            kinds=request.kinds,
            deleted=np.concatenate([np.zeros(0, np.int64), *gone]),
        )

    def missing(self, terms: Iterable[str]) -> list[tuple[int, int]]:
        """The blocks of the terms that are not read yet."""
        wanted = {(s.segment, block_of(term, s.block_count)) for term in terms for s in self.stored}
        return sorted(wanted - self.blocks.keys())

    def postings(self, terms: Sequence[str]) -> dict[str, Postings]:
        parts = []
        for s in self.stored:
            own = {
                number: data
                for (segment, number), data in self.blocks.items()
                if segment == s.segment and data
            }
            parts.append(Segment(s.documents, s.block_count, own, s.lengths))
        return read_segments(parts, terms)

    def places(self, documents: Ints) -> list[Place]:
        at = np.searchsorted(self.firsts, documents, side="right") - 1
        ordinals = (documents - self.firsts[at]).tolist()
        segments = [self.stored[n].segment for n in at.tolist()]
        return list(zip(segments, ordinals, strict=True))

    def ranked(
        self, documents: Ints, scores: Floats, setting: Setting, request: Request
    ) -> list[Placed]:
        hits = rank(
            self.columns.candidates(documents, scores),
            setting,
            max_hits_per_source=request.max_hits_per_source,
        )
        places = dict(zip(documents.tolist(), self.places(documents), strict=True))
        return [
            Placed(
                hit,
                places[int(hit.candidate.id)],
                tuple(places[int(one)] for one in hit.duplicates),
            )
            for hit in hits
        ]


@dataclass
class _Search:
    """A search under way: what it needs next, or what it found and how that is ranked."""

    company: _Company
    request: Request
    steps: Steps
    need: NeedPostings | NeedContents | Found
    ranked: list[Placed] = field(default_factory=list)


class Relevance:
    """Searches stored indexes. One is enough for a process."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="relevance")
        self._analyser = Analyser()

    async def search(
        self, connection: Connection, company_id: UUID, request: Request
    ) -> list[Placed]:
        """All hits within the caps, best first; none where nothing is indexed or nothing matches."""
        stored = await passages.read_segments(connection, company_id)
        if not stored:
            return []
        if request.text is None:
            return await self._run(self._by_cues, stored, request)
        state = await self._run(self._begin, stored, request)
        while not isinstance(state.need, Found):
            if isinstance(state.need, NeedPostings):
                missing = state.company.missing(state.need.terms)
                read = await passages.read_blocks(connection, company_id, missing)
                state.company.blocks |= dict.fromkeys(missing, b"") | read
                await self._run(self._go_on, state, None)
            else:
                places = state.company.places(state.need.documents)
                texts = await passages.read_texts(connection, company_id, places)
                await self._run(self._go_on, state, [texts[place] for place in places])
        return state.ranked

    async def quote(
        self, connection: Connection, company_id: UUID, places: Sequence[Place], text: str | None
    ) -> dict[Place, Quoted]:
        """The words of hits. Without a text, the span with the strongest cues."""
        texts = await passages.read_texts(connection, company_id, places)
        return await self._run(self._quoted, texts, text)

    async def _run(self, function: Callable[..., _T], *arguments: Any) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    def _by_cues(self, stored: Sequence[StoredSegment], request: Request) -> list[Placed]:
        company = _Company(stored)
        limit = per_kind(request.max_hits_per_source)
        best = by_cues(company.columns, company.allowed(request), now=request.now, limit=limit)
        return company.ranked(best, company.columns.cues()[best], Setting(request.now), request)

    def _begin(self, stored: Sequence[StoredSegment], request: Request) -> "_Search":
        company = _Company(stored)
        lengths = join_lengths([unpack_lengths(s.lengths) for s in stored])
        steps = Searcher(lengths, self._analyser, synonyms=True).steps(
            request.text or "",
            limit=per_kind(request.max_hits_per_source),
            allowed=company.allowed(request),
            kinds=company.columns.kinds(),
        )
        return _Search(company, request, steps, next(steps))

    def _go_on(self, state: "_Search", texts: Sequence[tuple[str, str]] | None) -> None:
        """Answer what the search needs, from blocks read or from these texts; rank once it is done."""
        answer: Any
        if texts is not None:
            answer = [self._analyser.counts(title, text) for title, text in texts]
        else:
            answer = state.company.postings(getattr(state.need, "terms", ()))
        try:
            state.need = state.steps.send(answer)
        except StopIteration as end:
            state.need = found = end.value
            request = state.request
            enough = WEAKEST * found.scores.max(initial=0)
            kept = (found.parts["words"] > 0) & (found.scores >= enough)
            setting = Setting(request.now, asked_families(request.text or "", self._analyser))
            state.ranked = state.company.ranked(
                found.documents[kept], found.scores[kept], setting, request
            )

    def _quoted(
        self, texts: Mapping[Place, tuple[str, str]], asked: str | None
    ) -> dict[Place, Quoted]:
        terms = self._terms(asked)
        quoted = {}
        for place, (title, text) in texts.items():
            span = best_span(text, terms, self._analyser)
            quoted[place] = Quoted(title, text, span.start, span.end)
        return quoted

    def _terms(self, asked: str | None) -> Mapping[str, float]:
        if asked is not None:
            return read_query(asked, self._analyser, synonyms=True).terms
        return _cue_terms(self._analyser)


@cache
def relevance() -> Relevance:
    """The one of this process."""
    return Relevance()


@cache
def _cue_terms(analyser: Analyser) -> dict[str, float]:
    """The words of the cues, each with the weight of the surest cue it is part of."""
    terms: dict[str, float] = {}
    for by_weight in CUES.values():
        for weight, phrases in by_weight.items():
            for phrase in phrases.split(";"):
                words = [t.term for t in analyser.tokens(phrase) if not (t.function or t.extra)]
                for term in words:
                    terms[term] = max(terms.get(term, 0.0), weight / len(words))
    return terms
