"""How many independent sources tell the same."""

from collections.abc import Sequence


def score(sources: Sequence[int]) -> list[float]:
    """From the number of different sources of each candidate: one is 0, each further one halves the
    distance to 1. Ten copies of one press release by one publisher are one source."""
    return [1.0 - 0.5 ** (max(1, count) - 1) for count in sources]
