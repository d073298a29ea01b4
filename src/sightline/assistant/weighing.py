"""How likely a quote answers a question: a small head over what can be measured of the two.

What is measured needs no vectors of one encoder, so the head serves any. `training/quotes.py` fits it.
"""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from sightline.reading.dates import DAY
from sightline.search.evidence import Floats, Passage
from sightline.search.terms import terms

HEADS: Final = "quotes.toml"
_BEST: Final = 3
_NUMBER: Final = re.compile(r"\d")
_AMOUNT: Final = re.compile(r"[$€£%]|\d(?:[.,]\d)?\s(?:million|billion|percent)|\d,\d{3}")
_DATE: Final = re.compile(rf"(?:{DAY})|\b(?:19|20)\d\d\b", re.I)
_NAMES: Final = re.compile(r"\b[A-Z][\w’'-]+(?: [A-Z]\.)? [A-Z][\w’'-]+")  # two words with capitals


@dataclass(frozen=True, slots=True)
class Quote:
    """Whole sentences of a passage, word for word, around the one that was compared with the question.
    `cosine` is their likeness, `near` that of the whole passage, and `lexical` how much of the question
    stands in the passage."""

    passage: Passage
    text: str
    sentence: str
    cosine: float
    lexical: float
    near: float


@dataclass(frozen=True, slots=True)
class Weighed:
    """`weight` says how well the quote answers beside the others of its question: it has no scale."""

    quote: Quote
    weight: float
    features: tuple[float, ...]


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


def weigh(
    quotes: Sequence[Quote],
    wordings: Sequence[Collection[str]],
    weights: Mapping[str, float],
    expected: Mapping[str, float],
) -> list[Weighed]:
    """Every quote with its weight, the best first."""
    if not quotes:
        return []
    rows = []
    for one in quotes:
        whole = lexical_share(f"{one.passage.heading}\n{one.text}", wordings, weights)
        rows.append(_features(one, whole, expected))
    made = [
        Weighed(one, float(score), tuple(row))
        for one, score, row in zip(
            quotes, _score("quote", np.asarray(rows, np.float32)), rows, strict=True
        )
    ]
    return sorted(made, key=lambda each: -each.weight)


def _features(one: Quote, whole: float, expected: Mapping[str, float]) -> list[float]:
    number, person, date = (expected.get(kind, 0.0) for kind in ("number", "person", "date"))
    return [
        one.cosine,
        whole,
        one.lexical,
        one.near,
        bool(_NUMBER.search(one.sentence)) * number,
        bool(_AMOUNT.search(one.sentence)) * number,
        bool(_DATE.search(one.sentence)) * date,
        bool(_NAMES.search(one.sentence)) * person,
        min(1.0, len(one.sentence) / 400),
        sum(letter.isdigit() for letter in one.text) / max(1, len(one.text)),
    ]


def asked_for(expected: Mapping[str, float], missing: int) -> list[float]:
    """What is measured of a question alone; `missing` counts its words that no document has."""
    kinds = [expected.get(kind, 0.0) for kind in ("number", "person", "date")]
    return [*kinds, float(min(missing, 3))]


def answered(weighed: Sequence[Weighed], asked: Sequence[float]) -> float:
    """The probability (0-1) that one of the best quotes answers the question."""
    scores = np.array([one.weight for one in weighed], np.float32)
    features = np.array([one.features for one in weighed], np.float32)
    row = summary(scores, features, np.asarray(asked, np.float32))[None, :]
    return float(1.0 / (1.0 + np.exp(-_score("answered", row)[0])))


def summary(scores: Floats, features: Floats, asked: Floats) -> Floats:
    """What is measured of a question and its quotes, in any order: how good the best three are."""
    order = np.argsort(-scores)[:_BEST]
    best = features[order]
    shown = np.full(_BEST, scores[order[-1]], np.float32)
    shown[: len(order)] = scores[order]
    parts = (shown, best[:, :8].max(axis=0), best[0, :4], asked)
    return np.concatenate(parts).astype(np.float32)


def _score(head: str, rows: Floats) -> Floats:
    made = _heads()[head]
    scaled = (rows - made["mean"]) / made["scale"]
    return np.asarray(scaled @ made["weights"][1:] + made["weights"][0], np.float32)


@cache
def _heads() -> dict[str, dict[str, Floats]]:
    read = tomllib.loads(files("sightline.assistant").joinpath("data", HEADS).read_text("utf-8"))
    return {
        name: {part: np.asarray(row, np.float32) for part, row in head.items()}
        for name, head in read.items()
    }
