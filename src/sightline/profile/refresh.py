"""Work: keep a company's sections, and those of an organization, in step with the evidence.

Only sections whose evidence has changed are made again. Reading a profile never waits for this. With an
`author` a model writes them afterwards, as work of its own; what it wrote of the same evidence stays.
"""

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final
from uuid import UUID

import structlog

from sightline.domain.callers import OrganizationId
from sightline.kit.clock import now
from sightline.profile import insights
from sightline.profile.author import (
    Author,
    ask_for_organization,
    dress,
    is_waiting,
    organizations_with,
    texts_of,
    trusted,
)
from sightline.profile.build import Draft, draft, draft_for, prove, stored
from sightline.profile.checker import checker_of
from sightline.profile.contract import Section, SectionBody
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.gather import Gathered, gather, read_seller, with_texts
from sightline.profile.printing import quotes_of, read_body
from sightline.profile.registry import ORGANIZATION_SECTIONS, PLANS, SECTIONS
from sightline.profile.seller import Question, Seller
from sightline.reading.encoder import Encoder
from sightline.search.quotes import candidates, find_quotes
from sightline.store import profiles, work
from sightline.store.database import Connection, Database, Tenant
from sightline.store.passages import StoredPassage
from sightline.store.profile_evidence import document_addresses
from sightline.store.profiles import StoredSection
from sightline.store.written_sections import put_writing, read_writings

log = structlog.get_logger()

_MOST_OFFERINGS: Final = 8  # that passages are looked for
_NEAREST: Final = 5  # passages of an offering


async def refresh_profile(
    database: Database,
    item: work.Work,
    *,
    author: Author | None = None,
    encoder: Encoder | None = None,
) -> None:
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
        author = await trusted(connection, author)
        changed = _changed(
            gathered, await profiles.stored_evidence(connection, company_id), author=author
        )
        written: list[StoredSection] = []
        if changed:
            evidence = await with_texts(connection, gathered)
            evidence = await asyncio.to_thread(insights.read, evidence, encoder)
            drafts = await asyncio.to_thread(draft, evidence, changed)
            written = await _proven(connection, evidence, drafts, author=author)
    unchanged = {each.name for each in SECTIONS} - {each.name for each, _ in changed}
    holders = await organizations_with(database, company_id) if changed else []
    async with database.connection() as connection, connection.transaction():
        # Work is locked in the order in which it follows from other work, here as everywhere, so that
        # no work waits in a circle: indexing, this, writing, the organizations' sections.
        if written:  # its statements are searched too
            await work.put(connection, "index_passages", str(company_id))
        await work.hold(connection, item)
        await profiles.write_sections(
            connection, company_id, written, unchanged=unchanged, checked_at=started
        )
        if is_waiting(written):
            await put_writing(connection, company_id, None)
        for organization_id in sorted(holders):  # their sections are made of these
            await ask_for_organization(Tenant(connection, organization_id), company_id)
        await work.finish(connection, item)


def _changed(
    gathered: Gathered, before: Mapping[str, bytes], *, author: Author | None
) -> list[tuple[Section, bytes]]:
    """The sections whose evidence is not that of before, with its fingerprint."""
    marker = author.mark if author else ""
    marks = [(s, gathered.fingerprint(s.kinds, more=marker if s.plan else "")) for s in SECTIONS]
    outdated = {each.name for each, mark in marks if before.get(each.name) != mark}
    if author and outdated & PLANS.keys():  # they are written together
        outdated |= PLANS.keys()
    return [(each, mark) for each, mark in marks if each.name in outdated]


async def refresh_organization_profile(
    database: Database, item: work.Work, *, author: Author | None = None
) -> None:
    """Make the sections that depend on an organization again for one company."""
    organization, _, company = item.subject.partition("/")
    organization_id, company_id = OrganizationId(UUID(organization)), UUID(company)
    started = now()
    async with database.tenant(organization_id) as connection:
        gathered = await gather(connection, company_id, now=started)
        written: list[StoredSection] = []
        version, may_write = 0, False
        if gathered is not None:
            company_id = gathered.evidence.company_id
            seller, version = await read_seller(connection)
            quotes, answered = await _quotes(connection, company_id, seller.questions)
            seller = replace(seller, quotes=quotes, answered=answered)
            author = await trusted(connection, author)
            written = await _sections_for(
                connection, gathered, seller, author=author, organization_id=organization_id
            )
            of_company = await read_writings(connection, company_id, organization_id=None)
            # They are made of the company's sections: once those are written, this is asked for again.
            may_write = not is_waiting(list(of_company.values()))
    async with database.tenant(organization_id) as connection:
        await work.hold(connection, item)
        await profiles.write_organization_sections(
            connection, company_id, written, context_version=version, checked_at=started
        )
        if may_write and is_waiting(written):
            await put_writing(connection, company_id, organization_id)
        await work.finish(connection, item)


