"""What priced operations say about credits: the headers of their answers, and dry runs."""

import json

from sightline.api.endpoint import Call, Reply
from sightline.domain.credits import Price
from sightline.store.credits import balances


async def credit_headers(call: Call, charged: Price) -> dict[str, str]:
    """The X-Credits headers of an answer, once the charge is written."""
    left = await balances(call.connection, call.caller.organization_id)
    return {
        "X-Credits-Charged": str(charged.amount),
        "X-Credits-Type": charged.credit,
        "X-Credits-Remaining": str(left.get(charged.credit, 0)),
    }


async def dry_run_reply(call: Call, price: Price) -> Reply:
    """The answer of a dry run: what it would cost, and nothing done."""
    left = await balances(call.connection, call.caller.organization_id)
    body = {
        "dry_run": True,
        "credit": price.credit,
        "amount": price.amount,
        "remaining": left.get(price.credit, 0),
    }
    headers = await credit_headers(call, Price(price.credit, 0))
    return Reply(json.dumps(body).encode(), headers=headers)
