"""Pulls of job boards: whole and partial, known, found on the careers page, and guessed."""

from datetime import datetime
from functools import partial
from typing import Any

import pytest

from sightline.domain.evidence import Observation, Parsed
from sightline.sources.context import EvidenceContext
from sightline.sources.contract import Context, Source
from sightline.sources.job_boards.connector import JOB_BOARDS
from sightline.store.facts import read_facts
from tests.parsing import says
from tests.sources.collecting import Collecting, page

GREENHOUSE = "https://boards-api.greenhouse.io/v1/boards/tarn"
SMART = "https://api.smartrecruiters.com/v1/companies/Tarn/postings"
PLACE = {"name": "Kendal, United Kingdom"}


def jobs(
    *titles: str, name: str = "Tarn Instruments", host: str = "job-boards.greenhouse.io"
) -> Any:
    rows = [
        {
            "id": sum(title.encode()),
            "title": title,
            "company_name": name,
            "absolute_url": f"https://{host}/tarn/jobs/{sum(title.encode())}",
            "location": PLACE,
            "updated_at": "2026-07-01T08:00:00Z",
            "content": f"&lt;p&gt;{title}: you know water.&lt;/p&gt;",
        }
        for title in titles
    ]
    return {"jobs": rows, "meta": {"total": len(rows)}}


async def knows(tarn: Collecting, field: str, value: Any) -> None:
    """Let a page of the company's site have said something."""

    async def say(context: Context, target: Any) -> None:
        said = Parsed(
            "page", "", observations=(Observation(field, value, "link", 0.9, pointer="a"),)
        )
        await context.document("https://tarn.example/", parse=partial(says, said), version=1)

    tarn.web.answer("https://tarn.example/", page("<h1>Tarn</h1>"))
    await tarn.collect(_source(say))


def _source(collect: Any) -> Source:
    return Source(JOB_BOARDS.manifest, collect)


BOARD = {"kind": "greenhouse", "token": "tarn", "url": "https://job-boards.greenhouse.io/tarn"}


async def test_a_whole_pull_opens_and_closes(tarn: Collecting) -> None:
    await knows(tarn, "job_board", BOARD)
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", jobs("Welder", "Hydrologist"))
    context = await tarn.collect(JOB_BOARDS)
    assert context.counts["postings"] == 2
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", jobs("Hydrologist", "Fitter"))
    await tarn.collect(JOB_BOARDS)
    found = await tarn.jobs()
    assert {title: job["closed_at"] is None for title, job in found.items()} == {
        "Welder": False,
        "Hydrologist": True,
        "Fitter": True,
    }
    document = (await tarn.documents())[f"{GREENHOUSE}/jobs?content=true"]
    assert document["sections"] == ["job", "job"]
    assert document["headings"] == ["Hydrologist", "Fitter"]
    assert "Hydrologist: you know water." in document["body_text"]


async def test_an_unchanged_board_is_not_read_again(
    tarn: Collecting, monkeypatch: pytest.MonkeyPatch
) -> None:
    await knows(tarn, "job_board", BOARD)
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", jobs("Welder"))
    await tarn.collect(JOB_BOARDS)

    def fail(*arguments: Any, **options: Any) -> None:
        raise AssertionError("parsed again")

    monkeypatch.setattr("sightline.sources.job_boards.reading.parse_board", fail)
    context = await tarn.collect(JOB_BOARDS)
    assert context.counts["fetched"] == 0
    assert context.counts["postings"] == 1, "it is still open"
    assert (await tarn.jobs())["Welder"]["closed_at"] is None


