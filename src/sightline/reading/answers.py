"""Scores which quotes answer a question, and whether any does, with heads over measured features.

`search.quotes` finds them, `training/answers.py` fits. The heads read the bundled encoder only; with
another, or with none, quotes are chosen by words alone.
"""

import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Final

import numpy as np

from sightline.reading.bundled import BundledFileIsBroken, read_bundled
from sightline.reading.encoder import Encoder
from sightline.reading.money import sums_in
from sightline.reading.named import capitalized
from sightline.reading.onnx_encoder import OnnxEncoder, Tokens
from sightline.reading.sentences import sentences
from sightline.reading.terms import terms, word_spans
from sightline.reading.vectors import Vectors, unit

FILE: Final = "answers.npz"
BEST: Final = 3  # quotes that are shown
_SCORES: Final = 6  # of the best quotes, as the gate reads them
_RAREST: Final = 4  # tokens of a question that a quote should have nearly all of
_LEAST_COVERED: Final = 3
_LONGEST_QUOTE: Final = 420  # characters
_SHORTEST_QUOTE: Final = 30


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may be quoted. `words` is what retrieval says of it, `near` the cosine of its passage,
    `share` the part of the question's words it has, `place` that of its passage among those found."""

    text: str
    words: float
    near: float
    share: float
    place: int


@dataclass(frozen=True, slots=True)
class Linear:
    """Weights of columns that are brought to one scale first."""

    mean: Vectors
    scale: Vectors
    weights: Vectors

    def __call__(self, rows: Vectors) -> Vectors:
        return np.asarray((rows - self.mean) / self.scale @ self.weights, np.float32)


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether documents answer a question: kernel ridge regression over questions of which that is known
    (`known`, a row each, with `weights`). Reads what `gate_row` gives; of the question's vector only its
    first components (`turn`)."""

    mean: Vectors
    scale: Vectors
    turn: Vectors
    known: Vectors
    weights: Vectors
    width: float  # the kernel is exp(-width * squared distance)

    def read(self, rows: Vectors) -> Vectors:
        """Rows as the kernel compares them."""
        scaled = (rows - self.mean) / self.scale
        vectors = len(self.turn)
        return np.asarray(np.c_[scaled[:, :-vectors], scaled[:, -vectors:] @ self.turn], np.float32)

    def kernel(self, read: Vectors) -> Vectors:
        squares = (read**2).sum(axis=1)[:, None] + (self.known**2).sum(axis=1)
        return np.asarray(np.exp(-self.width * (squares - 2 * read @ self.known.T)), np.float32)

    def __call__(self, rows: Vectors) -> Vectors:
        """About 1 for a row of a question that is answered, about -1 for another."""
        return np.asarray(self.kernel(self.read(rows)) @ self.weights, np.float32)


@dataclass(frozen=True, slots=True)
class AnswerHeads:
    """`quote` reads how well a quote answers beside the others, `gate` whether the documents answer at all;
    from its outcome `least` on the best quotes may be shown as an answer."""

    encoder: str
    quote: Linear
    gate: Gate
    least: float

    def scores(self, measured: Vectors) -> Vectors:
        """How well each quote (a row of what is measured) answers."""
        return self.quote(measured)

    def answers(self, question: Vectors, measured: Vectors, scores: Vectors) -> float:
        """How likely documents answer a question, by its vector and its quotes."""
        return float(self.gate(gate_row(question, measured, scores)[None])[0])


def gate_row(question: Vectors, measured: Vectors, scores: Vectors) -> Vectors:
    """What the gate reads of a question: the best scores, what is measured of the best quote, of the first
    three in the mean and of all at most, how many there are, and the question's vector."""
    order = np.argsort(-scores, kind="stable")
    best = scores[order[:_SCORES]]
    best = np.pad(best, (0, _SCORES - len(best)), constant_values=scores.min())
    first = measured[order[:BEST]]
    parts = (best, first[0], first.mean(axis=0), measured.max(axis=0), [len(scores)], question)
    return np.concatenate(parts).astype(np.float32)


