"""Employee groups: departments and seniorities, counted over open postings and known contacts."""

from collections import Counter
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence

_MOST_PROOFS: Final = 3
_LABELS: Final = {
    "it": "IT",
    "hr": "HR",
    "c_suite": "C-suite",
    "vp": "Vice presidents",
}


def label(name: str) -> str:
    """ "customer_success" as "Customer success"."""
    return _LABELS.get(name) or name.replace("_", " ").capitalize()


def build(evidence: Evidence) -> list[Statement]:
    jobs = [job for job in evidence.jobs if job.closed_at is None]
    found = []
    for kind in ("department", "seniority"):
        open_jobs = Counter(v for job in jobs if (v := getattr(job, kind)))
        people: Counter[str] = Counter(v for p in evidence.people if (v := p.get(kind)))
        for value in sorted({*open_jobs, *people}, key=lambda v: (-open_jobs[v] - people[v], v)):
            counts = []
            if open_jobs[value]:
                counts.append(
                    f"{open_jobs[value]} open {'posting' if open_jobs[value] == 1 else 'postings'}"
                )
            if people[value]:
                counts.append(
                    f"{people[value]} known {'contact' if people[value] == 1 else 'contacts'}"
                )
            of_value = [job for job in jobs if getattr(job, kind) == value]
            titles = Counter(job.title for job in of_value).most_common(_MOST_PROOFS)
            text = " and ".join(counts)
            if titles:
                text += ": " + ", ".join(title for title, _ in titles)
            proofs = tuple(
                proof for job in of_value[:_MOST_PROOFS] if (proof := job.proof) is not None
            )
            found.append(
                {
                    "name": label(value),
                    "description": f"{text}.",
                    "kind": kind,
                    "value": value,
                    "open_postings": open_jobs[value],
                    "contacts": people[value],
                    "sources": proofs,
                }
            )
    return found


SECTION = Section("employee_groups", ("posting", "data"), build)
