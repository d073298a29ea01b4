"""Evidence that tests put into the store, and the worker's part that indexes it."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

from sightline.domain.evidence import DocumentKind, Parsed, Passage
from sightline.kit.ids import new_id
from sightline.queue.runner import Runner
from sightline.reading.encoder import Encoder
from sightline.search.indexing import WORK_KIND, index_passages
from sightline.store.database import Database
from sightline.store.documents import Fetched, store_document, tie_to_company
from sightline.store.work import put

WHEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def add_document(
    workers: Database,
    company_id: UUID,
    paragraphs: Sequence[str],
    *,
    url: str = "https://news.harbor.example/1",
    kind: DocumentKind = "news",
    title: str = "News of the harbor",
    published_at: datetime | None = WHEN,
    heading: str | None = None,
    content: bytes | None = None,
) -> UUID:
    """A document of which every paragraph is a passage; answers its id."""
    text = "\n\n".join(paragraphs)
    passages, start = [], 0
    for paragraph in paragraphs:
        passages.append(Passage(start, start + len(paragraph), heading=heading))
        start += len(paragraph) + 2
    parsed = Parsed(kind, text, title=title, published_at=published_at, passages=tuple(passages))
    body = text.encode() if content is None else content
    fetched = Fetched(url, url, 200, {}, "text/plain", body, WHEN)
    async with workers.connection() as connection, connection.transaction():
        document_id = await store_document(connection, fetched, parsed, source="feeds", parser=1)
        await tie_to_company(connection, company_id, document_id, passages=parsed.passages)
    return document_id


async def add_signal(
    workers: Database,
    company_id: UUID,
    document_id: UUID,
    *,
    quote: str,
    start: int,
    family: str = "material_changes",
    kind: str = "acquires",
    tellings: Sequence[tuple[UUID, str]] = (),
) -> UUID:
    """A signal proven by a document; `tellings` are (document, publisher) that tell it too."""
    signal_id = new_id()
    values: dict[str, Any] = {
        "company_id": company_id,
        "signal_id": signal_id,
        "family": family,
        "type": kind,
        "title": "Harbor acquires Quay Systems",
        "summary": quote,
        "quote": quote,
        "document_id": document_id,
        "start_at": start,
        "end_at": start + len(quote),
        "source_kind": "news",
        "source": {"name": "feeds", "url": "https://news.harbor.example/1", "title": "News",
                   "publisher": "harbor.example", "published_at": "2026-03-01T12:00:00+00:00"},
        "occurred_at": WHEN,
        "detected_at": WHEN,
        "confidence": 0.9,
        "parties": [{"role": "target", "name": "Quay Systems"}],
        "story_key": hashlib.sha256(quote.encode()).hexdigest(),
    }  # fmt: skip
    async with workers.connection() as connection, connection.transaction():
        names = ", ".join(values)
        places = ", ".join(f"${n}" for n in range(1, len(values) + 1))
        await connection.execute(
            f"INSERT INTO signals ({names}) VALUES ({places})", *values.values()
        )
        for other, publisher in tellings:
            source = values["source"] | {"publisher": publisher, "url": f"https://{publisher}/a"}
            await connection.execute(
                "INSERT INTO signal_mentions VALUES ($1, $2, $3, 0, 10, $4, $5, $6)",
                company_id,
                signal_id,
                other,
                source,
                quote,
                WHEN,
            )
    return signal_id


async def index(workers: Database, company_id: UUID, *, encoder: Encoder | None = None) -> None:
    """Do what the worker does when evidence of a company changed."""
    async with workers.connection() as connection:
        await put(connection, WORK_KIND, str(company_id))
    runner = Runner(
        database=workers,
        handlers={WORK_KIND: partial(index_passages, workers, encoder=encoder)},
        slots=1,
        per_organization=10,
    )
    await runner.run_all()


async def add_happening(workers: Database, company_id: UUID) -> UUID:
    """A signal with its document, indexed; answers its id."""
    quote = "Harbor Analytics acquired Quay Systems for 40 million dollars in cash."
    document_id = await add_document(workers, company_id, [quote])
    signal_id = await add_signal(workers, company_id, document_id, quote=quote, start=0)
    await index(workers, company_id)
    return signal_id
