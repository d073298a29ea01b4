"""Console sessions: who is signed in. Only hashes of secrets are stored.

A token names its organization in clear ("<organization>.<secret>"), for that decides which rows its
own session may be looked for in; the secret alone is what proves anything.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from sightline.domain.authority import UserRole
from sightline.domain.callers import Caller, OrganizationId, UserId, person
from sightline.domain.plans import Plan
from sightline.store.database import Database, Tenant

SESSION_LENGTH: Final = timedelta(hours=12)
IDLE_LENGTH: Final = timedelta(hours=2)
LINK_LENGTH: Final = timedelta(hours=24)
_SECRET_BYTES = 32
_LONGEST_TOKEN = 200
_LONGEST_AGENT = 200


@dataclass(frozen=True, slots=True)
class Session:
    """A signed-in user; `csrf` must come back with every form."""

    organization_id: OrganizationId
    organization_name: str
    user_id: UserId
    email: str
    role: UserRole
    csrf: str
    plan: Plan
    costs: dict[str, Any]
    token_hash: bytes

    @property
    def caller(self) -> Caller:
        """The user as operations know callers."""
        return person(self.organization_id, self.user_id, plan=self.plan, costs=self.costs)


@dataclass(frozen=True, slots=True)
class Login:
    """What a password is checked against, and whether a code is asked for after it."""

    organization_id: OrganizationId
    user_id: UserId
    password_hash: str | None
    has_factor: bool
    factor_required: bool


async def organization_by_slug(database: Database, slug: str) -> OrganizationId | None:
    """The organization of a slug; None if there is none."""
    async with database.connection() as connection:
        found: UUID | None = await connection.fetchval("SELECT organization_by_slug($1)", slug)
    return OrganizationId(found) if found else None


async def find_login(database: Database, slug: str, email: str) -> Login | None:
    """The user of an organization; None if there is none, or the user is disabled."""
    organization_id = await organization_by_slug(database, slug)
    if organization_id is None:
        return None
    async with database.tenant(organization_id) as connection:
        row = await connection.fetchrow(
            """
            SELECT u.organization_id, u.user_id, u.password_hash,
              coalesce(f.confirmed_at IS NOT NULL, false) AS has_factor,
              o.second_factor_required AS factor_required
            FROM users u JOIN organizations o USING (organization_id)
            LEFT JOIN second_factors f USING (organization_id, user_id)
            WHERE u.organization_id = $1 AND lower(u.email) = lower($2) AND u.disabled_at IS NULL
            """,
            organization_id,
            email,
        )
    return Login(**dict(row)) if row else None


async def password_hash_of(tenant: Tenant, user_id: UserId) -> str | None:
    """The hash of a user's password; None without one, or when the user is disabled."""
    found: str | None = await tenant.value(
        """
        SELECT password_hash FROM users
        WHERE organization_id = $1 AND user_id = $2 AND disabled_at IS NULL
        """,
        user_id,
    )
    return found


async def set_password(tenant: Tenant, user_id: UserId, password_hash: str) -> None:
    """Set a user's password and end the user's sessions and links."""
    await tenant.run(
        "UPDATE users SET password_hash = $3 WHERE organization_id = $1 AND user_id = $2",
        user_id,
        password_hash,
    )
    for table in ("console_sessions", "console_sign_in_links"):
        await tenant.run(
            f"DELETE FROM {table} WHERE organization_id = $1 AND user_id = $2", user_id
        )


async def open_session(tenant: Tenant, user_id: UserId, *, opened_with: str, agent: str) -> str:
    """Sign a user in; returns the token for the cookie. Sessions that ended are forgotten.

    `opened_with` and `agent`, what the browser calls itself, are what its owner knows a session by.
    """
    await tenant.run(
        "DELETE FROM console_sessions WHERE organization_id = $1 AND expires_at <= now()"
    )
    token = _new_token(tenant.organization_id)
    await tenant.run(
        """
        INSERT INTO console_sessions
          (organization_id, token_hash, user_id, csrf, expires_at, opened_with, agent)
        VALUES ($1, $2, $3, $4, now() + $5::interval, $6, $7)
        """,
        _hash(token),
        user_id,
        secrets.token_urlsafe(_SECRET_BYTES),
        SESSION_LENGTH,
        opened_with,
        agent[:_LONGEST_AGENT],
    )
    return token


