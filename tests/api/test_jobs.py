"""Job postings over the API: pages, filters, trends, and live refreshes with what they cost."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.domain.evidence import Body, Parsed
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.enrich.refresh_jobs import refresh_jobs
from sightline.kit.fetch.answer import Answer
from sightline.kit.ids import new_id
from sightline.queue.runner import Runner
from sightline.sources.contract import Context, Manifest, Source, SourceIsAway, Target
from sightline.store import jobs
from sightline.store.credits import grant
from sightline.store.database import Database
from sightline.store.postings import store_pull
from tests.api.conftest import Connect
from tests.conftest import Tenant

NOW = datetime.now(UTC)
BERLIN = PostingLocation("Berlin, Germany", "Berlin", "Berlin", "DE")
LEEDS = PostingLocation("Leeds", "Leeds", None, "GB")


def posting(n: int, title: str, place: PostingLocation = BERLIN, **more: Any) -> ParsedPosting:
    values = {
        "description": f"Python is used in job {n}.",
        "posted_at": NOW - timedelta(days=n),
        "locations": (place,),
    } | more
    return ParsedPosting(str(n), title, f"https://jobs.example/{n}", **values)


LISTED = [
    posting(1, "Sales Manager"),
    posting(2, "Senior Data Engineer", LEEDS),
    posting(3, "Accountant", LEEDS),
    posting(4, "Data Analyst"),
]


async def add_company(owner: Database) -> UUID:
    company_id = new_id()
    async with owner.connection() as connection:
        await connection.execute(
            """
            INSERT INTO companies (company_id, company_name, name_key, record, document)
            VALUES ($1, 'Quill', $1::uuid::text, '{}',
              json_build_object('company_id', $1::uuid)::text)
            """,
            company_id,
        )
    return company_id


async def pull(
    owner: Database, company_id: UUID, listed: Sequence[ParsedPosting], *, at: datetime = NOW
) -> None:
    async with owner.connection() as connection, connection.transaction():
        await store_pull(
            connection,
            company_id,
            board="greenhouse/quill",
            source="job_boards",
            listed=listed,
            complete=True,
            document_id=None,
            pulled_at=at,
        )


@pytest.fixture
async def company_id(owner: Database) -> UUID:
    return await add_company(owner)


@pytest.fixture
async def hiring(owner: Database, company_id: UUID) -> UUID:
    """A company with three open postings and a closed one."""
    await pull(owner, company_id, LISTED, at=NOW - timedelta(hours=5))
    await pull(owner, company_id, LISTED[:3])
    return company_id


Get = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture
def get(client: httpx.AsyncClient) -> Get:
    async def ask(company_id: UUID, below: str = "", **params: Any) -> httpx.Response:
        return await client.get(f"{BASE_PATH}/companies/{company_id}/jobs{below}", params=params)

    return ask


def titles(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [item["title"] for item in answer.json()["items"]]


async def test_every_field(get: Get, hiring: UUID) -> None:
    answer = await get(hiring, active=True, title="engineer")
    (job,) = answer.json()["items"]
    assert job["company_id"] == str(hiring)
    assert (job["title"], job["normalized_title"]) == ("Senior Data Engineer",) * 2
    assert (job["department"], job["seniority"]) == ("data", "senior")
    assert job["locations"] == [
        {"raw": "Leeds", "city": "Leeds", "region": None, "country_code": "GB"}
    ]
    assert (job["skills"], job["technologies"]) == (["Python"], ["Python"])
    assert (job["active"], job["closed_at"], job["source"]) == (True, None, "job_boards")
    assert job["posted_at"].endswith("Z")
    assert {"employment_type", "remote", "salary", "openings", "description", "url"} < set(job)
    assert answer.json()["meta"] == {
        "live_requested": False,
        "refreshed": False,
        "refreshed_at": NOW.isoformat().replace("+00:00", "Z"),
        "reason": None,
    }
    assert answer.headers["x-credits-charged"] == "0"


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, ["Sales Manager", "Senior Data Engineer", "Accountant", "Data Analyst"]),
        ({"active": True}, ["Sales Manager", "Senior Data Engineer", "Accountant"]),
        ({"active": False}, ["Data Analyst"]),
        ({"department": "data"}, ["Senior Data Engineer", "Data Analyst"]),
        ({"department": "Data"}, ["Senior Data Engineer", "Data Analyst"]),
        ({"department": "Business Development"}, []),
        ({"location": "berlin"}, ["Sales Manager", "Data Analyst"]),
        ({"location": "BÉRLIN"}, ["Sales Manager", "Data Analyst"]),
        ({"location": "GB"}, ["Senior Data Engineer", "Accountant"]),
        ({"location": "Germany"}, ["Sales Manager", "Data Analyst"]),
        ({"location": "100%_"}, []),
        ({"location": "Berlin, Germany"}, ["Sales Manager", "Data Analyst"]),
        ({"location": "Leeds, France"}, []),
        ({"location": "Europe"}, ["Sales Manager", "Senior Data Engineer", "Accountant", "Data Analyst"]),
        ({"location": "DACH"}, ["Sales Manager", "Data Analyst"]),
        ({"location": "APAC"}, []),
        ({"location": "remote"}, []),
        ({"title": "data senior"}, ["Senior Data Engineer"]),
        ({"title": "Señior data"}, ["Senior Data Engineer"]),
        ({"posted_since": (NOW - timedelta(hours=36)).isoformat()}, ["Sales Manager"]),
        ({"posted_since": "2999-01-01"}, []),
    ],
)  # fmt: skip
async def test_filters(get: Get, hiring: UUID, params: dict[str, Any], expected: list[str]) -> None:
    answer = await get(hiring, **params)
    assert titles(answer) == expected
    assert answer.json()["pagination"]["total"] == len(expected)


async def test_places_by_any_of_their_names(get: Get, owner: Database, company_id: UUID) -> None:
    away = PostingLocation("Remote - California", None, "CA", "US")
    listed = [
        posting(1, "Clerk", PostingLocation("NYC", "New York", "NY", "US")),
        posting(2, "Baker", PostingLocation("Muenchen", "Muenchen", None, "DE")),
        posting(3, "Miller", PostingLocation("SF", "San Francisco", "CA", "US")),
        posting(4, "Tailor", away, remote="remote"),
        posting(5, "Cook", PostingLocation("Atlanta, GA", "Atlanta", "GA", "US"), remote="remote"),
        posting(6, "Smith", PostingLocation("Tbilisi", "Tbilisi", None, "GE")),
        posting(7, "Sailor", PostingLocation("Albany, Australia", "Albany", "WA", "AU")),
    ]
    await pull(owner, company_id, listed)
    for asked, expected in {
        "NYC": ["Clerk"],
        "NY": ["Clerk"],
        "New York City": ["Clerk"],
        "Munich": ["Baker"],
        "München, Germany": ["Baker"],
        "California": ["Miller", "Tailor"],
        "San Francisco, USA": ["Miller"],
        "remote": ["Tailor", "Cook"],
        "Remote, California": ["Tailor"],
        "remote US": ["Tailor", "Cook"],
        "Georgia": ["Cook", "Smith"],
    }.items():
        assert titles(await get(company_id, location=asked)) == expected, asked


async def test_the_employers_own_department_counts_where_a_title_names_none(
    get: Get, owner: Database, company_id: UUID
) -> None:
    listed = [
        posting(1, "Senior Analyst", department="Risk & Finance"),
        posting(2, "Software Engineer", department="Sales"),
    ]
    await pull(owner, company_id, listed)
    assert titles(await get(company_id, department="Finance")) == ["Senior Analyst"]
    assert titles(await get(company_id, department="engineering")) == ["Software Engineer"]


async def test_an_unknown_department_is_never_silent(get: Get, hiring: UUID) -> None:
    answer = await get(hiring, department="enginering")
    assert titles(answer) == []
    assert '"engineering"' in answer.headers["x-warning"]


async def test_pages_and_cursor_agree_and_bear_new_rows(
    get: Get, hiring: UUID, owner: Database
) -> None:
    first = await get(hiring, per_page=3)
    cursor = first.json()["pagination"]["next_cursor"]
    await pull(owner, hiring, [*LISTED[:3], posting(0, "New Hire")], at=NOW + timedelta(seconds=1))
    assert titles(await get(hiring, per_page=3, cursor=cursor)) == ["Data Analyst"]
    assert titles(await get(hiring, per_page=2, page=3)) == ["Data Analyst"]
    bound = await get(hiring, per_page=3, cursor=cursor, active=True)
    assert bound.status_code == 400


async def test_unknown_companies(get: Get, company_id: UUID) -> None:
    assert (await get(new_id())).status_code == 404
    assert (await get(new_id(), "/trends")).status_code == 404
    assert (await get(new_id(), live=True)).status_code in (402, 404)
    assert titles(await get(company_id)) == []


async def test_trends(get: Get, hiring: UUID) -> None:
    months = {f"{datetime.now(UTC):%Y-%m}"}
    found = (await get(hiring, "/trends", months=3)).json()
    months.add(f"{datetime.now(UTC):%Y-%m}")  # two of them in the night of a month's end
    assert found["months"][-1]["month"] in months
    assert found["observed_since"].startswith(f"{NOW - timedelta(hours=5):%Y-%m-%dT%H:%M}")
    assert len(found["months"]) == 3
    assert sum(month["opened"] for month in found["months"]) == 4
    assert sum(month["closed"] for month in found["months"]) == 1
    assert found["months"][-1]["active"] == 3
    departments = {each["department"]: each for each in found["departments"]}
    assert departments["data"] == {"department": "data", "opened": 2, "closed": 1, "active": 1}
    places = {each["city"]: (each["opened"], each["active"]) for each in found["locations"]}
    assert places == {"Leeds": (2, 2), "Berlin": (2, 1)}
    assert (await get(hiring, "/trends", months=61)).status_code == 400


class FakeBoards:
    """The job boards' source, without a web: what `listed` says, by way of a real document."""

    def __init__(self) -> None:
        self.listed: list[ParsedPosting] = []
        self.collected = 0
        self.is_away = False
        manifest = Manifest("job_boards", "Boards", "jobs", "", "", (), 1)
        self.source = Source(manifest, self.collect)

    async def collect(self, context: Context, target: Target) -> None:
        self.collected += 1
        if self.is_away:
            raise SourceIsAway("boards.example answered 503.")
        if not self.listed:
            return
        document = await context.document("https://boards.example/quill", parse=_parse, version=1)
        assert document is not None
        await context.pulled(
            "greenhouse", "quill", self.listed, complete=True, document_id=document.document_id
        )