async def _sections_for(
    connection: Connection,
    gathered: Gathered,
    seller: Seller,
    *,
    author: Author | None,
    organization_id: OrganizationId,
) -> list[StoredSection]:
    evidence = await with_texts(connection, gathered)
    texts = await profiles.stored_bodies(connection, evidence.company_id)
    built: dict[str, SectionBody] = {name: read_body(text) for name, text in texts.items()}
    leads = await _near_offers(connection, evidence.company_id, seller) if author else ()
    drafts = await asyncio.to_thread(
        draft_for, evidence, built, seller, ORGANIZATION_SECTIONS, mark=_mark(seller), leads=leads
    )
    return await _proven(
        connection,
        evidence,
        drafts,
        author=author,
        built=built,
        seller=seller,
        organization_id=organization_id,
    )


async def _proven(
    connection: Connection,
    evidence: Evidence,
    drafts: Sequence[Draft],
    *,
    author: Author | None,
    built: Mapping[str, SectionBody] | None = None,
    seller: Seller | None = None,
    organization_id: OrganizationId | None = None,
) -> list[StoredSection]:
    """Drafts as they are stored; what cannot be proven is left out, and logged."""
    held = {d.document_id: d.text for d in evidence.documents if d.text and not d.pointer}
    held = await texts_of(connection, evidence, _cited(drafts), known=held)
    check = checker_of(evidence, held.get, known=seller.words if seller else "")
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
    made = [each for each, _ in proven]
    if author is not None:
        before = await read_writings(
            connection, evidence.company_id, organization_id=organization_id
        )
        made = dress(made, author, before, evidence=evidence, built=built or {}, seller=seller)
    addresses = await document_addresses(connection, _cited(made))
    return [stored(each, addresses) for each in made]


def _cited(drafts: Sequence[Draft]) -> set[UUID]:
    return {quote.document_id for each in drafts for quote in quotes_of(each.body)}


def _is_of_a_document(passage: StoredPassage) -> bool:
    """Whether its words stand in a stored document: those of a posting stand in its board's data."""
    return passage.kind != "job"


async def _near_offers(
    connection: Connection, company_id: UUID, seller: Seller
) -> tuple[Quote, ...]:
    """What the documents say nearest to each offering, each passage once."""
    near: dict[Quote, None] = {}
    for offering in seller.offerings[:_MOST_OFFERINGS]:
        found = await candidates(
            connection, company_id, [offering.words], may_quote=_is_of_a_document
        )
        best: dict[UUID, Quote] = {}
        for each in found.quotes:
            if each.passage.document_id is not None:
                best.setdefault(each.passage.passage_id, Quote(each.passage.document_id, each.text))
        near |= dict.fromkeys(islice(best.values(), _NEAREST))
    return tuple(near)


async def _quotes(
    connection: Connection, company_id: UUID, questions: Sequence[Question]
) -> tuple[dict[UUID, list[Quote]], set[UUID]]:
    """By question, what the documents say that is nearest to it; and the questions that it likely answers."""
    nearest, answered = dict[UUID, list[Quote]](), set[UUID]()
    for each in questions:
        asked = [each.question, " ".join(each.keywords)] if each.keywords else [each.question]
        found = await find_quotes(connection, company_id, asked, may_quote=_is_of_a_document)
        nearest[each.question_id] = [
            Quote(quote.passage.document_id, quote.text)
            for quote in found.nearest
            if quote.passage.document_id is not None
        ]
        if found.answers:
            answered.add(each.question_id)
    return nearest, answered


def _mark(seller: Seller) -> bytes:
    return hashlib.sha256(json.dumps(repr(seller)).encode()).digest()
