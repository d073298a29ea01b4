"""Work: has a model read a company's documents, newest first, within the daily budget.

A sentence that was read once is not paid for again. What the model reads replaces what the heads read in
the same document. What its budget leaves unread waits for the next day, and the heads' reading stands.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

import structlog

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany
from sightline.kit.clock import now
from sightline.llm.asking import ModelDidNotAnswer
from sightline.llm.models import ModelConfig
from sightline.llm.spending import BudgetIsSpent, held, until_tomorrow
from sightline.reading.encoder import Encoder, EncoderFailed
from sightline.reading.heads import head_encoder
from sightline.reading.model_check import writer
from sightline.reading.named import Span
from sightline.signals import form_d
from sightline.signals.changes import read_changes
from sightline.signals.documents import proven, united
from sightline.signals.llm_editor import desk_of, edit
from sightline.signals.llm_reader import (
    BATCH,
    PROMPT_VERSION,
    asked_of,
    mentions_of,
    most_tokens,
    read_batch,
)
from sightline.signals.local_reader import LocalReader
from sightline.signals.run import KINDS, MODEL_KIND, company_of, finish, keep, store, version_of
from sightline.signals.units import Unit, units_of
from sightline.store import model_readings, signal_evidence, signals, work
from sightline.store.database import Database
from sightline.store.model_spending import Allowance

log = structlog.get_logger()

_MOST_DOCUMENTS: Final = 60
_RETRY: Final = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class ModelReader:
    """The model, and the limits that a request for a company stands under."""

    model: ModelConfig
    allowances: Callable[[UUID], Sequence[Allowance]]


async def read_signals_by_model(
    database: Database, reader: ModelReader, item: work.Work, *, encoder: Encoder | None = None
) -> None:
    """Read the documents that the model has not read, and end the work; what fails is tried later."""
    company = await company_of(database, item)
    if company is None:
        return
    local = LocalReader(head_encoder(encoder))
    version = version_of(company, local)
    async with database.connection() as connection:
        trusted = await writer(connection, reader.model)
        waiting = await signal_evidence.documents_read_as(
            connection, company.company_id, version=version, kinds=KINDS, limit=_MOST_DOCUMENTS
        )
    delay: timedelta | None = None
    read = 0
    for document_id in waiting if trusted else ():
        async with database.connection() as connection:
            document = await signal_evidence.read_document(
                connection, company.company_id, document_id
            )
        if document is None:
            continue
        try:
            found = None
            if units_of(document, company):
                found = await _read(database, reader, document, company, local)
        except BudgetIsSpent:
            delay = until_tomorrow(now())
            break
        except ModelDidNotAnswer as error:
            log.warning("signals_not_read_by_model", reason=error.reason)
            delay = max(_RETRY, timedelta(seconds=error.retry_after or 0))
            break
        by_model = f"{version}+{reader.model.name}.{PROMPT_VERSION}"
        await keep(database, item, company.company_id, document, found, version=by_model)
        read += 1
    changes = await read_changes(database, company, waiting) if read else []
    async with database.connection() as connection, connection.transaction():
        await work.hold(connection, item)
        await store(connection, company.company_id, changes)
        if delay is not None:
            await work.put(connection, MODEL_KIND, item.subject, delay=delay)
        await finish(connection, item, company.company_id)
    log.info("signals_read_by_model", company=str(company.company_id), documents=read)


async def _read(
    database: Database, reader: ModelReader, document: EvidenceDocument, company: NamedCompany,
    local: LocalReader,
) -> list[Mention]:  # fmt: skip
    """What the model reads in a document. Raises ModelDidNotAnswer, BudgetIsSpent."""
    sentences = await asyncio.to_thread(_sentences, document, company, local)
    asked = [
        (unit, [asked_of(unit, span, company, reader.model) for span in spans])
        for unit, spans in sentences
    ]
    everything = [each for _, some in asked for each in some]
    async with database.connection() as connection:
        known = await model_readings.read(connection, [each.key for each in everything])
    new = [each for each in everything if each.key not in known]
    allowances = reader.allowances(company.company_id)
    for first in range(0, len(new), BATCH):
        batch = new[first : first + BATCH]
        tokens = most_tokens(batch, company)
        async with held(database, allowances, tokens=tokens) as spending:
            answer = await read_batch(reader.model, batch, company)
            spending.tokens = answer.tokens
        async with database.connection() as connection:
            await model_readings.write(connection, answer.events)
        known |= answer.events
    read = [
        (unit, [m for each in some for m in mentions_of(each, known[each.key], company)])
        for unit, some in asked
    ]
    found: Sequence[Mention] = proven(document, united(read, company, by_model=True))
    async with database.connection() as connection:
        stored = await signals.read_known(connection, company.company_id)
    desk = desk_of(found, stored, said=document.said_at)
    if desk.is_worth_asking:
        async with held(database, allowances, tokens=desk.tokens) as spending:
            found, spending.tokens = await edit(reader.model, desk, company.name)
    return [*proven(document, form_d.read(document, company)), *found]


def _sentences(
    document: EvidenceDocument, company: NamedCompany, local: LocalReader
) -> list[tuple[Unit, Sequence[Span]]]:
    """The sentences of each unit that are worth a model's reading: all, but those of notes without events."""
    units = units_of(document, company)
    with suppress(EncoderFailed):
        return [
            (unit, local.worth_reading(unit, company) if unit.kind == "note" else unit.spans)
            for unit in units
        ]
    return [(unit, unit.spans) for unit in units]
