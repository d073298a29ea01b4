"""Reads what a profile is made of out of the store."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.profile.evidence import Document, Evidence, FactSeen, Job, Known, Span
from sightline.profile.sections import competitors
from sightline.profile.seller import Question, Seller, seller_of
from sightline.profile.ties import tie
from sightline.store import profile_evidence, seller_context
from sightline.store.catalogue import find_company
from sightline.store.database import Connection
from sightline.store.facts import read_facts
from sightline.store.profile_evidence import DocumentHead, DocumentText

VERSION: Final = 6
"""Raised whenever sections are made otherwise, so that stored ones are made anew."""

# How many documents of a form or kind are read, the newest of each.
_MOST: Final = {
    "10-K": 2, "20-F": 2, "10-Q": 4, "8-K": 16, "page": 80, "feed_item": 60, "news": 40, "posting": 40,
}  # fmt: skip
# Of a job board with its postings' texts, so many characters are read: employers repeat themselves.
_MOST_OF_A_BOARD: Final = 150_000
_MOST_BOARDS: Final = 2
# Pages that say most about a company are read first.
_ROLES: Final = ("home", "about", "products", "pricing", "customers", "team", "news", "careers")


@dataclass(frozen=True)
class Gathered:
    """Evidence without texts, and what tells whether it has changed."""

    evidence: Evidence
    heads: Sequence[DocumentHead]

    def fingerprint(self, kinds: Collection[str], *, more: str = "") -> bytes:
        """SHA-256 over the documents of these kinds, what they say, and the postings."""
        digest = hashlib.sha256(f"{VERSION} {self.evidence.name} {more}".encode())
        read = {head.document_id for head in self.heads if head.kind in kinds}
        for head in sorted(self.heads, key=lambda h: h.document_id):
            if head.document_id in read:
                digest.update(f"{head.document_id} {head.parser}\n".encode())
        said = (
            f"{f.document_id} {f.field} {f.value} {f.wins}\n"
            for f in self.evidence.facts
            if f.document_id in read
        )
        for line in sorted(said):
            digest.update(line.encode())
        if "posting" in kinds:
            for job in self.evidence.jobs:
                digest.update(f"{job.url} {job.title} {job.places} {job.closed_at}\n".encode())
        return digest.digest()


async def gather(connection: Connection, company_id: UUID, *, now: datetime) -> Gathered | None:
    """What is known of a company, document texts left out; None when the catalogue lacks it."""
    company = await find_company(connection, company_id)
    if company is None:
        return None
    heads = await profile_evidence.document_heads(connection, company.company_id)
    facts = await read_facts(connection, company.company_id)
    jobs = await profile_evidence.company_jobs(connection, company.company_id)
    signals = await profile_evidence.company_signals(connection, company.company_id)
    evidence = Evidence(
        company_id=company.company_id,
        name=company.name,
        record=company.record,
        now=now,
        facts=[
            FactSeen(
                f.field, f.value, f.document_id, f.quote, f.pointer, f.confidence, f.as_of,
                f.observed_at, f.wins, f.source,
            )
            for f in facts
        ],
        documents=[_without_text(head) for head in heads],
        jobs=[_job(row) for row in jobs],
        signals=signals,
    )  # fmt: skip
    return Gathered(evidence, heads)


async def with_texts(connection: Connection, gathered: Gathered) -> Evidence:
    """The evidence with the texts that sections read, and the companies that it names."""
    chosen = [*worth_reading(gathered), *_boards(gathered.evidence)]
    texts = await profile_evidence.document_texts(
        connection, gathered.evidence.company_id, [d.document_id for d in chosen]
    )
    documents = [
        _with_text(document, texts[document.document_id])
        for document in chosen
        if document.document_id in texts
    ]
    evidence = replace(gathered.evidence, documents=documents)
    named = await asyncio.to_thread(competitors.names_said, evidence)
    rows = await profile_evidence.companies_like(connection, list(named))
    tied = await asyncio.to_thread(tie, named, [Known(*row) for row in rows])
    return replace(evidence, directory=tied)


async def read_seller(
    connection: Connection, organization_id: OrganizationId
) -> tuple[Seller, int]:
    """What an organization sells and asks, and the version of its seller context."""
    context, version = await seller_context.read_context(connection, organization_id)
    questions = await seller_context.all_questions(connection, organization_id)
    asked = [
        Question(row["question_id"], row["name"], row["question"], tuple(row["keywords"]))
        for row in questions
    ]
    return replace(seller_of(context), questions=asked), version


def worth_reading(gathered: Gathered) -> list[Document]:
    """The documents whose texts are read: a few of each form or kind, telling pages first."""
    roles = {
        head.document_id: next((i for i, r in enumerate(_ROLES) if r in head.sections), len(_ROLES))
        for head in gathered.heads
    }
    taken: Counter[str] = Counter()
    chosen = []
    for document in sorted(gathered.evidence.documents, key=lambda d: roles[d.document_id]):
        group = document.form or document.kind
        if taken[group] < _MOST.get(group, 0):
            taken[group] += 1
            chosen.append(document)
    return chosen


def _boards(evidence: Evidence) -> list[Document]:
    """The boards that list its postings, the newest ones, to be read as postings are."""
    listed = {job.document_id for job in evidence.jobs}
    boards = [d for d in evidence.documents if d.kind == "data" and d.document_id in listed]
    newest = sorted(boards, key=lambda d: d.said_at, reverse=True)[:_MOST_BOARDS]
    return [replace(document, kind="posting") for document in newest]


def _with_text(document: Document, held: DocumentText) -> Document:
    spans = tuple(Span(*each) for each in held.passages)
    if document.kind != "posting":
        return replace(document, text=held.text, spans=spans)
    most = _MOST_OF_A_BOARD
    kept = tuple(replace(s, end=min(s.end, most)) for s in spans if s.start < most)
    return replace(document, text=held.text[:most], spans=kept)


def _without_text(head: DocumentHead) -> Document:
    return Document(
        document_id=head.document_id,
        kind=head.kind,
        source=head.source,
        url=head.url,
        title=head.title,
        published_at=head.published_at,
        fetched_at=head.fetched_at,
        spans=tuple(Span(0, 0, section, None) for section in head.sections),
    )


def _job(row: dict[str, Any]) -> Job:
    return Job(
        title=row["title"],
        department=row["department"],
        seniority=row["seniority"],
        technologies=tuple(row["technologies"]),
        skills=tuple(row["skills"]),
        url=row["url"],
        document_id=row["document_id"],
        opened_at=row["opened_at"],
        last_seen_at=row["last_seen_at"],
        closed_at=row["closed_at"],
        places=tuple((each.get("city"), each.get("country_code")) for each in row["locations"]),
    )
