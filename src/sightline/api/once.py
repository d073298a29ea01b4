"""One effect and one answer under an Idempotency-Key, also where the answer has to be waited for."""

import asyncio
from dataclasses import dataclass, field, replace
from uuid import UUID

import asyncpg
import structlog

from sightline.api.endpoint import Call, Endpoint, Later, Reply, StreamReply
from sightline.domain.callers import KeyId, OrganizationId
from sightline.domain.errors import (
    IdempotencyKeyIsReused,
    RequestIsStillRunning,
    ServiceIsUnavailable,
)
from sightline.kit.ids import new_id
from sightline.store import idempotency
from sightline.store.database import Connection
from sightline.store.idempotency import StoredAnswer

log = structlog.get_logger()

# To write down what was made. Whoever has not done so by then is taken to be dead.
FINISHING_SECONDS = 5.0


@dataclass(frozen=True)
class Once:
    """A request under a caller's Idempotency-Key. `claim_id` is of this sending alone."""

    organization_id: OrganizationId
    key_id: KeyId
    idempotency_key: str
    fingerprint: bytes  # SHA-256 of method, path, query and body
    claim_id: UUID = field(default_factory=new_id)

    async def keep(self, connection: Connection, reply: Reply) -> None:
        """Keep the answer in the transaction of its effect."""
        kept = reply.body if reply.kept is None else reply.kept
        await self._store(
            connection, StoredAnswer(self.fingerprint, reply.status, reply.headers, kept)
        )

    async def keep_claim(self, connection: Connection, *, seconds: float) -> None:
        """Say that the answer is being made, and will be kept within the seconds or not at all."""
        answer = idempotency.claimed(self.fingerprint, self.claim_id, seconds=seconds)
        await self._store(connection, answer)

    async def _store(self, connection: Connection, answer: StoredAnswer) -> None:
        await idempotency.store_answer(
            connection,
            self.organization_id,
            key_id=self.key_id,
            idempotency_key=self.idempotency_key,
            answer=answer,
        )

    async def has_claim(self, connection: Connection) -> bool:
        """Whether the claim still stands; it does until the transaction ends."""
        return await idempotency.hold_claim(
            connection,
            self.organization_id,
            key_id=self.key_id,
            idempotency_key=self.idempotency_key,
            claim_id=self.claim_id,
        )

    async def drop_claim(self, connection: Connection) -> None:
        """Free the key, unless somebody else has it by now."""
        await idempotency.drop_claim(
            connection,
            self.organization_id,
            key_id=self.key_id,
            idempotency_key=self.idempotency_key,
            claim_id=self.claim_id,
        )


async def answer_once(endpoint: Endpoint, call: Call, once: Once) -> Reply | Later:
    """Run the handler unless the key has an answer already; keep the answer with its effect, or that it
    is being made. Raises RequestIsStillRunning, IdempotencyKeyIsReused."""
    connection = call.connection
    if not await idempotency.claim(connection, once.key_id, once.idempotency_key):
        raise RequestIsStillRunning()
    stored = await idempotency.find_answer(
        connection,
        once.organization_id,
        key_id=once.key_id,
        idempotency_key=once.idempotency_key,
    )
    if stored is not None:
        if stored.fingerprint != once.fingerprint:
            raise IdempotencyKeyIsReused()
        if stored.status == idempotency.BEING_MADE:
            raise RequestIsStillRunning()
        return Reply(stored.body, stored.status, stored.headers | {"Idempotent-Replayed": "true"})
    reply = await endpoint.handler(call)
    if isinstance(reply, StreamReply):
        raise TypeError(f"{endpoint.name} cannot stream: its answer has to be stored.")
    try:
        if isinstance(reply, Later):
            await once.keep_claim(connection, seconds=lapses_after(reply.seconds))
        else:
            await once.keep(connection, reply)
    except asyncpg.SerializationError as error:
        # The first request committed after this one's snapshot; the next try finds its answer.
        raise RequestIsStillRunning() from error
    return reply


async def finish(later: Later, call: Call, once: Once | None) -> Reply:
    """Make what an answer waits for, and keep both in one transaction; or give up all that is held.

    Raises whatever fails, and ServiceIsUnavailable when it takes too long.
    """
    try:
        try:
            async with asyncio.timeout(later.seconds):
                keep = await later.make()
        except TimeoutError as error:
            raise ServiceIsUnavailable("It took too long; try again.") from error
        async with call.transaction() as connection:
            if once is not None and not await once.has_claim(connection):
                # It lapsed, and another sending of the request is at it.
                raise RequestIsStillRunning()
            reply = await keep(replace(call, connection=connection))
            if once is not None:
                await once.keep(connection, reply)
    except BaseException:
        await _give_up(later, call, once)
        raise
    return reply


async def _give_up(later: Later, call: Call, once: Once | None) -> None:
    try:
        # Not in turn: what is given back must not wait for those who have it not.
        async with call.services.database.tenant(call.caller.organization_id) as connection:
            await later.give_up(connection)
            if once is not None:
                await once.drop_claim(connection)
    except Exception as error:
        log.warning("held_until_it_lapses", request_id=call.request_id, exc_info=error)


def lapses_after(seconds: float) -> float:
    """Seconds after which whoever makes something for so many of them must be dead."""
    return seconds + FINISHING_SECONDS
