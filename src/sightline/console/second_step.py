"""The second factor of a password sign-in: an app's code, or setting the app up if the workspace requires
one.
"""

import hashlib
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import segno
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sightline.console.door import TOO_MANY, Door
from sightline.console.forms import read_form
from sightline.console.responses import SIGN_IN, html
from sightline.domain.callers import OrganizationId, UserId
from sightline.domain.one_time_codes import new_recovery_codes, setup_address
from sightline.store.console_sessions import Login, password_hash_of
from sightline.store.database import Tenant
from sightline.store.organizations import email_of, read_organization, record_audit
from sightline.store.second_factors import (
    Verdict,
    begin_factor,
    check_code,
    confirm_factor,
    has_factor,
)

SECOND_STEP: Final = "/console/sign-in/code"
PENDING_COOKIE: Final = "sightline_second_step"
_PENDING_SECONDS: Final = 600
REFUSALS: Final[dict[Verdict, str]] = {
    "wrong": "That code is wrong or was already used. Wait for the next one and try again.",
    "closed": "Too many wrong codes. Try again in 15 minutes.",
}


@dataclass(frozen=True)
class Setup:
    """What an authenticator app is set up with: a QR code as SVG, and the same to type in."""

    picture: Markup
    secret: str


def pending_value(login: Login) -> tuple[dict[str, str], int]:
    """What the browser keeps, sealed, between password and code, and for how many seconds. A new
    password ends it."""
    return {
        "organization": login.organization_id.hex,
        "user": login.user_id.hex,
        "password": _digest(login.password_hash),
    }, _PENDING_SECONDS


async def setup_of(tenant: Tenant, user_id: UserId, *, secret: str) -> Setup:
    """How the user sets an app up with this secret."""
    workspace = (await read_organization(tenant))["name"]
    email = await email_of(tenant, user_id)
    code = segno.make(setup_address(secret, email=email, workspace=workspace), error="m")
    picture = code.svg_inline(border=3, light="#fff", omitsize=True)
    return Setup(Markup(picture), secret)  # noqa: S704


class SecondStep(Door):
    """The pages between a right password and a session."""

    async def form(self, request: Request) -> Response:
        return await self._form(request)

    async def check(self, request: Request) -> Response:
        form = await read_form(request)
        self.check_form(request, form.get("csrf", ""))
        if not await self.may_try(request):
            return await self._form(request, error=TOO_MANY, status=429)
        pending = await self._pending(request)
        if pending is None:
            return RedirectResponse(SIGN_IN, 303)
        organization_id, user_id = pending
        fresh: list[str] = []
        async with self.services.database.tenant(organization_id) as connection:
            enrolled = await has_factor(connection, user_id)
            verdict = await check_code(
                connection, user_id, form.get("code", ""), secrets=self.services.secrets
            )
            if verdict == "app" and not enrolled:
                fresh = new_recovery_codes()
                await confirm_factor(connection, user_id, recovery_codes=fresh)
                await record_audit(
                    connection,
                    action="add_second_factor",
                    subject=f"user:{user_id}",
                    actor=f"user:{user_id}",
                )
        if verdict in REFUSALS:
            return await self._form(request, error=REFUSALS[verdict], status=401)
        answer = html("recovery_codes.html", {"codes": fresh}) if fresh else None
        how = f"password and {'code' if verdict == 'app' else 'recovery code'}"
        admitted = await self.admit(request, organization_id, user_id, how=how, answer=answer)
        self.drop(admitted, request, PENDING_COOKIE)
        return admitted

    async def _form(
        self, request: Request, *, error: str | None = None, status: int = 200
    ) -> Response:
        pending = await self._pending(request)
        if pending is None:
            return RedirectResponse(SIGN_IN, 303)
        organization_id, user_id = pending
        setup = None
        async with self.services.database.tenant(organization_id) as connection:
            secret = await begin_factor(connection, user_id, secrets=self.services.secrets)
            if secret is not None:
                setup = await setup_of(connection, user_id, secret=secret)
        return self.page(request, "second_step.html", {"error": error, "setup": setup}, status)

    async def _pending(self, request: Request) -> tuple[OrganizationId, UserId] | None:
        """Whose password was right a few minutes ago, and still is."""
        values = self.open_sealed(PENDING_COOKIE, self.cookie(request, PENDING_COOKIE))
        if values is None:
            return None
        organization_id = OrganizationId(UUID(values["organization"]))
        user_id = UserId(UUID(values["user"]))
        async with self.services.database.tenant(organization_id) as connection:
            held = await password_hash_of(connection, user_id)
        return (organization_id, user_id) if _digest(held) == values["password"] else None


def _digest(password_hash: str | None) -> str:
    return hashlib.sha256((password_hash or "").encode()).hexdigest()
