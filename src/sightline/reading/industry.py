"""Which industry a company's own words speak of: sentences against the published definitions.

The encoder compares each sentence with every industry's definition and with its other names. No
sentence decides alone: what many sentences lean to, and those that say it plainly, win.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from sightline.domain.industries import definitions, industries
from sightline.reading.encoder import Encoder
from sightline.reading.glossary import english_gist
from sightline.reading.vectors import Vectors, unit

MOST_SENTENCES: Final = 64
"""Sentences compared for one company; some 3 ms of CPU each."""

# How much the other names of an industry count beside its definition, and how much more a plain
# sentence counts than a faint one: chosen on recorded company sites (see docs/decisions).
_NAMES_SHARE: Final = 0.2
_SHARPNESS: Final = 2.0
_OTHER_NAMES: Final = 12
_NEIGHBORS: Final = 3
"""The likeliest industries of a sector, which speak for each other."""
_SURE_AT_LEAST: Final = 0.5
_SURE_AT_MOST: Final = 0.9


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of the company. `language` is its ISO 639-1 code, None where it is not known."""

    text: str
    weight: float = 1.0
    language: str | None = "en"


@dataclass(frozen=True, slots=True)
class IndustryReading:
    """`name` is of `domain.industries`; `order` are the places of the sentences that say so, best first."""

    name: str
    confidence: float
    order: tuple[int, ...]


async def read_industry(encoder: Encoder, said: Sequence[Said]) -> IndustryReading | None:
    """The likeliest industry; None where no sentence leans to any. Raises EncoderFailed."""
    readable = [(place, text) for place, each in enumerate(said) if (text := _in_english(each))]
    readable = readable[:MOST_SENTENCES]
    if not readable:
        return None
    described = await _vectors(encoder)
    vectors = await encoder.encode([text for _, text in readable])
    likeness = vectors @ described.T
    leaning = np.maximum(likeness - likeness.mean(axis=1, keepdims=True), 0) ** _SHARPNESS
    weights = np.array([said[place].weight for place, _ in readable], np.float32)
    weighed = weights[:, None] * leaning
    scores = _with_neighbors(weighed.sum(axis=0) / weights.sum())
    best, second = (int(n) for n in np.argsort(-scores)[:2])
    if scores[best] <= 0:
        return None
    lead = 1 - float(scores[second] / scores[best])
    order = [readable[int(n)][0] for n in np.argsort(-weighed[:, best]) if weighed[n, best] > 0]
    sure = _SURE_AT_LEAST + lead * (_SURE_AT_MOST - _SURE_AT_LEAST)
    return IndustryReading(list(definitions())[best], round(sure, 3), tuple(order))


def _with_neighbors(scores: Vectors) -> Vectors:
    """The scores with what the likeliest industries of the same sector have: a text that leans to
    three kinds of health care is not about schools."""
    sectors = np.array([each.sector for each in industries()])
    added = scores.copy()
    for sector in set(sectors):
        inside = sectors == sector
        added[inside] += np.sort(scores[inside])[-_NEIGHBORS:].mean()
    return added


def _in_english(said: Said) -> str:
    return said.text if said.language in ("en", None) else english_gist(said.text)


_KEPT: dict[str, Vectors] = {}


async def _vectors(encoder: Encoder) -> Vectors:
    """The industries' vectors by one encoder, made once a process (2 s of CPU)."""
    known = _KEPT.get(encoder.name)
    if known is None:
        described, named = _texts()
        meant, called = await encoder.encode(described), await encoder.encode(named)
        known = _KEPT[encoder.name] = unit((1 - _NAMES_SHARE) * meant + _NAMES_SHARE * called)
    return known


@cache
def _texts() -> tuple[list[str], list[str]]:
    table = definitions()
    described = [f"{name}. {each.text}" for name, each in table.items()]
    named = [", ".join((name, *each.names[:_OTHER_NAMES])) for name, each in table.items()]
    return described, named
