"""Finds the quotes in a company's documents that best answer a question, and how likely they do.

Retrieval finds passages; they are cut into quotes of whole sentences or rows, and the heads of
`reading.answers` weigh what is measured of each. Without them those with most of its words are taken.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final
from uuid import UUID

import numpy as np

from sightline.reading.answers import BEST, coverage, heads_for, question_vector, token_weights
from sightline.reading.encoder import EncoderFailed
from sightline.reading.money import sums_in
from sightline.reading.named import capitalized
from sightline.reading.onnx_encoder import OnnxEncoder
from sightline.reading.sentences import sentences
from sightline.reading.terms import terms, word_spans
from sightline.search.bm25 import Floats
from sightline.search.retrieve import distinct, retriever
from sightline.store.database import Connection
from sightline.store.passages import StoredPassage

_PASSAGES: Final = 60  # whose words are compared with the question
_READ: Final = 48  # quotes of them that are encoded, some 8 ms each
_LONGEST_QUOTE: Final = 420  # characters
_SHORTEST_QUOTE: Final = 30
_UNENCODED: Final = (
    0.25  # of a score without a vector: what a cosine of 0.5, as texts of a topic have, gives
)
# What a quote must have of the question's words, by their rareness, to be shown without the heads.
_LEAST_SHARE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Quote:
    """Whole sentences or rows of a passage, verbatim. `words` is what retrieval says of it, `near` the
    cosine of its passage, `share` the part of the question's words it has, `place` that of its passage
    among those found."""

    passage: StoredPassage
    text: str
    words: float
    near: float = 0.0
    share: float = 0.0
    place: int = 0


@dataclass(frozen=True, slots=True)
class Quotes:
    """What may be quoted for a question, best first; `answers`: the best of it is likely to answer."""

    every: Sequence[Quote] = ()
    answers: bool = False

    @property
    def best(self) -> list[Quote]:
        """Those to show; none where it is unlikely that they answer."""
        return self.nearest if self.answers else []

    @property
    def nearest(self) -> list[Quote]:
        """A few of different words, whether they answer or not."""
        chosen: list[Quote] = []
        for one in self.every:
            if len(chosen) < BEST and not any(_overlap(one, other) for other in chosen):
                chosen.append(one)
        return chosen


@dataclass(frozen=True, slots=True)
class Candidates:
    """Quotes worth reading, best first, and what each term of the question is worth by its rareness."""

    quotes: Sequence[Quote]
    weights: Mapping[str, float]


async def find_quotes(
    connection: Connection,
    company_id: UUID,
    wordings: Sequence[str],
    *,
    may_quote: Callable[[StoredPassage], bool] | None = None,
) -> Quotes:
    """What may be quoted for a question; `wordings` begin with it as it was asked, and end with what it
    means after the question before."""
    found = await candidates(connection, company_id, wordings, may_quote=may_quote)
    able = heads_for(retriever().encoder)
    try:
        if able is not None and found.quotes:
            heads, encoder = able
            read = await measured(found, wordings, encoder)
            # A question may lean on the one before it, or stand alone: what is likelier answered counts.
            likely, scores = max(
                ((heads.answers(asked, rows, scores), scores)
                 for asked, rows in read for scores in [heads.scores(rows)]),
                key=itemgetter(0),
            )  # fmt: skip
            every = [found.quotes[at] for at in np.argsort(-scores, kind="stable").tolist()]
            return Quotes(every, likely >= heads.least)
    except EncoderFailed:  # which the encoder logs
        pass
    return Quotes(found.quotes, bool(found.quotes) and found.quotes[0].words >= _LEAST_SHARE)


async def measured(
    found: Candidates, wordings: Sequence[str], encoder: OnnxEncoder
) -> list[tuple[Floats, Floats]]:
    """For each wording what is read of it, and a row for each quote: what retrieval says of it, its cosine,
    whether it has a number, a sum and a name, and how much of the wording it says. Raises EncoderFailed."""
    asked = await encoder.read_tokens(list(wordings))
    read = await encoder.read_tokens([" ".join(one.text.split()) for one in found.quotes])
    features = [
        (
            one.words,
            one.near,
            one.share,
            max(float(quote.vector @ each.vector) for each in asked),
            np.log1p(one.place),
            sum(map(str.isdigit, one.text)) / len(one.text),
            any(map(str.isdigit, one.text)),
            bool(sums_in(one.text)),
            any(" " in one.text[start:end] for start, end in capitalized(one.text)),
        )
        for one, quote in zip(found.quotes, read, strict=True)
    ]
    by_wording = []
    for wording, question in zip(wordings, asked, strict=True):
        words = [
            (start, end, max((found.weights.get(t, 0.0) for t in terms(wording[start:end])), default=0.0))
            for start, end in word_spans(wording)
        ]  # fmt: skip
        weights = token_weights(question, words)
        rows = [
            (*one, *coverage(question, weights, quote))
            for one, quote in zip(features, read, strict=True)
        ]
        by_wording.append((question_vector(question), np.array(rows, np.float32)))
    return by_wording


async def candidates(
    connection: Connection,
    company_id: UUID,
    wordings: Sequence[str],
    *,
    may_quote: Callable[[StoredPassage], bool] | None = None,
) -> Candidates:
    """The quotes worth reading, best first by what they and their passages have of the question."""
    found = await retriever().retrieve(connection, company_id, wordings)
    wanted = [frozenset(terms(text)) for text in wordings]
    quotes = [
        Quote(each.passage, text, near + 0.5 * share, each.cosine, share, place)
        for place, each in enumerate(distinct(found.matches, _PASSAGES))
        for near in [each.score if each.cosine else each.score + _UNENCODED]
        if each.passage.document_id and (may_quote is None or may_quote(each.passage))
        for text in quotable(each.passage.body)
        for share in [lexical_share(f"{each.passage.heading}\n{text}", wanted, found.weights)]
    ]
    quotes.sort(key=lambda one: -one.words)
    return Candidates(quotes[:_READ], found.weights)


def quotable(text: str) -> Iterator[str]:
    """A text in pieces of whole sentences or rows, as many as stay short together."""
    first = last = None
    for start, end in sentences(text):
        if first is not None and last is not None and end - first > _LONGEST_QUOTE:
            if last - first >= _SHORTEST_QUOTE:
                yield text[first:last]
            first = None
        first, last = start if first is None else first, end
    if first is not None and last is not None and last - first >= _SHORTEST_QUOTE:
        yield text[first:last]


def _overlap(one: Quote, other: Quote) -> bool:
    """Whether a quote has the other's words."""
    words, theirs = " ".join(one.text.split()), " ".join(other.text.split())
    return words in theirs or theirs in words


def lexical_share(
    text: str, wordings: Sequence[Collection[str]], weights: Mapping[str, float]
) -> float:
    """The part of a question's words that stand in a text, by their rareness; of the best wording."""
    have = set(terms(text))
    shares = []
    for wording in wordings:
        whole = sum(weights.get(term, 0.0) for term in wording)
        part = sum(weights.get(term, 0.0) for term in wording if term in have)
        shares.append(part / whole if whole else 0.0)
    return max(shares, default=0.0)
