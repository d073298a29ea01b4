"""Answers kept under a caller's Idempotency-Key, written in the transaction of the effect."""

import hashlib
from dataclasses import dataclass
from uuid import UUID

from sightline.domain.callers import KeyId, OrganizationId
from sightline.store.database import Connection, Database

KEPT_DAYS = 7


@dataclass(frozen=True)
class StoredAnswer:
    """What was answered the first time."""

    fingerprint: bytes  # SHA-256 of method, path, query and body
    status: int
    headers: dict[str, str]
    body: bytes


async def claim(connection: Connection, key_id: KeyId, idempotency_key: str) -> bool:
    """Take the key for this transaction; False while another transaction holds it.

    The lock goes with the transaction, so a killed process leaves nothing behind.
    """
    digest = hashlib.blake2b(key_id.bytes + idempotency_key.encode(), digest_size=8).digest()
    taken: bool = await connection.fetchval(
        "SELECT pg_try_advisory_xact_lock($1)", int.from_bytes(digest, "big", signed=True)
    )
    return taken


async def find_answer(
    connection: Connection,
    organization_id: OrganizationId,
    *,
    key_id: KeyId,
    idempotency_key: str,
) -> StoredAnswer | None:
    """The stored answer, if the key was used in the last seven days."""
    row = await connection.fetchrow(
        f"""
        SELECT fingerprint, status, headers, body FROM idempotency_keys
        WHERE organization_id = $1 AND key_id = $2 AND idempotency_key = $3
          AND created_at > now() - interval '{KEPT_DAYS} days'
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