def _parse(body: Body) -> Parsed:
    return Parsed("data", body.content.decode())


class FakeFetcher:
    """Answers each request with the next of `bodies`, the last one for ever."""

    def __init__(self, bodies: list[bytes]) -> None:
        self.bodies = bodies

    async def get(self, url: str, **options: Any) -> Any:
        content = self.bodies.pop(0) if len(self.bodies) > 1 else self.bodies[0]
        return Answer(
            url=url,
            status=200,
            final_url=url,
            redirects=(),
            headers={"content-type": "application/json"},
            content=content,
            fetched_at=datetime.now(UTC),
            elapsed=0.0,
        )


@pytest.fixture
def boards() -> FakeBoards:
    return FakeBoards()


@pytest.fixture
async def worker(owner: Database, boards: FakeBoards) -> Any:
    """A worker that does refreshes while the test runs."""
    fetcher: Any = FakeFetcher([b"[1]", b"[1]", b"[2]"])
    stop = asyncio.Event()
    handler = partial(refresh_jobs, owner, fetcher, [boards.source])
    runner = Runner(owner, {jobs.WORK_KIND: handler}, slots=1, per_organization=4)
    task = asyncio.create_task(runner.run(stop))
    yield task
    stop.set()
    await task


async def give(database: Database, tenant: Tenant, amount: int) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="company", amount=amount, reason="test")


