"""Work: reads a company's signals from unread documents, then from several together.

A document is read in a transaction of its own that also remembers the reading, so that a killed run
resumes where it stopped and doubles nothing. What postings, facts and pairs of reports say is found
again every time and meets its signal again.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import structlog

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany
from sightline.domain.names import fold, name_key
from sightline.kit.clock import now
from sightline.kit.ids import id_within
from sightline.reading.encoder import Encoder, EncoderFailed
from sightline.reading.heads import head_encoder
from sightline.signals import insiders
from sightline.signals.changes import read_changes
from sightline.signals.clustering import Known, find_signal, says_more, signal_key, weight_of
from sightline.signals.contract import VERSION, expiry
from sightline.signals.documents import read_document
from sightline.signals.local_reader import LocalReader
from sightline.store import catalogue, signal_evidence, signals, work
from sightline.store.database import Connection, Database
from sightline.store.passes import organizations_with

log = structlog.get_logger()

WORK_KIND: Final = "read_signals"
MODEL_KIND: Final = "read_signals_by_model"
# What shows signals is made again after them, and watches are served.
THEN: Final = ("index_passages", "publish_events")
KINDS: Final = ("filing", "news", "feed_item", "page")
# A model's reading waits for all that people wait for, and for companies that more organizations hold.
_MODEL_PRIORITY: Final = 15
_MOST_ACCOUNTS: Final = 5
_LOCAL_KINDS: Final = ("filing", "news", "web")


async def read_signals(
    database: Database, item: work.Work, *, encoder: Encoder | None = None, model: bool = False
) -> None:
    """Work: find the signals of a company in whatever of its evidence is new. `model`: one reads the
    documents again afterwards, as work of its own."""
    company = await company_of(database, item)
    if company is None:
        return
    reader = LocalReader(head_encoder(encoder))
    version = version_of(company, reader)
    company_id = company.company_id
    async with database.connection() as connection:
        unread = await signal_evidence.unread_documents(
            connection, company_id, version=version, kinds=KINDS
        )
    trades = await _insiders_trades(database, company) if unread else []
    for document_id in unread:
        async with database.connection() as connection:
            document = await signal_evidence.read_document(connection, company_id, document_id)
        if document is None:
            continue
        found = await _read(document, company, reader) + _groups_of(document, trades)
        await keep(database, item, company_id, document, found, version=version)
    changes = await read_changes(database, company, unread)
    async with database.connection() as connection, connection.transaction():
        await work.hold(connection, item)
        await store(connection, company_id, changes)
        if model and unread:
            await ask_for_model(connection, company_id)
        await finish(connection, item, company_id)
    log.info("signals_read", company=str(company_id), documents=len(unread))


async def keep(
    database: Database, item: work.Work, company_id: UUID, document: EvidenceDocument,
    found: Sequence[Mention] | None, *, version: str,
) -> None:  # fmt: skip
    """Store what a document says, None for no reading of it, and remember the version that read it."""
    document_id = document.document_id
    async with database.connection() as connection, connection.transaction():
        await work.hold(connection, item)
        if found is not None:
            await store(connection, company_id, found, document_id=document_id)
        await signal_evidence.note_reading(
            connection, company_id, document_id, version=version, parser=document.parser
        )


async def company_of(database: Database, item: work.Work) -> NamedCompany | None:
    """The company that work is about; None, and the work ended, where there is none."""
    async with database.connection() as connection:
        company = await catalogue.find_company(connection, UUID(item.subject))
    if company is None:
        async with database.connection() as connection, connection.transaction():
            await work.finish(connection, item)
        return None
    record = company.record
    names = [record.get("legal_name"), *record.get("alternative_names", ())]
    domains = [*company.domains, *([company.domain] if company.domain else [])]
    own = tuple(dict.fromkeys(str(name) for name in names if name))
    return NamedCompany(company.company_id, company.name, own, tuple(dict.fromkeys(domains)))


def version_of(company: NamedCompany, reader: LocalReader) -> str:
    """Of the readers, with the name they look for: under another one documents are read again."""
    name = hashlib.sha256(name_key(company.name).encode()).hexdigest()[:8]
    return f"{VERSION}.{name}.{'heads' if reader.encoder else 'structure'}"


async def ask_for_model(connection: Connection, company_id: UUID) -> None:
    """Put a model's reading on the queue, sooner for a company that more organizations hold."""
    holders = len(await organizations_with(connection, [company_id]))
    priority = _MODEL_PRIORITY - min(holders, _MOST_ACCOUNTS)
    await work.put(connection, MODEL_KIND, str(company_id), priority=priority)


