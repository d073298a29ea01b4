"""Finds the quotes in a company's documents that best answer a question, and how likely they do.

Retrieval finds passages; they are cut into quotes of whole sentences or rows, and the heads of
`reading.answers` weigh what they measure of each. Without them those with most of its words are taken.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final
from uuid import UUID

import numpy as np

from sightline.reading.answers import BEST, Candidate, heads_for, lexical_share, measured, quotable
from sightline.reading.encoder import EncoderFailed
from sightline.reading.terms import terms
from sightline.search.retrieve import distinct, retriever
from sightline.store.database import Connection
from sightline.store.passages import StoredPassage

_PASSAGES: Final = 60  # whose words are compared with the question
_READ: Final = 48  # quotes of them that are encoded, some 8 ms each
_UNENCODED: Final = 0.25  # of a score without a vector: that of a cosine of 0.5, as of one topic
# What a quote must have of the question's words, by their rareness, to be shown without the heads.
_LEAST_SHARE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Quote(Candidate):
    """Whole sentences or rows of a passage, verbatim."""

    passage: StoredPassage


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
            read = await measured(found.quotes, found.weights, wordings, encoder)
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
        Quote(text, near + 0.5 * share, each.cosine, share, place, each.passage)
        for place, each in enumerate(distinct(found.matches, _PASSAGES))
        for near in [each.score if each.cosine else each.score + _UNENCODED]
        if each.passage.document_id and (may_quote is None or may_quote(each.passage))
        for text in quotable(each.passage.body)
        for share in [lexical_share(f"{each.passage.heading}\n{text}", wanted, found.weights)]
    ]
    quotes.sort(key=lambda one: -one.words)
    return Candidates(quotes[:_READ], found.weights)


def _overlap(one: Quote, other: Quote) -> bool:
    """Whether a quote has the other's words."""
    words, theirs = " ".join(one.text.split()), " ".join(other.text.split())
    return words in theirs or theirs in words
