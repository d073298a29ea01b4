"""Wide retrieval: which documents of a source match a text, and how well.

The score of a document is the weighted sum of what the text rankers of `TEXT_RANKERS` say. Words alone
can be read from a stored segment; letter groups and the latent space need an index in memory.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sightline.search.analysis import Analyser
from sightline.search.coverage import Coverage, answering, read_coverage, says_otherwise
from sightline.search.feedback import PASSAGES, candidate_terms, expansion, probed
from sightline.search.grams import LetterGroups
from sightline.search.index import Index
from sightline.search.latent import LatentSpace
from sightline.search.lexical import PARAGRAPHS, STANDARD, Matcher
from sightline.search.meaning import document_vectors, spellings, terms_vector
from sightline.search.postings import Floats, Ints, Lengths, Postings, Source, frequency_ratio
from sightline.search.query import Query, read_query

MAX_GROUPED = 50_000  # documents; above it letter groups cost more memory than they are worth
_LEAST_UNMET = 0.01  # below it vectors of words change no order and are not read
ALIKE = 0.6  # of the most alike in meaning; what is so near is an answer
_OUTSTANDING = 4.0  # standard deviations
_SHARPNESS = 3  # of the trust in vectors of words; 1 and 2 blur the order of found words
Mask = NDArray[np.bool_]
TextRanker = Literal["words", "groups", "latent", "sense", "meaning", "neighbours", "feedback"]

# What each ranker, scaled to 0-1, adds to the score. Words lead; the others break their ties and find
# what they cannot. Settled on nine unlike sets of texts, where each alone is an improvement.
TEXT_RANKERS: tuple[tuple[TextRanker, float], ...] = (
    ("words", 1.0),  # BM25F with nearness and coverage
    ("groups", 0.2),  # letter groups
    ("latent", 0.2),  # likeness to the query in the corpus's own latent space
    ("sense", 1.0),  # likeness by the vectors of words, as far as words alone leave it unmet
    ("meaning", 1.3),  # likeness by an embedding model, where one is configured
    ("neighbours", 0.4),  # likeness to the best documents of those above
    ("feedback", 0.2),  # words of those best documents
)

# Without a latent space, for an index of which a query reads a few rows. More feedback finds more of many
# answers and loses the one passage that is sought by its own words.
STORED_TEXT_RANKERS: tuple[tuple[TextRanker, float], ...] = (
    ("words", 1.0),
    ("sense", 1.0),
    ("meaning", 0.8),
    ("feedback", 0.2),
)


@dataclass(frozen=True, slots=True)
class Found:
    """Documents of one search, best first. `scores` are 0-1, 1 for a document that leads in all; `parts`
    says what each ranker added, document for document."""

    documents: Ints
    scores: Floats
    parts: Mapping[TextRanker, Floats]


@dataclass(frozen=True, slots=True)
class NeedPostings:
    """A search asks for the postings of these terms; it is sent a mapping of those that occur."""

    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NeedContents:
    """A search asks for the terms of these documents; it is sent a sequence of mappings to counts."""

    documents: Ints


@dataclass(frozen=True, slots=True)
class NeedSense:
    """A search asks for the cosine of every document to this vector of words; it is sent them, or None."""

    vector: Floats


Need = NeedPostings | NeedContents | NeedSense
Steps = Generator[Need, Any, Found]


class Searcher:
    """Searches one index of which it holds the lengths alone. The search itself does no I/O: `steps`
    says what it needs, whoever drives it brings that from memory or from a database.

    An index that is held alone is a company's, and is asked: what says too little of a request is not
    found, and slips of the pen are understood. One in memory is a corpus, of which all is ranked."""

    def __init__(
        self,
        lengths: Lengths,
        analyser: Analyser,
        *,
        groups: LetterGroups | None = None,
        latent: LatentSpace | None = None,
        business: bool = False,
    ) -> None:
        """`business`: the passages are of a company, and requests are read as questions about one."""
        self._business = business
        self._analyser = analyser
        self._groups = groups
        self._latent = latent
        in_memory = latent is not None or groups is not None
        self._lengths = lengths
        self._abstains = not in_memory
        self._matcher = Matcher(lengths, STANDARD if in_memory else PARAGRAPHS)
        self._weights = dict(TEXT_RANKERS if in_memory else STORED_TEXT_RANKERS)

    def search(
        self,
        source: Source,
        text: str,
        *,
        limit: int = 1000,
        vectors: Floats | None = None,
        meaning: Floats | None = None,
    ) -> Found:
        """The best `limit` documents of a source at hand; `vectors` are those of their words."""
        steps = self.steps(text, limit=limit, meaning=meaning)
        answer: Any = None
        while True:
            try:
                need = steps.send(answer)
            except StopIteration as end:
                found: Found = end.value
                return found
            if isinstance(need, NeedPostings):
                answer = source.postings(need.terms)
            elif isinstance(need, NeedSense):
                answer = None if vectors is None else vectors @ need.vector
            else:
                answer = source.contents(need.documents)

    def steps(
        self,
        text: str,
        *,
        limit: int = 1000,
        allowed: Mask | None = None,
        kinds: NDArray[np.uint8] | None = None,
        meaning: Floats | None = None,
    ) -> Steps:
        """The best `limit` documents with any match. `allowed` (one truth value a document) filters
        before the limit: time bounds, kinds of source, deleted documents. With `kinds` (one number a
        document) the limit holds for each kind by itself. `meaning` is the likeness of every document to
        the text by an embedding model."""
        query = read_query(text, self._analyser, business=self._business)
        found: Mapping[str, Postings] = yield NeedPostings(_wanted(query))
        unknown = [
            term for term in query.terms if term not in found.keys() | query.stands_for.keys()
        ]
        slips = {term: spellings(term) for term in unknown} if self._abstains else {}
        if any(slips.values()):
            meant = tuple(dict.fromkeys(chain.from_iterable(slips.values())))
            found = {**found, **(yield NeedPostings(meant))}
            query = _respelt(query, slips, found)
        query = _fitted(query, found, self._matcher.documents)
        parts = self._first_parts(query, found)
        coverage = read_coverage(query, found, self._lengths)
        vector, unmet = terms_vector(query.terms), _unmet(coverage)
        if meaning is None and unmet >= _LEAST_UNMET and vector.any():
            cosines: Floats | None = yield NeedSense(vector)
            if cosines is not None:
                parts["sense"] = self._weights["sense"] * unmet * _above_mean(cosines)
        if meaning is not None:
            parts["meaning"] = self._weights["meaning"] * _above_chance(meaning)
        first = _sum(parts)
        if allowed is not None:
            first = np.where(allowed, first, 0.0).astype(np.float32)
        if self._latent is not None:
            parts["neighbours"] = self._weights["neighbours"] * self._latent.neighbours(first)
        best = best_documents(first, PASSAGES)
        contents: Sequence[Mapping[str, float]] = yield NeedContents(best)
        if self._abstains:
            enough = answering(coverage, allowed)
            enough[best] |= says_otherwise(coverage, contents)
            if meaning is not None:
                enough |= near(parts["meaning"])
            allowed = enough if allowed is None else enough & allowed
        candidates = candidate_terms(contents, [float(first[document]) for document in best])
        missing = tuple(term for term in probed(candidates) if term not in found)
        known = {**found, **(yield NeedPostings(missing))}
        words = expansion(candidates, known, self._matcher.documents)
        parts["feedback"] = self._weights["feedback"] * _scaled(self._matcher.bm25(words, known))
        return self._best(parts, limit, allowed, kinds)

    def _first_parts(self, query: Query, found: Mapping[str, Postings]) -> dict[TextRanker, Floats]:
        weights = self._weights
        parts: dict[TextRanker, Floats] = {
            "words": weights["words"] * _scaled(self._matcher.score(query, found))
        }
        if self._groups is not None:
            parts["groups"] = weights["groups"] * _scaled(self._groups.score(query))
        if self._latent is not None:
            parts["latent"] = weights["latent"] * self._latent.score(query)
        return parts

    def _best(
        self,
        parts: Mapping[TextRanker, Floats],
        limit: int,
        allowed: Mask | None,
        kinds: NDArray[np.uint8] | None,
    ) -> Found:
        total = _sum(parts)
        if allowed is not None:
            total = np.where(allowed, total, 0.0).astype(np.float32)
        best = best_documents(total, limit) if kinds is None else best_of_each(total, kinds, limit)
        whole = sum(
            max(self._weights[name], float(part.max(initial=0))) for name, part in parts.items()
        )
        return Found(
            best,
            (total[best] / whole).astype(np.float32),
            {name: part[best] for name, part in parts.items()},
        )


class CorpusSearch:
    """Every text ranker over titled texts held in memory."""

    def __init__(self, texts: Sequence[tuple[str, str]], *, business: bool = False) -> None:
        """`texts` are (title, body)."""
        self.analyser = Analyser()
        self.index = Index(texts, self.analyser)
        self._vectors = document_vectors(self.index)
        space = LatentSpace(self.index) if len(texts) > 2 else None
        self._searcher = Searcher(
            self.index.lengths,
            self.analyser,
            groups=LetterGroups(texts, self.analyser) if len(texts) <= MAX_GROUPED else None,
            latent=space,
            business=business,
        )

    def search(self, text: str, *, limit: int = 1000, meaning: Floats | None = None) -> Found:
        return self._searcher.search(
            self.index, text, limit=limit, vectors=self._vectors, meaning=meaning
        )


def _sum(parts: Mapping[TextRanker, Floats]) -> Floats:
    total: Floats = np.add.reduce(list(parts.values()), dtype=np.float32)
    return total


def best_documents(scores: Floats, limit: int) -> Ints:
    """Documents with a score above 0, best first; equal scores in the order of the documents."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > limit:
        threshold = np.partition(scores[positive], len(positive) - limit)[len(positive) - limit]
        positive = positive[scores[positive] >= threshold]
    order = np.argsort(-scores[positive], kind="stable")[:limit]
    return positive[order].astype(np.int32)


