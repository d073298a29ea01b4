"""What ranking knows of a passage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sightline.domain.signals import SignalFamily
from sightline.search.duplicates import Fingerprint
from sightline.search.evidence import SourceKind


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
