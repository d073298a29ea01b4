"""Company records, and the facts behind them."""

import json
from datetime import date, datetime
from functools import partial
from typing import Any
from uuid import UUID

from pydantic import Field

from sightline.api.asked_company import list_of_company
from sightline.api.endpoint import Call, Endpoint, Reply, Schema, of_resource
from sightline.api.filtering import vocabulary_warning
from sightline.api.paging import PageParameters, page_of, with_pagination
from sightline.api.schemas import Company
from sightline.domain.errors import CompanyDoesNotExist
from sightline.domain.fields import FIELDS
from sightline.enrich.provenance import provenance
from sightline.kit.clock import now
from sightline.sources.manifests import NAMES
from sightline.store.companies import company_document, own_values
from sightline.store.facts import facts_page, read_facts


class CompanyParameters(Schema):
    provenance: bool = Field(
        default=False, description="Include the provenance and the alternatives of each field."
    )


class CompanyRecord(Company):
    """A company; with `provenance=true`, the source of each field."""

    merged_into: UUID | None = Field(
        default=None, description="Only if the id belongs to a company merged into another."
    )
    provenance: dict[str, dict[str, Any]] | None = Field(
        default=None,
        description=(
            "Field -> value, source, url, document_id, quote, pointer, method, observed_at, "
            "confidence, support (0-1, all sources that agree together) and alternatives of that form; of an "
            "imported value that the documents contradict, contradicted_by of that form."
        ),
    )


class FactParameters(PageParameters):
    field: str | None = Field(default=None, max_length=100, description="Only this field.")
    source: str | None = Field(default=None, max_length=100, description="Only this source.")


class Fact(Schema):
    """One observed value; `wins` if it is the one in the record."""

    fact_id: UUID
    field: str = Field(examples=["hq_city"])
    value: Any = Field(examples=["Portland"])
    wins: bool
    source: str = Field(examples=["website"])
    url: str
    document_id: UUID
    quote: str | None = Field(description="Verbatim from the document's text.")
    pointer: str | None = Field(description="Location in structured data.")
    method: str = Field(examples=["json_ld"])
    confidence: float = Field(examples=[0.95])
    as_of: date | None
    first_seen_at: datetime
    observed_at: datetime = Field(description="When its document last confirmed it.")


async def read_company(call: Call) -> Reply:
    company_id = call.params.company_id
    found = await company_document(call.tenant, company_id)
    if found is None:
        raise CompanyDoesNotExist()
    document, merged_into = found
    if merged_into is not None:
        document = f'{document[:-1]}, "merged_into": "{merged_into}"}}'
    if call.params.provenance:
        company_id = merged_into or company_id
        facts = await read_facts(call.tenant, company_id)
        own, own_sources = await own_values(call.tenant, company_id)
        shown = provenance(facts, own, own_sources, now=now())
        document = f'{document[:-1]}, "provenance": {json.dumps(shown, ensure_ascii=False)}}}'
    return Reply(document.encode())


async def list_facts(call: Call) -> Reply:
    asked: FactParameters = call.params
    page = partial(facts_page, field=asked.field, source=asked.source)
    items, described = await list_of_company(
        call, page, bound_to=("facts", asked.field, asked.source)
    )
    headers = vocabulary_warning("field", asked.field, tuple(FIELDS)) or vocabulary_warning(
        "source", asked.source, NAMES
    )
    return Reply(with_pagination(items, described), headers=headers)


ENDPOINTS = of_resource(
    "Companies",
    ("insights:read", "insights:read"),
    Endpoint(
        method="GET",
        path="/companies/{company_id}",
        name="read_company",
        summary="Read one company record",
        description=(
            "The catalog's public values, overridden by the values your organization set. "
            "Nullable fields are always present; others are omitted while unknown."
        ),
        params=CompanyParameters,
        answer=CompanyRecord,
        handler=read_company,
    ),
    Endpoint(
        method="GET",
        path="/companies/{company_id}/facts",
        name="list_facts",
        summary="Every value found about a company, with its evidence",
        params=FactParameters,
        answer=page_of(Fact),
        headers={"X-Warning": "An unknown field or source."},
        handler=list_facts,
    ),
)
