"""A company of the catalogue that two organizations have as an account, and signals about it."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from sightline.store.database import Database, open_database
from sightline.store.work import claim, put


@pytest.fixture
async def worker(database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(database_url, role="sightline_worker", size=6)
    yield opened
    await opened.close()


async def add_signal(
    worker: Database,
    company_id: UUID,
    *,
    type: str = "hires",
    family: str = "leadership_moves",
    confidence: float = 0.9,
    title: str | None = None,
    expires_at: datetime | None = None,
) -> UUID:
    """A signal with nothing but what monitoring reads; `title` is the position of its person."""
    signal_id = uuid4()
    person = {"role": "person", "name": "Ada Okafor", "title": title}
    async with worker.connection() as connection:
        await connection.execute(
            """
            INSERT INTO signals (company_id, signal_id, family, type, title, summary, quote,
              source_kind, source, occurred_at, detected_at, planned, confidence, parties, story_key,
              expires_at)
            VALUES ($1, $2, $3, $4, $5, '', 'words', 'news', $6, $7, $7, false, $8, $10, $9, $11)
            """,
            company_id,
            signal_id,
            family,
            type,
            f"{type} {signal_id}",
            {"name": "Newsroom", "url": "https://harbor.example/news"},
            datetime.now(UTC),
            confidence,
            str(signal_id),
            [person] if title else [],
            expires_at,
        )
    return signal_id


async def publish_now(worker: Database, company_id: UUID) -> None:
    """Run the work that tells everybody about a company."""
    from datetime import timedelta

    from sightline.monitor.publish import WORK_KIND, publish

    async with worker.connection() as connection:
        await put(connection, WORK_KIND, str(company_id))
    item = await claim(worker, [WORK_KIND], lease=timedelta(hours=1), per_organization=5)
    assert item is not None
    await publish(worker, item)
