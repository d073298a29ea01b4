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

_HALF_LIVES = [recency.HALF_LIFE[kind] for kind in SOURCE_KINDS]
_FAMILIES = [*(family.WEIGHTS[name] for name in SignalFamily), family.NO_FAMILY]


def per_kind(max_hits_per_source: int) -> int:
    """How many of a kind to rank so that folding and fine scores still leave enough of them."""
    return max(50, 4 * max_hits_per_source)


def by_cues(columns: Columns, allowed: NDArray[np.bool_], *, now: datetime, limit: int) -> Ints:
    """For the request without words: the passages that lead their kind by cues, freshness and family,
    weighed as ranking weighs them. A passage without any cue is none."""
    share = weights(default_request=True)
    fresh, worth = columns.worth(now=now, half_lives=_HALF_LIVES, families=_FAMILIES)
    cues = columns.cues()
    scores: Floats = (
        share["text"] * cues + share["recency"] * fresh + share["family"] * worth
    ).astype(np.float32)
    scores[~allowed | (cues == 0)] = 0.0
    return best_of_each(scores, columns.kinds(), limit)
