"""How well the words match: retrieval's own score, stretched so that the best match counts 1."""

from collections.abc import Sequence

from sightline.search.candidates import Candidate, Setting


def score(candidates: Sequence[Candidate], setting: Setting) -> list[float]:
    """Relative to the best score, so that the weights of the other factors mean the same in every list."""
    best = setting.best or max((candidate.text_score for candidate in candidates), default=0.0)
    return [candidate.text_score / best if best > 0 else 0.0 for candidate in candidates]
