"""Reading signals as work: once a document, once an event, whatever is killed in between."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from sightline.domain.evidence import Parsed, Passage
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.reading.onnx_encoder import bundled_encoder
from sightline.signals import run
from sightline.store import catalogue, documents, postings, work
from sightline.store.database import Database
from sightline.store.work import FenceIsLost, Work
from tests.signals.stored import signals_of

DAY = datetime(2024, 3, 6, 12, tzinfo=UTC)
FILING = (
    "Item 1.01. Heading.\n\nOn March 4, 2024, the Company entered into a supply agreement with Polar Gear"
    " Inc. for the next five years."
)
RELEASE = (
    "ACME WIDGET APPOINTS CHIEF FINANCIAL OFFICER\n\nSPRINGFIELD, March 5, 2024 -- Acme Widget Corporation"
    " today announced that it has appointed Ann B. Castor as Chief Financial Officer."
)
MOVES = (
    "Item 5.02. Heading.\n\nOn March 4, 2024, the Board of Directors of Acme Widget Corporation appointed"
    " Ann B. Castor as Chief Financial Officer, effective immediately. Bo Ray resigned as Chief Financial"
    " Officer of Acme Widget Corporation on the same day."
)


async def make_company(worker: Database) -> UUID:
    async with worker.connection() as connection, connection.transaction():
        return await catalogue.make_company(
            connection, name="Acme Widget Corporation", domain="acmewidget.example"
        )


async def add_document(
    worker: Database, company: UUID, text: str, *, url: str, kind: Any = "filing",
    title: str = "8-K for 2024-03-05", section: str | None = "1.01", parser: int = 1,
    published: datetime | None = DAY,
) -> UUID:  # fmt: skip
    parsed = Parsed(
        kind=kind, text=text, title=title, published_at=published,
        passages=(Passage(0, len(text), section, None),) if section else (),
    )  # fmt: skip
    fetched = documents.Fetched(url, url, 200, {}, "text/html", text.encode(), DAY)
    async with worker.connection() as connection, connection.transaction():
        made = await documents.store_document(
            connection, fetched, parsed, source="sec_edgar", parser=parser
        )
        await documents.tie_to_company(connection, company, made, passages=parsed.passages)
    return made


async def claim(worker: Database, company: UUID) -> Work:
    async with worker.connection() as connection, connection.transaction():
        await work.put(connection, run.WORK_KIND, str(company))
    item = await work.claim(worker, [run.WORK_KIND], lease=timedelta(hours=1), per_organization=9)
    assert item is not None
    return item


async def read(worker: Database, company: UUID) -> list[Any]:
    await run.read_signals(worker, await claim(worker, company))
    async with worker.connection() as connection:
        return await signals_of(connection, company, limit=100)


async def count(worker: Database, table: str) -> int:
    async with worker.connection() as connection:
        found: int = await connection.fetchval(f"SELECT count(*) FROM {table}")
    return found


async def test_what_a_filing_and_a_release_say_is_one_signal(worker: Database) -> None:
    company = await make_company(worker)
    filing = await add_document(worker, company, MOVES, url="https://sec.example/1", section="5.02")
    await add_document(
        worker, company, RELEASE, url="https://acmewidget.example/news/a", kind="news",
        title="Acme Widget appoints Ann B. Castor", section="EX-99.1",
    )  # fmt: skip
    await run.read_signals(worker, await claim(worker, company), encoder=bundled_encoder())
    async with worker.connection() as connection:
        both = await signals_of(connection, company, limit=100)
        waiting = await connection.fetch("SELECT kind FROM work")
    [gone] = [each for each in both if each["type"] == "leaves"]
    [found] = [each for each in both if each is not gone]
    assert [each["name"] for each in gone["parties"] if each["role"] == "person"] == ["Bo Ray"]
    assert len([each for each in found["parties"] if each["role"] == "person"]) == 1
    assert found["family"] == "leadership_moves"
    assert {"role": "person", "name": "Ann B. Castor", "title": "Chief Financial Officer"} in (
        found["parties"]
    )
    assert found["document_id"] == str(filing)
    assert found["source"]["kind"] == "filing"
    assert found["occurred_at"] == "2024-03-04T12:00:00Z"
    assert found["quote"] in MOVES
    assert await count(worker, "signal_mentions") >= 2
    assert {row["kind"] for row in waiting} == {"index_passages", "publish_events"}


async def test_without_the_encoder_items_say_their_type_by_their_number(worker: Database) -> None:
    company = await make_company(worker)
    await add_document(worker, company, FILING, url="https://sec.example/1")
    await add_document(worker, company, MOVES, url="https://sec.example/2", section="5.02")
    [found] = await read(worker, company)
    assert found["type"] == "material_agreement"
    assert found["quote"] in FILING
    assert (found["realis"], found["planned"]) == ("happened", False)
    assert found["occurred_at"] == "2024-03-04T12:00:00Z"


async def test_a_model_reads_later_and_sooner_where_accounts_are(worker: Database) -> None:
    company = await make_company(worker)
    await add_document(worker, company, FILING, url="https://sec.example/1")
    await run.read_signals(worker, await claim(worker, company), model=True)
    async with worker.connection() as connection:
        waiting = await connection.fetch("SELECT kind, priority FROM work")
    assert {(row["kind"], row["priority"]) for row in waiting} >= {(run.MODEL_KIND, 15)}


async def test_asking_again_reads_nothing_and_doubles_nothing(
    worker: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    company = await make_company(worker)
    await add_document(worker, company, FILING, url="https://sec.example/1")
    before = await read(worker, company)

    def refuse(*args: object, **named: object) -> Sequence[Any]:
        raise AssertionError("An unchanged document was read again.")

    with monkeypatch.context() as patched:
        patched.setattr(run, "read_document", refuse)
        assert await read(worker, company) == before
    monkeypatch.setattr(run, "VERSION", 2)
    assert await read(worker, company) == before


async def test_a_signal_that_is_dropped_and_read_again_has_its_old_id(worker: Database) -> None:
    """As when a merge is undone: the one who was notified is not notified again."""
    company = await make_company(worker)
    await add_document(worker, company, FILING, url="https://sec.example/1")
    [before] = await read(worker, company)
    async with worker.connection() as connection:
        for table in ("signal_mentions", "signals", "signal_readings"):
            await connection.execute(f"DELETE FROM {table} WHERE company_id = $1", company)
    [after] = await read(worker, company)
    assert after["id"] == before["id"]
    assert UUID(before["id"]).version == 7


async def test_a_killed_run_goes_on_where_it_stopped(
    worker: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    company = await make_company(worker)
    for number in range(4):
        text = FILING.replace("On March 4, 2024, the", f"In {number} weeks the")
        await add_document(
            worker, company, text, url=f"https://sec.example/{number}",
            published=DAY + timedelta(days=30 * number),
        )  # fmt: skip
    whole = run.read_document
    done: list[UUID] = []

    def die_after_two(document: Any, *others: Any) -> Any:
        if len(done) == 2:
            raise RuntimeError("killed")
        done.append(document.document_id)
        return whole(document, *others)

    item = await claim(worker, company)
    with monkeypatch.context() as patched:
        patched.setattr(run, "read_document", die_after_two)
        with pytest.raises(RuntimeError):
            await run.read_signals(worker, item)
    assert await count(worker, "signals") == 2

    def note(document: Any, *others: Any) -> Any:
        done.append(document.document_id)
        return whole(document, *others)

    monkeypatch.setattr(run, "read_document", note)
    await run.read_signals(worker, item)
    assert await count(worker, "signals") == 4
    assert len(done) == len(set(done)) == 4


async def test_a_lost_fence_writes_nothing(worker: Database) -> None:
    company = await make_company(worker)
    await add_document(worker, company, FILING, url="https://sec.example/1")
    item = await claim(worker, company)
    async with worker.connection() as connection:
        await connection.execute("UPDATE work SET fence = fence + 1")
    with pytest.raises(FenceIsLost):
        await run.read_signals(worker, item)
    assert await count(worker, "signals") == 0


async def test_what_a_document_no_longer_says_goes(worker: Database) -> None:
    company = await make_company(worker)
    await add_document(worker, company, FILING, url="https://sec.example/1")
    assert len(await read(worker, company)) == 1
    # The same bytes, read by a newer parser that finds another text.
    parsed = Parsed(kind="filing", text="Nothing of note here at all.", title="8-K for 2024-03-05")
    fetched = documents.Fetched(
        "https://sec.example/1", "https://sec.example/1", 200, {}, "text/html", FILING.encode(), DAY
    )
    async with worker.connection() as connection, connection.transaction():
        made = await documents.store_document(
            connection, fetched, parsed, source="sec_edgar", parser=2
        )
        await documents.tie_to_company(connection, company, made, passages=())
    assert await read(worker, company) == []
    assert await count(worker, "signal_mentions") == 0


async def test_an_unknown_company_ends_the_work(worker: Database) -> None:
    await run.read_signals(worker, await claim(worker, UUID(int=5)))
    assert await count(worker, "work") == 0


async def test_pulls_over_months_show_a_surge_once(worker: Database) -> None:
    company = await make_company(worker)
    serial = 0
    active: list[ParsedPosting] = []
    for month, opened in enumerate([30, 20, 24, 18, 22, 19, 80]):
        for _ in range(opened):
            serial += 1
            place = PostingLocation("Springfield", "Springfield", None, "US")
            active.append(
                ParsedPosting(str(serial), f"Fitter {serial}", "https://jobs.example/1", (place,))
            )
        async with worker.connection() as connection, connection.transaction():
            await postings.store_pull(
                connection, company, board="greenhouse/acme", source="job_boards", listed=active,
                complete=True, document_id=None, pulled_at=DAY + timedelta(days=30 * month),
            )  # fmt: skip
    first = await read(worker, company)
    assert [each["type"] for each in first] == ["hiring_surge"]
    assert first[0]["source"]["kind"] == "job"
    assert "80 postings opened on greenhouse/acme" in first[0]["summary"]
    assert await read(worker, company) == first


def form_4(person: str, day: str, shares: str) -> str:
    return (
        f"{person} (officer) of Acme Widget Corporation, Form 4.\n"
        f"{day}: sold {shares} Common Stock at $50.00; 90,000 held afterwards (code S).\n"
    )


async def test_insiders_of_one_fortnight_are_one_signal_whose_totals_grow(worker: Database) -> None:
    company = await make_company(worker)
    for number, (person, shares) in enumerate([("Ida Moss", "30,000"), ("Bo Ray", "40,000")]):
        day = f"2024-03-0{5 + number}"
        await add_document(
            worker, company, form_4(person, day, shares), url=f"https://sec.example/4/{number}",
            title=f"4 for {day}", section=None,
        )  # fmt: skip
    [before] = await read(worker, company)
    assert before["title"].startswith(
        "2 insiders sell $3.5 million of Acme Widget Corporation shares"
    )
    assert await count(worker, "signal_mentions") == 2

    await add_document(
        worker, company, form_4("Cy Fox", "2024-03-15", "10,000"), url="https://sec.example/4/c",
        title="4 for 2024-03-15", section=None, published=DAY + timedelta(days=10),
    )  # fmt: skip
    [after] = await read(worker, company)
    assert after["id"] == before["id"]
    assert UUID(before["id"]).version == 7
    assert after["title"].startswith("3 insiders sell $4 million of Acme Widget Corporation shares")
    assert after["amount"]["value"] == 4_000_000
    assert await count(worker, "signal_mentions") == 3