async def age(owner: Database, company_id: UUID) -> None:
    """Let the last pull be of yesterday."""
    async with owner.connection() as connection:
        await connection.execute(
            "UPDATE job_boards SET last_pull_at = last_pull_at - interval '1 day' WHERE company_id = $1",
            company_id,
        )


@pytest.mark.usefixtures("worker")
async def test_live_charges_only_what_was_fetched(
    get: Get,
    company_id: UUID,
    boards: FakeBoards,
    database: Database,
    owner: Database,
    tenant: Tenant,
) -> None:
    await give(database, tenant, 2)
    boards.listed = LISTED[:2]
    first = await get(company_id, live=True)
    assert titles(first) == ["Sales Manager", "Senior Data Engineer"]
    assert (first.json()["meta"]["refreshed"], first.json()["meta"]["reason"]) == (True, "fetched")
    assert first.headers["x-credits-charged"] == "1"
    assert first.headers["x-credits-remaining"] == "1"
    # Minutes later nothing is asked again.
    fresh = await get(company_id, live=True)
    assert fresh.json()["meta"]["reason"] == "fresh"
    assert fresh.headers["x-credits-charged"] == "0"
    assert boards.collected == 1
    # A day later the board answers the same bytes: refreshed, free.
    await age(owner, company_id)
    same = await get(company_id, live=True)
    assert (same.json()["meta"]["refreshed"], same.json()["meta"]["reason"]) == (True, "unchanged")
    assert same.headers["x-credits-charged"] == "0"
    await age(owner, company_id)
    boards.listed = LISTED[:3]
    both = await asyncio.gather(get(company_id, live=True), get(company_id, live=True))
    assert [len(titles(each)) for each in both] == [3, 3]
    assert sorted(each.headers["x-credits-charged"] for each in both) == ["0", "1"]
    await age(owner, company_id)
    refused = await get(company_id, live=True)
    assert refused.status_code == 402


