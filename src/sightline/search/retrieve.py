"""Retrieval: the passages of a company that best match a query.

Candidates come from PostgreSQL's full text, any passage with any term of the question, and from the
vectors; BM25 over the candidates and the cosine make the score. Nothing is dropped from a question, and
something is always found where anything is indexed: whether it answers is for the reader to say.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from uuid import UUID

import numpy as np

from sightline.reading.encoder import Encoder
from sightline.reading.terms import Sought, terms, written_terms
from sightline.reading.vectors import cosines, unit
from sightline.search import bm25
from sightline.search.bm25 import Floats, Ints, Weights
from sightline.search.duplicates import MAX_DISTANCE
from sightline.store import evidence_search, passages
from sightline.store.database import Connection
from sightline.store.evidence_search import Posting
from sightline.store.passages import PackedColumns, Reach, StoredPassage

CANDIDATES = 300  # whose texts are read, for each wording
ALIKE = 60  # of them those that are nearest by their vectors
COSINE = 1.0  # of the score, beside BM25
FEWEST = 20  # passages among which rareness is counted, at least: among fewer it says nothing
PARTS = 4  # of a passage that are encoded, of the newest; of others the first alone
LONGEST_ENCODING_SECONDS = 2.0
REMEMBERED = 1_000  # texts whose vectors are kept, 1.5 KB each
EVERYTHING = Reach()
Asked = tuple[Weights, Floats]  # of a wording: its terms, and the cosine of each passage to it
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Match:
    """A passage and how well it matches: `score` 0-1, of its words and its vector; `matched` are terms.
    The `cosine` of one that is not `encoded` is the mean of the others."""

    passage: StoredPassage
    score: float
    cosine: float
    matched: frozenset[str]
    encoded: bool = False

    @property
    def near(self) -> float | None:
        """The cosine as it is shown; None where the passage has no vector."""
        return round(self.cosine, 2) if self.encoded else None


@dataclass(frozen=True)
class _Company:
    """What is read of a company for one search: numbers rise; lengths are relative to their mean. `encoded`
    are the numbers of passages with vectors, `sizes` the bytes of these."""

    numbers: Ints
    lengths: Floats
    postings: Mapping[str, Ints]  # term -> places in `numbers`
    encoded: Ints
    sizes: Ints
    vectors: bytes

    def asked(self, wanted: Sequence[str], vector: Floats | None) -> Asked:
        """What a wording asks of the passages."""
        containing = {term: len(places) for term, places in self.postings.items()}
        weights = Weights.of(wanted, containing, max(FEWEST, len(self.numbers)))
        found = np.zeros(len(self.numbers), np.float32)
        if vector is not None and len(self.encoded) and len(found):
            alike = np.maximum(cosines(self.vectors, self.sizes.tolist(), vector), 0.0)
            found[:] = alike.mean()  # of those that are not encoded
            within = np.isin(self.encoded, self.numbers)
            found[np.searchsorted(self.numbers, self.encoded[within])] = alike[within]
        return weights, found

    def chosen(self, asked: Sequence[Asked]) -> Ints:
        """Places of the passages whose texts are worth reading."""
        chosen: list[Ints] = [np.zeros(0, np.int64)]
        for weights, likeness in asked:
            words = bm25.presence_scores(weights, self.postings, self.lengths)
            chosen.append(best(words + COSINE * likeness, CANDIDATES))
            chosen.append(best(likeness, ALIKE))
        return np.unique(np.concatenate(chosen))


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Matches, best first; `weights` says what each term is worth by its rareness, `written` has the
    content words of the question by their terms, `missing` those of them that no passage has."""

    matches: list[Match]
    weights: Mapping[str, float]
    written: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    company: _Company | None = None

    def words_of(self, match: Match) -> list[str]:
        """The content words of the question that a passage has, as they were written, the rarest first."""
        terms = sorted(self.weights, key=lambda term: -self.weights[term])
        found = match.matched & self.written.keys()
        return [self.written[term] for term in terms if term in found]

    def vectors(self, numbers: Collection[int]) -> dict[int, Floats]:
        """Of the beginnings of the company's passages of these numbers, where they are encoded; length 1."""
        if self.company is None or not len(self.company.encoded):
            return {}
        own, sizes = self.company.encoded, self.company.sizes
        one = int(np.gcd.reduce(sizes))
        rows = np.frombuffer(self.company.vectors, np.int8).reshape(-1, one)
        at = np.flatnonzero(np.isin(own, list(numbers)))
        first = (np.cumsum(sizes) - sizes)[at] // one
        return dict(zip(own[at].tolist(), unit(rows[first]), strict=True))


