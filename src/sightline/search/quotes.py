"""What of a company's documents answers a question best, word for word, and how likely it does.

Retrieval finds passages; they are cut into quotes of whole sentences or rows, and the reader of
`reading.answers` reads each beside the question. Without it those with most of its words are taken.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

import numpy as np

from sightline.reading.answers import AnswerReader, answer_reader
from sightline.reading.encoder import EncoderFailed
from sightline.reading.sentences import sentences
from sightline.reading.terms import spoken_terms, terms
from sightline.search.evidence import Passage
from sightline.search.retrieve import distinct, passage_of, retriever
from sightline.store.database import Connection

_PASSAGES: Final = 60  # whose words are compared with the question
READ: Final = 48  # quotes of them that are read, some 8 ms each
_QUOTES: Final = 3
_LONGEST_QUOTE: Final = 420  # characters
_SHORTEST_QUOTE: Final = 30
_LONGEST_HEAD: Final = 100
# Of a quote's words beside the reader's opinion of it, in its unit (the logarithm of odds).
WORDS: Final = 8.0
_UNENCODED: Final = (
    0.25  # of a score without a vector: what a cosine of 0.5, as texts of a topic have, gives
)
# What a quote must have of the question's words, by their rareness, to be shown without the reader.
_LEAST_SHARE: Final = 0.6
# Names in a question, but no short ones in capitals, which documents may write out; and years.
_NAME: Final = re.compile(
    r"(?<![.!?]\s)(?<!^)\b(?![A-Z]{2,4}\b)[A-Z][\w&’'-]{2,}|\b(?:19|20)\d\d\b"
)


@dataclass(frozen=True, slots=True)
class Quote:
    """Whole sentences or rows of a passage, word for word. `words` is what retrieval says of it, 0-1;
    `score` how well it answers beside the others of its question."""

    passage: Passage
    text: str
    words: float
    score: float = 0.0

    @property
    def read_as(self) -> str:
        """What is read of it: the document's title, what stands above it, and its words."""
        head = " ".join((self.passage.context or self.passage.heading).split())
        above = "" if self.text in head else head[:_LONGEST_HEAD]
        return "\n".join(filter(None, (self.passage.title, above, " ".join(self.text.split()))))


@dataclass(frozen=True, slots=True)
class Quotes:
    """What may be quoted for a question, best first. With `answers` the best of it is likely to answer, so
    that it may be shown. With `is_unknown` the question has a name or year that stands in no document."""

    every: Sequence[Quote] = ()
    answers: bool = False
    is_unknown: bool = False

    @property
    def best(self) -> list[Quote]:
        """Those to show: a few of different words; none where it is unlikely that they answer."""
        chosen: list[Quote] = []
        for one in self.every if self.answers else ():
            if not any(_overlap(one, other) for other in chosen):
                chosen.append(one)
        return chosen[:_QUOTES]


def any_passage(passage: Passage) -> bool:
    """Whether a passage may be quoted: here every one may."""
    del passage
    return True


def names_in(question: str) -> list[str]:
    """Names and years of a question that does not begin with them."""
    return _NAME.findall(question)


def names_unknown(question: str, missing: Sequence[str]) -> bool:
    """Whether a question, without the company's own name, has a name or year that no document has;
    `missing` are its words that none has."""
    lowered = {word.lower() for word in missing}
    return any(name.lower() in lowered for name in names_in(question))


async def find_quotes(
    connection: Connection,
    company_id: UUID,
    wordings: Sequence[str],
    *,
    may_quote: Callable[[Passage], bool] = any_passage,
    reader: AnswerReader | None = None,
) -> Quotes:
    """What may be quoted for a question; `wordings` begin with it as it was asked."""
    found, quotes = await candidates(connection, company_id, wordings, may_quote=may_quote)
    own = {word for _, word in spoken_terms(wordings[0])}
    if names_unknown(wordings[0], [word for word in found if word in own]):
        return Quotes(is_unknown=True)
    reader = reader or answer_reader()
    try:
        read = await reader.read(wordings[-1], [one.read_as for one in quotes])
    except EncoderFailed:
        return Quotes(quotes, bool(quotes) and quotes[0].words >= _LEAST_SHARE)
    scores = read + WORDS * np.array([one.words for one in quotes], np.float32)
    order = np.argsort(-scores, kind="stable").tolist()
    every = [replace(quotes[at], score=float(scores[at])) for at in order]
    return Quotes(every, bool(every) and every[0].score >= reader.least)


async def candidates(
    connection: Connection,
    company_id: UUID,
    wordings: Sequence[str],
    *,
    may_quote: Callable[[Passage], bool] = any_passage,
) -> tuple[Sequence[str], list[Quote]]:
    """The words of the question that no document has, and the quotes worth reading, best first by what
    they and their passages have of the question."""
    found = await retriever().retrieve(connection, company_id, wordings)
    wanted = [frozenset(terms(text)) for text in wordings]
    quotes = [
        Quote(passage, text, near + 0.5 * lexical_share(headed, wanted, found.weights))
        for each in distinct(found.candidates, _PASSAGES)
        for near in [each.score if each.cosine else each.score + _UNENCODED]
        for passage in [passage_of(each, {})]
        if passage.document_id and may_quote(passage)
        for text in quotable(passage.text)
        for headed in [f"{passage.heading}\n{text}"]
    ]  # fmt: skip
    quotes.sort(key=lambda one: -one.words)
    return found.missing, quotes[:READ]


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
