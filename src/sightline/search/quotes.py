"""The whole sentences of a company's documents that come nearest to a question, word for word.

Nothing here says that they answer it: that is for a reader, or for a model.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import numpy as np

from sightline.reading.encoder import Encoder, EncoderFailed
from sightline.reading.sentences import sentences
from sightline.search.evidence import Passage
from sightline.search.retrieve import find_passages
from sightline.store.database import Connection

_PASSAGES: Final = 12  # whose sentences are compared with the question
_QUOTES: Final = 3
_LONGEST_QUOTE: Final = 450  # characters
_SHORTEST_SENTENCE: Final = 30
# Cosine of a sentence to the question below which it is not quoted; and where a word of the question
# stands in no document of the company. By the questions of tests/eval/data/assistant_sample_questions.jsonl.
CLOSE: Final = 0.38
CLOSE_IN_PART: Final = 0.5
# Names, but no short ones in capitals, which documents may write out; and years.
_NAME: Final = re.compile(
    r"(?<![.!?]\s)(?<!^)\b(?![A-Z]{2,4}\b)[A-Z][\w&’'-]{2,}|\b(?:19|20)\d\d\b"
)


@dataclass(frozen=True, slots=True)
class Quote:
    """Whole sentences of a passage, word for word, and their likeness to the question (cosine)."""

    passage: Passage
    text: str
    likeness: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """Quotes, the nearest first. `is_unknown`: a name or year of the question stands in no document."""

    quotes: tuple[Quote, ...]
    is_unknown: bool = False


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


async def nearest_quotes(
    connection: Connection,
    company_id: UUID,
    queries: Sequence[str],
    encoder: Encoder | None,
    *,
    may_quote: Callable[[Passage], bool] = any_passage,
) -> Nearest:
    """The best quotes for a question; `queries` are its wordings, the first one as it was asked."""
    found = await find_passages(connection, company_id, queries, limit=_PASSAGES)
    if names_unknown(queries[0], found.missing):
        return Nearest((), is_unknown=True)
    passages = [each for each in found.passages if each.document_id and may_quote(each)]
    quotes = await _best_quotes(passages, queries, encoder, in_part=bool(found.missing))
    return Nearest(tuple(quotes))


async def _best_quotes(
    passages: Sequence[Passage], queries: Sequence[str], encoder: Encoder | None, *, in_part: bool
) -> list[Quote]:
    """One quote a passage, the nearest first. Without an encoder nothing tells likeness: the beginnings of
    the first passages, and only where the documents have every word (not `in_part`)."""
    cut = [sentences(passage.text) for passage in passages]
    quotes: list[Quote] = []
    if encoder is not None:
        try:
            encoded = await _encoded(passages, cut, queries, encoder)
            least = CLOSE_IN_PART if in_part else CLOSE
            quotes = [one for one in encoded if one.likeness >= least]
        except EncoderFailed:
            encoder = None
    if encoder is None and not in_part:
        quotes = [
            Quote(passage, grown(passage.text, spans, 0), passage.score)
            for passage, spans in zip(passages, cut, strict=True)
            if spans
        ]
    distinct = {" ".join(one.text.split()): one for one in reversed(quotes)}
    return list(distinct.values())[::-1][:_QUOTES]


async def _encoded(
    passages: Sequence[Passage],
    cut: Sequence[Sequence[tuple[int, int]]],
    queries: Sequence[str],
    encoder: Encoder,
) -> list[Quote]:
    places = [
        (at, number)
        for at, spans in enumerate(cut)
        for number, (start, end) in enumerate(spans)
        if end - start >= _SHORTEST_SENTENCE
    ]
    if not places:
        return []
    texts = [passages[at].text[slice(*cut[at][number])] for at, number in places]
    headed = [
        f"{passages[at].heading}: {text}" if passages[at].heading else text
        for (at, _), text in zip(places, texts, strict=True)
    ]
    asked = await encoder.encode(list(queries), query=True)
    cosines = np.asarray((await encoder.encode(headed)) @ asked.T).max(axis=1)
    quotes = []
    for at, passage in enumerate(passages):
        own = {n: float(c) for (p, n), c in zip(places, cosines, strict=True) if p == at}
        best = max(own, key=own.__getitem__, default=None)
        if best is not None:
            quotes.append(Quote(passage, grown(passage.text, cut[at], best), own[best]))
    return sorted(quotes, key=lambda one: -one.likeness)


def grown(text: str, spans: Sequence[tuple[int, int]], at: int) -> str:
    """The sentence at a place with its neighbors, as long as the quote stays short: first the following
    ones, which say more of it, then the one before."""
    first = last = at
    while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= _LONGEST_QUOTE:
        last += 1
    if first and spans[last][1] - spans[first - 1][0] <= _LONGEST_QUOTE:
        first -= 1
    start, end = spans[first][0], spans[last][1]
    return text[start:end].strip()
