"""Loads the evidence for a profile from the store."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sightline.profile.contract import SIGNALS
from sightline.profile.evidence import Document, Evidence, FactSeen, Job, Known, Signal, Span
from sightline.profile.sections import competitors
from sightline.profile.seller import Question, Seller, seller_of
from sightline.store import profile_evidence, seller_context
from sightline.store.catalogue import find_company
from sightline.store.database import Connection, Tenant
from sightline.store.facts import read_facts
from sightline.store.profile_evidence import DocumentHead, DocumentText

VERSION: Final = 34
"""Raised whenever sections are made otherwise, so that stored ones are made again."""

# How many documents of a form or kind are read, the newest of each.
_MOST: Final = {
    "10-K": 2, "20-F": 2, "10-Q": 2, "8-K": 12, "page": 40, "feed_item": 20, "news": 20,
}  # fmt: skip
# Pages that say most about a company are read first.
_ROLES: Final = ("home", "about", "products", "pricing", "customers", "team", "news", "careers")


@dataclass(frozen=True)
class Gathered:
    """Evidence without texts, and what tells whether it has changed."""

    evidence: Evidence
    heads: Sequence[DocumentHead]

    def fingerprint(self, kinds: Collection[str], *, more: str = "") -> bytes:
        """SHA-256 over the documents of these kinds, what they say, the postings and signals; and the month,
        as what is ahead today is over some day."""
        month = f"{self.evidence.today:%Y-%m}"
        digest = hashlib.sha256(f"{VERSION} {month} {self.evidence.name} {more}".encode())
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
        if SIGNALS in kinds:
            for signal in self.evidence.signals:
                digest.update(
                    f"{signal.type} {signal.title} {signal.day} {signal.precision}\n".encode()
                )
        return digest.digest()


async def gather(connection: Connection, company_id: UUID, *, now: datetime) -> Gathered | None:
    """What is known of a company, document texts left out; None when the catalogue lacks it."""
    company = await find_company(connection, company_id)
    if company is None:
        return None
    heads = await profile_evidence.document_heads(connection, company.company_id)
    facts = await read_facts(connection, company.company_id)
    jobs = await profile_evidence.company_jobs(connection, company.company_id)
    signals = await profile_evidence.company_signals(connection, company.company_id, now=now)
    evidence = Evidence(
        company.company_id,
        company.name,
        company.record,
        now,
        facts=[
            FactSeen(
                f.field, f.value, f.document_id, f.quote, f.pointer, f.confidence, f.as_of,
                f.observed_at, f.wins, f.source,
            )
            for f in facts
        ],
        documents=[_without_text(head) for head in heads],
        jobs=[_job(row) for row in jobs],
        signals=[_signal(row) for row in signals if row["quote"] and row["document_id"]],
    )  # fmt: skip
    return Gathered(evidence, heads)


async def with_texts(connection: Connection, gathered: Gathered) -> Evidence:
    """The evidence with the texts that sections read, and the companies that it names."""
    chosen = worth_reading(gathered)
    texts = await profile_evidence.document_texts(
        connection, gathered.evidence.company_id, [d.document_id for d in chosen]
    )
    documents = [
        _with_text(document, texts[document.document_id])
        for document in chosen
        if document.document_id in texts
    ]
    postings = [_posting(job) for job in gathered.evidence.jobs if job.text and job.document_id]
    evidence = replace(gathered.evidence, documents=[*documents, *postings])
    named = {key: name for key, (name, _) in competitors.named(evidence).items()}
    rows = await profile_evidence.companies_like(connection, list(named))
    known = await asyncio.to_thread(competitors.match_names, named, [Known(*row) for row in rows])
    return replace(evidence, directory=known)


async def read_seller(tenant: Tenant) -> tuple[Seller, int]:
    """What an organization sells and asks, and the version of its seller context."""
    context, version = await seller_context.read_context(tenant)
    questions = await seller_context.all_questions(tenant)
    asked = [
        Question(row["question_id"], row["name"], row["question"], tuple(row["keywords"]))
        for row in questions
    ]
    return replace(seller_of(context), questions=asked), version


def worth_reading(gathered: Gathered) -> list[Document]:
    """The documents whose texts are read: a few of each form or kind, the pages that say most first."""
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


def _with_text(document: Document, held: DocumentText) -> Document:
    return replace(document, text=held.text, spans=tuple(Span(*each) for each in held.passages))


def _without_text(head: DocumentHead) -> Document:
    return Document(
        head.document_id, head.kind, head.source, head.url, head.title, head.published_at, head.fetched_at,
        spans=tuple(Span(0, 0, section, None) for section in head.sections), language=head.language,
    )  # fmt: skip


def _posting(job: Job) -> Document:
    """A posting as a document: what employers say of themselves and their projects stands in it."""
    assert job.document_id is not None
    return Document(
        job.document_id, "posting", "job_boards", job.url, job.title, job.opened_at, job.last_seen_at,
        job.text, pointer=job.pointer,
    )  # fmt: skip


def _job(row: dict[str, Any]) -> Job:
    places = tuple((each.get("city"), each.get("country_code")) for each in row["locations"])
    return Job(
        row["title"], row["department"], row["seniority"], tuple(row["technologies"]), row["url"],
        row["document_id"], row["opened_at"], row["last_seen_at"], row["closed_at"], places, row["text"],
    )  # fmt: skip


def _signal(row: dict[str, Any]) -> Signal:
    people = [party for party in row["parties"] or () if party.get("role") == "person"]
    return Signal(
        family=row["family"],
        type=row["type"],
        title=row["title"],
        quote=row["quote"],
        document_id=row["document_id"],
        day=row["at"].date(),
        precision=row["precision"],
        is_planned=row["planned"],
        people=tuple((str(party["name"]), party.get("title")) for party in people),
    )