@pytest.mark.usefixtures("worker")
async def test_live_without_a_board(
    get: Get, company_id: UUID, database: Database, tenant: Tenant
) -> None:
    await give(database, tenant, 1)
    answer = await get(company_id, live=True)
    assert answer.json()["meta"] == {
        "live_requested": True,
        "refreshed": False,
        "refreshed_at": None,
        "reason": "nothing_found",
    }
    assert answer.headers["x-credits-remaining"] == "1"


@pytest.mark.usefixtures("worker")
async def test_live_with_a_board_that_does_not_answer(
    get: Get, hiring: UUID, boards: FakeBoards, database: Database, tenant: Tenant, owner: Database
) -> None:
    await give(database, tenant, 1)
    await age(owner, hiring)
    boards.is_away = True
    away = (await get(hiring, live=True)).json()
    assert (away["meta"]["refreshed"], away["meta"]["reason"]) == (False, "unreachable")
    assert len(away["items"]) == 4, "what was known stays"
    boards.is_away = False  # and now it lists nothing
    assert (await get(hiring, live=True)).json()["meta"]["reason"] == "nothing_found"


async def test_live_asks_no_boards_that_the_organization_switched_off(
    client: httpx.AsyncClient,
    get: Get,
    hiring: UUID,
    owner: Database,
    database: Database,
    tenant: Tenant,
) -> None:
    await give(database, tenant, 1)
    await age(owner, hiring)
    await client.patch(f"{BASE_PATH}/integrations/{jobs.SOURCE}", json={"enabled": False})
    answer = await get(hiring, live=True)
    assert len(titles(answer)) == 4
    meta = answer.json()["meta"]
    assert (meta["refreshed"], meta["reason"]) == (False, "disabled")
    assert meta["refreshed_at"] is not None
    assert answer.headers["x-credits-charged"] == "0"
    async with owner.connection() as connection:
        asked = await connection.fetchval(
            "SELECT count(*) FROM work WHERE kind = $1 AND subject = $2",
            jobs.WORK_KIND,
            str(hiring),
        )
    assert asked == 0


async def test_live_waits_no_longer_than_it_may(
    connect: Connect, hiring: UUID, owner: Database, database: Database, tenant: Tenant
) -> None:
    await give(database, tenant, 1)
    await age(owner, hiring)
    client = connect(live_refresh_seconds=0.2)
    answer = await client.get(
        f"{BASE_PATH}/companies/{hiring}/jobs",
        params={"live": True},
        headers={"x-api-key": tenant.key},
    )
    assert len(titles(answer)) == 4
    assert answer.json()["meta"]["reason"] == "timed_out"
    assert answer.headers["x-credits-charged"] == "0"
    async with owner.connection() as connection:
        waiting = await connection.fetchval(
            "SELECT count(*) FROM work WHERE kind = $1 AND subject = $2",
            jobs.WORK_KIND,
            str(hiring),
        )
        assert waiting == 1
        await connection.execute("DELETE FROM work WHERE subject = $1", str(hiring))


async def test_dry_run_does_nothing(get: Get, hiring: UUID, owner: Database) -> None:
    answer = (await get(hiring, live=True, dry_run=True)).json()
    assert (answer["dry_run"], answer["credit"], answer["amount"]) == (True, "company", 1)
    assert (await get(hiring, dry_run=True)).json()["amount"] == 0
    async with owner.connection() as connection:
        assert not await connection.fetchval(
            "SELECT EXISTS (SELECT FROM work WHERE subject = $1)", str(hiring)
        )
