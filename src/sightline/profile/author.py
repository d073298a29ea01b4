"""Who writes sections with a model, which sections wait for it, and what that costs.

A profile is served extractive until its sections are written, and stays so where the model fails, where its
budget is spent or where too little of what it says can be proven; `writing` says which.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.kit.clock import now
from sightline.llm.models import ModelConfig
from sightline.profile.build import Draft
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.material import (
    ROOM,
    first_rows,
    happened,
    key_of,
    most_tokens,
)
from sightline.profile.plans import PROMPT_VERSION, QUESTIONS
from sightline.profile.printing import read_body
from sightline.profile.registry import PLANS
from sightline.profile.seller import Seller
from sightline.profile.writer import as_stored
from sightline.reading import proof
from sightline.reading.model_check import writer
from sightline.store import passes, profile_evidence, profiles, work, written_sections
from sightline.store.database import Connection, Database, Tenant
from sightline.store.model_spending import Allowance
from sightline.store.profiles import StoredSection
from sightline.store.written_sections import Writing

WAITING: Final = "waiting"
WRITTEN: Final = "written"
TOO_LITTLE: Final = "too_little_proven"
FAILED: Final = "failed"
OVER_BUDGET: Final = "over_budget"

# One organization's own sections leave the others at least half of a day.
_ORGANIZATION_SHARE: Final = 0.5
# Characters that a request shows, about, for a section: instructions, leads, events and figures; and the
# passages of a statement.
_SHOWN: Final = 9_000
_SHOWN_OF_STATEMENT: Final = 800


@dataclass(frozen=True, slots=True)
class Budget:
    """What writing profiles may take a UTC day; tokens in and out together."""

    requests_per_company: int
    tokens_per_company: int
    requests_per_day: int
    tokens_per_day: int

    def allowances(self, company_id: UUID, organization_id: UUID | None) -> list[Allowance]:
        """The limits that a request for a company, and an organization, stands under."""
        owner = f"{organization_id}/" if organization_id else ""
        limits = [
            Allowance("all", self.requests_per_day, self.tokens_per_day),
            Allowance(f"{owner}{company_id}", self.requests_per_company, self.tokens_per_company),
        ]
        if organization_id is not None:
            requests = int(self.requests_per_day * _ORGANIZATION_SHARE)
            tokens = int(self.tokens_per_day * _ORGANIZATION_SHARE)
            limits.append(Allowance(str(organization_id), requests, tokens))
        return limits


@dataclass(frozen=True, slots=True)
class Author:
    """Who writes profiles, and what that may take."""

    model: ModelConfig
    budget: Budget

    @property
    def mark(self) -> str:
        """Part of the fingerprint of a section: who writes and who verifies it, by which prompts."""
        verifier = (self.model.verifier or self.model).name
        return f"{self.model.name} {PROMPT_VERSION} {verifier} {proof.VERSION}"


async def trusted(connection: Connection, author: Author | None) -> Author | None:
    """The author, unless its model failed `sightline model check`: then everything is extractive."""
    return author if author and await writer(connection, author.model) else None


def dress(
    drafts: Sequence[Draft],
    author: Author,
    before: Mapping[str, Writing],
    *,
    evidence: Evidence,
    built: Mapping[str, SectionBody],
    seller: Seller | None,
) -> list[Draft]:
    """Proven drafts as the model wrote them, where it was asked the very same before; else all that it
    writes wait."""
    own = ours(seller)
    planned = {each.name: each for each in drafts if _is_written(each, own)}
    bodies = {name: each.body for name, each in planned.items()}
    further = further_rows(evidence, built)
    leads = list(chain.from_iterable(each.leads for each in planned.values()))
    if not any((further, leads, *bodies.values())):
        return list(drafts)
    key = key_of(bodies, leads=leads, further=further, writer=author.mark, ours=own)
    asked = {before[name].writing["asked"] if name in before else None for name in planned}
    if asked == {key}:
        dressed = {name: _as_written(each, before[name]) for name, each in planned.items()}
    else:
        dressed = {name: _as_waiting(each, key, author) for name, each in planned.items()}
    return [dressed.get(each.name, each) for each in drafts]


def _as_waiting(each: Draft, key: str, author: Author) -> Draft:
    quoted_leads = [[str(lead.document_id), lead.text or ""] for lead in each.leads]
    return replace(each, writing=state_of(key, author.model, WAITING, leads=quoted_leads))


def _as_written(each: Draft, known: Writing) -> Draft:
    made = replace(each, writing=known.writing)
    if known.writing["outcome"] != WRITTEN:
        return made
    body = as_stored(each.body, read_body(known.body))
    return replace(made, body=body, method=str(known.writing["model"]))


def _is_written(each: Draft, own: str) -> bool:
    """Whether a model writes a section; questions that were not asked and offers that are not known, none."""
    plan = PLANS.get(each.name)
    if plan is None or (plan.is_for_offer and not own):
        return False
    return bool(each.body) or QUESTIONS not in plan.kinds


def further_rows(evidence: Evidence, built: Mapping[str, SectionBody]) -> list[Statement]:
    """What a model is shown beside the sections that it writes."""
    return [*happened(evidence), *first_rows(built, PLANS)]


def is_waiting(sections: Sequence[StoredSection | Writing]) -> bool:
    """Whether a model is to be asked for any of them."""
    return any(each.writing and each.writing["outcome"] == WAITING for each in sections)


def state_of(asked: str, model: ModelConfig, outcome: str, **more: Any) -> dict[str, Any]:
    """How the writing of a section stands, as it is stored and, without the answer, served."""
    versions = {"model": model.name, "prompt_version": PROMPT_VERSION, "at": now().isoformat()}
    return {"outcome": outcome, **versions, "asked": asked, **more}


def ours(seller: Seller | None) -> str:
    """What the organization says of itself, as the model is shown it; "" when it says nothing."""
    if seller is None or not seller.is_set:
        return ""
    offerings = [
        {"name": o.name, "description": o.description, "value": o.value_propositions}
        for o in seller.offerings
    ]
    words = {"we": seller.company_name, "offerings": offerings, "value": seller.value_propositions}
    return json.dumps(words | {"personas": seller.personas}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class WritingCost:
    """The sections that a model has yet to write, and the most tokens that they take, verifying included."""

    companies: int
    sections: int
    tokens: int


async def cost_of(
    connection: Connection, company_ids: Sequence[UUID], *, model: str
) -> WritingCost:
    """What writing the profiles of companies takes at most. Sections that the model wrote cost nothing."""
    found = await written_sections.unwritten(
        connection, company_ids, sections=list(PLANS), model=model
    )
    shown: Counter[UUID] = Counter()
    for company_id, _, count in found:
        shown[company_id] += _SHOWN + _SHOWN_OF_STATEMENT * count
    tokens = sum(most_tokens(min(characters, ROOM)) for characters in shown.values())
    return WritingCost(len({row[0] for row in found}), len(found), tokens)


async def ask_for_writing(connection: Connection, company_ids: Sequence[UUID]) -> None:
    """Put the writing of profiles on the queue, what waits for a budget too. In a transaction."""
    for company_id in sorted(company_ids):
        await work.put(connection, profiles.REFRESH, str(company_id))
        await written_sections.put_writing(connection, company_id, None)


async def organizations_with(database: Database, company_id: UUID) -> list[OrganizationId]:
    """The organizations that have the company among their accounts."""
    async with database.connection() as connection:
        return await passes.organizations_with(connection, [company_id])


async def ask_for_organization(tenant: Tenant, company_id: UUID) -> None:
    """Put the work on the queue that makes an organization's sections of a company."""
    subject = profiles.organization_subject(tenant.organization_id, company_id)
    await work.put(tenant, profiles.REFRESH_FOR, subject, organization_id=tenant.organization_id)


async def texts_of(
    connection: Connection, evidence: Evidence, cited: set[UUID], *, known: Mapping[UUID, str]
) -> dict[UUID, str]:
    """The texts of documents; those that are not known are read."""
    missing = cited - known.keys()
    read = await profile_evidence.document_texts(connection, evidence.company_id, missing)
    return {**known, **{key: each.text for key, each in read.items()}}
