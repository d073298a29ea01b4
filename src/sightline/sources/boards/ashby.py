"""Ashby job boards: every listed posting in one response, with pay where the employer shows it."""

from collections.abc import Mapping
from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation, Salary
from sightline.sources.boards.board import NAME, Board
from sightline.sources.boards.pages import BoardPage, Listing, unreadable
from sightline.sources.boards.paths import place, posting, words
from sightline.sources.bodies import read_json
from sightline.sources.posting_pay import salary_from_parts
from sightline.sources.posting_places import locations_from_text
from sightline.sources.posting_terms import remote_policy
from sightline.sources.values import at, flag, number, rows, text

KIND = "ashby"
_PATHS = {
    "title": "title", "url": "jobUrl|applyUrl", "department": "department|team",
    "employment": "employmentType", "posted_at": "publishedAt", "updated_at": "updatedAt",
    "pay_text": "compensation/scrapeableCompensationSalarySummary|compensation/compensationTierSummary",
    "description": "descriptionHtml|descriptionPlain",
}  # fmt: skip


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
    url = words(job, _PATHS["url"]) or ""
    remote = remote_policy(text(job, "workplaceType"))
    return posting(
        job,
        _PATHS,
        id=text(job, "id") or url.split("?")[0].rstrip("/").rsplit("/", 1)[-1],
        locations=_locations(job),
        remote=remote or ("remote" if flag(job, "isRemote") else None),
        salary=_salary(at(job, "compensation")),
    )


def _locations(job: Any) -> list[PostingLocation | None]:
    found: list[PostingLocation | None] = []
    for each in (job, *rows(job, "secondaryLocations")):
        raw, address = text(each, "location"), at(each, "address", "postalAddress")
        given = place(address, "addressLocality", "addressRegion", "addressCountry", raw=raw)
        if given is not None and (given.city or given.region or given.country_code):
            found.append(given)
        else:
            found.extend(locations_from_text(raw))
    return found


def _salary(compensation: Any) -> Salary | None:
    tiers = rows(compensation, "compensationTiers")
    parts = [
        *rows(compensation, "summaryComponents"),
        *(p for t in tiers for p in rows(t, "components")),
    ]
    stated = (
        salary_from_parts(
            number(part, "minValue"),
            number(part, "maxValue"),
            text(part, "currencyCode"),
            text(part, "interval"),
        )
        for part in parts
        if text(part, "compensationType") == "Salary"
    )
    return next(filter(None, stated), None)


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