def best_of_each(scores: Floats, kinds: NDArray[np.uint8], limit: int) -> Ints:
    """The same, `limit` of each kind at most."""
    chosen = [
        best_documents(np.where(kinds == kind, scores, 0.0).astype(np.float32), limit)
        for kind in np.unique(kinds)
    ]
    every = np.sort(np.concatenate([np.zeros(0, np.int32), *chosen]))
    return every[np.argsort(-scores[every], kind="stable")].astype(np.int32)


def _scaled(scores: Floats) -> Floats:
    top = float(scores.max()) if len(scores) else 0.0
    return (scores / top).astype(np.float32) if top > 0 else scores


def _above_mean(likeness: Floats) -> Floats:
    """0 for the mean and below, 1 for the most alike: models differ in how alike unlike texts are."""
    if not len(likeness):
        return likeness
    return _scaled(np.maximum(likeness - likeness.mean(), 0.0).astype(np.float32))


def _above_chance(likeness: Floats) -> Floats:
    """0 for the mean and below, 1 for `_OUTSTANDING` standard deviations above it: a model that knows the
    answer lifts it far out of the rest and is to be heard more than one for which all is much alike."""
    spread = float(likeness.std()) if len(likeness) else 0.0
    if spread <= 0:
        return np.zeros(len(likeness), np.float32)
    above = np.maximum(likeness - likeness.mean(), 0.0)
    return np.asarray(above / (_OUTSTANDING * spread), np.float32)


