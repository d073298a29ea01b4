"""Relevance: what of everything known about a company matters, for a request in words or without one.

Arrays are worked on in one thread of their own, so that the event loop goes on answering; the same
thread alone uses the analyser.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property
from typing import Any, TypeVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from sightline.llm.embeddings import Embedder, EmbeddingFailed
from sightline.search.analysis import Analyser
from sightline.search.candidates import SOURCE_KINDS, Columns, Setting, SourceKind
from sightline.search.cues import asked_families
from sightline.search.meaning import NAME
from sightline.search.postings import Floats, Ints, Postings
from sightline.search.query import read_query
from sightline.search.ranking import MAX_HITS_PER_SOURCE, Hit, rank
from sightline.search.retrieve import (
    Found,
    Need,
    NeedContents,
    NeedPostings,
    NeedSense,
    Searcher,
    Steps,
    near,
)
from sightline.search.segments import (
    Segment,
    block_of,
    join_lengths,
    read_segments,
    unpack_lengths,
)
from sightline.search.shortlist import by_cues, per_kind
from sightline.search.snippets import best_span
from sightline.search.telling import telling_span
from sightline.search.vectors import likeness
from sightline.search.wish import Wish, read_wish
from sightline.store import passage_vectors, passages
from sightline.store.database import Connection
from sightline.store.indexable import read_gone
from sightline.store.passages import Place, StoredSegment

# Of the best match's score; below it, or with none of the words asked for, a passage is no hit,
WEAKEST = 0.15
# unless it is among the most alike in meaning and, by vectors of words, as near as this cosine.
CLOSE = 0.5
# Of the score of a kind of things that is not sought where another is, and there are some.
OTHER_KIND = 0.4
# Of the score of what matches only one of the alternatives of a request.
PART = 0.8
# Of the score of what tells of nothing: risks, policies, rows and forms say the words of any request;
UNTOLD = 0.6
# and the strength of cues from which something is surely told.
TOLD = 0.3
LONGEST_EMBEDDING_SECONDS = 2.0
_FACTS = [SOURCE_KINDS.index(kind) for kind in ("job", "technology")]
_CHANGING = [SOURCE_KINDS.index(kind) for kind in ("insight", "job", "technology")]
log = logging.getLogger(__name__)
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

    @property
    def best_at(self) -> int:
        """Where in its text the sentence begins that tells most."""
        return self.hit.candidate.best_at


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
        self.blocks: dict[tuple[int, int], bytes] = {}

    @cached_property
    def columns(self) -> Columns:
        return Columns.join([Columns.unpack(s.columns, s.documents) for s in self.stored])

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

    def changing(self, documents: Ints) -> list[Place]:
        """Places of those that can be gone before the index knows: all but passages of documents."""
        kinds = self.columns.kinds()[documents]
        return self.places(documents[np.isin(kinds, _CHANGING)])

    def places(self, documents: Ints) -> list[Place]:
        at = np.searchsorted(self.firsts, documents, side="right") - 1
        ordinals = (documents - self.firsts[at]).tolist()
        segments = [self.stored[n].segment for n in at.tolist()]
        return list(zip(segments, ordinals, strict=True))

    def weighed(self, documents: Ints, scores: Floats) -> "_Retrieved":
        """With those counting less that tell of nothing."""
        told = np.minimum(1.0, self.columns.cues()[documents] / TOLD)
        told[np.isin(self.columns.kinds()[documents], _FACTS)] = 1.0
        worth = UNTOLD + (1.0 - UNTOLD) * told
        return _Retrieved(documents, (worth * scores).astype(np.float32))

    def preferring(self, found: "_Retrieved", kind: SourceKind | None) -> "_Retrieved":
        """With those of another kind counting less, where there are any of this one."""
        if kind is None:
            return found
        own = self.columns.kinds()[found.documents] == SOURCE_KINDS.index(kind)
        if not own.any():
            return found
        scores = np.where(own, found.scores, OTHER_KIND * found.scores)
        return _Retrieved(found.documents, scores.astype(np.float32))

    def ranked(
        self, found: "_Retrieved", gone: Collection[Place], setting: Setting, request: Request
    ) -> list[Placed]:
        places = dict(zip(found.documents.tolist(), self.places(found.documents), strict=True))
        kept = np.array([places[n] not in gone for n in found.documents.tolist()], bool)
        hits = rank(
            self.columns.candidates(found.documents[kept], found.scores[kept]),
            setting,
            max_hits_per_source=request.max_hits_per_source,
        )
        return [
            Placed(
                hit,
                places[int(hit.candidate.id)],
                tuple(places[int(one)] for one in hit.duplicates),
            )
            for hit in hits
        ]


@dataclass(frozen=True, slots=True)
class _Retrieved:
    """What retrieval chose to be ranked, and how well it matches."""

    documents: Ints
    scores: Floats


@dataclass
class _Search:
    """A search under way, and what it needs next."""

    company: _Company
    steps: Steps
    need: Need | Found


class Relevance:
    """Searches stored indexes. One is enough for a process."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        """With an `embedder`, passages that it has read are also found by meaning."""
        self.embedder = embedder
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="relevance")
        self._analyser = Analyser()

    async def search(
        self, connection: Connection, company_id: UUID, request: Request
    ) -> list[Placed]:
        """All hits within the caps, best first; none where nothing is indexed or nothing matches."""
        stored = await passages.read_segments(connection, company_id)
        if not stored:
            return []
        company = _Company(stored)
        wish = await self._run(self._wish, company, request)
        if wish is not None and wish.kind is not None and not wish.text:
            request = replace(request, text=None, kinds=[wish.kind])
        if request.text is None or wish is None:
            found = await self._run(self._by_cues, company, request)
        else:
            each = [
                await self._by_text(connection, company_id, company, replace(request, text=text))
                for text in wish.texts
            ]
            found = company.preferring(_best_of(each), wish.kind)
        gone = await read_gone(connection, company_id, company.changing(found.documents))
        return await self._run(self._ranked, company, found, gone, request)

    async def _by_text(
        self, connection: Connection, company_id: UUID, company: _Company, request: Request
    ) -> _Retrieved:
        meaning = await self._meaning(connection, company_id, company, request.text or "")
        cosines: Floats | None = None
        state = await self._run(self._begin, company, request, meaning)
        while not isinstance(state.need, Found):
            if isinstance(state.need, NeedPostings):
                missing = company.missing(state.need.terms)
                read = await passages.read_blocks(connection, company_id, missing)
                company.blocks |= dict.fromkeys(missing, b"") | read
                await self._run(self._go_on, state, None)
            elif isinstance(state.need, NeedSense):
                cosines = await self._cosines(
                    connection, company_id, company, NAME, state.need.vector
                )
                await self._run(self._go_on, state, cosines)
            else:
                places = company.places(state.need.documents)
                texts = await passages.read_texts(connection, company_id, places)
                await self._run(self._go_on, state, [texts[place] for place in places])
        found = state.need
        matching = found.parts["words"] > 0
        if meaning is not None:
            matching |= near(found.parts["meaning"])
        if cosines is not None:
            matching |= near(found.parts["sense"]) & (cosines[found.documents] >= CLOSE)
        matching &= found.scores >= WEAKEST * found.scores.max(initial=0)
        return company.weighed(found.documents[matching], found.scores[matching])

    async def _meaning(
        self, connection: Connection, company_id: UUID, company: _Company, text: str
    ) -> Floats | None:
        """Likeness of every passage by the embedding model; None without one, or while it is away."""
        if self.embedder is None:
            return None
        try:
            asked = self.embedder.embed([text], query=True)
            vectors = await asyncio.wait_for(asked, LONGEST_EMBEDDING_SECONDS)
        except (EmbeddingFailed, TimeoutError) as error:
            log.warning("searching by words alone: %s", error or "the embedding model is slow")
            return None
        return await self._cosines(connection, company_id, company, self.embedder.name, vectors[0])

    async def _cosines(
        self, connection: Connection, company_id: UUID, company: _Company, name: str, vector: Floats
    ) -> Floats | None:
        """Of every passage, by its vector of this name; None where there is none."""
        chunks = await passage_vectors.read_vectors(connection, company_id, name)
        documents = {stored.segment: stored.documents for stored in company.stored}
        return await self._run(likeness, vector, chunks, documents) if chunks else None

    async def quote(
        self,
        connection: Connection,
        company_id: UUID,
        places: Mapping[Place, int],
        text: str | None,
    ) -> dict[Place, Quoted]:
        """The words of hits; without a text those from where the best sentence begins, given by place."""
        texts = await passages.read_texts(connection, company_id, list(places))
        return await self._run(self._quoted, texts, places, text)

    async def _run(self, function: Callable[..., _T], *arguments: Any) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    def _wish(self, company: _Company, request: Request) -> Wish | None:
        """What the words of a request are after; no text where they say no more than a kind."""
        if request.text is None:
            return None
        kinds = np.unique(company.columns.kinds()[company.allowed(request)]).tolist()
        wish = read_wish(request.text, {SOURCE_KINDS[place] for place in kinds})
        return wish if self._analyser.plain(wish.text) or wish.kind is None else Wish("", wish.kind)

    def _by_cues(self, company: _Company, request: Request) -> _Retrieved:
        limit = per_kind(request.max_hits_per_source)
        allowed = company.allowed(request)
        return _Retrieved(*by_cues(company.columns, allowed, now=request.now, limit=limit))

    def _begin(self, company: _Company, request: Request, meaning: Floats | None) -> _Search:
        lengths = join_lengths([unpack_lengths(s.lengths) for s in company.stored])
        steps = Searcher(lengths, self._analyser, business=True).steps(
            request.text or "",
            limit=per_kind(request.max_hits_per_source),
            allowed=company.allowed(request),
            kinds=company.columns.kinds(),
            meaning=meaning,
        )
        return _Search(company, steps, next(steps))

    def _go_on(self, state: _Search, brought: Sequence[tuple[str, str]] | Floats | None) -> None:
        """Answer what the search needs: from blocks read, or from the texts or cosines brought."""
        answer: Any = brought
        if isinstance(state.need, NeedPostings):
            answer = state.company.postings(state.need.terms)
        elif isinstance(state.need, NeedContents):
            answer = [self._analyser.counts(title, text) for title, text in brought or ()]
        try:
            state.need = state.steps.send(answer)
        except StopIteration as end:
            state.need = end.value

    def _ranked(
        self, company: _Company, found: _Retrieved, gone: Collection[Place], request: Request
    ) -> list[Placed]:
        asked = None if request.text is None else asked_families(request.text, self._analyser)
        return company.ranked(found, gone, Setting(request.now, asked), request)

    def _quoted(
        self,
        texts: Mapping[Place, tuple[str, str]],
        places: Mapping[Place, int],
        asked: str | None,
    ) -> dict[Place, Quoted]:
        terms = {} if asked is None else read_query(asked, self._analyser, business=True).terms
        quoted = {}
        for place, (title, text) in texts.items():
            if asked is None:
                span = telling_span(text, places[place])
            else:
                span = best_span(text, terms, self._analyser)
            quoted[place] = Quoted(title, text, span.start, span.end)
        return quoted


def _best_of(each: Sequence[_Retrieved]) -> _Retrieved:
    """What any of several searches retrieved, with its best score; the first search counts for most."""
    if len(each) == 1:
        return each[0]
    documents = np.concatenate([found.documents for found in each])
    scores = np.concatenate(
        [found.scores * (PART if at else 1.0) for at, found in enumerate(each)]
    ).astype(np.float32)
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique(documents[order], return_index=True)
    best = order[np.sort(first)]
    return _Retrieved(documents[best], scores[best])


@cache
def relevance() -> Relevance:
    """The one of this process."""
    return Relevance()
