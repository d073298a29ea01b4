"""Boards recognized by their URLs, where they answer, and names they may have."""

import pytest

from sightline.sources.boards.addresses import (
    board_of,
    board_page_url,
    board_urls,
    boards_in,
    probe_tokens,
)
from sightline.sources.boards.registry import BOARDS

ADDRESSES = [
    ("https://boards.greenhouse.io/mill/jobs/12?gh_src=x", ("greenhouse", "mill")),
    ("https://boards.greenhouse.io/embed/job_board/js?for=mill&amp;b=1", ("greenhouse", "mill")),
    ("https://job-boards.eu.greenhouse.io/mill", ("greenhouse", "eu:mill")),
    ("https://boards-api.greenhouse.io/v1/boards/mill/jobs?content=true", ("greenhouse", "mill")),
    ("https://jobs.lever.co/mill-co/1-2-3", ("lever", "mill-co")),
    ("https://jobs.eu.lever.co/mill", ("lever", "eu:mill")),
    ("https://jobs.ashbyhq.com/Mill%20Works/1", ("ashby", "Mill Works")),
    ("https://jobs.smartrecruiters.com/MillInc/744000-clerk", ("smartrecruiters", "MillInc")),
    ("https://apply.workable.com/mill/j/ABC123/", ("workable", "mill")),
    ("//mill.recruitee.com/o/clerk", ("recruitee", "mill")),
    ("https://mill.teamtailor.com/jobs", ("teamtailor", "mill")),
    ("https://mill.na.teamtailor.com/jobs", ("teamtailor", "mill.na.teamtailor.com")),
    ("https://mill.jobs.personio.com/job/1", ("personio", "mill")),
    ("https://mill.bamboohr.com/careers/12", ("bamboohr", "mill")),
    ("https://mill.wd5.myworkdayjobs.com/en-US/Careers/job/a_R1", ("workday", "mill.wd5/Careers")),
    (
        "https://mill.wd5.myworkdayjobs.com/wday/cxs/mill/Careers/jobs",
        ("workday", "mill.wd5/Careers"),
    ),
    (
        "https://wd3.myworkdaysite.com/en-US/recruiting/mill/Site",
        ("workday", "wd3.myworkdaysite.com/mill/Site"),
    ),
    ("https://mill.eightfold.ai/careers?domain=mill.example", ("eightfold", "mill/mill.example")),
    ("https://careers-mill.icims.com/jobs/search", ("icims", "careers-mill")),
    ("https://jobs.jobvite.com/mill/job/oAbc", ("jobvite", "mill")),
    ("https://mill.breezy.hr/p/1-clerk", ("breezy", "mill")),
    ("https://mill.applytojob.com/apply/AbC", ("jazzhr", "mill")),
    ("https://mill.pinpointhq.com/en/postings/1", ("pinpoint", "mill")),
    ("https://ats.rippling.com/en-GB/mill/jobs", ("rippling", "mill")),
    (
        "https://abcd.fa.us2.oraclecloud.com/hcmUI/CandidateExperience/en/sites/CX_1/jobs",
        ("oracle", "abcd.fa.us2/CX_1"),
    ),
    ("https://mill.hrmdirect.com/employment/job-openings.php", ("hrmdirect", "mill")),
    ("https://www.governmentjobs.com/careers/milltown", ("neogov", "milltown")),
]


@pytest.mark.parametrize(("url", "board"), ADDRESSES, ids=[url for url, _ in ADDRESSES])
def test_board_of_address(url: str, board: tuple[str, str]) -> None:
    assert board_of(url) == board
    assert board[0] in BOARDS
    assert all(request.url.startswith("https://") for request in board_urls(*board))
    assert board_urls(*board)
    page = board_page_url(*board)
    assert page is not None
    assert board_of(page) == board or board[0] == "eightfold"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "https://www.lever.co/",
        "https://www.workable.com/pricing",
        "https://apply.workable.com/j/ABC123",
        "https://support.greenhouse.io/hc",
        "https://help.bamboohr.com/s/",
        "https://mill.example/jobs",
        "https://mill.example/?u=https://jobs.lever.co/mill",
        "https://jobs.lever.co.evil.example/mill",
        "not an address",
    ],
)
def test_other_addresses_are_no_board(url: str) -> None:
    assert board_of(url) is None


def test_requests_go_where_the_board_answers() -> None:
    workday = board_urls("workday", "mill.wd5/Careers")[0]
    assert (workday.method, workday.url) == (
        "POST", "https://mill.wd5.myworkdayjobs.com/wday/cxs/mill/Careers/jobs",
    )  # fmt: skip
    assert board_urls("ashby", "Mill Works")[0].url.startswith(
        "https://api.ashbyhq.com/posting-api/job-board/Mill%20Works"
    )
    assert board_urls("lever", "eu:mill")[0].url.startswith(
        "https://api.eu.lever.co/v0/postings/mill"
    )
    assert (
        board_urls("teamtailor", "jobs.mill.example")[0].url
        == "https://jobs.mill.example/jobs.json"
    )
    assert board_urls("unknown", "mill") == ()


def test_boards_named_in_a_page() -> None:
    source = (
        r'<script>var u="https:\/\/boards.greenhouse.io\/embed\/job_board\/js?for=mill"</script>'
        '<a href="//jobs.lever.co/mill/1">One</a><a href="https://jobs.lever.co/mill/2">Two</a>'
        '<a href="https://www.lever.co/">Powered by</a>'
    )
    assert [board[:2] for board in boards_in(source)] == [("greenhouse", "mill"), ("lever", "mill")]


def test_probe_tokens_are_few_and_likely() -> None:
    assert probe_tokens("Orchard & Mill Inc.", "orchardmill.example")[0] == "orchardmill"
    assert "figment" in probe_tokens("Figment", "getfigment.example")
    assert probe_tokens("Ochre Lab USA, Inc.")[:2] == ("ochrelab", "ochre-lab")
    assert probe_tokens("株式会社", None) == ()
    assert len(probe_tokens("A Very Long Name Of A Company Limited", "long-name.example")) <= 6
    assert "jobs" not in probe_tokens("Jobs", "jobs.example")
