"""Work: keep a company's sections, and those of an organization, in step with the evidence.

Only sections whose evidence has changed are made again. Reading a profile never waits for this.
"""

import asyncio
import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

import structlog

from sightline.domain.callers import OrganizationId
from sightline.kit.clock import now
from sightline.profile.build import (
    Draft,
    checker,
    draft,
    draft_for,
    prove,
    stored,
)
from sightline.profile.contract import SectionBody
from sightline.profile.evidence import Evidence
from sightline.profile.gather import Gathered, gather, with_texts
from sightline.profile.printing import quotes_of, read_body
from sightline.profile.registry import ORGANIZATION_SECTIONS, SECTIONS
from sightline.profile.seller import Question, Seller, seller_of
from sightline.store import profile_evidence, profiles, seller_context, work
from sightline.store.database import Connection, Database
from sightline.store.organizations import all_organizations
from sightline.store.profiles import StoredSection

log = structlog.get_logger()


async def refresh_profile(database: Database, item: work.Work) -> None:
    """Make the sections of a company whose evidence has changed, then those of its organizations."""
    company_id = UUID(item.subject)
    started = now()
    async with database.connection() as connection:
        gathered = await gather(connection, company_id, now=started)
        if gathered is None:
            async with connection.transaction():
                await work.finish(connection, item)
            return
        company_id = gathered.evidence.company_id
        before = await profiles.stored_evidence(connection, company_id)
        marks = [(each, gathered.fingerprint(each.kinds)) for each in SECTIONS]
        changed = [(each, mark) for each, mark in marks if before.get(each.name) != mark]
        written: list[StoredSection] = []
        if changed:
            evidence = await with_texts(connection, gathered)
            drafts = await asyncio.to_thread(draft, evidence, changed)
            written = await _proven(connection, evidence, drafts)
    unchanged = [each.name for each, _ in marks if each.name not in {c.name for c, _ in changed}]
    if changed:
        await _ask_for_organizations(database, company_id)
    async with database.connection() as connection, connection.transaction():
        await work.hold(connection, item)
        await profiles.write_sections(
            connection, company_id, written, unchanged=unchanged, checked_at=started
        )
        await work.finish(connection, item)


async def refresh_organization_profile(database: Database, item: work.Work) -> None:
    """Make the sections that depend on an organization anew for one company."""
    organization, _, company = item.subject.partition("/")
    organization_id, company_id = OrganizationId(UUID(organization)), UUID(company)
    started = now()
    async with database.tenant(organization_id) as connection:
        gathered = await gather(connection, company_id, now=started)
        written: list[StoredSection] = []
        version = 0
        if gathered is not None:
            seller, version = await _seller(connection, organization_id)
            written = await _sections_for(connection, gathered, seller)
    async with database.tenant(organization_id) as connection:
        await work.hold(connection, item)
        await profiles.write_organization_sections(
            connection,
            organization_id,
            gathered.evidence.company_id if gathered else company_id,
            written,
            context_version=version,
            checked_at=started,
        )
        await work.finish(connection, item)


async def _sections_for(
    connection: Connection, gathered: Gathered, seller: Seller
) -> list[StoredSection]:
    evidence = gathered.evidence
    if seller.questions:  # only answers read texts
        evidence = await with_texts(connection, gathered)
    texts = await profiles.stored_bodies(connection, evidence.company_id)
    built: dict[str, SectionBody] = {name: read_body(text) for name, text in texts.items()}
    drafts = await asyncio.to_thread(
        draft_for, evidence, built, seller, ORGANIZATION_SECTIONS, mark=_mark(seller)
    )
    return await _proven(connection, evidence, drafts, known=seller.words)


async def _proven(
    connection: Connection, evidence: Evidence, drafts: Sequence[Draft], *, known: str = ""
) -> list[StoredSection]:
    """Drafts as they are stored; what cannot be proven is left out, and logged."""
    cited = {quote.document_id for each in drafts for quote in quotes_of(each.body)}
    texts = await _texts(connection, evidence, cited)
    check = checker(evidence, texts.get, known=known)
    proven = await asyncio.to_thread(prove, drafts, check)
    for each, verdict in proven:
        if verdict.failures:
            log.warning(
                "statements_dropped",
                company=str(evidence.company_id),
                section=each.name,
                dropped=len(verdict.failures),
                first=verdict.failures[0],
            )
    addresses = await profile_evidence.document_addresses(connection, cited)
    return [stored(each, addresses) for each, _ in proven]


async def _texts(
    connection: Connection, evidence: Evidence, cited: Collection[UUID]
) -> dict[UUID, str]:
    """The texts of all cited documents; those that are not at hand are read."""
    held = {d.document_id: d.text for d in evidence.documents if d.text}
    missing = [document_id for document_id in cited if document_id not in held]
    read = await profile_evidence.document_texts(connection, evidence.company_id, missing)
    return held | {document_id: each.text for document_id, each in read.items()}


async def _seller(connection: Connection, organization_id: OrganizationId) -> tuple[Seller, int]:
    context, version = await seller_context.read_context(connection, organization_id)
    questions = await seller_context.all_questions(connection, organization_id)
    asked = [
        Question(row["question_id"], row["name"], row["question"], tuple(row["keywords"]))
        for row in questions
    ]
    return replace(seller_of(context), questions=asked), version


async def _ask_for_organizations(database: Database, company_id: UUID) -> None:
    """Put the work on the queue that makes the sections of every organization with the account."""
    async with database.connection() as connection:
        organizations = await all_organizations(connection)
    for organization_id in organizations:
        async with database.tenant(organization_id) as connection:
            if await profiles.has_account(connection, organization_id, company_id):
                await ask_for_organization(connection, organization_id, company_id)


async def ask_for_organization(
    connection: Connection, organization_id: OrganizationId, company_id: UUID
) -> None:
    """Put the work on the queue that makes an organization's sections of a company."""
    subject = profiles.organization_subject(organization_id, company_id)
    await work.put(connection, profiles.REFRESH_FOR, subject, organization_id=organization_id)


def _mark(seller: Seller) -> bytes:
    return hashlib.sha256(json.dumps(repr(seller)).encode()).digest()
