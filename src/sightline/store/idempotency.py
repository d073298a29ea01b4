"""Answers kept under a caller's Idempotency-Key, written in the transaction of the effect."""

import hashlib
from dataclasses import dataclass
from uuid import UUID

from sightline.domain.callers import KeyId, OrganizationId
from sightline.store.database import Connection, Database

KEPT_DAYS = 7
# The status of a claim: an answer that is being made outside of any transaction (102 is Processing).
BEING_MADE = 102


@dataclass(frozen=True)
class StoredAnswer:
    """What was answered the first time."""

    fingerprint: bytes  # SHA-256 of method, path, query and body
    status: int
    headers: dict[str, str]
    body: bytes


def claimed(fingerprint: bytes, claim_id: UUID, *, seconds: float) -> StoredAnswer:
    """What stands in the place of an answer that is being made; void after the seconds, so that what a
    killed process left behind can be done again."""
    return StoredAnswer(
        fingerprint, BEING_MADE, {"claim": str(claim_id), "seconds": str(seconds)}, b""
    )


async def claim(connection: Connection, key_id: KeyId, idempotency_key: str) -> bool:
    """Take the key for this transaction; False while another transaction holds it.

    The lock goes with the transaction, so a killed process leaves nothing behind.
    """
    taken: bool = await connection.fetchval(
        "SELECT pg_try_advisory_xact_lock($1)", _lock_of(key_id, idempotency_key)
    )
    return taken


async def hold_claim(
    connection: Connection,
    organization_id: OrganizationId,
    *,
    key_id: KeyId,
    idempotency_key: str,
    claim_id: UUID,
) -> bool:
    """Whether a claim stands, lapsed or not; nobody else takes the key before the transaction ends."""
    await connection.execute("SELECT pg_advisory_xact_lock($1)", _lock_of(key_id, idempotency_key))
    stands: bool = await connection.fetchval(
        f"""
        SELECT EXISTS (SELECT FROM idempotency_keys
          WHERE organization_id = $1 AND key_id = $2 AND idempotency_key = $3
            AND status = {BEING_MADE} AND headers ->> 'claim' = $4)
        """,
        organization_id,
        key_id,
        idempotency_key,
        str(claim_id),
    )
    return stands


async def drop_claim(
    connection: Connection,
    organization_id: OrganizationId,
    *,
    key_id: KeyId,
    idempotency_key: str,
    claim_id: UUID,
) -> None:
    """Free a key whose answer will not be made. Another claim on it, or an answer, stays."""
    await connection.execute(
        f"""
        DELETE FROM idempotency_keys
        WHERE organization_id = $1 AND key_id = $2 AND idempotency_key = $3
          AND status = {BEING_MADE} AND headers ->> 'claim' = $4
        """,
        organization_id,
        key_id,
        idempotency_key,
        str(claim_id),
    )


async def find_answer(
    connection: Connection,
    organization_id: OrganizationId,
    *,
    key_id: KeyId,
    idempotency_key: str,
) -> StoredAnswer | None:
    """The stored answer, if the key was used in the last seven days; or the claim of who makes it, unless
    that lapsed."""
    row = await connection.fetchrow(
        f"""
        SELECT fingerprint, status, headers, body FROM idempotency_keys
        WHERE organization_id = $1 AND key_id = $2 AND idempotency_key = $3
          AND created_at > now() - CASE status
            WHEN {BEING_MADE} THEN (headers ->> 'seconds')::float8 * interval '1 second'
            ELSE interval '{KEPT_DAYS} days' END
        """,
        organization_id,
        key_id,
        idempotency_key,
    )
    return StoredAnswer(**dict(row)) if row else None


async def store_answer(
    connection: Connection,
    organization_id: OrganizationId,
    *,
    key_id: KeyId,
    idempotency_key: str,
    answer: StoredAnswer,
) -> None:
    """Keep an answer; one that outlived its time is replaced."""
    await connection.execute(
        """
        INSERT INTO idempotency_keys
          (organization_id, key_id, idempotency_key, fingerprint, status, headers, body)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (organization_id, key_id, idempotency_key) DO UPDATE
          SET fingerprint = excluded.fingerprint, status = excluded.status,
            headers = excluded.headers, body = excluded.body, created_at = now()
        """,
        organization_id,
        key_id,
        idempotency_key,
        answer.fingerprint,
        answer.status,
        answer.headers,
        answer.body,
    )


async def delete_expired(database: Database) -> int:
    """Delete answers past their time, organization by organization; needs the worker's connection."""
    async with database.connection() as connection:
        organizations: list[UUID] = [
            row[0] for row in await connection.fetch("SELECT organization_id FROM organizations")
        ]
    deleted = 0
    for organization_id in organizations:
        async with database.tenant(organization_id) as connection:
            status = await connection.execute(
                f"""
                DELETE FROM idempotency_keys WHERE organization_id = $1
                  AND created_at < now() - interval '{KEPT_DAYS} days'
                """,
                organization_id,
            )
        deleted += int(status.split()[-1])
    return deleted


def _lock_of(key_id: KeyId, idempotency_key: str) -> int:
    """The number of the advisory lock that a transaction takes of a key."""
    digest = hashlib.blake2b(key_id.bytes + idempotency_key.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
