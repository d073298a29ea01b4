"""The stored index follows the evidence: what is new is added, what is gone is gone, kills cost nothing."""

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from sightline.kit.clock import now
from sightline.search import indexing
from sightline.search.indexing import WORK_KIND, index_passages
from sightline.search.relevance import Relevance, Request
from sightline.search.segments import MAX_SEGMENTS
from sightline.store import passages
from sightline.store.database import Database, open_database
from sightline.store.work import FenceIsLost, Work, claim, put
from tests.store.evidence_data import WHEN, add_document, add_signal, index

ACQUISITION = "Harbor Analytics acquired Quay Systems for 40 million dollars in cash last week."
MENU = "The cafeteria of the harbor serves soup on Tuesdays and bread on every other day."


@pytest.fixture
async def workers(database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(database_url, role="sightline_worker", size=6)
    yield opened
    await opened.close()


@pytest.fixture
def company_id() -> UUID:
    return uuid4()


async def found(workers: Database, company_id: UUID, text: str | None) -> list[str]:
    """The texts of the hits, best first."""
    engine = Relevance()
    async with workers.connection() as connection:
        hits = await engine.search(connection, company_id, Request(now(), text))
        places = [hit.place for hit in hits]
        quoted = await engine.quote(connection, company_id, dict.fromkeys(places, 0), text)
    return [quoted[place].text for place in places]


async def state(workers: Database, company_id: UUID) -> tuple[list[tuple[int, int]], int]:
    """(documents, deleted) of every segment, and the number of entries."""
    async with workers.connection() as connection:
        stored = await passages.read_segments(connection, company_id)
        entries = await passages.read_entries(connection, company_id)
    return [(s.documents, len(indexing.deleted_of(s))) for s in stored], len(entries)


async def test_what_is_stored_is_found_word_for_word(workers: Database, company_id: UUID) -> None:
    document_id = await add_document(workers, company_id, [MENU, ACQUISITION])
    await index(workers, company_id)
    assert await found(workers, company_id, "acquisition of Quay") == [ACQUISITION]
    assert await found(workers, company_id, None) == [ACQUISITION], "a menu has no cue"
    assert await found(workers, company_id, "zeppelin") == []
    assert await found(workers, uuid4(), "acquisition") == []
    async with workers.connection() as connection:
        entries = await passages.read_entries(connection, company_id)
        body = await connection.fetchval(
            "SELECT body_text FROM documents WHERE document_id = $1", document_id
        )
        texts = await passages.read_texts(connection, company_id, entries)
    for place, entry in entries.items():
        assert entry.start_at is not None
        assert body[entry.start_at :].startswith(texts[place][1])


async def test_only_the_difference_is_written(workers: Database, company_id: UUID) -> None:
    await add_document(workers, company_id, [ACQUISITION, MENU])
    await index(workers, company_id)
    await index(workers, company_id)
    assert await state(workers, company_id) == ([(2, 0)], 2)
    await add_document(
        workers, company_id, ["Harbor opens an office in Oslo."], url="https://harbor.example/2"
    )
    await index(workers, company_id)
    assert await state(workers, company_id) == ([(2, 0), (1, 0)], 3)
    assert await found(workers, company_id, "office Oslo") == ["Harbor opens an office in Oslo."]
    assert await found(workers, company_id, "Quay Systems") == [ACQUISITION]


async def test_a_newer_version_replaces_the_old(workers: Database, company_id: UUID) -> None:
    await add_document(workers, company_id, [ACQUISITION, MENU], content=b"1")
    await index(workers, company_id)
    changed = "Harbor Analytics sold Quay Systems to Mole Partners for 30 million dollars."
    await add_document(workers, company_id, [changed], content=b"2")
    await index(workers, company_id)
    assert await found(workers, company_id, "Quay Systems") == [changed]
    assert await state(workers, company_id) == ([(1, 0)], 1), "a segment of deleted ones is let go"


async def test_a_document_read_anew_under_its_old_id_is_indexed_anew(
    workers: Database, company_id: UUID
) -> None:
    await add_document(workers, company_id, [ACQUISITION], content=b"same")
    await index(workers, company_id)
    better = "Harbor Analytics purchased Quay Systems for 40 million dollars in cash."
    await add_document(workers, company_id, [better], content=b"same")
    await index(workers, company_id)
    assert await found(workers, company_id, "purchased Quay") == [better]


async def test_deleted_passages_are_not_found_before_they_are_written_away(
    workers: Database, company_id: UUID
) -> None:
    for n in range(9):
        await add_document(
            workers, company_id, [f"Quay Systems note {n}."], url=f"https://harbor.example/{n}"
        )
    await index(workers, company_id)
    await add_document(
        workers, company_id, ["Nothing more."], url="https://harbor.example/4", content=b"new"
    )
    await index(workers, company_id)
    assert (await state(workers, company_id))[0] == [(9, 1), (1, 0)]
    texts = await found(workers, company_id, "Quay Systems note")
    assert "Quay Systems note 4." not in texts
    assert len(texts) == 8


async def test_many_segments_become_few(
    workers: Database, company_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "BATCH", 2)
    words = [f"Harbor pier number {n} was painted in colour{n}." for n in range(25)]
    await add_document(workers, company_id, words)
    await index(workers, company_id)
    segments, entries = await state(workers, company_id)
    assert entries == 25
    assert sum(documents for documents, _ in segments) == 25
    for n in range(3, 3 + MAX_SEGMENTS):
        await add_document(
            workers, company_id, [f"Crane {n} is new."], url=f"https://harbor.example/{n}"
        )
        await index(workers, company_id)
    segments, entries = await state(workers, company_id)
    assert entries == 25 + MAX_SEGMENTS
    assert len(segments) <= MAX_SEGMENTS + 5, "the first run leaves at most what one merge does"
    for n in range(25):
        assert (await found(workers, company_id, f"colour{n}"))[0] == words[n]


async def test_empty_and_long_texts(workers: Database, company_id: UUID) -> None:
    long = " ".join(f"Sentence {n} speaks of berth{n} and of nothing else." for n in range(400))
    await add_document(workers, company_id, [long, "", "   ", "🚢 Ærø – «Größe» 港口"])
    await index(workers, company_id)
    (text,) = [t for t in await found(workers, company_id, "berth17") if "berth17 " in t]
    assert len(text) <= 1200
    assert text in long
    assert await found(workers, company_id, "grösse Ærø") == ["🚢 Ærø – «Größe» 港口"]
    before = await state(workers, company_id)
    await index(workers, company_id)
    assert await state(workers, company_id) == before


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
    write = indexing._write

    async def interrupted(*arguments: object) -> None:
        await write(*arguments)  # type: ignore[arg-type]
        if len((await state(workers, company_id))[0]) == 1:
            raise RuntimeError("killed inside the second batch")

    monkeypatch.setattr(indexing, "_write", interrupted)
    with pytest.raises(RuntimeError):
        await index_passages(workers, first)
    monkeypatch.setattr(indexing, "_write", write)
    assert (await state(workers, company_id))[1] == 1, "the first batch stays, half of one does not"
    second = await take()
    with pytest.raises(FenceIsLost):
        await index_passages(workers, first)
    assert (await state(workers, company_id))[1] == 1
    await index_passages(workers, second)
    assert (await state(workers, company_id))[1] == 3
    async with workers.connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM work") == 0


async def test_a_signal_stands_for_the_passages_that_tell_it(
    workers: Database, company_id: UUID
) -> None:
    document_id = await add_document(workers, company_id, [MENU, ACQUISITION])
    await index(workers, company_id)
    await add_signal(workers, company_id, document_id, quote=ACQUISITION, start=len(MENU) + 2)
    await index(workers, company_id)
    engine = Relevance()
    async with workers.connection() as connection:
        hits = await engine.search(connection, company_id, Request(now()))
    assert [hit.hit.candidate.source_kind for hit in hits] == ["insight"]
    assert len(hits[0].duplicates) == 1


async def test_time_bounds(workers: Database, company_id: UUID) -> None:
    for n, days in enumerate((0, 10, 20)):
        await add_document(
            workers,
            company_id,
            [f"Harbor acquires pier number {n} from the city."],
            url=f"https://harbor.example/{n}",
            published_at=WHEN - timedelta(days=days),
        )
    await add_document(
        workers,
        company_id,
        ["Harbor acquires boats."],
        url="https://h.example/9",
        published_at=None,
    )
    await index(workers, company_id)
    engine = Relevance()
    async with workers.connection() as connection:
        for text in ("acquires", None):
            request = Request(
                now(), text, since=WHEN - timedelta(days=12), until=WHEN - timedelta(days=5)
            )
            hits = await engine.search(connection, company_id, request)
            texts = await engine.quote(
                connection, company_id, {h.place: h.best_at for h in hits}, text
            )
            assert [t.text for t in texts.values()] == [
                "Harbor acquires pier number 1 from the city."
            ]
