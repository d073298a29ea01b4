"""Content composed or written from a company's profile, for the operations that store it."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

import structlog

from sightline.api.endpoint import Call, DeferredReply, Keep, Reply
from sightline.api.reserving import answer_timeout, hold
from sightline.domain.credits import price_of
from sightline.domain.errors import NothingToWrite
from sightline.llm.asking import ModelDidNotAnswer, seat
from sightline.llm.models import ModelConfig
from sightline.profile.content import (
    SECTIONS,
    Composed,
    NothingToWriteOf,
    compose,
    write_content,
)
from sightline.profile.contract import EXTRACTIVE
from sightline.reading.model_check import writer
from sightline.store.companies import company_document
from sightline.store.content import ContentType
from sightline.store.credits import FOR_CONTENT
from sightline.store.profiles import read_sections
from sightline.store.seller_context import read_context

log = structlog.get_logger()

PRICE = "content_generation"


@dataclass(frozen=True)
class ContentEvidence:
    """What a text about a company is made of: its record, profile sections as JSON text, the seller."""

    company: dict[str, Any]
    sections: dict[str, str]
    seller: dict[str, Any]


async def write_text(
    call: Call,
    company_id: UUID,
    content_type: ContentType,
    keep: Callable[..., Awaitable[Reply]],
    *,
    template: dict[str, Any] | None = None,
    setting: dict[str, Any] | None = None,
    brief: str = "",
) -> Reply | DeferredReply:
    """Have a model write a text as `brief` says; it is composed from a template, without a model, or
    where the model fails. `keep` stores it and answers: it takes a call, `text`, `method`, and `held`, the
    credits to charge. Raises NothingToWrite, CreditsAreExhausted."""
    evidence = await _read_evidence(call, company_id)
    composed = _composed(content_type, evidence, template, setting)
    price = price_of(PRICE, call.caller.costs)
    held = await hold(call, price, prefix=FOR_CONTENT, reason="content generation")
    keep = partial(keep, held=held)
    model = await writer(call.tenant, call.services.model)
    if model is None or template is not None:
        return await keep(call, text=composed, method=EXTRACTIVE)

    async def make() -> Keep:
        draft = await _written(call, model, content_type, evidence, setting, brief=brief)
        if draft is None:
            return partial(keep, text=composed, method=EXTRACTIVE)
        text = replace(draft, title=draft.title or composed.title)
        return partial(keep, text=text, method=model.name)

    return DeferredReply(make, held.release, answer_timeout(call.services))


async def _read_evidence(call: Call, company_id: UUID) -> ContentEvidence:
    document = await company_document(call.tenant, company_id)
    assert document is not None
    served = await read_sections(call.tenant, company_id, sections=SECTIONS, with_sources=True)
    seller, _ = await read_context(call.tenant)
    return ContentEvidence(
        json.loads(document[0]), {each.section: each.body for each in served}, seller
    )


def _composed(
    content_type: ContentType,
    evidence: ContentEvidence,
    template: dict[str, Any] | None,
    setting: dict[str, Any] | None,
) -> Composed:
    """The text without a model. Raises NothingToWrite."""
    try:
        return compose(
            content_type,
            company=evidence.company,
            sections=evidence.sections,
            seller=evidence.seller,
            template=template["body"] if template else None,
            setting=setting,
        )
    except NothingToWriteOf as error:
        raise NothingToWrite(str(error)) from error


async def _written(
    call: Call,
    model: ModelConfig,
    content_type: ContentType,
    evidence: ContentEvidence,
    setting: dict[str, Any] | None,
    *,
    brief: str,
) -> Composed | None:
    """What a model writes; None where it does not answer or prove what it says."""
    reason = "not_proven"
    try:
        with seat(call.caller.organization_id):
            written = await write_content(
                model,
                content_type,
                company=evidence.company,
                sections=evidence.sections,
                seller=evidence.seller,
                setting=setting,
                brief=brief,
            )
        if written is not None:
            return written
    except ModelDidNotAnswer as error:
        reason = error.reason
    log.warning("content_not_written", model=model.name, reason=reason)
    return None
