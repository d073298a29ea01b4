"""BambooHR careers: the list with `meta.totalCount`, and one job.

The list has neither dates nor descriptions.
"""

import re
from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation, RemotePolicy
from sightline.sources.board_pages import BoardPage, Listing, single, unreadable
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import build
from sightline.sources.posting_places import location_from_parts
from sightline.sources.posting_terms import employment_type
from sightline.sources.times import parse_time
from sightline.sources.values import at, flag, integer, markup, rows, text

KIND = "bamboohr"

_WORKPLACES: dict[str, RemotePolicy] = {"0": "on_site", "1": "remote", "2": "hybrid"}


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    if at(value, "result", "jobOpening", "jobOpeningName"):
        return True
    found = rows(value, "result")
    if found:
        return at(found[0], "jobOpeningName") is not None
    return bool(at(value, "result") == [] and at(value, "meta", "totalCount") == 0)


def parse(body: Body) -> BoardPage:
    """The jobs of an answer."""
    read = read_json(body.content, body.charset)
    site = _site(body.url)
    opening = at(read.value, "result", "jobOpening")
    if opening is not None:
        key = text(opening, "id") or _id_of(text(opening, "jobOpeningShareUrl") or body.url)
        return single(KIND, _posting({**opening, "id": key}, site), notes=read.notes)
    if not isinstance(at(read.value, "result"), list):
        return unreadable(KIND, *read.notes, "There is no list of jobs in the answer.")
    return Listing(
        KIND,
        rows(read.value, "result"),
        lambda row: _posting(row, site),
        sound=read.whole,
        total=integer(read.value, "meta", "totalCount"),
        notes=list(read.notes),
    ).page()


def _site(url: str) -> str:
    found = re.match(r"https?://[\w-]+\.bamboohr\.com", url)
    return found[0] if found else ""


def _id_of(url: str) -> str | None:
    found = re.search(r"/careers/(\d+)", url)
    return found[1] if found else None


def _posting(row: Any, site: str) -> ParsedPosting | None:
    key = text(row, "id")
    return build(
        key,
        text(row, "jobOpeningName"),
        text(row, "jobOpeningShareUrl") or (f"{site}/careers/{key}" if site and key else ""),
        locations=[_location(row)],
        department=text(row, "departmentLabel"),
        employment=employment_type(text(row, "employmentStatusLabel"), text(row, "employmentType")),
        remote=_remote(row),
        pay_text=text(row, "compensation"),
        description=markup(row, "description"),
        posted_at=parse_time(at(row, "datePosted")),
    )


def _location(row: Any) -> PostingLocation | None:
    place, ats = at(row, "location"), at(row, "atsLocation")
    return location_from_parts(
        text(place, "city") or text(ats, "city"),
        text(place, "state") or text(ats, "state") or text(ats, "province"),
        text(place, "addressCountry") or text(place, "country") or text(ats, "country"),
    )


def _remote(row: Any) -> RemotePolicy | None:
    if flag(row, "isRemote"):
        return "remote"
    return _WORKPLACES.get(text(row, "locationType") or "")
