"""Which passages are worth ranking: a wide choice of each kind of source, made with array operations."""

from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from sightline.domain.signals import SignalFamily
from sightline.search.candidates import SOURCE_KINDS, Columns
from sightline.search.postings import Floats, Ints
from sightline.search.rankers import family, recency
from sightline.search.ranking import weights
from sightline.search.retrieve import best_of_each

_FAMILIES = [*(family.WEIGHTS[name] for name in SignalFamily), family.NO_FAMILY]


_FACTS = [SOURCE_KINDS.index("job"), SOURCE_KINDS.index("technology")]
_ANY = np.float32(1e-6)
LEAST_CUE = 0.22
# What stands in two reports so many days apart is worth so much of what is said for the first time,
REPORTS_APART = 80.0
STANDING = 0.4
# and so is what was said a year before the newest of its kind.
A_YEAR = 300.0
SUPERSEDED = 0.6


def per_kind(max_hits_per_source: int) -> int:
    """How many of a kind to rank so that folding and fine scores still leave enough of them."""
    return max(50, 4 * max_hits_per_source)


def by_cues(
    columns: Columns, allowed: NDArray[np.bool_], *, now: datetime, limit: int
) -> tuple[Ints, Floats]:
    """For the request without words: the passages that lead their kind by cues, freshness and family,
    weighed as ranking weighs them, and the strength of their cues, less for what is always said. A
    text with hardly a cue is none, unless there is nothing else; postings and technologies are facts."""
    share = weights(default_request=True)
    cues = columns.cues()
    telling = allowed & (cues >= np.where(np.isin(columns.kinds(), _FACTS), _ANY, LEAST_CUE))
    telling = telling if telling.any() else allowed & (cues > 0)
    scores: Floats = (
        share["text"] * cues
        + share["recency"] * _fresh(columns, telling, now)
        + share["family"] * columns.family_worth(_FAMILIES)
    ).astype(np.float32)
    scores[~telling] = 0.0
    best = best_of_each(scores, columns.kinds(), limit)
    worth = cues[best]
    worth = np.where(columns.standing(best, days=REPORTS_APART), STANDING * worth, worth)
    worth = np.where(columns.superseded(best, days=A_YEAR), SUPERSEDED * worth, worth)
    return best, worth.astype(np.float32)


def _fresh(columns: Columns, among: NDArray[np.bool_], now: datetime) -> Floats:
    """Freshness of every passage, as ranking will see it."""
    ages, kinds = columns.ages(now), columns.kinds()
    fresh = np.full(len(ages), recency.UNDATED, np.float32)
    dated = ~np.isnan(ages)
    for place, kind in enumerate(SOURCE_KINDS):
        own = dated & (kinds == place)
        if (own & among).any():
            newest, half_life = ages[own & among].min(), recency.HALF_LIFE[kind]
            fresh[own] = recency.freshness(np.maximum(ages[own], newest), newest, half_life)
    return fresh
