"""API keys. The key itself is never stored, only its digest and its first characters."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Any
from uuid import UUID

from sightline.domain.authority import UserRole
from sightline.domain.callers import Caller, KeyId, OrganizationId, UserId
from sightline.domain.keys import SHOWN_LENGTH, digest, new_key
from sightline.domain.plans import RATE_LIMITS
from sightline.kit.ids import new_id
from sightline.store.database import Database, Tenant
from sightline.store.pages import Rows, utc

# last_used_at is kept to the minute: one write a minute and key, not one a request.
USE_RECORDED_EVERY = timedelta(minutes=1)


_SHOWN = f"""
  json_build_object('id', key_id, 'name', name, 'prefix', prefix, 'scopes', scopes,
    'owner', (SELECT u.email FROM users u
              WHERE u.organization_id = $1 AND u.user_id = k.user_id),
    'user_id', user_id, 'created_at', {utc("created_at")},
    'last_used_at', {utc("last_used_at")}, 'expires_at', {utc("expires_at")},
    'revoked_at', {utc("revoked_at")}, 'allowed_networks', allowed_networks,
    'rate_limit', rate_limit, 'flat_errors', flat_errors)
"""
_KEYS = Rows("api_keys k", _SHOWN, "key_id", "created_at", "timestamptz", descending=True)
keys_page = _KEYS.page


@dataclass(frozen=True)
class HeldKey:
    """What a key may do, and as whom."""

    role: UserRole
    scopes: list[str]
    networks: tuple[str, ...]
    expires_at: datetime | None
    rate_limit: int  # requests per window


class KeyDoesNotExist(LookupError):
    """The organization has no such key."""


@dataclass(frozen=True)
class NewKey:
    """A key just made; `key` is shown this once."""

    key: str
    key_id: KeyId


async def create_key(
    tenant: Tenant,
    *,
    user_id: UserId,
    name: str,
    scopes: list[str],
    expires_at: datetime | None = None,
    allowed_networks: list[str] | None = None,
    rate_limit: int | None = None,
    flat_errors: bool = False,
    rotated_from: KeyId | None = None,
) -> NewKey:
    """Create a key for a user. Runs inside the caller's tenant transaction.

    Raises ValueError when one of `allowed_networks` is not an address or network.
    """
    networks = [str(ip_network(text, strict=False)) for text in allowed_networks or []]
    key, key_id = new_key(), KeyId(new_id())
    await tenant.run(
        """
        INSERT INTO api_keys (organization_id, key_id, user_id, name, prefix, digest, scopes,
          expires_at, allowed_networks, rate_limit, flat_errors, rotated_from)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        """,
        key_id,
        user_id,
        name,
        key[:SHOWN_LENGTH],
        digest(key),
        scopes,
        expires_at,
        networks,
        rate_limit,
        flat_errors,
        rotated_from,
    )
    await tenant.execute(
        "INSERT INTO key_index (digest, organization_id, key_id) VALUES ($1, $2, $3)",
        digest(key),
        tenant.organization_id,
        key_id,
    )
    return NewKey(key, key_id)


async def list_keys(tenant: Tenant) -> list[dict[str, Any]]:
    """All keys of an organization, newest first, without secrets."""
    rows = await tenant.rows(
        """
        SELECT k.key_id AS id, k.name, k.prefix, k.scopes, u.email AS owner, k.created_at,
          k.last_used_at, k.expires_at, k.revoked_at, k.allowed_networks, k.rate_limit
        FROM api_keys k JOIN users u USING (organization_id, user_id)
        WHERE k.organization_id = $1 ORDER BY k.key_id DESC
        """
    )
    return [dict(row) for row in rows]


async def find_key(tenant: Tenant, key_id: KeyId) -> HeldKey | None:
    """What a key may do, valid or not; None if there is none."""
    row = await tenant.row(
        """
        SELECT u.role, k.scopes, k.allowed_networks, k.expires_at, k.rate_limit, o.plan
        FROM api_keys k JOIN users u USING (organization_id, user_id)
        JOIN organizations o USING (organization_id)
        WHERE k.organization_id = $1 AND k.key_id = $2
        """,
        key_id,
    )
    if row is None:
        return None
    rate_limit = row["rate_limit"] or RATE_LIMITS[row["plan"]]
    networks = tuple(row["allowed_networks"])
    return HeldKey(row["role"], row["scopes"], networks, row["expires_at"], rate_limit)


async def revoke_key(tenant: Tenant, key_id: KeyId) -> None:
    """Revoke for good. Every node refuses the key as soon as its cached copy ends (half a second).

    Raises KeyDoesNotExist; revoking twice is not an error.
    """
    found = await tenant.value(
        """
        UPDATE api_keys SET revoked_at = coalesce(revoked_at, now())
        WHERE organization_id = $1 AND key_id = $2 RETURNING key_id
        """,
        key_id,
    )
    if found is None:
        raise KeyDoesNotExist(f"There is no key {key_id}.")


async def rotate_key(tenant: Tenant, key_id: KeyId, *, overlap: timedelta) -> NewKey:
    """Make a second key like the first, which stays valid for `overlap` and then expires.

    The new one expires when the first would have: rotation prolongs nothing.
    """
    old = await tenant.row(
        """
        UPDATE api_keys k SET expires_at = least(k.expires_at, now() + $3)
        FROM (SELECT key_id, expires_at FROM api_keys
              WHERE organization_id = $1 AND key_id = $2 FOR UPDATE) AS before
        WHERE k.organization_id = $1 AND k.key_id = before.key_id AND k.revoked_at IS NULL
          AND (before.expires_at IS NULL OR before.expires_at > now())
        RETURNING k.user_id, k.name, k.scopes, k.allowed_networks, k.rate_limit, k.flat_errors,
          before.expires_at
        """,
        key_id,
        overlap,
    )
    if old is None:
        raise KeyDoesNotExist(f"There is no valid key {key_id}.")
    return await create_key(
        tenant,
        user_id=old["user_id"],
        name=old["name"],
        scopes=old["scopes"],
        expires_at=old["expires_at"],
        allowed_networks=old["allowed_networks"],
        rate_limit=old["rate_limit"],
        flat_errors=old["flat_errors"],
        rotated_from=key_id,
    )


async def find_caller(
    database: Database, key_digest: bytes, *, recorded: bool = True
) -> Caller | None:
    """The caller a key stands for; None when it is unknown, expired or revoked. Its use is recorded."""
    async with database.connection() as connection:
        entry = await connection.fetchrow(
            "SELECT organization_id, key_id FROM key_index WHERE digest = $1", key_digest
        )
    if entry is None:
        return None
    organization_id: UUID = entry["organization_id"]
    async with database.tenant(organization_id) as connection:
        row = await connection.fetchrow(
            """
            SELECT k.user_id, k.scopes, k.allowed_networks, k.rate_limit, k.flat_errors,
              k.expires_at, o.plan, o.costs,
              k.last_used_at IS NULL OR k.last_used_at < now() - $3::interval AS record_use
            FROM api_keys k JOIN organizations o USING (organization_id)
            JOIN users u USING (organization_id, user_id)
            WHERE k.organization_id = $1 AND k.key_id = $2 AND k.revoked_at IS NULL
              AND u.disabled_at IS NULL
              AND (k.expires_at IS NULL OR k.expires_at > now())
            """,
            organization_id,
            entry["key_id"],
            USE_RECORDED_EVERY,
        )
        if row is None:
            return None
        if recorded and row["record_use"]:
            await connection.execute(
                "UPDATE api_keys SET last_used_at = now() WHERE organization_id = $1 AND key_id = $2",
                organization_id,
                entry["key_id"],
            )
    return Caller(
        organization_id=OrganizationId(organization_id),
        key_id=KeyId(entry["key_id"]),
        user_id=UserId(row["user_id"]),
        scopes=tuple(row["scopes"]),
        plan=row["plan"],
        rate_limit=row["rate_limit"] or RATE_LIMITS[row["plan"]],
        allowed_networks=tuple(row["allowed_networks"]),
        flat_errors=row["flat_errors"],
        costs=row["costs"],
        expires_at=row["expires_at"],
    )
