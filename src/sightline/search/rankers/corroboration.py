"""How many independent sources tell the same."""

from collections.abc import Sequence

from sightline.search.candidates import Candidate, Setting


def score(candidates: Sequence[Candidate], setting: Setting) -> list[float]:
    """One source is 0; each further one halves the distance to 1. Ten copies of one press release by one
    publisher are one source."""
    return [1.0 - 0.5 ** (max(1, setting.told_by.get(c.id, 1)) - 1) for c in candidates]
