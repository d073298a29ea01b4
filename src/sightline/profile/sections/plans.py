"""Goals, strategic priorities and digital strategies: what the company says of them in whole sentences."""

from collections import Counter
from datetime import timedelta
from functools import partial
from typing import Final

from sightline.profile.choosing import chosen_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, proofs_of
from sightline.profile.plans import AHEAD, FRESH, Plan
from sightline.reading.periods import FRESH_DAYS

_MOST_NAMED: Final = 5
_FEWEST_POSTINGS: Final = 5
_FEWEST_NAMING: Final = 3  # of the postings


def _named_in_postings(evidence: Evidence) -> list[Statement]:
    """The technologies that most of the open postings ask for, counted."""
    jobs = [job for job in evidence.open_jobs if job.proof is not None]
    counted = Counter(name for job in jobs for name in dict.fromkeys(job.technologies))
    most = {name: n for name, n in counted.most_common(_MOST_NAMED) if n >= _FEWEST_NAMING}
    since = evidence.now - timedelta(days=FRESH_DAYS)
    last_seen = max((job.last_seen_at for job in jobs), default=since)
    if len(jobs) < _FEWEST_POSTINGS or not most or last_seen < since:
        return []
    named = "; ".join(f"{name} in {n}" for name, n in most.items())
    shown = [next(job for job in jobs if name in job.technologies) for name in most]
    row = {
        "name": "Technologies in open postings",
        "as_of": last_seen.date().isoformat(),
        "description": f"Named in {len(jobs)} open postings: {named}.",
        "open_postings": most,
        "all_open_postings": len(jobs),
    }
    return [row | {"sources": tuple(dict.fromkeys(proofs_of(shown)))}]


def _build(name: str, evidence: Evidence) -> list[Statement]:
    rows = chosen_of(evidence, name)
    return [*rows, *_named_in_postings(evidence)] if name == "digital_strategies" else rows


def _section(name: str, title: str, label: str, task: str) -> Section:
    return Section(
        name,
        title,
        plan=Plan(task, most=6, past_months=AHEAD if label == "goal" else FRESH),
        kinds=("filing", "page", "posting", "feed_item", "news"),
        build=partial(_build, name),
        holds=(label,),
    )


GOALS: Final = _section(
    "goals",
    "Goals",
    "goal",
    "Targets that it has set itself and results that it expects, with figure or date; none whose time is"
    " over.",
)
PRIORITIES: Final = _section(
    "strategic_priorities",
    "Strategic priorities",
    "priority",
    "What it has begun or decided to do: named programs, launches, purchases, partners, closures, cuts,"
    " investments, commitments and markets, with day or sum and what for; no mere intention.",
)
DIGITAL: Final = _section(
    "digital_strategies",
    "Digital strategies",
    "digital",
    "What it does with software, data and automation in its own business: named systems, products it uses or"
    " builds, suppliers, projects; no general praise of technology.",
)
