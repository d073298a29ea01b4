"""Credit balances and the ledger behind them."""

import json
from datetime import datetime
from functools import partial
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema, of_resource
from sightline.api.paging import PageParameters, list_reply, page_of
from sightline.domain.credits import CREDITS, Credit, EntryKind
from sightline.store.credits import balances, ledger_page
from sightline.store.organizations import read_organization


class OrganizationName(Schema):
    id: UUID
    name: str


class CreditRemaining(Schema):
    company_credits: int = Field(examples=[100])
    content_credits: int = Field(examples=[100])
    territory_credits: int = Field(examples=[100])
    contact_credits: int = Field(examples=[100])


class OrganizationCredits(Schema):
    organization: OrganizationName
    credit_remaining: CreditRemaining


class LedgerParameters(PageParameters):
    credit: Credit | None = Field(default=None, description="Only entries of this kind of credit.")


class LedgerEntry(Schema):
    """One entry of the ledger. Entries are never changed or deleted."""

    id: UUID
    created_at: datetime
    credit: Credit
    kind: EntryKind
    amount: int = Field(description="Change to the balance.", examples=[-1])
    balance_after: int = Field(examples=[99])
    reason: str
    operation: str = Field(description="What was charged, or the grant's reference.")
    key_id: UUID | None
    request_id: str | None


async def read_credits(call: Call) -> Reply:
    organization_id = call.caller.organization_id
    left = await balances(call.tenant)
    organization = await read_organization(call.tenant)
    body = {
        "organization": {"id": str(organization_id), "name": organization["name"]},
        "credit_remaining": {f"{credit}_credits": left.get(credit, 0) for credit in CREDITS},
    }
    return Reply(json.dumps(body).encode())


async def list_ledger(call: Call) -> Reply:
    asked: LedgerParameters = call.params
    read = partial(ledger_page, call.tenant, credit=asked.credit)
    return await list_reply(call, read, "ledger", asked.credit)


ENDPOINTS = of_resource(
    "Organization",
    ("org_settings:read", "org_settings:read"),
    Endpoint(
        method="GET",
        path="/organization/credits",
        name="read_credits",
        summary="Credit balances of your organization",
        answer=OrganizationCredits,
        snapshot=True,
        handler=read_credits,
    ),
    Endpoint(
        method="GET",
        path="/organization/credits/ledger",
        name="list_ledger",
        summary="Every grant, reservation, settlement and release, newest first",
        params=LedgerParameters,
        answer=page_of(LedgerEntry, "Ledger"),
        handler=list_ledger,
    ),
)
