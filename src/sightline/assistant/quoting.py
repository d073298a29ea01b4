"""The passages nearest to a question, quoted in whole sentences with document and date.

Without a language model nothing can say that a passage answers a question, so what is quoted is
introduced as what the documents say, and `evidence` is `partial` at most.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Draft, Source, Statement
from sightline.assistant.orders import is_order
from sightline.assistant.weighing import Quote, Weighed, answered, asked_for, lexical_share, weigh
from sightline.reading.encoder import Encoder, EncoderFailed
from sightline.reading.sentences import sentences
from sightline.search.evidence import Passage
from sightline.search.quotes import grown, names_in, names_unknown
from sightline.search.retrieve import distinct, passage_of, retriever
from sightline.search.terms import spoken_terms, terms

_PASSAGES: Final = 40  # whose sentences are compared with the question
_SENTENCES: Final = (
    80  # of them those that are encoded: most of the time of an answer (some 4 ms each)
)
_QUOTES: Final = 3
# Probability that one of them answers below which nothing is quoted; chosen by training/quotes.py.
LEAST: Final = 0.35
_SHORTEST_SENTENCE: Final = 30


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a passage: its number among the spans, and how much of the question it has (0-1)."""

    passage: Passage
    rank: int
    spans: Sequence[tuple[int, int]]
    number: int
    share: float

    @property
    def text(self) -> str:
        return self.passage.text[slice(*self.spans[self.number])]

    @property
    def headed(self) -> str:
        return f"{self.passage.heading}: {self.text}" if self.passage.heading else self.text


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found for a question, best first; `missing` are its words that no document has."""

    weighed: Sequence[Weighed] = ()
    missing: tuple[str, ...] = ()
    unknown_name: bool = False


async def quote(
    evidence: CompanyEvidence,
    queries: Sequence[str],
    encoder: Encoder | None,
    expected: Mapping[str, float],
) -> Draft:
    """The best passages for a question; `queries` are its wordings, the first one as it was asked.
    `expected` says what kind of answer it asks for (0-1)."""
    found = await gather(evidence, queries, encoder, expected)
    if found.unknown_name:
        return _unknown(evidence)
    best = chosen(found.weighed)
    if not best or (best[0].features and _chance(found, expected) < LEAST):
        return Draft((), "none", f"No stored document of {evidence.name} answers that.")
    return Draft(tuple(_statement(one.quote) for one in best), "partial")


async def unknown_name(evidence: CompanyEvidence, question: str) -> Draft | None:
    """The answer to a question, without the company's own name, that names what no document has."""
    if not names_in(question):
        return None
    async with evidence.reading() as connection:
        found = await retriever().retrieve(connection, evidence.company_id, [question])
    return _unknown(evidence) if names_unknown(question, found.missing) else None


def _unknown(evidence: CompanyEvidence) -> Draft:
    text = f"No stored document of {evidence.name} mentions every name and year you ask about."
    return Draft((), "none", text)


async def gather(
    evidence: CompanyEvidence,
    queries: Sequence[str],
    encoder: Encoder | None,
    expected: Mapping[str, float],
) -> Gathered:
    """Everything that may be quoted, weighed. Without an encoder nothing tells likeness: the beginnings of
    the first passages, and only where the documents have every word."""
    async with evidence.reading() as connection:
        found = await retriever().retrieve(connection, evidence.company_id, queries)
    if names_unknown(queries[0], found.missing):
        return Gathered(missing=found.missing, unknown_name=True)
    spoken = {term: word for text in queries for term, word in spoken_terms(text)}
    may_jobs = evidence.may("jobs:read")
    ranked = [
        (each, passage_of(each, spoken))
        for each in distinct(found.candidates, _PASSAGES)
        if each.passage.document_id and (may_jobs or each.passage.kind != "job")
    ]
    ranked = [(each, passage) for each, passage in ranked if not is_order(passage.text)]
    cut = [
        _Sentence(passage, rank, spans, number, 0.0)
        for rank, (_, passage) in enumerate(ranked)
        for spans in [sentences(passage.text)]
        for number, (start, end) in enumerate(spans)
        if end - start >= _SHORTEST_SENTENCE
    ]
    asked = [frozenset(terms(text)) for text in queries]
    cut = [
        _Sentence(
            s.passage, s.rank, s.spans, s.number, lexical_share(s.headed, asked, found.weights)
        )
        for s in cut
    ]
    cut.sort(key=lambda s: -(s.passage.score + 0.5 * s.share))
    cut = cut[:_SENTENCES]
    if encoder is not None and cut:
        try:
            vectors = await encoder.encode([s.headed for s in cut])
            wanted = await encoder.encode(list(queries), query=True)
        except EncoderFailed:
            pass
        else:
            cosines = np.asarray(vectors @ wanted.T).max(axis=1)
            quotes = [
                _quote(s, float(cosine), ranked[s.rank][0].lexical, ranked[s.rank][0].cosine)
                for s, cosine in zip(cut, cosines, strict=True)
            ]
            weighed = weigh(quotes, asked, found.weights, expected)
            return Gathered(weighed, found.missing)
    if found.missing:
        return Gathered(missing=found.missing)
    first = {s.rank: s for s in sorted(cut, key=lambda s: (s.rank, s.number), reverse=True)}
    plain = [_quote(first[rank], 0.0, 0.0, 0.0) for rank in sorted(first)]
    return Gathered([Weighed(one, 1.0, ()) for one in plain])


def _quote(sentence: _Sentence, cosine: float, lexical: float, near: float) -> Quote:
    text = grown(sentence.passage.text, sentence.spans, sentence.number)
    return Quote(sentence.passage, text, sentence.text, cosine, lexical, near)


def _chance(found: Gathered, expected: Mapping[str, float]) -> float:
    return answered(found.weighed, asked_for(expected, len(found.missing)))


def chosen(weighed: Sequence[Weighed]) -> list[Weighed]:
    """The best quotes of different words; of those that overlap, the better one."""
    best: list[Weighed] = []
    for one in weighed:
        words = " ".join(one.quote.text.split())
        if any(_overlap(words, other.quote) for other in best):
            continue
        best.append(one)
        if len(best) == _QUOTES:
            break
    return best


def _overlap(words: str, other: Quote) -> bool:
    theirs = " ".join(other.text.split())
    own = " ".join(other.sentence.split())
    return words in theirs or theirs in words or own in words


def _statement(one: Quote) -> Statement:
    """'10-K, 2025-02-26: “…”'"""
    passage = one.passage
    day = f", {passage.published_at.date().isoformat()}" if passage.published_at else ""
    words = " ".join(one.text.split())
    text = f"{passage.title or passage.kind}{day}: “{words}”"
    assert passage.document_id is not None
    source = Source(passage.document_id, passage.url, passage.title, one.text, passage.published_at)
    return Statement(text, (source,))
