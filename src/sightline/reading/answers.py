"""Scores which quotes answer a question, and whether any does, with heads over measured features.

`search.quotes` measures, `training/answers.py` fits. The heads read the bundled encoder only; with
another, or with none, quotes are chosen by words alone.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from sightline.reading.bundled import BundledFileIsBroken, read_bundled
from sightline.reading.encoder import Encoder
from sightline.reading.onnx_encoder import OnnxEncoder, Tokens
from sightline.reading.vectors import Vectors, unit

FILE: Final = "answers.npz"
BEST: Final = 3  # quotes that are shown
_RAREST: Final = 4  # tokens of a question that a quote should have nearly all of
_LEAST_COVERED: Final = 3
_COSINE: Final = 3  # its place among the measures of a quote
COVERAGE: Final = 5  # the last of them


@dataclass(frozen=True, slots=True)
class Linear:
    """Weights of columns that are brought to one scale first, and a bias for each column of outcomes."""

    mean: Vectors
    scale: Vectors
    weights: Vectors
    bias: Vectors

    def __call__(self, rows: Vectors) -> Vectors:
        return np.asarray((rows - self.mean) / self.scale @ self.weights + self.bias, np.float32)


@dataclass(frozen=True, slots=True)
class AnswerHeads:
    """`said` reads from a question (`question_vector`) whether documents say such things, `quote` how well
    a quote answers beside the others, `answered` whether the documents answer at all; from its outcome
    `least` on the best quotes may be shown as an answer."""

    encoder: str
    said: Linear
    quote: Linear
    answered: Linear
    least: float

    def scores(self, measured: Vectors) -> Vectors:
        """How well each quote (a row of what is measured) answers."""
        return self.quote(measured)

    def answers(self, question: Vectors, measured: Vectors, scores: Vectors) -> float:
        """How likely documents answer a question, by its vector and its quotes."""
        return float(self.answered(self.summary(question, measured, scores)))

    def summary(self, question: Vectors, measured: Vectors, scores: Vectors) -> Vectors:
        """What is measured of a question and its best quotes together: how well the best answers, how near
        they come and how much of the question they say, and `said`, also times the first three."""
        order = np.argsort(-scores, kind="stable")[:BEST]
        near = measured[order, _COSINE].max()
        covered = measured[order, -COVERAGE:].max(axis=0)
        said = float(np.squeeze(self.said(question)))
        best = np.array([scores[order[0]], near, *covered[[0, 1, 3]]])
        return np.concatenate((best, [said], said * best[:3])).astype(np.float32)


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
    """What `said` reads of a question: its vector, and beside it the mean of its tokens halfway up."""
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
    parts = ("mean", "scale", "weights", "bias")
    said, quote, answered = (
        Linear(*(np.asarray(arrays[f"{name}.{part}"], np.float32) for part in parts))
        for name in ("said", "quote", "answered")
    )
    return AnswerHeads(str(arrays["encoder"]), said, quote, answered, float(arrays["least"]))


def heads_for(encoder: Encoder | None) -> tuple[AnswerHeads, OnnxEncoder] | None:
    """The heads with the encoder, where they can read what it makes of texts."""
    try:
        heads = answer_heads()
    except BundledFileIsBroken:
        return None
    if isinstance(encoder, OnnxEncoder) and encoder.name == heads.encoder:
        return heads, encoder
    return None
