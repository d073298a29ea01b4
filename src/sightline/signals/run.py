"""The work of reading a company's signals: unread documents, then what only several of them tell.

A document is read in a transaction of its own that also remembers the reading, so that a killed run
goes on where it stopped and doubles nothing. What postings, facts and pairs of reports tell is found
anew every time and finds its story again.
"""

import asyncio
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

import structlog

from sightline.domain.happenings import (
    EvidenceDocument,
    FactSeen,
    PostingSeen,
    Pull,
    Subject,
    Telling,
    Version,
)
from sightline.domain.names import fold, name_key
from sightline.kit.clock import now
from sightline.signals import (
    field_changes,
    filing_items,
    form_d,
    insiders,
    news,
    postings,
    risk_changes,
    segment_changes,
    technologies,
)
from sightline.signals.clustering import Story, find_story, story_key, tells_more, weight_of
from sightline.signals.contract import VERSION, expiry
from sightline.store import catalogue, signals, work
from sightline.store.database import Connection, Database

log = structlog.get_logger()

WORK_KIND: Final = "read_signals"
# What shows signals is made anew after them, and whoever watches is told.
_THEN: Final = ("index_passages", "publish_events")
KINDS: Final = ("filing", "news", "feed_item", "page")

Detector = Callable[[EvidenceDocument, Subject], list[Telling]]
# Detectors that read one document at a time, in order.
DETECTORS: Final[tuple[Detector, ...]] = (
    filing_items.read,
    form_d.read,
    news.read,
)


async def read_signals(database: Database, item: work.Work) -> None:
    """Work: find the signals of a company in whatever of its evidence is new."""
    async with database.connection() as connection:
        company = await catalogue.find_company(connection, UUID(item.subject))
    if company is None:
        async with database.connection() as connection, connection.transaction():
            await work.finish(connection, item)
        return
    subject = _subject(company)
    version = _version(subject)
    async with database.connection() as connection:
        unread = await signals.unread_documents(
            connection, subject.company_id, version=version, kinds=KINDS
        )
    told = 0
    trades = await _insiders_trades(database, subject) if unread else []
    for document_id in unread:
        async with database.connection() as connection:
            document = await signals.read_document(connection, subject.company_id, document_id)
        if document is None:
            continue
        tellings = await asyncio.to_thread(detect_in, document, subject)
        tellings += _groups_of(document, trades)
        async with database.connection() as connection, connection.transaction():
            await work.hold(connection, item)
            await _store(connection, subject.company_id, tellings, document_id=document_id)
            await signals.note_reading(
                connection, subject.company_id, document_id, version=version, parser=document.parser
            )
        told += len(tellings)
    told += await _read_changes(database, item, subject, unread)
    log.info("signals_read", company=str(subject.company_id), documents=len(unread), tellings=told)


def detect_in(document: EvidenceDocument, subject: Subject) -> list[Telling]:
    """What one document tells, each quote checked to be in it word for word."""
    found = [telling for detector in DETECTORS for telling in detector(document, subject)]
    return [
        telling
        for telling in found
        if telling.start is not None
        and document.text[telling.start : telling.end] == telling.quote
        and telling.confidence > 0
    ]


async def _insiders_trades(database: Database, subject: Subject) -> list[Telling]:
    """What all forms of a company's insiders tell together."""
    async with database.connection() as connection:
        found = [
            await signals.read_document(connection, subject.company_id, document_id)
            for document_id in await signals.insider_forms(connection, subject.company_id)
        ]
    forms = [each for each in found if each is not None]
    return await asyncio.to_thread(insiders.read, forms, subject)


def _groups_of(document: EvidenceDocument, trades: Sequence[Telling]) -> list[Telling]:
    """All tellings of the groups of trades that a form belongs to."""
    groups = {
        (each.type, each.occurred_at) for each in trades if each.document_id == document.document_id
    }
    return [each for each in trades if (each.type, each.occurred_at) in groups]


async def _read_changes(
    database: Database, item: work.Work, subject: Subject, unread: Sequence[UUID]
) -> int:
    company_id = subject.company_id
    async with database.connection() as connection:
        pulls = await signals.read_pulls(connection, company_id)
        jobs = await signals.read_postings_seen(connection, company_id)
        facts = await signals.read_facts_seen(
            connection, company_id, fields=("technology", "segment", *field_changes.FIELDS)
        )
        versions = await signals.read_versions(connection, company_id, source="website")
        reports = await _two_reports(connection, company_id, unread)
    found = await asyncio.to_thread(_changes, subject, pulls, jobs, facts, versions, reports)
    async with database.connection() as connection, connection.transaction():
        await work.hold(connection, item)
        await _store(connection, company_id, await _located(connection, found))
        for kind in _THEN:
            await work.put(connection, kind, str(company_id))
        await work.finish(connection, item)
    return len(found)