class Retriever:
    """Searches the index. One is enough for a process; without an `encoder` by words alone."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self.encoder = encoder
        self._vectors: dict[tuple[str, str], Floats] = {}  # by encoder and text, the latest last

    async def encode(self, texts: Sequence[str]) -> list[Floats | None]:
        """The vectors of questions, those of late from memory; None without an encoder, or while it fails."""
        if self.encoder is None:
            return [None] * len(texts)
        keys = [(self.encoder.name, text) for text in texts]
        known = {key: self._vectors.pop(key) for key in dict.fromkeys(keys) if key in self._vectors}
        try:
            if new := [key for key in dict.fromkeys(keys) if key not in known]:
                asked = self.encoder.encode([text for _, text in new], query=True)
                vectors = await asyncio.wait_for(asked, LONGEST_ENCODING_SECONDS)
                known |= dict(zip(new, vectors, strict=True))
            self._vectors |= known
            for key in list(self._vectors)[:-REMEMBERED]:
                del self._vectors[key]
            return [known[key] for key in keys]
        except Exception as error:  # an encoder may be a library or a server, with its own errors
            log.warning("searching by words only: %s", error or "the encoder is slow")
            return [None] * len(texts)

    async def retrieve(
        self,
        connection: Connection,
        company_id: UUID,
        queries: Sequence[str],
        reach: Reach = EVERYTHING,
    ) -> Retrieved:
        """What of a company matches any of the wordings, with its best score."""
        vectors = await self.encode(queries)
        wanted = list(map(terms, queries))
        packed = await passages.read_columns(
            connection, company_id, reach, vectors=any(vector is not None for vector in vectors)
        )
        every = list(dict.fromkeys(chain.from_iterable(wanted)))
        postings = await evidence_search.read_postings(connection, company_id, every)
        name = vectors_name(self.encoder)
        company = await asyncio.to_thread(_opened, packed, postings, name)
        asked = [await asyncio.to_thread(company.asked, own, vector)
                 for own, vector in zip(wanted, vectors, strict=True)]  # fmt: skip
        chosen = await asyncio.to_thread(company.chosen, asked)
        numbers = company.numbers[chosen].tolist()
        read = await passages.read_passages(connection, [(company_id, n) for n in numbers])
        stored = [(at, read[company_id, n]) for at, n in zip(chosen.tolist(), numbers, strict=True)
                  if (company_id, n) in read]  # fmt: skip
        places = [at for at, _ in stored]
        matches = await asyncio.to_thread(
            scored,
            [passage for _, passage in stored],
            [(weights, likeness[places]) for weights, likeness in asked],
            company.lengths[places],
            frozenset(company.encoded.tolist()),
        )
        written = await _content_words(connection, queries)
        absent = {term for term, own in postings.items() if own.absent}
        missing = tuple(word for term, word in written.items() if term in absent)
        # A function word that a small company's documents happen to lack is worth nothing.
        lacking = absent - written.keys()
        weights = {t: w for own, _ in asked for t, w in own.idf.items() if t not in lacking}
        return Retrieved(sorted(matches, key=_order), weights, written, missing, company)


async def _content_words(connection: Connection, queries: Sequence[str]) -> dict[str, str]:
    """The words of questions that are no function words, by their terms."""
    words = dict(chain.from_iterable(map(written_terms, queries)))
    content = set(await passages.content_words(connection, list(words.values())))
    return {term: word for term, word in words.items() if word in content}


def vectors_name(encoder: Encoder | None) -> str | None:
    """Names what made the vectors of an index: where it is another one, all are made again."""
    return f"{encoder.name}/{PARTS}" if encoder else None


@cache
def retriever() -> Retriever:
    """The one of this process."""
    return Retriever()


async def find_passages(
    connection: Connection,
    company_id: UUID,
    queries: Sequence[str],
    reach: Reach = EVERYTHING,
    *,
    limit: int = 12,
) -> Retrieved:
    """Passages of a company for several wordings of one question, best first; the same text once."""
    found = await retriever().retrieve(connection, company_id, queries, reach)
    return replace(found, matches=distinct(found.matches, limit))


def distinct(matches: Iterable[Match], limit: int) -> list[Match]:
    """The best `limit` of different texts. Of two where one has the other's words the longer stands in the
    better one's place; of a text that is repeated with the same figures, the newer."""
    chosen: list[Match] = []
    for each in matches:
        same = next((at for at, other in enumerate(chosen) if _is_same(each, other)), None)
        if same is None:
            if len(chosen) == limit:
                break
            chosen.append(each)
        elif (_newness(each), len(each.passage.body)) > (
            _newness(chosen[same]), len(chosen[same].passage.body)
        ):  # fmt: skip
            chosen[same] = each
    return chosen


