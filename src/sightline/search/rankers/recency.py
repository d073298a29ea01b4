"""How fresh a passage is: in itself, and beside the newest of its kind of source."""

from collections.abc import Sequence
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from sightline.search.candidates import Candidate, Setting
from sightline.search.evidence import SourceKind

# Days. News ages in weeks; a filing speaks for its period, and so does an insight, which is drawn from
# one or from news; a page says what is so until it changes.
HALF_LIFE: Final[dict[SourceKind, float]] = {
    "insight": 180,
    "filing": 180,
    "news": 45,
    "web": 365,
    "job": 45,
    "technology": 180,
}
UNDATED = 0.25  # as old as two half-lives: no date is no proof of age


_Days = TypeVar("_Days", float, NDArray[np.float64])
BESIDE = 0.5  # of the score: where all is old, the newest still comes first


def score(candidates: Sequence[Candidate], setting: Setting) -> list[float]:
    """1 for what was published now or later, half after one half-life, a third after two; the part that
    is beside the newest of the kind is halved by each half-life."""
    newest: dict[SourceKind, float] = {}
    ages: list[float | None] = []
    for candidate in candidates:
        published = candidate.published_at
        age = None if published is None else (setting.now - published).total_seconds() / 86_400
        ages.append(None if age is None else max(0.0, age))
        if age is not None:
            kind = candidate.source_kind
            newest[kind] = min(newest.get(kind, age), max(0.0, age))
    return [
        UNDATED if age is None else freshness(age, newest[c.source_kind], HALF_LIFE[c.source_kind])
        for c, age in zip(candidates, ages, strict=True)
    ]


def freshness(age: _Days, newest: float, half_life: float) -> _Days:
    """Of what is `age` days old, where the newest of its kind is `newest` days old."""
    beside = 0.5 ** ((age - newest) / half_life)
    fresh: _Days = (1.0 - BESIDE) / (1.0 + age / half_life) + BESIDE * beside
    return fresh