def _changes(
    subject: Subject, pulls: Sequence[Pull], jobs: Sequence[PostingSeen], facts: Sequence[FactSeen],
    versions: Sequence[Version],
    reports: tuple[EvidenceDocument, EvidenceDocument] | None,
) -> list[Telling]:  # fmt: skip
    return [
        *postings.read(jobs, pulls, subject),
        *technologies.read(facts, versions, subject),
        *field_changes.read(facts, versions, subject),
        *segment_changes.read(facts, subject),
        *(risk_changes.read(*reports, subject) if reports else ()),
    ]


async def _two_reports(
    connection: Connection, company_id: UUID, unread: Sequence[UUID]
) -> tuple[EvidenceDocument, EvidenceDocument] | None:
    """The newest two annual reports, when one of them is new to us."""
    newest = [
        document_id for document_id, _ in await signals.annual_reports(connection, company_id)
    ]
    if len(newest) < 2 or not set(newest[:2]) & set(unread):
        return None
    new = await signals.read_document(connection, company_id, newest[0])
    old = await signals.read_document(connection, company_id, newest[1])
    return (new, old) if new is not None and old is not None else None


async def _located(connection: Connection, found: Iterable[Telling]) -> list[Telling]:
    """Tellings with the place of their quote, where the document has it word for word."""
    texts: dict[UUID, str] = {}
    placed = []
    for telling in found:
        if telling.start is None and telling.document_id is not None:
            if telling.document_id not in texts:
                texts[telling.document_id] = await signals.read_text(
                    connection, telling.document_id
                )
            text = texts[telling.document_id]
            pattern = r"\s+".join(re.escape(word) for word in telling.quote.split())
            match = re.search(pattern, text) if pattern and len(pattern) < 4_000 else None
            if match:
                telling = replace(telling, quote=match[0], start=match.start(), end=match.end())
        placed.append(telling)
    return placed


async def _store(
    connection: Connection,
    company_id: UUID,
    tellings: Sequence[Telling],
    *,
    document_id: UUID | None = None,
) -> None:
    """Put tellings to their stories. Those of one document replace what it told before."""
    if document_id is not None:
        await signals.forget_tellings(connection, company_id, [document_id])
    if tellings:
        stories = [_story(each) for each in await signals.read_stories(connection, company_id)]
        detected_at = now()
        for telling in tellings:
            await _put(connection, company_id, telling, stories, detected_at)
    if document_id is not None:
        await signals.drop_untold(
            connection, company_id, documents=[document_id], source_kinds=["filing", "news", "web"]
        )


async def _put(
    connection: Connection,
    company_id: UUID,
    telling: Telling,
    stories: list[Story],
    detected_at: datetime,
) -> None:
    story = find_story(telling, stories)
    weight = weight_of(telling.source_kind, telling.confidence)
    # One that is dropped and told again, as when a merge is undone, is no news: it has its old id.
    signal_id = story.signal_id if story else uuid5(company_id, story_key(telling))
    if story is None or weight > story.weight or tells_more(telling, story):
        signal_id = await signals.put_signal(
            connection,
            company_id,
            telling,
            signal_id=signal_id,
            story_key=story_key(telling),
            detected_at=detected_at,
            expires_at=expiry(telling, detected_at=detected_at),
        )
    if story is None:
        story = Story(
            signal_id, telling.type, telling.occurred_at, telling.about, telling.amount, weight
        )
        stories.append(story)
    if tells_more(telling, story):
        story.amount = telling.amount
    story.weight = max(story.weight, weight)
    story.quotes.append(fold(telling.quote))
    await signals.put_telling(connection, company_id, signal_id, telling)


def _story(stored: signals.StoredSignal) -> Story:
    return Story(
        signal_id=stored.signal_id,
        type=stored.type,
        occurred_at=stored.occurred_at,
        about=stored.about,
        amount=stored.amount,
        weight=weight_of(stored.source_kind, stored.confidence),
        quotes=[fold(quote) for quote in stored.quotes],
    )


def _subject(company: catalogue.Identity) -> Subject:
    record = company.record
    names = [record.get("legal_name"), *record.get("alternative_names", ())]
    return Subject(
        company_id=company.company_id,
        name=company.name,
        names=tuple(dict.fromkeys(str(name) for name in names if name)),
        domains=tuple(
            dict.fromkeys([*company.domains, *([company.domain] if company.domain else [])])
        ),
    )


def _version(subject: Subject) -> str:
    """Of the detectors, with the name they look for: under another name documents are read anew."""
    name = hashlib.sha256(name_key(subject.name).encode()).hexdigest()[:8]
    return f"{VERSION}.{name}"
