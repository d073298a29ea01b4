"""The seller's offering that a fact about the company calls for."""

from typing import Final

from sightline.profile.seller import Offering, Seller
from sightline.reading.encoder import Encoder, EncoderFailed
from sightline.reading.tokens import stems
from sightline.reading.vectors import Vectors

_KEYWORD: Final = 1.0
_MOST_KEYWORDS: Final = 2
CLOSE: Final = 0.33
"""Cosine of an offering to a fact from which one calls for the other."""


class Likeness:
    """The cosine of two texts by the encoder, each encoded once; 0 without one. Computes."""

    def __init__(self, encoder: Encoder | None) -> None:
        self._encoder = encoder
        self._known: dict[str, Vectors] = {}

    def __call__(self, left: str, right: str) -> float:
        if self._encoder is None:
            return 0.0
        try:
            return float(self._of(left, self._encoder) @ self._of(right, self._encoder))
        except EncoderFailed:
            self._encoder = None
            return 0.0

    def _of(self, text: str, encoder: Encoder) -> Vectors:
        if text not in self._known:
            self._known[text] = encoder.encode_now([text])[0]
        return self._known[text]


def fit(seller: Seller, offering: Offering, text: str) -> float:
    """How much a text calls for an offering: by its keywords, and by how near the encoder finds them; 0
    for not at all."""
    said = stems(text)
    keys = [tuple(stems(keyword)) for keyword in offering.keywords]
    hits = sum(_follows(key, said) for key in keys if key)
    near = seller.likeness(offering.words, text)
    return _KEYWORD * min(hits, _MOST_KEYWORDS) + (near if near >= CLOSE else 0.0)


def called_for(seller: Seller, text: str) -> Offering | None:
    """The offering that a text calls for most; None when it calls for none."""
    best = max(seller.offerings, key=lambda each: fit(seller, each, text), default=None)
    return best if best is not None and fit(seller, best, text) > 0 else None


def promise(offering: Offering) -> str:
    """What an offering brings, in the organization's own words; "" when it has not said."""
    return next(iter(offering.value_propositions), offering.description)


def _follows(key: tuple[str, ...], said: list[str]) -> bool:
    size = len(key)
    return any(tuple(said[at : at + size]) == key for at in range(len(said) - size + 1))
