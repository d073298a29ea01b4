"""Matches a model's words to names or rows."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from sightline.reading.terms import terms
from sightline.search.retrieve import retriever

T = TypeVar("T")
MOST_ENCODED = 250  # names; more would keep the model waiting


async def nearness(name: str, names: Sequence[str]) -> list[float]:
    """How near each name is, 0-1: by the words that both have, or by the embeddings where an encoder is at
    work."""
    wanted = set(terms(name))
    own = [set(terms(each)) for each in names]
    # The Dice coefficient of the two sets of words.
    near = [2 * len(wanted & each) / (len(wanted) + len(each) or 1) for each in own]
    by_words = sorted(zip(near, names, strict=True), key=lambda each: -each[0])
    different = list(dict.fromkeys(each for _, each in by_words))[:MOST_ENCODED]
    vector, *others = await retriever().encode([name, *different])
    if vector is None:
        return near
    alike = {
        each: float(np.dot(vector, other))
        for each, other in zip(different, others, strict=True)
        if other is not None
    }
    return [max(words, alike.get(each, 0.0)) for words, each in zip(near, names, strict=True)]


def word_shares(query: str, texts: Sequence[str]) -> list[float]:
    """What each text has of the words of a query, 0-1, each worth more the fewer texts have it."""
    known = [set(terms(text)) for text in texts]
    words = {frozenset(terms(word)) for word in query.split()} - {frozenset()}
    counts = {word: sum(word <= have for have in known) for word in words}
    worth = {word: 1 / count for word, count in counts.items() if count}
    whole = sum(worth.values()) or 1.0
    return [round(sum(worth[w] for w in worth if w <= have) / whole, 6) for have in known]


def with_most_words(rows: Sequence[T], query: str | None, text: Callable[[T], str]) -> list[T]:
    """The rows that have most of the words of a query, in their order; none where no row has any."""
    if not terms(query or ""):
        return list(rows)
    shares = word_shares(query or "", list(map(text, rows)))
    most = max(shares, default=0.0)
    return [row for row, share in zip(rows, shares, strict=True) if most and share == most]
