"""Content composed or written from a company's profile, for the operations that store it."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog

from sightline.api.endpoint import Call
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
from sightline.store.companies import company_document
from sightline.store.content import ContentType
from sightline.store.profiles import read_sections
from sightline.store.seller_context import read_context

log = structlog.get_logger()


@dataclass(frozen=True)
class ContentEvidence:
    """What a text about a company is made of: its record, profile sections as JSON text, the seller."""

    company: dict[str, Any]
    sections: dict[str, str]
    seller: dict[str, Any]


async def read_evidence(call: Call, company_id: UUID) -> ContentEvidence:
    document = await company_document(call.tenant, company_id)
    assert document is not None
    served = await read_sections(call.tenant, company_id, sections=SECTIONS, with_sources=True)
    seller, _ = await read_context(call.tenant)
    return ContentEvidence(
        json.loads(document[0]), {each.section: each.body for each in served}, seller
    )


def compose_content(
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


async def write_draft(
    call: Call,
    model: ModelConfig,
    content_type: ContentType,
    evidence: ContentEvidence,
    setting: dict[str, Any] | None,
    *,
    brief: str = "",
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
