"""The sentences of a company's documents that answer a question best, word for word, and how likely they do.

Two small heads over what can be measured of a question and a sentence say both; a second pair serves where
there is no encoder. What is measured needs no vectors of one encoder, so the heads serve any.
`training/quotes.py` fits them.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final
from uuid import UUID

import numpy as np

from sightline.reading.dates import DAY
from sightline.reading.encoder import Encoder, EncoderFailed
from sightline.reading.sentences import sentences
from sightline.search.evidence import Floats, Passage
from sightline.search.retrieve import distinct, passage_of, retriever
from sightline.search.terms import spoken_terms, terms
from sightline.store.database import Connection

HEADS: Final = "quotes.toml"
# Probability that one of the best quotes answers below which nothing is quoted, with an encoder and by
# words alone; chosen by training/quotes.py.
LEAST: Final = {"encoder": 0.35, "words": 0.25}
_PASSAGES: Final = 40  # whose sentences are compared with the question
_SENTENCES: Final = 80  # of them those that are encoded, some 4 ms each
_QUOTES: Final = 3
_LONGEST_QUOTE: Final = 450  # characters
_SHORTEST_SENTENCE: Final = 30
_KINDS: Final = ("number", "person", "date")  # of an answer, that a sentence shows by its shape
_NUMBER: Final = re.compile(r"\d")
_AMOUNT: Final = re.compile(r"[$€£%]|\d(?:[.,]\d)?\s(?:million|billion|percent)|\d,\d{3}")
_DATE: Final = re.compile(rf"(?:{DAY})|\b(?:19|20)\d\d\b", re.I)
_NAMES: Final = re.compile(r"\b[A-Z][\w’'-]+(?: [A-Z]\.)? [A-Z][\w’'-]+")  # two words with capitals
# Names in a question, but no short ones in capitals, which documents may write out; and years.
_NAME: Final = re.compile(
    r"(?<![.!?]\s)(?<!^)\b(?![A-Z]{2,4}\b)[A-Z][\w&’'-]{2,}|\b(?:19|20)\d\d\b"
)


@dataclass(frozen=True, slots=True)
class Quote:
    """Whole sentences of a passage, word for word, around the one that was compared with the question.
    `weight` says how well it answers beside the others of its question: it has no scale."""

    passage: Passage
    text: str
    sentence: str
    features: tuple[float, ...]
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Quotes:
    """Everything that may be quoted for a question, best first. `chance` is the probability (0-1) that one
    of the best answers it; below `least` nothing is shown. `asked` is what was measured of the question
    alone. With `is_unknown` it has a name or year that stands in no document, and nothing is quoted."""

    every: Sequence[Quote] = ()
    chance: float = 0.0
    least: float = 1.0
    asked: tuple[float, ...] = ()
    is_unknown: bool = False

    @property
    def best(self) -> list[Quote]:
        """Those to show: a few of different words; none where it is unlikely that they answer."""
        chosen: list[Quote] = []
        for one in self.every if self.chance >= self.least else ():
            if not any(_overlap(one, other) for other in chosen):
                chosen.append(one)
        return chosen[:_QUOTES]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The sentence `number` of a passage cut into `spans`; `share` of the question stands in it, `lexical`
    in the passage, whose vector is `near` the question's."""

    passage: Passage
    spans: Sequence[tuple[int, int]]
    number: int
    share: float
    lexical: float
    near: float

    @property
    def text(self) -> str:
        return self.passage.text[slice(*self.spans[self.number])]


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
    encoder: Encoder | None,
    *,
    expected: Mapping[str, float] | None = None,
    may_quote: Callable[[Passage], bool] = any_passage,
) -> Quotes:
    """What may be quoted for a question; `wordings` begin with it as it was asked. `expected` says what
    kind of answer it asks for (0-1)."""
    found = await retriever().retrieve(connection, company_id, wordings)
    own = {word for _, word in spoken_terms(wordings[0])}
    missing = [word for word in found.missing if word in own]
    asked = _asked(expected or {}, len(missing))
    if names_unknown(wordings[0], missing):
        return Quotes(asked=asked, is_unknown=True)
    wanted = [frozenset(terms(text)) for text in wordings]
    cut = [
        _Sentence(
            passage, spans, number,
            lexical_share(_headed(passage, passage.text[start:end]), wanted, found.weights),
            each.lexical, each.cosine,
        )
        for each in distinct(found.candidates, _PASSAGES)
        for passage in [passage_of(each, {})]
        if passage.document_id and may_quote(passage)
        for spans in [sentences(passage.text)]
        for number, (start, end) in enumerate(spans)
        if end - start >= _SHORTEST_SENTENCE
    ]  # fmt: skip
    cut.sort(key=lambda one: -(one.passage.score + 0.5 * one.share))
    cut = cut[:_SENTENCES]
    if not cut:
        return Quotes(asked=asked)
    cosines = await _cosines([_headed(one.passage, one.text) for one in cut], wordings, encoder)
    quotes = []
    for at, one in enumerate(cut):
        text = grown(one.passage.text, one.spans, one.number)
        whole = lexical_share(_headed(one.passage, text), wanted, found.weights)
        cosine = 0.0 if cosines is None else float(cosines[at])
        features = _features(one, text, cosine, whole, expected or {})
        quotes.append(Quote(one.passage, text, one.text, features))
    return weighed(quotes, asked, heads="encoder" if cosines is not None else "words")


