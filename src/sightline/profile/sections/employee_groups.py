"""Employee groups: departments and seniorities, counted over open postings and known contacts.

Postings are everybody's, so what they say is stored with the company. Contacts are an organization's
own: they are counted into its answer when it is read, and stand in no other.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, Job, Quote, proofs_of

KINDS: Final = ("department", "seniority")
_MOST_PROOFS: Final = 3
_LABELS: Final = {"it": "IT", "hr": "HR", "c_suite": "C-suite", "vp": "Vice presidents"}


def label(name: str) -> str:
    """ "customer_success" as "Customer success"."""
    return _LABELS.get(name) or name.replace("_", " ").capitalize()


def build(evidence: Evidence) -> list[Statement]:
    jobs = evidence.open_jobs
    found = []
    for kind in KINDS:
        counts = Counter(value for job in jobs if (value := getattr(job, kind)))
        for value in counts:
            of_value = [job for job in jobs if getattr(job, kind) == value]
            titles = Counter(job.title for job in of_value).most_common(_MOST_PROOFS)
            shown = [title for title, _ in titles]
            row = _group(kind, value, counts[value], shown)
            found.append(row | {"sources": _proofs(of_value, shown)})
    return _ordered(found)


def _proofs(jobs: Sequence[Job], titles: Sequence[str]) -> tuple[Quote, ...]:
    """A posting of each title that is shown."""
    return tuple(proofs_of(next(job for job in jobs if job.title == title) for title in titles))


def with_contacts(
    groups: Sequence[Statement], contacts: Mapping[tuple[str, str], int]
) -> list[Statement]:
    """The groups with an organization's contacts counted in: {(kind, value): contacts}. What is
    added has no document, and so no sources."""
    by_place = {(row["kind"], row["value"]): dict(row) for row in groups}
    for (kind, value), count in contacts.items():
        row = by_place.setdefault((kind, value), _group(kind, value, 0, []))
        row["contacts"] = count
        row["description"] = _described(row["open_postings"], count, row.get("titles", ()))
    return _ordered(by_place.values())


def _group(kind: str, value: str, postings: int, titles: list[str]) -> Statement:
    return {
        "name": label(value),
        "description": _described(postings, 0, titles),
        "kind": kind,
        "value": value,
        "open_postings": postings,
        "contacts": 0,
        "titles": titles,
    }


def _described(postings: int, contacts: int, titles: Sequence[str]) -> str:
    counts = []
    if postings:
        counts.append(f"{postings} open {'posting' if postings == 1 else 'postings'}")
    if contacts:
        counts.append(f"{contacts} known {'contact' if contacts == 1 else 'contacts'}")
    text = " and ".join(counts)
    # Titles have commas of their own.
    return f"{text}: {'; '.join(titles)}." if titles else f"{text}."


def _ordered(groups: Iterable[Statement]) -> list[Statement]:
    """Departments, then seniorities, the largest first."""

    def order(row: Statement) -> tuple[int, int, str]:
        return KINDS.index(row["kind"]), -row["open_postings"] - row["contacts"], row["value"]

    return sorted(groups, key=order)


SECTION = Section("employee_groups", "Employee groups", kinds=("posting", "data"), build=build)
