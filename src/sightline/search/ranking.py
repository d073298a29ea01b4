"""Relevance ranking: one score, duplicates removed, a cap per kind of source.

The score is the weighted mean of what `factors` says of a candidate, each 0-1; the factors are kept
beside it, so every place in the list can be explained. A new factor is one line there and one row here.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, Literal

from sightline.domain.signals import SignalFamily
from sightline.search.duplicates import Fingerprint, fold
from sightline.search.evidence import Floats, SourceKind

Factor = Literal["text", "recency", "specificity", "source", "family", "corroboration"]
# (weight with a request in words, weight of the default request); both columns sum to 1.
WEIGHTS: Final[Mapping[Factor, tuple[float, float]]] = {
    "text": (0.60, 0.46),
    "recency": (0.10, 0.20),
    "specificity": (0.04, 0.06),
    "source": (0.06, 0.08),
    "family": (0.15, 0.13),
    "corroboration": (0.05, 0.07),
}
MAX_HITS_PER_SOURCE = 10
SHARE = 0.85  # of the text score, for each one before of the same family
LEAST_SHARE = 0.4
# What stands in two reports so many days apart is worth so much of what is said for the first time.
REPORTS_APART_DAYS = 80
STANDING = 0.4
# Worth of a family when nothing is asked: what changes a company most comes first.
FAMILIES: Final[Mapping[SignalFamily, float]] = {
    SignalFamily.MATERIAL_CHANGES: 1.0,
    SignalFamily.FUNDING: 0.95,
    SignalFamily.LEADERSHIP_MOVES: 0.9,
    SignalFamily.STRATEGIC_SHIFTS: 0.8,
    SignalFamily.PRODUCT_LAUNCHES: 0.75,
    SignalFamily.RISK: 0.7,
    SignalFamily.HIRING_TRENDS: 0.6,
    SignalFamily.TECHNOLOGY_MENTIONS: 0.5,
}
NO_FAMILY: Final = 0.2
# By kind of source: its worth to someone who prepares a call, and its half-life in days. An insight is
# proven and about one event; a filing is sworn; a page praises itself. News ages in weeks; a filing speaks
# for its period; a page says what is so until it changes.
SOURCES: Final[Mapping[SourceKind, tuple[float, float]]] = {
    "insight": (1.0, 180),
    "filing": (0.9, 180),
    "news": (0.8, 45),
    "web": (0.6, 365),
    "job": (0.5, 45),
    "technology": (0.5, 180),
}
UNDATED: Final = 0.25  # as old as two half-lives: no date is no proof of age
BESIDE: Final = 0.5  # of freshness: where all is old, the newest still comes first
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One passage that may be shown. `text_score` is 0-1, from retrieval; `source` names where it was said
    (a publisher): two candidates of one source do not corroborate each other. Candidates of one `story`
    report one known signal, or are one role; `publishers` is how many are known to report it. An
    insight and the passage it is quoted from have the same `within`."""

    id: str
    source_kind: SourceKind
    source: str
    text_score: float
    family: SignalFamily | None = None
    published_at: datetime | None = None
    fingerprint: Fingerprint | None = None
    story: str = ""
    publishers: int = 1
    within: str = ""
    specificity: float = 0.0


