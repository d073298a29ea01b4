"""Turns scores into a decision: one candidate, none, or several that cannot be distinguished."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sightline.match.model import shipped_weights
from sightline.match.scoring import Scored

Outcome = Literal["matched", "ambiguous", "no_match"]


@dataclass(frozen=True, slots=True)
class Decision:
    """``best`` is the nearest candidate, also when it is no match; None when nothing is like it.

    ``rivals`` are the candidates an ambiguous decision could not choose between.
    """

    outcome: Outcome
    best: Scored | None
    rivals: tuple[Scored, ...] = ()


def decide(scored: Sequence[Scored], *, threshold: float | None = None) -> Decision:
    """Decide among the candidates of one query.

    matched: the best reaches the threshold and leads the second by the margin. ambiguous: it reaches
    the threshold without leading. no_match: nothing reaches it.
    """
    weights = shipped_weights()
    least = weights.threshold if threshold is None else threshold
    ranked = sorted(scored, key=lambda one: -one.log_odds)
    if not ranked:
        return Decision("no_match", None)
    best = ranked[0]
    if best.score < least:
        return Decision("no_match", best)
    close = [
        one
        for one in ranked
        if best.log_odds - one.log_odds < weights.margin and one.score >= least
    ]
    if len(close) > 1:
        return Decision("ambiguous", best, tuple(close))
    return Decision("matched", best)
