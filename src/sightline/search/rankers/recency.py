"""How fresh a passage is: halved by each half-life of its kind of source."""

from collections.abc import Sequence
from typing import Final

from sightline.search.candidates import Candidate, Setting, SourceKind

# Days. News ages in weeks; a filing speaks for its period; a page says what is so until it changes.
HALF_LIFE: Final[dict[SourceKind, float]] = {
    "insight": 60,
    "filing": 180,
    "news": 45,
    "web": 365,
    "job": 45,
    "technology": 180,
}
UNDATED = 0.25  # as old as two half-lives: no date is no proof of age


def score(candidates: Sequence[Candidate], setting: Setting) -> list[float]:
    """1 for what was published now or later, 0.5 after one half-life."""
    scores = []
    for candidate in candidates:
        if candidate.published_at is None:
            scores.append(UNDATED)
            continue
        days = max(0.0, (setting.now - candidate.published_at).total_seconds() / 86_400)
        scores.append(0.5 ** (days / HALF_LIFE[candidate.source_kind]))
    return scores
