"""Proven drafts as a model wrote them: its stored answers are used again, what is new waits for it.

A profile is served extractive until its sections are written, and stays so where the model fails,
where its budget is spent or where too little of what it says can be proven; `writing` says which.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final
from uuid import UUID

import structlog
from pydantic import ValidationError

from sightline.kit.clock import now
from sightline.llm.models import ModelConfig
from sightline.profile import written
from sightline.profile.build import Draft, checker
from sightline.profile.checker import Checker
from sightline.profile.contract import SectionBody
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.printing import Address, quotes_of
from sightline.profile.registry import PLANS
from sightline.profile.seller import Seller
from sightline.profile.sentences import spaced
from sightline.profile.written import Question
from sightline.profile.written_plans import PROMPT_VERSION
from sightline.reading import proof
from sightline.reading.model_check import writer
from sightline.store import profile_evidence
from sightline.store.database import Connection
from sightline.store.model_spending import Allowance
from sightline.store.profiles import StoredSection
from sightline.store.written_sections import Writing

log = structlog.get_logger()

WAITING: Final = "waiting"
WRITTEN: Final = "written"
TOO_LITTLE: Final = "too_little_proven"
FAILED: Final = "failed"
OVER_BUDGET: Final = "over_budget"

# One organization's own sections leave the others at least half of a day.
_ORGANIZATION_SHARE: Final = 0.5


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


@dataclass(frozen=True)
class Desk:
    """What questions about one company are put and judged with. `built` are its sections."""

    evidence: Evidence
    built: Mapping[str, SectionBody]
    texts: Mapping[UUID, str]  # as they are stored
    addresses: Mapping[UUID, Address]
    check: Checker
    ours: str = ""  # the organization's own words, as JSON

    @cached_property
    def _plain(self) -> dict[UUID, str]:
        return {key: spaced(text) for key, text in self.texts.items()}

    def question(
        self, name: str, body: SectionBody, model: ModelConfig, *, leads: Sequence[Quote] = ()
    ) -> Question | None:
        """What to ask for a section made as `body`; None when a model does not write it."""
        if name not in PLANS or not (body or leads):
            return None
        return written.question(
            name,
            PLANS[name],
            body,
            built=self.built,
            leads=leads,
            company=self.evidence.name,
            writer=_writer(model),
            ours=self.ours,
            text_of=self._plain.get,
            addresses=self.addresses,
        )


async def trusted(connection: Connection, author: Author | None) -> Author | None:
    """The author, unless its model failed `sightline model check`: then everything is extractive."""
    return author if author and await writer(connection, author.model) else None


def author_mark(author: Author | None, section: str) -> str:
    """Part of the fingerprint of a section: another model or prompt makes it again."""
    return _writer(author.model) if author and section in PLANS else ""


def _writer(model: ModelConfig) -> str:
    """Who writes and who verifies, by which prompts: an answer is used again only for the same."""
    return f"{model.name} {PROMPT_VERSION} {(model.verifier or model).name} {proof.VERSION}"


def ours(seller: Seller) -> str:
    """What the organization says of itself, as the model is shown it; "" when it says nothing."""
    if not seller.is_set:
        return ""
    offerings = [
        {"name": o.name, "description": o.description, "value": list(o.value_propositions)}
        for o in seller.offerings
    ]
    words = {
        "we": seller.company_name,
        "offerings": offerings,
        "value": list(seller.value_propositions),
    }
    return json.dumps(words | {"personas": list(seller.personas)}, ensure_ascii=False)


def dress(
    drafts: Sequence[Draft],
    desk: Desk,
    before: Mapping[str, Writing],
    model: ModelConfig,
) -> list[Draft]:
    """Proven drafts as the model wrote them, where it was asked the very same before; the others wait."""
    dressed = []
    for each in drafts:
        asked = desk.question(each.name, each.body, model, leads=each.leads)
        if asked is None:
            dressed.append(each)
            continue
        known = before[each.name].writing if each.name in before else {}
        is_known = known.get("asked") == asked.key
        writing = known if is_known else state_of(asked, model, WAITING, leads=_kept(each.leads))
        dressed.append(as_written(each, asked, writing, check=desk.check))
    return dressed


def _kept(leads: Sequence[Quote]) -> list[list[str]]:
    return [[str(each.document_id), each.text or ""] for each in leads]


def leads_of(writing: Mapping[str, Any]) -> list[Quote]:
    """What a model is shown besides the statements, as it is kept with the state of the writing."""
    return [Quote(UUID(document), text) for document, text in writing.get("leads", ())]


def state_of(asked: Question, model: ModelConfig, outcome: str, **more: Any) -> dict[str, Any]:
    """How the writing of a section stands, as it is stored and, without the answer, served."""
    return {
        "outcome": outcome,
        "model": model.name,
        "prompt_version": PROMPT_VERSION,
        "at": now().isoformat(),
        "asked": asked.key,
        **more,
    }


def as_written(
    draft: Draft, asked: Question, writing: Mapping[str, Any], *, check: Checker
) -> Draft:
    """A draft with what is left of the answer in `writing`; extractive where there is none, where it
    waits to be verified, or where too little is left."""
    if "answer" not in writing or "supported" not in writing:
        return replace(draft, writing=writing)
    model, supported = str(writing["model"]), frozenset(writing["supported"])
    try:
        made = written.apply(
            asked,
            writing["answer"],
            model=model,
            check=check,
            supports=lambda claim: claim.mark in supported,
        )
    except ValidationError:
        return replace(draft, writing={**writing, "outcome": FAILED, "reason": "malformed"})
    counts = {"kept": made.kept, "dropped": len(made.dropped)}
    if made.dropped:
        log.info("written_statements_dropped", section=draft.name, first=made.dropped[0], **counts)
    if made.body is None:
        return replace(draft, writing={**writing, **counts, "outcome": TOO_LITTLE})
    return replace(
        draft, body=made.body, method=model, writing={**writing, **counts, "outcome": WRITTEN}
    )


def is_waiting(sections: Sequence[StoredSection | Writing]) -> bool:
    """Whether a model is to be asked for any of them."""
    return any(each.writing and each.writing["outcome"] == WAITING for each in sections)


async def desk_of(
    connection: Connection,
    evidence: Evidence,
    bodies: Sequence[SectionBody],
    *,
    texts: Mapping[UUID, str],
    built: Mapping[str, SectionBody],
    seller: Seller | None,
    leads: Sequence[Quote] = (),
) -> Desk:
    """The desk for these bodies; texts that are not given are read."""
    shown = [*bodies, *built.values()] if seller is not None else bodies
    cited = {quote.document_id for body in shown for quote in quotes_of(body)}
    cited |= {lead.document_id for lead in leads}
    missing = cited - texts.keys()
    read = await profile_evidence.document_texts(connection, evidence.company_id, missing)
    held = {**texts, **{key: each.text for key, each in read.items()}}
    addresses = await profile_evidence.document_addresses(connection, cited)
    known = seller.words if seller else ""
    check = checker(evidence, held.get, known=known)
    return Desk(evidence, built, held, addresses, check, ours(seller) if seller else "")