async def finish(connection: Connection, item: work.Work, company_id: UUID) -> None:
    """End the work and ask for what follows it."""
    for kind in THEN:
        await work.put(connection, kind, str(company_id))
    await work.finish(connection, item)


async def _read(
    document: EvidenceDocument, company: NamedCompany, reader: LocalReader
) -> list[Mention]:
    """What a document says; by its structure alone while the encoder fails."""
    try:
        return await asyncio.to_thread(read_document, document, company, reader)
    except EncoderFailed as error:
        log.warning("signals_without_encoder", reason=str(error))
        return await asyncio.to_thread(read_document, document, company, LocalReader(None))


async def _insiders_trades(database: Database, company: NamedCompany) -> list[Mention]:
    """What all forms of a company's insiders say together."""
    async with database.connection() as connection:
        found = [
            await signal_evidence.read_document(connection, company.company_id, document_id)
            for document_id in await signal_evidence.insider_forms(connection, company.company_id)
        ]
    return await asyncio.to_thread(insiders.read, [each for each in found if each], company)


def _groups_of(document: EvidenceDocument, trades: Sequence[Mention]) -> list[Mention]:
    """All mentions of the groups of trades that a form belongs to."""
    own = [each for each in trades if each.document_id == document.document_id]
    groups = {(each.type, each.at) for each in own}
    return [each for each in trades if (each.type, each.at) in groups]


async def store(
    connection: Connection, company_id: UUID, mentions: Sequence[Mention], *,
    document_id: UUID | None = None,
) -> None:  # fmt: skip
    """Put mentions to their signals. Those of one document replace what it said before."""
    if document_id is not None:
        await signals.forget_mentions(connection, company_id, [document_id])
    stored = await signals.read_known(connection, company_id) if mentions else []
    known = [_known(each, rewritten=document_id) for each in stored]
    for mention in mentions:
        await _put(connection, company_id, mention, known, now())
    if document_id is not None:
        await signals.drop_unmentioned(
            connection, company_id, documents=[document_id], source_kinds=_LOCAL_KINDS
        )


async def _put(
    connection: Connection, company_id: UUID, mention: Mention, known: list[Known],
    detected_at: datetime,
) -> None:  # fmt: skip
    """Put a mention to its signal, whose words it becomes where it weighs more, or to a new one."""
    signal, key = find_signal(mention, known), signal_key(mention)
    weight = weight_of(mention.source_kind, mention.confidence)
    if signal is None or weight > signal.weight or says_more(mention, signal):
        # One that is dropped and mentioned again, as when a merge is undone, is no news: it has its old id.
        signal_id = await signals.put_signal(
            connection, company_id, mention,
            signal_id=signal.signal_id if signal else id_within(company_id, key), key=key,
            detected_at=detected_at, expires_at=expiry(mention, detected_at=detected_at),
        )  # fmt: skip
        if signal is None:
            signal = Known(signal_id)
            known.append(signal)
        signal.tell(mention, weight)
    signal.quotes.append(fold(mention.quote))
    if mention.document_id is not None:
        signal.documents.add(mention.document_id)
    await signals.put_mention(connection, company_id, signal.signal_id, mention)


def _known(stored: signals.StoredSignal, *, rewritten: UUID | None) -> Known:
    """A signal for comparison. Words out of a document that is read again weigh nothing any more."""
    known = Known(
        stored.signal_id, quotes=list(map(fold, stored.quotes)), documents=set(stored.documents)
    )
    is_rewritten = rewritten is not None and stored.document_id == rewritten
    known.tell(stored, 0.0 if is_rewritten else weight_of(stored.source_kind, stored.confidence))
    return known
