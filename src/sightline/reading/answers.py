"""Which of some quotes answers a question, and whether any does: heads over what is measured of both.

`search.quotes` measures, `training/answers.py` fits. The heads read vectors of the bundled encoder only; with
another, or with none, quotes are chosen by words alone.
"""

import io
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from sightline.reading.bundled import BundledFileIsBroken, read_bundled
from sightline.reading.encoder import Encoder
from sightline.reading.vectors import Vectors

FILE: Final = "answers.npz"
BEST: Final = 3  # quotes that are shown
SHAPES: Final = 3  # the last of what is measured of a quote: whether it has a number, a sum, a name


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
    """`said` reads from a question's vector whether documents say such things, `shapes` what a sentence that
    answers it has (0-1 each, `usual` in the mean), `quote` how well a quote answers beside the others,
    `answered` whether one of the best does; from its outcome `least` on they may be shown."""

    encoder: str
    said: Linear
    shapes: Linear
    usual: Vectors
    quote: Linear
    answered: Linear
    least: float

    def scores(self, question: Vectors, measured: Vectors) -> Vectors:
        """How well each quote (a row of what is measured) answers; the question's vector."""
        return self.quote(self.crossed(question, measured))

    def crossed(self, question: Vectors, measured: Vectors) -> Vectors:
        """What is measured, and its shapes beside those that are expected."""
        expected = self.shapes(question) - self.usual
        return np.hstack([measured, measured[:, -SHAPES:] * expected])

    def answers(self, question: Vectors, measured: Vectors, scores: Vectors, *, words: int) -> bool:
        """Whether one of the best quotes likely answers a question of so many words."""
        row = self.summary(question, measured, scores, words)
        return bool(self.answered(row) >= self.least)

    def summary(self, question: Vectors, measured: Vectors, scores: Vectors, words: int) -> Vectors:
        """What is measured of a question and its quotes together."""
        order = np.argsort(-scores, kind="stable")[:BEST]
        rows = measured[order, :4]
        parts = (
            scores[order[:1]],
            rows.max(axis=0),
            rows[0],
            [words],
            self.shapes(question),
            np.atleast_1d(self.said(question)),
        )
        return np.concatenate(parts).astype(np.float32)


@cache
def answer_heads() -> AnswerHeads:
    """Those of the installation. Raises BundledFileIsBroken."""
    with np.load(io.BytesIO(read_bundled(FILE)), allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    parts = ("mean", "scale", "weights", "bias")
    said, shapes, quote, answered = (
        Linear(*(np.asarray(arrays[f"{name}.{part}"], np.float32) for part in parts))
        for name in ("said", "shapes", "quote", "answered")
    )
    usual, least = np.asarray(arrays["usual"], np.float32), float(arrays["least"])
    return AnswerHeads(str(arrays["encoder"]), said, shapes, usual, quote, answered, least)


def heads_for(encoder: Encoder | None) -> AnswerHeads | None:
    """The heads, where they can read the vectors of the encoder."""
    try:
        heads = answer_heads()
    except BundledFileIsBroken:
        return None
    return heads if encoder is not None and encoder.name == heads.encoder else None
