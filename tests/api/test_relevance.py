"""Relevance over HTTP: what is found, in which order, how it is cut, proven and paged."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.domain.evidence import Observation
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.kit.clock import now
from sightline.reading.encoder import EncoderConfig, open_encoder
from sightline.search.retrieve import retriever
from sightline.store.database import Database, open_database
from sightline.store.facts import store_facts
from sightline.store.postings import store_pull
from sightline.store.profiles import StoredSection, write_sections
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.conftest import Tenant
from tests.store.evidence_data import WHEN, add_document, add_signal, index

SALE = "Harbor Analytics acquired Quay Systems for 40 million dollars in cash."
FILLER = "The museum of the old town opens at ten and sells postcards of the bridge."


@pytest.fixture
async def workers(database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(database_url, role="sightline_worker", size=4)
    yield opened
    await opened.close()


@pytest.fixture
async def company_id(tenant: Tenant, database: Database) -> UUID:
    (added,) = await add_accounts(database, tenant.organization_id, [FULL_RECORD])
    return added.company_id


class Asked:
    """Asks for relevance of one company."""

    def __init__(self, client: httpx.AsyncClient, company_id: UUID) -> None:
        self.client = client
        self.path = f"{BASE_PATH}/companies/{company_id}/relevance"

    async def __call__(self, **params: Any) -> dict[str, Any]:
        response = await self.client.get(self.path, params=params)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer


@pytest.fixture
def asked(client: httpx.AsyncClient, company_id: UUID) -> Asked:
    return Asked(client, company_id)


async def test_nothing_is_known_yet(asked: Asked) -> None:
    answer = await asked()
    assert answer["items"] == []
    assert answer["reason"] == "Nothing dated is known about the company yet."
    assert (answer["total"], answer["page"], answer["per_page"]) == (0, 1, 25)
    assert (await asked(q="acquisition"))["total"] == 0


async def test_a_signal_is_one_item_with_all_who_tell_it(
    asked: Asked, workers: Database, company_id: UUID, database: Database
) -> None:
    document_id = await add_document(workers, company_id, [FILLER, SALE])
    other = await add_document(
        workers, company_id, ["Quay Systems goes to Harbor Analytics: " + SALE],
        url="https://herald.example/quay",
    )  # fmt: skip
    signal_id = await add_signal(
        workers,
        company_id,
        document_id,
        quote=SALE,
        start=len(FILLER) + 2,
        tellings=[(document_id, "harbor.example"), (other, "herald.example")],
    )
    await index(workers, company_id)
    answer = await asked()
    (item,) = answer["items"]
    assert item["id"] == str(signal_id)
    assert (item["family"], item["type"]) == ("material_changes", "acquires")
    assert item["source"]["kind"] == "insight"
    assert item["document_id"] == str(document_id)
    assert item["occurred_at"] == "2026-03-01T12:00:00.000000Z"
    assert item["background"] is False
    assert item["parties"] == [{"role": "target", "name": "Quay Systems"}]
    assert item["corroboration"]["count"] == 2
    publishers = {source["publisher"] for source in item["corroboration"]["sources"]}
    assert publishers == {"harbor.example", "herald.example"}
    assert item["score_factors"]["corroboration"] == 0.5
    reference = {"text", "recency", "source", "family", "corroboration"}
    assert set(item["score_factors"]) == reference | {"specificity"}
    async with database.connection() as connection:
        body = await connection.fetchval(
            "SELECT body_text FROM documents WHERE document_id = $1", document_id
        )
    assert item["quote"] in body


async def test_what_is_recalled_from_years_ago_is_background(
    asked: Asked, workers: Database, company_id: UUID
) -> None:
    document_id = await add_document(workers, company_id, [SALE])
    await add_signal(workers, company_id, document_id, quote=SALE, start=0)
    async with workers.connection() as connection:
        await connection.execute(
            "UPDATE signals SET occurred_at = $2, reported_at = $3, expires_at = $4 WHERE company_id = $1",
            company_id, WHEN - timedelta(days=900), WHEN, WHEN - timedelta(days=535),
        )  # fmt: skip
    await index(workers, company_id)
    assert [item for item in (await asked())["items"] if item["type"]] == []
    recalled = [item for item in (await asked(q="acquired Quay Systems"))["items"] if item["type"]]
    assert [item["background"] for item in recalled] == [True]


async def test_every_kind_of_source_is_found_and_proven(
    asked: Asked, workers: Database, company_id: UUID
) -> None:
    texts = {
        "filing": "On March 3 we entered into an agreement about Kubernetes hosting in Ohio.",
        "news": "Harbor speaks at the Kubernetes conference in Lisbon about berth planning.",
        "page": "We run our planning service on Kubernetes in two regions of Europe.",
    }
    for kind, text in texts.items():
        document_id = await add_document(
            workers, company_id, [FILLER, text], url=f"https://{kind}.example/a", kind=kind,  # type: ignore[arg-type]
            heading="Platform",
        )  # fmt: skip
    async with workers.connection() as connection, connection.transaction():
        posting = ParsedPosting(
            external_id="1",
            title="Kubernetes Engineer",
            url="https://jobs.example/1",
            description="You keep our Kubernetes clusters running.",
        )
        await store_pull(
            connection, company_id, board="greenhouse/harbor", source="job_boards",
            listed=[posting], complete=True, document_id=None, pulled_at=WHEN,
        )  # fmt: skip
        tool = {"name": "Kubernetes", "vendor": "CNCF", "category": "Containers"}
        await store_facts(
            connection, company_id, document_id, source="website", superseded=[], seen_at=WHEN,
            observations=[Observation("technology", tool, "text", 0.8, quote=texts["page"])],
        )  # fmt: skip
    await index(workers, company_id)
    items = (await asked(q="kubernetes"))["items"]
    by_kind = {item["source"]["kind"]: item for item in items}
    assert set(by_kind) == {"filing", "news", "web", "job", "technology"}
    assert {UUID(item["id"]).version for item in items} == {7}
    for kind in ("filing", "news", "page"):
        item = by_kind["web" if kind == "page" else kind]
        assert item["quote"] == texts[kind]
        assert item["title"] == "Platform"
        assert item["source"]["url"] == f"https://{kind}.example/a"
    assert by_kind["job"]["title"] == "Kubernetes Engineer"
    assert by_kind["job"]["quote"] == "You keep our Kubernetes clusters running."
    assert by_kind["job"]["family"] == "hiring_trends"
    assert by_kind["technology"]["confidence"] == 0.8
    async with workers.connection() as connection, connection.transaction():
        await store_pull(
            connection, company_id, board="greenhouse/harbor", source="job_boards",
            listed=[], complete=True, document_id=None, pulled_at=WHEN + timedelta(days=1),
        )  # fmt: skip
    closed = await asked(q="kubernetes")
    kinds = {item["source"]["kind"] for item in closed["items"]}
    assert "job" not in kinds, "closed, though not indexed again"
    assert closed["total"] == 4, "nor counted"
    await index(workers, company_id)
    assert (await asked(q="kubernetes"))["total"] == 4


async def test_statements_of_the_profile_are_insights(
    asked: Asked, workers: Database, company_id: UUID
) -> None:
    document_id = await add_document(workers, company_id, [f"{FILLER} {SALE}"], kind="filing")
    source = {
        "document_id": str(document_id),
        "url": "https://filings.example/1",
        "title": "Annual report",
        "quote": SALE,
        "published_at": "2026-02-01T00:00:00+00:00",
    }
    bare = source | {"quote": None, "pointer": "/facts/1"}
    bodies = {
        "risks": [{"name": "Berth shortage", "sources": [source | {"quote": "Berths are scarce."}]}],
        "events": [{"event_title": "First quarter", "quotes": [{"text": SALE, "sources": [source]}]}],
        "strategic_priorities": [{"name": "Growth by purchase", "sources": [source, bare]}],
        "employee_groups": [{"name": "Sales", "sources": [source | {"quote": "Sales Lead"}]}],
    }  # fmt: skip
    sections = [
        StoredSection(name, "ready", "extractive", json.dumps(body), "[]", 1, b"1", None, None)
        for name, body in bodies.items()
    ]
    async with workers.connection() as connection, connection.transaction():
        await write_sections(connection, company_id, sections, unchanged=[], checked_at=WHEN)
    await index(workers, company_id)
    insights = [
        item
        for text in ("Quay Systems", "scarce berths", "sales lead")
        for item in (await asked(q=text))["items"]
        if item["source"]["kind"] == "insight"
    ]
    assert [item["title"] for item in insights] == ["Events", "Berth shortage"]
    assert insights[0]["quote"] == SALE
    assert insights[0]["document_id"] == str(document_id)
    assert insights[0]["source"]["url"] == "https://news.harbor.example/1"
    assert (insights[0]["type"], insights[0]["summary"]) == (None, None)
    found = (await asked(q="Quay Systems"))["items"]
    assert [item["source"]["kind"] for item in found] == ["insight"], (
        "with the passage it stands in"
    )
    async with workers.connection() as connection, connection.transaction():
        gone = replace(sections[1], body="[]", evidence=b"2")
        none = [gone, replace(sections[2], body="[]", evidence=b"2")]
        await write_sections(connection, company_id, none, unchanged=[], checked_at=WHEN)
    await index(workers, company_id)
    kinds = [item["source"]["kind"] for item in (await asked(q="Quay Systems"))["items"]]
    assert kinds == ["filing"]


def posting(number: int, title: str, place: str) -> ParsedPosting:
    return ParsedPosting(
        external_id=str(number), title=title, url=f"https://jobs.example/{number}",
        locations=(PostingLocation(place),),
    )  # fmt: skip


async def test_a_board_alone_makes_a_sensible_list(
    asked: Asked, workers: Database, company_id: UUID
) -> None:
    places = ("Lisbon", "Oslo", "Turin")
    titles = [("Account Executive", "Oslo"), ("Director of Engineering", "Oslo"),
              ("Machine Learning Engineer", "Lisbon"), ("Security Compliance Analyst", "Turin"),
              *(("Software Engineer", place) for place in places)]  # fmt: skip
    listed = [posting(n, title, place) for n, (title, place) in enumerate(titles)]
    board = await add_document(
        workers, company_id, [f"{title}\n{place}" for title, place in titles], kind="data",
        url="https://boards.example/harbor", title="Harbor: open positions",
    )  # fmt: skip
    async with workers.connection() as connection, connection.transaction():
        await store_pull(
            connection, company_id, board="greenhouse/harbor", source="job_boards",
            listed=listed, complete=True, document_id=board, pulled_at=WHEN,
        )  # fmt: skip
    await index(workers, company_id)

    async def titles_of(text: str | None) -> list[str]:
        items = (await asked(**({} if text is None else {"q": text})))["items"]
        assert {item["source"]["kind"] for item in items} == {"job"}, "no passages of the board"
        return [item["title"] for item in items]

    everything = await titles_of(None)
    assert everything[0] == "Director of Engineering", "who leads says where a company goes"
    assert sorted(everything) == sorted({title for title, _ in titles}), "one role in three places"
    assert (await titles_of("hiring machine learning engineers"))[0] == "Machine Learning Engineer"
    assert (await titles_of("security compliance roles"))[0] == "Security Compliance Analyst"
    assert set(await titles_of("jobs in Turin")) == {
        "Security Compliance Analyst",
        "Software Engineer",
    }


async def test_what_is_new_in_a_report_comes_before_what_every_report_says(
    asked: Asked, workers: Database, company_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = open_encoder(EncoderConfig())
    monkeypatch.setattr(retriever(), "encoder", encoder)
    newest = now() - timedelta(days=30)
    always = (
        f"In the first quarter of {newest:%Y}, as always, we completed acquisitions and divestitures of"
        " berths in Oslo, a strategic priority of the company and of its partners in the harbor."
    )
    reported = f"In {newest:%B %Y}, Harbor acquired the crane maker Hebe for $30 million in cash."
    for published, texts in (
        (newest - timedelta(days=364), [always]),
        (newest, [always, f"Harbor makes cranes. {reported}"]),
    ):
        await add_document(
            workers, company_id, texts, kind="filing", published_at=published,
            url=f"https://filings.example/{published:%Y}", title="Annual report",
        )  # fmt: skip
    await index(workers, company_id, encoder=encoder)
    items = (await asked())["items"]
    assert items[0]["quote"] == reported
    assert [item["quote"] for item in items].count(always) == 1, "the older is folded"


async def test_headings_and_signatures_are_nothing_to_know(
    asked: Asked, workers: Database, company_id: UUID
) -> None:
    newest = now() - timedelta(days=30)
    day = f"{newest:%B} 3, {newest.year}"
    reported = (
        f"On {day}, our acquisition of Hebe and a new partnership became part of our strategy."
    )
    signed = (
        "SIGNATURES\n\nPursuant to the requirements of the Securities Exchange Act of 1934, this report"
        f" of our strategy has been signed below.\n\n/s/ Ida Holm | Chief Executive Officer | {day}"
    )
    for kind, texts in (
        ("filing", [f"Item 8.01 Other Events\n\n{reported}", signed]),
        ("news", ["New acquisitions, partners and strategy"]),
    ):
        await add_document(
            workers, company_id, texts, kind=kind, published_at=newest,  # type: ignore[arg-type]
            url=f"https://{kind}.example/a",
        )  # fmt: skip
    await index(workers, company_id)
    assert [item["quote"] for item in (await asked())["items"]] == [reported]


async def test_nothing_new_is_said_and_not_filled_up(
    asked: Asked, workers: Database, company_id: UUID
) -> None:
    old = now() - timedelta(days=600)
    await add_document(workers, company_id, [f"{FILLER} {SALE}"], published_at=old)
    await index(workers, company_id)
    answer = await asked()
    assert (answer["items"], answer["total"]) == ([], 0)
    assert f"The newest evidence is of {old.date().isoformat()}" in answer["reason"]
    found = await asked(q="Quay Systems")
    assert (found["total"], found["reason"]) == (1, None)
    since = (old - timedelta(days=1)).strftime("%Y-%m-%d")
    assert (await asked(since=since))["total"] == 1, "a time that is asked for is searched"


async def test_caps_bounds_and_order(asked: Asked, workers: Database, company_id: UUID) -> None:
    for n in range(14):
        await add_document(
            workers, company_id, [f"Harbor acquires shipyard s{n} of port p{n} from owner o{n}."],
            url=f"https://harbor.example/{n}", published_at=now() - timedelta(days=30 * n),
        )  # fmt: skip
    await index(workers, company_id)
    answer = await asked()
    assert answer["total"] == 10
    scores = [item["score"] for item in answer["items"]]
    assert scores == sorted(scores, reverse=True)
    assert "s0 of" in answer["items"][0]["quote"], "the newest of equals"
    assert (await asked(max_hits_per_source=3))["total"] == 3
    assert (await asked(max_hits_per_source=50))["total"] == 14
    since = (now() - timedelta(days=75)).strftime("%Y-%m-%d")
    assert (await asked(since=since))["total"] == 3
    assert (await asked(until=since))["total"] == 10
    assert (await asked(q="shipyard s7"))["items"][0]["quote"].count("s7") == 1
    assert (await asked(q="   "))["total"] == 10, "no words: the default request"
    assert (await asked(q="qwertyuiop"))["total"] == 0


async def test_pages_and_cursors_cut_one_list(
    asked: Asked, workers: Database, company_id: UUID
) -> None:
    for n in range(7):
        await add_document(
            workers, company_id, [f"Harbor acquires shipyard s{n} of port p{n} from owner o{n}."],
            url=f"https://harbor.example/{n}", published_at=WHEN - timedelta(days=n),
        )  # fmt: skip
    await index(workers, company_id)
    for query in ({}, {"q": "shipyard"}):
        whole = [item["id"] for item in (await asked(**query))["items"]]
        assert len(set(whole)) == 7
        paged = [
            item["id"]
            for page in (1, 2, 3, 4)
            for item in (await asked(page=page, per_page=3, **query))["items"]
        ]
        assert paged == whole
        read, cursor = [], None
        while True:
            answer = await asked(per_page=3, **query, **({"cursor": cursor} if cursor else {}))
            read += [item["id"] for item in answer["items"]]
            cursor = answer["pagination"]["next_cursor"]
            if cursor is None:
                break
        assert read == whole
        assert answer["page"] == 3


async def test_a_cursor_reads_on_while_evidence_comes_in(
    asked: Asked, workers: Database, company_id: UUID
) -> None:
    async def add(first: int, last: int) -> None:
        for n in range(first, last):
            await add_document(
                workers, company_id, [f"Harbor acquires shipyard s{n} of port p{n} from o{n}."],
                url=f"https://harbor.example/{n}", published_at=WHEN - timedelta(days=10 * n),
            )  # fmt: skip
        await index(workers, company_id)

    await add(3, 8)
    first = await asked(per_page=2)
    await add(0, 2)
    rest = await asked(per_page=9, cursor=first["pagination"]["next_cursor"])
    shown = [item["quote"].split()[3] for item in first["items"] + rest["items"]]
    assert shown == ["s3", "s4", "s5", "s6", "s7"]


async def test_the_old_name_answers_the_same(
    asked: Asked, client: httpx.AsyncClient, workers: Database, company_id: UUID
) -> None:
    await add_document(workers, company_id, [SALE])
    await index(workers, company_id)
    answer = await client.get(f"{BASE_PATH}/companies/{company_id}/graph", params={"q": "Quay"})
    new = await asked(q="Quay")
    assert [item["id"] for item in answer.json()["items"]] == [item["id"] for item in new["items"]]


@pytest.mark.parametrize(
    "params",
    [
        {"max_hits_per_source": 51},
        {"max_hits_per_source": 0},
        {"per_page": 51},
        {"since": "yesterday"},
        {"until": "1700000000"},
        {"since": "2026-02-30"},
        {"q": "x" * 1001},
        {"query": "x"},
        {"cursor": "abc"},
    ],
)
async def test_bad_parameters(asked: Asked, params: dict[str, Any]) -> None:
    response = await asked.client.get(asked.path, params=params)
    assert response.status_code == 400
    assert response.json()["error"]["type"] == "validation_error"


@pytest.mark.parametrize(
    "text", ["the of and", "?!…", "🚢", "港口", "a" * 1000, "word " * 200, "NOT (a OR b)*", "' --"]
)
async def test_any_text_may_be_asked(
    asked: Asked, workers: Database, company_id: UUID, text: str
) -> None:
    await add_document(workers, company_id, [SALE, FILLER])
    await index(workers, company_id)
    assert (await asked(q=text))["total"] <= 2
