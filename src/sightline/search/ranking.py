"""The order of relevance: a list of (ranker, weight), folding of near-duplicates, caps per source.

The score of a candidate is the weighted mean of what the rankers say of it, each 0-1; the factors are
kept beside the score, so every place in the list can be explained. A new ranker is one file in
`rankers` and one row here.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from sightline.search.candidates import Candidate, Setting
from sightline.search.duplicates import fold
from sightline.search.rankers import corroboration, family, recency, source, text

Factor = Literal["text", "recency", "source", "family", "corroboration"]
Ranker = Callable[[Sequence[Candidate], Setting], list[float]]

# (factor, ranker, weight with a request in words, weight of the default request); both columns sum to 1.
RANKERS: tuple[tuple[Factor, Ranker, float, float], ...] = (
    ("text", text.score, 0.70, 0.35),
    ("recency", recency.score, 0.12, 0.25),
    ("source", source.score, 0.06, 0.12),
    ("family", family.score, 0.06, 0.18),
    ("corroboration", corroboration.score, 0.06, 0.10),
)
MAX_HITS_PER_SOURCE = 10
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked passage. `factors` are 0-1 before their weights; `duplicates` are the candidates folded
    into this one, best first; `sources` names all who tell it."""

    candidate: Candidate
    score: float
    factors: dict[Factor, float]
    duplicates: tuple[str, ...]
    sources: tuple[str, ...]


def weights(*, default_request: bool) -> dict[Factor, float]:
    """What each factor adds at most to a score."""
    return {name: without if default_request else asked for name, _, asked, without in RANKERS}


def rank(
    candidates: Sequence[Candidate],
    setting: Setting,
    *,
    max_hits_per_source: int = MAX_HITS_PER_SOURCE,
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[Hit]:
    """Hits, best first; at most so many of one kind of source. Equal scores: the newer first, then by id,
    so that one request always has one answer."""
    within = [c for c in candidates if _within(c, since, until)]
    ordered = [candidate for candidate, _, _ in _scored(within, setting)]
    groups = _groups(ordered)
    told_by = {
        name: max(len({c.source for c in group}), *(c.told for c in group))
        for name, group in groups.items()
    }
    setting = replace(setting, told_by=told_by)
    taken: Counter[str] = Counter()
    hits = []
    for candidate, score, factors in _scored([group[0] for group in groups.values()], setting):
        if taken[candidate.source_kind] >= max_hits_per_source:
            continue
        taken[candidate.source_kind] += 1
        group = groups[candidate.id]
        sources = tuple(dict.fromkeys(one.source for one in group))
        hits.append(Hit(candidate, score, factors, tuple(c.id for c in group[1:]), sources))
    return hits


def _groups(ordered: Sequence[Candidate]) -> dict[str, list[Candidate]]:
    """Those that tell the same, under the id of the best: near-duplicates, and tellings of one story."""
    leaders = fold([candidate.fingerprint for candidate in ordered])
    stories: dict[str, int] = {}
    groups: dict[int, list[Candidate]] = {}
    for place, candidate in enumerate(ordered):
        leader = leaders[leaders[place]]
        if candidate.story:
            leader = stories.setdefault(candidate.story, leader)
            if leaders[place] == place:
                leaders[place] = leader
        groups.setdefault(leader, []).append(candidate)
    return {group[0].id: group for group in groups.values()}


def _scored(
    candidates: Sequence[Candidate], setting: Setting
) -> list[tuple[Candidate, float, dict[Factor, float]]]:
    share = weights(default_request=setting.asked is None)
    columns = {name: ranker(candidates, setting) for name, ranker, _, _ in RANKERS}
    scored = []
    for at, candidate in enumerate(candidates):
        factors = {name: round(column[at], 4) for name, column in columns.items()}
        score = sum(share[name] * value for name, value in factors.items())
        scored.append((candidate, round(score, 6), factors))
    return sorted(scored, key=lambda row: (-row[1], -_minutes(row[0]), row[0].id))


def _minutes(candidate: Candidate) -> float:
    return ((candidate.published_at or _LONG_AGO) - _LONG_AGO).total_seconds() / 60


def _within(candidate: Candidate, since: datetime | None, until: datetime | None) -> bool:
    published = candidate.published_at
    if published is None:
        return since is None and until is None
    return (since is None or published >= since) and (until is None or published <= until)