@dataclass(frozen=True, slots=True)
class Setting:
    """What the score depends on beside the candidate. `asked` says how much the words of the request speak
    of each family (0-1); None when it has no words and material changes are sought. `best` is the text
    score that counts as 1, by default that of the best candidate."""

    now: datetime
    asked: Mapping[SignalFamily, float] | None = None
    best: float | None = None
    newest: Mapping[SourceKind, float] = field(default_factory=dict)  # age in days, by kind


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked passage. `factors` are 0-1 before their weights; `duplicates` are the candidates folded
    into this one, best first."""

    candidate: Candidate
    score: float
    factors: Mapping[Factor, float]
    duplicates: tuple[str, ...] = ()


def factors(each: Candidate, setting: Setting, reported_by: int) -> dict[Factor, float]:
    """What makes the score of a candidate that `reported_by` different sources report."""
    worth = NO_FAMILY if each.family is None else FAMILIES[each.family]
    asked = (setting.asked or {}).get(each.family, 0.0) if each.family else 0.0
    found: dict[Factor, float] = {
        # Relative to the best, so that the weights of the others mean the same in every list.
        "text": each.text_score / setting.best if setting.best else 0.0,
        "recency": _recency(each, setting),
        "specificity": each.specificity,
        "source": SOURCES[each.source_kind][0],
        "family": worth if setting.asked is None else max(asked, 0.5 * worth),
        # Each further source halves the distance to 1; ten copies by one publisher are one source.
        "corroboration": 1.0 - 0.5 ** (max(1, reported_by) - 1),
    }
    return {name: round(value, 4) for name, value in found.items()}


def _recency(each: Candidate, setting: Setting) -> float:
    """1 for what was published now or later, half after one half-life, a third after two; the part that
    is beside the newest of the kind is halved by each half-life."""
    age = _age(each, setting.now)
    if age is None:
        return UNDATED
    half_life = SOURCES[each.source_kind][1]
    beside: float = 0.5 ** ((age - setting.newest.get(each.source_kind, age)) / half_life)
    return (1.0 - BESIDE) / (1.0 + age / half_life) + BESIDE * beside


def _age(each: Candidate, now: datetime) -> float | None:
    """In days, from 0."""
    if each.published_at is None:
        return None
    return max(0.0, (now - each.published_at).total_seconds() / 86_400)


def rank(
    candidates: Sequence[Candidate],
    setting: Setting,
    *,
    max_hits_per_source: int = MAX_HITS_PER_SOURCE,
    vectors: Mapping[str, Floats] | None = None,
) -> list[Hit]:
    """Hits, best first; at most so many of one kind of source. Equal scores: the newer first, then by id,
    so that one request always has one answer. `vectors`, by id, are of those that are encoded."""
    ordered = [hit.candidate for hit in _scored(candidates, setting)]
    groups = _groups(ordered, vectors or {})
    if setting.asked is None:
        leaders = _varied([_less_if_standing(group) for group in groups])
    else:
        leaders = [group[0] for group in groups]
    reported_by = {group[0].id: _publishers(group) for group in groups}
    others = {group[0].id: tuple(c.id for c in group[1:]) for group in groups}
    taken: Counter[str] = Counter()
    hits = []
    for hit in _scored(leaders, setting, reported_by):
        taken[hit.candidate.source_kind] += 1
        if taken[hit.candidate.source_kind] <= max_hits_per_source:
            hits.append(replace(hit, duplicates=others[hit.candidate.id]))
    return hits


def _publishers(group: Sequence[Candidate]) -> int:
    return max(len({each.source for each in group}), *(each.publishers for each in group))


def _scored(
    candidates: Sequence[Candidate], setting: Setting, reported_by: Mapping[str, int] | None = None
) -> list[Hit]:
    """All candidates with their scores, best first."""
    best = setting.best or max((each.text_score for each in candidates), default=0.0)
    newest: dict[SourceKind, float] = {}
    for each in candidates:
        if (age := _age(each, setting.now)) is not None:
            newest[each.source_kind] = min(newest.get(each.source_kind, age), age)
    setting = replace(setting, best=best, newest=newest)
    column = int(setting.asked is None)
    hits = []
    for each in candidates:
        found = factors(each, setting, (reported_by or {}).get(each.id, 1))
        score = sum(WEIGHTS[name][column] * value for name, value in found.items())
        hits.append(Hit(each, round(score, 6), found))
    return sorted(hits, key=_order)


def _order(hit: Hit) -> tuple[float, float, str]:
    published = hit.candidate.published_at or _LONG_AGO
    return -hit.score, -(published - _LONG_AGO).total_seconds() // 60, hit.candidate.id


def _groups(ordered: Sequence[Candidate], vectors: Mapping[str, Floats]) -> list[list[Candidate]]:
    """Those that tell the same, best first: the same fact in the same or other words, reports of one
    story, and what is quoted from a passage with the passage."""
    leaders = fold([c.fingerprint for c in ordered], [vectors.get(c.id) for c in ordered])
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
    seen: Counter[SignalFamily | None] = Counter()
    varied = []
    for candidate in leaders:
        share = max(LEAST_SHARE, SHARE ** seen[candidate.family])
        seen[candidate.family] += 1
        varied.append(replace(candidate, text_score=candidate.text_score * share))
    return varied
