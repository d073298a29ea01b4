"""Credits in priced operations: response headers and dry runs."""

import json

from sightline.api.endpoint import Call, Reply
from sightline.domain.credits import Price, price_of
from sightline.store.credits import balances
from sightline.store.database import Tenant


async def credit_headers(call: Call, charged: Price) -> dict[str, str]:
    """The X-Credits headers of an answer, once the charge is written."""
    return await _headers(call.tenant, charged)


async def uncharged_headers(tenant: Tenant, operation: str) -> dict[str, str]:
    """The same for a refused call of an operation of `domain.credits`: nothing was charged."""
    return await _headers(tenant, Price(price_of(operation, {}).credit, 0))


async def _headers(tenant: Tenant, charged: Price) -> dict[str, str]:
    left = await balances(tenant)
    return headers_of(charged, left.get(charged.credit, 0))


def headers_of(charged: Price, left: int) -> dict[str, str]:
    """The headers, where it is known what is `left` of that kind of credit."""
    return {
        "X-Credits-Charged": str(charged.amount),
        "X-Credits-Type": charged.credit,
        "X-Credits-Remaining": str(left),
    }


async def dry_run_reply(call: Call, price: Price) -> Reply:
    """The answer of a dry run: what it would cost, and nothing done."""
    left = await balances(call.tenant)
    body = {
        "dry_run": True,
        "credit": price.credit,
        "amount": price.amount,
        "remaining": left.get(price.credit, 0),
    }
    headers = await credit_headers(call, Price(price.credit, 0))
    return Reply(json.dumps(body).encode(), headers=headers)