async def test_a_worker_that_dies_before_the_postings_are_stored_loses_none(
    tarn: Collecting, monkeypatch: pytest.MonkeyPatch
) -> None:
    await knows(tarn, "job_board", BOARD)
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", jobs("Welder"))

    async def die(*arguments: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(EvidenceContext, "pulled", die)
        with pytest.raises(KeyboardInterrupt):
            await tarn.collect(JOB_BOARDS)
    assert await tarn.jobs() == {}
    await tarn.collect(JOB_BOARDS)
    assert set(await tarn.jobs()) == {"Welder"}


def smart(*names: str, offset: int = 0, total: int | None = None) -> dict[str, Any]:
    rows = [
        {
            "id": f"74{sum(name.encode())}",
            "name": name,
            "company": {"identifier": "Tarn", "name": "Tarn Instruments"},
            "location": {"city": "Kendal", "country": "gb"},
            "releasedDate": "2026-07-01T08:00:00.000Z",
        }
        for name in names
    ]
    found = len(names) if total is None else total
    return {"offset": offset, "limit": 100, "totalFound": found, "content": rows}


async def test_a_pull_that_lacks_a_page_closes_nothing(tarn: Collecting) -> None:
    board = {
        "kind": "smartrecruiters",
        "token": "Tarn",
        "url": "https://jobs.smartrecruiters.com/Tarn",
    }
    await knows(tarn, "job_board", board)
    tarn.web.answer(SMART, smart("Welder", "Fitter", total=3))
    second = f"{SMART}?limit=100&offset=2"
    tarn.web.answer(second, smart("Clerk", offset=2, total=3))
    await tarn.collect(JOB_BOARDS)
    assert set(await tarn.jobs()) == {"Welder", "Fitter", "Clerk"}
    tarn.web.answer(SMART, smart("Welder", "Baker", total=3))
    tarn.web.answer(second, "Busy.", status=500)
    context = await tarn.collect(JOB_BOARDS)
    found = await tarn.jobs()
    assert "Baker" in found
    assert all(job["closed_at"] is None for job in found.values()), "the second page is missing"
    assert any("the pull stopped after 1 pages" in note for note in context.notes)
    tarn.web.answer(second, smart("Clerk", offset=2, total=3))
    await tarn.collect(JOB_BOARDS)
    assert [title for title, job in (await tarn.jobs()).items() if job["closed_at"]] == ["Fitter"]


async def test_texts_that_the_list_leaves_out_are_read_one_by_one(tarn: Collecting) -> None:
    board = {
        "kind": "smartrecruiters",
        "token": "Tarn",
        "url": "https://jobs.smartrecruiters.com/Tarn",
    }
    await knows(tarn, "job_board", board)
    tarn.web.answer(SMART, smart("Welder"))
    listed = smart("Welder")["content"][0]
    detail = listed | {
        "jobAd": {"sections": {"jobDescription": {"text": "<p>You weld gauges.</p>"}}}
    }
    tarn.web.answer(f"{SMART}/{listed['id']}", detail)
    await tarn.collect(JOB_BOARDS)
    assert (await tarn.jobs())["Welder"]["description"].endswith("You weld gauges.")
    tarn.web.answer(SMART, smart("Welder", "Fitter"))
    await tarn.collect(JOB_BOARDS)
    assert (await tarn.jobs())["Welder"]["description"].endswith("You weld gauges.")


async def test_a_guessed_board_must_show_that_it_is_the_companys(tarn: Collecting) -> None:
    tarn.web.answer(GREENHOUSE, {"name": "Tarn Instruments", "content": ""})
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", jobs("Welder"))
    context = await tarn.collect(JOB_BOARDS)
    assert set(await tarn.jobs()) == {"Welder"}
    assert "Greenhouse board tarn was found by its name." in context.notes
    (board,) = await tarn.facts("job_board")
    assert board["token"] == "tarn"


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("Tarn & Daughters Catering", jobs("Cook", name="Tarn & Daughters Catering")),
        (None, jobs("Cook", name="", host="careers.tarncatering.example")),
        (None, jobs("Cook", name="")),
        (None, {"jobs": [], "meta": {"total": 0}}),
    ],
)
async def test_a_namesakes_board_is_left_alone(
    tarn: Collecting, name: str | None, listed: dict[str, Any]
) -> None:
    if name:
        tarn.web.answer(GREENHOUSE, {"name": name, "content": ""})
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", listed)
    for _ in range(2):
        context = await tarn.collect(JOB_BOARDS)
        assert await tarn.jobs() == {}
        assert await tarn.facts("job_board") == []
        assert "No job board or list of open positions was found." in context.notes


