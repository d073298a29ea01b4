"""How much a kind of source is worth to someone who prepares a call."""

from collections.abc import Sequence
from typing import Final

from sightline.search.candidates import Candidate, Setting
from sightline.search.evidence import SourceKind

# An insight is already proven and about one happening; a filing is sworn; a page praises itself.
WEIGHTS: Final[dict[SourceKind, float]] = {
    "insight": 1.0,
    "filing": 0.9,
    "news": 0.8,
    "web": 0.6,
    "job": 0.5,
    "technology": 0.5,
}


def score(candidates: Sequence[Candidate], _setting: Setting) -> list[float]:
    return [WEIGHTS[candidate.source_kind] for candidate in candidates]