def _newness(match: Match) -> float:
    published = match.passage.published_at
    return published.timestamp() if published else 0.0


def _is_same(one: Match, other: Match) -> bool:
    """One text, one within the other in the same document, or nearly the same words and the same figures."""
    a, b = one.passage, other.passage
    if not a.body or not b.body or a.origin == "job":
        return (a.origin, a.context, a.title, a.body) == (b.origin, b.context, b.title, b.body)
    if a.body == b.body:
        return True
    if a.document_id is not None and a.document_id == b.document_id:
        return a.body in b.body or b.body in a.body
    if not a.simhash or not b.simhash or a.figures != b.figures:
        return False
    # The stored figures are a filter of 32 bits, in which different numbers may look the same.
    is_near = (a.simhash ^ b.simhash).bit_count() <= MAX_DISTANCE
    return is_near and _numbers(a.body) == _numbers(b.body)


def _numbers(text: str) -> set[str]:
    return {term for term in terms(text) if term[0].isdigit()}


def _ints(packed: bytes) -> Ints:
    return np.frombuffer(packed, ">i4").astype(np.int64)


def _opened(packed: PackedColumns, postings: Mapping[str, Posting], name: str | None) -> _Company:
    numbers = _ints(packed.numbers)
    order = np.argsort(numbers)
    numbers, words = numbers[order], _ints(packed.words)[order].astype(np.float32)
    found = {
        term: np.flatnonzero(np.isin(numbers, _ints(own.numbers), invert=own.lacking))
        for term, own in postings.items()
    }
    is_ours = packed.encoder == name  # not vectors that another encoder made
    return _Company(
        numbers,
        words / max(1.0, float(words.mean())) if len(words) else words,
        found,
        _ints(packed.vector_numbers if is_ours else b""),
        _ints(packed.vector_sizes if is_ours else b""),
        packed.vectors,
    )


def best(scores: Floats, limit: int) -> Ints:
    """Places of the highest scores above 0."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > limit:
        positive = positive[np.argpartition(-scores[positive], limit)[:limit]]
    return positive.astype(np.int64)


def scored(
    stored: Sequence[StoredPassage],
    asked: Sequence[Asked],
    lengths: Floats,
    encoded: frozenset[int] = frozenset(),
) -> list[Match]:
    """Passages by their best score for any wording, in their order. Of each wording there are its weights and
    the passages' cosines; `lengths` are relative to the mean, `encoded` are numbers of passages."""
    wanted = frozenset(chain.from_iterable(weights.idf for weights, _ in asked))
    count = Sought(wanted).counted
    counts = [bm25.field_counts(p.title, p.context or p.heading, p.body, count) for p in stored]
    cosine, total = (np.zeros(len(stored), np.float32) for _ in range(2))
    for weights, alike in asked:
        words = bm25.scores(weights, counts, lengths.tolist())
        cosine = np.maximum(cosine, alike)
        total = np.maximum(total, (words + COSINE * alike) / (1.0 + COSINE))
    return [
        Match(p, float(whole), float(near), frozenset(own), p.number in encoded)
        for p, whole, near, own in zip(stored, total, cosine, counts, strict=True)
    ]


def _order(match: Match) -> tuple[float, float, str]:
    """Best first; the newer, then the id, of equals."""
    return -match.score, -_newness(match), str(match.passage.passage_id)
