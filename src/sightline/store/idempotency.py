"""Responses stored under a caller's Idempotency-Key, in the transaction of the effect.

Where an answer is made outside of any transaction, a claim stands in its place meanwhile.
"""

import hashlib
from dataclasses import dataclass
from uuid import UUID

from sightline.domain.callers import KeyId, OrganizationId
from sightline.store.database import Connection, Tenant

KEPT_DAYS = 7


@dataclass(frozen=True)
class RequestKey:
    """An Idempotency-Key, of the caller's own."""

    organization_id: OrganizationId
    key_id: KeyId
    name: str

    @property
    def lock(self) -> int:
        """The number of the advisory lock that a transaction takes of it."""
        digest = hashlib.blake2b(self.key_id.bytes + self.name.encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big", signed=True)


@dataclass(frozen=True)
class StoredAnswer:
    """What was answered the first time, or the claim of who makes it."""

    fingerprint: bytes  # SHA-256 of method, path, query and body
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def is_claim(self) -> bool:
        return "claim" in self.headers


async def try_lock(connection: Connection, key: RequestKey) -> bool:
    """Take the key for this transaction; False while another transaction holds it.

    The lock goes with the transaction, so a killed process leaves nothing behind.
    """
    taken: bool = await connection.fetchval("SELECT pg_try_advisory_xact_lock($1)", key.lock)
    return taken


async def find(connection: Connection, key: RequestKey) -> StoredAnswer | None:
    """The answer, if the key was used in the last seven days; or the claim of who makes it, unless that
    lapsed."""
    row = await connection.fetchrow(
        f"""
        SELECT fingerprint, status, headers, body FROM idempotency_keys
        WHERE organization_id = $1 AND key_id = $2 AND idempotency_key = $3
          AND created_at > now() - coalesce(
            (headers ->> 'claim-seconds')::float8 * interval '1 second', interval '{KEPT_DAYS} days')
        """,
        key.organization_id,
        key.key_id,
        key.name,
    )
    return StoredAnswer(**dict(row)) if row else None


async def store(connection: Connection, key: RequestKey, answer: StoredAnswer) -> None:
    """Keep an answer in the place of a claim, or of one that outlived its time."""
    await connection.execute(
        """
        INSERT INTO idempotency_keys
          (organization_id, key_id, idempotency_key, fingerprint, status, headers, body)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (organization_id, key_id, idempotency_key) DO UPDATE
          SET fingerprint = excluded.fingerprint, status = excluded.status,
            headers = excluded.headers, body = excluded.body, created_at = now()
        """,
        key.organization_id,
        key.key_id,
        key.name,
        answer.fingerprint,
        answer.status,
        answer.headers,
        answer.body,
    )


async def claim(
    connection: Connection, key: RequestKey, *, claim_id: UUID, fingerprint: bytes, seconds: float
) -> None:
    """Record that the answer is being made. The claim lapses after the seconds, so that what a killed
    process left behind can be done again."""
    # A node of a release that knows no claims answers with this row as it is: try again later.
    headers = {"claim": str(claim_id), "claim-seconds": str(seconds), "Retry-After": "1"}
    await store(connection, key, StoredAnswer(fingerprint, 409, headers, b""))


async def hold_claim(connection: Connection, key: RequestKey, claim_id: UUID) -> bool:
    """Whether a claim stands, lapsed or not; no one else takes the key before the transaction ends."""
    await connection.execute("SELECT pg_advisory_xact_lock($1)", key.lock)
    stands: bool = await connection.fetchval(
        """
        SELECT EXISTS (SELECT FROM idempotency_keys
          WHERE organization_id = $1 AND key_id = $2 AND idempotency_key = $3
            AND headers ->> 'claim' = $4)
        """,
        key.organization_id,
        key.key_id,
        key.name,
        str(claim_id),
    )
    return stands


async def drop_claim(connection: Connection, key: RequestKey, claim_id: UUID) -> None:
    """Free a key whose answer will not be made. Another claim on it, or an answer, stays."""
    await connection.execute(
        """
        DELETE FROM idempotency_keys
        WHERE organization_id = $1 AND key_id = $2 AND idempotency_key = $3
          AND headers ->> 'claim' = $4
        """,
        key.organization_id,
        key.key_id,
        key.name,
        str(claim_id),
    )


async def delete_expired(tenant: Tenant) -> int:
    """Delete an organization's answers past their time; returns how many."""
    status = await tenant.run(
        f"""
        DELETE FROM idempotency_keys WHERE organization_id = $1
          AND created_at < now() - interval '{KEPT_DAYS} days'
        """
    )
    return int(status.split()[-1])