async def _cosines(
    texts: Sequence[str], wordings: Sequence[str], encoder: Encoder | None
) -> Floats | None:
    """Of each text to the nearest wording; None without an encoder."""
    if encoder is None:
        return None
    try:
        asked = await encoder.encode(list(wordings), query=True)
        return np.asarray((await encoder.encode(texts) @ asked.T).max(axis=1), np.float32)
    except EncoderFailed:
        return None


def _headed(passage: Passage, text: str) -> str:
    return f"{passage.heading}: {text}" if passage.heading else text


def grown(text: str, spans: Sequence[tuple[int, int]], at: int) -> str:
    """The sentence at a place with its neighbors, as long as the quote stays short: first the following
    ones, which say more of it, then the one before."""
    first = last = at
    while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= _LONGEST_QUOTE:
        last += 1
    if first and spans[last][1] - spans[first - 1][0] <= _LONGEST_QUOTE:
        first -= 1
    return text[spans[first][0] : spans[last][1]].strip()


def _overlap(one: Quote, other: Quote) -> bool:
    """Whether a quote has the other's words, or its own sentence stands in the other."""
    words, theirs = " ".join(one.text.split()), " ".join(other.text.split())
    return words in theirs or theirs in words or " ".join(one.sentence.split()) in theirs


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


def _features(
    one: _Sentence, text: str, cosine: float, whole: float, expected: Mapping[str, float]
) -> tuple[float, ...]:
    number, person, date = (expected.get(kind, 0.0) for kind in _KINDS)
    return (
        cosine,
        whole,
        one.lexical,
        one.near,
        bool(_NUMBER.search(one.text)) * number,
        bool(_AMOUNT.search(one.text)) * number,
        bool(_DATE.search(one.text)) * date,
        bool(_NAMES.search(one.text)) * person,
        min(1.0, len(one.text) / 400),
        sum(letter.isdigit() for letter in text) / max(1, len(text)),
    )


def _asked(expected: Mapping[str, float], missing: int) -> tuple[float, ...]:
    """What is measured of a question alone; `missing` counts its words that no document has."""
    return (*(expected.get(kind, 0.0) for kind in _KINDS), float(min(missing, 3)))


def weighed(quotes: Sequence[Quote], asked: Sequence[float], *, heads: str) -> Quotes:
    """The quotes by their weights, and the chance that one of the best answers."""
    features = np.array([one.features for one in quotes], np.float32)
    scores = _score(f"{heads}_quote", features)
    row = summary(scores, features, np.asarray(asked, np.float32))
    chance = 1.0 / (1.0 + np.exp(-_score(f"{heads}_answered", row[None, :])[0]))
    every = [
        replace(quotes[at], weight=float(scores[at]))
        for at in np.argsort(-scores, kind="stable").tolist()
    ]
    return Quotes(every, float(chance), LEAST[heads], tuple(asked))


def summary(scores: Floats, features: Floats, asked: Floats) -> Floats:
    """What is measured of a question and its quotes, in any order: how good the best three are."""
    order = np.argsort(-scores)[:_QUOTES]
    best = features[order]
    shown = np.full(_QUOTES, scores[order[-1]], np.float32)
    shown[: len(order)] = scores[order]
    parts = (shown, best[:, :8].max(axis=0), best[0, :4], asked)
    return np.concatenate(parts).astype(np.float32)


def _score(head: str, rows: Floats) -> Floats:
    made = _heads()[head]
    scaled = (rows - made["mean"]) / made["scale"]
    return np.asarray(scaled @ made["weights"][1:] + made["weights"][0], np.float32)


@cache
def _heads() -> dict[str, dict[str, Floats]]:
    read = tomllib.loads(files("sightline.search").joinpath("data", HEADS).read_text("utf-8"))
    return {
        name: {part: np.asarray(row, np.float32) for part, row in head.items()}
        for name, head in read.items()
    }
