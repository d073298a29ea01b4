"""Each job board's answers: what is read, and when an answer counts as the whole board."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, Salary
from sightline.sources.boards.answers import (
    board_document,
    kind_of,
    parse_board,
)
from sightline.sources.boards.pages import BoardPage
from sightline.sources.boards.registry import BOARDS
from sightline.sources.values import number

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


def read(content: Any, kind: str | None = None, *, url: str = "", offset: int = 0) -> BoardPage:
    raw = (
        content
        if isinstance(content, bytes)
        else content.encode()
        if isinstance(content, str)
        else None
    )
    body = Body(url, raw if raw is not None else json.dumps(content).encode(), "", None, {}, NOW)
    return parse_board(body, kind, offset=offset)


def places(posting: ParsedPosting) -> list[tuple[str | None, str | None, str | None]]:
    return [(place.city, place.region, place.country_code) for place in posting.locations]


GREENHOUSE = {
    "id": 41,
    "internal_job_id": 7,
    "title": " Platform Engineer ",
    "absolute_url": "https://boards.greenhouse.io/orchard/jobs/41",
    "location": {"name": "Austin, TX; Remote - Canada"},
    "updated_at": "2026-03-01T10:00:00-05:00",
    "first_published": "2026-02-01T09:00:00-05:00",
    "requisition_id": "R-9",
    "language": "en",
    "content": "&lt;p&gt;Pay: $120,000 - $150,000 a year.&lt;/p&gt;&lt;ul&gt;&lt;li&gt;C &amp;amp; C++"
    "&lt;/li&gt;&lt;/ul&gt;",
    "departments": [{"id": 1, "name": "Engineering"}],
    "metadata": [{"name": "Time Type", "value": "Full time", "value_type": "single_select"}],
}


def test_greenhouse() -> None:
    page = read({"jobs": [GREENHOUSE], "meta": {"total": 1}})
    assert (page.kind, page.complete, page.total) == ("greenhouse", True, 1)
    posting = page.postings[0]
    assert posting.external_id == "41"
    assert posting.title == "Platform Engineer"
    assert places(posting) == [("Austin", "TX", "US"), (None, None, "CA")]
    assert posting.posted_at == datetime(2026, 2, 1, 14, tzinfo=UTC)
    assert posting.updated_at == datetime(2026, 3, 1, 15, tzinfo=UTC)
    assert posting.description == "Pay: $120,000 - $150,000 a year.\n\n- C & C++"
    assert posting.salary == Salary(120_000, 150_000, "USD", "year")
    assert (posting.department, posting.employment_type, posting.remote) == (
        "Engineering", "full_time", "remote",
    )  # fmt: skip
    assert (posting.requisition_id, posting.language) == ("R-9", "en")


def test_greenhouse_without_first_publication_has_no_posting_day() -> None:
    job = {**GREENHOUSE, "first_published": None, "requisition_id": "See Opening ID"}
    posting = read({"jobs": [job], "meta": {"total": 1}}).postings[0]
    assert posting.posted_at is None
    assert posting.requisition_id is None


@pytest.mark.parametrize(
    "answer",
    [
        {"jobs": [GREENHOUSE], "meta": {"total": 2}},
        {"jobs": [GREENHOUSE]},
        {"jobs": [GREENHOUSE, {"id": 42}], "meta": {"total": 2}},
        GREENHOUSE,
    ],
    ids=["fewer than the total", "no total", "a row that cannot be read", "one job"],
)
def test_greenhouse_is_not_complete(answer: Any) -> None:
    page = read(answer, "greenhouse")
    assert not page.complete
    assert len(page.postings) == 1


def test_greenhouse_pay_in_fields() -> None:
    job = {**GREENHOUSE, "content": "", "pay_input_ranges": [
        {"min_cents": 5000000, "max_cents": 6000000, "currency_type": "EUR", "title": "Annual pay"}
    ]}  # fmt: skip
    posting = read({"jobs": [job]}).postings[0]
    assert posting.salary == Salary(50_000, 60_000, "EUR", "year")


def test_greenhouse_by_department() -> None:
    job = {key: value for key, value in GREENHOUSE.items() if key != "departments"}
    page = read({"departments": [{"name": "Sales", "jobs": [job]}, {"name": "Idle", "jobs": []}]})
    assert page.postings[0].department == "Sales"
    assert not page.complete


LEVER = {
    "id": "a-1",
    "text": "Analyst (Part-time)",
    "hostedUrl": "https://jobs.lever.co/mill/a-1",
    "createdAt": 1767261600000,
    "categories": {
        "commitment": "Permanent",
        "team": "Data",
        "location": "Lyon",
        "allLocations": ["Lyon"],
    },
    "country": "FR",
    "workplaceType": "hybrid",
    "description": "<div>About</div>",
    "lists": [{"text": "You", "content": "<li>count</li>"}],
    "additional": "<div>More</div>",
    "salaryRange": {"min": 40000, "max": 45000, "currency": "EUR", "interval": "per-year-salary"},
}


def test_lever() -> None:
    page = read([LEVER])
    posting = page.postings[0]
    assert (page.kind, page.complete) == ("lever", True)
    assert places(posting) == [("Lyon", None, "FR")]
    assert posting.employment_type == "part_time"
    assert posting.remote == "hybrid"
    assert posting.salary == Salary(40_000, 45_000, "EUR", "year")
    assert posting.description == "About\n\nYou\n\n- count\n\nMore"
    assert posting.posted_at == datetime(2026, 1, 1, 10, tzinfo=UTC)
    assert posting.updated_at is None


def test_lever_pages_and_filters_are_parts() -> None:
    paged = read([LEVER], url="https://api.lever.co/v0/postings/mill?mode=json&limit=1&skip=3")
    assert not paged.complete
    assert paged.offset == 3
    assert paged.next is not None
    assert paged.next.offset == 4
    assert not read(
        [LEVER], url="https://api.lever.co/v0/postings/mill?mode=json&team=Data"
    ).complete


def test_ashby_hides_unlisted_and_reads_pay() -> None:
    job = {
        "id": "x", "title": "Chef", "isListed": True, "jobUrl": "https://jobs.ashbyhq.com/mill/x",
        "employmentType": "FullTime", "workplaceType": "OnSite", "publishedAt": "2026-01-01T00:00:00Z",
        "location": "Paris", "address": {"postalAddress": {"addressCountry": "France"}},
        "secondaryLocations": [{"location": "Berlin, Germany"}],
        "compensation": {"summaryComponents": [{"compensationType": "Salary", "interval": "1 YEAR",
                         "currencyCode": "EUR", "minValue": 30000, "maxValue": 35000}]},
    }  # fmt: skip
    page = read({"apiVersion": "1", "jobs": [job, {**job, "id": "y", "isListed": False}]})
    posting = page.postings[0]
    assert (page.kind, page.complete, len(page.postings)) == ("ashby", True, 1)
    assert posting.salary == Salary(30_000, 35_000, "EUR", "year")
    assert (posting.remote, posting.employment_type) == ("on_site", "full_time")
    assert places(posting) == [("Paris", None, "FR"), ("Berlin", None, "DE")]


def test_smartrecruiters_pages() -> None:
    row = {
        "id": "1", "name": "Nurse", "refNumber": "REF1A", "releasedDate": "2026-02-02T00:00:00.000Z",
        "company": {"identifier": "Mill"}, "typeOfEmployment": {"label": "Part-time"},
        "location": {"city": "Leeds", "country": "gb", "remote": False, "hybrid": True},
        "department": {}, "function": {"label": "Care"},
    }  # fmt: skip
    url = "https://api.smartrecruiters.com/v1/companies/Mill/postings?limit=1&offset=0"
    page = read({"offset": 0, "limit": 1, "totalFound": 2, "content": [row]}, url=url)
    posting = page.postings[0]
    assert page.kind == "smartrecruiters"
    assert not page.complete
    assert page.next is not None
    assert page.next.offset == 1
    assert "offset=1" in page.next.url
    assert posting.url == "https://jobs.smartrecruiters.com/Mill/1"
    assert (posting.remote, posting.employment_type, posting.department) == (
        "hybrid", "part_time", "Care",
    )  # fmt: skip
    assert places(posting) == [("Leeds", None, "GB")]
    whole = read({"offset": 0, "totalFound": 1, "content": [row]}, url=url)
    assert whole.complete


def test_workable_rows_of_one_job_are_one_posting() -> None:
    row = {"title": "Tutor", "shortcode": "AB12", "telecommuting": True, "published_on": "2026-02-03",
           "created_at": "2026-01-01", "url": "https://apply.workable.com/j/AB12"}  # fmt: skip
    page = read({"name": "Mill", "jobs": [
        {**row, "locations": [{"country": "Spain", "countryCode": "ES", "city": "Vigo"}]},
        {**row, "locations": [{"country": "Portugal", "countryCode": "PT", "city": ""}]},
    ]})  # fmt: skip
    assert page.complete
    assert len(page.postings) == 1
    assert places(page.postings[0]) == [("Vigo", None, "ES"), (None, None, "PT")]
    assert page.postings[0].posted_at == datetime(2026, 2, 3, tzinfo=UTC)
    assert page.postings[0].remote == "remote"


def test_workable_paged() -> None:
    page = read(
        {
            "total": 2,
            "nextPage": "t0k",
            "results": [{"shortcode": "A", "title": "T", "type": "full"}],
        },
        url="https://apply.workable.com/api/v3/accounts/mill/jobs",
    )
    assert not page.complete
    assert page.next is not None
    assert (page.next.method, page.next.json) == ("POST", {"token": "t0k"})
    assert page.postings[0].employment_type == "full_time"


def test_recruitee() -> None:
    page = read({"offers": [{
        "id": 5, "title": "Buyer", "careers_url": "https://mill.recruitee.com/o/buyer", "hybrid": True,
        "employment_type_code": "parttime_permanent", "department": "Purchasing",
        "published_at": "2026-02-03 10:00:00 UTC", "updated_at": "2026-02-04 10:00:00 UTC",
        "locations": [{"city": "Graz", "state": "Styria", "country_code": "AT", "country": "Austria"}],
        "salary": {"min": "3000", "max": "3500", "period": "month", "currency": "EUR"},
        "description": "<p>Buy.</p>", "requirements": "<p>Care.</p>",
    }]})  # fmt: skip
    posting = page.postings[0]
    assert page.complete
    assert (posting.remote, posting.employment_type) == ("hybrid", "part_time")
    assert posting.salary == Salary(3000, 3500, "EUR", "month")
    assert posting.description == "Buy.\n\nCare."
    assert posting.updated_at == datetime(2026, 2, 4, 10, tzinfo=UTC)


def test_recruitee_gives_states_by_code_too() -> None:
    place = {"city": "Albany", "state_code": "NY", "country_code": "US"}
    offer = {"id": 6, "title": "Buyer", "careers_url": "https://mill.recruitee.com/o/buyer"}
    offers: list[dict[str, Any]] = [offer | {"locations": [place]}, offer | {"id": 7} | place]
    for posting in read({"offers": offers}).postings:
        [found] = posting.locations
        assert (found.city, found.region, found.country_code) == ("Albany", "NY", "US")


def test_teamtailor_feed_with_a_next_page_is_a_part() -> None:
    item = {"id": "u-1", "title": "Smith", "url": "https://mill.teamtailor.com/jobs/1-smith",
            "date_published": "2026-02-04T09:00:00+01:00", "content_html": "<p>Forge.</p>",
            "_jobposting": {"@type": "JobPosting", "employmentType": "FULL_TIME", "jobLocation": [
                {"address": {"addressLocality": "Oslo", "addressCountry": "NO"}}]}}  # fmt: skip
    page = read({"items": [item]})
    assert (page.kind, page.complete) == ("teamtailor", True)
    assert places(page.postings[0]) == [("Oslo", None, "NO")]
    assert page.postings[0].description == "Forge."
    paged = read({"items": [item], "next_url": "https://mill.teamtailor.com/jobs.json?page=2"})
    assert not paged.complete
    assert paged.next is not None


def test_teamtailor_rss() -> None:
    page = read(
        '<rss version="2.0" xmlns:tt="https://teamtailor.com/locations"><channel><item><title>Smith</title>'
        "<guid>g1</guid><link>https://mill.teamtailor.com/jobs/1</link><remoteStatus>hybrid</remoteStatus>"
        "<tt:locations><tt:location><tt:city>Oslo</tt:city><tt:country>Norway</tt:country></tt:location>"
        "</tt:locations><tt:department>Forge</tt:department></item></channel></rss>"
    )
    posting = page.postings[0]
    assert (page.kind, page.complete) == ("teamtailor", False)
    assert (places(posting), posting.department, posting.remote) == (
        [("Oslo", None, "NO")], "Forge", "hybrid",
    )  # fmt: skip


PERSONIO = """<?xml version="1.0" encoding="UTF-8"?><workzag-jobs><position><id>9</id><office>Munich, Germany
</office><additionalOffices><office>Vienna, Austria</office></additionalOffices><department>IT</department>
<name>Admin &amp; Support</name><jobDescriptions><jobDescription><name>Tasks</name><value><![CDATA[<p>Run it.
</p>]]></value></jobDescription></jobDescriptions><employmentType>permanent</employmentType>
<schedule>part-time</schedule><createdAt>2026-01-02T03:04:05+00:00</createdAt></position></workzag-jobs>"""


def test_personio() -> None:
    page = read(PERSONIO, url="https://mill.jobs.personio.de/xml")
    posting = page.postings[0]
    assert (page.kind, page.complete) == ("personio", True)
    assert posting.title == "Admin & Support"
    assert posting.url == "https://mill.jobs.personio.de/job/9"
    assert posting.employment_type == "part_time"
    assert posting.description == "Tasks\n\nRun it."
    assert places(posting) == [("Munich", None, "DE"), ("Vienna", None, "AT")]
    cut = read(PERSONIO[: PERSONIO.index("<schedule")])
    assert not cut.complete
    assert len(cut.postings) == 1


def test_bamboohr_counts() -> None:
    row = {"id": "8", "jobOpeningName": "Clerk", "departmentLabel": "Legal ", "locationType": "2",
           "employmentStatusLabel": "Full-Time", "location": {"city": "Miami", "state": "FL"}}  # fmt: skip
    url = "https://mill.bamboohr.com/careers/list"
    page = read({"meta": {"totalCount": 1}, "result": [row]}, url=url)
    posting = page.postings[0]
    assert page.complete
    assert posting.url == "https://mill.bamboohr.com/careers/8"
    assert (places(posting), posting.remote) == ([("Miami", "FL", "US")], "hybrid")
    assert not read({"meta": {"totalCount": 2}, "result": [row]}, url=url).complete


WORKDAY_URL = "https://mill.wd5.myworkdayjobs.com/wday/cxs/mill/Careers/jobs"


def workday_row(number: int, **more: Any) -> dict[str, Any]:
    return {
        "title": f"Job {number}",
        "externalPath": f"/job/Texas---Austin/Job-{number}_R{number}",
        "locationsText": "2 Locations",
        "postedOn": "Posted 3 Days Ago",
        "bulletFields": [f"R{number}"],
        **more,
    }


def test_workday() -> None:
    page = read({"total": 1, "jobPostings": [workday_row(1)]}, url=WORKDAY_URL)
    posting = page.postings[0]
    assert page.complete
    assert posting.external_id == "R1"
    assert posting.url == "https://mill.wd5.myworkdayjobs.com/Careers/job/Texas---Austin/Job-1_R1"
    assert places(posting) == [("Austin", "TX", "US")]
    assert posting.posted_at == datetime(2026, 3, 7, tzinfo=UTC)


def test_workday_thirty_days_and_more_is_no_day() -> None:
    row = workday_row(1, postedOn="Posted 30+ Days Ago", locationsText="Remote, Germany")
    posting = read({"total": 1, "jobPostings": [row]}).postings[0]
    assert posting.posted_at is None
    assert posting.remote == "remote"


def test_workday_pages() -> None:
    first = read({"total": 25, "jobPostings": [workday_row(n) for n in range(20)]}, url=WORKDAY_URL)
    assert not first.complete
    assert first.next is not None
    assert (first.next.method, first.next.offset) == ("POST", 20)
    assert first.next.json is not None
    assert first.next.json["offset"] == 20
    last = read(
        {"total": 0, "jobPostings": [workday_row(n) for n in range(20, 25)]}, "workday", offset=20
    )
    assert (last.total, last.next, last.complete) == (None, None, False)


def test_workday_cannot_prove_a_board_at_its_limit() -> None:
    page = read({"total": 2000, "jobPostings": [workday_row(n) for n in range(2000)]})
    assert not page.complete


def test_workday_detail() -> None:
    page = read({"jobPostingInfo": {
        "id": "z", "title": "Job", "jobReqId": "R1", "jobPostingId": "Job_R1-1", "startDate": "2026-02-01",
        "location": "Austin", "country": {"descriptor": "United States of America"}, "timeType": "Full time",
        "jobDescription": "<p>Do.</p>", "externalUrl": "https://mill.wd5.myworkdayjobs.com/C/job/x_R1-1",
    }})  # fmt: skip
    posting = page.postings[0]
    assert not page.complete
    assert (posting.external_id, posting.requisition_id) == ("R1-1", "R1")
    assert places(posting) == [("Austin", "TX", "US")]
    assert posting.employment_type == "full_time"


@pytest.mark.parametrize(
    ("kind", "content", "title", "place", "complete"),
    [
        (
            "eightfold",
            {"count": 1, "positions": [{"id": 3, "name": "Miner", "t_create": 1767261600,
             "canonicalPositionUrl": "https://mill.eightfold.ai/careers/job/3", "department": "Ore",
             "locations": ["Charlotte, North Carolina, United States of America"]}]},
            "Miner", ("Charlotte", "NC", "US"), True,
        ),
        (
            "breezy",
            [{"id": "q", "friendly_id": "q-cook", "name": "Cook", "url": "https://mill.breezy.hr/p/q",
              "published_date": "2026-01-01T00:00:00Z", "type": {"name": "Full-Time"},
              "location": {"city": "Bergen", "country": {"name": "Norway", "id": "NO"}}}],
            "Cook", ("Bergen", None, "NO"), True,
        ),
        (
            "pinpoint",
            {"data": [{"id": "1", "title": "Vet", "path": "/postings/1", "workplace_type": "onsite",
             "location": {"name": "Perth, Australia"}, "compensation": "$40 - $50 / hour"}]},
            "Vet", ("Perth", "WA", "AU"), True,
        ),
        (
            "rippling",
            [{"uuid": "u", "name": "Pilot", "url": "https://ats.rippling.com/mill/jobs/u",
              "department": {"label": "Air"}, "workLocation": {"label": "Remote (Ohio, US)"}}],
            "Pilot", (None, "OH", "US"), True,
        ),
        (
            "oracle",
            {"items": [{"TotalJobsCount": 5, "requisitionList": [{"Id": "77", "Title": "Diver",
             "PostedDate": "2026-01-02", "PrimaryLocation": "AARHUS, Denmark"}]}], "hasMore": False},
            "Diver", ("Aarhus", None, "DK"), False,
        ),
        (
            "icims",
            '<li class="iCIMS_JobCardItem"><div><span class="field-label">Job Locations</span>'
            "<span>US-TX-Austin</span></div>"
            '<a class="iCIMS_Anchor" href="https://careers-mill.icims.com/jobs/12/clerk/job?in_iframe=1">'
            "<h3>Clerk</h3></a></li>",
            "Clerk", ("Austin", "TX", "US"), False,
        ),
        (
            "jobvite",
            '<table class="jv-job-list"><tr><td><a href="/mill/job/oAbCdEfG">Cutter</a></td>'
            '<td class="jv-job-list-location">Reno, Nevada</td></tr></table>',
            "Cutter", ("Reno", "NV", "US"), False,
        ),
        (
            "jazzhr",
            '<ul><li class="list-group-item"><h3><a href="https://mill.applytojob.com/apply/AbCdEfGh12/Baker">'
            'Baker</a></h3><ul><li><i class="fa fa-map-marker"></i>Boise, ID</li></ul></li></ul>',
            "Baker", ("Boise", "ID", "US"), False,
        ),
        (
            "paylocity",
            '<script>window.pageData = {"Jobs":[{"JobId":4,"JobTitle":"Welder","PublishedDate":"2026-01-01",'
            '"JobLocation":{"City":"Raleigh","State":"NC","Country":"USA"}}]};</script>',
            "Welder", ("Raleigh", "NC", "US"), False,
        ),
        (
            "phenom",
            '<script>phApp.ddo = {"eagerLoadRefineSearch":{"totalHits":2,"data":{"jobs":[{"jobId":"P1",'
            '"title":"Sales Lead","location":"Rotterdam, South Holland, Netherlands"}]}}};</script>',
            "Sales Lead", ("Rotterdam", "South Holland", "NL"), False,
        ),
        (
            "hrmdirect",
            '<table><tr class="ReqRowClick" data-req-id="5"><td class="posTitle"><a href="j.php?req=5">'
            'Owner</a></td><td class="cities">Salem</td><td class="state">OR</td><td>07/15/2025</td></tr>'
            "</table>",
            "Owner", ("Salem", "OR", "US"), False,
        ),
        (
            "neogov",
            '<rss xmlns:j="http://www.neogov.com/namespaces/JobListing"><channel><item><title>Ranger</title>'
            "<link>https://www.governmentjobs.com/careers/mill/jobs/1</link><j:jobId>1</j:jobId>"
            "<j:location>Atlanta, Georgia</j:location></item></channel></rss>",
            "Ranger", ("Atlanta", "GA", "US"), False,
        ),
    ],
)  # fmt: skip
def test_other_systems(
    kind: str, content: Any, title: str, place: tuple[str | None, ...], complete: bool
) -> None:
    page = read(content)
    assert page.kind == kind
    assert [posting.title for posting in page.postings] == [title]
    assert places(page.postings[0]) == [place]
    assert page.complete is complete


JOB_PAGE = """<html><head><script type="application/ld+json">
{"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, {"@type": "JobPosting",
"title": "Potter", "datePosted": "2026-02-01", "identifier": {"@type": "PropertyValue", "value": "P-1"},
"employmentType": ["FULL_TIME", "PART_TIME"], "jobLocationType": "TELECOMMUTE",
"applicantLocationRequirements": {"@type": "Country", "name": "Germany"},
"baseSalary": {"@type": "MonetaryAmount", "currency": "EUR", "value": {"minValue": 20, "maxValue": 25,
"unitText": "HOUR"}}, "description": "&lt;p&gt;Throw clay.&lt;/p&gt;",}]}
</script></head><body>Potter</body></html>"""


def test_a_page_with_structured_data_is_one_posting() -> None:
    page = read(JOB_PAGE, url="https://mill.example/jobs/potter")
    posting = page.postings[0]
    assert (page.kind, page.complete) == ("job_pages", False)
    assert (posting.external_id, posting.url) == ("P-1", "https://mill.example/jobs/potter")
    assert posting.salary == Salary(20, 25, "EUR", "hour")
    assert (posting.employment_type, posting.remote) == ("full_time", "remote")
    assert places(posting) == [(None, None, "DE")]
    assert posting.description == "Throw clay."


def test_microdata() -> None:
    page = read(
        '<div itemscope itemtype="https://schema.org/JobPosting"><h1 itemprop="title">Weaver</h1>'
        '<meta itemprop="datePosted" content="2026-01-09"><div itemprop="jobLocation" itemscope '
        'itemtype="https://schema.org/Place"><div itemprop="address" itemscope '
        'itemtype="https://schema.org/PostalAddress"><span itemprop="addressLocality">Porto</span>'
        '<span itemprop="addressCountry">PT</span></div></div>'
        '<div itemprop="description"><p>Weave <b>cloth</b>.</p></div></div>',
        url="https://mill.example/jobs/weaver",
    )
    posting = page.postings[0]
    assert (posting.title, posting.description) == ("Weaver", "Weave cloth.")
    assert places(posting) == [("Porto", None, "PT")]
    assert posting.posted_at == datetime(2026, 1, 9, tzinfo=UTC)


def test_plain_links_are_openings_and_menus_are_not() -> None:
    page = read(
        '<nav><a href="/careers/life-at-mill">Life at Mill</a></nav><main><ul>'
        '<li><a href="/careers/senior-miller-12">Senior Miller</a>'
        '<span class="location">Lille, France</span></li>'
        '<li><h3>Stone Mason</h3><a href="/careers/stone-mason">Apply now</a></li></ul>'
        '<a href="/careers/our-benefits">Benefits</a><a href="/blog/first-post">First post</a></main>',
        url="https://mill.example/careers",
    )
    assert [posting.title for posting in page.postings] == ["Senior Miller", "Stone Mason"]
    assert places(page.postings[0]) == [("Lille", None, "FR")]
    assert page.postings[0].url == "https://mill.example/careers/senior-miller-12"
    assert not page.complete


@pytest.mark.parametrize("kind", [None, *BOARDS])
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\xff" * 50,
        b"<html><body><h1>404 Not Found</h1></body></html>",
        b'{"error": "Job not found"}',
        b'{"ok": false, "error": "Document not found"}',
        b'{"status": 404, "error": "x", "jobs": null}',
        b'{"jobs": [[], 3, null]}',
        b"null",
        b"[" * 5000,
    ],
)
def test_what_is_no_board_is_never_complete(content: bytes, kind: str | None) -> None:
    page = read(content, kind)
    assert not page.complete
    assert page.postings == ()
    assert page.notes


def test_a_cut_answer_gives_its_whole_rows_and_is_not_complete() -> None:
    whole = json.dumps({"jobs": [GREENHOUSE, {**GREENHOUSE, "id": 42}], "meta": {"total": 2}})
    page = read(whole[: whole.rindex('"id": 42') + 40])
    assert [posting.external_id for posting in page.postings] == ["41"]
    assert not page.complete


def test_an_empty_board_is_complete() -> None:
    assert read({"jobs": [], "meta": {"total": 0}}, "greenhouse").complete
    assert read([], "lever").complete


def test_kind_is_told_by_the_address_where_the_content_does_not() -> None:
    body = Body("https://api.lever.co/v0/postings/mill?mode=json", b"[]", "", None, {}, NOW)
    assert kind_of(body) == "lever"


def test_addresses_of_scripts_are_dropped() -> None:
    job = {**GREENHOUSE, "absolute_url": "javascript:alert(1)"}
    assert read({"jobs": [job]}).postings[0].url == ""


def test_documents() -> None:
    url = "https://boards-api.greenhouse.io/v1/boards/orchard/jobs"
    body = Body(
        url, json.dumps({"jobs": [GREENHOUSE], "meta": {"total": 1}}).encode(), "", None, {}, NOW
    )
    page = parse_board(body)
    document = board_document(page, body)
    assert document.observations[0].value == {
        "kind": "greenhouse", "token": "orchard", "url": "https://job-boards.greenhouse.io/orchard",
    }  # fmt: skip
    assert document.links[0].role == "posting"


def test_halves_of_characters_are_replaced_and_whole_ones_stay() -> None:
    source = json.dumps({"jobs": [GREENHOUSE], "meta": {"total": 1}})
    source = source.replace("Platform Engineer", r"Platform \ud800 Engineer \ud83d\ude80 \\udcff")
    page = read(source)
    assert page.complete
    assert page.postings[0].title == "Platform \ufffd Engineer \U0001f680 \\udcff"
    assert page.postings[0].title.encode()


def test_the_bamboohr_widget_of_a_site() -> None:
    def department(name: str, *jobs: tuple[int, str, str]) -> str:
        entries = "".join(
            f"<li id=bhrPositionID_{key} class=BambooHR-ATS-Jobs-Item>"
            f"<a href='//orchard.bamboohr.com/careers/{key}'>\n {title} </a>"
            f"<span class=BambooHR-ATS-Location>{place}</span></li>"
            for key, title, place in jobs
        )
        return (
            f"<li class=BambooHR-ATS-Department-Item><div class=BambooHR-ATS-Department-Header>{name}</div>"
            f"<ul class=BambooHR-ATS-Jobs-List>{entries}</ul></li>"
        )

    page = read(
        "<div class=BambooHR-ATS-board><ul>"
        + department("G&amp;A", (10, "Accountant", "Calgary, AB"))
        + department("Growing", (20, "R&amp;D Grower", "Remote"), (10, "Accountant", "Calgary, AB"))
        + "<li class=BambooHR-ATS-Jobs-Item>No anchor</li></ul></div>",
        url="https://orchard.bamboohr.com/jobs/embed2.php",
    )
    assert page.kind == "bamboohr"
    assert not page.complete
    assert [(each.external_id, each.title, each.department) for each in page.postings] == [
        ("10", "Accountant", "G&A"),
        ("20", "R&D Grower", "Growing"),
    ]
    assert page.postings[0].url == "https://orchard.bamboohr.com/careers/10"
    assert places(page.postings[0]) == [("Calgary", "AB", "CA")]
    assert page.postings[1].remote == "remote"


def test_the_answer_that_an_ashby_page_asks_for() -> None:
    page = read(
        {
            "data": {
                "jobBoard": {
                    "teams": [{"id": "t1", "name": "Growing", "parentTeamId": None}],
                    "jobPostings": [
                        {
                            "id": "p1",
                            "title": "Pruner",
                            "teamId": "t1",
                            "locationName": "London",
                            "employmentType": "FullTime",
                            "secondaryLocations": [{"locationId": "x", "locationName": "Paris"}],
                            "compensationTierSummary": "£70K - £90K",
                        }
                    ],
                }
            }
        }
    )
    assert (page.kind, page.complete) == ("ashby", True)
    job = page.postings[0]
    assert (job.title, job.department, job.employment_type) == ("Pruner", "Growing", "full_time")
    assert [place.raw for place in job.locations] == ["London", "Paris"]
    assert job.salary == Salary(70000.0, 90000.0, "GBP", "year")


@pytest.mark.parametrize(
    ("written", "number_of"),
    [
        ("2.500,00", 2500.0),
        ("52.000", 52000.0),
        ("1.250.000", 1250000.0),
        ("52,000", 52000.0),
        ("52,000.50", 52000.5),
        ("19,5", 19.5),
        ("19.5", 19.5),
        ("0.125", 0.125),
        ("about 5", None),
    ],
)
def test_amounts_as_they_are_written(written: str, number_of: float | None) -> None:
    assert number({"amount": written}, "amount") == number_of
