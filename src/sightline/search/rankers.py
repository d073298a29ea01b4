"""What each ranker says of passages, 0-1. A new one is a function here and a row of `ranking.RANKERS`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from sightline.domain.signals import SignalFamily
from sightline.search.duplicates import Fingerprint
from sightline.search.evidence import SourceKind

# Worth of a family when nothing is asked: what changes a company most comes first.
FAMILIES: Final[dict[SignalFamily, float]] = {
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
SOURCES: Final[dict[SourceKind, tuple[float, float]]] = {
    "insight": (1.0, 180),
    "filing": (0.9, 180),
    "news": (0.8, 45),
    "web": (0.6, 365),
    "job": (0.5, 45),
    "technology": (0.5, 180),
}
UNDATED: Final = 0.25  # as old as two half-lives: no date is no proof of age
BESIDE: Final = 0.5  # of freshness: where all is old, the newest still comes first


@dataclass(frozen=True, slots=True)
class Candidate:
    """One passage that may be shown. `text_score` is 0-1, from retrieval; `source` names where it was said
    (a publisher): two candidates of one source do not corroborate each other. Candidates of one `story`
    report one known signal, or are one role; `told` is how many publishers are known to report it. An
    insight and the passage it is quoted from have the same `within`."""

    id: str
    source_kind: SourceKind
    source: str
    text_score: float
    family: SignalFamily | None = None
    published_at: datetime | None = None
    fingerprint: Fingerprint | None = None
    story: str = ""
    told: int = 1
    within: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all rankers may know of the request. `asked` says how much the words of the request speak of
    each family (0-1); None when the request has no words and material changes are sought. `told_by` has,
    by candidate id, how many different sources report the same; 1 for those it does not name. `best` is the
    text score that counts as 1, by default that of the best candidate."""

    now: datetime
    asked: Mapping[SignalFamily, float] | None = None
    told_by: Mapping[str, int] = field(default_factory=dict)
    best: float | None = None


def text(candidates: Sequence[Candidate], setting: Setting) -> list[float]:
    """How well the words match, relative to the best score, so that the weights of the other factors mean the
    same in every list."""
    best = setting.best or max((candidate.text_score for candidate in candidates), default=0.0)
    return [candidate.text_score / best if best > 0 else 0.0 for candidate in candidates]


def recency(candidates: Sequence[Candidate], setting: Setting) -> list[float]:
    """1 for what was published now or later, half after one half-life, a third after two; the part that
    is beside the newest of the kind is halved by each half-life."""
    ages = [
        max(0.0, (setting.now - each.published_at).total_seconds() / 86_400)
        if each.published_at
        else None
        for each in candidates
    ]
    newest: dict[SourceKind, float] = {}
    for each, age in zip(candidates, ages, strict=True):
        if age is not None:
            newest[each.source_kind] = min(newest.get(each.source_kind, age), age)
    return [
        UNDATED
        if age is None
        else _freshness(age, newest[each.source_kind], SOURCES[each.source_kind][1])
        for each, age in zip(candidates, ages, strict=True)
    ]


def _freshness(age: float, newest: float, half_life: float) -> float:
    """Of what is `age` days old, where the newest of its kind is `newest` days old."""
    beside: float = 0.5 ** ((age - newest) / half_life)
    return (1.0 - BESIDE) / (1.0 + age / half_life) + BESIDE * beside


def source(candidates: Sequence[Candidate], _setting: Setting) -> list[float]:
    """How much the kind of source is worth."""
    return [SOURCES[candidate.source_kind][0] for candidate in candidates]


def family(candidates: Sequence[Candidate], setting: Setting) -> list[float]:
    """With a request in words: how much it speaks of the passage's family, at least half the family's
    worth. Without: the family's worth."""
    scores = []
    for each in candidates:
        worth = NO_FAMILY if each.family is None else FAMILIES[each.family]
        asked = (setting.asked or {}).get(each.family, 0.0) if each.family else 0.0
        scores.append(worth if setting.asked is None else max(asked, 0.5 * worth))
    return scores


def corroboration(candidates: Sequence[Candidate], setting: Setting) -> list[float]:
    """One source is 0; each further one halves the distance to 1. Ten copies of one press release by one
    publisher are one source."""
    return [1.0 - 0.5 ** (max(1, setting.told_by.get(c.id, 1)) - 1) for c in candidates]
