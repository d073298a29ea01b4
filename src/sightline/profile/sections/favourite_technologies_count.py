"""Technologies by how often they are seen: on the site, in postings, in headers."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sightline.domain.technologies import category_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.shapes import TechnologyCount

MOST: Final = 60
_MOST_PROOFS: Final = 3


@dataclass(frozen=True, slots=True)
class _Seen:
    """A technology, seen once."""

    name: str
    category: str | None
    kind: str
    at: datetime
    proof: Quote | None


def _seen(evidence: Evidence) -> Iterator[_Seen]:
    for fact in evidence.by_field.get("technology", ()):
        kind = fact.value.get("evidence_kind") or fact.source
        yield _Seen(fact.name, fact.value.get("category"), kind, fact.observed_at, fact.proof)
    for job in evidence.jobs:
        for name in job.technologies:
            yield _Seen(name, None, "job_posting", job.last_seen_at, job.proof)


def build(evidence: Evidence) -> list[Statement]:
    found: dict[str, list[_Seen]] = defaultdict(list)
    for each in _seen(evidence):
        found[each.name.casefold()].append(each)
    ranked = sorted(found.values(), key=lambda seen: (-len(seen), seen[0].name.casefold()))
    return [_row(seen) for seen in ranked[:MOST]]


def _row(seen: Sequence[_Seen]) -> Statement:
    name, times = seen[0].name, [each.at for each in seen]
    category = next((each.category for each in seen if each.category), None)
    return {
        "name": name,
        "category": category or category_of(name),
        "count": len(seen),
        "first_seen_at": _time(min(times)),
        "last_seen_at": _time(max(times)),
        "evidence_kinds": sorted({each.kind for each in seen}),
        "sources": tuple(each.proof for each in seen if each.proof is not None)[:_MOST_PROOFS],
    }


def _time(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


SECTION = Section(
    "favourite_technologies_count",
    "Technologies by count",
    TechnologyCount,
    kinds=("page", "posting", "data"),
    build=build,
)
