"""Operations: request, progress and cost."""

from datetime import datetime
from functools import partial
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema, of_resource
from sightline.api.paging import PageParameters, list_reply, page_of
from sightline.domain.credits import Credit
from sightline.domain.errors import OperationDoesNotExist, OperationIsExpired
from sightline.store.operation_pages import operations_page, read_operation
from sightline.store.operations import KEPT_DAYS, OperationStatus, request_cancel


class OperationList(PageParameters):
    status: OperationStatus | None = Field(
        default=None, description="Only operations in this state."
    )


class Progress(Schema):
    done: int
    total: int


class OperationStep(Schema):
    """One step. `found` counts documents and values; `error` and `notes` are sentences."""

    name: str = Field(examples=["collect"])
    source: str | None = Field(examples=["website"])
    status: Literal[
        "pending", "running", "succeeded", "partial", "nothing_found", "skipped", "failed"
    ]
    started_at: datetime | None
    finished_at: datetime | None
    found: dict[str, int]
    error: str | None
    notes: list[str]


class OperationMatch(Schema):
    """The company that the input was matched to, with `features` and `candidates`."""

    status: Literal["matched", "created", "ambiguous", "not_found"]
    score: float | None = Field(description="0-1.")
    features: dict[str, Any]
    candidates: list[dict[str, Any]]


class Cost(Schema):
    credit: Credit
    amount: int = Field(examples=[1])
    state: Literal["none", "reserved", "settled", "released"]


class OperationFault(Schema):
    code: str = Field(examples=["company_not_found"])
    message: str


class Operation(Schema):
    """An enrichment, a bulk enrichment, or a deletion of accounts."""

    public_operation_id: UUID
    kind: Literal["company_enrichment", "bulk_enrichment", "account_deletion"]
    status: OperationStatus
    progress: Progress
    steps: list[OperationStep]
    input: dict[str, Any]
    company_id: UUID | None
    match: OperationMatch | None
    cost: Cost
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    error: OperationFault | None
    next_poll_after: datetime | None = Field(description="Null once it is finished.")


class BulkItem(Operation):
    """An item of a bulk operation."""

    item: int = Field(description="Index in the request, from 0.")
    external_id: str | None


async def read(call: Call) -> Reply:
    return await _answer(call, call.params.public_operation_id)


async def cancel(call: Call) -> Reply:
    operation_id = call.params.public_operation_id
    if not await request_cancel(call.tenant, operation_id):
        raise OperationDoesNotExist()
    return await _answer(call, operation_id)


async def list_all(call: Call) -> Reply:
    return await _list(call, None)


async def list_items(call: Call) -> Reply:
    found = await read_operation(call.tenant, call.params.public_operation_id)
    if found is None:
        raise OperationDoesNotExist()
    return await _list(call, call.params.public_operation_id)


async def _list(call: Call, parent_id: UUID | None) -> Reply:
    status = call.params.status
    page = partial(
        operations_page, call.tenant, parent_id=parent_id, statuses=[status] if status else None
    )
    return await list_reply(call, page, "operations", parent_id, status)


async def _answer(call: Call, operation_id: UUID) -> Reply:
    found = await read_operation(call.tenant, operation_id)
    if found is None:
        raise OperationDoesNotExist()
    body, expired = found
    if expired:
        raise OperationIsExpired(f"Operations are kept for {KEPT_DAYS} days.")
    return Reply(body.encode())


ENDPOINTS = of_resource(
    "Operations",
    ("insights:read", "insights:write"),
    Endpoint(
        method="GET",
        path="/operations",
        name="list_operations",
        summary="Operations of your organization, newest first",
        params=OperationList,
        answer=page_of(Operation),
        handler=list_all,
    ),
    Endpoint(
        method="GET",
        path="/operations/{public_operation_id}",
        name="read_operation",
        summary="Read an operation: its progress and result",
        description="Poll no sooner than `next_poll_after`. Kept for 30 days, then 410.",
        answer=Operation,
        errors=(OperationIsExpired,),
        handler=read,
    ),
    Endpoint(
        method="GET",
        path="/operations/{public_operation_id}/items",
        name="list_operation_items",
        summary="The items of a bulk operation, in the order of the request",
        params=OperationList,
        answer=page_of(BulkItem),
        handler=list_items,
    ),
    Endpoint(
        method="POST",
        path="/operations/{public_operation_id}/cancel",
        name="cancel_operation",
        summary="Cancel an operation and release its reserved credits",
        description=("A running operation stops at its next step. A finished one is not changed."),
        answer=Operation,
        errors=(OperationIsExpired,),
        handler=cancel,
    ),
)
