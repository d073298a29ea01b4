"""One effect and one response per Idempotency-Key, even if the response is deferred."""

import asyncio
from dataclasses import dataclass, field, replace
from uuid import UUID

import asyncpg
import structlog

from sightline.api.endpoint import Call, DeferredReply, Endpoint, Reply, StreamReply
from sightline.domain.errors import (
    IdempotencyKeyIsReused,
    RequestIsStillRunning,
    ServiceIsUnavailable,
)
from sightline.kit.ids import new_id
from sightline.store import idempotency
from sightline.store.database import Connection
from sightline.store.idempotency import RequestKey, StoredAnswer

log = structlog.get_logger()

# To write down what was made. A process that has not done so by then is taken to be dead.
FINISHING_SECONDS = 5.0


@dataclass(frozen=True)
class IdempotentRequest:
    """A request under a caller's Idempotency-Key. `claim_id` is of this sending alone."""

    key: RequestKey
    fingerprint: bytes  # SHA-256 of method, path, query and body
    claim_id: UUID = field(default_factory=new_id)

    async def keep(self, connection: Connection, reply: Reply | DeferredReply) -> None:
        """Keep the answer in the transaction of its effect; or that it will be kept in time or not at
        all."""
        if isinstance(reply, DeferredReply):
            await idempotency.claim(
                connection,
                self.key,
                claim_id=self.claim_id,
                fingerprint=self.fingerprint,
                seconds=lapses_after(reply.seconds),
            )
        else:
            body = reply.body if reply.kept is None else reply.kept
            answer = StoredAnswer(self.fingerprint, reply.status, reply.headers, body)
            await idempotency.store(connection, self.key, answer)


async def answer_once(
    endpoint: Endpoint, call: Call, once: IdempotentRequest
) -> Reply | DeferredReply:
    """Run the handler unless the key has an answer already; keep the answer with its effect, or that it
    is being made. Raises RequestIsStillRunning, IdempotencyKeyIsReused."""
    connection = call.tenant
    if not await idempotency.try_lock(connection, once.key):
        raise RequestIsStillRunning()
    stored = await idempotency.find(connection, once.key)
    if stored is not None:
        if stored.fingerprint != once.fingerprint:
            raise IdempotencyKeyIsReused()
        if stored.is_claim:
            raise RequestIsStillRunning()
        return Reply(stored.body, stored.status, stored.headers | {"Idempotent-Replayed": "true"})
    reply = await endpoint.handler(call)
    if isinstance(reply, StreamReply):
        raise TypeError(f"{endpoint.name} cannot stream: its answer has to be stored.")
    try:
        await once.keep(connection, reply)
    except asyncpg.SerializationError as error:
        # The first request committed after this one's snapshot; the next try finds its answer.
        raise RequestIsStillRunning() from error
    return reply


async def finish(later: DeferredReply, call: Call, once: IdempotentRequest | None) -> Reply:
    """Make what an answer waits for, and keep both in one transaction; or give up all that is held.

    Raises whatever fails, and ServiceIsUnavailable when it takes too long.
    """
    try:
        try:
            async with asyncio.timeout(later.seconds):
                keep = await later.make()
        except TimeoutError as error:
            raise ServiceIsUnavailable("The request timed out; try again.") from error
        async with call.transaction() as connection:
            if once and not await idempotency.hold_claim(connection, once.key, once.claim_id):
                # It lapsed, and another sending of the request is at it.
                raise RequestIsStillRunning()
            reply = await keep(replace(call, tenant=connection))
            if once:
                await once.keep(connection, reply)
    except BaseException:
        await _compensate(later, call, once)
        raise
    return reply


async def _compensate(later: DeferredReply, call: Call, once: IdempotentRequest | None) -> None:
    try:
        # Not in turn: what is given back must not wait for those who have it not.
        async with call.services.database.tenant(call.caller.organization_id) as connection:
            await later.compensate(connection)
            if once:
                await idempotency.drop_claim(connection, once.key, once.claim_id)
    except Exception as error:
        log.warning("held_until_it_lapses", request_id=call.request_id, exc_info=error)


def lapses_after(seconds: float) -> float:
    """Seconds after which a process that makes something for that many must be dead."""
    return seconds + FINISHING_SECONDS
