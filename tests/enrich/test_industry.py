"""A model reads a company's industry from its own site: of our names, with a quote that stands on a page."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.domain.callers import OrganizationId
from sightline.domain.industries import industries, industry_from_text
from sightline.enrich.industry import (
    NOT_SAID,
    WORK_KIND,
    Answer,
    IndustryReader,
    ask_for_industry,
    read_industry,
)
from sightline.enrich.pipeline import Enrichment
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.store import work
from sightline.store.credits import grant
from sightline.store.database import Database
from sightline.store.model_spending import Allowance
from sightline.store.operations import WORK_KIND as OPERATION
from tests.assistant.provider import Act, Call, Fail, Provider, Say, Wait, provider
from tests.enrich.conftest import SOURCES, Drain, RecordedWeb
from tests.enrich.test_doubles import enrich
from tests.parsing import InThisProcess

V1 = "/public-api/v1"
QUOTE = "builds buoys that measure waves"
HOME = (
    'company_name: "Harbor Analytics"\nwebsite_domain: "harbor.example"\nlei: "LEI1"\n'
    f'description: "Harbor Analytics {QUOTE} for ports."'
)
NAMED = Call({"industry": "Electronic Components & Equipment", "quote": QUOTE})


@pytest.fixture(autouse=True)
async def credits(database: Database, organization: OrganizationId, web: RecordedWeb) -> None:
    web.answer("https://harbor.example/", HOME, media_type="text/plain")
    async with database.tenant(organization) as connection:
        await grant(connection, credit="company", amount=20, reason="test")


@pytest.fixture
def model() -> Iterator[Provider]:
    with provider([NAMED]) as running:
        yield running


@pytest.fixture
async def harbor(client: httpx.AsyncClient, drain: Drain) -> UUID:
    """A company that is known by its site and says nothing that a parser reads as an industry."""
    return UUID((await enrich(client, drain, domain="harbor.example"))["company_id"])


Read = Callable[..., Any]


@pytest.fixture
async def read(worker_database: Database, harbor: UUID, model: Provider) -> Read:
    """Do the work of the queue, and answer what the record says of the industry."""

    async def run(*acts: Act, requests: int = 100, seconds: float | None = None) -> str | None:
        if acts:
            model.script = acts
        config = model.config() if seconds is None else model.config(seconds=seconds)
        reader = IndustryReader(config, lambda _: [Allowance("all", requests, 10_000_000)])
        async with worker_database.connection() as connection:
            await ask_for_industry(connection, harbor)
        kinds = [WORK_KIND]
        item = await work.claim(
            worker_database, kinds, lease=timedelta(hours=1), per_organization=9
        )
        if item is not None:
            await read_industry(worker_database, reader, item)
        async with worker_database.connection() as connection:
            return await connection.fetchval(
                "SELECT record ->> 'industry' FROM companies WHERE company_id = $1", harbor
            )

    return run


async def waits(database: Database) -> bool:
    """Whether the work waits for another time."""
    async with database.connection() as connection:
        found = await connection.fetchval(
            "SELECT ready_at > now() FROM work WHERE kind = $1", WORK_KIND
        )
    return bool(found)


async def test_what_is_proven_is_a_fact_like_any_other(
    client: httpx.AsyncClient, drain: Drain, read: Read, harbor: UUID, model: Provider
) -> None:
    assert await read() == "Electronic Components & Equipment"
    await drain()
    record = (await client.get(f"{V1}/companies/{harbor}")).json()
    assert (record["industry"], record["sector"]) == (
        "Electronic Components & Equipment",
        "Technology",
    )
    facts = await client.get(f"{V1}/companies/{harbor}/facts", params={"field": "industry"})
    [fact] = facts.json()["items"]
    assert (fact["wins"], fact["quote"], fact["method"], fact["source"]) == (
        True,
        QUOTE,
        "model",
        "site",
    )
    assert fact["url"] == "https://harbor.example/"
    assert len(model.requests) == 1
    assert QUOTE in model.prompt()
    account = (await client.post(f"{V1}/accounts", json={"industry": fact["value"]})).json()
    assert [each["company_name"] for each in account["items"]] == ["Harbor Analytics"]


async def test_not_said_stands(read: Read, model: Provider) -> None:
    assert await read(Call({"industry": NOT_SAID, "quote": ""})) is None
    assert await read(NAMED) is None, "the same pages are not asked about again"
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    "given",
    [
        {"industry": "Buoys and Waves", "quote": QUOTE},
        {"industry": "electronic components & equipment", "quote": QUOTE},
        {"industry": "Software", "quote": "builds software for the sea"},
        {"industry": "Software", "quote": QUOTE.replace("waves", "tides")},
        {"industry": "Software", "quote": ""},
        {"industry": "Software"},
        {"industry": "Software", "quote": HOME * 20},
        {"industry": "", "quote": QUOTE},
    ],
)
async def test_what_is_not_proven_leaves_it_empty(
    read: Read, model: Provider, worker_database: Database, given: dict[str, Any]
) -> None:
    assert await read(Call(given)) is None
    assert await read(Call(given)) is None
    assert len(model.requests) == 1
    assert not await waits(worker_database)


@pytest.mark.parametrize(
    "act",
    [
        Say("I cannot help with that."),
        Call('{"industry": "Softw'),
        Call({"industry": 7, "quote": []}),
        Call({"sector": "Software"}),
    ],
)
async def test_garbage_and_refusals_leave_it_empty_until_it_is_decided_again(
    read: Read, worker_database: Database, act: Act
) -> None:
    assert await read(act) is None
    assert not await waits(worker_database)
    assert await read(NAMED) == "Electronic Components & Equipment"


@pytest.mark.parametrize("act", [Fail(500), Fail(429), Wait(30.0, NAMED)])
async def test_a_model_that_fails_is_asked_later(
    read: Read, worker_database: Database, act: Act
) -> None:
    assert await read(act, seconds=0.5) is None
    assert await waits(worker_database)
    async with worker_database.connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM model_readings") == 0


async def test_a_spent_budget_waits_for_the_next_day(
    read: Read, model: Provider, worker_database: Database
) -> None:
    assert await read(requests=0) is None
    assert not model.requests
    assert await waits(worker_database)


async def test_the_answer_counts_on_the_ledger(read: Read, worker_database: Database) -> None:
    await read()
    async with worker_database.connection() as connection:
        row = await connection.fetchrow("SELECT requests, tokens FROM model_spending")
    assert tuple(row) == (1, 120)


async def test_a_page_that_changed_is_read_again(
    client: httpx.AsyncClient, drain: Drain, web: RecordedWeb, read: Read, model: Provider
) -> None:
    await read()
    web.answer("https://harbor.example/", HOME + "\nemployees: 9", media_type="text/plain")
    await enrich(client, drain, domain="harbor.example")
    assert await read(Call({"industry": NOT_SAID})) is None
    assert len(model.requests) == 2


async def test_a_register_goes_before_the_site(
    client: httpx.AsyncClient, drain: Drain, web: RecordedWeb, read: Read, model: Provider
) -> None:
    await read()
    web.answer(
        "https://register.example/LEI1.txt",
        'legal_name: "Harbor Analytics Inc"\nlei: "LEI1"\nindustry: "Insurance"',
        media_type="text/plain",
    )
    await enrich(client, drain, domain="harbor.example")
    assert await read() in ("Insurance", "Electronic Components & Equipment")
    assert len(model.requests) == 1, "it is said already"


async def test_enrichment_asks_only_where_a_model_is_and_no_source_says_it(
    client: httpx.AsyncClient,
    drain: Drain,
    web: RecordedWeb,
    worker_database: Database,
    harbor: UUID,
) -> None:
    async def is_asked(page: str, *, asks_model: bool) -> bool:
        web.answer("https://harbor.example/", page, media_type="text/plain")
        submitted = await client.post(f"{V1}/companies", json={"domain": "harbor.example"})
        assert submitted.status_code == 202
        fetcher = Fetcher(FetcherConfig(web=f"replay:{web.folder}", sample_dir=web.folder))
        enrichment = Enrichment(
            worker_database, fetcher, SOURCES, parsers=InThisProcess(), asks_model=asks_model
        )
        kinds = [OPERATION]
        item = await work.claim(
            worker_database, kinds, lease=timedelta(hours=1), per_organization=9
        )
        assert item is not None
        await enrichment.run(item)
        async with worker_database.connection() as connection:
            gone = await connection.execute("DELETE FROM work WHERE kind = $1", WORK_KIND)
        return bool(gone == "DELETE 1")

    assert not await is_asked(HOME + "\nemployees: 1", asks_model=False)
    assert await is_asked(HOME + "\nemployees: 2", asks_model=True)
    assert not await is_asked(HOME + '\nindustry: "Insurance"', asks_model=True)


def test_the_schema_holds_our_names_and_each_is_known() -> None:
    names = Answer.model_json_schema()["properties"]["industry"]["enum"]
    assert names == [*(each.name for each in industries()), NOT_SAID]
    assert all(industry_from_text(each.name) == each for each in industries())
    assert len(json.dumps(names)) < 8_000
