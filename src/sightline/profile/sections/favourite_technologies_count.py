"""Technologies by how often they are seen: on the site, in postings, in headers."""

from collections import defaultdict
from datetime import datetime
from typing import Any, Final

from sightline.domain.job_reading import technology_categories
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.shapes import TechnologyCount

MOST: Final = 60
_MOST_PROOFS: Final = 3


def build(evidence: Evidence) -> list[Statement]:
    rows: dict[str, dict[str, Any]] = defaultdict(
        lambda: {"count": 0, "category": None, "seen": [], "proofs": [], "kinds": set(), "name": ""}
    )
    for fact in evidence.by_field.get("technology", ()):
        row = rows[str(fact.value["name"]).casefold()]
        row["name"] = row["name"] or fact.value["name"]
        row["category"] = row["category"] or fact.value.get("category")
        row["count"] += 1
        row["seen"].append(fact.observed_at)
        row["kinds"].add(fact.value.get("evidence_kind") or fact.source)
        row["proofs"].append(fact.proof)
    for job in evidence.jobs:
        for name in job.technologies:
            row = rows[name.casefold()]
            row["name"] = row["name"] or name
            row["count"] += 1
            row["seen"].append(job.last_seen_at)
            row["kinds"].add("job_posting")
            if job.proof is not None:
                row["proofs"].append(job.proof)
    categories = technology_categories()
    for row in rows.values():
        row["category"] = row["category"] or categories.get(row["name"])
    ranked = sorted(rows.values(), key=lambda r: (-r["count"], r["name"].casefold()))
    return [_shown(row) for row in ranked[:MOST]]


def _shown(row: dict[str, Any]) -> Statement:
    first, last = min(row["seen"]), max(row["seen"])
    return {
        "name": row["name"],
        "category": row["category"],
        "count": row["count"],
        "first_seen_at": _time(first),
        "last_seen_at": _time(last),
        "evidence_kinds": sorted(row["kinds"]),
        "sources": tuple(row["proofs"][:_MOST_PROOFS]),
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
