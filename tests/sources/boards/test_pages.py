"""Completeness over several pages, reposts, and which postings recorded pulls have."""

import gzip
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.domain.reposts import jobs_of, one_job
from sightline.sources.boards.answers import parse_board
from sightline.sources.boards.pages import (
    BoardPage,
    BoardRequest,
    merge_pages,
    with_details,
)

NOW = datetime(2026, 3, 10, tzinfo=UTC)


def posting(key: str, title: str = "Miller", city: str = "Lille", **more: object) -> ParsedPosting:
    return replace(ParsedPosting(key, title, "", (PostingLocation(city, city),)), **more)  # type: ignore[arg-type]


def page(
    keys: str, offset: int, *, total: int | None = 4, more: bool = False, sound: bool = True
) -> BoardPage:
    return BoardPage(
        "workday",
        tuple(posting(key) for key in keys),
        next=BoardRequest("https://x.example", offset=offset + len(keys)) if more else None,
        total=total,
        rows=len(keys),
        offset=offset,
        sound=sound,
    )


def test_pages_without_a_gap_are_complete() -> None:
    merged = merge_pages([page("cd", 2), page("ab", 0, more=True)])
    assert merged.complete
    assert [each.external_id for each in merged.postings] == list("abcd")
    assert (merged.total, merged.rows) == (4, 4)


def test_a_total_on_the_first_page_only_is_enough() -> None:
    assert merge_pages([page("ab", 0, more=True), page("cd", 2, total=None)]).complete
    assert merge_pages([page("ab", 0, more=True), page("cd", 2, total=0)]).complete


@pytest.mark.parametrize(
    "pages",
    [
        [page("ab", 0, more=True), page("d", 3)],
        [page("ab", 0, more=True), page("cd", 2, total=5)],
        [page("ab", 0, more=True), page("bc", 2)],
        [page("ab", 0, more=True), page("cd", 2, sound=False)],
        [page("ab", 0, more=True), page("c", 2, more=True)],
        [page("cd", 2)],
        [page("ab", 0, more=True, total=None), page("cd", 2, total=None)],
        [],
    ],
    ids=[
        "gap",
        "total changed",
        "row twice",
        "broken page",
        "more to come",
        "no first",
        "no total",
        "none",
    ],
)
def test_what_may_lack_rows_is_not_complete(pages: list[BoardPage]) -> None:
    assert not merge_pages(pages).complete


def test_reposts_become_one_job() -> None:
    early = datetime(2026, 1, 1, tzinfo=UTC)
    found = jobs_of(
        [
            posting("2", city="Metz", description="Mill grain.", posted_at=NOW),
            posting("1", city="Lille", description="Mill  grain.", posted_at=early),
            posting("3", description="Mill other grain."),
        ]
    )
    assert [[each.external_id for each in job] for job in found] == [["1", "2"], ["3"]]
    job = one_job(found[0])
    assert [place.city for place in job.locations] == ["Lille", "Metz"]
    assert job.posted_at == early


def test_without_descriptions_only_a_shared_requisition_joins() -> None:
    jobs = [
        posting("1", requisition_id="R1"),
        posting("2", requisition_id="R1"),
        posting("3"),
        posting("4"),
    ]
    found = [[each.external_id for each in job] for job in jobs_of(jobs)]
    assert found == [["1", "2"], ["3"], ["4"]]


def test_details_complete_a_listed_posting() -> None:
    listed = posting("1", posted_at=NOW)
    detail = posting("1", title="Other", description="Text.", department="Mills", posted_at=None)
    both = with_details(listed, detail)
    assert (both.title, both.description, both.department, both.posted_at) == (
        "Miller",
        "Text.",
        "Mills",
        NOW,
    )


def test_recorded_pulls_show_what_opened_and_closed(shared) -> None:  # type: ignore[no-untyped-def]
    """The ids opened and closed between dated pulls of 14 boards are exactly those labelled."""
    folder = shared / "labelled/greenhouse_history"
    compared = 0
    for company, steps in json.loads((folder / "changes.json").read_text()).items():
        pulls = {}
        for step in steps:
            for day in (step["from"], step["to"]):
                if day not in pulls:
                    raw = gzip.decompress((folder / company / f"{day}.json.gz").read_bytes())
                    pulls[day] = parse_board(Body("", raw, "", None, {}, NOW), "greenhouse")
            both = pulls[step["from"]], pulls[step["to"]]
            assert all(pull.complete for pull in both)
            old, new = ({int(each.external_id) for each in pull.postings} for pull in both)
            assert sorted(new - old) == sorted(step["opened"]), (company, step["to"])
            assert sorted(old - new) == sorted(step["closed"]), (company, step["to"])
            compared += 1
    assert compared == 160
