"""Whether the passage is about the family of happenings that is asked for."""

from collections.abc import Sequence
from typing import Final

from sightline.domain.signals import SignalFamily
from sightline.search.candidates import Candidate, Setting

# Worth of a family when nothing is asked: what changes a company most comes first.
WEIGHTS: Final[dict[SignalFamily, float]] = {
    SignalFamily.MATERIAL_CHANGES: 1.0,
    SignalFamily.FUNDING: 0.95,
    SignalFamily.LEADERSHIP_MOVES: 0.9,
    SignalFamily.STRATEGIC_SHIFTS: 0.8,
    SignalFamily.PRODUCT_LAUNCHES: 0.75,
    SignalFamily.RISK: 0.7,
    SignalFamily.HIRING_TRENDS: 0.6,
    SignalFamily.TECHNOLOGY_MENTIONS: 0.5,
}
NO_FAMILY = 0.2


def score(candidates: Sequence[Candidate], setting: Setting) -> list[float]:
    """With a request in words: how much it speaks of the passage's family, at least half the family's
    worth. Without: the family's worth."""
    asked = setting.asked
    scores = []
    for candidate in candidates:
        worth = NO_FAMILY if candidate.family is None else WEIGHTS[candidate.family]
        if asked is None:
            scores.append(worth)
        else:
            spoken = asked.get(candidate.family, 0.0) if candidate.family else 0.0
            scores.append(max(spoken, 0.5 * worth))
    return scores
