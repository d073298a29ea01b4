"""Credits reserved during a request to a model, then settled or released."""

from dataclasses import dataclass

from sightline.api.endpoint import Call, Services
from sightline.api.idempotency import lapses_after
from sightline.domain.callers import OrganizationId
from sightline.domain.credits import Price
from sightline.domain.errors import ServiceIsUnavailable
from sightline.kit.ids import new_id
from sightline.store import credits
from sightline.store.database import Tenant

# To read what is held, before a model is asked and in its place.
_READING_SECONDS = 10.0


@dataclass(frozen=True)
class Hold:
    """Credits that are held for an organization. One of `settle` and `release` ends it."""

    organization_id: OrganizationId
    price: Price
    operation: str

    async def settle(self, connection: Tenant) -> None:
        """Charge them. Raises ServiceIsUnavailable when they were released, for taking too long."""
        if not self.price.amount:
            return
        settled = await credits.settle_held(
            connection, credit=self.price.credit, operation=self.operation
        )
        if not settled:
            raise ServiceIsUnavailable("The request timed out; try again.")

    async def release(self, connection: Tenant) -> None:
        """Give them back, unless they were charged."""
        if self.price.amount:
            await credits.release(connection, credit=self.price.credit, operation=self.operation)


async def hold(call: Call, price: Price, *, prefix: str, reason: str) -> Hold:
    """Hold the price of a call, in its transaction. What processes that died held is released first.

    Operations are named `prefix` and an id. Raises CreditsAreExhausted.
    """
    organization_id = call.caller.organization_id
    held = Hold(organization_id, price, f"{prefix}{new_id()}")
    if price.amount:
        lapsed = lapses_after(answer_timeout(call.services))
        await credits.release_abandoned(call.tenant, prefix=prefix, seconds=lapsed)
        await credits.reserve(
            call.tenant,
            credit=price.credit,
            amount=price.amount,
            operation=held.operation,
            reason=reason,
            key_id=call.caller.used_key,
            request_id=call.request_id,
        )
    return held


def answer_timeout(services: Services) -> float:
    """Seconds that an answer may be made for: read, written, verified, or replaced where a model fails."""
    model = services.model
    if model is None:
        return _READING_SECONDS
    return _READING_SECONDS + model.seconds + (model.verifier or model).seconds
