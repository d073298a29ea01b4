"""Recognizes a job that an employer lists several times, by place or reposted, as one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from sightline.domain.postings import ParsedPosting, PostingLocation

_LATEST = datetime.max.replace(tzinfo=UTC)


def jobs_of(postings: Iterable[ParsedPosting]) -> list[list[ParsedPosting]]:
    """Postings of one pull by job, of each the one first that was posted first; the same external id
    given twice counts once.

    Jobs are one when title, department and description are identical, or, where the
    list has no description, title and requisition number. Without either nothing is joined.
    """
    groups: dict[tuple[str, ...], list[ParsedPosting]] = {}
    for posting in {each.external_id: each for each in postings}.values():
        groups.setdefault(_identity(posting), []).append(posting)
    return [sorted(group, key=_posted) for group in groups.values()]


def _posted(posting: ParsedPosting) -> tuple[datetime, str]:
    return posting.posted_at or _LATEST, posting.external_id


def _identity(posting: ParsedPosting) -> tuple[str, ...]:
    title = _words(posting.title)
    if posting.description.strip():
        return title, _words(posting.department or ""), _words(posting.description)
    if posting.requisition_id:
        return title, posting.requisition_id
    return ("", posting.external_id)


def _words(text: str) -> str:
    return " ".join(text.lower().split())


def one_job(group: Sequence[ParsedPosting]) -> ParsedPosting:
    """The one that was posted first, with the places of all."""
    if len(group) == 1:
        return group[0]
    places: dict[tuple[str, ...], PostingLocation] = {}
    for posting in group:
        for place in posting.locations:
            named = (place.city or "", place.region or "", place.country_code or "")
            places.setdefault(named if any(named) else (_words(place.raw),), place)
    stated = [each.openings for each in group if each.openings is not None]
    return replace(
        group[0],
        locations=tuple(places.values()),
        openings=sum(stated) if len(stated) == len(group) else None,
    )