def _unmet(coverage: Coverage) -> float:
    """How little of the request even the best document says, 0-1: a power of the share that is missing
    there. Vectors of words find what is said otherwise, but where the words themselves are found they only
    blur the order."""
    return max(0.0, 1.0 - float(coverage.said.max(initial=0.0))) ** _SHARPNESS


def near(alike: Floats) -> Mask:
    """Which are among the most alike."""
    return np.asarray((alike > 0) & (alike >= ALIKE * alike.max(initial=0)))


def _wanted(query: Query) -> tuple[str, ...]:
    closed = [left + right for left, right, distance in query.phrases if distance == 1]
    return tuple(dict.fromkeys([*query.terms, *closed]))


def _respelt(
    query: Query, slips: Mapping[str, Sequence[str]], found: Mapping[str, Postings]
) -> Query:
    """The query that also asks for the word that each of its unknown ones is most likely a slip for."""
    terms, stands_for = dict(query.terms), dict(query.stands_for)
    for term, spelt in slips.items():
        meant = next((other for other in spelt if other in found and other not in terms), None)
        if meant is not None:
            terms[meant] = query.terms[term]
            stands_for[meant] = (term,)
    return replace(query, terms=terms, stands_for=stands_for)


def _fitted(query: Query, found: Mapping[str, Postings], documents: int) -> Query:
    """The query in the light of the source: "data base" also asks for "database" where the source has the
    word, and no synonym counts for more than what was said, however rare it is."""
    terms, closed = dict(query.terms), dict[str, tuple[str, ...]]()
    for left, right, distance in query.phrases:
        if distance == 1 and left + right in found and left not in query.stands_for:
            share = 0.5 * min(query.terms.get(left, 0.0), query.terms.get(right, 0.0))
            if left + right not in query.terms:
                closed[left + right] = (left, right)
            terms[left + right] = max(terms.get(left + right, 0.0), share)
    for synonym, said in query.stands_for.items():
        if synonym in found:
            own = frequency_ratio(len(found[synonym]), documents)
            meant = max(
                (frequency_ratio(len(found[term]), documents) for term in said if term in found),
                default=own,
            )
            terms[synonym] *= min(1.0, meant / own)
    return replace(query, terms=terms, stands_for={**query.stands_for, **closed})