async def test_postings_that_lead_to_the_companys_domain_prove_the_board(tarn: Collecting) -> None:
    listed = jobs("Welder", name="", host="www.tarn.example")
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", listed)
    await tarn.collect(JOB_BOARDS)
    assert set(await tarn.jobs()) == {"Welder"}


CAREERS = "https://tarn.example/careers"


async def test_openings_on_the_companys_own_pages(tarn: Collecting) -> None:
    await knows(tarn, "careers_url", CAREERS)
    links = "".join(
        f"<li><a href='/careers/jobs/{slug}'>{title}</a></li>"
        for slug, title in (("field-engineer-101", "Field engineer"), ("welder-102", "Welder"))
    )
    tarn.web.answer(CAREERS, page(f"<h1>Careers</h1><ul>{links}</ul>"))
    posting = (
        '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "JobPosting",'
        '"title": "Field engineer", "datePosted": "2026-07-09", "description": "<p>You climb dams.</p>",'
        '"jobLocation": {"@type": "Place", "address": {"addressLocality": "Kendal"}}}</script>'
    )
    tarn.web.answer(
        f"{CAREERS}/jobs/field-engineer-101", page("<h1>Field engineer</h1>", head=posting)
    )
    await tarn.collect(JOB_BOARDS)
    found = await tarn.jobs()
    assert set(found) == {"Field engineer", "Welder"}
    assert found["Field engineer"]["description"] == "You climb dams."
    assert found["Welder"]["board"] == "job_pages/tarn.example/careers"
    first = await last_pull(tarn)
    await tarn.collect(JOB_BOARDS)
    assert await last_pull(tarn) > first, "an unchanged page was pulled all the same"
    tarn.web.answer(CAREERS, page("<h1>Careers</h1><p>We have no openings.</p>"))
    await tarn.collect(JOB_BOARDS)
    assert all(job["closed_at"] is None for job in (await tarn.jobs()).values()), (
        "a page proves nothing"
    )


async def test_a_board_in_a_frame_of_the_careers_page(tarn: Collecting) -> None:
    await knows(tarn, "careers_url", CAREERS)
    script = "https://boards.greenhouse.io/embed/job_board/js?for=tarn"
    frame = f"<div id='grnhse_app'></div><script src='{script}'></script>"
    tarn.web.answer(CAREERS, page(f"<h1>Careers</h1>{frame}"))
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", jobs("Welder", name=""))
    await tarn.collect(JOB_BOARDS)
    assert set(await tarn.jobs()) == {"Welder"}
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", jobs("Fitter", name=""))
    await tarn.collect(JOB_BOARDS)
    assert (await tarn.jobs())["Fitter"]["closed_at"] is None, (
        "the page is unchanged, its board not"
    )


async def last_pull(tarn: Collecting) -> datetime:
    async with tarn.database.connection() as connection:
        found: datetime = await connection.fetchval(
            "SELECT max(last_pull_at) FROM job_boards WHERE company_id = $1", tarn.company_id
        )
    return found


async def test_a_list_of_other_companies_boards_is_not_pulled(tarn: Collecting) -> None:
    for token in ("alder", "birch", "cedar", "tarn"):
        await _add_board(tarn, token)
        url = f"https://boards-api.greenhouse.io/v1/boards/{token}/jobs?content=true"
        tarn.web.answer(url, jobs(f"Welder at {token}"))
    await tarn.collect(JOB_BOARDS)
    assert set(await tarn.jobs()) == {"Welder at tarn"}


