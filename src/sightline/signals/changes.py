"""Signals that need several documents: postings over time, facts that differ, pairs of reports."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany
from sightline.signals import field_changes, postings, risk_changes, segment_changes, technologies
from sightline.signals.contract import place_of
from sightline.store import signal_evidence
from sightline.store.database import Connection, Database

_FIELDS = ("technology", "segment", *field_changes.FIELDS)


async def read_changes(
    database: Database, company: NamedCompany, unread: Sequence[UUID]
) -> list[Mention]:
    """What a company's postings, facts and annual reports say; `unread` are documents that are new."""
    company_id = company.company_id
    async with database.connection() as connection:
        pulls = await signal_evidence.read_pulls(connection, company_id)
        jobs = await signal_evidence.read_postings_seen(connection, company_id)
        facts = await signal_evidence.read_facts_seen(connection, company_id, fields=_FIELDS)
        versions = await signal_evidence.read_versions(connection, company_id, source="website")
        reports = await _two_reports(connection, company_id, unread)

    def read() -> list[Mention]:
        return [
            *postings.read(jobs, pulls, company),
            *technologies.read(facts, versions, company),
            *field_changes.read(facts, company),
            *segment_changes.read(facts, company),
            *(risk_changes.read(*reports, company) if reports else ()),
        ]

    found = await asyncio.to_thread(read)
    async with database.connection() as connection:
        return await _located(connection, found)


async def _two_reports(
    connection: Connection, company_id: UUID, unread: Sequence[UUID]
) -> tuple[EvidenceDocument, EvidenceDocument] | None:
    """The newest two annual reports, when one of them is new to us."""
    newest = (await signal_evidence.annual_reports(connection, company_id))[:2]
    ids = [document_id for document_id, _ in newest]
    if len(ids) < 2 or not set(ids) & set(unread):
        return None
    new, old = [await signal_evidence.read_document(connection, company_id, each) for each in ids]
    return (new, old) if new is not None and old is not None else None


async def _located(connection: Connection, found: Iterable[Mention]) -> list[Mention]:
    """Mentions with the place of their quote, where the document has it verbatim."""
    texts: dict[UUID, str] = {}
    placed = []
    for mention in found:
        if mention.start is None and mention.document_id is not None:
            at = mention.document_id
            text = texts[at] = texts.get(at) or await signal_evidence.read_text(connection, at)
            if span := place_of(mention.quote, text):
                mention = replace(mention, quote=text[slice(*span)], start=span[0], end=span[1])
        placed.append(mention)
    return placed