def coverage(question: Tokens, weights: Vectors, quote: Tokens) -> list[float]:
    """How much of a question a quote says, in the same or in other words: of each token of the question
    the likeness to the nearest of the quote, at the end of the model and halfway up. Their means by the
    tokens' `weights`, the least of the rarest tokens, and the mean of the least halfway up."""
    last, halfway = (
        (unit(mine[1:-1]) @ unit(its[1:-1]).T).max(axis=1, initial=0.0)
        for mine, its in ((question.last, quote.last), (question.halfway, quote.halfway))
    )
    whole = float(weights.sum()) or 1.0
    rarest = np.argsort(-weights, kind="stable")[:_RAREST]
    return [
        float(weights @ last) / whole,
        float(weights @ halfway) / whole,
        float(last[rarest].min(initial=1.0)),
        float(halfway[rarest].min(initial=1.0)),
        float(np.sort(halfway)[:_LEAST_COVERED].mean()) if len(halfway) else 0.0,
    ]


def question_vector(question: Tokens) -> Vectors:
    """What the gate reads of a question alone: its vector, and the mean of its tokens halfway up."""
    return np.concatenate((question.vector, unit(question.halfway.mean(axis=0, keepdims=True))[0]))


def token_weights(question: Tokens, words: Sequence[tuple[int, int, float]]) -> Vectors:
    """The weight of each token of a question; `words` are its words' characters with their weights."""
    return np.array(
        [
            max(
                (weight for first, last, weight in words if first < end and last > start),
                default=0.0,
            )
            for start, end in question.places[1:-1]
        ],
        np.float32,
    )


@cache
def answer_heads() -> AnswerHeads:
    """Those of the installation. Raises BundledFileIsBroken."""
    with np.load(io.BytesIO(read_bundled(FILE)), allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    quote, gate = (
        {field.name: arrays[f"{name}.{field.name}"].astype(np.float32) for field in fields(kind)}
        for name, kind in (("quote", Linear), ("gate", Gate))
    )
    gate |= {"width": float(gate["width"])}
    return AnswerHeads(
        str(arrays["encoder"]), Linear(**quote), Gate(**gate), float(arrays["least"])
    )


def heads_for(encoder: Encoder | None) -> tuple[AnswerHeads, OnnxEncoder] | None:
    """The heads with the encoder, where they can read what it makes of texts."""
    try:
        heads = answer_heads()
    except BundledFileIsBroken:
        return None
    if isinstance(encoder, OnnxEncoder) and encoder.name == heads.encoder:
        return heads, encoder
    return None


async def measured(
    quotes: Sequence[Candidate],
    worth: Mapping[str, float],
    wordings: Sequence[str],
    encoder: OnnxEncoder,
) -> list[tuple[Vectors, Vectors]]:
    """For each wording of a question what is read of it, and a row for each quote: what retrieval says of
    it, its cosine, whether it has a number, a sum and a name, and how much of the wording it says. `worth`
    is that of the question's terms. Raises EncoderFailed."""
    asked = await encoder.read_tokens(list(wordings))
    read = await encoder.read_tokens([" ".join(one.text.split()) for one in quotes])
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
        for one, quote in zip(quotes, read, strict=True)
    ]
    by_wording = []
    for wording, question in zip(wordings, asked, strict=True):
        words = [
            (start, end, max((worth.get(t, 0.0) for t in terms(wording[start:end])), default=0.0))
            for start, end in word_spans(wording)
        ]  # fmt: skip
        weights = token_weights(question, words)
        rows = [
            (*one, *coverage(question, weights, quote))
            for one, quote in zip(features, read, strict=True)
        ]
        by_wording.append((question_vector(question), np.array(rows, np.float32)))
    return by_wording


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