async def _add_board(tarn: Collecting, token: str) -> None:
    value = {
        "kind": "greenhouse",
        "token": token,
        "url": f"https://job-boards.greenhouse.io/{token}",
    }
    said = Observation("job_board", value, "link", 0.9, pointer="a")

    async def say(context: Context, target: Any) -> None:
        url = f"https://tarn.example/{token}"
        await context.document(
            url, parse=partial(says, Parsed("page", "", observations=(said,))), version=1
        )

    tarn.web.answer(f"https://tarn.example/{token}", page(f"<h1>{token}</h1>"))
    await tarn.collect(_source(say))


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (200, "<html><body>Maintenance</body></html>", "no board"),
        (200, '{"jobs": [', "no board"),
        (403, "No.", "answered 403"),
        (500, "Busy.", "answered 500"),
        (404, "{}", "does not answer"),
    ],
)
async def test_a_known_board_that_fails_is_noted(
    tarn: Collecting, status: int, body: str, said: str
) -> None:
    await knows(tarn, "job_board", BOARD)
    tarn.web.answer(
        f"{GREENHOUSE}/jobs?content=true", body, status=status, media_type="application/json"
    )
    context = await tarn.collect(JOB_BOARDS)
    assert any(said in note for note in context.notes), context.notes
    assert await tarn.jobs() == {}
    assert len(await tarn.facts("job_board")) == 1


async def test_a_company_is_found_by_its_board_alone(tarn: Collecting) -> None:
    tarn.web.answer(GREENHOUSE, {"name": "Tarn Instruments"})
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", jobs("Welder"))
    board = "https://boards-api.greenhouse.io/v1/boards/tarninstruments"
    tarn.web.answer(board, {"name": "Tarn Instruments"})
    tarn.web.answer(f"{board}/jobs?content=true", jobs("Fitter"))
    found, context = await tarn.find(JOB_BOARDS, name="Tarn Instruments Ltd")
    assert [(each.key, each.name, each.domain) for each in found] == [
        ("greenhouse/tarninstruments", "Tarn Instruments", None)
    ]
    assert not await tarn.jobs(), "looking for a company stores no postings"
    assert context.counts["fetched"] == 2


async def test_a_board_proves_the_name_of_a_company_that_nothing_else_names(
    tarn: Collecting,
) -> None:
    listed = jobs("Welder")
    for row in listed["jobs"]:
        del row["company_name"]
    tarn.web.answer(GREENHOUSE, {"name": "Tarn Instruments"})
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", listed)
    await tarn.collect(JOB_BOARDS)
    async with tarn.database.connection() as connection:
        [fact] = await read_facts(connection, tarn.company_id, fields=("company_name",))
    assert (fact.value, fact.source, fact.pointer) == ("Tarn Instruments", "job_boards", "/name")
    assert fact.url == GREENHOUSE


async def test_another_companys_board_names_nobody(tarn: Collecting) -> None:
    tarn.web.answer(GREENHOUSE, {"name": "Tarn Kitchens"})
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", jobs("Welder", name="Tarn Kitchens"))
    found, _ = await tarn.find(JOB_BOARDS, name="Tarn", domain="tarn.example")
    assert found == []


async def test_a_domain_finds_the_board_whose_postings_name_it(tarn: Collecting) -> None:
    tarn.web.answer(GREENHOUSE, {"name": "Tarn"})
    tarn.web.answer(f"{GREENHOUSE}/jobs?content=true", jobs("Welder", host="tarn.example"))
    found, _ = await tarn.find(JOB_BOARDS, domain="tarn.example")
    assert [(each.name, each.domain) for each in found] == [("Tarn", "tarn.example")]


async def test_guesses_that_were_not_there_are_not_made_again(tarn: Collecting) -> None:
    first, again = await tarn.collect(JOB_BOARDS), await tarn.collect(JOB_BOARDS)
    assert first.counts["not_recorded"] > 10
    assert again.counts["not_recorded"] == 0
