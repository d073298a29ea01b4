"""Credits held while something outside is waited for, and settled or given back afterwards.

The hold is a transaction of its own, so that nobody waits for a model under a lock.
"""

from dataclasses import dataclass

from sightline.api.endpoint import Call
from sightline.domain.credits import Price
from sightline.domain.errors import CreditsAreExhausted
from sightline.kit.ids import new_id
from sightline.store import credits
from sightline.store.assistant import abandoned_reservations

_ABANDONED_MINUTES = 10


@dataclass
class Hold:
    """Credits that are held for a call. One of `settle` and `release` ends it."""

    call: Call
    price: Price
    operation: str
    is_open: bool = True

    async def settle(self) -> None:
        """Charge them, in the call's transaction."""
        if self.is_open and self.price.amount:
            await credits.settle(
                self.call.connection,
                self.call.caller.organization_id,
                credit=self.price.credit,
                operation=self.operation,
            )
        self.is_open = False

    async def release(self) -> None:
        """Give them back at once, unless they were charged."""
        if not self.is_open:
            return
        self.is_open = False
        if self.price.amount:
            organization_id = self.call.caller.organization_id
            async with self.call.services.database.tenant(organization_id) as connection:
                await credits.release(
                    connection, organization_id, credit=self.price.credit, operation=self.operation
                )


async def hold(call: Call, price: Price, *, prefix: str, reason: str) -> Hold:
    """Hold the price of a call. What a process that died held is given back first.

    Operations are named `prefix` and an id. Raises CreditsAreExhausted.
    """
    held = Hold(call, price, f"{prefix}{new_id()}")
    if not price.amount:
        return held
    organization_id = call.caller.organization_id
    async with call.services.database.tenant(organization_id) as connection:
        for abandoned in await abandoned_reservations(
            connection, organization_id, prefix=prefix, minutes=_ABANDONED_MINUTES
        ):
            await credits.release(
                connection, organization_id, credit=price.credit, operation=abandoned
            )
        left = (await credits.balances(connection, organization_id)).get(price.credit, 0)
        if left < price.amount:
            raise CreditsAreExhausted(
                f"The operation needs {price.amount} {price.credit} credit(s); {left} are left.",
                credit=price.credit,
                needed=price.amount,
                remaining=left,
            )
        await credits.reserve(
            connection,
            organization_id,
            credit=price.credit,
            amount=price.amount,
            operation=held.operation,
            reason=reason,
            key_id=call.caller.key_id,
            request_id=call.request_id,
        )
    return held
