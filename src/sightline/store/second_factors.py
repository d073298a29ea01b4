"""Second factors: a user's authenticator app and recovery codes."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, Literal

from sightline.domain.callers import UserId
from sightline.domain.one_time_codes import (
    is_app_code,
    new_secret,
    normalized_code,
    recovery_digest,
    step_of,
)
from sightline.kit.clock import now
from sightline.kit.secrets import SecretBox
from sightline.store.database import Tenant

# Of a million codes three count at a time: five tries each quarter of an hour need some two years for one.
MOST_WRONG_CODES: Final = 5
CLOSED_FOR: Final = timedelta(minutes=15)

Verdict = Literal["app", "recovery", "wrong", "closed"]


async def has_factor(tenant: Tenant, user_id: UserId) -> bool:
    """Whether the user's password needs a code."""
    found: bool = await tenant.value(
        """
        SELECT EXISTS (SELECT FROM second_factors
          WHERE organization_id = $1 AND user_id = $2 AND confirmed_at IS NOT NULL)
        """,
        user_id,
    )
    return found


async def begin_factor(tenant: Tenant, user_id: UserId, *, secrets: SecretBox) -> str | None:
    """The secret to set an app up with; asking again answers the same until a code confirms it. None
    when the user has a factor already."""
    await tenant.run(
        """
        INSERT INTO second_factors (organization_id, user_id, sealed_secret) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING
        """,
        user_id,
        secrets.seal(new_secret()),
    )
    sealed: bytes | None = await tenant.value(
        """
        SELECT sealed_secret FROM second_factors
        WHERE organization_id = $1 AND user_id = $2 AND confirmed_at IS NULL
        """,
        user_id,
    )
    return secrets.open(sealed) if sealed is not None else None


async def check_code(tenant: Tenant, user_id: UserId, text: str, *, secrets: SecretBox) -> Verdict:
    """Use a code up. A wrong one is counted, so the transaction must commit whatever the verdict."""
    row = await tenant.row(
        """
        SELECT sealed_secret, last_step, wrong_codes, closed_until > now() AS closed
        FROM second_factors WHERE organization_id = $1 AND user_id = $2 FOR UPDATE
        """,
        user_id,
    )
    if row is None:
        return "wrong"
    if row["closed"]:
        return "closed"
    code = normalized_code(text)
    if is_app_code(code):
        step = step_of(secrets.open(row["sealed_secret"]), code, now())
        if step is not None and step > row["last_step"]:
            await _count(tenant, user_id, wrong=0, last_step=step)
            return "app"
    elif await _use_recovery_code(tenant, user_id, code):
        await _count(tenant, user_id, wrong=0)
        return "recovery"
    await _count(tenant, user_id, wrong=row["wrong_codes"] + 1)
    return "wrong"


async def confirm_factor(tenant: Tenant, user_id: UserId, *, recovery_codes: Sequence[str]) -> None:
    """From now on the user's password needs a code. Also gives out new recovery codes: those before no
    longer count."""
    await tenant.run(
        """
        UPDATE second_factors SET confirmed_at = coalesce(confirmed_at, now())
        WHERE organization_id = $1 AND user_id = $2
        """,
        user_id,
    )
    await tenant.run(
        "DELETE FROM recovery_codes WHERE organization_id = $1 AND user_id = $2", user_id
    )
    await tenant.run(
        """
        INSERT INTO recovery_codes (organization_id, user_id, code_hash)
        SELECT $1, $2, unnest($3::bytea[])
        """,
        user_id,
        [recovery_digest(code) for code in recovery_codes],
    )


async def remove_factor(tenant: Tenant, user_id: UserId) -> bool:
    """The password alone signs in again. False when there was no factor."""
    done = await tenant.run(
        "DELETE FROM second_factors WHERE organization_id = $1 AND user_id = $2", user_id
    )
    return done == "DELETE 1"


async def count_recovery_codes(tenant: Tenant, user_id: UserId) -> int:
    """How many recovery codes the user has left."""
    found: int = await tenant.value(
        "SELECT count(*) FROM recovery_codes WHERE organization_id = $1 AND user_id = $2", user_id
    )
    return found


async def is_factor_required(tenant: Tenant) -> bool:
    """Whether everybody who signs in with a password needs a second factor."""
    found: bool = await tenant.value(
        "SELECT second_factor_required FROM organizations WHERE organization_id = $1"
    )
    return found


async def require_factor(tenant: Tenant, *, required: bool) -> None:
    """Set whether everybody who signs in with a password needs a second factor."""
    await tenant.run(
        "UPDATE organizations SET second_factor_required = $2 WHERE organization_id = $1", required
    )


async def _use_recovery_code(tenant: Tenant, user_id: UserId, code: str) -> bool:
    done = await tenant.run(
        """
        DELETE FROM recovery_codes
        WHERE organization_id = $1 AND user_id = $2 AND code_hash = $3
        """,
        user_id,
        recovery_digest(code),
    )
    return done == "DELETE 1"


async def _count(
    tenant: Tenant, user_id: UserId, *, wrong: int, last_step: int | None = None
) -> None:
    closes = wrong >= MOST_WRONG_CODES
    await tenant.run(
        """
        UPDATE second_factors SET wrong_codes = $3, last_step = coalesce($4, last_step),
          closed_until = CASE WHEN $5::interval IS NOT NULL THEN now() + $5 END
        WHERE organization_id = $1 AND user_id = $2
        """,
        user_id,
        0 if closes else wrong,
        last_step,
        CLOSED_FOR if closes else None,
    )
