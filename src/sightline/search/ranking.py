"""The order of relevance: a list of (ranker, weight), folding of near-duplicates, caps per source.

The score of a candidate is the weighted mean of what the rankers say of it, each 0-1; the factors are
kept beside the score, so every place in the list can be explained. A new ranker is one function of
`rankers` and one row here.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

import numpy as np

from sightline.search import rankers
from sightline.search.duplicates import fold
from sightline.search.rankers import Candidate, Setting

Factor = Literal["text", "recency", "source", "family", "corroboration"]
Ranker = Callable[[Sequence[Candidate], Setting], list[float]]

# (factor, ranker, weight with a request in words, weight of the default request); both columns sum to 1.
RANKERS: tuple[tuple[Factor, Ranker, float, float], ...] = (
    ("text", rankers.text, 0.62, 0.50),
    ("recency", rankers.recency, 0.10, 0.20),
    ("source", rankers.source, 0.06, 0.08),
    ("family", rankers.family, 0.16, 0.14),
    ("corroboration", rankers.corroboration, 0.06, 0.08),
)
_FACTORS = [name for name, *_ in RANKERS]
MAX_HITS_PER_SOURCE = 10
SHARE = 0.85  # of the text score, for each one before of the same family
LEAST_SHARE = 0.4
# What stands in two reports so many days apart is worth so much of what is said for the first time.
REPORTS_APART_DAYS = 80
STANDING = 0.4
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked passage. `factors` are 0-1 before their weights; `duplicates` are the candidates folded
    into this one, best first."""

    candidate: Candidate
    score: float
    factors: dict[Factor, float]
    duplicates: tuple[str, ...]


def weights(*, default_request: bool) -> dict[Factor, float]:
    """What each factor adds at most to a score."""
    return {name: without if default_request else asked for name, _, asked, without in RANKERS}


def rank(
    candidates: Sequence[Candidate],
    setting: Setting,
    *,
    max_hits_per_source: int = MAX_HITS_PER_SOURCE,
) -> list[Hit]:
    """Hits, best first; at most so many of one kind of source. Equal scores: the newer first, then by id,
    so that one request always has one answer."""
    ordered = [candidates[at] for at in _Scored(candidates, setting).order]
    groups = _groups(ordered)
    leaders = [group[0] for group in groups]
    if setting.asked is None:
        leaders = _varied([_less_if_standing(group) for group in groups])
    told_by = {
        group[0].id: max(len({c.source for c in group}), *(c.told for c in group))
        for group in groups
    }
    scored = _Scored(leaders, replace(setting, told_by=told_by))
    taken: Counter[str] = Counter()
    hits = []
    for at in scored.order:
        candidate, group = leaders[at], groups[at]
        if taken[candidate.source_kind] >= max_hits_per_source:
            continue
        taken[candidate.source_kind] += 1
        others = tuple(c.id for c in group[1:])
        hits.append(Hit(candidate, scored.scores[at], scored.factors(at), others))
    return hits


def _groups(ordered: Sequence[Candidate]) -> list[list[Candidate]]:
    """Those that tell the same, the best first: near-duplicates, tellings of one story, and what is quoted
    from a passage with the passage."""
    leaders = fold([candidate.fingerprint for candidate in ordered])
    stories: dict[str, int] = {}
    passages: dict[str, int] = {}
    groups: dict[int, list[Candidate]] = {}
    for place, candidate in enumerate(ordered):
        leader = leaders[leaders[place]]
        if candidate.story:
            leader = stories.setdefault(candidate.story, leader)
        if candidate.within:
            first = passages.setdefault(candidate.within, place)
            # An insight and its passage tell one thing; two insights of a passage tell two.
            if leader == place and _is_insight(candidate) != _is_insight(ordered[first]):
                leader = leaders[first]
        leaders[place] = leader
        groups.setdefault(leader, []).append(candidate)
    return list(groups.values())


def _less_if_standing(group: Sequence[Candidate]) -> Candidate:
    """The first of a group, of less worth if others of its kind said the same in an earlier report."""
    leader = group[0]
    times = [
        c.published_at for c in group if c.published_at and c.source_kind == leader.source_kind
    ]
    if leader.story or not times or (max(times) - min(times)).days < REPORTS_APART_DAYS:
        return leader
    return replace(leader, text_score=STANDING * leader.text_score)


def _is_insight(candidate: Candidate) -> bool:
    return candidate.source_kind == "insight"


def _varied(leaders: Sequence[Candidate]) -> list[Candidate]:
    """Each further one of a family tells less that is new, and so counts for less."""
    seen: Counter[str] = Counter()
    varied = []
    for candidate in leaders:
        about = f"{candidate.family}"
        share = max(LEAST_SHARE, SHARE ** seen[about])
        seen[about] += 1
        varied.append(replace(candidate, text_score=candidate.text_score * share))
    return varied


class _Scored:
    """Scores and factors of candidates by their places; `order` has the places, best first."""

    def __init__(self, candidates: Sequence[Candidate], setting: Setting) -> None:
        share = list(weights(default_request=setting.asked is None).values())
        columns = [ranker(candidates, setting) for _, ranker, _, _ in RANKERS]
        self._factors = np.round(np.array(columns, np.float64), 4)
        self.scores: list[float] = np.round(np.array(share) @ self._factors, 6).tolist()
        self.order = sorted(
            range(len(candidates)),
            key=lambda at: (-self.scores[at], -_minutes(candidates[at]), candidates[at].id),
        )

    def factors(self, at: int) -> dict[Factor, float]:
        return dict(zip(_FACTORS, self._factors[:, at].tolist(), strict=True))


def _minutes(candidate: Candidate) -> float:
    return ((candidate.published_at or _LONG_AGO) - _LONG_AGO).total_seconds() / 60