async def list_sessions(tenant: Tenant, user_id: UserId) -> list[dict[str, Any]]:
    """The sessions of a user that have not ended, the one used last first."""
    rows = await tenant.rows(
        """
        SELECT encode(token_hash, 'hex') AS id, created_at, used_at, opened_with, agent
        FROM console_sessions WHERE organization_id = $1 AND user_id = $2
          AND expires_at > now() AND used_at > now() - $3::interval
        ORDER BY used_at DESC
        """,
        user_id,
        IDLE_LENGTH,
    )
    return [dict(row) for row in rows]


async def end_sessions(
    tenant: Tenant, user_id: UserId, *, only: bytes | None = None, but: bytes | None = None
) -> int:
    """End a user's sessions: all, `only` that of one token hash, or all `but` one. Answers how many."""
    done = await tenant.run(
        """
        DELETE FROM console_sessions WHERE organization_id = $1 AND user_id = $2
          AND ($3::bytea IS NULL OR token_hash = $3) AND ($4::bytea IS NULL OR token_hash <> $4)
        """,
        user_id,
        only,
        but,
    )
    return int(done.removeprefix("DELETE "))


async def find_session(database: Database, token: str) -> Session | None:
    """The session of a token; None when it is unknown or ended, no one used it
    for IDLE_LENGTH, or its user was disabled."""
    organization_id = organization_of(token)
    if organization_id is None:
        return None
    async with database.tenant(organization_id) as connection:
        row = await connection.fetchrow(
            """
            SELECT s.organization_id, o.name AS organization_name, s.user_id, u.email, u.role, s.csrf,
              o.plan, o.costs, s.token_hash
            FROM console_sessions s JOIN users u USING (organization_id, user_id)
            JOIN organizations o USING (organization_id)
            WHERE s.organization_id = $1 AND s.token_hash = $2 AND s.expires_at > now()
              AND s.used_at > now() - $3::interval AND u.disabled_at IS NULL
            """,
            organization_id,
            _hash(token),
            IDLE_LENGTH,
        )
        if row is not None:
            # Once a minute is often enough to know that someone is there.
            await connection.execute(
                """
                UPDATE console_sessions SET used_at = now()
                WHERE organization_id = $1 AND token_hash = $2
                  AND used_at < now() - interval '1 minute'
                """,
                organization_id,
                _hash(token),
            )
    return Session(**dict(row)) if row else None


async def close_session(tenant: Tenant, token: str) -> None:
    """Sign out."""
    await tenant.run(
        "DELETE FROM console_sessions WHERE organization_id = $1 AND token_hash = $2", _hash(token)
    )


async def make_link(tenant: Tenant, user_id: UserId) -> str:
    """A token that signs the user in once, within a day."""
    await tenant.run(
        "DELETE FROM console_sign_in_links WHERE organization_id = $1 AND expires_at <= now()"
    )
    token = _new_token(tenant.organization_id)
    await tenant.run(
        """
        INSERT INTO console_sign_in_links (organization_id, token_hash, user_id, expires_at)
        VALUES ($1, $2, $3, now() + $4::interval)
        """,
        _hash(token),
        user_id,
        LINK_LENGTH,
    )
    return token


async def redeem_link(tenant: Tenant, token: str) -> UserId | None:
    """Use a link up; None when it was used, has expired, or its user is disabled."""
    user_id: UUID | None = await tenant.value(
        """
        DELETE FROM console_sign_in_links l USING users u
        WHERE l.organization_id = $1 AND l.token_hash = $2 AND l.expires_at > now()
          AND u.organization_id = l.organization_id AND u.user_id = l.user_id
          AND u.disabled_at IS NULL
        RETURNING l.user_id
        """,
        _hash(token),
    )
    return UserId(user_id) if user_id else None


def organization_of(token: str) -> OrganizationId | None:
    """The organization that a token names; None when it is not a token."""
    head, point, secret = token.partition(".")
    if not (point and secret) or len(token) > _LONGEST_TOKEN or not token.isascii():
        return None
    try:
        return OrganizationId(UUID(hex=head))
    except ValueError:
        return None


def _new_token(organization_id: OrganizationId) -> str:
    return f"{organization_id.hex}.{secrets.token_urlsafe(_SECRET_BYTES)}"


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
