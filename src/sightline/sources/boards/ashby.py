"""Ashby job boards: every listed posting in one answer, with pay where the employer shows it."""

from collections.abc import Mapping
from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation, Salary
from sightline.reading.times import parse_time
from sightline.sources.boards.board import NAME, Board
from sightline.sources.boards.pages import BoardPage, Listing, unreadable
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import build
from sightline.sources.posting_pay import salary_from_parts
from sightline.sources.posting_places import location_from_parts, locations_from_text
from sightline.sources.posting_terms import employment_type, remote_policy
from sightline.sources.values import at, flag, markup, number, rows, text

KIND = "ashby"


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    if isinstance(at(value, "data", "jobBoard", "jobPostings"), list):
        return True
    jobs = rows(value, "jobs")
    if not jobs:
        return at(value, "jobs") == [] and at(value, "apiVersion") is not None
    return "ashbyhq.com" in (text(jobs[0], "jobUrl") or "") or at(jobs[0], "isListed") is not None


def parse(body: Body) -> BoardPage:
    """The postings of an answer; those that the board hides are left out."""
    read = read_json(body.content, body.charset)
    board = at(read.value, "data", "jobBoard")
    if not isinstance(at(read.value, "jobs"), list) and board is None:
        return unreadable(KIND, *read.notes, "There is no list of jobs in the answer.")
    jobs = rows(read.value, "jobs") if board is None else _of_the_page(board)
    listed = [job for job in jobs if flag(job, "isListed") is not False]
    notes = list(read.notes)
    if len(listed) < len(jobs):
        notes.append(f"{len(jobs) - len(listed)} unlisted postings are left out.")
    return Listing(
        KIND, listed, _posting, sound=read.whole, whole_by_contract=True, url=body.url, notes=notes
    ).page()


def _of_the_page(board: Any) -> list[Any]:
    """The answer that the board's own page asks for, in the shape of the public interface."""
    teams = {text(team, "id"): text(team, "name") for team in rows(board, "teams")}
    jobs = []
    for job in rows(board, "jobPostings"):
        others = [
            {"location": text(place, "locationName")} for place in rows(job, "secondaryLocations")
        ]
        jobs.append(
            {
                **(job if isinstance(job, Mapping) else {}),
                "location": text(job, "locationName"),
                "secondaryLocations": others,
                "department": teams.get(text(job, "teamId")),
                "compensation": {"compensationTierSummary": text(job, "compensationTierSummary")},
            }
        )
    return jobs


def _posting(job: Any) -> ParsedPosting | None:
    url = text(job, "jobUrl") or text(job, "applyUrl")
    external_id = text(job, "id") or ((url or "").split("?")[0].rstrip("/").rsplit("/", 1)[-1])
    remote = remote_policy(text(job, "workplaceType"))
    if remote is None and flag(job, "isRemote"):
        remote = "remote"
    return build(
        external_id,
        text(job, "title"),
        url,
        locations=_locations(job),
        department=text(job, "department") or text(job, "team"),
        employment=employment_type(text(job, "employmentType")),
        remote=remote,
        salary=_salary(at(job, "compensation")),
        pay_text=text(job, "compensation", "scrapeableCompensationSalarySummary")
        or text(job, "compensation", "compensationTierSummary"),
        description=markup(job, "descriptionHtml") or markup(job, "descriptionPlain"),
        posted_at=parse_time(at(job, "publishedAt")),
        updated_at=parse_time(at(job, "updatedAt")),
    )


def _locations(job: Any) -> list[PostingLocation | None]:
    found: list[PostingLocation | None] = []
    for place in (job, *rows(job, "secondaryLocations")):
        raw, address = text(place, "location"), at(place, "address", "postalAddress")
        given = location_from_parts(
            text(address, "addressLocality"),
            text(address, "addressRegion"),
            text(address, "addressCountry"),
            raw=raw,
        )
        if given is not None and (given.city or given.region or given.country_code):
            found.append(given)
        else:
            found.extend(locations_from_text(raw))
    return found


def _salary(compensation: Any) -> Salary | None:
    for part in (
        *rows(compensation, "summaryComponents"),
        *(
            part
            for tier in rows(compensation, "compensationTiers")
            for part in rows(tier, "components")
        ),
    ):
        if text(part, "compensationType") == "Salary":
            found = salary_from_parts(
                number(part, "minValue"),
                number(part, "maxValue"),
                text(part, "currencyCode"),
                text(part, "interval"),
            )
            if found is not None:
                return found
    return None


BOARD = Board(
    KIND,
    "Ashby",
    parse,
    looks_like,
    addresses=(
        rf"jobs\.ashbyhq\.com/{NAME}",
        rf"api\.ashbyhq\.com/posting-api/job-board/{NAME}",
    ),
    ask=("https://api.ashbyhq.com/posting-api/job-board/{name}?includeCompensation=true",),
    page="https://jobs.ashbyhq.com/{name}",
    is_probed=True,
)
