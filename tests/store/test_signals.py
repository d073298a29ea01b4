"""Signals and their mentions as rows."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from sightline.domain.mentions import Mention, SignalAmount, SignalParty
from sightline.domain.signals import SignalType
from sightline.domain.signals import dated as dated_words
from sightline.kit.ids import new_id
from sightline.store import catalogue, signals
from sightline.store.database import Connection, Database, open_database
from tests.signals.stored import signals_of

NOW = datetime(2024, 3, 6, 12, tzinfo=UTC)
MENTION = Mention(
    type=SignalType.ACQUIRES,
    title="Acme acquires Borealis for $42M",
    summary="Acme acquired Borealis for $42 million.",
    quote="Acme acquired Borealis for $42 million.",
    source_kind="news",
    source={"name": "news.example", "url": "https://news.example/1"},
    occurred_at=NOW,
    confidence=0.8,
    parties=(SignalParty("acquirer", "Acme"), SignalParty("target", "Borealis")),
    amount=SignalAmount(42_000_000, "USD"),
    counterparty="borealis",
)


@pytest.fixture
async def worker(database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(database_url, role="sightline_worker", size=2)
    yield opened
    await opened.close()


async def put(
    connection: Connection, company: UUID, mention: Mention, *, key: str, signal_id: UUID | None = None
) -> UUID:  # fmt: skip
    return await signals.put_signal(
        connection,
        company,
        mention,
        signal_id=signal_id or new_id(),
        key=key,
        detected_at=NOW,
        expires_at=NOW + timedelta(days=365),
    )


async def test_a_signal_is_shown_as_the_reference_names_it(worker: Database) -> None:
    async with worker.connection() as connection:
        company = await catalogue.make_company(connection, name="Acme", domain=None)
        await put(connection, company, MENTION, key="a")
        [shown] = await signals_of(connection, company, limit=5)
    assert shown["family"] == "material_changes"
    assert shown["amount"] == {"value": 42_000_000, "currency": "USD"}
    assert shown["parties"] == [
        {"role": "acquirer", "name": "Acme"},
        {"role": "target", "name": "Borealis"},
    ]
    assert shown["source"]["kind"] == "news"
    assert shown["expires_at"] == "2025-03-06T12:00:00Z"
    assert shown["corroboration"] == {"count": 1, "sources": []}
    assert not shown["planned"]


async def test_a_known_key_or_id_gets_new_words_and_keeps_its_id(worker: Database) -> None:
    async with worker.connection() as connection:
        company = await catalogue.make_company(connection, name="Acme", domain=None)
        first = await put(connection, company, MENTION, key="a")
        again = await put(connection, company, replace(MENTION, title="Said again"), key="a")
        assert again == first
        better = replace(MENTION, title="Said better")
        assert await put(connection, company, better, key="other", signal_id=first) == first
        [shown] = await signals_of(connection, company, limit=5)
        assert shown["title"] == "Said better"
        key = await connection.fetchval("SELECT story_key FROM signals")
    assert key == "a"


async def test_known_signals_come_back_as_they_were_put(worker: Database) -> None:
    async with worker.connection() as connection:
        company = await catalogue.make_company(connection, name="Acme", domain=None)
        await put(connection, company, MENTION, key="a")
        [known] = await signals.read_known(connection, company)
    assert (known.type, known.counterparty, known.amount) == (
        MENTION.type,
        MENTION.counterparty,
        MENTION.amount,
    )
    assert known.quotes == (MENTION.quote,)
    assert known.source_kind == "news"


async def test_a_signal_without_a_day_is_sorted_by_the_day_it_was_reported(
    worker: Database,
) -> None:
    dated = replace(MENTION, title="dated", occurred_at=NOW - timedelta(days=10))
    month = replace(
        MENTION, title="month", occurred_at=NOW.replace(day=1), details={"precision": "month"}
    )
    reported = replace(
        MENTION, title="reported", occurred_at=None, published_at=NOW - timedelta(days=4)
    )
    async with worker.connection() as connection:
        company = await catalogue.make_company(connection, name="Acme", domain=None)
        for each in (dated, reported, month):
            await put(connection, company, each, key=each.title)
        rows = await connection.fetch(
            f"SELECT title, {signals.DATED} FROM signals WHERE company_id = $1 ORDER BY {signals.AT} DESC",
            company,
        )
        [known] = [
            each
            for each in await signals.read_known(connection, company)
            if each.title == "reported"
        ]
    shown = [(row["title"], dated_words(row["at"].date(), row["precision"])) for row in rows]
    assert shown == [
        ("reported", "reported 2024-03-02"),
        ("month", "2024-03"),
        ("dated", "2024-02-25"),
    ]
    assert known.at == reported.at == NOW - timedelta(days=4)
