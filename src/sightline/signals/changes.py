"""Signals that need several documents: postings over time, facts that differ, pairs of reports."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from sightline.domain.mentions import (
    EvidenceDocument,
    FactSeen,
    Mention,
    NamedCompany,
    PostingSeen,
    Pull,
    Version,
)
from sightline.signals import (
    field_changes,
    postings,
    risk_changes,
    segment_changes,
    technologies,
)
from sightline.signals.contract import place_of
from sightline.store import signal_evidence
from sightline.store.database import Connection, Database


async def read_changes(
    database: Database, company: NamedCompany, unread: Sequence[UUID]
) -> list[Mention]:
    """What a company's postings, facts and annual reports say; `unread` are documents that are new."""
    company_id = company.company_id
    async with database.connection() as connection:
        pulls = await signal_evidence.read_pulls(connection, company_id)
        jobs = await signal_evidence.read_postings_seen(connection, company_id)
        facts = await signal_evidence.read_facts_seen(
            connection, company_id, fields=("technology", "segment", *field_changes.FIELDS)
        )
        versions = await signal_evidence.read_versions(connection, company_id, source="website")
        reports = await _two_reports(connection, company_id, unread)
    found = await asyncio.to_thread(_changes, company, pulls, jobs, facts, versions, reports)
    async with database.connection() as connection:
        return await _located(connection, found)


def _changes(
    company: NamedCompany, pulls: Sequence[Pull], jobs: Sequence[PostingSeen],
    facts: Sequence[FactSeen], versions: Sequence[Version],
    reports: tuple[EvidenceDocument, EvidenceDocument] | None,
) -> list[Mention]:  # fmt: skip
    return [
        *postings.read(jobs, pulls, company),
        *technologies.read(facts, versions, company),
        *field_changes.read(facts, versions, company),
        *segment_changes.read(facts, company),
        *(risk_changes.read(*reports, company) if reports else ()),
    ]


async def _two_reports(
    connection: Connection, company_id: UUID, unread: Sequence[UUID]
) -> tuple[EvidenceDocument, EvidenceDocument] | None:
    """The newest two annual reports, when one of them is new to us."""
    newest = [
        document_id
        for document_id, _ in await signal_evidence.annual_reports(connection, company_id)
    ]
    if len(newest) < 2 or not set(newest[:2]) & set(unread):
        return None
    new = await signal_evidence.read_document(connection, company_id, newest[0])
    old = await signal_evidence.read_document(connection, company_id, newest[1])
    return (new, old) if new is not None and old is not None else None


async def _located(connection: Connection, found: Iterable[Mention]) -> list[Mention]:
    """Mentions with the place of their quote, where the document has it verbatim."""
    texts: dict[UUID, str] = {}
    placed = []
    for mention in found:
        if mention.start is None and mention.document_id is not None:
            if mention.document_id not in texts:
                texts[mention.document_id] = await signal_evidence.read_text(
                    connection, mention.document_id
                )
            text = texts[mention.document_id]
            if span := place_of(mention.quote, text):
                mention = replace(mention, quote=text[slice(*span)], start=span[0], end=span[1])
        placed.append(mention)
    return placed
