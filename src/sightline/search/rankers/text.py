"""How well the words match: retrieval's own score, stretched so that the best match counts 1."""

from collections.abc import Sequence

from sightline.search.candidates import Candidate, Setting


def score(candidates: Sequence[Candidate], _setting: Setting) -> list[float]:
    """Relative to the best candidate: how good the best is in itself cannot be told from words."""
    best = max((candidate.text_score for candidate in candidates), default=0.0)
    return [candidate.text_score / best if best > 0 else 0.0 for candidate in candidates]
