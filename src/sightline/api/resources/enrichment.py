"""Submitting companies for discovery and enrichment, one or many."""

import json
from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, PricedParameters, Reply, Schema, of_resource
from sightline.api.pricing import credit_headers, dry_run_reply
from sightline.domain.credits import Price, price_of
from sightline.domain.errors import (
    CompanyDoesNotExist,
    DomainIsUnusable,
    IdentifiersAreContradictory,
    OperationDoesNotExist,
    RequestIsInvalid,
)
from sightline.enrich.submit import PRICE, Submission, quote, read_input, submit, submit_many
from sightline.store import operations
from sightline.store.operation_pages import read_operation
from sightline.store.operations import Asker, OperationStatus

MOST_ITEMS = 10_000
POLL_SECONDS = 2


class NewCompany(Schema):
    """At least one of company_name, domain and id. A domain takes precedence over a name."""

    company_name: str | None = Field(default=None, max_length=300, examples=["Harbor Analytics"])
    domain: str | None = Field(
        default=None,
        max_length=2000,
        description="Domain or URL of its website.",
        examples=["harbor-analytics.example"],
    )
    id: str | None = Field(
        default=None,
        description="Id of an account or a company to enrich again.",
        json_schema_extra={"format": "uuid"},
    )
    external_id: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="Your own id for it; stored as a cross-reference, unique per source system.",
    )
    source_system: str | None = Field(
        default=None, min_length=1, max_length=100, examples=["salesforce"]
    )


class NewCompanies(Schema):
    items: list[NewCompany] = Field(min_length=1, max_length=MOST_ITEMS)


class RetryParameters(PricedParameters):
    public_operation_id: UUID = Field(description="Id of a bulk operation.")


class HeldCost(Schema):
    credit: Literal["company"]
    amount: int
    state: Literal["none", "reserved"]


class Accepted(Schema):
    """The enrichment is queued; poll `status_url`."""

    public_operation_id: UUID
    status: OperationStatus
    status_url: str = Field(
        examples=["/public-api/v1/operations/0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11"]
    )
    company_id: UUID | None = Field(description="Null until the company is identified.")
    cost: HeldCost


class BulkAccepted(Accepted):
    items: int = Field(description="How many were queued.")


async def submit_one(call: Call) -> Reply:
    values = read_input(call.body.model_dump())
    tenant = call.tenant
    if call.params.dry_run:
        quoted = await quote(tenant, values, costs=call.caller.costs)
        return await dry_run_reply(call, quoted.price)
    made = await submit(tenant, values, costs=call.caller.costs, asker=_asker(call))
    return await _accepted(call, made)


async def submit_bulk(call: Call) -> Reply:
    items = [
        read_input(item.model_dump(), path=f"items.{n}.") for n, item in enumerate(call.body.items)
    ]
    return await _submit_all(call, items)


async def retry_failed(call: Call) -> Reply:
    operation_id = call.params.public_operation_id
    found = await read_operation(call.tenant, operation_id)
    if found is None or json.loads(found[0])["kind"] != "bulk_enrichment":
        raise OperationDoesNotExist()
    inputs = await operations.failed_inputs(call.tenant, operation_id)
    if not inputs:
        raise RequestIsInvalid("None of the operation's items failed.", path="public_operation_id")
    return await _submit_all(call, inputs)


async def _submit_all(call: Call, inputs: Sequence[dict[str, str]]) -> Reply:
    if call.params.dry_run:
        price = price_of(PRICE, call.caller.costs)
        return await dry_run_reply(call, Price(price.credit, price.amount * len(inputs)))
    made = await submit_many(call.tenant, inputs, costs=call.caller.costs, asker=_asker(call))
    return await _accepted(call, made, items=len(inputs))


async def _accepted(call: Call, made: Submission, *, items: int | None = None) -> Reply:
    url = f"/public-api/v1/operations/{made.operation_id}"
    body: dict[str, Any] = {
        "public_operation_id": str(made.operation_id),
        "status": "queued",
        "status_url": url,
        "company_id": str(made.company_id) if made.company_id else None,
        "cost": {
            "credit": made.held.credit,
            "amount": made.held.amount,
            "state": "reserved" if made.held.amount else "none",
        },
    }
    if items is not None:
        body["items"] = items
    headers = {"Location": url, "Retry-After": str(POLL_SECONDS)}
    headers |= await credit_headers(call, made.held)
    return Reply(json.dumps(body).encode(), status=202, headers=headers)


def _asker(call: Call) -> Asker:
    return Asker(call.caller.used_key, call.caller.user_id, call.request_id)


_HEADERS = {
    "Location": "URL of the operation.",
    "Retry-After": "Seconds to wait before the first poll.",
}

ENDPOINTS = of_resource(
    "Companies",
    ("insights:write", "insights:write"),
    Endpoint(
        method="POST",
        path="/companies",
        name="submit_company",
        summary="Submit a company for discovery and enrichment",
        description=(
            "Returns at once and continues in the background. A credit is reserved, and charged "
            "only if the company is found; the same company again within 30 days costs "
            "nothing."
        ),
        params=PricedParameters,
        body=NewCompany,
        answer=Accepted,
        status=202,
        errors=(CompanyDoesNotExist, DomainIsUnusable, IdentifiersAreContradictory),
        headers=_HEADERS,
        price=PRICE,
        handler=submit_one,
    ),
    Endpoint(
        method="POST",
        path="/companies/bulk",
        name="submit_companies",
        summary="Submit up to 10,000 companies as one operation",
        description="Items end independently; the operation is `partial` if some of them failed.",
        params=PricedParameters,
        body=NewCompanies,
        answer=BulkAccepted,
        status=202,
        errors=(DomainIsUnusable,),
        headers=_HEADERS,
        price=PRICE,
        max_body_bytes=8_000_000,
        handler=submit_bulk,
    ),
    Endpoint(
        method="POST",
        path="/operations/{public_operation_id}/retry",
        name="retry_operation",
        summary="Submit the failed items of a bulk operation again",
        tag="Operations",
        params=RetryParameters,
        answer=BulkAccepted,
        status=202,
        headers=_HEADERS,
        price=PRICE,
        handler=retry_failed,
    ),
)
