"""Greenhouse boards: the jobs list, the list by department, one job.

`first_published` is when the posting went up, `updated_at` any later touch. The list comes whole,
and `meta.total` says how many it must be.
"""

from collections.abc import Mapping
from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.names import fold
from sightline.domain.postings import (
    EmploymentType,
    ParsedPosting,
    PostingLocation,
    RemotePolicy,
    Salary,
)
from sightline.sources.boards.board import NAME, Board, regional
from sightline.sources.boards.pages import BoardPage, Listing, single, unreadable
from sightline.sources.boards.paths import posting
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import labelled
from sightline.sources.posting_pay import salary_from_parts
from sightline.sources.posting_places import locations_from_text
from sightline.sources.posting_terms import employment_type, remote_policy
from sightline.sources.values import at, flag, integer, number, rows, text

KIND = "greenhouse"
_PATHS = {
    "id": "id", "title": "title", "url": "absolute_url", "description": "content", "language": "language",
    "posted_at": "first_published", "updated_at": "updated_at", "requisition_id": "requisition_id",
}  # fmt: skip


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    if at(value, "absolute_url") and at(value, "internal_job_id") is not None:
        return True
    jobs = rows(value, "jobs") or (rows(value, "departments")[:1])
    return any(at(job, "absolute_url") or at(job, "jobs") is not None for job in jobs[:1]) or (
        at(value, "jobs") == [] and at(value, "meta", "total") == 0
    )


def parse(body: Body) -> BoardPage:
    """The postings of an answer. An error or another page gives an unsound, incomplete one."""
    read = read_json(body.content, body.charset)
    data = read.value
    if at(data, "id") and at(data, "title") and "jobs" not in data:
        return single(KIND, _posting(data), notes=read.notes)
    if isinstance(at(data, "departments"), list) and "jobs" not in data:
        return _by_department(data, read.whole, body.url, list(read.notes))
    if not isinstance(at(data, "jobs"), list):
        return unreadable(KIND, *read.notes, "There is no list of jobs in the answer.")
    return Listing(
        KIND,
        rows(data, "jobs"),
        _posting,
        sound=read.whole,
        total=_total(data),
        url=body.url,
        notes=list(read.notes),
    ).page()


def _total(data: Any) -> int | None:
    """The board's count; kept copies of an answer name it `job_count`."""
    count = integer(data, "meta", "total")
    return integer(data, "job_count") if count is None else count


def _by_department(data: Any, whole: bool, url: str, notes: list[str]) -> BoardPage:
    jobs = [
        {**job, "departments": [{"name": at(department, "name")}]}
        for department in rows(data, "departments")
        for job in rows(department, "jobs")
        if isinstance(job, Mapping)
    ]
    return Listing(KIND, jobs, _posting, sound=whole, url=url, notes=notes).page()


def _posting(job: Any) -> ParsedPosting | None:
    metadata = {
        fold(label): at(entry, "value")
        for entry in rows(job, "metadata")
        if (label := text(entry, "name"))
    }
    return posting(
        job,
        _PATHS,
        locations=_locations(job),
        department=_department(job, metadata),
        employment=_employment(metadata),
        remote=_remote(metadata),
        salary=_salary(job, metadata),
    )


def _locations(job: Any) -> tuple[PostingLocation, ...]:
    found = locations_from_text(text(job, "location", "name"))
    if found:
        return found
    offices = [text(each, "location") or text(each, "name") for each in rows(job, "offices")]
    return locations_from_text("; ".join(filter(None, offices)))


def _department(job: Any, metadata: Mapping[str, Any]) -> str | None:
    named = [name for each in rows(job, "departments") if (name := text(each, "name"))]
    if named:
        return named[0] if fold(named[0]) != "no department" else None
    value = labelled(metadata, "department", " dept", "dept ", "job family")
    if isinstance(value, list):
        value = value[0] if value else None
    return value if isinstance(value, str) else None


def _employment(metadata: Mapping[str, Any]) -> EmploymentType | None:
    words = (
        "employment type",
        "time type",
        "job type",
        "commitment",
        "worker type",
        "contract type",
    )
    found = (labelled(metadata, word) for word in words)
    return employment_type(*(value for value in found if isinstance(value, str)))


def _remote(metadata: Mapping[str, Any]) -> RemotePolicy | None:
    value = labelled(metadata, "workplace", "work model", "work arrangement", "location type")
    if isinstance(value, str) and (policy := remote_policy(value)):
        return policy
    said = labelled(metadata, "remote")
    if isinstance(said, bool):
        return "remote" if said else None
    return remote_policy(said) if isinstance(said, str) and flag(said) is None else None


def _salary(job: Any, metadata: Mapping[str, Any]) -> Salary | None:
    ranges = map(_salary_of_range, rows(job, "pay_input_ranges"))
    if found := next(filter(None, ranges), None):
        return found
    for label, value in metadata.items():
        if isinstance(value, Mapping) and ("salary" in label or "pay" in label.split()):
            return salary_from_parts(
                number(value, "min_value"), number(value, "max_value"), text(value, "unit"), label
            )
    return None


def _salary_of_range(entry: Any) -> Salary | None:
    low, high = number(entry, "min_cents"), number(entry, "max_cents")
    said = f"{text(entry, 'title') or ''} {text(entry, 'blurb') or ''}".lower()
    period = said if "hour" in said or "annual" in said else None
    return salary_from_parts(
        (low or 0) / 100, (high or 0) / 100, text(entry, "currency_type"), period
    )


BOARD = Board(
    KIND,
    "Greenhouse",
    parse,
    looks_like,
    addresses=(
        rf"(?:boards|job-boards)(?:\.(eu))?\.greenhouse\.io/(?:v1/boards/)?{NAME}",
        rf"(?:boards-)?api(?:\.(eu))?\.greenhouse\.io/v1/boards/{NAME}",
    ),
    named_in_query=(r"(?:job-boards|boards|boards-api|api)(?:\.eu)?\.greenhouse\.io/embed/", "for"),
    # The European boards answer at the same address.
    ask=("https://boards-api.greenhouse.io/v1/boards/{name}/jobs?content=true",),
    page="https://job-boards{eu}.greenhouse.io/{name}",
    token=regional,
    is_probed=True,
)
