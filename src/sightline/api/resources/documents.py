"""Documents that were read for a company, as text."""

import json
from functools import partial
from typing import Any
from uuid import UUID

from pydantic import Field

from sightline.api.asked_company import asked_company
from sightline.api.endpoint import Call, Endpoint, Reply, Schema, of_resource
from sightline.api.paging import PageParameters, list_reply, page_of
from sightline.domain.errors import DocumentDoesNotExist
from sightline.store.company_pages import documents_page, read_document

MOST_CHARACTERS = 200_000


class DocumentList(PageParameters):
    company_id: UUID = Field(description="Id of the company.")


class DocumentPath(Schema):
    company_id: UUID = Field(description="Id of the company.")
    document_id: UUID = Field(description="Id of the document.")
    start: int = Field(
        default=0, ge=0, le=1_000_000_000, description="Position of the first character of `text`."
    )
    length: int = Field(
        default=20_000, ge=1, le=MOST_CHARACTERS, description="Characters of `text` at most."
    )


class Document(Schema):
    document_id: UUID
    title: str | None
    url: str
    kind: str = Field(examples=["filing"])
    source: str = Field(examples=["sec_edgar"])
    published_at: str | None
    fetched_at: str
    characters: int = Field(description="Length of the whole text.")


class DocumentText(Document):
    superseded_at: str | None = Field(description="Null: it is the present version.")
    text: str = Field(description="Plain text, from `start` on.")
    next_start: int | None = Field(description="`start` of the next part; null at the end.")


async def list_documents(call: Call) -> Reply:
    company_id = await asked_company(call)
    page = partial(documents_page, call.tenant, company_id)
    return await list_reply(call, page, "documents", company_id)


async def read_text(call: Call) -> Reply:
    asked: DocumentPath = call.params
    found = await read_document(call.tenant, await asked_company(call), asked.document_id)
    if found is None:
        raise DocumentDoesNotExist()
    whole = found.pop("body_text")
    end = asked.start + asked.length
    body: dict[str, Any] = {
        **found,
        "characters": len(whole),
        "text": whole[asked.start : end],
        "next_start": end if end < len(whole) else None,
    }
    return Reply(json.dumps(body, ensure_ascii=False, default=_shown).encode())


def _shown(value: Any) -> str:
    """An id or a time."""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


ENDPOINTS = of_resource(
    "Companies",
    ("insights:read", "insights:read"),
    Endpoint(
        method="GET",
        path="/companies/{company_id}/documents",
        name="list_documents",
        summary="Filings, pages and news read for a company, newest first",
        params=DocumentList,
        answer=page_of(Document),
        handler=list_documents,
    ),
    Endpoint(
        method="GET",
        path="/companies/{company_id}/documents/{document_id}",
        name="read_document",
        summary="The text of a document, in parts",
        params=DocumentPath,
        answer=DocumentText,
        handler=read_text,
    ),
)
