"""The stored index follows the evidence: what is new is added, what is gone is gone, kills cost nothing."""

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import timedelta
from uuid import UUID, uuid4

import numpy as np
import pytest

from sightline.kit.clock import now
from sightline.reading.encoder import EncoderFailed
from sightline.reading.vectors import Vectors
from sightline.search import indexing
from sightline.search.indexing import WORK_KIND, index_missing, index_passages
from sightline.search.ranking import Request
from sightline.search.relevance import relevance
from sightline.search.retrieve import Retrieved, find_passages, retriever
from sightline.store import passages
from sightline.store.database import Database, open_database
from sightline.store.passages import Reach
from sightline.store.work import FenceIsLost, Work, claim, put
from tests.store.evidence_data import WHEN, add_document, add_signal, index

ACQUISITION = "Harbor Analytics acquired Quay Systems for 40 million dollars in cash last week."
MENU = "The cafeteria of the harbor serves soup on Tuesdays and bread on every other day."


class SeaEncoder:
    """An encoder for which docks and harbors are one thing."""

    name, dimensions = "sea", 2

    def __init__(self) -> None:
        self.fails = False
        self.encoded: list[str] = []

    async def encode(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if self.fails:
            raise EncoderFailed("it is away")
        self.encoded += [] if query else texts
        return self.encode_now(texts, query=query)

    def encode_now(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        del query
        sea = [any(word in text.lower() for word in ("dock", "harbor")) for text in texts]
        return np.array([[1.0, 0.0] if at else [0.0, 1.0] for at in sea], np.float32)

    async def failure(self) -> str | None:
        return None


@pytest.fixture
async def workers(database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(database_url, role="sightline_worker", size=6)
    yield opened
    await opened.close()


@pytest.fixture(autouse=True)
def own_encoder() -> Iterator[None]:
    """The encoder of the process is put back after a test that searches with another."""
    before = retriever().encoder
    yield
    retriever().encoder = before


@pytest.fixture
def company_id() -> UUID:
    return uuid4()


async def search(
    workers: Database, company_id: UUID, *texts: str, encoder: SeaEncoder | None = None
) -> Retrieved:
    retriever().encoder = encoder
    async with workers.connection() as connection:
        return await find_passages(connection, company_id, texts)


async def found(workers: Database, company_id: UUID, text: str) -> list[str]:
    return [each.passage.body for each in (await search(workers, company_id, text)).matches]


async def state(workers: Database, company_id: UUID) -> dict[int, str]:
    """The id of every row by its number."""
    async with workers.connection() as connection:
        rows = await connection.fetch(
            "SELECT number, passage_id FROM indexed_passages WHERE company_id = $1", company_id
        )
    return {row["number"]: str(row["passage_id"]) for row in rows}


async def test_what_is_stored_is_found_word_for_word(workers: Database, company_id: UUID) -> None:
    document_id = await add_document(workers, company_id, [MENU, ACQUISITION], heading="Deals")
    await index(workers, company_id)
    answer = await search(
        workers, company_id, "who bought Quay's systems in Peru?", "Quay Systems deal"
    )
    assert answer.missing == ("bought", "Peru")
    first = answer.matches[0].passage
    assert (first.body, first.heading, first.context) == (ACQUISITION, "Deals", "Deals")
    assert set(answer.words_of(answer.matches[0])) == {"Quay", "Systems", "deal"}
    assert len(answer.matches) == 2, "nothing abstains"
    assert answer.matches[0].score > 2 * answer.matches[1].score
    async with workers.connection() as connection:
        body = await connection.fetchval(
            "SELECT body_text FROM documents WHERE document_id = $1", document_id
        )
    assert body[first.start : first.end] == first.body
    assert (await search(workers, uuid4(), "acquired")).matches == []
    assert await found(workers, company_id, "zeppelin") == []


async def test_only_the_difference_is_written(workers: Database, company_id: UUID) -> None:
    await add_document(workers, company_id, [ACQUISITION, MENU])
    await index(workers, company_id)
    before = await state(workers, company_id)
    await index(workers, company_id)
    assert await state(workers, company_id) == before
    new = "Harbor opens an office in Oslo."
    await add_document(workers, company_id, [new], url="https://harbor.example/2")
    await index(workers, company_id)
    assert (await state(workers, company_id)).items() > before.items()
    assert (await found(workers, company_id, "office Oslo"))[0] == new


async def test_a_newer_version_replaces_the_old(workers: Database, company_id: UUID) -> None:
    await add_document(workers, company_id, [ACQUISITION, MENU], content=b"1")
    await index(workers, company_id)
    changed = "Harbor Analytics sold Quay Systems to Mole Partners for 30 million dollars."
    await add_document(workers, company_id, [changed], content=b"2")
    await index(workers, company_id)
    assert await found(workers, company_id, "Quay Systems") == [changed]
    assert len(await state(workers, company_id)) == 1


async def test_ids_outlive_the_index(workers: Database, company_id: UUID) -> None:
    await add_document(workers, company_id, [ACQUISITION, MENU], content=b"same")
    await index(workers, company_id)
    before = await state(workers, company_id)
    async with workers.connection() as connection:
        await connection.execute("DELETE FROM indexed_passages")
    await index(workers, company_id)
    assert set((await state(workers, company_id)).values()) == set(before.values())
    better = "Harbor Analytics purchased Quay Systems for 40 million dollars in cash."
    await add_document(workers, company_id, [better, MENU], content=b"same")
    await index(workers, company_id)
    assert await found(workers, company_id, "purchased Quay") == [better]


async def test_passages_of_one_text_are_one(workers: Database, company_id: UUID) -> None:
    for n in range(3):
        document_id = await add_document(
            workers, company_id, [f"{ACQUISITION} It is the {n}th."], url=f"https://h.example/{n}"
        )
    await add_signal(workers, company_id, document_id, quote=ACQUISITION, start=0)
    await add_document(
        workers, company_id, [f"{ACQUISITION} It is the 0th."], url="https://h.example/9"
    )
    await index(workers, company_id)
    texts = await found(workers, company_id, "acquired Quay Systems")
    assert sorted(texts) == [f"{ACQUISITION} It is the {n}th." for n in range(3)]


async def test_empty_and_long_texts(workers: Database, company_id: UUID) -> None:
    long = " ".join(f"Sentence {n} speaks of berth{n} and of nothing else." for n in range(400))
    await add_document(workers, company_id, [long, "", "   ", "🚢 Ærø – «Größe» 港口"])
    await index(workers, company_id)
    text = (await found(workers, company_id, "berth17"))[0]
    assert len(text) <= 1200
    assert "berth17 " in text
    assert text in long
    assert (await found(workers, company_id, "grösse Ærø"))[0] == "🚢 Ærø – «Größe» 港口"
    before = await state(workers, company_id)
    await index(workers, company_id)
    assert await state(workers, company_id) == before


async def test_the_newest_prose_is_encoded_and_found_by_its_vector(
    workers: Database, company_id: UUID
) -> None:
    encoder = SeaEncoder()
    docks = "New docks were opened at the waterfront by the mayor of the town last Tuesday."
    await add_document(workers, company_id, [docks, "Pumps | 12 | 14", MENU], title="News")
    await index(workers, company_id, encoder=encoder)
    assert len(encoder.encoded) == 2, "rows of figures are not encoded"
    answer = await search(workers, company_id, "harbor", encoder=encoder)
    assert docks in [each.passage.body for each in answer.matches]
    assert docks not in await found(workers, company_id, "harbor")
    await index(workers, company_id, encoder=encoder)
    assert len(encoder.encoded) == 2, "once"


async def test_an_encoder_that_is_away_costs_its_vectors_alone(
    workers: Database, company_id: UUID
) -> None:
    encoder = SeaEncoder()
    encoder.fails = True
    async with workers.connection() as connection:
        await connection.execute(
            "INSERT INTO companies (company_id, company_name, name_key, record, document)"
            " VALUES ($1, 'Harbor', 'harbor', '{}', '{}')",
            company_id,
        )
    await add_document(workers, company_id, [ACQUISITION, MENU])
    await index(workers, company_id, encoder=encoder)
    answer = await search(workers, company_id, "Quay Systems", encoder=encoder)
    assert answer.matches[0].passage.body == ACQUISITION
    encoder.fails = False
    await index_missing(workers, encoder=encoder)
    async with workers.connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM work") == 1, "the clock asks again"
    await index(workers, company_id, encoder=encoder)
    async with workers.connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM encoded_passages") == 2
        assert await passages.companies_to_index(connection, "sea/4", limit=9) == []
        assert await passages.companies_to_index(connection, "other", limit=9) == [company_id]
    await index(workers, company_id)
    async with workers.connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM encoded_passages") == 0


async def test_a_lost_claim_writes_nothing_and_the_next_run_continues(
    workers: Database, company_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_document(workers, company_id, [ACQUISITION, MENU, "Harbor hires a captain."])
    monkeypatch.setattr(indexing, "BATCH", 1)
    async with workers.connection() as connection:
        await put(connection, WORK_KIND, str(company_id))

    async def take() -> Work:
        work = await claim(workers, [WORK_KIND], lease=timedelta(0), per_organization=5)
        assert work is not None
        return work

    first = await take()
    write = passages.write_passages

    async def interrupted(*arguments: object) -> None:
        await write(*arguments)  # type: ignore[arg-type]
        if len(await state(workers, company_id)) == 1:
            raise RuntimeError("killed inside the second batch")

    monkeypatch.setattr(passages, "write_passages", interrupted)
    with pytest.raises(RuntimeError):
        await index_passages(workers, first)
    monkeypatch.setattr(passages, "write_passages", write)
    assert len(await state(workers, company_id)) == 1, "the first batch stays, half of one does not"
    second = await take()
    with pytest.raises(FenceIsLost):
        await index_passages(workers, first)
    assert len(await state(workers, company_id)) == 1
    await index_passages(workers, second)
    assert len(await state(workers, company_id)) == 3
    async with workers.connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM work") == 0


async def test_a_signal_stands_for_the_passages_that_report_it(
    workers: Database, company_id: UUID
) -> None:
    document_id = await add_document(workers, company_id, [MENU, ACQUISITION])
    await index(workers, company_id)
    await add_signal(workers, company_id, document_id, quote=ACQUISITION, start=len(MENU) + 2)
    await index(workers, company_id)
    async with workers.connection() as connection:
        hits = await relevance(connection, company_id, Request(now()))
    assert hits[0].passage.kind == "insight"
    assert len(hits[0].duplicates) == 1


async def test_time_bounds(workers: Database, company_id: UUID) -> None:
    for n, days in enumerate((0, 10, 20)):
        await add_document(
            workers, company_id, [f"Harbor acquires pier number {n} from the city."],
            url=f"https://harbor.example/{n}", published_at=WHEN - timedelta(days=days),
        )  # fmt: skip
    await add_document(
        workers,
        company_id,
        ["Harbor acquires boats."],
        url="https://h.example/9",
        published_at=None,
    )
    await index(workers, company_id)
    async with workers.connection() as connection:
        for text in ("acquires", None):
            reach = Reach(since=WHEN - timedelta(days=12), until=WHEN - timedelta(days=5))
            request = Request(now(), text, reach=reach)
            hits = await relevance(connection, company_id, request)
            assert [hit.quote for hit in hits] == ["Harbor acquires pier number 1 from the city."]
