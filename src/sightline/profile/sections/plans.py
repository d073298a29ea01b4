"""Goals, strategic priorities and digital strategies: what the company says of them in whole sentences."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Final

from sightline.profile.choosing import statement_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, proofs_of
from sightline.profile.plans import AHEAD, FRESH, Plan
from sightline.profile.sentences import Judged, is_own
from sightline.reading.periods import FRESH_DAYS, latest_day
from sightline.store.profiles import STALE_MONTHS

_SPECIFIC: Final = 0.5
# A plan that is less sure than its classifier asks for still stands where it is true of this company alone;
# one that is less surely digital more often tells of what it sells.
_PROBABLE: Final = {"goal": 0.65, "priority": 0.55, "digital": 1.0}
_LEAST_SURE: Final = 0.6  # how specific such a one is at least
_MOST_NAMED: Final = 5
_FEWEST_POSTINGS: Final = 5
_FEWEST_NAMING: Final = 3  # of the postings
_LONG_AGO: Final = 36  # months, after which a plan is not shown even as one of its day


def _fits(label: str, judged: Judged, evidence: Evidence) -> float:
    """A goal names a time that is ahead, or was set of late; a plan is no older than three years."""
    sentence = judged.sentence
    is_probable = judged.probability >= _PROBABLE[label] and judged.specific >= _LEAST_SURE
    is_undated = latest_day(sentence.text) is None
    is_sure = judged.is_sure or (is_probable and not (label == "goal" and is_undated))
    if judged.label != label or judged.specific < _SPECIFIC or not is_sure:
        return 0.0
    months = {"goal": STALE_MONTHS}.get(label, _LONG_AGO)
    is_past = is_undated and evidence.is_history(sentence.document, months=months)
    if is_past or evidence.is_over(sentence.text) or not is_own(sentence, evidence.name):
        return 0.0
    return 1.0 + judged.probability


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
    found = [each.sentence for each in evidence.chosen.get(name, ())]
    found.sort(key=lambda each: each.document.said_at, reverse=True)
    rows = [statement_of(each, evidence) for each in found]
    return [*rows, *_named_in_postings(evidence)] if name == "digital_strategies" else rows


def _section(name: str, title: str, label: str, task: str) -> Section:
    build: Callable[[Evidence], list[Statement]] = partial(_build, name)
    return Section(
        name,
        title,
        plan=Plan(task, past_months=AHEAD if label == "goal" else FRESH),
        kinds=("filing", "page", "posting", "feed_item", "news"),
        build=build,
        fits=partial(_fits, label),
    )


GOALS: Final = _section(
    "goals",
    "Goals",
    "goal",
    "Targets that it has set itself, with figure or date, none whose time is over.",
)
PRIORITIES: Final = _section(
    "strategic_priorities",
    "Strategic priorities",
    "priority",
    "What it has begun or decided to do: named programs, launches, purchases, closures, cuts, investments and"
    " markets, with day or sum; no mere intention.",
)
DIGITAL: Final = _section(
    "digital_strategies",
    "Digital strategies",
    "digital",
    "What it does with software, data and automation in its own business: named systems, products it uses or"
    " builds, suppliers, projects; no general praise of technology.",
)
